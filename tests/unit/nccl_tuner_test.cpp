// SPDX-License-Identifier: BSD-3-Clause
// NCCL's choices. The predictions were computed by hand from the tables of each version's source,
// and choices on one node of 8 x H100 are those of a log of 2.28.9 (NCCL_DEBUG_SUBSYS=TUNING).
#include "algorithms/selection/nccl_tuner.hpp"

#include <doctest/doctest.h>

#include "algorithms/selection/dynamic_rules.hpp"
#include "algorithms/selection/nccl_tuning.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti::algorithms::selection;
using enum NcclAlgorithm;
using enum NcclProtocol;
using tutti::Bytes;

namespace {

constexpr Bytes KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;

NcclJob nccl_nodes(std::string architecture, int nodes, int gpus, double nvlink_Bps, double nic_Bps,
                   bool has_switch = true) {
  return {.architecture = std::move(architecture),
          .nodes = nodes,
          .ranks = nodes * gpus,
          .has_switch = has_switch,
          .has_multicast = has_switch,
          .nvlink_Bps = nvlink_Bps,
          .nic_Bps = nic_Bps,
          .nics = gpus};
}
NcclJob h100(int nodes, int gpus) { return nccl_nodes("hopper", nodes, gpus, 450e9, 50e9); }

NcclTuner nccl_tuner(std::string_view version, NcclJob job, const NcclLists& lists = {}) {
  const auto* facts = NcclTuning::find(version);
  REQUIRE(facts != nullptr);
  auto tuner = NcclTuner::make(*facts, std::move(job), lists);
  REQUIRE(tuner);
  return *std::move(tuner);
}

struct Expected {
  NcclAlgorithm algorithm;
  NcclProtocol protocol;
  double time_us;
  int channels;
};

void check(const NcclTuner& tuner, std::string_view collective, Bytes bytes,
           const Expected& expected) {
  CAPTURE(collective);
  CAPTURE(bytes);
  const auto prediction = tuner.predict(collective, bytes);
  REQUIRE(prediction);
  const auto& choice = prediction->choice();
  CHECK(nccl_name(choice.algorithm) == nccl_name(expected.algorithm));
  CHECK(nccl_name(choice.protocol) == nccl_name(expected.protocol));
  CHECK(1e6 * choice.time_s == tutti::tests::close_to(expected.time_us, 1e-4));
  CHECK(prediction->channels == expected.channels);
}

double time_us(const NcclTuner& tuner, std::string_view collective, Bytes bytes,
               NcclAlgorithm algorithm, NcclProtocol protocol) {
  const auto prediction = tuner.predict(collective, bytes);
  REQUIRE(prediction);
  for (const auto& candidate : prediction->candidates)
    if (candidate.algorithm == algorithm && candidate.protocol == protocol &&
        candidate.disabled.empty())
      return 1e6 * candidate.time_s;
  return -1;
}

std::string disabled(const NcclTuner& tuner, std::string_view collective, NcclAlgorithm algorithm,
                     NcclProtocol protocol) {
  const auto prediction = tuner.predict(collective, MiB);
  REQUIRE(prediction);
  for (const auto& candidate : prediction->candidates)
    if (candidate.algorithm == algorithm && candidate.protocol == protocol)
      return candidate.disabled;
  return "";
}

}  // namespace

TEST_CASE("NCCL's versions are known by name, and the newest as nccl") {
  REQUIRE(NcclTuning::find("nccl") != nullptr);
  CHECK(NcclTuning::find("nccl")->name() == NcclTuning::all().front().name());
  CHECK(NcclTuning::find("nccl-2.20")->title() == "NCCL 2.20");
  CHECK(NcclTuning::find("nccl-1.0") == nullptr);
  CHECK(NcclTuning::of_library("NCCL 2.26.2") == "nccl-2.23");
  CHECK(NcclTuning::of_library("NCCL 2.18.3") == "nccl-2.20");
  CHECK(NcclTuning::of_library("NCCL 2.29.1+cuda13") == "nccl-2.28");
  CHECK(NcclTuning::of_library("NCCL with MPI 4.1.5") == "nccl");
}

