// SPDX-License-Identifier: BSD-3-Clause
// Full disks, missing folders, readers that go away: nothing is lost silently.
#include <doctest/doctest.h>
#include <fcntl.h>

#include <csignal>
#include <filesystem>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;

namespace {

Args bcast(const Args& more) {
  Args args{"run", "bcast", "--platform", "crill", "--procs", "4", "--message-size", "64KiB"};
  args.insert(args.end(), more.begin(), more.end());
  return args;
}

}  // namespace

TEST_CASE("a full disk is told, and the result goes to standard output") {
  const Ended ended = run_sim(bcast({"-o", "/dev/full"}));
  CHECK(ended.exit_code == 4);
  CHECK(ended.err.find("/dev/full: cannot be written: No space left on device") !=
        std::string::npos);
  CHECK(ended.err.find("standard output") != std::string::npos);
  CHECK(data_lines(ended.out).size() == 1);
}

TEST_CASE("a full disk behind standard output is told") {
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  REQUIRE(full >= 0);
  for (const Args& args : {bcast({}), Args{"list", "algorithms"}, Args{"help"}, Args{"--version"},
                           Args{"run", "--help"}}) {
    Args command = args;
    command.insert(command.begin(), TUTTI_SIM);
    const Ended ended = run({.args = command, .stdout_fd = full});
    CHECK(ended.exit_code == 4);
    CHECK(ended.err.find("No space left on device") != std::string::npos);
  }
  ::close(full);
}

TEST_CASE("a folder that does not exist is told before anything runs") {
  for (const char* option : {"-o", "--traffic", "--ranks"}) {
    CAPTURE(option);
    const Ended ended = run_sim(bcast({option, "/no/such/folder/x.csv"}));
    CHECK(ended.exit_code == 4);
    CHECK(ended.out.empty());
    CHECK(ended.err.find("/no/such/folder/x.csv: cannot be written") != std::string::npos);
  }
}

TEST_CASE("a folder is no file") {
  const Ended ended = run_sim(bcast({"--format", "csv", "-o", "/tmp"}));
  CHECK(ended.exit_code == 4);
  CHECK(ended.err.find("directory") != std::string::npos);
}

TEST_CASE("a file is replaced, a link stays a link, and nothing else is left behind") {
  const TemporaryFolder folder;
  folder.write("real.csv", "old");
  std::filesystem::create_symlink("real.csv", folder.file("link.csv"));
  CHECK(run_sim(bcast({"-o", folder.file("link.csv")})).exit_code == 0);
  CHECK(std::filesystem::is_symlink(folder.file("link.csv")));
  CHECK(data_lines(read_file(folder.file("real.csv"))).size() == 2);
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path()))
    ++files;
  CHECK(files == 2);
}

TEST_CASE("- is standard output, and its format is text unless another is asked for") {
  const TemporaryFolder folder;
  const auto run_here = [&](const Args& more) {
    Args args = bcast(more);
    args.insert(args.begin(), TUTTI_SIM);
    args.push_back("--no-cost");
    const Ended ended = run({.args = args, .folder = folder.path()});
    CHECK(ended.exit_code == 0);
    CHECK(ended.err.empty());
    return ended.out;
  };
  const std::string printed = run_here({});
  CHECK(!printed.empty());
  CHECK(run_here({"-o", "-"}) == printed);
  CHECK(run_here({"--output=-"}) == printed);
  CHECK(run_here({"-o", "-", "--format", "csv"}) == run_here({"--format", "csv"}));
  CHECK(std::filesystem::is_empty(folder.path()));
  CHECK(run_here({"-o", "./-", "--format", "text"}).empty());
  CHECK(read_file(folder.file("-")) == printed);
}

TEST_CASE("a reader that goes away ends sim quietly") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  ::close(ends[0]);
  Args command = bcast({});
  command.insert(command.begin(), TUTTI_SIM);
  const Ended ended = run({.args = command, .stdout_fd = ends[1]});
  ::close(ends[1]);
  CHECK(ended.signal == SIGPIPE);
  CHECK(ended.err.empty());
}

TEST_CASE("points that fail are told, 20 of them, and are no result") {
  // Four file descriptors are enough to begin, but not for the pipe to a simulation.
  const Ended ended =
      run({.args = {"/bin/sh", "-c", "ulimit -n 4; exec \"$0\" \"$@\" 3>&-", TUTTI_SIM, "run",
                    "bcast", "--platform", "crill", "--procs", "4", "--message-size", "1:24:+1"}});
  CHECK(ended.exit_code == 1);
  CHECK(ended.out.empty());
  const auto lines = split(ended.err, '\n');
  REQUIRE(lines.size() == 21);
  for (std::size_t i = 0; i < 20; ++i) {
    CHECK(lines[i].find(", 4 processes, root 0: cannot start a simulation") != std::string::npos);
    CHECK(lines[i].find(", " + std::to_string(i + 1) + " B, ") != std::string::npos);
  }
  CHECK(lines[20] == "sim: ... and 4 more points failed");
}

TEST_CASE("colours come when they are wanted") {
  const Args bad{TUTTI_SIM, "rum"};
  const auto colored = [](const Ended& ended) {
    return ended.err.find("\x1b[") != std::string::npos;
  };
  CHECK(!colored(run({.args = bad})));  // no terminal
  CHECK(colored(run({.args = bad, .env = {{"FORCE_COLOR", "1"}}})));
  CHECK(!colored(run({.args = bad, .env = {{"FORCE_COLOR", "0"}}})));
  CHECK(!colored(run({.args = bad, .env = {{"FORCE_COLOR", "1"}, {"NO_COLOR", "1"}}})));
  const Args always{TUTTI_SIM, "run", "--color", "always"};
  CHECK(colored(run({.args = always, .env = {{"NO_COLOR", "1"}}})));
  const Args never{TUTTI_SIM, "run", "--color=never"};
  CHECK(!colored(run({.args = never, .env = {{"FORCE_COLOR", "1"}}})));
}
