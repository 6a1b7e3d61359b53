// SPDX-License-Identifier: BSD-3-Clause
// Rules files that we write, read as Open MPI reads them.
#include "algorithms/selection/write_rules.hpp"

#include <doctest/doctest.h>

#include <random>

#include "algorithms/selection/dynamic_rules.hpp"
#include "sim/select/open_mpi.hpp"

using namespace tutti;
using namespace tutti::algorithms;
using namespace tutti::algorithms::selection;
namespace chosen = tutti::studies::select;

namespace {

// A table of random times: every algorithm, and a segmented variant of each that supports segments.
chosen::TimeTable random_table(const std::string& collective, std::mt19937& random) {
  std::uniform_real_distribution<double> time(1, 1.3);
  chosen::TimeTable table{.collective = collective, .candidates = {}, .cells = {}};
  for (const auto* each : algorithms_of(collective)) {
    if (each->id == 0 || !each->set.empty() || each->name == "two_proc") continue;
    table.candidates.push_back({.algorithm = std::string(each->name), .id = each->id});
    if (each->segmented)
      table.candidates.push_back({.algorithm = std::string(each->name),
                                  .id = each->id,
                                  .segment_bytes = 4096,
                                  .fanout = each->name == "chain" ? 8 : 0});
  }
  for (const int procs : {4, 5, 16, 48})
    for (Bytes bytes = 1; bytes <= 1 << 20; bytes *= 4) {
      chosen::TimedCell cell{.procs = procs, .nodes = 1, .message_bytes = bytes, .times_s = {}};
      for (std::size_t i = 0; i < table.candidates.size(); ++i)
        cell.times_s.push_back(time(random));
      table.cells.push_back(std::move(cell));
    }
  return table;
}

}  // namespace

TEST_CASE("the reader chooses in each cell what the rules specify") {
  std::mt19937 random(3);
  for (const auto& collective : all_collectives()) {
    const std::string name(collective.name);
    if (!applies_rules_file(name)) continue;
    CAPTURE(name);
    const auto table = random_table(name, random);
    const auto spec = chosen::spec_of_rules_file(name, 0.02);
    const auto rules = chosen::compress_rules(table, spec);
    const auto text = rules_file_text({chosen::file_rules(table, rules)}, RulesFormat::open_mpi_4_1,
                                      {"head", "2"});
    const DynamicRules file(text, "made.rules");
    REQUIRE_FALSE(file.ignored());
    CHECK(file.warnings().empty());
    for (const auto& cell : table.cells) {
      const auto chosen = file.choose({.collective = name,
                                       .procs = cell.procs,
                                       .message_bytes = cell.message_bytes,
                                       .elements = cell.message_bytes});
      REQUIRE(chosen);
      REQUIRE(*chosen);
      const auto meant =
          chosen::find_choice(rules, cell.procs, spec.seen(cell.procs, cell.message_bytes));
      REQUIRE(meant);
      const auto& candidate = table.candidates[*meant];
      CHECK((*chosen)->algorithm->id == candidate.id);
      CHECK((*chosen)->segment_bytes == candidate.segment_bytes);
    }
    const auto smaller = file.choose(
        {.collective = name, .procs = 3, .message_bytes = 1 << 20, .elements = 1 << 20});
    CHECK_FALSE(smaller.value());
  }
}

TEST_CASE("message sizes count what the library counts") {
  const auto bytes = [](std::string_view collective) {
    return rules_file_bytes(
        {.collective = collective, .procs = 10, .message_bytes = 400, .elements = 100});
  };
  for (const char* block : {"allgather", "alltoall", "gather", "scatter", "reduce_scatter_block"})
    CHECK_MESSAGE(bytes(block) == 4000, block);
  for (const char* vector : {"bcast", "reduce", "allreduce", "reduce_scatter", "allgatherv"})
    CHECK_MESSAGE(bytes(vector) == 400, vector);
  for (const char* scan : {"scan", "exscan"}) CHECK_MESSAGE(bytes(scan) == 40, scan);
  for (const char* none : {"alltoallv", "barrier"}) CHECK_MESSAGE(bytes(none) == 0, none);
  CHECK(rules_file_number("bcast") == 7);
  CHECK(collective_numbered(16) == "scatterv");
  CHECK_FALSE(collective_numbered(17));
  CHECK_FALSE(rules_file_number("broadcast"));
}

TEST_CASE("the text has comments, and 5.0's version line comes first") {
  const std::vector<WrittenCollective> written{
      {"bcast",
       {{1, {{.comment = "own"}}},
        {4, {{.algorithm = 2, .fanout = 4, .segment_bytes = 8192, .max_requests = 3}}}}}};
  CHECK(rules_file_text(written, RulesFormat::open_mpi_4_1, {"made"}) ==
        "# made\n"
        "1                            # number of collectives\n\n"
        "7 2                          # bcast, communicator sizes; bytes: vector\n"
        "1 1                          # from 1 process: number of rules\n"
        "0 0 0 0                      # own\n"
        "4 1                          # from 4 processes: number of rules\n"
        "0 2 4 8192\n");
  const auto newer = rules_file_text(written, RulesFormat::open_mpi_5_0, {"made"});
  CHECK(newer.starts_with("rule-file-version-2\n# made\n# Open MPI 5.0 prefers its component han"));
  CHECK(newer.ends_with("\n0 2 4 8192 3\n"));
}

TEST_CASE("an unknown algorithm is detected where a call inside another might use it") {
  const DynamicRules file("1 7 2 1 1 0 0 0 0 8 2 0 6 0 0 100 77 0 0", "made.rules");
  CHECK_FALSE(file.wrong_inside(7));
  const auto wrong = file.wrong_inside(8);
  REQUIRE(wrong);
  CHECK(wrong->message == "bcast has no algorithm number 77");
}
