// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's dynamic rules files: what they choose, and when the library ignores a file.
#include "algorithms/selection/dynamic_rules.hpp"

#include <doctest/doctest.h>

using namespace tutti;
using algorithms::selection::DynamicRules;
using algorithms::selection::Query;

namespace {

DynamicRules rules(std::string_view text) { return DynamicRules(text, "rules.txt"); }

// "chain 8192 4": name, segment, fan-out; "fixed"; or an error's message.
std::string chosen(const DynamicRules& rules, const Query& query) {
  const auto choice = rules.choose(query);
  if (!choice) return choice.error().message;
  if (!*choice) return "fixed";
  return std::string((*choice)->algorithm->name) + ' ' + std::to_string((*choice)->segment_bytes) +
         ' ' + std::to_string((*choice)->fanout);
}

}  // namespace

TEST_CASE("the largest size up to the actual one applies, the first also to smaller ones") {
  const auto file = rules(R"(1      # collectives
    7 2                             # bcast: two sizes
    8 2  0 6 0 0   1024 2 4 8192
    64 1 0 3 0 65536)");
  CHECK_FALSE(file.ignored());
  const auto bcast = [&](int procs, Bytes bytes) {
    return chosen(file, {.collective = "bcast", .procs = procs, .message_bytes = bytes});
  };
  CHECK(bcast(8, 1023) == "binomial 0 0");
  CHECK(bcast(8, 1024) == "chain 8192 4");
  CHECK(bcast(2, 1) == "binomial 0 0");  // below the first entry
  CHECK(bcast(63, 1 << 20) == "chain 8192 4");
  CHECK(bcast(64, 1) == "pipeline 65536 0");
  CHECK(chosen(file, {.collective = "allgather", .procs = 8, .message_bytes = 8}) == "fixed");
}

TEST_CASE("algorithm 0 leaves the choice to the fixed rules, another number must exist") {
  const auto file = rules("1 7 1 1 3 0 0 0 0 100 7 0 0 200 77 0 0");
  const auto bcast = [&](Bytes bytes) {
    return chosen(file, {.collective = "bcast", .procs = 8, .message_bytes = bytes});
  };
  CHECK(bcast(99) == "fixed");
  CHECK(bcast(100) == "knomial 0 4");  // the radix is a separate parameter
  CHECK(bcast(200) == "bcast has no algorithm number 77");
  const auto choice =
      rules("1\n7 1 1 1\n0 77 0 0").choose({.collective = "bcast", .procs = 8, .message_bytes = 8});
  CHECK(choice.error().line == 3);
  CHECK(choice.error().place == "rules.txt");
}

TEST_CASE("a segment size has 32 bits and no sign") {
  const auto segment = [](const std::string& size) {
    return chosen(rules("1 7 1 1 1 0 3 0 " + size),
                  {.collective = "bcast", .procs = 8, .message_bytes = 8});
  };
  CHECK(segment("192") == "pipeline 192 0");
  CHECK(segment("4294967297") == "pipeline 1 0");
  CHECK(segment("-192") == "fixed");  // the library ignores the file
  CHECK(segment("-9999999999999999999") == "fixed");
}

TEST_CASE("rules of block collectives use the block size times the number of processes") {
  const auto file = rules("1 0 1 1 2 0 2 0 0 1000 3 0 0");
  const auto allgather = [&](Bytes block) {
    return chosen(file, {.collective = "allgather", .procs = 10, .message_bytes = block});
  };
  CHECK(allgather(99) == "bruck 0 0");
  CHECK(allgather(100) == "recursive_doubling 0 0");
}

TEST_CASE("rules of a scan use the size of its type times the number of processes") {
  const auto file = rules("1 14 1 1 2 0 1 0 0 40 2 0 0");
  const auto scan = [&](Bytes bytes, Bytes elements) {
    return chosen(
        file, {.collective = "scan", .procs = 10, .message_bytes = bytes, .elements = elements});
  };
  CHECK(scan(4000, 4000) == "linear 0 0");              // bytes
  CHECK(scan(4000, 1000) == "recursive_doubling 0 0");  // of 4 bytes each
}

