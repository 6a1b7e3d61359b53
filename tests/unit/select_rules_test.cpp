// SPDX-License-Identifier: BSD-3-Clause
// Tables of times compressed to rules: the minimum number, within the bound in every cell.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "platforms/reader.hpp"
#include "sim/select/cell_times.hpp"
#include "sim/select/rules.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies::select;
using tutti::tests::exactly;

namespace {

constexpr double none = -1;

TimeTable table_of(int candidates) {
  TimeTable table{.collective = "bcast", .candidates = {}, .cells = {}};
  for (int i = 0; i < candidates; ++i)
    table.candidates.push_back(
        {.algorithm = std::string(1, static_cast<char>('a' + i)), .id = i + 1});
  return table;
}

// Sizes 1, 2, 4, ...: a row of times each.
void add(TimeTable& table, int procs, const std::vector<std::vector<double>>& rows) {
  Bytes bytes = 1;
  for (const auto& row : rows) {
    TimedCell cell{.procs = procs, .nodes = 1, .message_bytes = bytes, .times_s = {}};
    for (const double time_s : row)
      cell.times_s.push_back(time_s == none ? std::nullopt : std::optional(time_s));
    table.cells.push_back(std::move(cell));
    bytes *= 2;
  }
}

// "4: 1 a, 8 b; 8: 1 b".
std::string text_of(const TimeTable& table, const RuleSet& rules) {
  std::string text;
  for (const auto& of_procs : rules) {
    text += (text.empty() ? "" : "; ") + std::to_string(of_procs.from_procs) + ":";
    for (const auto& rule : of_procs.rules)
      text += (&rule == of_procs.rules.data() ? " " : ", ") + std::to_string(rule.from_bytes) +
              ' ' + (rule.choice ? table.candidates[*rule.choice].algorithm : "-");
  }
  return text;
}

// The minimum number of intervals by trying all choices of all cells.
std::size_t fewest_by_force(const TimeTable& table, double most_loss) {
  const std::size_t cells = table.cells.size(), candidates = table.candidates.size();
  std::size_t combinations = 1, fewest = cells;
  for (std::size_t i = 0; i < cells; ++i) combinations *= candidates;
  for (std::size_t one = 0; one < combinations; ++one) {
    std::size_t rest = one, changes = 1, last = rest % candidates;
    bool is_good = true;
    for (const auto& cell : table.cells) {
      const std::size_t choice = rest % candidates;
      rest /= candidates;
      changes += choice != last;
      last = choice;
      const double best_s = **std::ranges::min_element(cell.times_s);
      is_good = is_good && relative_loss(*cell.times_s[choice], best_s) <= most_loss;
    }
    if (is_good) fewest = std::min(fewest, changes);
  }
  return fewest;
}

}  // namespace

TEST_CASE("a rule extends as far as its choice is within the bound") {
  auto table = table_of(2);
  add(table, 4, {{1, 2}, {1.04, 1}, {1.2, 1}, {1, 3}});
  CHECK(text_of(table, compress_rules(table, {.most_loss = 0})) ==
        "1: 0 -; 4: 0 a, 2 b, 8 a; 5: 0 -");
  CHECK(text_of(table, compress_rules(table, {.most_loss = 0.05})) ==
        "1: 0 -; 4: 0 a, 2 b, 8 a; 5: 0 -");
  CHECK(text_of(table, compress_rules(table, {.most_loss = 0.2})) == "1: 0 -; 4: 0 a; 5: 0 -");
}

TEST_CASE("the number of rules is minimal, and each cell is within the bound") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> time(1, 2);
  for (int run = 0; run < 300; ++run) {
    auto table = table_of(3);
    std::vector<std::vector<double>> rows(1 + run % 6);
    for (auto& row : rows) row = {time(random), time(random), time(random)};
    add(table, 8, rows);
    for (const double bound : {0.0, 0.1, 0.4}) {
      CAPTURE(run);
      CAPTURE(bound);
      const RuleSpec spec{.most_loss = bound};
      const auto rules = compress_rules(table, spec);
      CHECK(rule_count(rules) == fewest_by_force(table, bound));
      const auto losses = measure_losses(table, rules, spec);
      CHECK(losses.cells == table.cells.size());
      CHECK(losses.above == 0);
      CHECK(losses.max <= bound);
    }
  }
}

TEST_CASE("of equally few rules those with the smallest loss are chosen") {
  auto table = table_of(3);
  add(table, 4, {{1, 1.05, 1.01}, {1.05, 1, 1.01}});
  CHECK(text_of(table, compress_rules(table, {.most_loss = 0.1})) == "1: 0 -; 4: 0 c; 5: 0 -");
}

TEST_CASE("numbers of processes share rules that are good for both") {
  auto table = table_of(2);
  add(table, 4, {{1, 2}, {2, 1}});
  add(table, 8, {{1, 2}, {2, 1}});
  add(table, 16, {{2, 1}, {2, 1}});
  CHECK(text_of(table, compress_rules(table, {})) == "1: 0 -; 4: 0 a, 2 b; 16: 0 b; 17: 0 -");
}

