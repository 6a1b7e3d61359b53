// SPDX-License-Identifier: BSD-3-Clause
// sim tune: searches on simulated workloads.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "sim/base/text.hpp"
#include "tests/support/tuned.hpp"

using namespace tutti;
using namespace tutti::tests;

TEST_CASE("every search runs, and is compared with brute force, the best of all") {
  const TemporaryFolder folder;
  const auto ended = tune(folder, small_study, {"--part", "searches", "--format", "csv"});
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  const auto rows = rows_of(ended, folder);
  REQUIRE(rows.size() == 5);
  std::map<std::string, std::map<std::string, double>> by_search;
  for (const auto& row : rows)
    for (const char* column : {"evaluations", "cost", "best_s", "above_best", "gain"})
      by_search[to_text(row.at("search"))][column] = number_of(row.at(column)).value();
  // 5 x 4 x 4 with the default fan-out, and two more of chain.
  CHECK(by_search["brute-force"]["evaluations"] == 5 * 4 * (3 + 3));
  CHECK(by_search["brute-force"]["above_best"] == 0);
  for (const auto& [name, found] : by_search) {
    CAPTURE(name);
    CHECK(found.at("above_best") >= 0);
    CHECK(found.at("gain") > 0);
    CHECK(found.at("evaluations") <= by_search["brute-force"]["evaluations"]);
  }
  CHECK(by_search["model"]["above_best"] < 0.1);
}

TEST_CASE("the same seed gives the same search, and the report has its parts") {
  const TemporaryFolder folder;
  const std::vector<std::string> words{"--method", "model", "--seed",   "3",
                                       "--budget", "12",    "--format", "csv"};
  const auto first = tune(folder, small_study, words), second = tune(folder, small_study, words);
  REQUIRE(first.exit_code == 0);
  CHECK(first.out == second.out);
  const auto text = tune(folder, small_study, {"--method", "factorial,model", "--budget", "10"});
  REQUIRE(text.exit_code == 0);
  for (const char* part : {"The best values", "Cost and quality of the searches",
                           "Times with the default values", "Main effects of the 2^k factorial"})
    CHECK(text.out.find(part) != std::string::npos);
}

TEST_CASE("a study of sim sweep is tuned as it is") {
  const TemporaryFolder folder;
  const std::string head =
      "[study]\nname = \"s\"\n[base]\nworkload = \"bcast\"\nplatform = \"crill\"\n"
      "procs = 32\nppn = 4\n";
  const std::string sweep =
      head +
      "[matrix]\nalgorithm = [\"chain\", \"binomial\", \"pipeline\"]\n"
      "message_size = [\"1KiB\", \"256KiB\"]\n\"mpi/eager_limit\" = [\"4KiB\", "
      "\"64KiB\"]\n[[report.plot]]\nx = \"message_bytes\"\n";
  const std::string explicit_form =
      head +
      "[objective]\nmessage_size = [\"1KiB\", \"256KiB\"]\n[[parameter]]\nname = \"algorithm\"\n"
      "values = [\"chain\", \"binomial\", \"pipeline\"]\n[[parameter]]\nname = "
      "\"mpi/eager_limit\"\n"
      "values = [\"4KiB\", \"64KiB\"]\n";
  const std::vector<std::string> words{"--method", "brute-force", "--format", "csv"};
  const auto tuned = tune(folder, sweep, words);
  REQUIRE_MESSAGE(tuned.exit_code == 0, tuned.err);
  CHECK(tuned.out == tune(folder, explicit_form, words).out);
  CHECK(tuned.out.find("binomial") != std::string::npos);
  const auto zipped = tune(folder, sweep + "[[zip]]\nroot = [0, 1]\nprocs = [4, 8]\n", words);
  CHECK(zipped.exit_code == 2);
  CHECK(zipped.err.find("[[zip]] does not apply to sim tune") != std::string::npos);
}

TEST_CASE("the section [job] is accepted with a note, and sim sweep names sections of sim tune") {
  const TemporaryFolder folder;
  const std::string text = std::string("[job]\nengine = \"flow\"\n") + small_study;
  const std::vector<std::string> words{"--method", "factorial", "--budget", "4"};
  const auto old = tune(folder, text, words);
  CHECK(old.exit_code == 0);
  CHECK((old.out + old.err).find("[job] is deprecated: use [base]") != std::string::npos);
  const auto both = tune(folder, text + "[base]\nengine = \"flow\"\n", words);
  CHECK(both.exit_code == 2);
  CHECK(both.err.find("[job] is the former name of [base], which is given too") !=
        std::string::npos);
  const Ended swept = run_sim({"sweep", folder.write("t.toml", small_study), "--list"});
  CHECK(swept.exit_code == 2);
  CHECK(swept.err.find("section 'parameter' belongs to sim tune") != std::string::npos);
}

