// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "sim/replay/hypothesis_file.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using tests::exactly;

namespace {

Result<Hypothesis> read(const std::string& text) { return read_hypothesis(text, "silas.conf"); }

Error error_of(const std::string& text) {
  const auto result = read(text);
  REQUIRE_FALSE(result);
  return result.error();
}

}  // namespace

TEST_CASE("the example of SILAS's thesis, Listing 4.4, is read") {
  const auto hypothesis = read(R"(# Example configuration for SILAS
MODEL "Reenact"
  OPTION "idle overhead" 5e-06
BALANCE REGION "foo"
SCALE REGION "bar" 0.5
CUT MESSAGE SIZE == 0
)");
  REQUIRE(hypothesis);
  REQUIRE(hypothesis->balances.size() == 1);
  CHECK(hypothesis->balances[0].region == "foo");
  CHECK(hypothesis->balances[0].mode == Balance::Mode::global_instance);
  REQUIRE(hypothesis->scales.size() == 1);
  CHECK(hypothesis->scales[0].region == "bar");
  CHECK(hypothesis->scales[0].factor == exactly(0.5));
  REQUIRE(hypothesis->cuts.size() == 1);
  CHECK(hypothesis->cuts[0].message_bytes == 0u);
  CHECK(hypothesis->notes ==
        std::vector<std::string>{"MODEL 'Reenact' has no effect, and neither do its options 'idle "
                                 "overhead': --model selects the replay model"});
}

TEST_CASE("all options of the reenact model are accepted, and reported") {
  const auto hypothesis = read(R"(MODEL "Reenact"
OPTION "aggregate idle" "enabled", OPTION "noop threshold" 1e-6
OPTION "skip threshold" +2 OPTION "verbose" TRUE  OPTION "quiet" FALSE # "not this"
)");
  REQUIRE(hypothesis);
  CHECK(hypothesis->is_empty());  // the identity
  REQUIRE(hypothesis->notes.size() == 1);
  for (const char* name : {"aggregate idle", "noop threshold", "skip threshold", "verbose"})
    CHECK(hypothesis->notes[0].find(name) != std::string::npos);
  CHECK(hypothesis->notes[0].find("not this") == std::string::npos);
}

TEST_CASE("perturbation is compensated if the cost of an event is given") {
  const auto with = [](const std::string& value) {
    return read("MODEL \"Reenact\" OPTION \"compensate perturbation\" " + value);
  };
  REQUIRE(with("2e-07"));
  CHECK(with("2e-07")->perturbation_s == exactly(2e-7));
  REQUIRE(with("TRUE"));
  CHECK(with("TRUE")->perturbation_s == exactly(0));
  CHECK(with("TRUE")->notes.front().find("has no effect without a number") != std::string::npos);
  REQUIRE(with("FALSE"));
  CHECK(with("FALSE")->is_empty());
  CHECK_FALSE(with("-1"));
  CHECK_FALSE(with("\"much\""));
  CHECK(with("1e300").error().message == "invalid time per event '1e300': more than a century");
  CHECK_FALSE(with("nan"));
  CHECK_FALSE(with("inf"));
}

TEST_CASE("every balancing mode is read, and options without effect are accepted") {
  const auto hypothesis = read(R"(BALANCE REGION "a" OPTION "mode" "global instance"
BALANCE REGION "b" OPTION "mode" "process-local"
BALANCE REGION "c" OPTION "mode" "global"
BALANCE REGION "d" OPTION "mode" "scaled" OPTION "depth" 3
CUT REGION "e" OPTION "deep" TRUE)");
  REQUIRE(hypothesis);
  REQUIRE(hypothesis->balances.size() == 4);
  CHECK(hypothesis->balances[0].mode == Balance::Mode::global_instance);
  CHECK(hypothesis->balances[1].mode == Balance::Mode::process_local);
  CHECK(hypothesis->balances[2].mode == Balance::Mode::global);
  CHECK(hypothesis->balances[3].mode == Balance::Mode::scaled);
  REQUIRE(hypothesis->cuts.size() == 1);
  CHECK(hypothesis->cuts[0].region == "e");
  CHECK(hypothesis->notes == std::vector<std::string>{"option 'depth' of BALANCE has no effect",
                                                      "option 'deep' of CUT has no effect"});
}

TEST_CASE("messages are selected by size or tag, with each relation") {
  const auto hypothesis = read(
      "CUT MESSAGE SIZE == 8 CUT MESSAGE SIZE != 8 CUT MESSAGE SIZE < 8 CUT MESSAGE SIZE<=8\n"
      "CUT MESSAGE TAG > 8\nCUT MESSAGE TAG >= +8");
  REQUIRE(hypothesis);
  REQUIRE(hypothesis->cuts.size() == 6);
  // For 7, 8, 9.
  const bool expected[6][3] = {{false, true, false}, {true, false, true},  {true, false, false},
                               {true, true, false},  {false, false, true}, {false, true, true}};
  for (std::size_t i = 0; i < 6; ++i) {
    const auto& cut = hypothesis->cuts[i];
    CHECK(cut.message_bytes.has_value() == (i < 4));
    CHECK(cut.message_tag.has_value() == (i >= 4));
    const auto& condition = i < 4 ? cut.message_bytes : cut.message_tag;
    for (std::uint64_t value = 7; value <= 9; ++value)
      CHECK(condition->holds(value) == expected[i][value - 7]);
  }
  const auto again = read_hypothesis(hypothesis_text(*hypothesis), "h.toml");
  REQUIRE(again);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(again->cuts[i].message_bytes == hypothesis->cuts[i].message_bytes);
    CHECK(again->cuts[i].message_tag == hypothesis->cuts[i].message_tag);
  }
}

