// SPDX-License-Identifier: BSD-3-Clause
// Commands that compare simulations count those that failed, exit with 1, and derive nothing from
// what is missing.
#include <doctest/doctest.h>

#include "tests/support/csv_columns.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;

namespace {

// A schedule of a broadcast whose root sends nothing: a deadlock when it is simulated.
void write_deadlock(const TemporaryFolder& folder) {
  out_of({"run", "bcast", "-p", "crill", "-n", "8", "--algorithm", "binomial", "--message-size",
          "64KiB", "--goal", folder.file("good.goal"), "-q"});
  std::string text = read_file(folder.file("good.goal"));
  const auto root = text.find("rank 0 {\n") + 9;
  folder.write("dead.goal", text.erase(root, text.find('}', root) - root));
}

std::string study_with(const std::string& algorithms, const std::string& method) {
  return "[study]\nname = \"s\"\n[base]\nworkload = \"bcast\"\nplatform = \"crill\"\nprocs = 8\n"
         "ppn = 1\nmessage_size = \"64KiB\"\n[[parameter]]\nname = \"algorithm\"\nvalues = [" +
         algorithms +
         "]\n[[parameter]]\nname = \"mpi/eager_limit\"\nvalues = [\"4KiB\", \"64KiB\"]\n"
         "[search]\nmethod = \"" +
         method + "\"\n";
}

Ended tune_in(const TemporaryFolder& folder, const Args& more) {
  Args args{sim_path(), "tune", "s.toml"};
  args.insert(args.end(), more.begin(), more.end());
  return run({.args = args, .folder = folder.path()});
}

}  // namespace

TEST_CASE("a search with failed simulations counts them and exits with 1") {
  const TemporaryFolder folder(folder_in_memory());
  write_deadlock(folder);
  for (const std::string method : {"brute-force", "attribute", "factorial", "halving", "model"}) {
    CAPTURE(method);
    folder.write("s.toml", study_with("\"binomial\", \"goal:dead.goal\", \"chain\"", method));
    const Ended ended = tune_in(folder, {"--settings", "best.toml"});
    CAPTURE(ended.out);
    CHECK(ended.exit_code == 1);
    CHECK(mentions(ended.err, "deadlock"));
    CHECK(mentions(ended.out, " failed: "));
    CHECK(mentions(ended.out, "combinations have no time"));
    CHECK(mentions(ended.out, "# failed: "));
    CHECK(!mentions(read_file(folder.file("best.toml")), "dead"));
  }
}

TEST_CASE("failed simulations leave sensitivities and effects undetermined") {
  const TemporaryFolder folder(folder_in_memory());
  write_deadlock(folder);
  const auto columns_of = [&](const char* part, const char* name) {
    Ended ended = tune_in(folder, {"--part", part, "--format", "csv", "-q"});
    ended.exit_code = 0;  // the rows are complete in any case
    return column(ended, name);
  };
  folder.write("s.toml", study_with("\"binomial\", \"chain\"", "all"));
  CHECK(tune_in(folder, {"-q"}).exit_code == 0);
  for (const auto& spread : columns_of("best", "spread")) CHECK(!spread.empty());
  const auto effects = columns_of("effects", "effect_s");
  folder.write("s.toml", study_with("\"binomial\", \"goal:dead.goal\", \"chain\"", "all"));
  for (const auto& spread : columns_of("best", "spread")) CHECK(spread.empty());
  for (const auto& effect : columns_of("best", "effect")) CHECK(effect == "seen, some failed");
  for (const auto& regret : columns_of("searches", "above_best")) CHECK(regret.empty());
  const auto with_failed = columns_of("effects", "effect_s");
  REQUIRE(with_failed.size() == 2);
  CHECK(with_failed[0].empty());  // of the algorithm
  CHECK(with_failed[1] == effects[1]);
  CHECK(tune_in(folder, {"--each"}).exit_code == 1);
  folder.write("s.toml", study_with("\"goal:dead.goal\"", "brute-force"));
  const Ended none = tune_in(folder, {"-q"});
  CHECK(none.exit_code == 1);
  CHECK(mentions(none.err, "no combination could be simulated"));
}

TEST_CASE("tune hints with a simulation that fails exits with 1 and an unknown effect") {
  // A limit of 1 s of processor time ends the simulation of small buffers: thousands of cycles.
  const Ended ended = run({.args = {"/bin/sh",
                                    "-c",
                                    "ulimit -t 1; exec \"$0\" \"$@\"",
                                    sim_path(),
                                    "tune",
                                    "hints",
                                    "write",
                                    "-p",
                                    "crill",
                                    "-n",
                                    "96",
                                    "--ppn",
                                    "48",
                                    "--decomposition",
                                    "patches:64:64KiB:1MiB",
                                    "--storage",
                                    "targets=4,bandwidth=1GBps",
                                    "--hint",
                                    "cb_buffer_size=4KiB,16MiB",
                                    "-j",
                                    "1",
                                    "--engine",
                                    "flow"}});
  CAPTURE(ended.out);
  CAPTURE(ended.err);
  CHECK(ended.exit_code == 1);
  CHECK(mentions(ended.out, "1 of 3 simulations failed"));
  CHECK(mentions(ended.out, "unknown"));
}
