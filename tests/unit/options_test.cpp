// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/options.hpp"

#include <doctest/doctest.h>

#include "sim/commands/diagnostics.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/commands/progress.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"

using namespace tutti;
using commands::parse_options;
using options::OptionSpec;

namespace {

constexpr OptionSpec specs[] = {
    {"Group", "--procs", "N", "number of processes"},
    {"Group", "--set", "KEY=VALUE", "override", true},
    {"Group", "-o,--output", "FILE", "where to", false, false},
    {"Group", "-q,--quiet", "", "silence"},
    {"Group", "--radix,--fanout", "N", "one option, two names"},
    {"Group", "--algorithm", "NAMES", "a list"},
    {"Group", "--platform", "NAME", "no list"},
    {"Group", "--store", "FILE", "Database of results"},
};

}  // namespace

TEST_CASE("options and arguments are distinguished in any order") {
  const auto parsed = parse_options(
      specs, {"--procs", "4", "bcast", "-q", "--set=a=b", "-o", "x.csv", "--set", "c"});
  REQUIRE(parsed);
  CHECK(parsed->arguments == std::vector<std::string>{"bcast"});
  CHECK(parsed->value("--procs") == "4");
  CHECK(parsed->values("--set") == std::vector<std::string>{"a=b", "c"});
  CHECK(parsed->value("--output") == "x.csv");
  CHECK(parsed->has("--quiet"));
  CHECK(options::reproducing_options(specs, *parsed) == " --procs 4 --set a=b --set c --quiet");
}

TEST_CASE("a value may look like a negative number or like an option") {
  for (const char* value : {"-1", "-x", "--procs", "{}", "[1,2]", "'", ""}) {
    CAPTURE(value);
    const auto parsed = parse_options(specs, {"--procs", value});
    REQUIRE(parsed);
    CHECK(parsed->value("--procs") == value);
  }
}

TEST_CASE("invalid options are errors that name the option") {
  const struct {
    std::vector<std::string> args;
    const char* place;
    const char* message;
    const char* hint;
  } cases[] = {
      {{"--procs"}, "--procs", "needs a value", "write --procs N"},
      {{"--procs=", "--set"}, "--procs", "needs a value", "write --procs N"},
      {{"--quiet=no"}, "--quiet", "takes no value", "write --quiet alone"},
      {{"--proc", "4"}, "", "unknown option '--proc'", "did you mean '--procs'?"},
      {{"--proc=4"}, "", "unknown option '--proc'", "did you mean '--procs'?"},
      {{"-z"}, "", "unknown option '-z'", "--help lists all options"},
      {{"--list"},
       "",
       "unknown option '--list'",
       "--help lists all options; related: --algorithm, --platform"},
      {{"--database"},
       "",
       "unknown option '--database'",
       "--help lists all options; related: --store"},
      {{"--lis"}, "", "unknown option '--lis'", "--help lists all options"},
      {{"--procs", "1", "--procs", "2"},
       "--procs",
       "is given more than once",
       "give several values as a list: 1,3,5"},
      {{"--algorithm", "chain", "--algorithm=auto"},
       "--algorithm",
       "is given more than once",
       "give several values as a list: a,b,c"},
      {{"--platform", "a", "--platform", "b"}, "--platform", "is given more than once", ""},
      {{"-q", "--quiet"},
       "--quiet",
       "is given more than once",
       "-q and --quiet are the same option"},
      {{"-qq"}, "-q", "is given more than once", ""},
      {{"--fanout", "2", "--radix=4"},
       "--fanout",
       "is given more than once",
       "--radix and --fanout are the same option"},
      {{"-o"}, "-o", "needs a value", "write -o FILE"},
      {{"--", "--procs", "2"}, "", "option '--procs' is given after '--'", "omit the '--'"},
      {{"--", "-o", "x"}, "", "option '-o' is given after '--'", "omit the '--'"},
  };
  for (const auto& [args, place, message, hint] : cases) {
    CAPTURE(args.front());
    const auto parsed = parse_options(specs, args);
    REQUIRE(!parsed);
    CHECK(parsed.error().place == place);
    CHECK(parsed.error().message == message);
    CHECK(parsed.error().hint == hint);
  }
}

