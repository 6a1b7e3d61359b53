// SPDX-License-Identifier: BSD-3-Clause
// NCCL's programs deliver, send the number of messages of their formulas and the bytes of their
// closed forms, for nodes of equal and different sizes, and use the links between GPUs and the NICs
// evenly.
#include <doctest/doctest.h>

#include <set>

#include "algorithms/nccl/trees.hpp"
#include "sim/engines/ideal/ideal.hpp"
#include "sim/runtime/observer.hpp"
#include "tests/support/delivery.hpp"
#include "workloads/hierarchical_spec.hpp"

using namespace tutti;
using algorithms::Algorithm;
using algorithms::CollectiveArgs;
using algorithms::nccl::NodeInTree;
using runtime::RankId;

namespace {

constexpr int most_hosts = 64;

std::vector<const Algorithm*> nccl_algorithms() {
  std::vector<const Algorithm*> found;
  for (const Algorithm& each : algorithms::all_algorithms())
    if (each.set == "nccl") found.push_back(&each);
  return found;
}

// Rank r on node r mod `nodes`.
platforms::Placement dealt_out(int procs, int nodes) {
  platforms::Placement placement = tests::test_placement(procs, (procs + nodes - 1) / nodes);
  for (int rank = 0; rank < procs; ++rank)
    placement.host_of[rank] = static_cast<platforms::HostId>(rank % nodes);
  return placement;
}

// The bytes that each rank sends to other nodes, and the rest.
class SentBytes : public runtime::Observer {
 public:
  explicit SentBytes(const platforms::Placement& placement)
      : placement_(&placement),
        to_nodes(placement.host_of.size()),
        inside(placement.host_of.size()) {}
  void on_send(const runtime::SentMessage& message) override {
    const auto& host_of = placement_->host_of;
    auto& sent = host_of[message.source] == host_of[message.destination] ? inside : to_nodes;
    sent[message.source] += message.data.bytes;
    all += message.data.bytes;
  }

 private:
  const platforms::Placement* placement_;

 public:
  std::vector<Bytes> to_nodes, inside;
  Bytes all = 0;
};

struct Ran {
  std::vector<std::string> problems;
  std::int64_t messages = 0;
  std::int64_t formula = 0;
};

// Unset if the algorithm rejects the call.
std::optional<Ran> ran(const Algorithm& algorithm, const platforms::Machine& machine,
                       const platforms::Placement& placement, CollectiveArgs args,
                       runtime::Observer* observer = nullptr) {
  const auto procs = static_cast<int>(placement.host_of.size());
  const auto nodes = workloads::make_hierarchy({}, placement, args);
  REQUIRE(nodes);
  args.hierarchy = nodes->get();
  args.nodes = (*nodes)->shape();
  if (!algorithm.runs({procs, args})) return std::nullopt;
  engines::Job job{.machine = machine, .placement = placement, .program = [&](runtime::Rank& me) {
                     return algorithm.program(me, args);
                   }};
  if (observer != nullptr) job.observers = {observer};
  const auto outcome =
      engines::run_ideal(job, workloads::delivery_contract(algorithm.collective, procs, args));
  return Ran{outcome.problems, outcome.counts.messages, algorithm.messages({procs, args})};
}

void check_call(const Algorithm& algorithm, const platforms::Machine& machine,
                const platforms::Placement& placement, const CollectiveArgs& args) {
  const auto done = ran(algorithm, machine, placement, args);
  if (!done || (done->problems.empty() && done->messages == done->formula)) return;
  CAPTURE(algorithm.collective);
  CAPTURE(algorithm.name);
  CAPTURE(placement.host_of.size());
  CAPTURE(placement.nodes);
  CAPTURE(args.message_bytes);
  CAPTURE(args.segment_bytes);
  CAPTURE(args.element_bytes);
  CAPTURE(args.fanout);
  CAPTURE(args.root);
  CHECK(done->problems == std::vector<std::string>{});
  CHECK(done->messages == done->formula);
}

const Algorithm& named(std::string_view collective, std::string_view name) {
  const Algorithm* found = algorithms::find_algorithm(collective, name);
  REQUIRE(found != nullptr);
  return *found;
}

}  // namespace

