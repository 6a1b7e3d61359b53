// SPDX-License-Identifier: BSD-3-Clause
// sim validate measured: the scoreboard of hand-written files, and of real measurements if they are
// next to the checkout.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "sim/base/text.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti;
using namespace tutti::tests;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* header = "collective,algorithm,nprocs,ppn,buffer_bytes,t_median_s,gpu\n";

Ended validate(std::vector<std::string> options) {
  options.insert(options.begin(), {"validate", "measured"});
  return run_sim(options);
}

// The row of a table with this text in its first column.
Json row_of(const Json& report, const std::string& table, const std::string& name) {
  for (const auto& each : report["tables"]) {
    if (each["name"] != table) continue;
    for (const auto& row : each["rows"])
      if (row.begin().value() == name) return row;
  }
  FAIL("no row " << name);
  return {};
}

}  // namespace

TEST_CASE("measured times that the machine predicts exactly have no error") {
  const TemporaryFolder folder;
  const auto simulated = run_sim({"run", "bcast", "--platform", "crill", "--procs", "16", "--ppn",
                                  "1", "--algorithm", "binomial,chain", "--message-size",
                                  "1KiB,64KiB,1MiB", "--format", "csv", "--no-cost"});
  const auto file = folder.write("times.csv", simulated.out);
  const auto ended = validate({file, "--platform", "crill", "--format", "json"});
  REQUIRE(ended.exit_code == 0);
  const Json report = Json::parse(ended.out);
  CHECK(report["points"].size() == 6);
  const Json score = row_of(report, "scores", "bcast");
  CHECK(score["median_error"].get<double>() < 1e-12);
  CHECK(score["correct_fraction"] == 1);
  CHECK(score["mean_regret"] == 0);
  CHECK(row_of(report, "methods", "Hockney")["median_error"] > 0);
  for (const std::string model : {"LogGP", "Hockney"})
    CHECK(row_of(report, "methods", model + ", fitted")["median_error"] <
          row_of(report, "methods", model)["median_error"]);
}

TEST_CASE("the choice of the measured library is a method without errors") {
  const TemporaryFolder folder;
  const std::string rows =
      "collective,algorithm,nprocs,ppn,buffer_bytes,t_median_s,mpi\n"
      "bcast,binomial_ompi,8,1,16384,2e-5,{0}\nbcast,chain_ompi,8,1,16384,1e-5,{0}\n";
  const auto file = folder.write("t.csv", fmt::format(fmt::runtime(rows), "OMPI 4.1.6"));
  const auto ended = validate({file, "--platform", "crill", "--format", "json"});
  REQUIRE(ended.exit_code == 0);
  const Json report = Json::parse(ended.out);
  const Json choice = row_of(report, "methods", "library's choice");
  CHECK(choice["median_error"].is_null());
  CHECK(choice["settings"] == 1);
  CHECK(choice["mean_regret"] == 1);
  CHECK(row_of(report, "worst", "bcast")["cause"].is_string());
  const auto unknown = folder.write("u.csv", fmt::format(fmt::runtime(rows), "FJMPI 4.0.1"));
  const auto without = validate({unknown, "--platform", "crill", "--part", "methods"});
  CHECK(without.exit_code == 0);
  CHECK(without.out.find("library's choice") == std::string::npos);
}