TEST_CASE("arguments may follow --") {
  const auto parsed = parse_options(specs, {"--procs", "2", "--", "bcast"});
  REQUIRE(parsed);
  CHECK(parsed->arguments == std::vector<std::string>{"bcast"});
  CHECK(parsed->value("--procs") == "2");
}

TEST_CASE("an option is reported by the typed name") {
  const auto parsed = parse_options(specs, {"--radix", "2", "-o", "x", "-q", "--procs=1"});
  REQUIRE(parsed);
  CHECK(parsed->value("--fanout") == "2");
  CHECK(parsed->typed("--fanout") == "--radix");
  CHECK(parsed->typed("--output") == "-o");
  CHECK(parsed->typed("--quiet") == "-q");
  CHECK(parsed->typed("--procs") == "--procs");
  CHECK(parsed->typed("--platform") == "--platform");  // was not given
}

TEST_CASE("the line that reproduces a run is quoted for a shell") {
  const auto parsed = parse_options(specs, {"--procs", "1:8:*2", "--set", "a=it's", "-o", "f"});
  REQUIRE(parsed);
  CHECK(options::reproducing_options(specs, *parsed) == R"( --procs '1:8:*2' --set 'a=it'\''s')");
}

TEST_CASE("control characters in the line that reproduces a run are escaped") {
  const auto parsed = parse_options(specs, {"--platform", "a\n\x1b[1m'\\b"});
  REQUIRE(parsed);
  CHECK(options::reproducing_options(specs, *parsed) == R"( --platform $'a\012\033[1m\'\\b')");
}

TEST_CASE("names with line ends and escapes are printed as text") {
  Error error{.place = "a\nb\x1b[31m.xml", .message = "wrong\x07", .hint = "one\n\ttwo\r"};
  CHECK(commands::describe(error, false) ==
        "sim: error: a\\x0ab\\x1b[31m.xml: wrong\\x07\nhelp: one\n\ttwo\\x0d\n");
  error.line = error.column = 1;
  CHECK(commands::describe(error, false).starts_with("a\\x0ab\\x1b[31m.xml:1:1: error: "));
}

TEST_CASE("20 errors are printed, with the number of the others") {
  const Error error{.place = "my.xml", .message = "wrong"};
  const auto lines_of = [&](std::size_t errors) {
    return tests::split(commands::describe_all(std::vector(errors, error), false), '\n');
  };
  CHECK(lines_of(1) == std::vector<std::string>{"sim: error: my.xml: wrong"});
  CHECK(lines_of(20).size() == 20);
  CHECK(lines_of(20).back() == "sim: error: my.xml: wrong");
  CHECK(lines_of(5000).size() == 21);
  CHECK(lines_of(5000).back() == "sim: ... and 4980 more errors");
}