TEST_CASE("NCCL's search finds the channels that its logs show") {
  // "Pattern 4, nChannels 12, bw 30.0/30.0" and 24 channels on 8 x H100; 12 x 20 on 8 x A100.
  const auto node = nccl_tuner("nccl-2.28", h100(1, 8));
  CHECK(node.graph(ring).channels == 12);
  CHECK(node.graph(ring).intra_GBps == 30);
  CHECK(node.most_channels() == 24);
  CHECK(node.graph(nvls).channels == 8);
  CHECK(node.graph(nvls).intra_GBps == 40);
  const auto a100 = nccl_tuner("nccl-2.28", nccl_nodes("ampere", 1, 8, 300e9, 25e9));
  CHECK(a100.graph(ring).channels == 12);
  CHECK(a100.graph(ring).intra_GBps == 20);
  CHECK(a100.most_channels() == 24);
  // "nChannels 8, bw 45.0/45.0" and 16 channels on nodes of 8 x H100 with 8 x 400 Gbit/s.
  const auto nodes = nccl_tuner("nccl-2.28", h100(8, 8));
  CHECK(nodes.graph(ring).channels == 8);
  CHECK(nodes.graph(ring).inter_GBps == 45);
  CHECK(nodes.most_channels() == 16);
}

TEST_CASE("choices of an allreduce on one node of 8 x H100") {
  const auto tuner = nccl_tuner("nccl-2.28", h100(1, 8));
  check(tuner, "allreduce", MiB, {ring, ll, 28.0143, 24});
  CHECK(time_us(tuner, "allreduce", MiB, nvls, simple) == tutti::tests::close_to(28.855, 1e-4));
  check(tuner, "allreduce", 9 * MiB, {nvls, simple, 59.6955, 16});
  check(tuner, "allreduce", 512 * MiB, {nvls, simple, 1998.79, 16});
  CHECK(disabled(tuner, "allreduce", nvls_tree, simple) == "one node");
  const auto without = nccl_tuner("nccl-2.28", h100(1, 8), {.algorithms = "^NVLS"});
  check(without, "allreduce", 9 * MiB, {ring, ll128, 90.4648, 24});
  check(without, "allreduce", 27 * MiB, {ring, ll128, 190.193, 24});
  check(without, "allreduce", 128 * MiB, {ring, simple, 708.442, 24});
}

TEST_CASE("choices of an allreduce on 2 nodes of 8 x A100, NCCL 2.20") {
  const auto tuner = nccl_tuner("nccl-2.20", nccl_nodes("ampere", 2, 8, 300e9, 25e9));
  CHECK(tuner.graph(ring).channels == 8);
  CHECK(tuner.graph(ring).inter_GBps == 24);
  CHECK(tuner.graph(tree).intra_GBps == 30);
  check(tuner, "allreduce", KiB, {tree, ll, 25.2583, 1});
  check(tuner, "allreduce", GiB, {ring, simple, 10699.68, 16});
  CHECK(time_us(tuner, "allreduce", GiB, tree, simple) ==
        tutti::tests::close_to(448 + 11374.38, 1e-4));
  CHECK(disabled(tuner, "allreduce", nvls, simple) == "needs Hopper or newer");
  CHECK(disabled(tuner, "allgather", pat, simple) == "not in this version");
}

TEST_CASE("choices of an allreduce on 16 x V100, NCCL 2.20") {
  const auto tuner = nccl_tuner("nccl-2.20", nccl_nodes("volta", 1, 16, 150e9, 12.5e9));
  CHECK(tuner.graph(ring).channels == 6);
  check(tuner, "allreduce", 16 * MiB, {ring, ll128, 355.940, 12});
  check(tuner, "allreduce", 64 * MiB, {ring, simple, 1158.976, 12});
}

TEST_CASE("choices on several nodes of H100, NCCL 2.28") {
  const auto alone = nccl_tuner("nccl-2.28", h100(10, 1));
  check(alone, "allgather", 64 * KiB, {pat, simple, 49.8204, 2});
  check(alone, "allgather", GiB, {ring, simple, 134.4 + 20132.66, 4});
  CHECK(disabled(alone, "allreduce", pat, simple) == "for allgather and reduce_scatter only");
  const auto nodes = nccl_tuner("nccl-2.28", h100(8, 8));
  check(nodes, "allreduce", GiB, {nvls_tree, simple, 5916.6, 16});
  CHECK(time_us(nodes, "allreduce", GiB, ring, simple) ==
        tutti::tests::close_to(819.28 + 5872.03, 1e-4));
  CHECK(disabled(nodes, "allreduce", collnet_chain, simple) ==
        "NCCL_COLLNET_ENABLE is 0, the default");
  // Without an NVLink switch: 4 x H100 in a mesh, as in MareNostrum 5.
  const auto mesh = nccl_tuner("nccl-2.20", nccl_nodes("hopper", 8, 4, 450e9, 25e9, false));
  CHECK(mesh.graph(ring).channels == 4);
  CHECK(mesh.graph(ring).inter_GBps == 24);
  CHECK(disabled(mesh, "allreduce", nvls_tree, simple) == "no NVLink SHARP");
}

