// SPDX-License-Identifier: BSD-3-Clause
// sim validate models: formulas against simulations in all formats, and rejected input.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/rejected.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;

namespace {

Args small(const Args& more = {}) {
  Args args{"validate",     "models", "--platform",     "crill",      "--procs", "16,64",
            "--collective", "bcast",  "--message-size", "1KiB,64KiB", "-q"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

}  // namespace

TEST_CASE("the parts of each error sum to it, and the times are those of sim run") {
  const auto all = nlohmann::json::parse(out_of(small({"--format", "json"})));
  CHECK(all["schema"] == "sim.validate.models/1");
  CHECK(all["points"].size() == 10 * 2 * 2 * 2);
  for (const auto& point : all["points"]) {
    const double error = point["relative_error"];
    double sum = 0;
    for (const char* part : {"links", "nics", "nodes", "protocol", "formula", "parameters"})
      sum += point[std::string(part) + "_fraction"].get<double>();
    CHECK(std::fabs(sum - error) <= 1e-12 * std::max(1.0, std::fabs(error)));
    CHECK(error == exactly(double(point["model_s"]) / double(point["time_s"]) - 1));
  }
  const auto run = nlohmann::json::parse(
      out_of({"run", "bcast", "--platform", "crill", "--procs", "64", "--algorithm", "binomial",
              "--message-size", "64KiB", "--engine", "flow", "--format", "json"}));
  for (const auto& point : all["points"])
    if (point["algorithm"] == "binomial" && point["procs"] == 64 &&
        point["message_bytes"] == 65536 && point["model"] == "loggp") {
      CHECK(point["time_s"] == run["points"][0]["time_s"]);
      CHECK(point["model_s"] == run["points"][0]["model_loggp_s"]);
    }
}

TEST_CASE("the result does not depend on the number of concurrent points") {
  CHECK(out_of(small({"-j", "1", "--format", "csv"})) ==
        out_of(small({"-j", "2", "--format", "csv"})));
}

TEST_CASE("text output has the errors and the ranking, and further tables on request") {
  const std::string text = out_of(small());
  CHECK(mentions(text, "Errors of the formulas"));
  CHECK(mentions(text, "Ranking of the algorithms by the formulas"));
  CHECK(mentions(text, "--part points"));
  CHECK_FALSE(mentions(text, "Free (us)"));
  CHECK(mentions(out_of(small({"--part", "points"})), "Free (us)"));
  CHECK(mentions(out_of(small({"--part", "choices", "--format", "csv"})), "collective,procs,ppn,"));
  CHECK(mentions(out_of(small({"--format", "md"})), "## Errors of the formulas"));
}

TEST_CASE("only requested points are simulated") {
  const auto off = nlohmann::json::parse(
      out_of(small({"--contention", "off", "--formulas", "hockney", "--format", "json"})));
  CHECK(off["points"][0]["time_s"].is_null());
  CHECK(off["points"][0]["contention_free_error"].is_number());
  CHECK(off["points"][0]["nics_fraction"].is_null());
  CHECK(off["points"].size() == 10 * 2 * 2);
  const auto plain = nlohmann::json::parse(out_of(small({"--no-parts", "--format", "json"})));
  CHECK(plain["points"][0]["relative_error"].is_number());
  CHECK(plain["points"][0]["nics_fraction"].is_null());
}

TEST_CASE("one process per node on a machine that matches LogGP: the formulas are exact") {
  const TemporaryFolder folder;
  const std::string xml = folder.file("logp.xml");
  out_of({"platform", "new", "flat", "--nodes", "64", "-q", "-o", xml});
  Args args{"validate",
            "models",
            "--platform",
            xml,
            "--ppn",
            "1",
            "--procs",
            "16,64",
            "--collective",
            "bcast,allgather",
            "--algorithm",
            "pipeline,binomial,ring,neighbor,recursive_doubling",
            "--message-size",
            "1:1MiB:*16",
            "--contention",
            "off",
            "--formulas",
            "loggp",
            "--set",
            "mpi/eager_limit=1TiB",
            "--set",
            "mpi/copy_bandwidth=none",
            "--set",
            "mpi/nic_order=fifo",
            "-q",
            "--fail-above",
            "2%",
            "--parameters-from"};
  for (const char* whose : {"protocol", "measured"}) {
    args.push_back(whose);
    const Ended ended = run_sim(args);
    CAPTURE(ended.err);
    CHECK(ended.exit_code == 0);
    args.pop_back();
  }
}

TEST_CASE("--fail-above fails with exit code 1 and names the worst formula") {
  const Ended ended = run_sim(small({"--fail-above", "10%"}));
  CHECK(ended.exit_code == 1);
  CHECK(mentions(ended.err, "formulas exceeds 10 %"));
  CHECK(mentions(ended.err, "largest error: bcast"));
  CHECK(mentions(ended.out, "Errors of the formulas"));
}

TEST_CASE("one page has all tables and plots, and a plot can be written separately") {
  const TemporaryFolder folder;
  const std::string json = folder.file("m.json");
  out_of(small({"-o", json}));
  const std::string page = out_of({"report", json, json, "-o", "-"});
  CHECK(mentions(page, "Errors of the formulas"));
  CHECK(mentions(page, "simulated over model"));
  CHECK(mentions(page, "\"parts\":[{"));
  CHECK(run_sim({"plot", json, "-o", folder.file("m.vg")}).exit_code == 0);
}

TEST_CASE("invalid options are rejected with a hint") {
  CHECK(mentions(rejected({"validate", "models", "--procs", "4"}), "--platform: is required"));
  CHECK(mentions(rejected({"validate", "models", "--platform", "crill"}), "--procs: is required"));
  CHECK(mentions(rejected(small({"--algorithm", "binomal"})), "did you mean 'binomial'?"));
  CHECK(mentions(rejected(small({"--algorithm", "ring"})),
                 "none of the requested collectives has this algorithm"));
  CHECK(mentions(rejected(small({"--formulas", "logp"})), "did you mean 'loggp'?"));
  CHECK(mentions(rejected(small({"--part", "point"})), "did you mean 'points'?"));
  CHECK(mentions(rejected(small({"--fail-above", "x"})), "invalid percentage 'x'"));
  CHECK(mentions(rejected(small({"--fail-above", "10"})),
                 "write 10% for a percentage, or 1000% for a factor of 10"));
  CHECK(mentions(rejected(small({"-j", "0"})), "1 to 4096"));
  CHECK(mentions(rejected(small({"--format", "osu"})),
                 "format osu is not available for this report"));
  CHECK(mentions(rejected(small({"what"})), "unexpected argument 'what'"));
  CHECK(mentions(rejected({"validate", "models", "--platform", "crill", "--procs", "1"}),
                 "select nothing to compare"));
  CHECK(mentions(rejected({"validate", "models", "--platform", "crill", "--procs", "1000"}),
                 "--procs"));
}