TEST_CASE("scores contain the fraction of the measured times inside the platform's intervals") {
  const TemporaryFolder folder;
  const auto run =
      run_sim({"run", "bcast", "--platform", "crill", "--procs", "8", "--ppn", "1", "--algorithm",
               "binomial", "--message-size", "1KiB", "--format", "json", "--no-cost"});
  const double time_s = Json::parse(run.out)["points"][0]["time_s"];
  std::string rows = header;
  for (const double factor : {1.0, 1.15, 1 / 1.15, 1.6})
    rows += fmt::format("bcast,binomial_ompi,8,1,1024,{},no\n", factor * time_s);
  const auto file = folder.write("times.csv", rows);
  const auto covered = [&](const std::vector<std::string>& settings) {
    std::vector<std::string> options{file, "--platform", "crill", "--format", "json"};
    for (const auto& setting : settings) options.insert(options.end(), {"--set", setting});
    return row_of(Json::parse(validate(options).out), "scores", "bcast")["covered_fraction"];
  };
  CHECK(covered({}).is_null());
  CHECK(covered({"accuracy/all=1.1", "accuracy/bcast=1.2"}) == 0.75);
  CHECK(covered({"accuracy/bcast=1.1"}) == 0.25);
  CHECK(covered({"accuracy/bcast=1.1", "accuracy/nodes=4"}) == 0.75);  // the interval widens
  CHECK(covered({"accuracy/bcast=1.1", "accuracy/message_size=1"}) == 1);
}

TEST_CASE("rows of unknown algorithms and of accelerators are omitted and counted") {
  const TemporaryFolder folder;
  const auto file =
      folder.write("times.csv", std::string(header) + "bcast,binomial_ompi,8,1,1024,1e-5,no\n" +
                                    "bcast,trinary_over,8,1,1024,1e-5,no\n"
                                    "bcast,chain_ompi,8,1,1024,1e-5,yes\n");
  const auto ended = validate({file, "--platform", "crill", "--part", "points"});
  CHECK(ended.exit_code == 0);
  CHECK(ended.err.find("2 of 3 rows are skipped: Tutti does not support bcast 'trinary_over'") !=
        std::string::npos);
  CHECK(ended.out.find("binomial_ompi") != std::string::npos);
}

TEST_CASE("only unknown algorithms are an error, and times equal to theirs are listed") {
  const TemporaryFolder folder;
  const auto unknown =
      folder.write("unknown.csv", std::string(header) + "bcast,trinary_over,8,1,1024,1e-5,no\n");
  const auto none = validate({unknown, "--platform", "crill"});
  CHECK(none.exit_code == 2);
  CHECK(none.err.find("no row has an algorithm that Tutti knows") != std::string::npos);
  std::string rows = header;
  for (const char* size : {"1024", "2048", "4096"})
    for (const char* name : {"default-binomial", "default-trinaryx6"})
      rows += fmt::format("bcast,{},8,1,{},1e-3,no\n", name, size);
  const auto ended = validate({folder.write("alike.csv", rows), "--platform", "crill"});
  CHECK(ended.exit_code == 0);
  CHECK(ended.out.find("Measured times that match another algorithm") != std::string::npos);
  CHECK(ended.out.find("default-trinaryx6") != std::string::npos);
  CHECK(ended.out.find("\nwithout similar") == std::string::npos);  // there is no other row
}

TEST_CASE("rows that the machine cannot run are omitted, and it is an error if none is left") {
  const TemporaryFolder folder;
  const std::string small = "bcast,binomial_ompi,8,1,1024,1e-5,no\n";
  const std::string large = "bcast,binomial_ompi,64,1,1024,1e-5,no\n";  // crill has 16 nodes
  const auto both =
      validate({folder.write("both.csv", header + small + large), "--platform", "crill"});
  CHECK(both.exit_code == 0);
  CHECK(both.err.find("1 row skipped that cannot run on crill") != std::string::npos);
  const auto none = validate({folder.write("none.csv", header + large), "--platform", "crill"});
  CHECK(none.exit_code != 0);
  CHECK(none.out.empty());
}