TEST_CASE("numbers are read as the library reads them") {
  const auto file = rules("one: 0x1 # comment 99\n# 5\n07 01,1; 1 x 0 6 0 0");
  CHECK_FALSE(file.ignored());
  CHECK(chosen(file, {.collective = "bcast", .procs = 8, .message_bytes = 1}) == "binomial 0 0");
}

TEST_CASE("files that the library ignores are reported with reason and place") {
  const struct {
    std::string text;
    std::string message;
    int line;
  } cases[] = {
      {"1 7 1 1 1\n100 6 0 0", "the first message size is 100, not 0", 2},
      {"", "the file is empty", 1},
      {"# 1", "the file ends before the number of collectives", 1},
      {"1 7 1 1 2 0 6 0 0", "the file ends before the message size", 1},
      {"1 99 1 1 1 0 6 0 0", "unknown collective number 99", 1},
      {"99", "99 is out of range for the number of collectives", 1},
      {"-1", "-1 is out of range for the number of collectives", 1},
      {"1 7 1\n-4 0", "communicator size -4 is negative", 2},
      {"1 7 1 4\n2 0 1 0 0 -1 6 0 0", "message size -1 is negative", 2},
      {" rule-file-version-2\n1 7 1 4 1 0 6 0 0 0",
       "the version is not at the beginning of the file", 1},
      {"1 7 99999999999999999999",
       "9223372036854775807 is out of range for the number of communicator sizes", 1},
  };
  for (const auto& each : cases) {
    CAPTURE(each.text);
    const auto file = rules(each.text);
    REQUIRE(file.ignored());
    CHECK(file.ignored()->message == each.message);
    CHECK(file.ignored()->line == each.line);
    CHECK(chosen(file, {.collective = "bcast", .procs = 8, .message_bytes = 1}) == "fixed");
  }
}

TEST_CASE("a search ends at the first larger size, and sizes that do not ascend are reported") {
  const auto file = rules(R"(1
7 2
64 3  0 1 0 0  1000 6 0 0
100 3 0 0
8 1  0 7 0 0)");
  CHECK_FALSE(file.ignored());
  const auto bcast = [&](int procs, Bytes bytes) {
    return chosen(file, {.collective = "bcast", .procs = procs, .message_bytes = bytes});
  };
  CHECK(bcast(32, 500) == "basic_linear 0 0");  // 8 follows 64, which is larger; so does 1000
  CHECK(bcast(64, 500) == "knomial 0 4");
  CHECK(bcast(32, 1000) == "pipeline 0 0");  // 100 follows 1000
  REQUIRE(file.warnings().size() == 2);
  CHECK(file.warnings()[0].message == "message size 100 follows 1000");
  CHECK(file.warnings()[0].line == 4);
  CHECK(file.warnings()[0].place == "rules.txt");
  CHECK(file.warnings()[1].message == "communicator size 8 follows 64");
  CHECK(file.warnings()[1].line == 5);
  CHECK(rules("1 7 1 1 2 0 1 0 0 0 6 0 0").warnings().size() == 1);  // equal is not ascending
  CHECK(rules("1 7 2 1 1 0 1 0 0 2 2 0 1 0 0 1 6 0 0").warnings().empty());
}

TEST_CASE("a communicator size without message sizes leaves its calls to the fixed rules") {
  const auto file = rules("1 7 2 4 0 8 1 0 6 0 0");
  CHECK_FALSE(file.ignored());
  const auto bcast = [&](int procs) {
    return chosen(file, {.collective = "bcast", .procs = procs, .message_bytes = 8});
  };
  CHECK(bcast(4) == "fixed");
  CHECK(bcast(8) == "binomial 0 0");
}

