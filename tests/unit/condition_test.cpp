// SPDX-License-Identifier: BSD-3-Clause
// The conditions of --where.
#include "sim/studies/condition.hpp"

#include <doctest/doctest.h>

#include <map>

using namespace tutti;
using studies::Condition;

namespace {

std::vector<Cell> point(const std::string& name) {
  static const std::map<std::string, std::vector<Cell>> cells{
      {"procs", {std::int64_t{64}}},
      {"message_size", {std::int64_t{65536}}},
      {"algorithm", {std::string("chain"), std::string("auto")}},
      {"time_s", {0.5}},
      {"mpi/eager_limit", {std::int64_t{4096}}},
      {"commutative", {true}}};
  const auto found = cells.find(name);
  return found == cells.end() ? std::vector<Cell>{} : found->second;
}

bool holds(std::string_view text) {
  const auto condition = Condition::parse(text);
  REQUIRE_MESSAGE(condition, text);
  return condition->holds(point);
}

}  // namespace

TEST_CASE("comparisons, and, or, not and parentheses are evaluated") {
  for (const char* text : {"procs == 64",
                           "procs = 64",
                           "procs <= 64",
                           "procs < 65",
                           "procs >= 64",
                           "procs > 63",
                           "procs != 63",
                           "message_size == 64KiB",
                           "message_size in (1MiB, 64KiB)",
                           "time_s < 0.6",
                           "algorithm == \"chain\"",
                           "algorithm == 'auto'",
                           "algorithm = chain",
                           "mpi/eager_limit = 4KiB",
                           "commutative = true",
                           "procs = 1 or procs = 64",
                           "procs = 1 and procs = 2 or procs = 64",
                           "not procs = 1",
                           "procs = 64 and (message_size = 1 or not (time_s > 1))",
                           "not (not (procs = 64))"})
    CHECK_MESSAGE(holds(text), text);
  for (const char* text :
       {"procs == 63", "procs < 64", "procs != 64", "algorithm != chain", "procs = \"64 \"",
        "missing = 1", "missing < 1", "algorithm < 5", "procs in (1, 2)", "not procs = 64",
        "procs = 64 and procs = 1 or procs = 2"})
    CHECK_MESSAGE(!holds(text), text);
}

TEST_CASE("an unset name differs from every value") {
  CHECK(holds("missing != 1"));
  CHECK(holds("not missing = 1"));
}

TEST_CASE("invalid conditions are reported with their column") {
  struct Bad {
    std::string text;
    int column;
    std::string message;
  };
  const Bad all[] = {{"", 1, "expected a name"},
                     {"procs", 6, "expected ==, !=, <, <=, >, >= or in"},
                     {"procs == ", 10, "expected a value"},
                     {"procs = 1 procs = 2", 11, "expected and, or, or the end"},
                     {"(procs = 1", 11, "missing ')'"},
                     {"procs in 1", 10, "expected a list in parentheses"},
                     {"procs in (1, 2", 15, "missing ')'"},
                     {"algorithm = \"ring", 13, "missing closing quote"},
                     {"procs ! 1", 7, "expected '!=', not '!'"},
                     {"procs & 1", 7, "unexpected '&'"},
                     {"== 1", 1, "expected a name"}};
  for (const Bad& bad : all) {
    CAPTURE(bad.text);
    const auto condition = Condition::parse(bad.text);
    REQUIRE(!condition);
    CHECK(condition.error().message == bad.message);
    CHECK(condition.error().column == bad.column);
    CHECK(condition.error().line == 1);
  }
}

TEST_CASE("deep and long conditions are rejected") {
  CHECK(!Condition::parse(std::string(5000, '(') + "procs = 1"));
  std::string nots;
  for (int i = 0; i < 2000; ++i) nots += "not ";
  CHECK(!Condition::parse(nots + "procs = 1"));
  CHECK(!Condition::parse(std::string(20'000, ' ') + "procs = 1"));
}