TEST_CASE("errors in files of the scoreboard are reported at their place") {
  const TemporaryFolder folder;
  const auto file = folder.write("t.csv", std::string(header) + "bcast,binomial,8,1,8,1e-5,no\n");
  const auto benchmark = validate({file, "--platform", "crill", "--benchmark", "pic"});
  CHECK(benchmark.exit_code == 2);
  CHECK(benchmark.err.find("--benchmark: unknown benchmark 'pic'") != std::string::npos);
  CHECK(benchmark.err.find("pico") != std::string::npos);
  CHECK(validate({"--platform", "crill"}).err.find("no measurements") != std::string::npos);
  CHECK(validate({file}).err.find("--platform") != std::string::npos);
  CHECK(validate({folder.file("absent.csv"), "--platform", "crill"}).exit_code != 0);
}

TEST_CASE("measured times may come from standard input") {
  const TemporaryFolder folder;
  const auto file = folder.write(
      "t.csv", std::string(header) + "bcast,binomial,8,1,8,1e-5,no\nbcast,bine,8,1,8,1e-5,no\n");
  const auto ended = run({.args = {"/bin/sh", "-c",
                                   "cat " + file + " | " + sim_path() +
                                       " validate measured - --platform crill --part points"}});
  CHECK(ended.exit_code == 0);
  CHECK(ended.err.find("standard input:3: 1 of 2 rows is skipped") != std::string::npos);
  CHECK(ended.out.find("binomial") != std::string::npos);
  const auto empty = run(
      {.args = {"/bin/sh", "-c", sim_path() + " validate measured - --platform crill </dev/null"}});
  CHECK(empty.exit_code == 2);
  CHECK(empty.err.find("standard input: the file is empty") != std::string::npos);
}

TEST_CASE("microseconds in a column of seconds give a warning") {
  const TemporaryFolder folder;
  const auto file = folder.write("t.csv", std::string(header) + "bcast,binomial,8,1,8,12.5,no\n");
  const auto ended = validate({file, "--platform", "crill"});
  CHECK(ended.exit_code == 0);
  CHECK_MESSAGE(
      ended.err.find("t.csv: the times look like microseconds, not seconds: 12.5 s for "
                     "bcast of 8 B; name a column in microseconds time_us") != std::string::npos,
      ended.err);
}

TEST_CASE("equal times are drawn separately") {
  const TemporaryFolder folder;
  const auto file = folder.write("t.csv", std::string(header) +
                                              "bcast,binomial,8,1,8,1e-5,no\n"
                                              "bcast,binomial,16,1,8,1e-5,no\n"
                                              "bcast,binomial,16,1,64,2e-5,no\n");
  REQUIRE(validate({file, "--platform", "crill", "-o", folder.file("r.json")}).exit_code == 0);
  const auto drawn = run_sim({"plot", folder.file("r.json"), "-o", folder.file("r.vg")});
  CHECK_MESSAGE(drawn.exit_code == 0, drawn.err);
}

TEST_CASE("a benchmark's measuring method changes the prediction") {
  const TemporaryFolder folder;
  const auto file =
      folder.write("t.csv", std::string(header) + "bcast,binomial_ompi,256,16,8,1e-5,no\n");
  const auto time_with = [&](std::vector<std::string> more) {
    std::vector<std::string> options{file, "--platform", "crill", "--format", "json"};
    options.insert(options.end(), more.begin(), more.end());
    return Json::parse(validate(options).out)["points"][0]["time_s"].get<double>();
  };
  CHECK(time_with({"--benchmark", "pico"}) < 0.5 * time_with({}));
}

namespace {

// The rows of algorithms that Tutti had when the machines were fitted. Those of 254 processes take
// a third of the time, and there are some of 200 and of 256.
std::string fitted_rows(const std::string& text) {
  std::string kept;
  for (const auto line : tutti::split(text, '\n')) {
    bool is_omitted = false;
    for (const char* name :
         {"bine_", "sparbit", "k_bruck", "recursive_distance_doubling", ",254,1,254,"})
      is_omitted |= line.find(name) != std::string_view::npos;
    if (!is_omitted) kept.append(line).append("\n");
  }
  return kept;
}

}  // namespace

