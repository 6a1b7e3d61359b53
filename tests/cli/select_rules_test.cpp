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

TEST_CASE("a file for Open MPI 5.0 has a second one for han") {
  const TemporaryFolder folder;
  const auto rules = folder.file("made.rules");
  const auto run = sim(std::string(job) +
                       "--collective bcast --message-size 1KiB,64KiB --open-mpi 5.0 -o " + rules);
  REQUIRE(run.exit_code == 0);
  CHECK_FALSE(mentions(run.err, "only with --mca coll ^han"));
  CHECK(mentions(read_file(rules), "coll_han_dynamic_rules_filename " + rules + ".han"));
  const auto lint = run_sim({"rules", "lint", rules + ".han"});
  CHECK(lint.exit_code == 0);
  CHECK(mentions(lint.out, "tuned"));
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
  const auto map = folder.file("map.vg");
  const auto run =
      sim(std::string(job) + "--collective bcast,gather --message-size 1KiB:4KiB -q -o " + map);
  CHECK(run.exit_code == 0);
  CHECK(mentions(read_file(folder.file("map-bcast.vg")), "\"chain\""));
  CHECK(mentions(read_file(folder.file("map-gather.vg")), "processes"));
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

TEST_CASE("Open MPI 6 gets JSON with rules for placements, and the function sees the nodes") {
  const TemporaryFolder folder;
  const auto rules = folder.file("six.rules"), header = folder.file("rules.hpp"),
             table = folder.file("made.csv"), program = folder.file("check.cpp"),
             binary = folder.file("check");
  const std::string call =
      "select rules --platform crill --procs 4,8 --ppn 1,4 --collective bcast,allgather "
      "--message-size 8:64KiB:*16 --refine 0 -q --open-mpi 6 ";
  const auto made = sim(call + "-o " + rules + " -o " + table);
  REQUIRE_MESSAGE(made.exit_code == 0, made.err);
  const auto checked = sim("rules lint " + rules);
  CHECK_MESSAGE(checked.exit_code == 0, checked.out);
  for (const auto* scope : {"one-per-node", "single-node", "any"})
    CHECK(mentions(read_file(rules), fmt::format("\"comm_rank_distribution\": \"{}\"", scope)));
  for (const auto& cell : chosen_in(table)) {
    const auto run = sim(fmt::format(
        "run {} --platform crill --ppn {} --engine flow --procs {} --message-size {} --format csv "
        "-q --algorithm auto:rules={}",
        cell.at("collective"), cell.at("ppn"), cell.at("procs"), cell.at("message_bytes"), rules));
    CAPTURE(cell.at("collective"));
    CAPTURE(cell.at("procs"));
    CAPTURE(cell.at("nodes"));
    CAPTURE(cell.at("message_bytes"));
    if (cell.at("algorithm").starts_with("auto")) continue;
    CHECK(column(run, "algorithm")[0] == cell.at("algorithm"));
    CHECK(column(run, "segment_bytes")[0] == cell.at("segment_bytes"));
  }

  const auto functions = sim(call + "-o " + header + " -o " + table);
  REQUIRE_MESSAGE(functions.exit_code == 0, functions.err);
  std::string text = "#include \"rules.hpp\"\n#include <cstring>\nint main() {\n  int wrong = 0;\n";
  for (const auto& cell : chosen_in(table))
    text += fmt::format(
        "  {{ const auto c = tutti_rules::{}({}, {}, {}); wrong += std::strcmp(c.algorithm, "
        "\"{}\") != 0 || c.segment_bytes != {}; }}\n",
        cell.at("collective"), cell.at("procs"), cell.at("nodes"), cell.at("message_bytes"),
        cell.at("algorithm").starts_with("auto") ? "" : cell.at("algorithm"),
        cell.at("segment_bytes"));
  std::ofstream(program) << text + "  return wrong;\n}\n";
  const auto built = tests::run({.args = {"/usr/bin/env", "g++", "-std=c++17", "-Wall", "-Wextra",
                                          "-Werror", program, "-o", binary}});
  REQUIRE_MESSAGE(built.exit_code == 0, built.err);
  CHECK(tests::run({.args = {binary}}).exit_code == 0);
}

TEST_CASE("rules over the allocations of jobs, and how often each is wrong") {
  const TemporaryFolder folder;
  const auto jobs = folder.file("jobs.csv"), table = folder.file("made.csv"),
             placements = folder.file("placements.csv");
  // On one leaf switch; on two; one node of each of 16 leaf switches of 20 nodes; too few nodes;
  // a node that the machine does not have.
  std::string text = "job,node_list\n1,opuntia-10k-[0-15]\n2,\"opuntia-10k-[12-27]\"\n3,\"";
  for (int i = 0; i < 16; ++i) text += fmt::format("{}opuntia-10k-{}", i > 0 ? "," : "", 20 * i);
  std::ofstream(jobs) << text + "\"\n4,opuntia-10k-[1-3]\n5,elsewhere-[1-16]\n";
  const std::string call =
      "select rules --platform opuntia-10k --procs 16 --ppn 1 --collective allgather,alltoall "
      "--message-size 1KiB:64KiB:*64 --refine 0 --over " +
      jobs;
  const auto made = sim(call + " -o " + table);
  REQUIRE_MESSAGE(made.exit_code == 0, made.err);
  CHECK(mentions(made.err, "1 allocation omitted"));
  CHECK(mentions(made.err, "no node 'elsewhere-1' of job 5"));
  const auto over = sim(call + " --part placements --format csv -q -o " + placements);
  REQUIRE_MESSAGE(over.exit_code == 0, over.err);
  std::map<std::string, std::set<std::string>> maps;
  std::map<std::string, int> wrong;
  for (const auto& cell : cells_of(table)) {
    maps[cell.at("collective")].insert(cell.at("map"));
    if (cell.at("chosen") == "true" && cell.at("element_bytes") == "1")
      wrong[cell.at("collective") + cell.at("message_bytes")] += std::stod(cell.at("loss")) > 0.01;
  }
  CHECK(maps["alltoall"] ==
        std::set<std::string>{"block on job 1", "block on job 2", "block on job 3"});
  const auto rows = cells_of(placements);
  CHECK(rows.size() == 4);
  for (const auto& row : rows) {
    CHECK(row.at("placements") == "3");
    CHECK(std::stod(row.at("wrong_fraction")) ==
          exactly(wrong.at(row.at("collective") + row.at("message_bytes")) / 3.0));
  }
  const auto sampled = sim(call + " --sample 2 --part placements --format csv -q");
  CHECK(column(sampled, "placements")[0] == "2");
  CHECK(mentions(sim(call + " --map file:x.csv").err, "--over"));
  CHECK(mentions(sim("select rules --platform crill --procs 4 --over " + jobs).err,
                 "crill has no node 'opuntia-10k-0' of job 1"));
  CHECK(mentions(sim("select rules --platform crill --procs 4 --sample 3").err,
                 "--sample: has no effect without --over"));
}

TEST_CASE("allocations without enough nodes, and tables that a report does not have, are errors") {
  const TemporaryFolder folder;
  const auto jobs = folder.file("jobs.txt");
  std::ofstream(jobs) << "opuntia-10k-[0-1]\n";
  const std::string call =
      "select rules --platform opuntia-10k --ppn 2 --collective bcast --message-size 8 --refine 0 ";
  const auto few = sim(call + "--procs 8 --over " + jobs);
  CHECK(few.exit_code == 2);
  CHECK(
      mentions(few.err, "no allocation has the 4 nodes that 8 processes need; the largest has 2"));
  const auto absent = sim(call + "--procs 4 --part placements --format json");
  CHECK(absent.exit_code == 2);
  CHECK(mentions(absent.err, "this report has no table placements"));
  const auto some =
      sim("select rules --platform opuntia-10k --procs 4 --ppn 1,2 --collective bcast "
          "--message-size 8 --refine 0 --over " +
          jobs);
  CHECK(some.exit_code == 0);
  CHECK(mentions(some.out, "too large for the machine or the allocations: 1 combination"));
}
