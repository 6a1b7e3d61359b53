// SPDX-License-Identifier: BSD-3-Clause
// sim replay on archives with exactly known answers, written by another program: all lines of
// answers.jsonl and answers_hypotheses.jsonl. Skipped if that data is not available.
#include <doctest/doctest.h>

#include <regex>

#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"
#include "tests/support/synthetic_programs.hpp"
#include "tests/support/traces.hpp"

using namespace tutti::tests;

namespace {

std::string text_of(const std::string& line, const std::string& key) {
  std::smatch found;
  REQUIRE(std::regex_search(line, found, std::regex("\"" + key + "\":\"?([a-z0-9]+)")));
  return found[1];
}
double number_of(const std::string& line, const std::string& key) {
  return std::stod(text_of(line, key));
}

// A column of the CSV summary in ns; 0 if there is none.
double ns_of(const std::string& csv, const std::string& what, bool is_after) {
  std::smatch found;
  if (!std::regex_search(csv, found, std::regex("\n" + what + ",([^,]*),([^,]*),"))) return 0;
  return 1e9 * std::stod(found[is_after ? 2 : 1]);
}

const std::vector<std::pair<const char*, const char*>> measures{
    {"late_sender", "late_sender_ns"},
    {"wait_at_nxn", "wait_nxn_ns"},
    {"late_broadcast", "late_bcast_ns"},
    {"early_reduce", "early_reduce_ns"},
    {"wait_at_barrier", "wait_barrier_ns"}};

// The trace begins at 1 us.
void check(const std::string& line, const std::string& csv, bool is_after) {
  CAPTURE(line);
  CHECK(ns_of(csv, "end", is_after) == close_to(number_of(line, "end_ns") - 1000, 1e-12));
  for (const auto& [metric, key] : measures) {
    CAPTURE(metric);
    CHECK(ns_of(csv, metric, is_after) == close_to(number_of(line, key), 1e-12));
  }
}

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::istringstream text(read_file(path));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::string trace_of(const std::string& line) {
  return shared_trace("synthetic/" + text_of(line, "program") + "-" + text_of(line, "P"));
}

std::string summary(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "replay");
  arguments.insert(arguments.end(), {"--part", "summary", "--format", "csv"});
  return out_of(arguments);
}

}  // namespace

TEST_CASE("ends and wait states of the archives equal the known ones, to the tick") {
  const auto answers = shared_trace("synthetic/answers.jsonl");
  if (answers.empty()) return;
  const auto lines = lines_of(answers);
  CHECK(lines.size() == 10);
  for (const auto& line : lines) check(line, summary({trace_of(line)}), false);
}

TEST_CASE("balancing and cutting archives gives the balanced and cut programs, to the tick") {
  const auto answers = shared_trace("synthetic/answers_hypotheses.jsonl");
  if (answers.empty()) return;
  const TemporaryFolder folder;
  const auto costs = folder.write("loggp.toml", loggp_rule);
  const auto balance = folder.write("balance.toml", "[[balance]]\nregion = \"foo\"\n");
  // Calls of the programs are 500 ns apart; the caller saves that time with each.
  const auto cut =
      folder.write("cut.toml", "call_gap = \"500ns\"\n[[cut]]\nmessage = { size = 0 }\n");
  for (const auto& line : lines_of(answers)) {
    const auto& hypothesis = number_of(line, "balance") == 1 ? balance : cut;
    const auto trace = trace_of(line);
    check(line, summary({trace, "--hypothesis", hypothesis, "--model", "loggp", "--loggp", costs}),
          true);
    const double recorded = ns_of(summary({trace, "--hypothesis", hypothesis}), "end", true);
    CHECK(recorded == close_to(number_of(line, "end_ns") - 1000, 0.002));
  }
}
