// SPDX-License-Identifier: BSD-3-Clause
// Replays a trace without contention: new times of all events from what each depends on.
//
//   recorded  a receive ends as long after its cause (the send, or its own beginning) as in the
//             trace; a collective as long after the last rank that it waits for. Late and early
//             receives of a size separate the transfer time of a message from the overhead of the
//             receive.
//   loggp     times from L, o, G and a constant for each collective: a send ends o after it began,
//             its data arrive at o + L + G bytes, a receive ends o after both it and the data. A
//             blocking send does not wait.
//
// Without changes both reproduce the times of the trace (loggp: if the parameters are exact).
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/computation.hpp"
#include "sim/replay/latest_time.hpp"
#include "sim/replay/verdict.hpp"
#include "sim/replay/wait_rules.hpp"
#include "sim/replay/wait_states.hpp"

namespace tutti::studies::replay {

// Shortest transfer times and receive overheads in a trace, by size class (powers of two). Messages
// that arrived after the receive began show the transfer time, the others the overhead.

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
  // The maximum of Ticks if none is known.
  Ticks transfer(std::uint64_t bytes) const { return of_[class_of(bytes)].transfer; }
  Ticks overhead(std::uint64_t bytes) const { return of_[class_of(bytes)].overhead; }

  // Estimates for messages that are not recorded: from the size class, by interpolation, or from
  // any class; 0 if nothing is known.
  Ticks estimated_transfer(std::uint64_t bytes) const {
    const Ticks own = transfer(bytes);
    if (own != std::numeric_limits<Ticks>::max()) return own;
    return std::max<Ticks>(0, nearest_ticks(at(bytes)));
  }
  Ticks estimated_overhead(std::uint64_t bytes) const {
    Ticks least = overhead(bytes);
    if (least != std::numeric_limits<Ticks>::max()) return least;
    for (const Least& size : of_) least = std::min(least, size.overhead);
    return least == std::numeric_limits<Ticks>::max() ? 0 : least;
  }

  // Increase of the transfer time from `from` to `to` bytes, by linear interpolation between the
  // shortest times of the classes. 0 if fewer than two classes are known.
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

  // Value on the line through the known classes on both sides, or through the two nearest.
  double at(std::uint64_t bytes) const {
    const Least *low = nullptr, *high = nullptr;
    for (const Least& size : of_) {
      if (!size.has_transfer()) continue;
      if (high != nullptr && high->bytes >= bytes) break;
      low = high;
      high = &size;
    }
    if (low == nullptr) return high == nullptr ? 0 : static_cast<double>(high->transfer);
    const double slope = static_cast<double>(high->transfer - low->transfer) /
                         static_cast<double>(high->bytes - low->bytes);
    return static_cast<double>(low->transfer) +
           slope * (static_cast<double>(bytes) - static_cast<double>(low->bytes));
  }

  std::array<Least, 65> of_;
};

using workloads::traces::collective_op_count;

// The costs that the model `recorded` learns from a trace.
struct RecordedCosts {
  TransferTimes messages;
  TransferTimes receives;  // from the post of a receive to the end of the send that waits for it
  std::array<TransferTimes, collective_op_count> collectives;  // nonblocking
  TransferTimes epochs, locks;                                 // of windows; without sizes
  TransferTimes launches, operations;  // of accelerators; until an operation begins, or is known
  TransferTimes probes;
  TransferTimes thread_locks;                                                    // without sizes
  TransferTimes::Ticks send = std::numeric_limits<TransferTimes::Ticks>::max();  // shortest send
  TransferTimes::Ticks call = std::numeric_limits<TransferTimes::Ticks>::max();  // of all calls

  bool is_empty() const { return call == std::numeric_limits<TransferTimes::Ticks>::max(); }
  TransferTimes::Ticks estimated_send() const {
    return send == std::numeric_limits<TransferTimes::Ticks>::max() ? 0 : send;
  }
};

// LogGP parameters, in seconds. There is no contention.
struct LogGP {
  double L_s = 0;
  double o_s = 0;
  double G_s_per_B = 0;
  double call_gap_s = 0;  // time of the caller that is removed with a cut call
  std::array<double, collective_op_count> collective_s = {};
};