TEST_CASE("files of Open MPI 5.0 and 6 are applied as these versions do") {
  const auto newer = rules("rule-file-version-2\n1\n3 1\n2 2\n0 4 0 0 4\n4096 1 0 0\n");
  CHECK_FALSE(newer.ignored());
  const auto choice = newer.choose({.collective = "alltoall", .procs = 8, .message_bytes = 8});
  REQUIRE(choice);
  REQUIRE(*choice);
  CHECK((*choice)->algorithm->name == "linear_sync");
  CHECK((*choice)->max_requests == 4);
  CHECK(chosen(newer, {.collective = "alltoall", .procs = 8, .message_bytes = 512}) ==
        "linear 0 0");
  const auto json = rules(R"({"collectives": {"bcast": [
    {"comm_size_min": 4, "comm_size_max": 8, "rules": [
      {"msg_size_max": 99, "alg": "binomial"},
      {"msg_size_max": 999, "alg": 3, "seg_size": 64}]}]}})");
  CHECK_FALSE(json.ignored());
  CHECK(json.decides("bcast"));
  const auto bcast = [&](int procs, Bytes bytes) {
    return chosen(json, {.collective = "bcast", .procs = procs, .message_bytes = bytes});
  };
  CHECK(bcast(8, 99) == "binomial 0 0");
  CHECK(bcast(8, 100) == "pipeline 64 0");
  CHECK(bcast(8, 1000) == "fixed");
  CHECK(bcast(9, 99) == "fixed");
  CHECK(bcast(3, 99) == "fixed");
}

TEST_CASE("JSON rules that are not applied are reported") {
  const auto unknown = rules("{\"collectives\": {\"reducescatter\": []}}");
  REQUIRE(unknown.ignored());
  CHECK(unknown.ignored()->message == "unknown collective 'reducescatter'");
  const auto others = rules(R"({"collectives": {"bcast": [
    {"comm_rank_distribution": "single-node", "rules": [{"alg": 1}]},
    {"rules": [{"alg": "unknown"}, {"alg": 6}]}]}})");
  CHECK_FALSE(others.ignored());
  REQUIRE(others.warnings().size() == 1);
  CHECK(others.warnings()[0].message == "bcast has no algorithm 'unknown'");
  CHECK(chosen(others, {.collective = "bcast", .procs = 8, .message_bytes = 1}) == "binomial 0 0");
  const auto newer = rules("{\"collectives\": {\"allgather\": [{\"rules\": [{\"alg\": 7}]}]}}");
  CHECK(chosen(newer, {.collective = "allgather", .procs = 8, .message_bytes = 1}) ==
        "sparbit 0 0");
}

TEST_CASE("a fan-out has 32 bits, and a choice has its line number") {
  const auto choice = rules("1\n7 1 1 1\n0 2 4294967300 0")
                          .choose({.collective = "bcast", .procs = 8, .message_bytes = 8});
  REQUIRE(choice);
  REQUIRE(*choice);
  CHECK((*choice)->fanout == 4);
  CHECK((*choice)->line == 3);
}

TEST_CASE("JSON rules for a distribution of the ranks apply to such ranks only") {
  const auto file = rules(R"({"collectives": {"bcast": [
    {"comm_rank_distribution": "single-node", "rules": [{"alg": 1}]},
    {"comm_rank_distribution": "one-per-node", "comm_size_max": 16, "rules": [{"alg": 5}]},
    {"comm_rank_distribution": "any", "rules": [{"alg": 6}]}]}})");
  CHECK(file.depends_on_nodes());
  CHECK(file.warnings().empty());
  const auto bcast = [&](int procs, algorithms::NodeShape nodes) {
    return chosen(file,
                  {.collective = "bcast", .procs = procs, .message_bytes = 1, .nodes = nodes});
  };
  CHECK(bcast(8, {1, 8, 8}) == "basic_linear 0 0");
  CHECK(bcast(8, {8, 1, 1}) == "binary_tree 0 0");
  CHECK(bcast(32, {32, 1, 1}) == "binomial 0 0");
  CHECK(bcast(8, {2, 4, 4}) == "binomial 0 0");
  CHECK(bcast(8, {}) == "binomial 0 0");
  CHECK_FALSE(rules("1\n7 1 1 1\n0 6 0 0").depends_on_nodes());
}

TEST_CASE("files of HAN and NCCL do not choose algorithms") {
  const auto han = rules("1\nbcast\n1\nglobal_communicator\n1\n1 1\n0 tuned\n");
  REQUIRE(han.ignored());
  CHECK(han.ignored()->message.find("do not name algorithms of MPI calls") != std::string::npos);
  CHECK(rules("allreduce,0,65536,ring,simple,-1,-1,-1\n").ignored());
}

