// SPDX-License-Identifier: BSD-3-Clause
// A trace of the activities of some ranks, and of the messages from and to them.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/observer.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::engines {

// Values attached to records of the core that are numbered from 0: messages, requests.

template <class T>
class ByIndex {
 public:
  T& operator[](std::uint32_t index) {
    if (index >= values_.size()) values_.resize(index + 1);
    return values_[index];
  }

 private:
  std::vector<T> values_;
};

// Consecutive ranks that are selected: 0-15.

struct RankRange {
  runtime::RankId first = 0;
  runtime::RankId last = 0;  // inclusive
};

inline bool contains(const std::vector<RankRange>& ranges, runtime::RankId rank) {
  for (const RankRange& range : ranges)
    if (range.first <= rank && rank <= range.last) return true;
  return false;
}

struct TraceSlice {
  Seconds begin_s = 0;
  Seconds end_s = 0;
  std::int64_t serial = 0;  // message of a wait; 0: local work
  runtime::RankId rank = 0;
  runtime::Work work = runtime::Work::compute;
};

struct TraceMessage {
  Seconds called_s = 0;  // when its sender begins to send
  Seconds sent_s = 0;
  Seconds flow_start_s = 0;
  Seconds arrived_s = 0;
  Seconds received_s = 0;  // when its receiver's wait ends
  std::int64_t serial = 0;
  Bytes bytes = 0;
  runtime::RankId source = 0;
  runtime::RankId destination = 0;
  std::int32_t tag = 0;
  platforms::Protocol protocol = platforms::Protocol::eager;
};

class RankTrace : public runtime::TimestampObserver {
 public:
  // Maximum number of slices, and of messages; later ones are omitted.
  static constexpr std::size_t most_events = 1 << 20;

  RankTrace(std::vector<RankRange> ranks, std::size_t most = most_events);

  void on_work(runtime::RankId rank, runtime::Work kind, Seconds begin_s, Seconds end_s) override;
  void on_sent(const runtime::TimedMessage& message) override;
  void on_flow_start(runtime::MessageId message, Seconds date_s) override;
  void on_flow_end(runtime::MessageId message, Seconds date_s) override;
  void on_completion(const runtime::Completion& completion) override;

  const std::vector<TraceSlice>& slices() const { return slices_; }
  // The messages in the order of their receives.
  const std::vector<TraceMessage>& messages() const { return messages_; }
  bool is_cut() const { return cut_; }

 private:
  void add(const TraceSlice& slice);

  std::vector<RankRange> ranks_;
  std::size_t most_;
  ByIndex<TraceMessage> under_way_;       // by MessageId
  ByIndex<std::int64_t> serial_of_send_;  // by request
  std::vector<TraceSlice> slices_;
  std::vector<TraceMessage> messages_;
  bool cut_ = false;
};

}  // namespace tutti::engines
