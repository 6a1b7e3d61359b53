// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/guidelines/lanes.hpp"

#include "algorithms/segments.hpp"
#include "algorithms/selection/selection.hpp"

namespace tutti::algorithms::guidelines {

Lanes::Lanes(const CollectiveArgs& args, int procs) : args_(args), nodes_(procs) {
  const Hierarchy* nodes = args.hierarchy;
  if (nodes == nullptr || nodes->groups() == 1) return;
  if (!nodes->groups_are_equal() || !nodes->is_in_rank_order()) return;
  per_node_ = static_cast<RankId>(nodes->largest_group());
  nodes_ = static_cast<RankId>(nodes->groups());
}

NodeParts Lanes::parts() const {
  const std::int64_t elements = elements_in(args_.message_bytes, args_.element_bytes);
  const std::int64_t rest = elements % per_node_;
  NodeParts parts{.block_bytes = elements / per_node_ * args_.element_bytes};
  parts.last_bytes = parts.block_bytes + rest * args_.element_bytes;
  if (rest > 0)
    parts.counts = shared_counts(std::tuple(elements, args_.element_bytes, per_node_), per_node_,
                                 [&](int local) { return parts.bytes(local, per_node_); });
  return parts;
}

CollectiveArgs Lanes::inside(Bytes bytes, RankId root, const NodeShape& nodes) const {
  CollectiveArgs inner = inner_args(args_, bytes);
  inner.root = root;
  inner.nodes = nodes;
  inner.hierarchy = nullptr;
  if (inner.selection != nullptr && inner.selection->replacements != nullptr)
    inner.selection = &inner.selection->replacements->of_mpi();
  return inner;
}

InnerCall Lanes::on_some_nodes(std::int64_t count, std::string_view collective, Bytes bytes,
                               RankId root) const {
  const NodeShape shape{.nodes = 1, .least = per_node_, .most = per_node_};
  return {.collective = collective,
          .args = inside(bytes, root, shape),
          .procs = per_node_,
          .parts = count};
}

InnerCall Lanes::on_nodes(std::string_view collective, Bytes bytes, RankId root) const {
  return on_some_nodes(nodes_, collective, bytes, root);
}

InnerCall Lanes::on_parts(std::string_view equal, std::string_view uneven, RankId root) const {
  const NodeParts vector = parts();
  if (vector.counts == nullptr) return on_nodes(equal, vector.block_bytes, root);
  // The size is that of MPI benchmarks: the whole vector of reduce_scatter, else the mean block.
  const bool is_vector = uneven == "reduce_scatter";
  const Bytes bytes = is_vector ? args_.message_bytes : args_.message_bytes / per_node_;
  return with_counts(on_nodes(uneven, bytes, root), vector.counts);
}

InnerCall Lanes::on_parts_at_root(std::string_view equal, std::string_view uneven) const {
  InnerCall call = on_parts(equal, uneven, root_local());
  call.parts = 1;
  return call;
}

InnerCall Lanes::on_lanes(std::string_view collective, Bytes bytes, RankId root) const {
  InnerCall call = on_one_lane(collective, bytes, root);
  call.parts = per_node_;
  return call;
}

InnerCall Lanes::on_one_lane(std::string_view collective, Bytes bytes, RankId root) const {
  NodeShape shape{.nodes = nodes_, .least = 1, .most = 1};
  // All ranks; without the groups of the nodes, no algorithm by nodes can run.
  if (per_node_ == 1) shape = args_.nodes.are_shared() ? NodeShape{} : args_.nodes;
  return {.collective = collective, .args = inside(bytes, root, shape), .procs = nodes_};
}

void Lanes::add_on_lanes(CallList& calls, std::string_view collective, RankId root) const {
  const NodeParts vector = parts();
  if (vector.counts == nullptr)
    return calls.push_back(on_lanes(collective, vector.block_bytes, root));
  calls.push_back(on_one_lane(collective, vector.last_bytes, root));
  calls.push_back(on_lanes(collective, vector.block_bytes, root));
  calls.back().parts = per_node_ - 1;
  calls.back().beside_previous = true;
}

namespace {

// A call on a single rank: a copy, except for a broadcast and an exclusive prefix.
void copy_alone(Rank& me, const InnerCall& call) {
  if (call.collective == "bcast" || call.collective == "exscan") return;
  const Bytes bytes = call.counts != nullptr ? call.counts->total() : call.args.message_bytes;
  me.copy(Slice{0, bytes, recv_buffer}, Slice{0, bytes, send_buffer});
}

Task run_on(Rank& me, const InnerCall& call) {
  if (me.size() > 1)
    co_await selection::run_decided(call, me);
  else
    copy_alone(me, call);
}

}  // namespace

Task LaneRank::run_on_node(const InnerCall& call, Buffers buffers) const {
  Nested inner(me, {runtime::Group(me.id() - local, lanes.per_node()),
                    local,
                    {.recv = buffers.recv, .send = buffers.send}});
  co_await run_on(inner.rank(), call);
}

// Nested twice: receives from any rank do not match messages of the node.
Task LaneRank::run_on_lane(const InnerCall& call, Buffers buffers) const {
  Nested lane(me, {runtime::Group(local, lanes.nodes(), lanes.per_node()),
                   node,
                   {.recv = buffers.recv, .send = buffers.send}});
  Nested inner(lane.rank(), runtime::Binding{});
  co_await run_on(inner.rank(), call);
}

void LaneRank::copy_blocks(std::int32_t by_lane, std::int32_t by_rank, bool to_ranks) const {
  const Bytes bytes = args.message_bytes;
  for (RankId lane = 0; lane < lanes.per_node(); ++lane) {
    const runtime::Strided in_lane{{lane * lane_bytes(), bytes, by_lane}, bytes, lanes.nodes()};
    const runtime::Strided in_ranks{{lane * bytes, bytes, by_rank}, node_bytes(), lanes.nodes()};
    if (to_ranks)
      me.copy(in_ranks, in_lane);
    else
      me.copy(in_lane, in_ranks);
  }
}

}  // namespace tutti::algorithms::guidelines
