// SPDX-License-Identifier: BSD-3-Clause
// What a terminal changes: the table and the messages fit it. A file and a pipe get everything.
#include <doctest/doctest.h>
#include <pty.h>

#include <algorithm>
#include <regex>
#include <thread>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;

namespace {

// A table of 98 columns, 90 with narrow gaps, 79 without the protocols.
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

// Runs with a terminal of that many columns as standard output; COLUMNS is as given.
std::string on_terminal(unsigned short columns, const std::string& environment) {
  winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  int ours = -1, theirs = -1;
  REQUIRE(::openpty(&ours, &theirs, nullptr, nullptr, &size) == 0);
  const Ended ended = run({.args = wide, .env = {{"COLUMNS", environment}}, .stdout_fd = theirs});
  ::close(theirs);
  CHECK(ended.exit_code == 0);
  std::string text;
  char block[4096];
  for (ssize_t got; (got = ::read(ours, block, sizeof block)) > 0;)
    text.append(block, static_cast<std::size_t>(got));
  ::close(ours);
  std::erase(text, '\r');
  return text;
}

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  for (const auto& line : split(text, '\n')) most = std::max(most, line.size());
  return most;
}

bool omits(const std::string& text) {
  return text.find("left out for want of room") != std::string::npos;
}

}  // namespace

TEST_CASE("a long point tells on a terminal how far it is, and takes the line off at the end") {
  winsize size{.ws_row = 24, .ws_col = 200, .ws_xpixel = 0, .ws_ypixel = 0};
  int ours = -1, theirs = -1;
  REQUIRE(::openpty(&ours, &theirs, nullptr, nullptr, &size) == 0);
  std::string reported;
  std::thread reader([&] {
    char block[4096];
    for (ssize_t got; (got = ::read(ours, block, sizeof block)) > 0;)
      reported.append(block, static_cast<std::size_t>(got));
  });
  std::vector<std::string> args{sim_path(), "run",     "bcast", "--platform",
                                "crill",    "--procs", "576"};
  for (const char* more : {"--engine", "flow", "--algorithm", "pipeline", "--segment-size", "1KiB",
                           "--message-size", "8MiB"})
    args.emplace_back(more);
  const Ended loud = run({.args = args, .env = {{"COLUMNS", ""}}, .stderr_fd = theirs});
  ::close(theirs);
  reader.join();
  ::close(ours);
  CHECK(loud.exit_code == 0);
  CAPTURE(reported);
  const std::regex line(
      "\\r\x1b\\[K\\d.* s so far, \\d+ % of 4.71 M messages, "
      "[\\d.]+( [kMG])?/s, at [\\d.]+ .s: bcast pipeline, 8 MiB");
  CHECK(std::regex_search(reported, line));
  CHECK(reported.ends_with("\r\x1b[K"));
  args.back() = "3MiB";  // far less than where files get lines of progress
  CHECK(run({.args = args}).err.find("messages") == std::string::npos);
}

TEST_CASE("a file or a pipe gets every column, whatever COLUMNS says") {
  const Ended ended = run({.args = wide, .env = {{"COLUMNS", "40"}}});
  CHECK(ended.exit_code == 0);
  CHECK(!omits(ended.out));
  CHECK(widest(ended.out) > 80);
}

TEST_CASE("on a terminal its real width decides, or COLUMNS where it is a number") {
  const std::string everything = run({.args = wide}).out;
  const struct {
    unsigned short columns;
    const char* environment;
    std::size_t width;  // that the table must fit
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

TEST_CASE("messages fit the terminal that shows them; a pipe gets each in one line") {
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
