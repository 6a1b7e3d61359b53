// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/platform_collectives.hpp"

#include <fmt/format.h>

#include <string_view>

#include "algorithms/hardware/hardware.hpp"
#include "algorithms/selection/decided.hpp"
#include "sim/base/counted.hpp"

namespace tutti::studies::replay {
namespace {

using algorithms::CollectiveArgs;
using algorithms::selection::Selection;

// Of our table of collectives.
std::string_view name_of(CollectiveOp op) {
  switch (op) {
    case CollectiveOp::barrier:
    case CollectiveOp::other:
      return "barrier";
    case CollectiveOp::bcast:
      return "bcast";
    case CollectiveOp::gather:
      return "gather";
    case CollectiveOp::gatherv:
      return "gatherv";
    case CollectiveOp::scatter:
      return "scatter";
    case CollectiveOp::scatterv:
      return "scatterv";
    case CollectiveOp::allgather:
      return "allgather";
    case CollectiveOp::allgatherv:
      return "allgatherv";
    case CollectiveOp::alltoall:
      return "alltoall";
    case CollectiveOp::alltoallv:
    case CollectiveOp::alltoallw:
      return "alltoallv";
    case CollectiveOp::allreduce:
      return "allreduce";
    case CollectiveOp::reduce:
      return "reduce";
    case CollectiveOp::reduce_scatter:
    case CollectiveOp::reduce_scatter_block:
      return "reduce_scatter";
    case CollectiveOp::scan:
      return "scan";
    case CollectiveOp::exscan:
      return "exscan";
  }
  return "barrier";
}

CollectiveArgs args_of(const PlatformCollectives::Call& call,
                       const algorithms::Collective& collective, Bytes procs) {
  CollectiveArgs args{.message_bytes = collective.has_message ? call.size.block_bytes : 0,
                      .root = collective.rooted && call.root != workloads::traces::none
                                  ? static_cast<runtime::RankId>(call.root)
                                  : 0,
                      .counts = collective.has_counts ? call.size.counts : nullptr};
  if (args.counts != nullptr) args.message_bytes = args.counts->total() / procs;
  // The trace tells a block of the vector that is dealt out.
  if (collective.has_counts && !collective.in_blocks) args.message_bytes *= procs;
  return args;
}

std::shared_ptr<const Selection> without_hardware(const Selection& selection) {
  auto others = std::make_shared<Selection>(selection);
  std::erase_if(others->named, [](const auto& named) {
    return named.second.algorithm->name == algorithms::hardware::name;
  });
  return others;
}

void check_runs(const algorithms::selection::Decided& decided, std::string_view collective,
                int procs) {
  const auto& algorithm = *decided.algorithm;
  if (algorithm.runs == nullptr || algorithm.runs({procs, decided.args})) return;
  throw DoesNotRun(fmt::format("{} does not run {} among {}: it needs {}", algorithm.name,
                               collective, counted(procs, "process"), algorithm.restriction));
}

}  // namespace

PlatformCollectives::PlatformCollectives(const workloads::traces::TraceDefinitions& definitions,
                                         std::shared_ptr<const Selection> selection)
    : definitions_(definitions),
      of_world_(std::move(selection)),
      of_others_(of_world_ == nullptr ? nullptr : replay::without_hardware(*of_world_)),
      groups_(definitions.communicators.size()) {}

const PlatformCollectives::Group& PlatformCollectives::group_of(std::uint32_t comm) {
  Group& group = groups_[comm];
  if (std::exchange(group.is_known, true)) return group;
  const auto& members = definitions_.communicators[comm].members;
  group.list.assign(members.begin(), members.end());
  group.is_world = members.size() == definitions_.ranks.size();
  if (!group.is_world && of_world_ != nullptr && of_others_->named.size() < of_world_->named.size())
    ++without_hardware_;
  return group;
}

runtime::Task PlatformCollectives::run(runtime::Rank& me, const Call& call) {
  const Group& group = group_of(call.comm);
  const std::string_view name = name_of(call.op);
  const int procs = static_cast<int>(group.list.size());
  CollectiveArgs args = args_of(call, *algorithms::find_collective(name), procs);
  args.selection = (group.is_world ? of_world_ : of_others_).get();
  const auto decided = algorithms::selection::decided(name, procs, args);
  check_runs(decided, name, procs);
  runtime::Nested inner(me, {.group = runtime::Group(group.list),
                             .member = static_cast<runtime::RankId>(call.member)});
  co_await decided.algorithm->program(inner.rank(), decided.args);
}

}  // namespace tutti::studies::replay
