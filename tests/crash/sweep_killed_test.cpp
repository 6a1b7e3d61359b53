// SPDX-License-Identifier: BSD-3-Clause
// A sweep that is killed at any moment continues where it stopped, and ends with the same bytes.
#include <doctest/doctest.h>

#include <random>

#include "tests/support/children.hpp"
#include "tests/support/study_runs.hpp"

using namespace tutti::tests;

namespace {

// 2,000 small points.
constexpr const char* study = R"(
[base]
workload = "bcast"
platform = "crill"
engine = "flow"
[matrix]
algorithm = ["basic_linear", "chain", "pipeline", "binomial", "knomial"]
procs = "2..21:+1"
message_size = "1:512KiB"
)";

void kill_after(pid_t child, std::chrono::microseconds time) {
  std::this_thread::sleep_for(time);
  ::kill(child, SIGKILL);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
}

// Ends a sweep by SIGTERM to its process group, as batch systems do.
void end_group_after(const std::string& file, std::chrono::microseconds time) {
  const pid_t child = in_child([&] {
    ::setpgid(0, 0);
    const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    detail::exec({.args = {sim_path(), "sweep", file, "-q", "-j", "2"}}, nowhere, nowhere);
    return 127;
  });
  std::this_thread::sleep_for(time);
  ::kill(-child, SIGTERM);
  status_of(child);
}

}  // namespace

TEST_CASE("a hundred kills at random moments do not change the results") {
  const TemporaryFolder whole(folder_in_memory()), killed(folder_in_memory());
  const auto uninterrupted = whole.write("s.toml", study), file = killed.write("s.toml", study);
  const Ended ended = run_sim({"sweep", uninterrupted, "-q"});
  REQUIRE(ended.exit_code == 0);
  CHECK(ended.out.find("2000 points, 2000 run, 0 failed") != std::string::npos);

  std::mt19937 random(20261121);
  std::uniform_int_distribution<int> moment_us(0, 250'000);
  for (int i = 0; i < 100; ++i)
    kill_after(start_sim({"sweep", file, "-q", "-j", "2"}),
               std::chrono::microseconds(moment_us(random)));
  CHECK(all_gone(file));
  REQUIRE(run_sim({"sweep", file, "-q"}).exit_code == 0);
  CHECK(exported(killed.file("s.db")) == exported(whole.file("s.db")));
  CHECK(files_in(killed.path()) == std::vector<std::string>{"s.db", "s.toml"});
}

TEST_CASE("SIGTERM to the process group leaves no failed point") {
  const TemporaryFolder whole(folder_in_memory()), stopped(folder_in_memory());
  const auto uninterrupted = whole.write("s.toml", study), file = stopped.write("s.toml", study);
  REQUIRE(run_sim({"sweep", uninterrupted, "-q"}).exit_code == 0);

  std::mt19937 random(20261125);
  std::uniform_int_distribution<int> moment_us(50'000, 250'000);
  for (int i = 0; i < 8; ++i) {
    end_group_after(file, std::chrono::microseconds(moment_us(random)));
    const double limit_s = 1e-6 * moment_us(random);  // limit of coreutils' timeout
    const Ended ended = run({.args = {"/usr/bin/timeout", std::to_string(limit_s), sim_path(),
                                      "sweep", file, "-q", "-j", "2"}});
    CHECK((ended.exit_code == 124 || ended.exit_code == 0));
    CHECK_MESSAGE(ended.err.find("error:") == std::string::npos, ended.err);
  }
  CHECK(all_gone(file));
  const Ended last = run_sim({"sweep", file});
  CHECK(last.exit_code == 0);
  CHECK(last.out.find(" 0 failed") != std::string::npos);
  CHECK(exported(stopped.file("s.db")) == exported(whole.file("s.db")));
}

TEST_CASE("Ctrl-C at any moment of the beginning leaves a store, or no file") {
  const TemporaryFolder folder(folder_in_memory());
  std::mt19937 random(20261128);
  std::uniform_int_distribution<int> moment_us(0, 30'000);
  int stores = 0;
  for (int i = 0; i < 100; ++i) {
    const auto file = folder.write("s.toml", study), store = folder.file("s.db");
    const pid_t child = start_sim({"sweep", file, "-q", "-j", "2"});
    std::this_thread::sleep_for(std::chrono::microseconds(moment_us(random)));
    ::kill(child, i % 2 == 0 ? SIGINT : SIGTERM);
    status_of(child);
    if (std::filesystem::exists(store)) {
      const Ended checked = run_sim({"store", "check", store});
      CHECK_MESSAGE(checked.exit_code == 0, checked.err);
      ++stores;
    }
    for (const auto& name : files_in(folder.path())) std::filesystem::remove(folder.file(name));
  }
  CHECK(stores > 0);
}

TEST_CASE("the first Ctrl-C lets running points finish, the second stops at once") {
  const TemporaryFolder folder(folder_in_memory());
  // Two points of a minute each.
  const auto file = folder.write("s.toml", R"(
[base]
workload = "alltoall"
platform = "crill"
engine = "simgrid"
algorithm = "linear"
[matrix]
procs = 576
message_size = ["256KiB", "512KiB", "1MiB"]
)");
  for (const int signals : {1, 2}) {
    CAPTURE(signals);
    const pid_t child = start_sim({"sweep", file, "-q", "-j", "1", "--timeout", "3s"});
    await_handler(child, SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(1000));
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < signals; ++i) {
      ::kill(child, SIGINT);
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(WEXITSTATUS(status) == 130);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (signals == 1) CHECK(took.count() > 1);  // the point ran into its timeout
    CHECK(all_gone(file));
  }
  // The first run stored the running point, the second none.
  CHECK(exported(folder.file("s.db")).find("exceeded the time limit of 3") != std::string::npos);
}

#ifndef __SANITIZE_ADDRESS__
TEST_CASE("a full disk ends a sweep cleanly, and it continues when there is space again") {
  const TemporaryFolder folder(folder_in_memory());
  const auto file = folder.write("s.toml", study);
  const Ended full = run(
      {.args = {"/bin/sh", "-c", "ulimit -f 400; exec \"$0\" \"$@\"", sim_path(), "sweep", file}});
  CHECK(full.exit_code == 4);
  CHECK(full.err.find("of 2000 points are stored in") != std::string::npos);
  CHECK(run_sim({"sweep", file, "-q"}).exit_code == 0);
  CHECK(data_lines(exported(folder.file("s.db"))).size() == 2001);
}
#endif

TEST_CASE("a second sweep into the same store is rejected while the first one runs") {
  const TemporaryFolder folder(folder_in_memory());
  const auto file = folder.write("s.toml", R"([base]
workload = "alltoall"
platform = "crill"
engine = "simgrid"
algorithm = "linear"
procs = 576
message_size = "1MiB"
)");
  const pid_t first = start_sim({"sweep", file, "-q", "--timeout", "3s"});
  await_handler(first, SIGTERM);
  std::this_thread::sleep_for(std::chrono::milliseconds(800));
  const Ended second = run_sim({"sweep", file});
  CHECK(second.exit_code == 3);
  CHECK(second.err.find("s.db") != std::string::npos);
  ::kill(first, SIGTERM);
  int status = 0;
  REQUIRE(::waitpid(first, &status, 0) == first);
  CHECK(WEXITSTATUS(status) == 143);
  CHECK(all_gone(file));
}
