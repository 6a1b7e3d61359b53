// SPDX-License-Identifier: BSD-3-Clause
// How the subcommands of `sim replay` read a trace.
#pragma once

#include "sim/base/common.hpp"
#include "sim/options/option_reader.hpp"
#include "sim/options/shared_options.hpp"
#include "sim/replay/trace_window.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::studies {

namespace trace_option {
inline constexpr std::string_view group = "The trace";
inline constexpr options::OptionSpec align_clocks{
    group, "--align-clocks", "",
    "shifts the ranks' clocks so that nothing happens before its cause: EZTrace's traces need it"
    "\nshifts the clock of each rank by a constant, so that receives end after their sends began "
    "and members of a collective end after those that they wait for have begun; in the middle of "
    "what messages both ways leave. Traces of EZTrace need it. Where clocks drift, shifts that "
    "leave the least of it are taken, and that is told. The new trace has the shifted times."};

inline constexpr options::OptionSpec window{
    group, "--window", "FROM:TO",
    "only this part, in times from the trace's begin: 2s:5s, :800ms, 1.5s: (either side may be "
    "open)"
    "\nonly this part of the trace, in times from its begin (after alignment); either side may be "
    "open: 2s:5s, :800ms, 1.5s:. Regions that are open at an edge are entered or left there; of a "
    "call of MPI there the time inside is kept, but nothing that it transfers. Messages and "
    "collectives that are inside only in part are left out, and counted. The new trace is the "
    "window alone."};

inline constexpr options::OptionSpec flop_rate{
    group, "--flop-rate", "RATE",
    "of SimGrid's time independent traces, in flop/s: 1e9, 2.5Gf; default: 1Gf"
    "\nof a time independent trace, read or written: 1e9, 2.5Gf; default 1Gf. Such traces of "
    "SimGrid (`smpirun -trace-ti`: the list of files, or one file) are known by their text. They "
    "have no times, so that only models that know what calls take can replay them, in regions "
    "`main`, `compute` and `sleep`."};
inline constexpr options::OptionSpec ti = options::written(options::shared::output_row(
    "--ti", "DIR",
    "writes the new trace there for `smpirun -replay DIR/list.txt`: an empty folder"
    "\nwrites the new trace there for `smpirun -replay DIR/list.txt`: computation as flops, "
    "messages, collectives. Collectives of parts of the ranks, and messages without another half, "
    "are left out and counted; v collectives have blocks of their mean size."));
}  // namespace trace_option

struct TraceRequest {
  std::string path;
  bool aligns_clocks = false;
  struct Window {
    Seconds from_s = 0;
    std::optional<Seconds> to_s;  // unset: to the end
  };
  std::optional<Window> window;
  double flops_per_s = 1e9;
  bool is_ti = false;
};

// A trace as the options ask for it, and what must be known to write it again.
struct ReadTrace {
  workloads::traces::Trace trace;
  std::vector<workloads::traces::Ticks> shifts;  // by rank; empty: none
  std::vector<replay::KeptEvents> kept;          // by rank, of a window; empty: all
};

// How it is read: --align-clocks, --window, --flop-rate.
Result<TraceRequest> trace_request(std::string path, const options::OptionValues& parsed);

// The files that it is made of, as far as they can be told before it is read.
std::vector<std::string> files_of(const TraceRequest& request);

// The trace as the options ask for it; what they did is in its notes.
Result<ReadTrace> read_trace(const TraceRequest& request);

// Its archive again, in a folder of its own, with new times of the events that were read.
std::optional<Error> write_trace(const TraceRequest& request, const ReadTrace& read,
                                 const std::string& folder, workloads::traces::NewTimes& times);

// As a time independent trace, in a folder of its own; what could not be said in it.
Result<std::vector<std::string>> write_ti(const TraceRequest& request,
                                          const workloads::traces::Trace& trace,
                                          const std::string& folder,
                                          workloads::traces::NewTimes& times);

}  // namespace tutti::studies
