// SPDX-License-Identifier: BSD-3-Clause
// sim select rules: what it writes, and that applying it gives the times of the table.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <map>

#include "sim/reports/tables/result_file.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/csv_columns.hpp"

using namespace tutti;
using namespace tutti::tests;

namespace {

Ended sim(const std::string& words) {
  std::vector<std::string> arguments;
  for (auto& word : split(words, ' '))
    if (!word.empty()) arguments.push_back(std::move(word));
  return run_sim(arguments);
}

using Cells = std::vector<std::map<std::string, std::string>>;

Cells cells_of(const std::string& file) {
  const auto table = reports::read_result_file(file).value().table;
  Cells rows;
  for (const auto& row : table.rows)
    for (std::size_t at = 0; at < row.size(); ++at) {
      if (at == 0) rows.emplace_back();
      rows.back()[table.columns[at]] = to_text(row[at]);
    }
  return rows;
}

// The algorithms that the rules choose.
Cells chosen_in(const std::string& file) {
  Cells chosen;
  for (const auto& row : cells_of(file))
    if (row.at("chosen") == "true" && row.at("element_bytes") == "1") chosen.push_back(row);
  return chosen;
}

constexpr const char* job = "select rules --platform crill --ppn 4 --procs 4,8 ";

}  // namespace

TEST_CASE("applying the rules file gives the algorithm and the time of the table") {
  const TemporaryFolder folder;
  const auto rules = folder.file("made.rules"), table = folder.file("made.csv");
  const auto made = sim(std::string(job) + "--message-size 1:256KiB:*512 --refine 1 -q -o " +
                        rules + " -o " + table);
  REQUIRE_MESSAGE(made.exit_code == 0, made.err);
  CHECK(made.out.empty());
  std::map<std::string, Cells> of_collective;
  for (const auto& row : chosen_in(table)) of_collective[row.at("collective")].push_back(row);
  CHECK(of_collective.size() == 14);
  for (const auto& [collective, cells] : of_collective) {
    CAPTURE(collective);
    for (const auto& cell : cells) {
      const bool is_own = cell.at("algorithm") == "auto";
      const std::string size =
          collective == "barrier" ? "" : " --message-size " + cell.at("message_bytes");
      const auto run =
          sim("run " + collective + " --platform crill --ppn 4 --engine flow --procs " +
              cell.at("procs") + size + " --format csv -q --algorithm auto:rules=" + rules);
      CAPTURE(cell.at("message_bytes"));
      CAPTURE(cell.at("algorithm"));
      CHECK(column(run, "decided_by")[0] == (is_own ? "ompi-4.1" : "rules file"));
      if (is_own) continue;  // calls inside the library's own choice use the file
      const std::string spread = column(run, "start_spread")[0];
      const double upper_s =
          std::stod(column(run, "time_s")[0]) * (1 + (spread.empty() ? 0 : std::stod(spread)));
      CHECK(std::stod(cell.at("time_s")) == exactly(upper_s));
      CHECK(column(run, "algorithm")[0] == cell.at("algorithm"));
      CHECK(column(run, "segment_bytes")[0] == cell.at("segment_bytes"));
    }
  }
}

TEST_CASE("the C++ function compiles without warnings and decides as the table") {
  const TemporaryFolder folder;
  const auto header = folder.file("rules.hpp"), table = folder.file("made.csv"),
             program = folder.file("check.cpp"), binary = folder.file("check");
  const auto made = sim(std::string(job) +
                        "--collective bcast,allgather,alltoallv,barrier --message-size 8:64KiB:*8 "
                        "--hierarchical -o " +
                        header + " -o " + table);
  REQUIRE_MESSAGE(made.exit_code == 0, made.err);
  std::string text = "#include \"rules.hpp\"\n#include <cstring>\nint main() {\n  int wrong = 0;\n";
  for (const auto& cell : chosen_in(table)) {
    // Names of splits contain commas, which the CSV quotes; with one node of four there are none.
    text += fmt::format(
        "  {{ const auto c = tutti_rules::{}({}, {}); wrong += std::strcmp(c.algorithm, \"{}\") != "
        "0 "
        "|| c.segment_bytes != {}; }}\n",
        cell.at("collective"), cell.at("procs"), cell.at("message_bytes"),
        cell.at("algorithm") == "auto" ? "" : cell.at("algorithm"), cell.at("segment_bytes"));
  }
  text += "  wrong += tutti_rules::bcast(3, 64).algorithm[0] != 0;\n";
  text += "  wrong += tutti_rules::bcast(9, 64).algorithm[0] != 0;\n";
  text += "  wrong += tutti_rules::bcast(8, 7).algorithm[0] != 0;\n  return wrong;\n}\n";
  std::ofstream(program) << text;
  const auto built = tests::run({.args = {"/usr/bin/env", "g++", "-std=c++17", "-Wall", "-Wextra",
                                          "-Werror", program, "-o", binary}});
  REQUIRE_MESSAGE(built.exit_code == 0, built.err);
  CHECK(tests::run({.args = {binary}}).exit_code == 0);
}