// The errors of each machine, with some margin; without the 91 rows of 254 processes on leonardo.
TEST_CASE("the catalog predicts the data that it was fitted to") {
  struct Case {
    const char* machine;
    const char* file;
    double median_error, correct_fraction, mean_regret;
    // The latency of the two links of the nodes, if the fit did not know distances: the jobs did
    // not run on the first nodes of the machine.
    const char* fitted_latency;
  };
  for (const Case& c : {Case{"leonardo", "leonardo_upto256.csv", 0.1, 0.91, 0.06, "0.606us"},
                        Case{"fugaku", "fugaku_upto64.csv", 0.11, 0.8, 0.15, nullptr},
                        Case{"lumi", "lumi_upto32.csv", 0.13, 0.93, 0.02, "0.424us"},
                        Case{"marenostrum5", "marenostrum5_subset.csv", 0.08, 0, 0, nullptr}}) {
    const auto path = std::filesystem::path(TUTTI_SOURCE_DIR) / "../shared/data/measured" / c.file;
    CAPTURE(std::string(c.machine));
    if (!std::filesystem::exists(path)) {
      MESSAGE("skipped: missing " << path.string());
      continue;
    }
    const TemporaryFolder folder;
    const auto file = folder.write(c.file, fitted_rows(read_file(path.string())));
    std::vector<std::string> options{file,   "--platform", c.machine, "--benchmark",
                                     "pico", "--format",   "json",    "-q"};
    if (c.fitted_latency != nullptr)
      for (const std::string& setting :
           {"link/node/latency=" + std::string(c.fitted_latency),
            std::string("link/local/latency=0"), std::string("link/global/latency=0")})
        options.insert(options.end(), {"--set", setting});
    const auto ended = validate(options);
    REQUIRE(ended.exit_code == 0);
    const Json score = row_of(Json::parse(ended.out), "scores", "all");
    CHECK(score["median_error"] <= c.median_error);
    CHECK(score["covered_fraction"] >= 0.8);
    if (c.correct_fraction == 0) continue;
    CHECK(score["correct_fraction"] >= c.correct_fraction);
    CHECK(score["mean_regret"] <= c.mean_regret);
  }
}

TEST_CASE("a job's torus is that of its row") {
  const TemporaryFolder folder;
  const std::string header = "collective,algorithm,nodes,nprocs,ppn,buffer_bytes,t_median_s\n";
  const std::string row = ",64,1,8388608,1e-3\n";
  const auto file = folder.write(
      "t.csv", header + "alltoall,linear,4x4x4" + row + "alltoall,linear,1x1x64" + row);
  const auto ended = validate({file, "--platform", "fugaku", "--format", "json", "-q"});
  REQUIRE(ended.exit_code == 0);
  const auto points = Json::parse(ended.out)["points"];
  const auto simulated = [](const std::string& torus) {
    const auto run =
        run_sim({"run", "alltoall", "--platform", "fugaku", "--set", "torus/dimensions=" + torus,
                 "--procs", "64", "--ppn", "1", "--algorithm", "linear", "--message-size", "131072",
                 "--engine", "flow", "--format", "json"});
    return Json::parse(run.out)["points"][0]["time_s"].get<double>();
  };
  CHECK(points[0]["time_s"].get<double>() == exactly(simulated("4x4x4")));
  CHECK(points[1]["time_s"].get<double>() == exactly(simulated("1x1x64")));
  CHECK(points[1]["time_s"] > points[0]["time_s"]);
  const auto flat = run_sim({"platform", "show", "crill", "--set", "torus/dimensions=4x4"});
  CHECK(flat.err.find("torus/dimensions: the cluster is not a torus") != std::string::npos);
  const auto empty = run_sim({"platform", "show", "fugaku", "--set", "torus/dimensions=4x0"});
  CHECK(empty.err.find("torus/dimensions: invalid number '0': expected an integer from 1") !=
        std::string::npos);
}
