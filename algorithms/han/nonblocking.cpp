// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/han/nonblocking.hpp"

#include "algorithms/algorithm.hpp"
#include "algorithms/vector_halving.hpp"

namespace tutti::algorithms::han {
namespace {

constexpr int most_linear_procs = 4;
constexpr Bytes least_chain_bytes = 64 * 1024;
constexpr Bytes fragment_bytes = 8 * 1024;

// Maps a rank to its place in a tree whose root is 0, and back.
RankId swapped(RankId rank, RankId root) {
  if (rank == 0) return root;
  return rank == root ? 0 : rank;
}

// The node of this rank in a tree function's tree of root 0, in ranks.
template <class Tree>
trees::Node node_of(const Rank& me, RankId root, Tree tree) {
  trees::Node node = tree(trees::Position{swapped(me.id(), root), me.size(), 0});
  if (node.parent != trees::no_parent) node.parent = swapped(node.parent, root);
  for (RankId& child : node.children) child = swapped(child, root);
  return node;
}

// The root sends in rank order.
trees::Node linear_node(const Rank& me, RankId root) {
  if (me.id() != root) return {.parent = root, .children = {}};
  trees::Node node;
  for (RankId rank = 0; rank < me.size(); ++rank)
    if (rank != root) node.children.push_back(rank);
  return node;
}

}  // namespace

Task ibcast(Rank& me, RankId root, Slice data) {
  const trees::Node node = me.size() <= most_linear_procs
                               ? linear_node(me, root)
                               : node_of(me, root, trees::balanced_binomial);
  if (node.parent != trees::no_parent) co_await me.recv({.from = node.parent, .data = data});
  std::vector<Request> sends;
  for (const RankId to : node.children) sends.push_back(me.isend({.to = to, .data = data}));
  co_await me.wait_all(sends);
}

std::int64_t ibcast_messages(int procs) { return procs - 1; }

Seconds ibcast_cost(int procs, Bytes bytes, const models::MessageCost& cost) {
  if (procs == 1) return 0;
  if (procs <= most_linear_procs) return cost.hop(bytes) + (procs - 2) * cost.next(bytes);
  return doubling_rounds(procs) * cost.hop(bytes);
}

std::string_view ibcast_name(int procs) {
  return procs <= most_linear_procs ? "linear" : "binomial";
}

namespace {

constexpr std::int32_t partial_result = runtime::scratch_buffer;
constexpr std::int32_t incoming = runtime::scratch_buffer + 1;

// Each child's data arrive and are combined before the next child is served.
Task reduce_binomial(Rank& me, CollectiveArgs args, bool in_place) {
  const trees::Node node = node_of(me, args.root, trees::in_order_binomial);
  const bool is_root = node.parent == trees::no_parent;
  const Slice mine = reduction::vector_in(runtime::send_buffer, args.message_bytes);
  const Slice result =
      reduction::vector_in(is_root ? runtime::recv_buffer : partial_result, args.message_bytes);
  const Slice arrived = reduction::vector_in(incoming, args.message_bytes);
  me.allocate(args.message_bytes * (is_root ? 1 : 2));
  if (node.children.empty()) {
    co_await me.send({.to = node.parent, .data = mine});
    co_return;
  }
  bool has_result = is_root && in_place;
  for (const RankId child : node.children) {
    co_await me.recv({.from = child, .data = has_result ? arrived : result});
    me.combine(result, has_result ? arrived : mine, Operand::left);
    has_result = true;
  }
  if (!is_root) co_await me.send({.to = node.parent, .data = result});
}

// Fragments of the same number of elements, but the last one also gets the remaining elements.
struct Fragments {
  explicit Fragments(const CollectiveArgs& args)
      : total_bytes(args.message_bytes),
        count((args.message_bytes + fragment_bytes - 1) / fragment_bytes),
        bytes(args.message_bytes / args.element_bytes / count * args.element_bytes) {}
  Slice of(const Slice& vector, std::int64_t f) const {
    return vector.part(f * bytes, f + 1 == count ? total_bytes - f * bytes : bytes);
  }
  Bytes total_bytes;
  std::int64_t count;
  Bytes bytes;
};

Task reduce_chain(Rank& me, CollectiveArgs args, bool in_place) {
  const trees::Node node =
      node_of(me, args.root, [](const trees::Position& at) { return trees::pipeline(at); });
  const bool is_root = node.parent == trees::no_parent;
  const Slice mine = reduction::vector_in(runtime::send_buffer, args.message_bytes);
  const Slice result =
      reduction::vector_in(is_root ? runtime::recv_buffer : partial_result, args.message_bytes);
  const Slice arrived = reduction::vector_in(incoming, args.message_bytes);
  const bool has_result = is_root && in_place;
  const Fragments fragments(args);
  me.allocate(args.message_bytes);
  for (std::int64_t f = 0; f < fragments.count; ++f) {
    Slice sent = fragments.of(mine, f);
    if (!node.children.empty()) {
      co_await me.recv(
          {.from = node.children.front(), .data = fragments.of(has_result ? arrived : result, f)});
      sent = fragments.of(result, f);
      me.combine(sent, fragments.of(has_result ? arrived : mine, f), Operand::left);
    }
    if (!is_root) co_await me.send({.to = node.parent, .data = sent});
  }
}

Task reduce_by_halving(Rank& me, CollectiveArgs args, bool /*in_place*/) {
  return algorithms::reduce::rabenseifner.program(me, args);
}

std::int64_t halving_messages(const ModelArgs& args) {
  return algorithms::reduce::rabenseifner.messages(args);
}

Seconds halving_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return algorithms::reduce::rabenseifner.cost(args, cost);
}

Seconds binomial_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes m = args.call.message_bytes;
  return doubling_rounds(args.procs) * (cost.hop(m) + cost.combine(m));
}

