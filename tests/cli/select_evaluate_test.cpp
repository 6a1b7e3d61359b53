// SPDX-License-Identifier: BSD-3-Clause
// sim select evaluate: a rules file on any calls, and rules that are never slower than the
// library's own choice for any elements and placement.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "tests/support/close_to.hpp"
#include "tests/support/csv_columns.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

Ended sim_select(const std::string& words) {
  std::vector<std::string> arguments{"select"};
  for (auto& word : split(words, ' '))
    if (!word.empty()) arguments.push_back(std::move(word));
  return run_sim(arguments);
}

std::string rules_file(const TemporaryFolder& folder, const std::string& text) {
  const auto path = folder.file("given.rules");
  std::ofstream(path) << text;
  return path;
}

double largest(const std::vector<std::string>& cells) {
  double most = -1;
  for (const auto& cell : cells) most = std::max(most, std::stod(cell));
  return most;
}

// A broadcast by algorithm 1 (basic_linear) with 8 to 31 processes, beyond that by 6 (binomial).
constexpr const char* broadcasts = "1 7 3 1 1 0 0 0 0 8 1 0 1 0 0 32 1 0 6 0 0";

}  // namespace

TEST_CASE("each cell equals sim run with the rules, the library's choice and the best algorithm") {
  const TemporaryFolder folder;
  const auto rules = rules_file(folder, broadcasts);
  const auto scored = sim_select("evaluate " + rules +
                                 " --platform crill --ppn 4 --procs 4,16,32 --message-size 8,64KiB "
                                 "--element-bytes 1,8 --part cells --format csv -q");
  REQUIRE_MESSAGE(scored.exit_code == 0, scored.err);
  const auto procs = column(scored, "procs");
  REQUIRE(procs.size() == 12);
  for (std::size_t i = 0; i < procs.size(); ++i) {
    const auto bytes = column(scored, "message_bytes")[i];
    CAPTURE(procs[i]);
    CAPTURE(bytes);
    const auto run = run_sim(
        {"run", "bcast", "--platform", "crill", "--ppn", "4", "--procs", procs[i], "--message-size",
         bytes, "--element-bytes", column(scored, "element_bytes")[i], "--algorithm",
         "auto:rules=" + rules + ",auto,all", "--engine", "flow", "--format", "csv", "-q"});
    REQUIRE_MESSAGE(run.exit_code == 0, run.err);
    const auto times = column(run, "time_s");
    CHECK(column(scored, "time_s")[i] == times[0]);
    CHECK(column(scored, "own_time_s")[i] == times[1]);
    CHECK((column(scored, "rules_line")[i].empty()) == (procs[i] == "4"));
    const double best = std::stod(column(scored, "best_time_s")[i]);
    // With segments, the time may be lower than without.
    for (const auto& time : times) CHECK(best <= std::stod(time));
    CHECK(std::stod(column(scored, "above_own")[i]) ==
          close_to(std::stod(times[0]) / std::stod(times[1]) - 1, 1e-6));
  }
}

TEST_CASE("rules that are slower than the library's own choice are counted, and fail") {
  const TemporaryFolder folder;
  const auto rules = rules_file(folder, broadcasts);
  const std::string job = "evaluate " + rules +
                          " --platform crill --ppn 4 --procs 16 --message-size 1MiB "
                          "--element-bytes 1 --no-best -q ";
  const auto scored = sim_select(job + "--fail-above 5%");
  CHECK(scored.exit_code == 1);
  CHECK(mentions(scored.err, "1 of 1 cell slower than the library's own choice by more than 5 %"));
  CHECK(mentions(scored.out, "Worst cells compared with Open MPI's own choice"));
  CHECK_FALSE(mentions(scored.out, "vs. best"));
  CHECK(sim_select(job).exit_code == 0);
  const auto summary = sim_select(job + "--part summary --format csv");
  CHECK(column(summary, "slower")[0] == "1");
  CHECK(column(summary, "decided")[0] == "1");
  CHECK(column(summary, "mean_loss")[0].empty());
  CHECK(sim_select(job + "--fail-above 10000%").exit_code == 0);
}

TEST_CASE("noise applies equally to the rules and the library's choice, and a seed repeats it") {
  const TemporaryFolder folder;
  const auto rules = rules_file(folder, "1 7 1 1 1 0 6 0 0");
  const std::string job = "evaluate " + rules +
                          " --platform crill --ppn 4 --procs 16 --message-size 64KiB "
                          "--element-bytes 1 --no-best -q --part cells --format csv ";
  const auto plain = sim_select(job);
  const auto noisy = sim_select(job + "--noise multiplicative:10%:3 --repetitions 5");
  REQUIRE_MESSAGE(noisy.exit_code == 0, noisy.err);
  CHECK(std::stod(column(noisy, "time_s")[0]) > std::stod(column(plain, "time_s")[0]));
  CHECK(std::stod(column(noisy, "own_time_s")[0]) > std::stod(column(plain, "own_time_s")[0]));
  CHECK(sim_select(job + "--noise multiplicative:10%:3 --repetitions 5").out == noisy.out);
}

