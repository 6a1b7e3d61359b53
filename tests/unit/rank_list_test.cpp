// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "sim/options/option_values.hpp"
#include "sim/reports/trace_json.hpp"

using namespace tutti;
using options::parse_ranks;

TEST_CASE("ranks are sorted and overlaps merged") {
  const struct {
    const char* text;
    const char* ranges;
  } cases[] = {{"0", "0"},     {"0-15,20", "0-15,20"},  {"20,0-15", "0-15,20"}, {"3,1,2", "1-3"},
               {"5-5", "5"},   {"0-9,4-6", "0-9"},      {"0-4,3-8", "0-8"},     {"0-4,5", "0-5"},
               {"1,1,1", "1"}, {"16777215", "16777215"}};
  for (const auto& [text, ranges] : cases) {
    const auto parsed = parse_ranks(text);
    REQUIRE_MESSAGE(parsed, text);
    CHECK(reports::ranges_text(*parsed) == ranges);
  }
}

TEST_CASE("an invalid list of ranks is rejected") {
  for (const char* text : {"", ",", "1,", "-1", "-", "1-", "a", "1-b", "3-1", "1-2-3", "1.5",
                           "16777216", "99999999999999999999", "0x1", "1 2"}) {
    CAPTURE(text);
    const auto parsed = parse_ranks(text);
    REQUIRE(!parsed);
    CHECK(parsed.error().kind == ErrorKind::usage);
    CHECK(!parsed.error().hint.empty());
  }
}

TEST_CASE("ranks that the job does not have are omitted") {
  const auto text_below = [](const char* text, int procs) {
    return reports::ranges_text(options::below(*parse_ranks(text), procs));
  };
  CHECK(text_below("0-63", 16) == "0-15");
  CHECK(text_below("0-3,8,10-20", 16) == "0-3,8,10-15");
  CHECK(text_below("0-3,8,10-20", 9) == "0-3,8");
  CHECK(text_below("0-3,8,10-20", 8) == "0-3");
}
