// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/platform_collectives.hpp"

#include "algorithms/hardware/hardware.hpp"
#include "algorithms/selection/decision.hpp"
#include "sim/replay/event_reader.hpp"
#include "sim/replay/replay_notes.hpp"
#include "sim/replay/smpi_collectives.hpp"
#include "workloads/traces/collective_bytes.hpp"

namespace tutti::studies::replay {
namespace {

using algorithms::CollectiveArgs;
using algorithms::selection::Selection;

// The name of the collective whose algorithms run the operation.
std::string_view name_of(CollectiveOp op) {
  switch (op) {
    case CollectiveOp::other:
      return "barrier";
    case CollectiveOp::alltoallw:
      return "alltoallv";
    case CollectiveOp::reduce_scatter_block:
      return "reduce_scatter";
    default:
      return workloads::traces::collective_op_names[static_cast<std::size_t>(op)];
  }
}

CollectiveArgs args_of(const PlatformCollectives::Call& call,
                       const algorithms::Collective& collective, Bytes procs) {
  CollectiveArgs args{.message_bytes = collective.has_message ? call.size.block_bytes : 0,
                      .root = collective.rooted && call.root != workloads::traces::none
                                  ? static_cast<runtime::RankId>(call.root)
                                  : 0,
                      .counts = collective.has_counts ? call.size.counts : nullptr};
  if (args.counts != nullptr) args.message_bytes = args.counts->total() / procs;
  // The trace contains the size of one block of the distributed vector.
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

// Gathers the sizes rank by rank.
class CollectiveSizes::Gathering {
 public:
  Gathering(const workloads::traces::Trace& trace, CollectiveSizes& sizes, bool has_peers)
      : trace_(trace), sizes_(sizes), members_(trace.definitions), has_peers_(has_peers) {}

  void run() {
    for (TraceRank rank = 0; rank < trace_.definitions.ranks.size(); ++rank) read(rank);
    for (auto& [at, bytes] : blocks_) keep(at, bytes);
    for (auto& [at, lists] : peers_) keep(at, lists);
  }

 private:
  using At = std::pair<std::uint32_t, std::uint64_t>;  // communicator, number

  void read(TraceRank rank) {
    CollectiveCount count(trace_, rank);
    visit_events(trace_, rank, [&](const Event& event) {
      const auto collective = count.take(event);
      if (collective && Call::ends_collective(event.kind) &&
          !trace_.definitions.communicators[event.comm].members.empty())
        add(rank, event, collective->number);
    });
  }

  void add(TraceRank rank, const Event& event, std::uint64_t number) {
    auto& of_comm = sizes_.instances_[event.comm];
    if (number >= of_comm.size()) of_comm.resize(number + 1);
    const auto& members = trace_.definitions.communicators[event.comm].members;
    const std::uint64_t block = workloads::traces::bytes_per_rank(
        trace_.definitions, event.op, members.size(), event.sent_bytes, event.bytes);
    Instance& instance = of_comm[number];
    take_call(instance, CollectiveCall::of(event));
    instance.block_bytes = std::max(instance.block_bytes, block);
    if (!workloads::traces::may_be_uneven(event.op)) return;
    const At at{event.comm, number};
    const auto member = members_.of(event.comm, rank);
    if (event.op == CollectiveOp::alltoallv && event.tag > 0 && has_peers_) {
      auto& lists = peers_[at];
      lists.resize(members.size());
      lists[member] = event.tag;
      return;
    }
    auto& blocks = blocks_[at];
    blocks.resize(members.size());
    blocks[member] = static_cast<Bytes>(block);
  }

  static void take_call(Instance& instance, const CollectiveCall& call) {
    if (instance.calls++ == 0) instance.op = call.op;
    instance.differs |= !call.is_like({instance.op, instance.root});
    if (instance.root == workloads::traces::none) instance.root = call.root;
  }

  void keep(const At& at, const std::vector<Bytes>& blocks) {
    if (std::ranges::all_of(blocks, [&](Bytes bytes) { return bytes == blocks.front(); })) return;
    const auto [entry, is_new] =
        known_.try_emplace(blocks, static_cast<std::uint32_t>(sizes_.counts_.size()));
    if (is_new) sizes_.counts_.push_back(std::make_unique<const algorithms::Counts>(blocks));
    sizes_.instances_[at.first][at.second].counts = entry->second;
  }

  // `lists`: by member, the number of its list of blocks; 0: it does not call the collective.
  void keep(const At& at, const std::vector<std::uint32_t>& lists) {
    if (std::ranges::find(lists, 0U) != lists.end()) return;
    const auto [entry, is_new] =
        known_peers_.try_emplace(lists, static_cast<std::uint32_t>(sizes_.counts_.size()));
    if (is_new) {
      std::vector<algorithms::Counts> rows;
      for (const std::uint32_t number : lists) {
        const auto& bytes = trace_.definitions.blocks[number - 1].bytes;
        rows.emplace_back(std::vector<Bytes>(bytes.begin(), bytes.end()));
      }
      sizes_.counts_.push_back(std::make_unique<const algorithms::Counts>(
          std::make_shared<const algorithms::PeerCounts>(std::move(rows))));
    }
    sizes_.instances_[at.first][at.second].counts = entry->second;
  }

  const workloads::traces::Trace& trace_;
  CollectiveSizes& sizes_;
  MemberNumbers members_;
  bool has_peers_;
  std::map<At, std::vector<Bytes>> blocks_;
  std::map<At, std::vector<std::uint32_t>> peers_;
  std::map<std::vector<Bytes>, std::uint32_t> known_;
  std::map<std::vector<std::uint32_t>, std::uint32_t> known_peers_;
};

CollectiveSizes::CollectiveSizes(const workloads::traces::Trace& trace, bool has_any,
                                 bool has_peers)
    : definitions_(trace.definitions), instances_(trace.definitions.communicators.size()) {
  if (has_any) Gathering(trace, *this, has_peers).run();
}

CollectiveSizes::Size CollectiveSizes::of(const CollectiveNumber& number) const {
  const Instance& instance = instances_[number.comm][number.number];
  return {.block_bytes = static_cast<Bytes>(instance.block_bytes),
          .counts =
              instance.counts == workloads::traces::none ? nullptr : counts_[instance.counts].get(),
          .is_whole = is_whole(number.comm, instance)};
}

std::vector<std::string> CollectiveSizes::incomplete() const {
  std::vector<std::string> reported;
  for (std::size_t comm = 0; comm < instances_.size(); ++comm) {
    const auto count = std::ranges::count_if(
        instances_[comm], [&](const Instance& instance) { return !is_whole(comm, instance); });
    const auto different = std::ranges::count_if(instances_[comm], &Instance::differs);
    if (count == 0) continue;
    reported.push_back(fmt::format("{} of {}", count, definitions_.communicators[comm].name));
    if (different > 0)
      reported.back() += fmt::format(" ({} where members call different ones)", different);
  }
  return reported;
}

PlatformCollectives::PlatformCollectives(const workloads::traces::TraceDefinitions& definitions,
                                         ReplaySelection selection)
    : definitions_(definitions),
      as_smpi_(std::move(selection.as_smpi)),
      of_world_(std::move(selection.rules)),
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

runtime::Task PlatformCollectives::run(runtime::Rank& me, const Event& event, Call call) {
  const Group& group = group_of(event.comm);
  const std::string_view name = name_of(event.op);
  const int procs = static_cast<int>(group.list.size());
  runtime::Nested inner(me, {.group = runtime::Group(group.list),
                             .member = static_cast<runtime::RankId>(call.member)});
  if (as_smpi_.contains(name)) {
    const bool has_root = call.root != workloads::traces::none;
    const auto own = workloads::traces::bytes_per_rank(definitions_, event.op, group.list.size(),
                                                       event.sent_bytes, event.bytes);
    co_await run_as_smpi(inner.rank(),
                         {.op = event.op,
                          .root = has_root ? static_cast<runtime::RankId>(call.root) : 0,
                          .own_bytes = static_cast<Bytes>(own),
                          .blocks = definitions_.blocks_of(event)});
    co_return;
  }
  CollectiveArgs args = args_of(call, *algorithms::find_collective(name), procs);
  args.selection = (group.is_world ? of_world_ : of_others_).get();
  const auto decided = algorithms::selection::decided(name, procs, args);
  check_runs(decided, name, procs);
  co_await decided.algorithm->program(inner.rank(), decided.args);
}

}  // namespace tutti::studies::replay