std::int64_t chain_messages(const ModelArgs& args) {
  return (args.procs - 1) * Fragments(args.call).count;
}

Seconds chain_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Fragments fragments(args.call);
  const Bytes bytes = fragments.bytes;
  return (args.procs - 1) * (cost.hop(bytes) + cost.combine(bytes)) +
         static_cast<double>(fragments.count - 1) * cost.next(bytes);
}

struct Reduction {
  std::string_view name;
  Task (*program)(Rank& me, CollectiveArgs args, bool in_place);
  std::int64_t (*messages)(const ModelArgs& args);
  Seconds (*cost)(const ModelArgs& args, const models::MessageCost& cost);
};
constexpr Reduction by_halving{"rabenseifner", reduce_by_halving, halving_messages, halving_cost};
constexpr Reduction in_tree{"binomial", reduce_binomial, one_per_other, binomial_cost};
constexpr Reduction in_chain{"chain", reduce_chain, chain_messages, chain_cost};

const Reduction& choose_reduction(const CollectiveArgs& args, int procs) {
  if (procs > 2 && can_halve_vector(args, procs)) return by_halving;
  return procs > 4 || args.message_bytes < least_chain_bytes ? in_tree : in_chain;
}

std::int64_t messages_of_vector(const ModelArgs& args) {
  return choose_reduction(args.call, args.procs).messages(args);
}

Seconds cost_of_vector(const ModelArgs& args, const models::MessageCost& cost) {
  return choose_reduction(args.call, args.procs).cost(args, cost);
}

}  // namespace

Task ireduce(Rank& me, CollectiveArgs args, bool in_place) {
  return choose_reduction(args, me.size()).program(me, args, in_place);
}

std::int64_t ireduce_messages(const ModelArgs& args) {
  return reduction::messages<messages_of_vector>(args);
}

Seconds ireduce_cost(const ModelArgs& args, const models::MessageCost& cost) {
  return reduction::cost<cost_of_vector>(args, cost);
}

std::string_view ireduce_name(const ModelArgs& args) {
  return choose_reduction(args.call, args.procs).name;
}

}  // namespace tutti::algorithms::han
