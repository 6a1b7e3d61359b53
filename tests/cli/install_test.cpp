// SPDX-License-Identifier: BSD-3-Clause
// `cmake --install` creates a tree that works in any location.
#include <doctest/doctest.h>

#include <filesystem>
#include <regex>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
namespace fs = std::filesystem;

namespace {

void install_into(const std::string& prefix) {
  // Uses this build, even if the other tests run another sim.
  const std::string build = fs::path(TUTTI_SIM).parent_path();
  const Ended ended = run({.args = {TUTTI_CMAKE, "--install", build, "--prefix", prefix}});
  REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
}

// What a program finds when called in the root folder.
std::string results_of(const std::string& sim, const std::string& engine) {
  const Ended ended = run({.args = {sim, "run", "bcast", "--platform", "crill", "--procs", "96",
                                    "--engine", engine, "--format", "csv", "--no-cost"},
                           .folder = "/"});
  CAPTURE(ended.err);
  CHECK(ended.exit_code == 0);
  return ended.out;
}

}  // namespace

TEST_CASE("the target `installed` builds each library and program that is installed") {
  const fs::path build = fs::path(TUTTI_SIM).parent_path();
  const Ended needed =
      run({.args = {"/usr/bin/env", "ninja", "-C", build, "-t", "commands", "installed"}});
  REQUIRE_MESSAGE(needed.exit_code == 0, needed.err);
  const std::regex rule(
      "TYPE (STATIC_LIBRARY|SHARED_LIBRARY|EXECUTABLE|MODULE)[^\n]* FILES \"([^\"]+)\"");
  std::size_t installed = 0;
  for (const auto& entry : fs::recursive_directory_iterator(build)) {
    if (entry.path().filename() != "cmake_install.cmake") continue;
    const std::string script = read_file(entry.path());
    for (auto each = std::sregex_iterator(script.begin(), script.end(), rule);
         each != std::sregex_iterator(); ++each) {
      const std::string file = fs::path((*each)[2].str()).lexically_relative(build);
      CAPTURE(file);
      CHECK(needed.out.find(' ' + file + ' ') != std::string::npos);
      ++installed;
    }
  }
  CHECK(installed >= 2);
}

TEST_CASE("an installed tree contains the program, its module, its catalog and its documents") {
  const TemporaryFolder folder;
  install_into(folder.file("prefix"));
  for (const char* inside :
       {"bin/sim", "lib/tutti/libtutti_simgrid.so", "share/tutti/catalog/crill.xml",
        "share/man/man1/sim.1", "share/doc/tutti/copyright", "share/doc/tutti/README.md",
        "share/doc/tutti/CHANGELOG.md", "share/doc/tutti/examples/05-replay.sh"})
    CHECK_MESSAGE(fs::exists(folder.path() + "/prefix/" + inside), inside);
}

TEST_CASE("links between the installed documents lead to installed files") {
  const TemporaryFolder folder;
  install_into(folder.path());
  static const std::regex link(R"re(\]\(([^)#:]+)(#[^)]*)?\))re");
  std::size_t checked = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path() + "/share/doc/tutti")) {
    if (entry.path().filename() != "README.md") continue;
    CAPTURE(entry.path());
    const std::string text = read_file(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
      CHECK_MESSAGE(fs::exists(entry.path().parent_path() / (*at)[1].str()), (*at)[1].str());
      ++checked;
    }
  }
  CHECK(checked > 50);
}

TEST_CASE("an installed example finds the installed program and its own files") {
  const TemporaryFolder folder;
  install_into(folder.path());
  const std::string examples = folder.path() + "/share/doc/tutti/examples/";
  const std::string path = folder.path() + "/bin:" + ::getenv("PATH");
  for (const auto* script : {"01-which-algorithm.sh", "collective-io/figure-5.11.sh"}) {
    const Ended ended = run({.args = {examples + script, folder.file("results")},
                             .env = {{"PATH", path}, {"QUICK", "1"}, {"TUTTI_SIM", ""}},
                             .folder = folder.path()});
    CAPTURE(ended.err);
    CHECK_MESSAGE(ended.exit_code == 0, script);
  }
}

TEST_CASE("an installed tree works after a move, and from any folder") {
  const TemporaryFolder folder;
  install_into(folder.file("prefix"));
  fs::rename(folder.file("prefix"), folder.file("moved here"));
  const std::string moved = folder.file("moved here") + "/bin/sim";
  for (const char* engine : {"simgrid", "flow"})
    CHECK(results_of(moved, engine) == results_of(sim_path(), engine));

  // Also through a symbolic link from another folder.
  fs::create_symlink(moved, folder.file("linked"));
  CHECK(results_of(folder.file("linked"), "flow") == results_of(sim_path(), "flow"));
}

TEST_CASE("an installed program uses its own catalog and module, not those of another tree") {
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
  CHECK(mentions(ended.err, "SimGrid cannot be loaded"));
}

TEST_CASE("a program builds against the installed library, and finds its catalog") {
  const TemporaryFolder folder;
  install_into(folder.file("prefix"));
  const std::string built = folder.file("built");
  const std::string found = "-DCMAKE_PREFIX_PATH=" + folder.file("prefix");
  const std::string source = folder.file("prefix") + "/share/doc/tutti/examples/embed";
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{TUTTI_CMAKE, "-S", source, "-B", built, found},
        std::vector<std::string>{TUTTI_CMAKE, "--build", built}}) {
    const Ended ended = run({.args = args});
    REQUIRE_MESSAGE(ended.exit_code == 0, ended.err);
  }
  const Ended ended = run({.args = {built + "/fastest_bcast"}, .folder = "/"});
  CHECK(ended.exit_code == 0);
  CHECK(mentions(ended.out, "1024 B"));
  CHECK(mentions(ended.out, "us  knomial"));
}
