// SPDX-License-Identifier: BSD-3-Clause
// sim run --model-only: formulas without a simulation.
#include <doctest/doctest.h>

#include <chrono>

#include "tests/support/csv_columns.hpp"
#include "tests/support/files.hpp"
#include "tests/support/study_runs.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;

namespace {

using Words = std::vector<std::string>;

Ended sim(const std::string& workload, Words more) {
  more.insert(more.begin(), {"run", workload});
  more.insert(more.end(), {"--format", "csv", "-q", "--no-cost"});
  return run_sim(more);
}

void check_empty(const Ended& ended, const Words& columns) {
  for (const auto& name : columns) {
    CAPTURE(name);
    for (const auto& cell : column(ended, name)) CHECK(cell.empty());
  }
}

}  // namespace

TEST_CASE("formulas equal those printed with a simulation, and simulated columns are empty") {
  const Words job{"--platform",     "crill",     "--procs",     "16",
                  "--message-size", "1KiB,1MiB", "--algorithm", "binomial,pipeline"};
  Words alone = job;
  alone.emplace_back("--model-only");
  const Ended model = sim("bcast", alone), simulated = sim("bcast", job);
  REQUIRE(model.exit_code == 0);
  for (const char* name : {"model_hockney_s", "model_loggp_s", "algorithm", "message_bytes"})
    CHECK(column(model, name) == column(simulated, name));
  CHECK(column(model, "engine") == Words(4, "model"));
  check_empty(model, {"time_s", "time_mean_s", "messages", "wire_bytes", "eager_messages",
                      "contention", "merge_window"});
}

TEST_CASE("a curve of formulas at many processes takes no time") {
  const auto start = std::chrono::steady_clock::now();
  const Ended bcast = sim("bcast", {"--platform", "opuntia-250k", "--procs", "250000",
                                    "--algorithm", "all", "--model-only"});
  CHECK(bcast.exit_code == 0);
  const Ended write =
      sim("write", {"--platform", "opuntia-250k", "--procs", "250000", "--decomposition", "1d,2d",
                    "--aggregators", "64:4096", "--bytes-per-proc", "4MiB", "--model-only"});
  CHECK_MESSAGE(write.exit_code == 0, write.err);
  CHECK(column(write, "engine") == Words(14, "model"));
  for (const auto& cell : column(write, "model_loggp_s")) CHECK(std::stod(cell) > 0);
  check_empty(write, {"time_s", "cycles", "simulated_cycles", "messages", "sending_nodes",
                      "busiest_node", "extrapolation"});
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::minutes(1));
}

TEST_CASE("text output states that nothing was simulated") {
  const Ended ended = run_sim({"run", "bcast", "--platform", "crill", "--procs", "16",
                               "--message-size", "1KiB", "--model-only", "-q"});
  CHECK(mentions(ended.out, "formulas only, no simulation"));
  CHECK(mentions(ended.out, "Hockney (us)"));
  CHECK_FALSE(mentions(ended.out, "Max (us)"));
  const Ended write = run_sim({"run", "write", "--platform", "crill", "--procs", "16",
                               "--aggregators", "4", "--model-only", "-q"});
  CHECK(mentions(write.out, "formula only, no simulation"));
  CHECK(mentions(write.out, "n_s "));
  CHECK_FALSE(mentions(write.out, "Cycles"));
}

TEST_CASE("a study may contain formulas and simulations as separate points") {
  const TemporaryFolder folder;
  const auto file =
      folder.write("s.toml",
                   "[base]\nworkload='bcast'\nplatform='crill'\nprocs=16\nmessage_size='1KiB'\n"
                   "algorithm='binomial'\n[matrix]\nmodel_only=[true,false]\n");
  CHECK(mentions(out_of({"sweep", file}), "2 points, 2 run, 0 failed"));
  CHECK(mentions(out_of({"sweep", file}), "2 points, 0 run, 0 failed"));
}

TEST_CASE("options that need a simulation are rejected with --model-only") {
  const auto rejected = [](const std::string& workload, Words more) {
    more.insert(more.begin(), {"--platform", "crill", "--procs", "16", "--model-only"});
    const Ended ended = sim(workload, more);
    CHECK(ended.exit_code == 2);
    return ended.err;
  };
  CHECK(mentions(rejected("bcast", {"--engine", "flow"}),
                 "--engine: has no effect with --model-only"));
  CHECK(mentions(rejected("bcast", {"--noise", "multiplicative:5%"}), "--noise: has no effect"));
  CHECK(mentions(rejected("bcast", {"--algorithm", "auto:best"}), "needs simulated times"));
  CHECK(mentions(rejected("write", {"--extrapolate", "off"}), "--extrapolate: has no effect"));
  CHECK(mentions(rejected("write", {"--decomposition", "tiles", "--tile", "10x10"}),
                 "--model-only: the formula requires equal blocks"));
}