TEST_CASE("NCCL_ALGO and NCCL_PROTO restrict the choice") {
  const auto by_collective =
      nccl_tuner("nccl-2.28", h100(1, 8), {"ring,nvls;allreduce:tree", "^LL;allgather:ll128"});
  check(by_collective, "allreduce", MiB,
        {tree, ll128, 31.5 + 1048576 / (331.2 * 7 / 9 * 0.5 * 0.6 * 1000), 22});
  CHECK(disabled(by_collective, "allreduce", ring, simple) == "excluded by NCCL_ALGO");
  CHECK(disabled(by_collective, "allreduce", tree, ll) == "excluded by NCCL_PROTO");
  CHECK(disabled(by_collective, "allgather", ring, simple) == "excluded by NCCL_PROTO");
  CHECK(disabled(by_collective, "allgather", ring, ll128).empty());
  // NCCL 2.20 runs rings if only they are left; newer versions fail.
  const auto older = nccl_tuner("nccl-2.20", h100(1, 8), {.algorithms = "nvlstree"});
  CHECK(older.predict("allreduce", GiB)->choice().algorithm == ring);
  const auto newer = nccl_tuner("nccl-2.28", h100(1, 8), {.algorithms = "nvlstree"});
  const auto nothing = newer.predict("allreduce", GiB);
  REQUIRE(!nothing);
  CHECK(nothing.error().message == "NCCL_ALGO and NCCL_PROTO leave no algorithm of allreduce");
}

TEST_CASE("invalid lists and architectures are errors with a hint") {
  const auto* version = NcclTuning::find("nccl-2.28");
  const auto message = [&](const NcclJob& job, const NcclLists& lists) {
    const auto tuner = NcclTuner::make(*version, job, lists);
    REQUIRE(!tuner);
    return tuner.error().message + ": " + tuner.error().hint;
  };
  CHECK(message(h100(1, 8), {.algorithms = "rings"}) ==
        "NCCL_ALGO: unknown word 'rings': did you mean 'Ring'?");
  CHECK(message(h100(1, 8), {.protocols = "LL;Simple"}) ==
        "NCCL_PROTO: only the first list may have no collective: expected COLLECTIVE:LIST");
  CHECK(message(h100(1, 8), {.protocols = "alltoall:LL"}) ==
        "NCCL_PROTO: unknown collective 'alltoall': expected Broadcast, Reduce, AllGather, "
        "ReduceScatter or AllReduce");
  CHECK(message(nccl_nodes("kepler", 1, 8, 0, 0), {}) ==
        "NCCL's model has no architecture 'kepler': expected one of volta, ampere, hopper, "
        "blackwell");
  version = NcclTuning::find("nccl-2.23");
  CHECK(message(h100(1, 8), {.algorithms = "allreduce:ring"}) ==
        "NCCL_ALGO: lists by collective begin with NCCL 2.24: omit the collective");
}

TEST_CASE("the first row of a tuner CSV that matches decides, if NCCL can run it") {
  const DynamicRules rules(
      "# ours\n"
      "allreduce,0,65536,tree,ll,2,1,8,-1,-1\n"
      "allreduce,65537,1048576,ring,ll128,-1,-1,-1,-1,-1\n"
      "allreduce,0,4294967295,nvls_tree,simple,-1,1,8\n"
      "reducescatter,0,1048576,ring,ll,4,2,16,-1,0\n",
      "tuner.csv");
  REQUIRE(rules.is_of_nccl());
  const auto tree_row = rules.find_nccl_row("allreduce", 1024, 1, 8);
  REQUIRE(tree_row);
  CHECK(tree_row->algorithm == tree);
  CHECK(tree_row->protocol == ll);
  CHECK(tree_row->channels == 2);
  CHECK(tree_row->line == 2);
  CHECK_FALSE(rules.find_nccl_row("allreduce", 1024, 2, 16));
  CHECK(rules.find_nccl_row("allreduce", MiB, 2, 16)->line == 3);
  CHECK(rules.find_nccl_row("reduce_scatter", MiB, 2, 16)->channels == 4);
  CHECK_FALSE(rules.find_nccl_row("bcast", MiB, 2, 16));
  const auto tuner = nccl_tuner("nccl-2.28", h100(1, 8));
  auto prediction = *tuner.predict("allreduce", 1024);
  CHECK(tuner.apply(*tree_row, "allreduce", 1024, prediction));
  CHECK(prediction.choice().algorithm == tree);
  CHECK(prediction.channels == 2);
  // NVLSTree is not for one node: NCCL ignores the row.
  auto large = *tuner.predict("allreduce", GiB);
  CHECK_FALSE(tuner.apply(*rules.find_nccl_row("allreduce", GiB, 1, 8), "allreduce", GiB, large));
  CHECK(large.choice().algorithm == nvls);
}
