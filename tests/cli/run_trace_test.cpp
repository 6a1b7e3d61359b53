// SPDX-License-Identifier: BSD-3-Clause
// sim run trace: the traces of simulated programs, and predictions against the changed programs.
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/rejected.hpp"
#include "tests/support/subprocess.hpp"
#include "tests/support/traces.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;
using Json = nlohmann::json;

namespace {

const Args all_programs{"lb-coll", "lb-p2p", "sweep3d", "xns", "halo", "rooted"};

Args with(Args args, const Args& more) {
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

// The row of the report.
Json run_of(const std::string& program, const Args& more) {
  const Args args{"run", "trace", program, "--platform", "crill", "--procs",
                  "8",   "--ppn", "2",     "--format",   "json",  "-q"};
  return Json::parse(out_of(with(args, more)))["points"][0];
}

const Args few{"--iterations", "3", "--load-noise", "20%"};

// The end of the replayed trace in seconds.
double predicted(const std::string& trace, const Args& more) {
  const Args args{"replay",  trace,      "--part",     "summary", "--format", "json",
                  "--model", "platform", "--platform", "crill",   "--ppn",    "2"};
  const auto document = Json::parse(out_of(with(args, more)));
  for (const auto& row : document["points"])
    if (row["what"] == "end") return row["after_s"];
  return -1;
}

}  // namespace

TEST_CASE("every program writes a sound trace, and its replay on the machine moves no event") {
  if (!has_otf2_print()) return;
  for (const auto& program : all_programs)
    for (const char* sends : {"standard", "synchronous"}) {
      CAPTURE(program);
      CAPTURE(sends);
      const TemporaryFolder folder;
      const auto run =
          run_of(program,
                 with(few, {"-o", folder.file("t"), "--sends", sends, "--message-size", "20000"}));
      printed(folder.file("t/traces.otf2"));
      const std::string text = out_of({"replay", folder.file("t"), "--part", "summary", "--model",
                                       "platform", "--platform", "crill", "--ppn", "2"});
      CHECK(mentions(text, std::to_string(run["events"].get<int>()) + " events"));
      CHECK(predicted(folder.file("t"), {}) == close_to(run["time_s"].get<double>(), 1e-6));
    }
}

TEST_CASE("a trace has the regions, messages and bytes of its program") {
  if (!has_otf2_print()) return;
  const TemporaryFolder folder;
  run_of("rooted", {"--iterations", "1", "-o", folder.file("t")});
  const auto trace = printed(folder.file("t/traces.otf2"));
  for (const char* region : {"main", "foo", "bar", "MPI_Bcast", "MPI_Reduce", "MPI_Barrier"})
    CHECK(mentions(trace.definitions, "\"" + std::string(region) + "\""));
  CHECK(!mentions(trace.definitions, "MPI_Send"));
  // The root sends 1 KiB to all 8 ranks, as Score-P counts.
  CHECK(mentions(trace.events, "Sent: 8192, Received: 1024"));
  CHECK(mentions(trace.events, "Sent: 0, Received: 1024"));
}

TEST_CASE("predictions for the changed programs equal the changed programs") {
  const TemporaryFolder folder;
  const auto balance = folder.write("balance.toml", "[[balance]]\nregion = \"foo\"\n");
  const auto cut = folder.write("cut.toml", "[[cut]]\nmessage = { size = 0 }\n");
  for (const auto& program : all_programs) {
    if (program == "sweep3d") continue;  // its load is in a region that also sends
    CAPTURE(program);
    const auto trace = folder.file(program);
    run_of(program, with(few, {"-o", trace}));
    const double truth = run_of(program, with(few, {"--balanced"}))["time_s"];
    CHECK(predicted(trace, {"--hypothesis", balance}) == close_to(truth, 1e-6));
  }
  const double truth = run_of("xns", with(few, {"--cut-empty"}))["time_s"];
  CHECK(predicted(folder.file("xns"), {"--hypothesis", cut}) == close_to(truth, 1e-6));
}

TEST_CASE("the fraction of empty messages is that of the option, as far as ranks allow") {
  CHECK(run_of("xns", {"--empty", "0"})["empty_messages"] == 0);
  const auto all = run_of("xns", {"--empty", "100%"});
  CHECK(all["empty_messages"] == all["messages"]);
  CHECK(all["messages"] == 10 * 8 * 7);
  const auto some = run_of("xns", {});
  CHECK(some["empty_messages"] == 10 * 8 * 3);
  const auto cut = run_of("xns", {"--cut-empty"});
  CHECK(cut["empty_messages"] == 0);
  CHECK(cut["messages"] == 10 * 8 * 4);
}

TEST_CASE("engines agree, and the seed determines the noise") {
  const Args noisy{"--iterations", "3", "--load-noise", "10%", "--seed", "5"};
  for (const auto& program : all_programs) {
    CAPTURE(program);
    const double time_s = run_of(program, noisy)["time_s"];
    CHECK(run_of(program, with(noisy, {"--engine", "simgrid"}))["time_s"].get<double>() ==
          close_to(time_s, 1e-9));
    CHECK(run_of(program, noisy)["time_s"] == time_s);
    CHECK(run_of(program, {"--iterations", "3", "--load-noise", "10%"})["time_s"] != time_s);
  }
}

TEST_CASE("a program is a workload of studies") {
  const TemporaryFolder folder;
  const auto study = folder.write("s.toml",
                                  "[base]\nworkload = \"trace\"\nplatform = \"crill\"\nppn = 2\n"
                                  "program = \"lb-coll\"\niterations = 2\n"
                                  "[matrix]\nprocs = [4, 8]\nbalanced = [true, false]\n");
  CHECK(run_sim({"sweep", study, "--store", folder.file("s.db"), "-q"}).exit_code == 0);
  const auto rows = data_lines(out_of({"export", folder.file("s.db"), "--format", "csv"}));
  CHECK(rows.size() == 1 + 4);
  CHECK(mentions(rows[0], "program"));
}

TEST_CASE("programs that cannot run are rejected, with a hint") {
  const auto error = [](const std::string& program, const Args& more) {
    return rejected(with({"run", "trace", program, "--platform", "crill"}, more));
  };
  CHECK(mentions(error("lb-p2p", {"--procs", "6"}), "must be a multiple of 4"));
  CHECK(mentions(error("xns", {"--procs", "1"}), "must be at least 2"));
  CHECK(mentions(error("lb-cool", {"--procs", "4"}), "did you mean 'lb-coll'?"));
  CHECK(mentions(error("halo", {"--procs", "4", "--blocks", "3"}), "applies to sweep3d only"));
  CHECK(mentions(error("halo", {"--procs", "4", "--cut-empty"}), "applies to xns only"));
  CHECK(mentions(error("halo", {"--procs", "4", "--seed", "3"}), "add --load-noise"));
  CHECK(mentions(error("halo", {"--procs", "4", "--load", "-1s"}), "--load"));
  CHECK(mentions(error("halo", {"--procs", "4", "--imbalance", "200%"}), "--imbalance"));
  CHECK(mentions(error("halo", {"--procs", "4", "--engine", "ideal"}), "untimed"));
  CHECK(mentions(error("halo", {}), "--procs: is required"));
  CHECK(mentions(rejected({"run", "trace", "--platform", "crill", "--procs", "2"}),
                 "missing program"));
  const TemporaryFolder folder;
  folder.write("x", "");
  CHECK(mentions(error("halo", {"--procs", "4", "-o", folder.path()}), "is not an empty folder"));
  CHECK(std::filesystem::exists(folder.file("x")));
  CHECK(mentions(error("halo", {"--procs", "4", "-o", "r.csv"}), "is the name of a report"));
}