TEST_CASE("NCCL's programs deliver and send the messages of their formulas") {
  const auto rendezvous = tests::rendezvous_machine(most_hosts);
  const auto eager = tests::test_machine(most_hosts);
  int step = 0;
  for (const Algorithm* algorithm : nccl_algorithms()) {
    const auto& collective = *algorithms::find_collective(algorithm->collective);
    for (const int procs : {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 24})
      for (const int ppn : {1, 2, 3, 4, 8}) {
        // Each combination of these once in a while, but all sizes and channels with each shape.
        const auto placement = step % 5 == 0 ? dealt_out(procs, (procs + ppn - 1) / ppn)
                                             : tests::test_placement(procs, ppn);
        for (const Bytes elements : {0, 1, 7, procs - 1, procs, 1000, 40'000}) {
          ++step;
          const Bytes element_bytes = step % 3 == 0 ? 4 : step % 3 == 1 ? 1 : 12;
          const Bytes segments[] = {0, 0, 1000, 9000, element_bytes};
          const int channels[] = {1, 2, 3, 16};
          Bytes segment = algorithm->segmented ? segments[step % 5] : 0;
          if (segment > 0 && elements > 1000) segment = 9000;
          check_call(*algorithm, step % 2 == 0 ? rendezvous : eager, placement,
                     {.message_bytes = elements * element_bytes,
                      .segment_bytes = segment,
                      .fanout = channels[step / 2 % 4],
                      .root = collective.rooted ? step % procs : 0,
                      .element_bytes = element_bytes});
        }
      }
  }
}

TEST_CASE("NCCL's programs deliver blocks that differ in size") {
  const auto machine = tests::rendezvous_machine(most_hosts);
  for (const Algorithm* algorithm : nccl_algorithms()) {
    if (!algorithms::find_collective(algorithm->collective)->has_counts) continue;
    for (const int procs : {2, 3, 8, 12})
      for (const int ppn : {1, 4})
        for (const int every : {1, 2, 5}) {
          std::vector<Bytes> bytes(static_cast<std::size_t>(procs));
          for (int rank = 0; rank < procs; ++rank)
            bytes[static_cast<std::size_t>(rank)] = rank % every == 0 ? 5000 * rank + 1 : 0;
          const algorithms::Counts counts(bytes);
          check_call(*algorithm, machine, tests::test_placement(procs, ppn),
                     {.message_bytes = counts.total(), .fanout = 4, .counts = &counts});
        }
  }
}

TEST_CASE(
    "the bytes of a ring and of a tree are those of their closed forms, on each rank and NIC") {
  const auto machine = tests::rendezvous_machine(most_hosts);
  constexpr int procs = 32, per_node = 4, nodes = procs / per_node;
  const auto placement = tests::test_placement(procs, per_node);
  constexpr Bytes vector = Bytes{procs} * 64 * 1024;  // a multiple of all divisions
  const CollectiveArgs args{.message_bytes = vector, .fanout = 8, .element_bytes = 4};
  SUBCASE("ring") {
    SentBytes sent(placement);
    REQUIRE(ran(named("allreduce", "nccl_ring_simple"), machine, placement, args, &sent));
    for (int rank = 0; rank < procs; ++rank) {
      const auto at = static_cast<std::size_t>(rank);
      CHECK(sent.to_nodes[at] + sent.inside[at] == 2 * vector * (procs - 1) / procs);
      CHECK(sent.to_nodes[at] == 2 * vector * (procs - 1) / procs / per_node);
    }
  }
  SUBCASE("tree") {
    SentBytes sent(placement);
    REQUIRE(ran(named("allreduce", "nccl_tree_simple"), machine, placement, args, &sent));
    CHECK(sent.all == 2 * (procs - 1) * vector);
    CHECK(std::reduce(sent.to_nodes.begin(), sent.to_nodes.end()) == 2 * (nodes - 1) * vector);
  }
  SUBCASE("allgather and reduce_scatter") {
    CollectiveArgs blocks = args;
    blocks.message_bytes = 64 * 1024;
    for (const std::string_view collective : {"allgather", "reduce_scatter_block"}) {
      SentBytes sent(placement);
      REQUIRE(ran(named(collective, "nccl_ring_ll"), machine, placement, blocks, &sent));
      for (int rank = 0; rank < procs; ++rank)
        CHECK(sent.to_nodes[static_cast<std::size_t>(rank)] +
                  sent.inside[static_cast<std::size_t>(rank)] ==
              (procs - 1) * blocks.message_bytes);
    }
  }
}

TEST_CASE("the paths of a node's channels use each link between two GPUs once") {
  for (const RankId gpus : {2, 4, 6, 8}) {
    std::set<std::pair<RankId, RankId>> links;
    std::set<RankId> first, last;
    for (int channel = 0; channel < gpus; ++channel) {
      for (RankId place = 0; place < gpus; ++place) {
        const RankId gpu = algorithms::nccl::gpu_on_path(place, gpus, channel);
        CHECK(algorithms::nccl::place_on_path(gpu, gpus, channel) == place);
        if (place > 0) links.emplace(algorithms::nccl::gpu_on_path(place - 1, gpus, channel), gpu);
      }
      first.insert(algorithms::nccl::gpu_on_path(0, gpus, channel));
      last.insert(algorithms::nccl::gpu_on_path(gpus - 1, gpus, channel));
    }
    CHECK(links.size() == static_cast<std::size_t>(gpus * (gpus - 1)));
    CHECK(first.size() == static_cast<std::size_t>(gpus));
    CHECK(last.size() == static_cast<std::size_t>(gpus));
  }
}

TEST_CASE("a node with children in one tree is a leaf of the other, and both trees are connected") {
  for (RankId nodes = 1; nodes <= 130; ++nodes) {
    std::vector<int> inner(static_cast<std::size_t>(nodes));
    for (const auto find :
         {algorithms::nccl::find_in_first_tree, algorithms::nccl::find_in_second_tree}) {
      int roots = 0;
      for (RankId node = 0; node < nodes; ++node) {
        const NodeInTree in_tree = find(node, nodes);
        roots += in_tree.parent < 0 ? 1 : 0;
        if (in_tree.parent >= 0)
          CHECK(find(in_tree.parent, nodes).children[in_tree.is_first_child ? 0 : 1] == node);
        int depth = 0;
        for (RankId at = node; find(at, nodes).parent >= 0; at = find(at, nodes).parent) ++depth;
        CHECK(depth <= std::bit_width(static_cast<unsigned>(nodes)));
        if (in_tree.children[0] >= 0 && in_tree.children[1] >= 0)
          ++inner[static_cast<std::size_t>(node)];
      }
      CHECK(roots == 1);
    }
    CHECK(std::ranges::max(inner) <= 1);
  }
}
