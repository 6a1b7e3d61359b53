// SPDX-License-Identifier: BSD-3-Clause
// `cmake --install` gives a tree that works wherever it is put.
#include <doctest/doctest.h>

#include <filesystem>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
namespace fs = std::filesystem;

namespace {

void install_into(const std::string& prefix) {
  const std::string build = fs::path(TUTTI_SIM).parent_path();
  const Ended ended = run({.args = {TUTTI_CMAKE, "--install", build, "--prefix", prefix}});
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
}

// What a program finds, asked from the root folder.
std::string results_of(const std::string& sim, const std::string& engine) {
  const Ended ended = run({.args = {sim, "run", "bcast", "--platform", "crill", "--procs", "96",
                                    "--engine", engine, "--format", "csv", "--no-cost"},
                           .folder = "/"});
  CAPTURE(ended.err);
  CHECK(ended.exit_code == 0);
  return ended.out;
}

}  // namespace

TEST_CASE("an installed tree holds the program, its module, its catalog and its documents") {
  const TemporaryFolder folder;
  install_into(folder.file("prefix"));
  for (const char* inside :
       {"bin/sim", "lib/tutti/libtutti_simgrid.so", "share/tutti/catalog/crill.xml",
        "share/man/man1/sim.1", "share/doc/tutti/copyright", "share/doc/tutti/README.md",
        "share/doc/tutti/examples/05-replay.sh"})
    CHECK_MESSAGE(fs::exists(folder.path() + "/prefix/" + inside), inside);
}

TEST_CASE("an installed tree works when it is moved, from any folder") {
  const TemporaryFolder folder;
  install_into(folder.file("prefix"));
  fs::rename(folder.file("prefix"), folder.file("moved here"));
  const std::string moved = folder.file("moved here") + "/bin/sim";
  for (const char* engine : {"simgrid", "flow"})
    CHECK(results_of(moved, engine) == results_of(TUTTI_SIM, engine));

  // By a link from elsewhere, too.
  fs::create_symlink(moved, folder.file("linked"));
  CHECK(results_of(folder.file("linked"), "flow") == results_of(TUTTI_SIM, "flow"));
}

TEST_CASE("an installed program takes its own catalog and module, and no other tree's") {
  const TemporaryFolder folder;
  install_into(folder.path());
  fs::remove_all(folder.path() + "/share/tutti");
  const std::string sim = folder.path() + "/bin/sim";
  CHECK(run({.args = {sim, "platform", "show", "crill"}}).exit_code == 2);
  fs::remove_all(folder.path() + "/lib/tutti");
  const Ended ended = run({.args = {sim, "run", "bcast", "--platform",
                                    std::string(TUTTI_SOURCE_DIR) + "/platforms/catalog/crill.xml",
                                    "--procs", "4", "--engine", "simgrid"}});
  CHECK(ended.exit_code != 0);
  CHECK(says(ended.err, "SimGrid cannot be loaded"));
}
