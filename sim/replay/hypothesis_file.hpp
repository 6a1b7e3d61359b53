// SPDX-License-Identifier: BSD-3-Clause
// Hypotheses and LogGP parameters as TOML files. Times are strings such as "200ns" or numbers of
// seconds, and at most a century; G at most a century per TiB.
//
//   call_latency = "1us"    shorter pieces of computation are not changed; default: 0
//   call_gap = "1us"        time of the caller that is removed with a cut call; default: learned
//   compensate_perturbation = "200ns"  measurement overhead per event to remove; default: 0
//   [[scale]]               region, factor; within, part = "before" | "after" with inner
//   [[balance]]             region; mode = "global-instance" (default) | "process-local" |
//                           "global" | "scaled"; within; messages = true: sizes follow the load
//   [[cut]]                 region; within
//   [[cut]]                 message = { size, tag, within }, all given conditions must be true;
//                           size, tag: a number, or a string such as "<= 4KiB" (== != < <= > >=)
//
//   [[replace]]             call = "MPI_Sendrecv", by = "MPI_Send+MPI_Recv" | "MPI_Recv+MPI_Send";
//                           or call = "MPI_Recv", by = "MPI_Irecv", wait_after (MPI_Send, MPI_Ssend
//                           and MPI_Bsend likewise); within
//
//   [loggp]                 L, o, call_gap (times), G (time per byte)
//   [collective]            default, barrier, bcast, ... (times)
#pragma once

#include "sim/base/common.hpp"
#include "sim/replay/replay.hpp"

namespace tutti::studies::replay {

// Reads TOML or a SILAS configuration (silas_configuration.hpp). Errors, located in `path`: invalid
// syntax, unknown keys, invalid values.
Result<Hypothesis> read_hypothesis(const std::string& text, const std::string& path);
// The hypothesis as TOML for read_hypothesis; `comments` are its first lines.
std::string hypothesis_text(const Hypothesis& hypothesis,
                            const std::vector<std::string>& comments = {});
Result<LogGP> read_loggp(const std::string& text, const std::string& path);

}  // namespace tutti::studies::replay
