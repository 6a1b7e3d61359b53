// SPDX-License-Identifier: BSD-3-Clause
// Programs whose simulated run is recorded as a trace: those with which the thesis on SILAS tests
// its predictions (M.-A. Hermanns, Trace-based performance simulation of large-scale applications,
// Juel-4297, chapter 5), and two more for calls that those lack. A program is a file of its own,
// which describes it.
#pragma once

#include "sim/base/common.hpp"
#include "workloads/applications/load.hpp"
#include "workloads/applications/traced_rank.hpp"

namespace tutti::workloads::applications {

// Time of the caller before each call and region: the loop around them.
inline constexpr Seconds caller_gap_s = 500e-9;

struct ApplicationArgs {
  int iterations = 1;
  LoadSpec load = {};
  Bytes message_bytes = 0;
  bool is_synchronous = false;  // MPI_Ssend and MPI_Issend
  int blocks = 10;              // sweep3d: of each sweep
  // xns: fraction of the messages that are empty; unset: those to all but the four nearest ranks.
  std::optional<double> empty = {};
  bool cuts_empty = false;  // xns: the optimized program, without empty messages
  std::shared_ptr<const algorithms::selection::Selection> selection = {};
};

// The state that all ranks of a run share.
struct SharedState {
  const ApplicationArgs& args;
  Load load;
  // Time of one instance of regions in which all ranks compute equally long.
  Seconds constant_s() const { return whole_nanoseconds(args.load.mean_s / 2); }
};

struct Application {
  std::string_view name;     // "lb-coll"
  std::string_view summary;  // one line
  LoadShape shape = LoadShape::linear;
  ApplicationArgs defaults;
  int least_ranks = 1;
  int multiple_of = 1;  // required of the number of ranks
  runtime::Task (*program)(TracedRank& me, SharedState& shared) = nullptr;
};

// In the order of the listings.
std::span<const Application> all_applications();
const Application* find_application(std::string_view name);
std::vector<std::string> application_names();
// The error, at --procs, if the program cannot run with this number of ranks.
std::optional<Error> rejection(const Application& application, int ranks);

// A program to run on an engine, which records into `recording`. Both arguments and the application
// must outlive it.
class TracedRun {
 public:
  TracedRun(const Application& application, const ApplicationArgs& args, Recording& recording,
            int ranks);
  runtime::Program program();

 private:
  runtime::Task main(runtime::Rank& rank);

  const Application& application_;
  Recording& recording_;
  SharedState shared_;
  CallRules rules_;
};

// The programs, each in its file.
runtime::Task lb_coll(TracedRank& me, SharedState& shared);
runtime::Task lb_p2p(TracedRank& me, SharedState& shared);
runtime::Task sweep3d(TracedRank& me, SharedState& shared);
runtime::Task xns(TracedRank& me, SharedState& shared);
runtime::Task halo(TracedRank& me, SharedState& shared);
runtime::Task rooted(TracedRank& me, SharedState& shared);

}  // namespace tutti::workloads::applications
