// SPDX-License-Identifier: BSD-3-Clause
// sim run schedule, --goal and --algorithm goal:FILE.
#include <doctest/doctest.h>

#include "tests/support/close_to.hpp"
#include "tests/support/csv_columns.hpp"
#include "tests/support/files.hpp"

using namespace tutti::tests;

namespace {

const std::string exchange = R"(num_ranks 2
rank 0 {
a: calc 1000
b: send 4KiB to 1
}
)";

std::string schedule(const std::string& size = "4096b") {
  return "num_ranks 2\nrank 0 {\na: calc 1000\nb: send " + size +
         " to 1\nb requires a\n}\nrank 1 {\nc: recv 4096b from 0\n}\n";
}

Ended run(std::vector<std::string> words) {
  words.insert(words.begin(), "run");
  words.insert(words.end(), {"--platform", "crill", "-q", "--no-cost"});
  return run_sim(words);
}
Ended as_csv(std::vector<std::string> words) {
  words.insert(words.end(), {"--format", "csv"});
  Ended ended = run(std::move(words));
  CAPTURE(ended.err);
  REQUIRE(ended.exit_code == 0);
  return ended;
}

double time_s(const Ended& ended, std::size_t row = 0) {
  return std::stod(column(ended, "time_s").at(row));
}

}  // namespace

TEST_CASE("a schedule takes its number of processes from the file") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.goal", schedule());
  const Ended ended = as_csv({"schedule", file, "--ppn", "1"});
  CHECK(column(ended, "procs").at(0) == "2");
  CHECK(time_s(ended) > 1e-6);
  CHECK(run({"schedule", file, "--ppn", "1"}).out.starts_with("# Schedule on crill: 2 processes"));
  CHECK(run({"schedule", file, "--procs", "3"}).err.find("has 2 ranks, not 3") !=
        std::string::npos);
}

TEST_CASE("the schedule of an algorithm takes the same time, and half of it for half the size") {
  const TemporaryFolder folder;
  const std::string file = folder.file("ring-8.goal");
  const std::vector<std::string> call{"allreduce", "--procs", "8", "--ppn", "1"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), call.begin(), call.end());
    return as_csv(std::move(more));
  };
  const Ended direct = with({"--algorithm", "ring", "--message-size", "64KiB", "--goal", file});
  const Ended again = as_csv({"schedule", file, "--ppn", "1"});
  CHECK(time_s(again) == exactly(time_s(direct)));

  const Ended compared = with({"--algorithm", "ring,goal:" + folder.file("ring-{procs}.goal"),
                               "--message-size", "32KiB,64KiB"});
  REQUIRE(column(compared, "time_s").size() == 4);
  CHECK(time_s(compared, 2) == exactly(time_s(compared, 0)));
  CHECK(time_s(compared, 3) == exactly(time_s(compared, 1)));

  const Ended wrong = run({"bcast", "--procs", "8", "--algorithm", "goal:" + file});
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err.find("is a schedule of allreduce") != std::string::npos);
}

TEST_CASE("schedules in a study") {
  const TemporaryFolder folder;
  folder.write("a.goal", schedule());
  folder.write("b.goal", schedule("100b"));
  std::string text = R"([base]
workload = "schedule"
platform = "crill"
ppn = 1
[matrix]
algorithm = ["goal:FOLDER/a.goal", "goal:FOLDER/b.goal"]
)";
  for (auto at = text.find("FOLDER"); at != text.npos; at = text.find("FOLDER"))
    text.replace(at, 6, folder.path());
  const std::string study = folder.write("study.toml", text);
  const std::string store = folder.file("study.db");
  REQUIRE(run_sim({"sweep", study, "-q", "--store", store}).exit_code == 0);
  const Ended ended = run_sim({"export", store, "--no-cost", "--format", "csv"});
  CHECK(column(ended, "procs") == std::vector<std::string>{"2", "2"});
}

TEST_CASE("errors of a schedule have a line") {
  const TemporaryFolder folder;
  const Ended broken = run({"schedule", folder.write("a.goal", exchange)});
  CHECK(broken.exit_code == 2);
  CHECK(broken.err.find("a.goal:4:") != std::string::npos);
  CHECK(broken.err.find("help:") != std::string::npos);
  const Ended shorter = run({"schedule", folder.write("b.goal", schedule("8b"))});
  CHECK(shorter.exit_code == 0);
  const Ended lost =
      run({"schedule", folder.write("c.goal", "num_ranks 2\nrank 0 {\nrecv 1b from 1\n}\n")});
  CHECK(lost.exit_code == 1);
  CHECK(lost.err.find("c.goal:3:") != std::string::npos);
  CHECK(run({"schedule"}).err.find("no file given") != std::string::npos);
}

TEST_CASE("what needs one clock per rank rejects several CPUs") {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.goal", "num_ranks 1\nrank 0 {\ncalc 5 cpu 1\n}\n");
  CHECK(as_csv({"schedule", file}).exit_code == 0);
  CHECK(run({"schedule", file, "--critical-path"}).err.find("needs one CPU per rank") !=
        std::string::npos);
}

TEST_CASE("a missing file, other elements and sizes that overflow are errors") {
  const TemporaryFolder folder;
  const std::vector<std::string> call{"bcast", "--procs", "2", "--ppn", "1"};
  const auto rejected = [&](const std::string& algorithms, const std::string& file,
                            std::vector<std::string> more) {
    std::vector<std::string> words = call;
    words.insert(words.end(), {"--algorithm", algorithms + file});
    words.insert(words.end(), more.begin(), more.end());
    const Ended ended = run(words);
    CHECK(ended.exit_code == 2);
    return ended.err;
  };
  CHECK(rejected("binomial,goal:", folder.file("none.goal"), {}).find("cannot read the file") !=
        std::string::npos);
  const std::string head = "// tutti schedule 1\n// tutti call bcast bytes=1024 element=8\n";
  const std::string elements = folder.write("a.goal", head + "num_ranks 2\n");
  CHECK(rejected("goal:", elements, {"--element-bytes", "4", "--message-size", "1024"})
            .find("have 8 B") != std::string::npos);
  const std::string copies = folder.write(
      "b.goal", head + "num_ranks 2\nrank 0 {\ncalc 1\n// tutti copies 0:0 1:0 1099511627776 " +
                    "1048576 0 0\n}\n");
  CHECK(run({"bcast", "--procs", "2", "--algorithm", "goal:" + copies, "--message-size", "1MiB"})
            .err.find("become larger than 2^61 B") != std::string::npos);
}

TEST_CASE("a schedule is read from a pipe, and barriers do not disturb its ranks") {
  const TemporaryFolder folder;
  // A receive that is pending until another rank has computed, with other operations meanwhile.
  const std::string file = folder.write(
      "a.goal",
      "num_ranks 2\nrank 0 {\nr: recv 8b from 1\nc: calc 100000\nd: calc 5\nd requires c\n}\n"
      "rank 1 {\nc: calc 50000\ns: send 8b to 0\ns requires c\n}\n");
  const Ended piped = tutti::tests::run(
      {.args = {"/bin/bash", "-c",
                sim_path() + " run schedule <(cat " + file + ") --platform crill --ppn 1 -q"}});
  CAPTURE(piped.err);
  CHECK(piped.exit_code == 0);
  for (const char* benchmark : {"pico", "imb", "osu", "reprompi"})
    CHECK(run({"schedule", file, "--ppn", "1", "--benchmark", benchmark, "--repetitions", "5",
               "--noise", "multiplicative:5%"})
              .exit_code == 0);
}