TEST_CASE("the report lists the rules, their losses and the points measured in between") {
  const auto run =
      sim(std::string(job) + "--collective bcast --message-size 1KiB:64KiB --loss 10%");
  CHECK(run.exit_code == 0);
  CHECK(mentions(run.out, "the fewest that lose at most 10 %"));
  CHECK(mentions(run.out, "# bcast\n"));
  CHECK(mentions(run.out, "Above bound"));
  CHECK(mentions(run.out, "# Loss of the rules compared with the best, in percent"));
  CHECK(mentions(run.out, "Own max  Own mean\n"));
  for (const auto& line : split(run.out, '\n')) CHECK(line.size() <= 80);
  const auto summary = sim(std::string(job) +
                           "--collective bcast --message-size 1KiB:64KiB --loss 10% --part summary "
                           "--format csv");
  CHECK(std::stod(column(summary, "max_loss")[0]) <= 0.1);
  CHECK(column(summary, "cells_above")[0] == "0");
}

TEST_CASE("rules of a scan cannot depend on the size, and the report mentions it") {
  const auto run =
      sim(std::string(job) + "--collective scan --message-size 1:4MiB:*16 --format rules");
  CHECK(run.exit_code == 0);
  CHECK(mentions(run.out, "# scan, communicator sizes; bytes: datatype size times"));
}

TEST_CASE("Open MPI 5.0 gets a version line and a fifth number") {
  const auto run = sim(std::string(job) +
                       "--collective alltoall --message-size 1KiB --open-mpi 5.0 --format rules");
  CHECK(run.exit_code == 0);
  CHECK(run.out.starts_with("rule-file-version-2\n"));
  CHECK(mentions(run.out, "# Open MPI 5.0 prefers its component han to tuned"));
  CHECK(mentions(run.err, "only with --mca coll ^han"));
  CHECK(split(data_lines(run.out)[4], ' ')[4] == "0");
}

TEST_CASE("two_proc is not written for more than two processes") {
  const auto run =
      sim("select rules --platform crill --ppn 1 --procs 2 --collective barrier --format rules");
  CHECK(run.exit_code == 0);
  if (mentions(run.out, "two_proc")) CHECK(mentions(run.out, "# from 3 processes on"));
}

TEST_CASE("splits into levels are reported next to flat algorithms, by nodes") {
  const auto run = sim(
      "select rules --platform crill --ppn 4 --procs 8,16 --collective allreduce --message-size "
      "1KiB,64KiB --refine 0 --hierarchical --part hierarchical --format csv");
  REQUIRE(run.exit_code == 0);
  CHECK(data_lines(run.out).size() == 11);  // 8, 12, 13, 15 and 16 processes
  CHECK(mentions(run.out, "inter="));
}

TEST_CASE("maps are drawn for each collective") {
  const TemporaryFolder folder;
  const auto map = folder.file("map.gp");
  const auto run =
      sim(std::string(job) + "--collective bcast,gather --message-size 1KiB:4KiB -q -o " + map);
  CHECK(run.exit_code == 0);
  CHECK(mentions(read_file(folder.file("map-bcast.gp")), "'chain'"));
  CHECK(mentions(read_file(folder.file("map-gather.gp")), "processes"));
}

TEST_CASE("invalid requests are rejected before any simulation") {
  const struct {
    std::string words;
    std::string message;
  } cases[] = {
      {"--platform crill", "--procs: is required"},
      {"--platform crill --procs 1", "--procs"},
      {"--platform crill --procs 4 --collective gatherv", "unknown name 'gatherv'"},
      {"--platform crill --procs 4 --collective bcast --loss 7", "--loss"},
      {"--platform crill --procs 4 --objective median", "--objective"},
      {"--platform crill --procs 4 --element-bytes 0", "--element-bytes"},
      {"--platform crill --procs 4 --message-size 4 --element-bytes 8",
       "--message-size: all sizes are smaller than an element"},
      {"--platform crill --procs 4 --map block,star", "unknown mapping 'star'"},
      {"--platform crill --procs 17 --ppn 1", "--ppn"},
      {"--platform crill --procs 4 --max-requests 4", "--max-requests: is not supported"},
      {"--platform crill --procs 4 --open-mpi 3.1", "--open-mpi"},
      {"--platform crill --procs 4 --format ruels", "--format: unknown format 'ruels'"},
      {"--platform crill --procs 4 -o x.rulez", "unknown file extension of 'x.rulez'"},
      {"--platform crill --procs 4 -o x.csv -o x.csv", "is written twice"},
      {"--platform crill --procs 4 -o x.csv -o x.rules --format csv",
       "--format: applies to one output"},
      {"--platform crill --procs 4 --format rules --part rules", "--part: has no effect"},
      {"--platform crill --procs 4 -o x.rules --part ruls", "did you mean 'rules'?"},
      {"--platform crill --procs 100000", "processes"},
      {"--platform crill --procs 4 bcast", "unexpected argument 'bcast'"},
  };
  for (const auto& each : cases) {
    CAPTURE(each.words);
    const auto run = sim("select rules " + each.words);
    CHECK(run.exit_code == 2);
    CHECK_MESSAGE(mentions(run.err, each.message), run.err);
  }
}
