// SPDX-License-Identifier: BSD-3-Clause
// MPICH's tree and pipelined_tree broadcasts, on three trees of radix k (`fanout`;
// mpich_trees.hpp): k-ary, knomial_1 and knomial_2. The message is divided into pieces of the
// segment size, the first of which is the remainder. A rank posts three receives (all of them if
// there are at most three pieces), then receives the others one by one; it starts the sends of each
// piece to its children as soon as it arrives, and waits for all of them at the end. No segments:
// MPICH's tree. Derived, with d levels and C children of the root:
//   k-ary: d (hop + (k-1) next), else d hop + (C - d) next; each further segment C next.
#include "algorithms/bcast/bcast.hpp"
#include "algorithms/bcast/tree_bcast.hpp"
#include "algorithms/mpich.hpp"
#include "algorithms/mpich_trees.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms {
namespace {

constexpr int default_tree_radix = 2;  // MPIR_CVAR_BCAST_TREE_KVAL
constexpr std::int64_t receives_ahead = 3;

int tree_radix(const CollectiveArgs& args) {
  return args.fanout == 0 ? default_tree_radix : args.fanout;
}

// Piece 0 is the remainder.
class FirstIsRest {
 public:
  explicit FirstIsRest(const CollectiveArgs& args)
      : bytes_(args.message_bytes),
        piece_(args.segment_bytes <= 0 ? bytes_ : std::min(bytes_, args.segment_bytes)) {}

  std::int64_t count() const { return (bytes_ + piece_ - 1) / piece_; }
  Slice of(std::int64_t index) const {
    const Bytes rest = bytes_ - (count() - 1) * piece_;
    if (index == 0) return {0, rest, runtime::recv_buffer};
    return {rest + (index - 1) * piece_, piece_, runtime::recv_buffer};
  }

 private:
  Bytes bytes_;
  Bytes piece_;
};

Task send_down(Rank& me, CollectiveArgs args, trees::Node node) {
  const FirstIsRest pieces(args);
  const bool is_root = node.parent == trees::no_parent;
  const std::int64_t ahead = std::min(pieces.count(), receives_ahead);
  std::vector<Request> receives;
  std::vector<Request> sends;
  for (std::int64_t i = 0; i < ahead && !is_root; ++i)
    receives.push_back(me.irecv({.from = node.parent, .data = pieces.of(i)}));
  for (std::int64_t i = 0; i < pieces.count(); ++i) {
    if (!is_root && i < ahead) co_await me.wait(receives[static_cast<std::size_t>(i)]);
    if (!is_root && i >= ahead) co_await me.recv({.from = node.parent, .data = pieces.of(i)});
    for (const RankId child : node.children)
      sends.push_back(me.isend({.to = child, .data = pieces.of(i)}));
  }
  co_await me.wait_all(sends);
}

template <trees::Node (*node_of)(const trees::Position&, int)>
Task down_a_tree(Rank& me, CollectiveArgs args) {
  return send_down(me, args, node_of(trees::position_of(me, args.root), tree_radix(args)));
}

std::int64_t down_a_tree_messages(const ModelArgs& args) {
  return (args.procs - 1) * FirstIsRest(args.call).count();
}

Seconds kary_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const std::int64_t radix = tree_radix(args.call);
  double levels = 0;
  for (std::int64_t last = 0; last < args.procs - 1; last = last * radix + radix) ++levels;
  const Segments segments = segments_of(args.call);
  const Bytes bytes = segments.longest_bytes();
  const auto children = static_cast<double>(std::min<std::int64_t>(radix, args.procs - 1));
  const Seconds fill_s = levels * (cost.hop(bytes) + (children - 1) * cost.next(bytes));
  return segmented_cost(segments, {.fill_s = fill_s, .root_children = children}, cost);
}

Seconds knomials_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const std::int64_t radix = tree_radix(args.call);
  double levels = 0;
  double children = 0;
  for (std::int64_t weight = 1; weight < args.procs; weight *= radix) {
    ++levels;
    children += static_cast<double>(std::min(radix - 1, (args.procs - 1) / weight));
  }
  const Segments segments = segments_of(args.call);
  const Bytes bytes = segments.longest_bytes();
  const Seconds fill_s = levels * cost.hop(bytes) + (children - levels) * cost.next(bytes);
  return segmented_cost(segments, {.fill_s = fill_s, .root_children = children}, cost);
}

// Levels of the k-nomial tree, which both of MPICH's have.
models::StageForm knomials_stages(const ModelArgs& args, const models::Gamma& gamma) {
  const auto levels = levels_by_first_child([&](RankId rank) {
    return trees::knomial({.rank = rank, .procs = args.procs, .root = 0}, tree_radix(args.call));
  });
  return models::tree_stages(levels, segments_of(args.call), gamma);
}

models::StageForm kary_stages(const ModelArgs& args, const models::Gamma& gamma) {
  const auto levels = levels_by_first_child([&](RankId rank) {
    return trees::kary({.rank = rank, .procs = args.procs, .root = 0}, tree_radix(args.call));
  });
  return models::tree_stages(levels, segments_of(args.call), gamma);
}

}  // namespace

const Algorithm bcast::tree_kary{
    .collective = "bcast",
    .name = "tree_kary",
    .set = mpich::set,
    .segmented = true,
    .default_fanout = default_tree_radix,
    .least_fanout = 1,
    .reference = "MPICH, bcast_intra_tree.c, bcast_intra_pipelined_tree.c",
    .summary = "down a k-ary tree; pieces are forwarded without waiting for their sends",
    .program = mpich::program<down_a_tree<trees::kary>>,
    .cost = mpich::cost<kary_cost>,
    .stages = kary_stages,
    .messages = mpich::messages<down_a_tree_messages>,
};

const Algorithm bcast::tree_knomial_1{
    .collective = "bcast",
    .name = "tree_knomial_1",
    .set = mpich::set,
    .segmented = true,
    .default_fanout = default_tree_radix,
    .least_fanout = 2,
    .reference = "MPICH, bcast_intra_tree.c, bcast_intra_pipelined_tree.c",
    .summary = "down a k-nomial tree whose subtrees are runs of ranks, the longest first",
    .program = mpich::program<down_a_tree<trees::knomial_1>>,
    .cost = mpich::cost<knomials_cost>,
    .stages = knomials_stages,
    .messages = mpich::messages<down_a_tree_messages>,
};

const Algorithm bcast::tree_knomial_2{
    .collective = "bcast",
    .name = "tree_knomial_2",
    .set = mpich::set,
    .segmented = true,
    .default_fanout = default_tree_radix,
    .least_fanout = 2,
    .reference = "MPICH, bcast_intra_tree.c, bcast_intra_pipelined_tree.c",
    .summary = "down a k-nomial tree, the largest subtree first",
    .program = mpich::program<down_a_tree<trees::knomial_2>>,
    .cost = mpich::cost<knomials_cost>,
    .stages = knomials_stages,
    .messages = mpich::messages<down_a_tree_messages>,
};

}  // namespace tutti::algorithms
