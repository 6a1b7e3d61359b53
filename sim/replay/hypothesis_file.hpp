// SPDX-License-Identifier: BSD-3-Clause
// Hypotheses and LogGP parameters as TOML files. Times are texts as "200ns", or numbers of seconds,
// and at most a century: G for a TiB.
//
//   call_latency = "1us"    computation that is shorter stays; default: none
//   call_gap = "1us"        of the caller's time what goes with a call that is cut; default: none
//   compensate_perturbation = "200ns"  what measuring an event costs goes; default: none
//   [[scale]]               region, factor; within, part = "before" | "after" with inner
//   [[balance]]             region; mode = "global-instance" (default) | "process-local" |
//                           "global" | "scaled"; within; messages = true: their sizes follow
//   [[cut]]                 region; within
//   [[cut]]                 message = { size, tag, within }, what is given must hold; size, tag: a
//                           number, or a text as "<= 4KiB" (== != < <= > >=)
//
//   [[replace]]             call = "MPI_Sendrecv", by = "MPI_Send+MPI_Recv" | "MPI_Recv+MPI_Send";
//   or
//                           call = "MPI_Recv", by = "MPI_Irecv" (MPI_Send, MPI_Ssend, MPI_Bsend
//                           alike), wait_after; within
//
//   [loggp]                 L, o, call_gap (times), G (time of a byte)
//   [collective]            default, barrier, bcast, ... (times)
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/replay.hpp"

namespace tutti::studies::replay {

// TOML, or a configuration of SILAS (silas_configuration.hpp). `path` is the place of errors:
// syntax, unknown keys, values that are none.
Result<Hypothesis> read_hypothesis(const std::string& text, const std::string& path);
// What read_hypothesis reads as the same; `comments` are its first lines.
std::string hypothesis_text(const Hypothesis& hypothesis,
                            const std::vector<std::string>& comments = {});
Result<LogGP> read_loggp(const std::string& text, const std::string& path);

}  // namespace tutti::studies::replay