struct ReplayArgs {
  Hypothesis hypothesis = {};
  std::optional<LogGP> loggp = {};  // unset: recorded
  double cpu_factor = 1;
  bool causes = false;  // also compute the critical path and delay costs: slower, more memory
  // For the model recorded: costs of calls that are not in the trace (call.hpp).
  RecordedCosts costs = {};
  // What calls wait for; null: learned from the trace.
  std::shared_ptr<const WaitRules> rules = {};
  // The scan of the trace with the same hypothesis; null: made.
  std::shared_ptr<const TraceScan> scan = {};
  Limits limits = {};
};

struct Call;

// Receives the new times of the events of each rank, in order.
class ReplaySink {
 public:
  virtual ~ReplaySink() = default;
  // `keeps` is false if the event is cut.
  virtual void event(TraceRank rank, Ticks time, bool keeps) = 0;
  // Passes the new size of the message to which the last event of the rank belongs.
  virtual void message_bytes(TraceRank, std::uint64_t) {}
  // Announces the call to which the next events of the rank belong. Its new times and causes are
  // known.
  virtual void call(TraceRank, const Call&) {}
  // Passes how long the rank, outside of calls, waits for threads of its process, from its last
  // event on.
  virtual void waits(TraceRank, const Times&) {}
};

// Events in the trace that precede their cause.
struct Violations {
  std::uint64_t receives = 0;     // that ended before their message was sent
  std::uint64_t collectives = 0;  // that ended before a rank began that they wait for
  Ticks worst = 0;

  void look_at(Ticks cause, Ticks end, std::uint64_t Violations::*count) {
    if (cause <= end) return;
    ++(this->*count);
    worst = std::max(worst, cause - end);
  }
};

struct ReplayResult {
  explicit ReplayResult(std::size_t ranks) : before(ranks), after(ranks) {}

  // Adds ticks to a metric of a call path, or one wait of a call that begins at `begin`.
  void add(Metric metric, TraceRank rank, PathId path, const Times& ticks) {
    before.add(rank, path, metric, ticks.before);
    after.add(rank, path, metric, ticks.after);
  }
  void add_wait(Metric metric, TraceRank rank, PathId path, const Times& begin,
                const Times& ticks) {
    before.add_wait(metric, {begin.before, ticks.before, rank, path});
    after.add_wait(metric, {begin.after, ticks.after, rank, path});
  }

  CallPaths paths;
  MetricTable before;  // with the times of the trace
  MetricTable after;
  Ticks end_before = 0;  // since the first event of all ranks
  Ticks end_after = 0;
  Ticks largest_deviation = 0;  // of the times of kept events
  std::uint64_t events = 0;
  std::uint64_t cut_events = 0;
  std::uint64_t messages = 0;
  std::uint64_t collectives = 0;
  struct Resized {
    std::uint64_t messages = 0;
    std::uint64_t bytes_before = 0;
    std::uint64_t bytes_after = 0;
  } resized;  // counts sent messages
  Violations violations;
  RecordedCosts costs;  // of model recorded
  WaitRules rules;      // as given or learned
  Verdict verdict;
  std::shared_ptr<const CallTimeSums> call_times;  // from which the verdict is computed
  // New times or their sums exceeded the limit; the other members are invalid. See too_late().
  bool is_beyond = false;
  std::vector<std::string> in_vain;    // sentences about calls that waited for something missing
  std::vector<std::string> unmatched;  // sentences about parts of the hypothesis without a match
  std::vector<std::string> notes;      // sentences about anomalies and settings without effect
};

// Replays the trace without contention; `sink` may be null.
ReplayResult replay(const workloads::traces::Trace& trace, const ReplayArgs& args,
                    ReplaySink* sink = nullptr);

// An error that names the part of `args` responsible, if the result is beyond the limit.
std::optional<Error> too_late(const ReplayResult& result, const ReplayArgs& args);

// Replays one trace with a prepared model; the sink may be null.
using Replayer = std::function<Result<ReplayResult>(const ReplayArgs& args, ReplaySink* sink)>;

}  // namespace tutti::studies::replay