TEST_CASE("sizes below all measured ones are not decided") {
  auto table = table_of(1);
  add(table, 4, {{1}, {1}});
  for (auto& cell : table.cells) cell.message_bytes *= 1024;
  const auto rules = compress_rules(table, {});
  CHECK(text_of(table, rules) == "1: 0 -; 4: 0 -, 1024 a; 5: 0 -");
  CHECK_FALSE(find_choice(rules, 3, 4096));
  CHECK_FALSE(find_choice(rules, 4, 1023));
  CHECK(find_choice(rules, 4, 1024) == 0);
  CHECK(find_choice(rules, 4, 1 << 20) == 0);
  CHECK_FALSE(find_choice(rules, 400, 1 << 20));
}

TEST_CASE("rules with different lower ends are not shared") {
  auto table = table_of(1);
  add(table, 4, {{1}});
  add(table, 8, {{1}});
  for (auto& cell : table.cells) cell.message_bytes = 1024;
  const RuleSpec in_blocks{.seen = [](int procs, Bytes bytes) { return bytes * procs; }};
  CHECK(text_of(table, compress_rules(table, in_blocks)) ==
        "1: 0 -; 4: 0 -, 4096 a; 8: 0 -, 8192 a; 9: 0 -");
}

TEST_CASE("a reader that cannot see sizes gets the choice with the smallest maximum loss") {
  auto table = table_of(3);
  add(table, 4, {{1, 2, 1.5}, {2, 1, 1.5}});
  const RuleSpec blind{.seen = [](int, Bytes) { return Bytes{0}; }};
  const auto rules = compress_rules(table, blind);
  CHECK(text_of(table, rules) == "1: 0 -; 4: 0 c; 5: 0 -");
  const auto losses = measure_losses(table, rules, blind);
  CHECK(losses.above == 2);
  CHECK(losses.max == 0.5);
}

TEST_CASE("an algorithm limited to these processes does not extend to the next ones") {
  auto table = table_of(2);
  table.candidates[1].runs_beyond = false;
  add(table, 2, {{2, 1}});
  add(table, 8, {{1, none}});
  CHECK(text_of(table, compress_rules(table, {})) == "1: 0 -; 2: 0 b; 3: 0 -; 8: 0 a; 9: 0 -");
  auto next = table_of(2);
  next.candidates[1].runs_beyond = false;
  add(next, 2, {{2, 1}});
  add(next, 3, {{1, none}});
  CHECK(text_of(next, compress_rules(next, {})) == "1: 0 -; 2: 0 b; 3: 0 a; 4: 0 -");
}

TEST_CASE("candidates are algorithms that a rules file can express and that are not excluded") {
  auto table = table_of(3);
  table.candidates[0].in_rules_file = false;
  table.candidates[1].competes = false;
  add(table, 4, {{1, 0.5, 2}});
  CHECK(text_of(table, compress_rules(table, {})) == "1: 0 -; 4: 0 a; 5: 0 -");
  const RuleSpec file{.rivals = Rivals::in_rules_file};
  CHECK(text_of(table, compress_rules(table, file)) == "1: 0 -; 4: 0 c; 5: 0 -");
  CHECK(measure_losses(table, compress_rules(table, file), file).max == 0);
}

TEST_CASE("no rule is slower than the library's own choice, on any size of elements") {
  auto table = table_of(2);
  table.element_bytes = {1, 8};
  add(table, 4, {{1, 1.5}, {1.5, 1}, {1.5, 1}});
  for (auto& cell : table.cells) cell.own_s = {3, 2};
  CHECK(text_of(table, compress_rules(table, {})) == "1: 0 -; 4: 0 a, 2 b; 5: 0 -");
  // With elements of 8 bytes the library is faster than both.
  table.cells[1].own_s = {3, 0.9};
  const auto rules = compress_rules(table, {});
  CHECK(text_of(table, rules) == "1: 0 -; 4: 0 a, 2 -, 4 b; 5: 0 -");
  const auto losses = measure_losses(table, rules, {});
  CHECK(losses.cells == 3);
  CHECK(losses.above == 1);  // in the cells of the library's own choice, with elements of 1 byte
  CHECK(losses.above_own == 0);
  CHECK(measure_own_losses(table, {}).max == 2);
  CHECK(measure_own_losses(table, {}).mean == exactly((2 + 1 + 2 + 0 + 2 + 1) / 6.0));
}

