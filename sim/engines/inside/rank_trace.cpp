// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/inside/rank_trace.hpp"

namespace tutti::engines {

using runtime::MessageId;
using runtime::RankId;

RankTrace::RankTrace(std::vector<RankRange> ranks, std::size_t most)
    : ranks_(std::move(ranks)), most_(most) {}

void RankTrace::add(const TraceSlice& slice) {
  if (slice.end_s <= slice.begin_s) return;
  if (slices_.size() < most_)
    slices_.push_back(slice);
  else
    cut_ = true;
}

void RankTrace::on_work(RankId rank, runtime::Work kind, Seconds begin_s, Seconds end_s) {
  if (contains(ranks_, rank)) add({.begin_s = begin_s, .end_s = end_s, .rank = rank, .work = kind});
}

void RankTrace::on_sent(const runtime::TimedMessage& message) {
  serial_of_send_[message.send_request] = message.serial;
  under_way_[message.id] = {.called_s = message.called_s,
                            .sent_s = message.sent_s,
                            .serial = message.serial,
                            .bytes = message.bytes,
                            .source = message.source,
                            .destination = message.destination,
                            .tag = message.tag,
                            .protocol = message.protocol};
}

void RankTrace::on_flow_start(MessageId message, Seconds date_s) {
  under_way_[message].flow_start_s = date_s;
}

void RankTrace::on_flow_end(MessageId message, Seconds date_s) {
  under_way_[message].arrived_s = date_s;
}

void RankTrace::on_completion(const runtime::Completion& completion) {
  const bool is_send = completion.message == runtime::no_record;
  if (contains(ranks_, completion.rank))
    add({.begin_s = completion.begin_s,
         .end_s = completion.end_s,
         .serial =
             is_send ? serial_of_send_[completion.request] : under_way_[completion.message].serial,
         .rank = completion.rank});
  if (is_send) return;
  TraceMessage& message = under_way_[completion.message];
  if (!contains(ranks_, message.source) && !contains(ranks_, message.destination)) return;
  message.received_s = completion.end_s;
  if (messages_.size() < most_)
    messages_.push_back(message);
  else
    cut_ = true;
}

}  // namespace tutti::engines
