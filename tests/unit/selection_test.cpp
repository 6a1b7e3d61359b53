// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/selection/decision.hpp"
#include "algorithms/selection/rules.hpp"

namespace {

using tutti::Bytes;
using tutti::algorithms::selection::all_rule_sets;
using tutti::algorithms::selection::choose;
using tutti::algorithms::selection::Query;
using tutti::algorithms::selection::Rule;
using tutti::algorithms::selection::RuleSet;
using tutti::algorithms::selection::RuleTable;

constexpr Bytes KiB = 1024;
constexpr Bytes MiB = 1024 * 1024;

struct Expected {
  int procs;
  Bytes bytes;
  std::string_view algorithm;
  Bytes segment_bytes = 0;
  int fanout = 0;
};

void check_choice(std::string_view rules, const Expected& expected) {
  CAPTURE(expected.procs);
  CAPTURE(expected.bytes);
  const auto choice = choose(rules, {.collective = "bcast",
                                     .procs = expected.procs,
                                     .message_bytes = expected.bytes,
                                     .elements = expected.bytes});
  REQUIRE(choice);
  CHECK(choice->algorithm->name == expected.algorithm);
  CHECK(choice->segment_bytes == expected.segment_bytes);
  CHECK(choice->fanout == expected.fanout);
}

TEST_CASE("Open MPI 4.1 chooses broadcasts by ranges of processes and bytes") {
  for (const Expected& expected : {
           Expected{1, 0, "pipeline"},
           Expected{2, 31, "pipeline"},
           Expected{2, 32, "binary_tree"},
           Expected{3, 512, "knomial", 0, 4},
           Expected{3, 131071, "binary_tree"},
           Expected{3, 131072, "chain", 0, 1},
           Expected{3, 262143, "chain", 0, 1},
           Expected{3, 262144, "basic_linear"},
           Expected{3, 1 * MiB, "binary_tree"},
           Expected{4, 1 * MiB - 1, "basic_linear"},
           Expected{4, 1 * MiB, "chain", 0, 1},
           Expected{7, 64, "binomial"},
           Expected{8, 64, "knomial", 0, 4},
           Expected{15, 32767, "binomial"},
           Expected{15, 32768, "basic_linear"},
           Expected{16, 1 * MiB, "scatter_allgather"},
           Expected{63, 2047, "binomial"},
           Expected{63, 2048, "knomial", 0, 4},
           Expected{128, 1, "binomial"},
           Expected{255, 2, "binary_tree"},
           Expected{576, 16383, "knomial", 0, 4},
           Expected{576, 16384, "split_binary_tree"},
           Expected{576, 32767, "split_binary_tree"},
           Expected{576, 32768, "knomial", 0, 4},
           Expected{1023, 524288, "knomial", 0, 4},
           Expected{1024, 524288, "scatter_allgather"},
           Expected{4095, 262143, "knomial", 0, 4},
           Expected{4096, 8191, "knomial", 0, 4},
           Expected{4096, 8192, "binary_tree"},
           Expected{250000, 1024 * MiB, "scatter_allgather"},
       })
    check_choice("ompi-4.1", expected);
}

TEST_CASE("Open MPI 3.1 chooses broadcasts by lines") {
  for (const Expected& expected : {
           Expected{2, 2047, "binomial"},
           Expected{2, 2048, "split_binary_tree", 1 * KiB},
           Expected{100000, 370727, "split_binary_tree", 1 * KiB},
           // 370728 B: 1.6134e-6 * 370728 + 2.1102 = 2.708
           Expected{2, 370728, "pipeline", 128 * KiB},
           Expected{3, 370728, "split_binary_tree", 8 * KiB},
           Expected{12, 370728, "split_binary_tree", 8 * KiB},
           // 3.2118e-6 * 370728 + 8.7936 = 9.984, 2.3679e-6 * 370728 + 1.1787 = 2.057
           Expected{13, 370728, "pipeline", 8 * KiB},
           // At 8 MiB the lines are at 15.6, 21.0 and 35.7 processes.
           Expected{15, 8 * MiB, "pipeline", 128 * KiB},
           Expected{16, 8 * MiB, "pipeline", 64 * KiB},
           Expected{21, 8 * MiB, "pipeline", 64 * KiB},
           Expected{22, 8 * MiB, "pipeline", 16 * KiB},
           Expected{35, 8 * MiB, "pipeline", 16 * KiB},
           Expected{36, 8 * MiB, "pipeline", 8 * KiB},
       })
    check_choice("ompi-3.1", expected);
}

// Nuriyev and Lastovetsky, table 3.
TEST_CASE("Open MPI 3.1 chooses as in the paper on model-based selection") {
  for (const int procs : {90, 100}) {
    for (Bytes bytes = 8 * KiB; bytes <= 256 * KiB; bytes *= 2)
      check_choice("ompi-3.1", {procs, bytes, "split_binary_tree", 1 * KiB});
    for (Bytes bytes = 512 * KiB; bytes <= 4096 * KiB; bytes *= 2)
      check_choice("ompi-3.1", {procs, bytes, "pipeline", 8 * KiB});
  }
}

TEST_CASE("Open MPI 3.1 broadcasts one large element on a binomial tree") {
  const auto choice = choose(
      "ompi-3.1", {.collective = "bcast", .procs = 90, .message_bytes = 8 * KiB, .elements = 1});
  REQUIRE(choice);
  CHECK(choice->algorithm->name == "binomial");
}

TEST_CASE("every broadcast rule names an algorithm by its name and its id") {
  CHECK(tutti::algorithms::selection::rule_sets() ==
        std::vector<std::string_view>{"ompi-4.1", "ompi-3.1", "ompi-5.0", "ompi-6", "mpich-4.0",
                                      "mpich-main"});
  for (const RuleSet& set : all_rule_sets()) {
    const auto table = std::ranges::find(set.tables, "bcast", &RuleTable::collective);
    REQUIRE(table != set.tables.end());
    for (const Rule& rule : table->rules()) {
      CAPTURE(rule.algorithm);
      const auto* algorithm = tutti::algorithms::find_algorithm("bcast", rule.algorithm);
      REQUIRE(algorithm != nullptr);
      CHECK(algorithm->id == rule.id);
    }
  }
}

TEST_CASE("the tables have all collectives of coll/tuned") {
  const auto collectives = [](const RuleSet& set) {
    std::set<std::string> names;
    for (const RuleTable& table : set.tables) names.insert(table.collective);
    return names;
  };
  std::set<std::string> both{"allgather",
                             "allgatherv",
                             "allreduce",
                             "allreduce_noncommutative",
                             "alltoall",
                             "alltoallv",
                             "barrier",
                             "bcast",
                             "gather",
                             "reduce",
                             "reduce_noncommutative",
                             "reduce_scatter",
                             "reduce_scatter_block",
                             "reduce_scatter_noncommutative",
                             "scatter"};
  REQUIRE(all_rule_sets().size() == 6);
  both.insert({"scan", "exscan", "gatherv", "scatterv"});
  both.insert("reduce_scatter_block_noncommutative");
  CHECK(collectives(all_rule_sets()[0]) == both);
  CHECK(collectives(all_rule_sets()[2]) == both);
  auto by_shape = both;
  by_shape.insert({"allgather_single_node", "allreduce_disjoint", "allreduce_single_node",
                   "allreduce_noncommutative_disjoint", "allreduce_noncommutative_single_node",
                   "bcast_disjoint", "bcast_single_node", "reduce_single_node",
                   "reduce_noncommutative_single_node"});
  CHECK(collectives(all_rule_sets()[3]) == by_shape);
  auto with_nodes = both;
  for (const char* collective : {"allreduce", "barrier", "bcast", "reduce"})
    with_nodes.insert(std::string(collective) + "_on_nodes");
  CHECK(collectives(all_rule_sets()[4]) == with_nodes);
  CHECK(collectives(all_rule_sets()[5]) == both);
  both.erase("reduce_scatter_block_noncommutative");
  CHECK(collectives(all_rule_sets()[1]) == both);
}

TEST_CASE("exactly one rule of Open MPI 4.1 applies at every corner of every range") {
  for (const RuleTable& table : all_rule_sets()[0].tables) {
    CAPTURE(table.collective);
    std::set<int> procs{1};
    std::set<Bytes> bytes;
    for (const Rule& rule : table.rules()) {
      procs.insert({std::max(1, rule.procs.min), rule.procs.max});
      bytes.insert({rule.bytes.min, rule.bytes.max});
    }
    for (const int p : procs)
      for (const Bytes m : bytes) {
        CAPTURE(p);
        CAPTURE(m);
        CHECK(std::ranges::count_if(table.rules(), [&](const Rule& rule) {
                return rule.holds({table.collective, p, m, m});
              }) == 1);
      }
  }
}

// The first applicable rule of a table of Open MPI 3.1, for conditions that broadcasts do not use.
std::string first_rule(std::string_view collective, int procs, Bytes bytes, Bytes elements) {
  const RuleSet& set = all_rule_sets()[1];
  const auto table = std::ranges::find(set.tables, collective, &RuleTable::collective);
  REQUIRE(table != set.tables.end());
  const Query query{
      .collective = collective, .procs = procs, .message_bytes = bytes, .elements = elements};
  for (const Rule& rule : table->rules())
    if (rule.holds(query)) return rule.algorithm;
  return "none";
}

TEST_CASE("each kind of condition switches at its border") {
  CHECK(first_rule("allgather", 2, 100, 100) == "two_proc");  // procs_eq
  CHECK(first_rule("allgather", 3, 100, 100) == "bruck");
  CHECK(first_rule("allgather", 8, 49999, 1) == "recursive_doubling");  // procs_pow2
  CHECK(first_rule("allgather", 7, 49999, 1) == "bruck");
  CHECK(first_rule("allgather", 7, 50000, 1) == "ring");  // bytes_lt, procs_odd
  CHECK(first_rule("allgather", 8, 50000, 1) == "neighbor");
  CHECK(first_rule("gather", 61, 6000, 1) == "binomial");  // procs_gt
  CHECK(first_rule("gather", 60, 6000, 1) == "basic_linear");
  CHECK(first_rule("gather", 60, 6001, 1) == "linear_sync");                // bytes_gt
  CHECK(first_rule("reduce_scatter", 3, 12288, 1) == "recursive_halving");  // bytes_le
  // procs_ge_lin: at 20,000 B the line is at 32 processes.
  CHECK(first_rule("reduce_scatter", 33, 20000, 1) == "recursive_halving");
  CHECK(first_rule("reduce_scatter", 31, 20000, 1) == "ring");
  // procs_gt_lin: at 20,480 B the lines are at 13.4, 10.5, 2.0 and 1.7 processes.
  CHECK(first_rule("reduce", 14, 20480, 100) == "binomial");
  CHECK(first_rule("reduce", 11, 20480, 100) == "pipeline");
  CHECK(first_rule("reduce", 3, 20480, 100) == "binary");
  CHECK(first_rule("allreduce", 10, 10000, 11) == "ring");  // elements_gt_procs
  CHECK(first_rule("allreduce", 10, 10000, 10) == "nonoverlapping");
  CHECK(first_rule("allreduce", 10, 10 * MiB, 11) == "ring");  // bytes_le_procs_times
  CHECK(first_rule("allreduce", 10, 10 * MiB + 1, 11) == "segmented_ring");
}

// The rule for a cell: algorithm and fan-out, such as "chain 4"; "-" if there is no such rule.
std::string cell(std::string_view rules, std::string_view table, int procs, Bytes bytes) {
  const auto set = std::ranges::find(all_rule_sets(), rules, &RuleSet::name);
  REQUIRE(set != all_rule_sets().end());
  const auto found = std::ranges::find(set->tables, table, &RuleTable::collective);
  REQUIRE(found != set->tables.end());
  for (const Rule& rule : found->rules())
    if (rule.holds({table, procs, bytes, bytes}))
      return rule.algorithm + (rule.fanout > 0 ? " " + std::to_string(rule.fanout) : "");
  return "-";
}

struct Cell {
  std::string_view table;
  int procs;
  Bytes bytes;
  std::string rule;
};

void check_cells(std::string_view rules, const std::vector<Cell>& cells) {
  for (const Cell& each : cells) {
    CAPTURE(rules);
    CAPTURE(each.table);
    CAPTURE(each.procs);
    CAPTURE(each.bytes);
    CHECK(cell(rules, each.table, each.procs, each.bytes) == each.rule);
  }
}

TEST_CASE("the tables of Open MPI 5.0 are those of 4.1, those of 6 but for the fan-out of reduce") {
  for (const char* rules : {"ompi-5.0", "ompi-6"})
    for (const RuleTable& table : all_rule_sets()[0].tables)
      for (int procs = 1; procs <= 5000; procs += procs < 20 ? 1 : procs / 3)
        for (Bytes bytes = 1; bytes <= 4 * MiB; bytes = bytes * 2 + bytes % 2) {
          std::string expected = cell("ompi-4.1", table.collective, procs, bytes);
          if (rules == std::string_view("ompi-6") && table.collective == "allreduce" &&
              expected == "rabenseifner")
            expected = "redscat_allgather";
          if (rules == std::string_view("ompi-6") && table.collective == "reduce" &&
              expected == "chain 1")
            expected = "chain 2";
          CHECK(cell(rules, table.collective, procs, bytes) == expected);
        }
}

TEST_CASE("Open MPI 6 has tables for ranks on different nodes") {
  check_cells("ompi-6",
              {{"allreduce_disjoint", 2, 1, "recursive_doubling"},
               {"allreduce_disjoint", 3, 64 * MiB, "allgather_reduce"},
               {"allreduce_disjoint", 4, MiB - 1, "allgather_reduce"},
               {"allreduce_disjoint", 7, MiB, "recursive_doubling"},
               {"allreduce_disjoint", 8, 256 * KiB - 1, "allgather_reduce"},
               {"allreduce_disjoint", 8, 256 * KiB, "redscat_allgather"},
               {"allreduce_disjoint", 15, MiB - 1, "redscat_allgather"},
               {"allreduce_disjoint", 15, MiB, "recursive_doubling"},
               {"allreduce_disjoint", 16, 32 * KiB - 1, "allgather_reduce"},
               {"allreduce_disjoint", 16, 32 * KiB, "nonoverlapping"},
               {"allreduce_disjoint", 31, 128 * KiB - 1, "nonoverlapping"},
               {"allreduce_disjoint", 31, 128 * KiB, "redscat_allgather"},
               {"allreduce_disjoint", 32, 32 * KiB - 1, "allgather_reduce"},
               {"allreduce_disjoint", 64, 32 * KiB, "recursive_doubling"},
               {"allreduce_disjoint", 64, 128 * KiB, "redscat_allgather"},
               {"allreduce_disjoint", 65, 1, "-"},
               {"allreduce_noncommutative_disjoint", 2, 1, "recursive_doubling"},
               {"allreduce_noncommutative_disjoint", 3, 1, "allgather_reduce"},
               {"allreduce_noncommutative_disjoint", 8, 256 * KiB, "recursive_doubling"},
               {"allreduce_noncommutative_disjoint", 31, 32 * KiB, "nonoverlapping"},
               {"allreduce_noncommutative_disjoint", 31, 128 * KiB, "recursive_doubling"},
               {"allreduce_noncommutative_disjoint", 64, 32 * KiB - 1, "allgather_reduce"},
               {"allreduce_noncommutative_disjoint", 65, 1, "-"},
               {"bcast_disjoint", 3, 64 * MiB, "basic_linear"},
               {"bcast_disjoint", 4, MiB - 1, "basic_linear"},
               {"bcast_disjoint", 15, MiB, "binary_tree"},
               {"bcast_disjoint", 16, 256 * KiB - 1, "basic_linear"},
               {"bcast_disjoint", 31, 256 * KiB, "knomial 4"},
               {"bcast_disjoint", 31, MiB, "binary_tree"},
               {"bcast_disjoint", 32, 64 * KiB - 1, "basic_linear"},
               {"bcast_disjoint", 32, 64 * KiB, "knomial 4"},
               {"bcast_disjoint", 5000, MiB - 1, "knomial 4"},
               {"bcast_disjoint", 5000, MiB, "binary_tree"}});
}

TEST_CASE("Open MPI 6 has tables for ranks on one node") {
  check_cells("ompi-6", {{"allreduce_single_node", 3, 1, "-"},
                         {"allreduce_single_node", 4, 8191, "recursive_doubling"},
                         {"allreduce_single_node", 8, 8192, "redscat_allgather"},
                         {"allreduce_single_node", 15, 8192, "ring"},
                         {"allreduce_single_node", 17, 17 * 32 * KiB - 1, "redscat_allgather"},
                         {"allreduce_single_node", 17, 17 * 32 * KiB, "ring"},
                         {"allreduce_single_node", 64, 64 * MiB, "redscat_allgather"},
                         {"allreduce_noncommutative_single_node", 4, 4095, "recursive_doubling"},
                         {"allreduce_noncommutative_single_node", 4, 4096, "nonoverlapping"},
                         {"bcast_single_node", 3, 1, "-"},
                         {"bcast_single_node", 7, 8191, "binomial"},
                         {"bcast_single_node", 7, 8192, "knomial 4"},
                         {"bcast_single_node", 8, 1, "knomial 4"},
                         {"bcast_single_node", 7, 512 * KiB - 1, "knomial 4"},
                         {"bcast_single_node", 7, 512 * KiB, "scatter_allgather_ring"},
                         {"bcast_single_node", 8, 128 * KiB - 1, "knomial 4"},
                         {"bcast_single_node", 8, 128 * KiB, "scatter_allgather"},
                         {"bcast_single_node", 8, 256 * KiB - 1, "scatter_allgather"},
                         {"bcast_single_node", 8, 256 * KiB, "scatter_allgather_ring"},
                         {"reduce_single_node", 3, 1, "-"},
                         {"reduce_single_node", 5, 128 * KiB - 1, "chain 4"},
                         {"reduce_single_node", 5, 128 * KiB, "linear"},
                         {"reduce_single_node", 6, 1, "linear"},
                         {"reduce_single_node", 8, 8191, "knomial 4"},
                         {"reduce_single_node", 8, MiB - 1, "linear"},
                         {"reduce_single_node", 8, MiB, "rabenseifner"},
                         {"reduce_single_node", 11, MiB, "linear"},
                         {"reduce_single_node", 12, 8192, "binomial"},
                         {"reduce_single_node", 16, 512 * KiB - 1, "binomial"},
                         {"reduce_single_node", 16, 512 * KiB, "rabenseifner"},
                         {"reduce_single_node", 32, 512 * KiB, "binomial"},
                         {"reduce_noncommutative_single_node", 4, 4095, "linear"},
                         {"reduce_noncommutative_single_node", 4, 4096, "in-order_binary"},
                         {"allgather_single_node", 3, 1, "-"},
                         {"allgather_single_node", 8, 1023, "neighbor"},
                         {"allgather_single_node", 7, 1023, "k_bruck 4"},
                         {"allgather_single_node", 10, 1023, "k_bruck 4"},
                         {"allgather_single_node", 8, 1024, "k_bruck 4"},
                         {"allgather_single_node", 55, 2048, "direct-messaging"},
                         {"allgather_single_node", 56, 8191, "sparbit"},
                         {"allgather_single_node", 27, 8192, "direct-messaging"},
                         {"allgather_single_node", 28, 32 * KiB - 1, "k_bruck 4"},
                         {"allgather_single_node", 128, 32 * KiB, "direct-messaging"},
                         {"allgather_single_node", 129, 32 * KiB, "sparbit"},
                         {"allgather_single_node", 16, MiB, "sparbit"},
                         {"allgather_single_node", 17, MiB, "direct-messaging"},
                         {"allgather_single_node", 16, 4 * MiB, "direct-messaging"}});
}

TEST_CASE("the table for a distribution of the ranks applies to it only") {
  const auto chosen = [](int procs, tutti::algorithms::NodeShape nodes) {
    const auto choice = choose("ompi-6", {.collective = "bcast",
                                          .procs = procs,
                                          .message_bytes = 100,
                                          .elements = 100,
                                          .nodes = nodes});
    REQUIRE(choice);
    return std::string(choice->table) + " " + std::string(choice->algorithm->name);
  };
  CHECK(chosen(16, {}) == "bcast knomial");
  CHECK(chosen(16, {16, 1, 1}) == "bcast_disjoint basic_linear");
  CHECK(chosen(4, {1, 4, 4}) == "bcast_single_node binomial");
  CHECK(chosen(3, {1, 3, 3}) == "bcast binary_tree");
}

TEST_CASE("requests outside the rules are errors") {
  struct Case {
    std::string_view rules;
    std::string_view collective;
    std::string message;
    std::string hint;
  };
  const std::vector<Case> cases{
      {"ompi-4.0", "bcast", "unknown decision rules 'ompi-4.0'", "did you mean 'ompi-4.1'?"},
      {"lam", "bcast", "unknown decision rules 'lam'",
       "expected one of ompi-4.1, ompi-3.1, ompi-5.0, ompi-6, mpich-4.0, mpich-main"},
      {"ompi-3.1", "frobnicate", "the decision rules ompi-3.1 have no table for frobnicate",
       "name an algorithm, or 'all'"},
  };
  for (const Case& c : cases) {
    CAPTURE(c.rules);
    const auto choice = choose(c.rules, {.collective = c.collective, .procs = 4});
    REQUIRE_FALSE(choice);
    CHECK(choice.errors().size() == 1);
    CHECK(choice.error().kind == tutti::ErrorKind::usage);
    CHECK(choice.error().message == c.message);
    CHECK(choice.error().hint == c.hint);
  }
}

std::string chosen_allgather(std::string_view rules, int procs, Bytes block_bytes) {
  const auto choice =
      choose(rules, {.collective = "allgather", .procs = procs, .message_bytes = block_bytes});
  return choice ? std::string(choice->algorithm->name) : choice.error().message;
}

TEST_CASE("rules of allgather use one block in Open MPI 4.1, and the whole result in 3.1") {
  CHECK(chosen_allgather("ompi-4.1", 4096, 1) == "recursive_doubling");
  CHECK(chosen_allgather("ompi-4.1", 4096, 2) == "bruck");
  CHECK(chosen_allgather("ompi-4.1", 16384, 64) == "bruck");
  CHECK(chosen_allgather("ompi-3.1", 64, 781) == "recursive_doubling");  // 49,984 B in all
  CHECK(chosen_allgather("ompi-3.1", 64, 782) == "neighbor");
  CHECK(chosen_allgather("ompi-3.1", 100, 499) == "bruck");
}

TEST_CASE("every choice of the rules for up to 4,096 processes runs") {
  for (const auto& set : all_rule_sets())
    for (const auto& collective : tutti::algorithms::all_collectives())
      for (const bool commutative : {true, false})
        for (int procs = 2; procs <= 4096; procs += procs < 70 ? 1 : procs / 7)
          for (Bytes bytes = 1; bytes <= 16 * MiB; bytes *= 4) {
            const auto choice = choose(set.name, {.collective = collective.name,
                                                  .procs = procs,
                                                  .message_bytes = bytes,
                                                  .elements = bytes,
                                                  .commutative = commutative});
            REQUIRE(choice);
            const auto* algorithm = choice->algorithm;
            CAPTURE(set.name);
            CAPTURE(collective.name);
            CAPTURE(algorithm->name);
            CAPTURE(procs);
            CAPTURE(bytes);
            if (algorithm->runs != nullptr)
              CHECK(algorithm->runs({procs,
                                     {.message_bytes = bytes,
                                      .segment_bytes = choice->segment_bytes,
                                      .fanout = choice->fanout,
                                      .commutative = commutative || !collective.reduces}}));
          }
}

}  // namespace
