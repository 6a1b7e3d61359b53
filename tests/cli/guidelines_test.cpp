// SPDX-License-Identifier: BSD-3-Clause
// sim guidelines check, sim list mockups, and mock-ups as algorithms of sim run.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/refused.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;
using Json = nlohmann::json;

namespace {

Args small(const Args& more = {}) {
  Args args{"guidelines", "check", "--platform",     "jupiter",     "--procs", "32",
            "--ppn",      "1",     "--message-size", "64:1MiB:*32", "-q"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

Json json_of(const Args& args) {
  const Ended ended = run_sim(args);
  CHECK((ended.exit_code == 0 || ended.exit_code == 1));
  return Json::parse(ended.out);
}

}  // namespace

TEST_CASE("times are those of sim run, of the default and of the mock-up") {
  const auto report = json_of(small({"--guideline", "GL5,GL9", "--format", "json"}));
  CHECK(report["schema"] == "sim.guidelines.check/1");
  CHECK(report["points"].size() == 2 * 4 - 2);
  const auto time_of = [](const std::string& collective, const std::string& algorithm) {
    const auto run =
        Json::parse(out_of({"run", collective, "--platform", "jupiter", "--procs", "32", "--ppn",
                            "1", "--message-size", "2KiB", "--algorithm", algorithm, "--engine",
                            "flow", "--format", "json"}));
    return run["points"][0]["time_s"].get<double>();
  };
  for (const auto& point : report["points"]) {
    if (point["message_bytes"] != 2048) continue;
    const std::string collective = point["collective"];
    CHECK(point["default_time_s"] == exactly(time_of(collective, "auto")));
    CHECK(point["time_s"] == exactly(time_of(collective, point["mockup"])));
  }
}

TEST_CASE("what is worth replacing ends with exit code 1, thresholds decide") {
  const Args one = small({"--guideline", "GL5", "--selection", "allreduce=basic_linear"});
  const Ended found = run_sim(one);
  CHECK(found.exit_code == 1);
  CHECK(found.out.find("GL5") != std::string::npos);
  CHECK(found.err.find("worth replacing") != std::string::npos);
  Args never = one;
  never.insert(never.end(), {"--replaceable-from", "100%"});
  CHECK(run_sim(never).exit_code == 0);
}

TEST_CASE("a page of a report fits 80 columns") {
  TemporaryFolder folder;
  const auto pages = {run_sim(small()).out, out_of({"guidelines", "tune", "--platform", "jupiter",
                                                    "--procs", "32", "--ppn", "1", "--message-size",
                                                    "64:64KiB:*32", "-q", "-o", folder.path()})};
  for (const auto& page : pages)
    for (std::size_t at = 0; at < page.size();) {
      const auto end = page.find('\n', at);
      CHECK_MESSAGE(end - at <= 80, page.substr(at, end - at));
      at = end + 1;
    }
}

TEST_CASE("with noise there are runs, medians and a test") {
  const auto report = json_of(small({"--guideline", "GL9", "--noise", "multiplicative:0.05:1",
                                     "--runs", "5", "--repetitions", "3", "--format", "json"}));
  for (const auto& point : report["points"]) {
    CHECK(point["p"].is_number());
    CHECK(point["relative_latency_min"] <= point["relative_latency"]);
    CHECK(point["relative_latency"] <= point["relative_latency_max"]);
  }
}

TEST_CASE("mock-ups are listed apart from the algorithms, and never among the contestants") {
  const auto list = Json::parse(out_of({"list", "mockups", "--format", "json"}));
  CHECK(list["mockups"].size() == 23);
  CHECK(out_of({"list", "algorithms"}).find("_as_") == std::string::npos);
  const auto all = out_of({"run", "bcast", "--platform", "jupiter", "--procs", "8", "--algorithm",
                           "all", "--message-size", "1KiB", "--format", "csv"});
  CHECK(all.find("_as_") == std::string::npos);
}

TEST_CASE("profiles replace what rules decide, where memory suffices, and reports say so") {
  TemporaryFolder folder;
  folder.write("bcast.prf",
               "# pgtune profile\nMPI_Bcast\n8\n1\n1 bcast_as_allgatherv\n1\n1024 1024 1\n");
  const auto records = [&](const Args& more) {
    Args args{"run",
              "bcast",
              "--platform",
              "jupiter",
              "--procs",
              "8",
              "--message-size",
              "1KiB,2KiB",
              "--algorithm",
              "auto,bcast_as_allgatherv,knomial",
              "--profile",
              folder.path(),
              "--format",
              "json"};
    args.insert(args.end(), more.begin(), more.end());
    return Json::parse(out_of(args))["points"];
  };
  const auto replaced = records({});
  REQUIRE(replaced.size() == 6);
  CHECK(replaced[0]["algorithm"] == "bcast_as_allgatherv");
  CHECK(replaced[0]["decided_by"] == "profile");
  CHECK(replaced[0]["requested_algorithm"] == "auto");
  CHECK(replaced[0]["time_s"] == replaced[2]["time_s"]);
  CHECK(replaced[1]["decided_by"] == "ompi-4.1");
  CHECK(replaced[4]["algorithm"] == "knomial");
  const auto left = records({"--int-buffer", "63"});
  CHECK(left[0]["decided_by"] == "ompi-4.1 (no buffer for bcast_as_allgatherv)");
  CHECK(left[0]["time_s"] == left[4]["time_s"]);
}

TEST_CASE("tune writes profiles with which nothing is left to replace, and run applies them") {
  TemporaryFolder folder;
  const auto made = folder.path() + "/profiles";
  Args args{"guidelines",
            "tune",
            "--platform",
            "jupiter",
            "--procs",
            "32",
            "--ppn",
            "1",
            "--collective",
            "allreduce,scatter",
            "--message-size",
            "64:64KiB:*32",
            "-q",
            "-o",
            made,
            "--format",
            "json",
            "--selection",
            "allreduce=basic_linear"};
  const auto report = Json::parse(out_of(args));
  CHECK(report["schema"] == "sim.guidelines.tune/1");
  bool has_allreduce = false;
  for (const auto& point : report["points"]) {
    CHECK(point["parameters_time_s"].is_number());
    if (point["mockup"].is_null()) {
      CHECK(point["time_s"] == point["default_time_s"]);
      continue;
    }
    CHECK(point["relative_latency"] <= 0.9 + 1e-9);
    has_allreduce |= point["collective"] == "allreduce";
  }
  REQUIRE(has_allreduce);
  CHECK(read_file(made + "/allreduce_32.prf").starts_with("# pgtune profile\n"));
  const auto run =
      Json::parse(out_of({"run", "allreduce", "--platform", "jupiter", "--procs", "32", "--ppn",
                          "1", "--message-size", "64KiB", "--profile", made, "--format", "json"}));
  CHECK(run["points"][0]["decided_by"] == "profile");
  CHECK(refused(args).find("has profiles already") != std::string::npos);
}

TEST_CASE("options that cannot be are refused with a hint") {
  const auto has = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  has(refused(small({"--guideline", "GL23"})), "--guideline");
  has(refused(small({"--collective", "barrier"})), "--collective");
  has(refused(small({"--collective", "bcast", "--guideline", "GL1"})), "--guideline");
  has(refused(small({"--collective", "bcast", "--part", "scan"})), "scan is not checked");
  has(refused(small({"--collective", "allgather", "--selection", "allgather=two_proc"})),
      "leave nothing to compare");
  has(refused(small({"--runs", "3"})), "no effect without --noise");
  has(refused(small({"--selection", "bcast=binomal"})), "did you mean 'binomial'?");
  has(refused(small({"--selection", "hardware"})), "does no collective by itself");
  has(refused(small({"--selection", "auto:ompi-3.2"})), "unknown decision rules");
  has(refused(small({"--selection", "auto:rules=nowhere"})), "nowhere");
  const Args run{"run", "bcast", "--platform", "jupiter", "--procs", "8"};
  const auto with = [&](Args more) {
    more.insert(more.begin(), run.begin(), run.end());
    return refused(more);
  };
  has(with({"--int-buffer", "1"}), "has no effect without --profile");
  has(with({"--profile", "nowhere"}), "cannot read nowhere");
  has(with({"--profile", ".", "--algorithm", "chain"}), "it replaces what rules choose");
  has(refused({"guidelines", "check", "--platform", "jupiter"}), "--procs");
  has(refused({"run", "allgather", "--platform", "jupiter", "--procs", "4", "--algorithm",
               "allgather_as_gather_bcst"}),
      "did you mean 'allgather_as_gather_bcast'?");
}
