// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/options.hpp"

#include <doctest/doctest.h>

#include "sim/commands/diagnostics.hpp"

using namespace tutti;
using commands::OptionSpec;
using commands::parse_options;

namespace {

constexpr OptionSpec specs[] = {
    {"Group", "--procs", "N", "number of processes"},
    {"Group", "--set", "KEY=VALUE", "override", true},
    {"Group", "-o,--output", "FILE", "where to", false, false},
    {"Group", "-q,--quiet", "", "silence"},
};

}  // namespace

TEST_CASE("options and arguments are told apart wherever they stand") {
  const auto parsed = parse_options(
      specs, {"--procs", "4", "bcast", "-q", "--set=a=b", "-o", "x.csv", "--set", "c"});
  REQUIRE(parsed);
  CHECK(parsed->arguments == std::vector<std::string>{"bcast"});
  CHECK(parsed->value("--procs") == "4");
  CHECK(parsed->values("--set") == std::vector<std::string>{"a=b", "c"});
  CHECK(parsed->value("--output") == "x.csv");
  CHECK(parsed->has("--quiet"));
  CHECK(commands::reproducing_options(specs, *parsed) == " --procs 4 --set a=b --set c --quiet");
}

TEST_CASE("a value may look like a number below zero or like an option") {
  for (const char* value : {"-1", "-x", "--procs", "{}", "[1,2]", "'", ""}) {
    CAPTURE(value);
    const auto parsed = parse_options(specs, {"--procs", value});
    REQUIRE(parsed);
    CHECK(parsed->value("--procs") == value);
  }
}

TEST_CASE("bad options are errors that name the option") {
  const struct {
    std::vector<std::string> args;
    const char* place;
    const char* message;
    const char* hint;
  } cases[] = {
      {{"--procs"}, "--procs", "needs a value", ""},
      {{"--procs=", "--set"}, "--procs", "needs a value", ""},
      {{"--quiet=no"}, "--quiet", "takes no value", ""},
      {{"--proc", "4"}, "", "unknown option '--proc'", "did you mean '--procs'?"},
      {{"--proc=4"}, "", "unknown option '--proc'", "did you mean '--procs'?"},
      {{"-z"}, "", "unknown option '-z'", "--help names all options"},
      {{"--procs", "1", "--procs", "2"},
       "--procs",
       "is given more than once",
       "several values are a list: 1,3,5"},
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

TEST_CASE("the line that reproduces a run is quoted for a shell") {
  const auto parsed = parse_options(specs, {"--procs", "1:8:*2", "--set", "a=it's", "-o", "f"});
  REQUIRE(parsed);
  CHECK(commands::reproducing_options(specs, *parsed) == R"( --procs '1:8:*2' --set 'a=it'\''s')");
}

TEST_CASE("errors are told with place, line, caret and hint") {
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
        "    \t <link bandwidth='0'/>\n"
        "    \t  ^\n"
        "help: for example 2GBps\n");
  CHECK(commands::describe(error, true).find("\x1b[1;31merror: \x1b[0m") != std::string::npos);
  error.column = 0;
  CHECK(commands::describe(error, false) ==
        "my.xml:3: error: bandwidth must be above 0\n"
        "    \t <link bandwidth='0'/>\n"
        "help: for example 2GBps\n");
}