namespace {

// A tree with the branches of one collective.
std::string tree_of(const std::string& collective, const std::string& branches) {
  return "{\"collective=" + collective + "\": {" + branches + "}}";
}

}  // namespace

TEST_CASE("MPICH's tree is searched without return from a branch, and with its comparisons") {
  const auto tree = rules(tree_of("bcast", R"(
    "comm_type=inter": {"algorithm=MPIR_Bcast_inter_remote_send_local_bcast": {}},
    "comm_type=intra": {
      "comm_size<8": {"avg_msg_size<=100": {"algorithm=MPIR_Bcast_intra_binomial": {}},
                      "avg_msg_size<200": {"algorithm=MPIR_Bcast_intra_smp": {}},
                      "avg_msg_size=any": {
        "comm_size<4": {"algorithm=MPIR_Bcast_intra_binomial": {}},
        "comm_size=any": {"algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {}}}},
      "comm_size=pow2": {"total_msg_size<=800":
        {"algorithm=MPIR_Bcast_intra_scatter_recursive_doubling_allgather": {}}},
      "comm_size=any": {"algorithm=MPIR_Bcast_intra_tree":
        {"tree_type=knomial_1": {}, "k=5": {}, "chunk_size=512": {}}}})"));
  const auto bcast = [&](int procs, Bytes bytes) {
    return chosen(tree, {.collective = "bcast", .procs = procs, .message_bytes = bytes});
  };
  CHECK(bcast(7, 100) == "binomial_mpich 0 0");
  CHECK(bcast(7, 199) == "fixed");  // Tutti does not have it
  CHECK(bcast(7, 200) == "scatter_ring_allgather 0 0");
  CHECK(bcast(4, 200) == "binomial_mpich 0 0");  // below a condition on the call, < is <=
  CHECK(bcast(8, 100) == "scatter_recursive_doubling_allgather 0 0");
  CHECK(bcast(8, 101) == "fixed");  // no branch: the search does not return
  CHECK(bcast(9, 100) == "tree_knomial_1 512 5");
  CHECK(tree.decides("bcast"));
  CHECK_FALSE(tree.decides("reduce"));
  CHECK_FALSE(tree.depends_on_nodes());
}

TEST_CASE("MPICH's conditions on operations, blocks and nodes") {
  const auto reduce = rules(tree_of("reduce_scatter", R"(
    "is_commutative=no": {
      "is_block_regular=yes": {"algorithm=MPIR_Reduce_scatter_intra_noncommutative": {}},
      "is_block_regular=no": {"algorithm=MPIR_Reduce_scatter_intra_recursive_doubling": {}}},
    "is_commutative=yes": {"algorithm=MPIR_Reduce_scatter_intra_pairwise": {}})"));
  const auto of = [&](bool commutative, Bytes elements) {
    return chosen(reduce, {.collective = "reduce_scatter",
                           .procs = 4,
                           .message_bytes = elements,
                           .elements = elements,
                           .commutative = commutative});
  };
  CHECK(of(false, 8) == "noncommutative 0 0");
  CHECK(of(false, 9) == "recursive_doubling 0 0");
  CHECK(of(true, 9) == "pairwise 0 0");
  const auto nodes = rules(tree_of("scan", R"(
    "comm_hierarchy=parent": {"algorithm=MPIR_Scan_intra_smp": {}},
    "comm_avg_ppn<=1": {"algorithm=MPIR_Scan_intra_recursive_doubling": {}},
    "comm_avg_ppn=any": {"algorithm=MPIR_Scan_allcomm_nb": {}})"));
  CHECK(nodes.depends_on_nodes());
  const auto scan = [&](algorithms::NodeShape shape) {
    return chosen(nodes, {.collective = "scan", .procs = 8, .message_bytes = 8, .nodes = shape});
  };
  CHECK(scan({4, 2, 2}) == "smp 0 0");
  CHECK(scan({8, 1, 1}) == "recursive_doubling 0 0");
  CHECK(nodes.fixed_rules() == "mpich-4.0");
  const bool warns_of_nb = std::ranges::any_of(nodes.warnings(), [](const Error& each) {
    return each.message == "MPIR_Scan_allcomm_nb is not applied";
  });
  CHECK(warns_of_nb);
}
