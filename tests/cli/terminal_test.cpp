// SPDX-License-Identifier: BSD-3-Clause
// On a terminal, tables and messages fit its width. A file and a pipe get everything.
#include <doctest/doctest.h>
#include <pty.h>

#include <algorithm>
#include <regex>
#include <thread>

#include "sim/base/text.hpp"
#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;

namespace {

// A table that is 98 characters wide, 90 with narrow gaps, 79 without the protocols.
const std::vector<std::string> wide{sim_path(),
                                    "run",
                                    "bcast",
                                    "--platform",
                                    "crill",
                                    "--procs",
                                    "4",
                                    "--ppn",
                                    "1,2",
                                    "--root",
                                    "0,3",
                                    "--no-cost",
                                    "--quiet",
                                    "--message-size",
                                    "64KiB",
                                    "--algorithm",
                                    "auto,chain,scatter_allgather_ring"};

// Runs sim with a terminal of `columns` columns as standard output, and COLUMNS = `environment`.
std::string on_terminal(const std::vector<std::string>& args, unsigned short columns,
                        const std::string& environment) {
  winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  int ours = -1, theirs = -1;
  REQUIRE(::openpty(&ours, &theirs, nullptr, nullptr, &size) == 0);
  std::string text;
  // The buffer of a terminal is small: without a reader, sim would block.
  std::thread reader([&] {
    char block[4096];
    for (ssize_t got; (got = ::read(ours, block, sizeof block)) > 0;)
      text.append(block, static_cast<std::size_t>(got));
  });
  const Ended ended = run({.args = args, .env = {{"COLUMNS", environment}}, .stdout_fd = theirs});
  ::close(theirs);
  reader.join();
  ::close(ours);
  CHECK_MESSAGE(ended.exit_code <= 1, ended.err);
  std::erase(text, '\r');
  return text;
}

std::string on_terminal(unsigned short columns, const std::string& environment) {
  return on_terminal(wide, columns, environment);
}

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  for (const auto& line : split(text, '\n')) most = std::max(most, line.size());
  return most;
}

bool omits(const std::string& text) {
  return text.find("omitted for lack of width") != std::string::npos;
}

// Runs a command with a terminal as standard error, and returns what it shows there.
std::string errors_on_terminal(const std::vector<std::string>& args) {
  winsize size{.ws_row = 24, .ws_col = 200, .ws_xpixel = 0, .ws_ypixel = 0};
  int ours = -1, theirs = -1;
  REQUIRE(::openpty(&ours, &theirs, nullptr, nullptr, &size) == 0);
  std::string reported;
  std::thread reader([&] {
    char block[4096];
    for (ssize_t got; (got = ::read(ours, block, sizeof block)) > 0;)
      reported.append(block, static_cast<std::size_t>(got));
  });
  const Ended loud = run({.args = args, .env = {{"COLUMNS", ""}}, .stderr_fd = theirs});
  ::close(theirs);
  reader.join();
  ::close(ours);
  CHECK(loud.exit_code == 0);
  return reported;
}

}  // namespace

TEST_CASE("on a terminal, a long point shows its progress, and erases the line at the end") {
  std::vector<std::string> args{sim_path(), "run",     "bcast", "--platform",
                                "crill",    "--procs", "576"};
  for (const char* more : {"--engine", "flow", "--algorithm", "pipeline", "--segment-size", "1KiB",
                           "--message-size", "8MiB"})
    args.emplace_back(more);
  const std::string reported = errors_on_terminal(args);
  CAPTURE(reported);
  const std::regex line(
      "\\r\x1b\\[K\\d.* s so far, about \\d+ s left, \\d+ % of 4.71 M messages, "
      "[\\d.]+( [kMG])?/s, at [\\d.]+ .s: bcast pipeline, 8 MiB");
  CHECK(std::regex_search(reported, line));
  CHECK(reported.ends_with("\r\x1b[K"));
  args.back() = "3MiB";  // far below the size at which files get progress lines
  CHECK(run({.args = args}).err.find("messages") == std::string::npos);
}

TEST_CASE("on a terminal, a search in many short parts shows its progress as a whole") {
  std::vector<std::string> args{sim_path(), "tune", "hints", "--platform", "crill", "-n", "96"};
  for (const char* more : {"--decomposition", "patches:200:1KiB:64KiB", "--storage", "lumi-p",
                           "--method", "model", "--budget", "40", "--part", "times"})
    args.emplace_back(more);
  const auto reported = errors_on_terminal(args);
  CAPTURE(reported);
  const std::regex line("\\r\x1b\\[K[1-9]\\d* of 40 simulations \\(\\d+ %\\), ");
  CHECK(std::regex_search(reported, line));
  CHECK(reported.ends_with("\r\x1b[K"));
}

TEST_CASE("a file or a pipe gets all columns, regardless of COLUMNS") {
  const Ended ended = run({.args = wide, .env = {{"COLUMNS", "40"}}});
  CHECK(ended.exit_code == 0);
  CHECK(!omits(ended.out));
  CHECK(widest(ended.out) > 80);
}

