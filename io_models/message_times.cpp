// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/message_times.hpp"

namespace tutti::io_models {

MessageTimes::MessageTimes(const ShuffleJob& job) : job_(job), first_{0} {
  for (std::size_t i = 0; i < job.aggregators.size(); ++i)
    first_.push_back(first_.back() +
                     job.schedule->messages().of_aggregator(static_cast<int>(i)).size());
  times_.resize(first_.back());
}

std::span<const MessageTime> MessageTimes::of_aggregator(int aggregator) const {
  return {times_.data() + first_[aggregator], first_[aggregator + 1] - first_[aggregator]};
}

std::size_t MessageTimes::place_of(const runtime::TimedMessage& message) const {
  const std::int64_t step = std::int64_t{message.tag} - shuffle_tag;
  if (step < 0 || step >= job_.schedule->steps()) return none;
  const int number = job_.number_of[job_.writes ? message.destination : message.source];
  const Leg leg{static_cast<std::int32_t>(step), job_.writes ? message.source : message.destination,
                0};
  const auto legs = job_.schedule->messages().of_aggregator(number);
  const auto found = std::ranges::lower_bound(legs, leg, [](const Leg& a, const Leg& b) {
    return a.step != b.step ? a.step < b.step : a.peer < b.peer;
  });
  return first_[number] + static_cast<std::size_t>(found - legs.begin());
}

MessageTime* MessageTimes::entry_of(runtime::MessageId id) {
  return id < places_.size() && places_[id] != none ? &times_[places_[id]] : nullptr;
}

void MessageTimes::on_sent(const runtime::TimedMessage& message) {
  if (message.id >= places_.size()) places_.resize(2 * std::size_t{message.id} + 1, none);
  places_[message.id] = place_of(message);
  if (MessageTime* date = entry_of(message.id)) {
    date->sent_s = message.called_s;
    date->settled_s = message.protocol == platforms::Protocol::eager
                          ? std::numeric_limits<Seconds>::infinity()
                          : message.sent_s + message.latency_s;
  }
}

void MessageTimes::on_match(const runtime::Match& match) {
  if (MessageTime* date = entry_of(match.message)) date->taken_s = match.posted_s;
}

void MessageTimes::on_flow_end(runtime::MessageId id, Seconds date_s) {
  MessageTime* date = entry_of(id);
  if (date == nullptr) return;
  date->over_s = date_s;
  date->settled_s = std::min(date->settled_s, date_s);
}

}  // namespace tutti::io_models