TEST_CASE("invalid studies are rejected with an explanation") {
  const TemporaryFolder folder;
  const auto fails = [&](const std::string& from, const std::string& to,
                         const std::string& message) {
    std::string text = small_study;
    text.replace(text.find(from), from.size(), to);
    const auto ended = tune(folder, text);
    CAPTURE(ended.err);
    CHECK(ended.exit_code == 2);
    CHECK(ended.err.find(message) != std::string::npos);
  };
  fails("procs = 32", "procs = 99999", "study.toml:");
  fails("\"crill\"", "\"crll\"", "crll");
  fails("name = \"fanout\"", "name = \"aggregators\"", "aggregators");
  fails("\"pipeline\"", "\"pipelin\"", "pipelin");
  CHECK(run_sim({"tune"}).exit_code == 2);
  CHECK(run_sim({"tune", "missing.toml"}).exit_code == 2);
  CHECK(tune(folder, small_study, {"--method", "guess"}).exit_code == 2);
}

TEST_CASE("a mix of collectives is tuned by single parameters, and exported in Open MPI's names") {
  const TemporaryFolder folder;
  const std::string mix = R"([study]
name = "mix"
[base]
platform = "crill"
engine = "flow"
procs = 32
ppn = 4
[[objective]]
workload = "bcast"
message_size = "16KiB"
weight = 3
[[objective]]
workload = "allreduce"
message_size = "16KiB"
[[parameter]]
name = "coll_tuned_bcast_algorithm"
values = [5, 6]
[[parameter]]
name = "allreduce/algorithm"
values = ["ring", "recursive_doubling"]
[[parameter]]
name = "btl_openib_eager_limit"
values = ["12KiB", "24KiB"]
[[parameter]]
name = "btl_openib_free_list_num"
values = [8, 16]
[search]
method = "brute-force"
)";
  const auto settings = folder.file("best.toml"), database = folder.file("params.db");
  const auto ended = tune(folder, mix, {"--settings", settings, "--open-mpi", "4.1"});
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  CHECK(ended.out.find("16 combinations") == std::string::npos);
  CHECK(ended.out.find("btl_openib_free_list_num: not searched") != std::string::npos);
  CHECK(ended.out.find("coll_tuned_allreduce_algorithm") != std::string::npos);
  // Broadcasts of 16 KiB are faster if they are sent eagerly.
  REQUIRE(run_sim({"params", "put", settings, "--db", database}).exit_code == 0);
  const auto kept = run_sim({"params", "get", "--db", database, "--host", "crill", "--app", "mix",
                             "--procs", "32", "--export", "mca"});
  REQUIRE_MESSAGE(kept.exit_code == 0, kept.err);
  CHECK(kept.out.find("btl_openib_eager_limit = 24576") != std::string::npos);
  CHECK(kept.out.find("coll_tuned_bcast_algorithm = 6") != std::string::npos);
  CHECK(kept.out.find("free_list") == std::string::npos);
}

TEST_CASE("inputs are not overwritten, and fixed arguments of the job cannot be parameters") {
  const TemporaryFolder folder;
  const auto file = folder.file("study.toml");
  const auto rejected = [&](const std::string& text, const std::vector<std::string>& more,
                            const std::string& message) {
    const auto ended = tune(folder, text, more);
    CAPTURE(ended.err);
    CHECK(ended.exit_code == 2);
    CHECK(ended.err.find(message) != std::string::npos);
  };
  const std::string text = small_study;
  rejected(text, {"--settings", file}, "is an input");
  rejected(text, {"--settings", folder.file("a.csv"), "-o", folder.file("a.csv")}, "written twice");
  const auto with = [&](const std::string& name, const std::string& values) {
    return text + "[[parameter]]\nname = \"" + name + "\"\nvalues = " + values + "\n";
  };
  rejected(with("procs", "[8, 16]"), {}, "part of the problem");
  rejected(with("root", "[0, 0]"), {}, "duplicate value '0'");
  auto all = text;
  rejected(all.replace(all.find("\"pipeline\""), 10, "\"all\""), {}, "several algorithms");
}

TEST_CASE("parameters without effect keep their default") {
  const TemporaryFolder folder;
  const std::string credits = R"([base]
platform = "crill"
engine = "flow"
[objective]
workload = "pingpong"
path = "inter"
message_size = "16KiB"
[[parameter]]
name = "mpi/eager_limit"
values = "1.5KiB:48KiB:*2"
default = "12KiB"
[[parameter]]
name = "mpi/eager_credits"
values = "1:32:*2"
default = 16
)";
  for (const char* method : {"model", "halving"}) {
    const auto ended =
        tune(folder, credits, {"--method", method, "--part", "best", "--format", "csv"});
    REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
    const auto rows = rows_of(ended, folder);
    REQUIRE(rows.size() == 2);
    CHECK(number_of(rows[0].at("best")) >= 16384);
    CHECK(number_of(rows[1].at("best")) == 16);
    CHECK(to_text(rows[1].at("effect")) == "none seen");
  }
}