TEST_CASE("a rule that may extend to sizes where the library is faster is not made") {
  auto table = table_of(2);
  add(table, 4, {{1, 1.04}, {3, 3}, {3, 1}});
  for (std::size_t i = 0; i < 3; ++i) table.cells[i].message_bytes = Bytes{1} << (4 * i);
  for (auto& cell : table.cells) cell.own_s = {4};
  table.cells[1].times_s = {3, 1};
  CHECK(text_of(table, compress_rules(table, {.most_loss = 0})) == "1: 0 -; 4: 0 a, 16 b; 5: 0 -");
  // Up to 15 bytes: there the library may be as fast as with 16, and `a` slower.
  table.cells[1].own_s = {2};
  CHECK(text_of(table, compress_rules(table, {.most_loss = 0})) == "1: 0 -; 4: 0 b; 5: 0 -");
  table.cells[0].own_s = {0.9};
  CHECK(text_of(table, compress_rules(table, {.most_loss = 0})) == "1: 0 -; 4: 0 -, 16 b; 5: 0 -");
  table.cells[0].own_s = {4};
  // There are no sizes in between.
  for (std::size_t i = 0; i < 3; ++i) table.cells[i].message_bytes = static_cast<Bytes>(i) + 1;
  CHECK(text_of(table, compress_rules(table, {.most_loss = 0})) == "1: 0 -; 4: 0 a, 2 b; 5: 0 -");
}

TEST_CASE("process counts in between have their own rules where the neighbour's are worse") {
  auto table = table_of(2);
  add(table, 4, {{1, 2}});
  add(table, 6, {{2, 1}});
  add(table, 8, {{1, 2}});
  const RuleSpec spec{.between = {6}};
  CHECK(text_of(table, compress_rules(table, spec)) == "1: 0 -; 4: 0 a; 5: 0 b; 8: 0 a; 9: 0 -");
  table.cells[1].times_s = {1, 2};
  CHECK(text_of(table, compress_rules(table, spec)) == "1: 0 -; 4: 0 a; 9: 0 -");
  // An algorithm that runs for none of the process counts in between leaves them to the library.
  table.cells[1].times_s = {std::nullopt, std::nullopt};
  CHECK(text_of(table, compress_rules(table, spec)) == "1: 0 -; 4: 0 a; 5: 0 -; 8: 0 a; 9: 0 -");
}

TEST_CASE("between block sizes, a rule is within its bound for all sizes that it may get") {
  auto table = table_of(2);
  add(table, 4, {{1, 2}, {1, 2}, {1, 2}, {2, 1}});
  add(table, 6, {{1, 2}, {1, 2}, {1, 2}, {2, 1}});
  add(table, 8, {{1, 2}, {1, 2}, {1, 2}, {2, 1}});
  for (auto& cell : table.cells) cell.own_s = {1.5};
  const RuleSpec in_blocks{.seen = [](int procs, Bytes bytes) { return bytes * procs; },
                           .between = {6}};
  // With 7 processes 49 bytes are blocks of 7 bytes, for which `b` may be slower than the library;
  // with 5 processes 25 bytes are blocks of 5 bytes, for which `a` may be.
  CHECK(text_of(table, compress_rules(table, in_blocks)) ==
        "1: 0 -; 4: 0 a, 16 -, 32 b; 5: 0 a, 24 -; 8: 0 a, 32 -, 64 b; 9: 0 -");
}

TEST_CASE("of cells that a rule cannot separate the largest loss counts, or their mean") {
  auto table = table_of(2);
  add(table, 4, {{1, 1.08}});
  add(table, 4, {{1.2, 1}});
  add(table, 4, {{1, 1.02}});
  CHECK(text_of(table, compress_rules(table, {.most_loss = 0.09})) == "1: 0 -; 4: 0 b; 5: 0 -");
  CHECK(text_of(table, compress_rules(table, {.most_loss = 0.04, .objective = Objective::mean})) ==
        "1: 0 -; 4: 0 b; 5: 0 -");
  table.cells[0].times_s = {1, 1.3};
  // Mean losses: 20% / 3, 32% / 3.
  CHECK(text_of(table, compress_rules(table, {.most_loss = 0.09, .objective = Objective::mean})) ==
        "1: 0 -; 4: 0 a; 5: 0 -");
}

TEST_CASE("a study of rules runs without a command") {
  const auto on = platforms::load_machine("crill", {}).value();
  RuleStudy study;
  study.collectives = {"bcast"};
  study.axes = {.procs = {8}, .message_bytes = {1024}, .element_bytes = {1}, .placements = {{}}};
  study.candidates = {.segment_bytes = {0}, .fanouts = {2}, .max_requests = {}};
  study.rounds = 0;
  study.common.engine = engines::EngineKind::flow;
  REQUIRE(check_cells(study, on, false).empty());
  const auto found = time_cells(study, nullptr, on, studies::quiet_runner({.jobs = 2}));
  CHECK(found.run.code == 0);
  REQUIRE(found.collectives.size() == 1);
  CHECK(found.collectives[0].table.cells.size() == 1);
  CHECK(found.collectives[0].rules.size() == 2);  // of a file, and of a function
  const auto trial = try_rules(study, found.collectives, on, studies::quiet_runner({.jobs = 2}));
  CHECK(trial.cells == 1);
  CHECK(trial.largest_error == exactly(0));  // its times are the simulations' own
}
