// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "sim/base/text.hpp"
#include "sim/commands/diagnostics.hpp"
#include "tests/support/files.hpp"

using namespace tutti;
using commands::fitted;
using commands::pointed_line;

TEST_CASE("a message fits its terminal, and is one line in a pipe") {
  const std::string message = "sim: warning: one two three four five six seven\n";
  CHECK(fitted(message, {}) == message);
  CHECK(fitted(message, 80) == message);
  CHECK(fitted(message, 25) == "sim: warning: one two\n    three four five six\n    seven\n");
  CHECK(fitted("a\nb", 80) == "a\nb\n");
  for (const std::size_t width : {1, 20, 33, 47, 48})
    for (const auto& line : tests::split(fitted(message, width), '\n'))
      CHECK(line.size() <= std::max<std::size_t>(width, 20));
}

TEST_CASE("a quoted line is cut around the caret, which points at the same character") {
  CHECK(pointed_line("abc", 2, {}) == "    abc\n     ^\n");
  CHECK(pointed_line("\tabc", 2, {}) == "    \tabc\n    \t^\n");
  CHECK(pointed_line("abc", 0, {}) == "    abc\n");
  CHECK(pointed_line("abc", 99, {}) == "    abc\n       ^\n");
  CHECK(pointed_line("\xc3\xa9\xc3\xa9x", 5, {}) == "    \xc3\xa9\xc3\xa9x\n      ^\n");
  std::string line;
  for (int i = 0; i < 100; ++i) line += "\xc3\xa9" + std::to_string(1000 + i);  // é and 4 digits
  for (const commands::Width width : {commands::Width{}, commands::Width{80}, commands::Width{7}})
    for (int column = 1; column <= static_cast<int>(line.size()); ++column) {
      if (static_cast<unsigned char>(line[static_cast<std::size_t>(column - 1)]) == 0xa9) continue;
      const auto reported = tests::split(pointed_line(line, column, width), '\n');
      REQUIRE(reported.size() == 2);
      const std::size_t room = width ? std::max<std::size_t>(*width, 20) : 204;
      CHECK(count_characters(reported[0]) <= room);
      std::size_t at = 0;
      for (std::size_t i = 0; i + 1 < reported[1].size(); ++i) at += utf8_length(reported[0], at);
      CHECK(reported[0].substr(at, 1) == line.substr(static_cast<std::size_t>(column - 1), 1));
    }
  const auto middle = pointed_line(std::string(150, 'a') + "!" + std::string(150, 'b'), 151, {});
  CHECK(middle.starts_with("    ...aaa"));
  CHECK(middle.find("bbb...\n") != std::string::npos);
}

TEST_CASE("an error keeps its form on a narrow terminal, and its colours") {
  Error error{.place = "--procs", .message = "one two three four", .hint = "five six seven eight"};
  CHECK(commands::describe(error, false, 30) ==
        "sim: error: --procs: one\n    two three four\nhelp: five six seven eight\n");
  CHECK(commands::describe(error, true, 30).starts_with("sim: \x1b[1;31merror:\x1b[0m --procs: "));
  error.line = 3;
  error.column = 31;
  error.source = std::string(30, ' ') + "x" + std::string(30, ' ');
  for (const auto& line : tests::split(commands::describe(error, false, 30), '\n'))
    CHECK(line.size() <= 30);
}
