// SPDX-License-Identifier: BSD-3-Clause
// Time-independent traces are exchanged between `sim replay` and SimGrid's SMPI, in both
// directions.
#include <doctest/doctest.h>

#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/rejected.hpp"
#include "tests/support/smpi.hpp"
#include "tests/support/subprocess.hpp"
#include "tests/support/synthetic_traces.hpp"

using namespace tutti::tests;
using P = SyntheticProgram;

namespace {

constexpr const char* platform = R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="n" suffix="" radical="0-15" speed="1Gf" bw="1GBps" lat="1us"/>
</platform>
)";

std::vector<std::string> smpi(const TemporaryFolder& folder, int ranks,
                              const std::vector<std::string>& what) {
  std::string hosts;
  for (int i = 0; i < ranks; ++i) hosts += "n" + std::to_string(i) + "\n";
  std::vector<std::string> args = {smpirun,
                                   "-np",
                                   std::to_string(ranks),
                                   "-platform",
                                   folder.write("p.xml", platform),
                                   "-hostfile",
                                   folder.write("hosts", hosts),
                                   "--cfg=smpi/host-speed:1Gf"};
  args.insert(args.end(), what.begin(), what.end());
  return args;
}

// The simulated time of SMPI's replay; negative if it fails.
double smpi_time(const TemporaryFolder& folder, int ranks, const std::string& list) {
  const Ended ended = run({.args = smpi(folder, ranks, {"-replay", list})});
  const std::string words = "Simulation time ";
  const auto at = ended.err.find(words);
  CHECK_MESSAGE(ended.exit_code == 0, ended.err);
  return at == std::string::npos ? -1 : std::stod(ended.err.substr(at + words.size()));
}

}  // namespace

TEST_CASE("SMPI replays an exported trace in the time of the original trace") {
  if (!has_smpi()) return;
  const TemporaryFolder folder;
  const auto hypothesis = folder.write("h.toml", "[[balance]]\nregion = \"foo\"\n");
  for (const P program : {P::lbcoll, P::lbp2p, P::halo, P::xns, P::rooted, P::sweep}) {
    CAPTURE(static_cast<int>(program));
    SyntheticTrace of{.program = program, .ranks = 8, .iterations = 20};
    for (const bool is_balanced : {false, true}) {
      if (is_balanced && program == P::sweep) continue;
      const TemporaryFolder here;
      const auto trace = write_trace(here.file("t"), of);
      std::vector<std::string> args = {"replay", trace, "--ti", here.file("ti")};
      if (is_balanced) args.insert(args.end(), {"--hypothesis", hypothesis});
      CHECK(unwrapped(out_of(args)).find("the time-independent trace is in") != std::string::npos);
      of.is_balanced = is_balanced;
      double end_s = 0;
      for (const auto& rank : events_of(of))
        end_s = std::max(end_s, static_cast<double>(rank.back().time - 1000) / 1e9);
      CHECK(smpi_time(folder, 8, here.file("ti/list.txt")) == close_to(end_s, 0.03));
    }
  }
}

TEST_CASE("sim replay replays a program recorded by SMPI") {
  if (!has_smpi()) return;
  const TemporaryFolder folder;
  const auto program = folder.file("two_ranks");
  REQUIRE(
      run({.args = {smpicc, "-O1", TUTTI_SOURCE_DIR "/tests/support/two_ranks.c", "-o", program}})
          .exit_code == 0);
  const auto list = folder.file("trace.txt");
  const Ended recorded =
      run({.args = smpi(folder, 2, {"-trace-ti", "--cfg=tracing/filename:" + list, program})});
  REQUIRE_MESSAGE(recorded.exit_code == 0, recorded.err);
  const auto costs = folder.write("loggp.toml",
                                  "[loggp]\nL = \"2us\"\no = \"1us\"\nG = \"1ns\"\n"
                                  "[collective]\ndefault = \"20us\"\n");
  const auto text = unwrapped(
      out_of({"replay", list, "--model", "loggp", "--loggp", costs, "--ti", folder.file("ti")}));
  CHECK(text.find(": 2 ranks, ") != std::string::npos);
  CHECK(text.find(" 200 messages, 300 collective") != std::string::npos);
  CHECK(text.find("never") == std::string::npos);
  // The exported trace takes SMPI as long as the input.
  const double before = smpi_time(folder, 2, list);
  CHECK(before > 0.01);
  CHECK(smpi_time(folder, 2, folder.file("ti/list.txt")) == close_to(before, 0.002));
}

TEST_CASE("the command that the example prints runs in every folder") {
  if (!has_smpi()) return;
  const TemporaryFolder folder;
  const auto run_in = [&](std::vector<std::string> args) {
    return run(
        {.args = std::move(args), .env = {{"TUTTI_SIM", sim_path()}}, .folder = folder.path()});
  };
  const auto example =
      run_in({"/bin/bash", std::string(TUTTI_SOURCE_DIR) + "/examples/05-replay.sh"});
  REQUIRE(example.exit_code == 0);
  const auto lines = split(example.out, '\n');
  const auto last = std::find_if(lines.rbegin(), lines.rend(),
                                 [](const std::string& line) { return !line.empty(); });
  REQUIRE(last != lines.rend());
  const auto replayed = run_in({"/bin/sh", "-c", *last});
  CHECK(replayed.exit_code == 0);
  CHECK(mentions(replayed.err + replayed.out, "Simulation time"));
}
