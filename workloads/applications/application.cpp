// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/applications/application.hpp"

namespace tutti::workloads::applications {
namespace {

const Application applications[] = {
    {.name = "lb-coll",
     .summary = "imbalanced foo, balanced bar, MPI_Allreduce",
     .defaults = {.iterations = 100,
                  .load = {.mean_s = 1e-3, .imbalance = 0.5},
                  .message_bytes = 8},
     .program = lb_coll},
    {.name = "lb-p2p",
     .summary = "foo imbalanced between odd and even ranks, bar, two messages",
     .shape = LoadShape::alternating,
     .defaults = {.iterations = 100,
                  .load = {.mean_s = 1e-3, .imbalance = 0.5},
                  .message_bytes = 512},
     .least_ranks = 4,
     .multiple_of = 4,
     .program = lb_p2p},
    {.name = "sweep3d",
     .summary = "pipelined wavefronts from the corners of a grid of ranks",
     .defaults = {.iterations = 3, .load = {.mean_s = 100e-6}, .message_bytes = 4800},
     .program = sweep3d},
    {.name = "xns",
     .summary = "messages between all ranks, most of them empty",
     .defaults = {.iterations = 4,
                  .load = {.mean_s = 1e-3, .imbalance = 0.1},
                  .message_bytes = 512},
     .least_ranks = 2,
     .program = xns},
    {.name = "halo",
     .summary = "nonblocking messages to both neighbors of a ring, and bar",
     .defaults = {.iterations = 100,
                  .load = {.mean_s = 1e-3, .imbalance = 0.5},
                  .message_bytes = 4096},
     .least_ranks = 2,
     .program = halo},
    {.name = "rooted",
     .summary = "imbalanced foo between MPI_Bcast, MPI_Reduce and MPI_Barrier",
     .defaults = {.iterations = 100,
                  .load = {.mean_s = 1e-3, .imbalance = 0.5},
                  .message_bytes = 1024},
     .program = rooted}};

}  // namespace

std::span<const Application> all_applications() { return applications; }

const Application* find_application(std::string_view name) {
  const auto found = std::ranges::find(applications, name, &Application::name);
  return found == std::end(applications) ? nullptr : &*found;
}

std::vector<std::string> application_names() {
  std::vector<std::string> names;
  for (const Application& application : applications) names.emplace_back(application.name);
  return names;
}

std::optional<Error> rejection(const Application& application, int ranks) {
  if (ranks >= application.least_ranks && ranks % application.multiple_of == 0) return std::nullopt;
  const std::string needed = application.multiple_of > 1
                                 ? fmt::format("a multiple of {}", application.multiple_of)
                                 : fmt::format("at least {}", application.least_ranks);
  return usage_error("--procs",
                     fmt::format("{} cannot run with {}", application.name,
                                 counted(static_cast<std::size_t>(ranks), "process")),
                     fmt::format("the number of processes must be {}", needed));
}

TracedRun::TracedRun(const Application& application, const ApplicationArgs& args,
                     Recording& recording, int ranks)
    : application_(application),
      recording_(recording),
      shared_{args, Load(args.load, application.shape, ranks)},
      rules_{caller_gap_s, args.is_synchronous, args.selection} {}

runtime::Program TracedRun::program() {
  return [this](runtime::Rank& rank) { return main(rank); };
}

runtime::Task TracedRun::main(runtime::Rank& rank) {
  TracedRank me(rank, rules_, recording_);
  me.enter(Region::main);
  co_await application_.program(me, shared_);
  me.compute(rules_.gap_s);
  me.leave(Region::main);
}

}  // namespace tutti::workloads::applications