TEST_CASE("input that cannot be evaluated is an error") {
  const TemporaryFolder folder;
  const auto good = rules_file(folder, broadcasts);
  const auto other = folder.file("other.rules"), two = folder.file("two.rules"),
             empty = folder.file("empty.rules"), newer = folder.file("newer.rules");
  std::ofstream(other) << "1 7 1 1 1 0 77 0 0";
  std::ofstream(two) << "1 6 1 1 1 0 5 0 0";  // barrier two_proc
  std::ofstream(empty) << "1 7 1 1 1 0 0 0 0";
  std::ofstream(newer) << "rule-file-version-2\n1 7 1 1 1 9 6 0 0 0";
  const std::string job = " --platform crill --procs 8 ";
  const struct {
    std::string words;
    std::string message;
  } cases[] = {
      {job, "expected one file of dynamic rules"},
      {good + " --platform crill", "--procs: is required"},
      {other + job, "bcast has no algorithm number 77"},
      {two + job, "two.rules:1"},
      {empty + job, "no rule of the file names an algorithm"},
      {newer + job, "the first message size is 9, not 0"},
      {good + job + "--repetitions 3", "--repetitions: has no effect without --noise"},
      {good + job + "--part table", "--part"},
      {good + job + "--fail-above 7", "--fail-above"},
      {folder.file("none.rules") + job, "none.rules"},
  };
  for (const auto& each : cases) {
    CAPTURE(each.words);
    const auto run = sim_select("evaluate " + each.words);
    CHECK(run.exit_code == 2);
    CHECK_MESSAGE(mentions(run.err, each.message), run.err);
  }
}

TEST_CASE("rules of reductions apply to elements of any size, and between process counts") {
  const TemporaryFolder folder;
  const auto made = folder.file("made.rules"), of_bytes = folder.file("bytes.rules");
  const std::string job =
      "rules --platform crill --procs 64,128 --collective allreduce "
      "--message-size 64:2KiB --refine 1 -q ";
  REQUIRE(sim_select(job + "-o " + made).exit_code == 0);
  REQUIRE(sim_select(job + "--element-bytes 1 -o " + of_bytes).exit_code == 0);
  const auto text = read_file(made);
  CHECK(mentions(text, "with elements of 1, 4, 8, 16 B"));
  CHECK(mentions(text, "Made for 64, 128 processes and those between, messages of 64 B to 2 KiB"));
  CHECK(mentions(text, "\n129 1 "));
  const std::string where =
      " --platform crill --procs 64,80,95,127,128,200 "
      "--message-size 64:2KiB,48,1000,1500 --no-best -q --format csv --part cells ";
  const auto scored = sim_select("evaluate " + made + where + "--fail-above 5%");
  CHECK_MESSAGE(scored.exit_code == 0, scored.err);
  CHECK(largest(column(scored, "above_own")) <= 0.05);
  const auto lines = column(scored, "rules_line"), procs = column(scored, "procs");
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (procs[i] == "200") CHECK(lines[i].empty());
  // The result with information that the other file lacks shows that the evaluation uses it.
  const auto fooled = sim_select("evaluate " + of_bytes + where);
  CHECK(largest(column(fooled, "above_own")) > 0.5);
}

TEST_CASE("rules report their loss where one choice serves several placements") {
  const std::string made =
      "rules --platform crill --ppn 1,4 --map block,round-robin --procs 16 --collective allreduce "
      "--message-size 1KiB:64KiB:*8 --refine 0 -q ";
  const auto summary = sim_select(made + "--part summary --format csv");
  const double worst = 100 * std::stod(column(summary, "max_loss")[0]);
  REQUIRE(worst > 5);
  const auto said = fmt::format("up to {:.3g} % compared with the best of a call", worst);
  CHECK(mentions(sim_select(made + "--format rules").out, said));
  CHECK(mentions(sim_select(made + "--format md").out, said));
}

TEST_CASE("process counts that do not fit are skipped and counted, or rejected if none is left") {
  const TemporaryFolder folder;
  const auto made = folder.file("made.rules");
  REQUIRE(sim_select("rules --platform crill --ppn 4 --procs 16 --collective bcast --message-size "
                     "1KiB:64KiB:*8 --refine 0 -q -o " +
                     made)
              .exit_code == 0);
  const auto job = "evaluate " + made + " --platform crill --ppn 4 --message-size 1KiB -q ";
  const auto scored = sim_select(job + "--procs 16,100");
  CHECK_MESSAGE(scored.exit_code == 0, scored.err);
  CHECK(mentions(scored.out, "too large for the machine: 1 combination of"));
  const auto rejected = sim_select(job + "--procs 100,200");
  CHECK(rejected.exit_code == 2);
  CHECK(mentions(rejected.err, "--procs: 100 processes, but 16 nodes x 4"));
}

TEST_CASE("rules of several placements are verified on each of them") {
  const TemporaryFolder folder;
  const auto made = folder.file("made.rules");
  const std::string placements = "--platform crill --ppn 1,4 --map block,round-robin ";
  const auto run = sim_select("rules " + placements +
                              "--procs 8,16 --collective bcast --message-size 1KiB:1MiB:*8 "
                              "--refine 1 -q -o " +
                              made);
  REQUIRE_MESSAGE(run.exit_code == 0, run.err);
  const auto text = read_file(made);
  CHECK(mentions(text,
                 "ppn 1, block; ppn 4, block; ppn 1, round-robin; ppn 4, round-robin (the worst"));
  const auto scored = sim_select("evaluate " + made + " " + placements +
                                 "--procs 8,12,16 --message-size 1KiB:512KiB --element-bytes 1 "
                                 "--no-best -q --fail-above 5% --format csv --part cells");
  CHECK_MESSAGE(scored.exit_code == 0, scored.err);
  CHECK(column(scored, "time_s").size() == 3 * 4 * 10);
  const auto mean = sim_select("rules " + placements +
                               "--procs 8,16 --collective bcast --message-size 1KiB:1MiB:*8 "
                               "--refine 0 -q --objective mean --format rules");
  CHECK(mentions(mean.out, "(their mean)"));
}
