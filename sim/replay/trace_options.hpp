// SPDX-License-Identifier: BSD-3-Clause
// The options with which the subcommands of `sim replay` read a trace.
#pragma once

#include "sim/base/common.hpp"
#include "sim/options/option_reader.hpp"
#include "sim/options/shared_options.hpp"
#include "sim/replay/trace_window.hpp"
#include "workloads/traces/trace_format.hpp"

namespace tutti::studies {

namespace trace_option {
inline constexpr std::string_view group = "Trace";
inline constexpr options::OptionSpec align_clocks{
    group, "--align-clocks", "",
    "Shift the clocks of the ranks so that no event precedes its cause (needed for EZTrace)"
    "\nShift the clock of each rank so that receives end after their sends begin "
    "and members of a collective end after those that they wait for have begun. The shift is the "
    "middle of the range that messages in both directions permit. Traces of EZTrace need it. If "
    "clocks drift, the shift is piecewise linear in time; a note reports violations that remain. "
    "The new trace has the shifted times."};

// Not --window, an option of ping-pongs.
inline constexpr options::OptionSpec window = {
    group, "--trace-window", "FROM:TO",
    "Replay only this part, in times from the start of the trace: 2s:5s, :800ms, 1.5s: (either "
    "side "
    "may be open)"
    "\nReplay only this part of the trace, in times from its start (after alignment); either side "
    "may be open: 2s:5s, :800ms, 1.5s:. Regions that are open at an edge are entered or left "
    "there; an MPI call at an edge keeps its time inside the window, but transfers nothing. "
    "Messages and collectives that are only partly inside are omitted and counted. The new trace "
    "contains only the window."};

inline constexpr options::OptionSpec flop_rate{
    group, "--flop-rate", "RATE",
    "Flop rate of SimGrid's time-independent traces in flop/s, as in 1e9, 2.5Gf; default: the "
    "speed of the platform's hosts"
    "\nFlop rate of each rank of a time-independent trace, read or written, as in 1e9 or 2.5Gf; "
    "default: the speed of its host on --platform; 1Gf without a platform, or if it gives none. "
    "Such traces of SimGrid (`smpirun -trace-ti`: the list of files, or one file) are recognized "
    "by their content. They have no times, so only the models loggp and platform can replay them, "
    "in regions `main`, `compute` and `sleep`. On platforms without Tutti's keys (mpi/...) they "
    "are "
    "replayed as by SMPI 3.32: message parameters that the platform lacks are SMPI's defaults."};
inline constexpr options::OptionSpec ti = options::written(options::shared::output_row(
    "--ti", "DIR",
    "Write the new trace to DIR, a new or empty folder, for `smpirun -replay DIR/list.txt`"
    "\nWrite the new trace to DIR for `smpirun -replay DIR/list.txt`: computation as flops, "
    "messages, collectives. Collectives of only some of the ranks, and messages without a send or "
    "receive, are omitted and counted; alltoallv of OTF2 traces has blocks of its mean size."));
}  // namespace trace_option

struct TraceRequest {
  std::string path;
  bool aligns_clocks = false;
  struct Window {
    Seconds from_s = 0;
    std::optional<Seconds> to_s;  // unset: to the end
  };
  std::optional<Window> window;
  std::optional<double> flops_per_s = {};                  // unset: depends on the platform
  const workloads::traces::TraceFormat* format = nullptr;  // of the path
  bool is_ti = false;                                      // the trace has no times
};

// A trace as the options request it, and what is needed to write it again.
struct ReadTrace {
  workloads::traces::Trace trace;
  std::vector<workloads::traces::ClockCorrection> clocks;  // by rank; empty: no corrections
  std::vector<replay::KeptEvents> kept;  // events in the window, by rank; empty: all
};

// The speed of each rank's core in flop/s, and where it comes from.
struct CoreSpeeds {
  std::vector<double> flops_per_s;
  std::string source = {};  // as a sentence
  bool is_assumed = false;  // `source` is a warning
};
using CoreSpeedsOf = std::function<Result<CoreSpeeds>(std::size_t ranks)>;

// Reads --align-clocks, --trace-window and --flop-rate.
Result<TraceRequest> trace_request(std::string path, const options::OptionValues& parsed);

// The files of the trace, as far as they are known before it is read.
std::vector<std::string> files_of(const TraceRequest& request);

// Reads the trace as requested; its notes report what the options did. `speeds` is called for a
// time-independent trace.
Result<ReadTrace> read_trace(const TraceRequest& request, const CoreSpeedsOf& speeds = {});

// Writes the trace to a new folder as an archive, with new times of the events that were read.
std::optional<Error> write_trace(const TraceRequest& request, const ReadTrace& read,
                                 const std::string& folder, workloads::traces::NewTimes& times);

// Writes a time-independent trace to a new folder. Returns notes on what it cannot represent.
Result<std::vector<std::string>> write_ti(const workloads::traces::Trace& trace,
                                          const CoreSpeeds& speeds, const std::string& folder,
                                          workloads::traces::NewTimes& times);

}  // namespace tutti::studies
