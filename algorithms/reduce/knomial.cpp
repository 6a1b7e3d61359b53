// SPDX-License-Identifier: BSD-3-Clause
// K-nomial tree reduction of Open MPI main: a rank posts the receives of all children's vectors,
// waits for all of them, combines one after the other with its own, and sends the sum to its
// parent. `fanout` is the radix k; 0 means 4. Never segmented. Derived: the mirror image of the
// k-nomial broadcast, whose root has C children on d = ceil(log_k P) levels of digits, and the
// operations of the ranks on the path of first children:
//   d hop + (C - d) next + (c_0 + c_1 + ... ) combine, c_l: children of the path's rank on level l

#include "algorithms/algorithm.hpp"

namespace tutti::algorithms {
namespace {

constexpr int default_reduce_radix = 4;

Task reduce_knomial(Rank& me, CollectiveArgs args) {
  const Bytes bytes = args.message_bytes;
  const trees::Node node =
      trees::knomial(trees::position_of(me, args.root), fanout_or(default_reduce_radix, args));
  const Slice sum = reduction::vector_in(runtime::scratch_buffer, bytes);
  const auto arrived = [&](std::size_t child) {
    return Slice{static_cast<Bytes>(child) * bytes, bytes, runtime::scratch_buffer + 1};
  };
  me.allocate(bytes);
  me.copy(sum, reduction::vector_in(runtime::send_buffer, bytes));
  if (!node.children.empty()) me.allocate(static_cast<Bytes>(node.children.size()) * bytes);
  std::vector<Request> receives;
  for (std::size_t child = 0; child < node.children.size(); ++child)
    receives.push_back(me.irecv({.from = node.children[child], .data = arrived(child)}));
  co_await me.wait_all(receives);
  for (std::size_t child = 0; child < node.children.size(); ++child)
    me.combine(sum, arrived(child), Operand::left);
  if (node.parent != trees::no_parent)
    co_await me.send({.to = node.parent, .data = sum});
  else
    me.copy(reduction::vector_in(runtime::recv_buffer, bytes), sum);
}

Seconds reduce_knomial_cost(const ModelArgs& args, const models::MessageCost& cost) {
  const Bytes m = args.call.message_bytes;
  const int radix = fanout_or(default_reduce_radix, args.call);
  const auto node_of = [&](RankId rank) {
    return trees::knomial({.rank = rank, .procs = args.procs, .root = 0}, radix);
  };
  trees::Node node = node_of(0);
  const auto root_children = static_cast<double>(node.children.size());
  double operations = 0;
  double depth = 0;
  for (; !node.children.empty(); node = node_of(node.children.front())) {
    operations += static_cast<double>(node.children.size());
    ++depth;
  }
  return depth * cost.hop(m) + (root_children - depth) * cost.next(m) +
         operations * cost.combine(m);
}

}  // namespace

const Algorithm reduce::knomial{
    .default_fanout = default_reduce_radix,
    .least_fanout = 2,
    .restriction = reduction::needs_commutative,
    .program = reduction::program<reduce_knomial>,
    .cost = reduction::cost<reduce_knomial_cost>,
    .messages = reduction::messages<one_per_other>,
    .runs = reduction::is_commutative,
};

}  // namespace tutti::algorithms
