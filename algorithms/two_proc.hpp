// SPDX-License-Identifier: BSD-3-Clause
// Shared parts of Open MPI's algorithms for two processes: both send at the same time. They reject
// other process counts.
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::two_proc {

inline constexpr std::string_view restriction = "P = 2";

inline bool runs(const ModelArgs& args) { return args.procs == 2; }
inline std::int64_t messages(const ModelArgs& /*args*/) { return 2; }
inline RankId other(const Rank& me) { return 1 - me.id(); }

}  // namespace tutti::algorithms::two_proc