TEST_CASE("progress counts points and time without estimates, and is cut only on a terminal") {
  commands::ProgressState state{
      .done = 7, .points = 21, .elapsed_s = 8.1, .current = "bcast chain, 64 KiB"};
  CHECK(commands::progress_line(state, {}) ==
        "7 of 21 points (33 %), 8.10 s so far: bcast chain, 64 KiB");
  state.failed = 2;
  CHECK(commands::progress_line(state, {}) ==
        "7 of 21 points (33 %), 2 failed, 8.10 s so far: bcast chain, 64 KiB");
  commands::ProgressState watched = state;
  watched.live = {.messages = 3'400'000, .messages_per_s = 420'000, .simulated_s = 0.012};
  CHECK(commands::progress_line(watched, {}) ==
        "7 of 21 points (33 %), 2 failed, 8.10 s so far, 3.4 M messages, 420 k/s, at 12.0 ms: "
        "bcast chain, 64 KiB");
  watched.live->expected_messages = 13'600'000;
  watched.points = 1;
  watched.failed = 0;
  CHECK(commands::progress_line(watched, {}) ==
        "8.10 s so far, 25 % of 13.6 M messages, 420 k/s, at 12.0 ms: bcast chain, 64 KiB");
  watched.live->expected_messages = 8;  // an estimate that was too small
  CHECK(commands::progress_line(watched, {}) ==
        "8.10 s so far, 3.4 M messages, 420 k/s, at 12.0 ms: bcast chain, 64 KiB");
  watched = state;
  watched.live = {.messages = 1024, .messages_per_s = 12, .simulated_s = 0};
  CHECK(commands::progress_line(watched, {}).find("s so far, 1.02 k messages, 12/s: ") !=
        std::string::npos);
  watched.live = commands::LiveState{};
  CHECK(commands::progress_line(watched, {}) == commands::progress_line(state, {}));
  CHECK(commands::progress_line(state, 12) == "7 of 21 poi");  // the last column stays free
  CHECK(commands::progress_line(state, 1).empty());
  state.current = std::string(200, 'x');
  CHECK(commands::progress_line(state, {}).ends_with(state.current));
}

TEST_CASE("the time left decreases during a long point, and is at least that of the longest") {
  using commands::time_left;
  const auto left_s = [](const commands::WorkLeft& work) { return time_left(work).value_or(-1); };
  CHECK(left_s({}) == -1);
  CHECK(left_s({.estimated_s = 10, .jobs = 2}) == tests::close_to(5, 1e-9));
  // The finished points took twice their estimates: one second counts as finished as estimated.
  const jobs::FinishedWork finished{.estimated_s = 3, .took_s = 6};
  CHECK(left_s({.estimated_s = 10, .finished = finished}) == tests::close_to(17.5, 1e-9));
  // At its own pace half of four seconds have passed; by the estimate 1.8 s are left.
  const commands::RunningWork half{.estimated_s = 3, .done = 0.5, .running_s = 2};
  CHECK(left_s({.estimated_s = 3, .running = {half}}) == tests::close_to(2, 1e-9));
  commands::WorkLeft work{.estimated_s = 6, .running = {half}};  // the same amount waits
  const double ratio = (2 + 0.6) / (1.5 + 0.6);
  CHECK(left_s(work) == tests::close_to(2 + 3 * ratio, 1e-9));
  work.jobs = 8;
  CHECK(left_s(work) == tests::close_to(2, 1e-9));
}

TEST_CASE("the time left is that of the long points that wait, not of the many short ones") {
  // A fake clock: five short points, then one of 200 s that was estimated as 150 s.
  commands::WorkLeft work{.estimated_s = 150 + 5 * 0.02};
  for (int point = 0; point < 5; ++point) {
    CHECK(commands::time_left(work) == tests::close_to(150, 0.3));
    work.estimated_s -= 0.02;
    work.finished.add(0.02, 0.1);
  }
  for (Seconds now_s = 0.5; now_s < 200; now_s += 0.5) {
    work.running = {{.estimated_s = 150, .done = now_s / 200, .running_s = now_s}};
    const auto left_s = commands::time_left(work);
    REQUIRE(left_s);
    CHECK(*left_s >= (200 - now_s) * (1 - 1e-9));
    CHECK(*left_s <= 2 * (200 - now_s));
  }
}

TEST_CASE("a point that takes longer than estimated without visible progress has no time left") {
  commands::WorkLeft work{.estimated_s = 10};
  work.running = {{.estimated_s = 10, .running_s = 2}};
  CHECK(commands::time_left(work) == tests::close_to(8, 1e-9));
  work.running.front().running_s = 11;
  CHECK_FALSE(commands::time_left(work));
  work.running.front().done = 1;  // all messages are sent, but not all have arrived
  CHECK_FALSE(commands::time_left(work));
}

TEST_CASE("errors are printed with place, line, caret and hint") {
  Error error;
  error.message = "bandwidth must be above 0";
  error.place = "my.xml";
  error.hint = "for example 2GBps";
  CHECK(commands::describe(error, false) ==
        "sim: error: my.xml: bandwidth must be above 0\nhelp: for example 2GBps\n");
  error.line = 3;
  error.column = 4;
  error.source = "\t <link bandwidth='0'/>";
  CHECK(commands::describe(error, false) ==
        "my.xml:3:4: error: bandwidth must be above 0\n"
        "      <link bandwidth='0'/>\n"
        "       ^\n"
        "help: for example 2GBps\n");
  CHECK(commands::describe(error, true).find("\x1b[1;31merror:\x1b[0m ") != std::string::npos);
  error.column = 0;
  CHECK(commands::describe(error, false) ==
        "my.xml:3: error: bandwidth must be above 0\n"
        "      <link bandwidth='0'/>\n"
        "help: for example 2GBps\n");
}
