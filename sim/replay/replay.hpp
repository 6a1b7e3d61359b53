// SPDX-License-Identifier: BSD-3-Clause
// Replays a trace without contention: new times of all events from what each depends on.
//
//   recorded  a receive ends as long after its cause (the send, or its own begin) as it did in the
//             trace; a collective after the last one that it waits for. What a message takes and
//             what a receive costs are told apart by the receives of its size that were late, and
//             early.
//   loggp     calls take what L, o, G and a constant for each collective say; a send leaves o after
//             it began, its data are there after o + L + G bytes, a receive ends o after both. A
//             blocking send waits for nobody.
//
// Both give the trace's own times back where nothing is changed (loggp: where it is the machine's).
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/computation.hpp"
#include "sim/replay/latest_time.hpp"
#include "sim/replay/wait_states.hpp"

namespace tutti::studies::replay {

// What messages of about a size take, and what receiving them costs, as far as a trace tells: of
// those that came late the first, of those that were there already the second.

class TransferTimes {
 public:
  using Ticks = workloads::traces::Ticks;

  void add_late(std::uint64_t bytes, Ticks transfer) {
    Least& least = of_[class_of(bytes)];
    if (transfer >= least.transfer) return;
    least.transfer = transfer;
    least.bytes = bytes;
  }
  void add_early(std::uint64_t bytes, Ticks overhead) {
    auto& least = of_[class_of(bytes)].overhead;
    least = std::min(least, overhead);
  }
  // The largest number where none is known.
  Ticks transfer(std::uint64_t bytes) const { return of_[class_of(bytes)].transfer; }
  Ticks overhead(std::uint64_t bytes) const { return of_[class_of(bytes)].overhead; }

  // What a message takes, and what receiving one costs, where nothing is recorded: of its class, or
  // along the lines, or what is known of any; 0 where nothing is.
  Ticks estimated_transfer(std::uint64_t bytes) const {
    const Ticks own = transfer(bytes);
    if (own != std::numeric_limits<Ticks>::max()) return own;
    return std::max<Ticks>(0, nearest_ticks(at(bytes)));
  }
  Ticks estimated_overhead(std::uint64_t bytes) const {
    Ticks least = overhead(bytes);
    if (least != std::numeric_limits<Ticks>::max()) return least;
    for (const Least& each : of_) least = std::min(least, each.overhead);
    return least == std::numeric_limits<Ticks>::max() ? 0 : least;
  }

  // By how much longer a message takes that has `to` bytes instead of `from`: along the lines
  // between what the classes' quickest took. 0 where fewer than two classes are known.
  Ticks change(std::uint64_t from, std::uint64_t to) const {
    if (from == to) return 0;
    const double change = at(to) - at(from);
    return nearest_ticks(to > from ? std::max(0.0, change) : std::min(0.0, change));
  }

 private:
  static std::size_t class_of(std::uint64_t bytes) {
    return static_cast<std::size_t>(std::bit_width(bytes));
  }
  struct Least {
    bool has_transfer() const { return transfer != std::numeric_limits<Ticks>::max(); }
    std::uint64_t bytes = 0;  // of the message with that transfer
    Ticks transfer = std::numeric_limits<Ticks>::max();
    Ticks overhead = std::numeric_limits<Ticks>::max();
  };

  // On the line through the known classes on both sides, or the two nearest.
  double at(std::uint64_t bytes) const {
    const Least *low = nullptr, *high = nullptr;
    for (const Least& each : of_) {
      if (!each.has_transfer()) continue;
      if (high != nullptr && high->bytes >= bytes) break;
      low = high;
      high = &each;
    }
    if (low == nullptr) return high == nullptr ? 0 : static_cast<double>(high->transfer);
    const double slope = static_cast<double>(high->transfer - low->transfer) /
                         static_cast<double>(high->bytes - low->bytes);
    return static_cast<double>(low->transfer) +
           slope * (static_cast<double>(bytes) - static_cast<double>(low->bytes));
  }

  std::array<Least, 65> of_;
};

// What the model `recorded` learns from a trace.
struct RecordedCosts {
  TransferTimes messages;
  TransferTimes::Ticks send = std::numeric_limits<TransferTimes::Ticks>::max();  // the least call

  TransferTimes::Ticks estimated_send() const {
    return send == std::numeric_limits<TransferTimes::Ticks>::max() ? 0 : send;
  }
};

inline constexpr std::size_t collective_op_count =
    static_cast<std::size_t>(workloads::traces::CollectiveOp::other) + 1;

// Without contention. In seconds.
struct LogGP {
  double L_s = 0;
  double o_s = 0;
  double G_s_per_B = 0;
  double call_gap_s = 0;  // of its caller's time that goes with a call that is cut
  std::array<double, collective_op_count> collective_s = {};
};

struct ReplayArgs {
  Hypothesis hypothesis = {};
  std::optional<LogGP> loggp = {};  // unset: recorded
  double cpu_factor = 1;
  bool causes = false;  // the critical path and delay costs: slower, and more memory
  // Of model recorded: what calls take that are not in the trace (call.hpp).
  RecordedCosts costs = {};
};

// Gets the new times of each rank's events, in their order.
class ReplaySink {
 public:
  virtual ~ReplaySink() = default;
  // `keeps`: false: the event is cut.
  virtual void event(TraceRank rank, Ticks time, bool keeps) = 0;
  // The rank's last event is of a message that has another size now.
  virtual void message_bytes(TraceRank, std::uint64_t) {}
};

// Of the trace.
struct Violations {
  std::uint64_t receives = 0;     // that ended before their message was sent
  std::uint64_t collectives = 0;  // that ended before the last one began that they depend on
  Ticks worst = 0;

  void look_at(Ticks cause, Ticks end, std::uint64_t Violations::*count) {
    if (cause <= end) return;
    ++(this->*count);
    worst = std::max(worst, cause - end);
  }
};

struct ReplayResult {
  explicit ReplayResult(std::size_t ranks) : before(ranks), after(ranks) {}

  CallPaths paths;
  MetricTable before;  // of the times in the trace
  MetricTable after;
  Ticks end_before = 0;  // from the first event of all
  Ticks end_after = 0;
  Ticks largest_deviation = 0;  // of a kept event's time
  std::uint64_t events = 0;
  std::uint64_t cut_events = 0;
  std::uint64_t messages = 0;
  std::uint64_t collectives = 0;
  struct Resized {
    std::uint64_t messages = 0;
    std::uint64_t bytes_before = 0;
    std::uint64_t bytes_after = 0;
  } resized;  // of those that are sent
  Violations violations;
  RecordedCosts costs;  // of model recorded
  // New times, or their sum, are later than can be told: no number of them holds. See too_late().
  bool is_beyond = false;
  std::vector<std::string> in_vain;  // ranks that went on without what never came: sentences
  std::vector<std::string> notes;    // what is odd, or had no effect: sentences
};

// `sink` may be null.
ReplayResult replay(const workloads::traces::Trace& trace, const ReplayArgs& args,
                    ReplaySink* sink = nullptr);

// Of a result that is beyond: which part of `args` is to blame.
std::optional<Error> too_late(const ReplayResult& result, const ReplayArgs& args);

// Replays one trace by a model that is ready; the sink may be null.
using Replayer = std::function<Result<ReplayResult>(const ReplayArgs& args, ReplaySink* sink)>;

}  // namespace tutti::studies::replay