TEST_CASE("numbers are read in every notation of C") {
  const auto hypothesis =
      read("SCALE REGION \"a\" 2 SCALE REGION \"b\" +2.5e-1 SCALE REGION \"c\" 0");
  REQUIRE(hypothesis);
  CHECK(hypothesis->scales[0].factor == exactly(2));
  CHECK(hypothesis->scales[1].factor == exactly(0.25));
  CHECK(hypothesis->scales[2].factor == exactly(0));
}

TEST_CASE("errors in a configuration are reported with place and hint") {
  const auto check = [](const std::string& text, int line, const std::string& message,
                        const std::string& hint) {
    CAPTURE(text);
    const Error error = error_of(text);
    CHECK(error.place == "silas.conf");
    CHECK(error.line == line);
    CHECK(error.message.find(message) != std::string::npos);
    CHECK(error.hint.find(hint) != std::string::npos);
  };
  check("BALANC REGION \"a\"", 1, "unknown word 'BALANC'", "BALANCE");
  check("MODEL \"R\"\n\nINSERT REGION \"a\"", 3, "unknown word 'INSERT'", "SCALE, CUT");
  check("\nSCALE REGION \"a\" 1e300", 2, "the factor must be at most 1e+09", "SCALE REGION");
  check("SCALE REGION \"a\" inf", 1, "expected a factor, not 'inf'", "SCALE REGION");
  check("SCALE REGION \"a\" nan", 1, "expected a factor, not 'nan'", "SCALE REGION");
  check("SCALE REGION \"\" 2", 1, "the text is empty", "SCALE REGION");
  check("MODEL", 1, "expected a text in quotes, not the end", "Reenact");
  check("MODEL Reenact", 1, "not 'Reenact'", "\"Reenact\"");
  check("MODEL \"R\" OPTION \"a\" maybe", 1, "TRUE or FALSE, not 'maybe'", "OPTION");
  check("SCALE REGION \"a\"\nCUT REGION \"b\"", 2, "expected a factor, not 'CUT'", "0.5");
  check("SCALE REGION \"a\" -1", 1, "must not be negative", "0.5");
  check("SCALE \"a\" 1", 1, "expected REGION", "SCALE REGION");
  check("SCALE REGION \"a\n 1", 1, "expected a text in quotes", "\"bar\"");
  check("CUT MESSAGES", 1, "expected REGION or MESSAGE", "CUT MESSAGE SIZE");
  check("CUT MESSAGE LENGTH == 0", 1, "expected SIZE or TAG", "SIZE");
  check("CUT MESSAGE SIZE = 0", 1, "expected ==, !=", "SIZE == 0");
  check("CUT MESSAGE SIZE == 4KiB", 1, "whole number", "SIZE == 0");
  check("BALANCE REGION \"a\"\nOPTION \"mode\" \"local\"", 2, "unknown mode 'local'",
        "process-local");
  check("CUT REGION \"a\"\nMODEL \"R\"", 2, "MODEL does not belong here", "first");
  std::string many;
  for (int i = 0; i < 65; ++i) many += "CUT REGION \"a\"\n";
  CHECK(error_of(many).message == "has too many parts: 65");
}

TEST_CASE("all errors are reported at once") {
  const auto result = read("BALANCE REGION 1\nSCALE REGION \"a\" x\nCUT TAG\nCUT REGION \"b\"");
  REQUIRE_FALSE(result);
  CHECK(result.errors().size() == 3);
}

TEST_CASE("TOML is not mistaken for a configuration, with any keys") {
  CHECK(error_of("SCALE = 1\n").message.find("unknown key") != std::string::npos);
  CHECK(error_of("SCALE.x = 1\n").message.find("unknown key") != std::string::npos);
  CHECK(error_of("[[SCALE]]\nx = 1\n").message.find("unknown key") != std::string::npos);
  CHECK(error_of("A_b = 1\n").message.find("unknown key") != std::string::npos);
  CHECK(error_of("Ab = 1\n").message.find("unknown key") != std::string::npos);
}

TEST_CASE("a byte order mark before a configuration is ignored") {
  const auto hypothesis = read(
      "\xef\xbb\xbf"
      "BALANCE REGION \"foo\"\n");
  REQUIRE(hypothesis);
  CHECK(hypothesis->balances.size() == 1);
  CHECK(
      read("\xef\xbb\xbf"
           "[[cut]]\nregion = \"foo\"\n"));
}