TEST_CASE("on a terminal, a valid COLUMNS sets the width, otherwise the terminal") {
  const std::string everything = run({.args = wide}).out;
  const struct {
    unsigned short columns;
    const char* environment;
    std::size_t width;  // maximum width of the table
  } cases[] = {{200, "", 200}, {80, "", 80},     {200, "80", 80}, {80, "200", 200},
               {80, "x", 80},  {200, "-1", 200}, {200, "0", 200}, {0, "", 80}};
  for (const auto& [columns, environment, width] : cases) {
    CAPTURE(columns);
    CAPTURE(environment);
    const std::string text = on_terminal(columns, environment);
    CAPTURE(text);
    CHECK(widest(text) <= width);
    CHECK(omits(text) == (width == 80));
    if (width == 200) CHECK(text == everything);
  }
}

TEST_CASE("messages are wrapped to the terminal; a pipe gets each in one line") {
  const TemporaryFolder folder;
  const auto file =
      folder.write("long.xml", "<platform version=\"4.1\"><!--" + std::string(300, 'x') +
                                   "--><cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-3\" "
                                   "speed=\"1Gf\" bw=\"nan\" lat=\"1us\"/></platform>\n");
  winsize size{.ws_row = 24, .ws_col = 60, .ws_xpixel = 0, .ws_ypixel = 0};
  int ours = -1, theirs = -1;
  REQUIRE(::openpty(&ours, &theirs, nullptr, nullptr, &size) == 0);
  const std::vector<std::string> args{sim_path(), "platform", "show",
                                      "long.xml", "--color",  "never"};
  const Ended ended =
      run({.args = args, .env = {{"COLUMNS", ""}}, .folder = folder.file(""), .stderr_fd = theirs});
  ::close(theirs);
  CHECK(ended.exit_code == 2);
  std::string reported;
  char block[4096];
  for (ssize_t got; (got = ::read(ours, block, sizeof block)) > 0;)
    reported.append(block, static_cast<std::size_t>(got));
  ::close(ours);
  std::erase(reported, '\r');
  CAPTURE(reported);
  CHECK(widest(reported) <= 60);
  const auto lines = split(reported, '\n');
  const auto caret = std::find_if(lines.begin(), lines.end(),
                                  [](const auto& line) { return line.ends_with(" ^"); });
  REQUIRE((caret != lines.begin() && caret != lines.end()));
  CHECK((caret - 1)->substr(caret->size() - 1).starts_with("nan\""));
  const Ended piped = run({.args = args, .folder = folder.file("")});
  CHECK(split(piped.err, '\n').front().ends_with("bw: 'nan' is not a rate: it is not finite"));
  CHECK(widest(piped.err) <= 204);
}

// Output of commands with wide tables, on a terminal of 80 columns.
TEST_CASE("typical reports have no line of more than 80 columns on a terminal") {
  const TemporaryFolder folder;
  const std::string study = folder.write(
      "s.toml",
      "[study]\nname = \"s\"\ndescription = \"broadcasts by algorithm, size and eager limit\"\n"
      "[base]\nworkload = \"bcast\"\nplatform = \"crill\"\nppn = 4\n[matrix]\nprocs = [16, 32]\n"
      "algorithm = [\"auto\", \"scatter_allgather_ring\"]\nmessage_size = [\"1KiB\", \"64KiB\"]\n"
      "\"mpi/eager_limit\" = [\"12KiB\", \"48KiB\"]\n");
  const std::string store = folder.file("s.db"), csv = folder.file("a.csv");
  const std::string trace = TUTTI_SOURCE_DIR "/examples/replay/halo";
  const std::string calls[] = {
      "sweep " + study + " --list",
      "sweep " + study + " --store " + store,
      "store info " + store,
      "export " + store + " --format text",
      "run bcast --platform crill --procs 16,64 --ppn 4 --algorithm all --message-size 1KiB,1MiB",
      "run bcast --platform crill --procs 16,64 --ppn 4 --algorithm all --message-size 1KiB -o " +
          csv,
      "run alltoall --platform fugaku --procs 64 --message-size 1KiB --critical-path",
      "run write --platform crill --procs 16,64 --bytes-per-proc 1MiB --aggregators 2,4",
      "run pingpong --platform crill",
      "run loggp --platform crill --message-size 1KiB:64KiB",
      "compare " + csv + " " + csv + " --sort ratio",
      "list algorithms",
      "list mockups",
      "list storage",
      "list tunables",
      "platform list",
      "platform show fugaku",
      "platform check vsc3",
      "platform routes fugaku 0 300",
      "guidelines check --platform jupiter --procs 32 --ppn 1 --message-size 1,1KiB",
      "validate io",
      "validate models --platform crill --procs 16 --ppn 1 --collective bcast --message-size 64KiB",
      "select rules --platform crill --procs 16 --ppn 4 --collective bcast --message-size "
      "1KiB,64KiB",
      "fireworks measure --platform opuntia --max-pairs 2",
      "replay " + trace + " --model platform --platform gros --ppn 1",
      "replay suggest " + trace + " --model platform --platform gros --ppn 1",
      "params names"};
  for (const auto& call : calls) {
    CAPTURE(call);
    std::vector<std::string> args{sim_path()};
    for (const auto& word : split(call, ' ')) args.push_back(word);
    const std::string text = on_terminal(args, 80, "");
    for (const auto& line : split(text, '\n'))
      CHECK_MESSAGE(tutti::count_characters(line) <= 80, line);
  }
}
