// SPDX-License-Identifier: BSD-3-Clause
// The replayed run in Chrome's trace event format, which Perfetto and chrome://tracing open: a
// process for each rank, slices for regions, MPI calls and the waits in them, and arrows for
// messages. Times are in us with a resolution of 1 ns. Memory does not grow with the run.
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/timeline_sink.hpp"
#include "sim/reports/report.hpp"

namespace tutti::reports {

struct PerfettoSpec {
  std::vector<bool> ranks;                // by rank: whether it is shown
  studies::replay::Ticks from = -1;       // shows what is partly after `from` ...
  studies::replay::Ticks to = INT64_MAX;  // ... and before `to`, in new times
  bool has_sizes = true;                  // messages have the sizes of the trace
};

class PerfettoTrace : public studies::replay::TimelineSink {
 public:
  using Write = std::function<void(std::string_view)>;
  // Begins the file. The trace must outlive this object.
  PerfettoTrace(const ReportHead& head, const workloads::traces::Trace& trace, PerfettoSpec spec,
                Write write);
  // Ends the file, after the replay.
  void end();

 private:
  std::string track(studies::replay::TraceRank location) const;
  using Ticks = studies::replay::Ticks;
  using TraceRank = studies::replay::TraceRank;
  struct Open {
    std::uint32_t region = 0;
    Ticks enter = 0;
    bool is_written = false;
  };

  void enter(TraceRank rank, std::uint32_t region, const Moment& now) override;
  void leave(TraceRank rank, const Moment& now) override;
  void piece(TraceRank rank, const studies::replay::Times& from, const studies::replay::Times& to,
             const studies::replay::Times& waits) override;
  void add(const studies::replay::TimelineCall& call) override;
  void add(const studies::replay::TimelineMessage& message) override;

  void begin_open(TraceRank rank, Ticks now);
  void end_region(TraceRank rank, Ticks now);
  void wait(std::string_view name, TraceRank rank, Ticks begin, Ticks ticks);
  void slice(std::string_view name, std::string_view fields, TraceRank rank, Ticks begin,
             Ticks end);
  std::int64_t ns(Ticks ticks) const;

  const workloads::traces::TraceDefinitions& definitions_;
  PerfettoSpec spec_;
  Write write_;
  std::vector<std::string> names_;       // of regions, in quotes
  std::vector<std::vector<Open>> open_;  // by rank
  std::uint64_t messages_ = 0;
};

// A rough estimate of the size of the file if all of the run is shown.
std::uint64_t perfetto_bytes(const studies::replay::ReplayResult& result);

}  // namespace tutti::reports
