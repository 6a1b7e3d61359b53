// SPDX-License-Identifier: BSD-3-Clause
// The collectives of Open MPI's coll/han (Luo et al., "HAN: a Hierarchical AutotuNed Collective
// Communication Framework", CLUSTER 2020): low calls inside the nodes and up calls among the ranks
// with the root's index in their nodes. Blocking calls are those of coll/tuned, which decides by
// the size of the communicator; nonblocking up calls are those of coll/libnbc.
//
// `han` divides a vector into segments and overlaps the up calls of some with the low calls of
// others (sim/runtime/concurrent.hpp).
//
// The order of the nodes is that of their first ranks. In Open MPI it is that of the ranks with the
// root's index, which differs only for placements from a file.
#pragma once

#include "algorithms/algorithm.hpp"
#include "algorithms/hierarchical/hierarchy.hpp"
#include "sim/runtime/concurrent.hpp"

namespace tutti::algorithms::han {

// The place of a rank in a call. The low communicator contains the ranks of its node in rank order,
// the up communicator the peers: the ranks with the root's index in their nodes.
class Place {
 public:
  Place(const Rank& me, const CollectiveArgs& args);

  const Hierarchy& nodes() const { return *nodes_; }
  std::uint32_t node() const { return node_; }
  bool is_peer() const { return nodes_->peers()[node_] == rank_; }
  bool is_on_node_of_root() const { return node_ == node_of_root_; }
  // The root in the low and in the up communicator.
  RankId low_root() const { return low_root_; }
  RankId up_root() const { return static_cast<RankId>(node_of_root_); }
  RankId low_rank() const { return nodes_->index_of(rank_); }

  // Nested calls on the communicators; `up` only for peers, by class Up.
  Nested::Call low(const runtime::Binding& binding = {}) const;
  Nested::Call up(const runtime::Binding& binding = {}) const;

 private:
  const Hierarchy* nodes_;
  RankId rank_;
  std::uint32_t node_;
  std::uint32_t node_of_root_;
  RankId low_root_;
};

// A rank in the up communicator. It is nested twice, so that its receives from any rank do not
// match messages of the low communicator.
class Up {
 public:
  Up(const Rank& me, const Place& at, const runtime::Binding& binding = {})
      : outer_(me, at.up(binding)), inner_(outer_.rank(), runtime::Binding{}) {}
  Rank& rank() { return inner_.rank(); }

 private:
  Nested outer_;
  Nested inner_;
};

// A call on one of the communicators. `counts` if the collective has them.
struct LevelCall {
  std::string_view collective;
  Bytes message_bytes = 0;
  const Counts* counts = nullptr;
  RankId root = 0;
  Bytes element_bytes = 0;  // 0: as in the outer call
};

// The arguments of a blocking call, as coll/tuned's decision sees it.
CollectiveArgs low_args(const CollectiveArgs& outer, const LevelCall& call, int procs);
CollectiveArgs up_args(const CollectiveArgs& outer, const LevelCall& call, int procs);

// Runs a blocking call on the communicator whose rank is `me`.
Task run_low(Rank& me, const CollectiveArgs& outer, const LevelCall& call);
Task run_up(Rank& me, const CollectiveArgs& outer, const LevelCall& call);

inline runtime::Program no_program() {
  return [](Rank&) -> Task { co_return; };
}

// The model of a call among the peers.
ModelArgs up_model(const ModelArgs& args, const LevelCall& call);
// Messages of a call on every node, or among the peers; 0 on a single rank.
std::int64_t low_messages(const ModelArgs& args, const LevelCall& call);
std::int64_t up_messages(const ModelArgs& args, const LevelCall& call);
// Cost of a call on the largest node, or among the peers.
Seconds low_cost(const ModelArgs& args, const LevelCall& call, const models::MessageCost& cost);
Seconds up_cost(const ModelArgs& args, const LevelCall& call, const models::MessageCost& cost);
// The algorithm on the largest node, or among the peers: "low binomial", "up basic_linear".
std::string low_name(const ModelArgs& args, const LevelCall& call);
std::string up_name(const ModelArgs& args, const LevelCall& call);

// A call on all ranks by coll/tuned, as members of an Algorithm.
template <const char* collective>
struct Flat {
  static CollectiveArgs args_of(CollectiveArgs args) {
    args.hierarchy = nullptr;
    args.nodes = {};
    return args;
  }
  static ModelArgs model_of(ModelArgs args) {
    args.call = args_of(args.call);
    return args;
  }
  static Task program(Rank& me, CollectiveArgs args) {
    return selection::run_decided(collective, me, args_of(args));
  }
  static Seconds cost(const ModelArgs& args, const models::MessageCost& cost) {
    return selection::cost_of_decided(collective, model_of(args), cost);
  }
  static std::int64_t messages(const ModelArgs& args) {
    return selection::messages_of_decided(collective, model_of(args));
  }
  static std::string made_of(const ModelArgs& args) {
    return selection::name_of_decided(collective, model_of(args));
  }
};

bool has_nodes(const ModelArgs& args);
bool has_balanced_nodes(const ModelArgs& args);

// The entry of an algorithm for several nodes, and several ranks on one of them.
constexpr Algorithm on_nodes(Algorithm algorithm) {
  algorithm.restriction = "several nodes with several ranks";
  algorithm.runs = has_nodes;
  algorithm.by_nodes = true;
  return algorithm;
}
// The same with as many ranks on each node.
constexpr Algorithm on_balanced_nodes(Algorithm algorithm) {
  algorithm = on_nodes(algorithm);
  algorithm.restriction = "several nodes with the same number of ranks > 1";
  algorithm.runs = has_balanced_nodes;
  return algorithm;
}

// The entry of coll_han_reproducible: the collective of coll/tuned on all ranks.
template <const char* collective>
constexpr Algorithm reproducible() {
  using All = Flat<collective>;
  return on_nodes({.program = All::program,
                   .cost = All::cost,
                   .messages = All::messages,
                   .made_of = All::made_of});
}

// A step of an algorithm: a call on every node, or among the peers.
struct Step {
  bool is_up = false;
  LevelCall call;
};

// Members of an Algorithm that consists of the steps.
template <auto steps_of>
struct InSteps {
  static Seconds cost(const ModelArgs& args, const models::MessageCost& cost) {
    Seconds total_s = 0;
    for (const Step& step : steps_of(args))
      total_s += step.is_up ? up_cost(args, step.call, cost) : low_cost(args, step.call, cost);
    return total_s;
  }
  static std::int64_t messages(const ModelArgs& args) {
    std::int64_t total = 0;
    for (const Step& step : steps_of(args))
      total += step.is_up ? up_messages(args, step.call) : low_messages(args, step.call);
    return total;
  }
  static std::string made_of(const ModelArgs& args) {
    std::string text;
    for (const Step& step : steps_of(args))
      text += (text.empty() ? "" : "; ") +
              (step.is_up ? up_name(args, step.call) : low_name(args, step.call));
    return text;
  }
};

// The root in the low and in the up communicator.
inline RankId low_root_of(const ModelArgs& args) {
  return args.call.hierarchy->index_of(args.call.root);
}
inline RankId up_root_of(const ModelArgs& args) {
  return static_cast<RankId>(args.call.hierarchy->group_of(args.call.root));
}

}  // namespace tutti::algorithms::han