TEST_CASE("buffers are limited by memory") {
  const TemporaryFolder folder;
  const std::string job = R"([base]
platform = "crill"
engine = "flow"
procs = 16
ppn = 1
[objective]
workload = "bcast"
algorithm = "binomial"
message_size = "16KiB"
[[parameter]]
name = "mpi/eager_limit"
values = ["12KiB", "24KiB", "48KiB"]
[search]
method = "brute-force"
)";
  const std::string credits = "[[parameter]]\nname = \"mpi/eager_credits\"\nvalues = [4, 64]\n";
  const auto limit = [](const std::string& memory) {
    return "[constraint]\nmemory = \"" + memory + "\"\n";
  };
  // 15 peers, each with 4 buffers of 24 KiB: 1.4 MiB.
  const auto fits =
      tune(folder, job + credits + limit("1.5MiB"), {"--part", "evaluations", "--format", "csv"});
  REQUIRE_MESSAGE(fits.exit_code == 0, fits.err);
  std::size_t evaluated = 0;
  for (const auto& row : rows_of(fits, folder))
    evaluated += number_of(row.at("time_s")).has_value() ? 1U : 0U;
  CHECK(evaluated == 2);
  const auto none = tune(folder, job + credits + limit("1KiB"));
  CHECK(none.exit_code == 1);
  CHECK(none.err.find("1 KiB of buffers") != std::string::npos);
  const auto unlimited = tune(folder, job + limit("1.5MiB"));
  CHECK(unlimited.exit_code == 2);
  CHECK(unlimited.err.find("mpi/eager_credits") != std::string::npos);
}

TEST_CASE("stages: candidates that are fast between two nodes advance to the collective") {
  const TemporaryFolder folder;
  const std::string staged = R"([base]
platform = "crill"
engine = "flow"
[[objective]]
workload = "pingpong"
path = "inter"
message_size = "16KiB"
[[objective]]
workload = "bcast"
stage = 2
procs = 16
ppn = 1
message_size = "64KiB"
[[parameter]]
name = "mpi/eager_limit"
values = "1.5KiB:96KiB:*2"
default = "12KiB"
[search]
method = "brute-force"
survivors = "1%"
)";
  const auto ended = tune(folder, staged);
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  CHECK(ended.out.find("stage 1: 3 of 7 continue") != std::string::npos);
  CHECK(ended.out.find("bcast, 64 KiB") != std::string::npos);
}

TEST_CASE("--each tunes each objective alone, with OTPO's file after the predicted evaluations") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("sm.params"))
      << "btl_sm_max_send_size -d 32768 -p {16384 32768 65536}\n"
         "btl_sm_num_fifos -d 1 -p {1 2 4}\n";
  const std::string each = R"([study]
otpo = "sm.params"
[base]
platform = "crill"
engine = "flow"
[[objective]]
workload = "pingpong"
path = "intra"
message_size = ["64KiB", "1MiB"]
[[objective]]
workload = "bcast"
name = "tree"
procs = 48
message_size = "128KiB"
[search]
method = "all"
without_effect = "search"
)";
  const auto ended = tune(folder, each, {"--each", "--format", "csv"});
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  const auto rows = rows_of(ended, folder);
  REQUIRE(rows.size() == 10);
  CHECK(to_text(rows.front().at("objective")) == "pingpong, 64 KiB to 1 MiB");
  CHECK(to_text(rows.back().at("objective")) == "tree");
  for (const auto& row : rows) {
    CHECK(number_of(row.at("combinations")) == 9);
    if (to_text(row.at("search")) == "factorial")
      CHECK(number_of(row.at("evaluations")) == number_of(row.at("predicted")));
  }
  const auto summary = tune(folder, each, {"--each", "--part", "summary"});
  CHECK(summary.out.find("over 2 objectives") != std::string::npos);
  CHECK(tune(folder, each, {"--each", "--settings", "x.toml"}).exit_code == 2);
  CHECK(tune(folder, each + "x = 1\n").exit_code == 2);
}

#ifndef __SANITIZE_ADDRESS__
TEST_CASE("too little memory for SimGrid is not an internal error") {
  const TemporaryFolder folder;
  const auto file = folder.file("study.toml");
  std::ofstream(file) << R"([base]
platform = "crill"
engine = "simgrid"
procs = 4
[[objective]]
workload = "bcast"
message_size = "64KiB"
[[parameter]]
name = "algorithm"
values = ["binomial", "chain"]
)";
  const Ended ended = run({.args = {"/bin/sh", "-c", "ulimit -v 40000; exec \"$0\" \"$@\"",
                                    sim_path(), "tune", file, "-q"}});
  CHECK(ended.exit_code == 1);
  CHECK(ended.err.find("internal error") == std::string::npos);
  CHECK_MESSAGE(ended.err.find("memory") != std::string::npos, ended.err);
}
#endif
