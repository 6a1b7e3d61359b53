// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/units.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "sim/base/hash.hpp"
#include "sim/base/printable_text.hpp"
#include "sim/base/text.hpp"
#include "sim/base/text_position.hpp"

using namespace tutti;

TEST_CASE("the error of a unit in the wrong case names the intended ones") {
  const auto message = [](const auto& parsed) { return parsed.error().message; };
  CHECK(message(parse_bytes("1kb")) ==
        "'1kb' is not a size: unknown unit 'kb': did you mean kB or KiB?");
  CHECK(message(parse_bytes("1kib")) ==
        "'1kib' is not a size: unknown unit 'kib': did you mean kB or KiB?");
  CHECK(message(parse_bytes("1mb")) ==
        "'1mb' is not a size: unknown unit 'mb': did you mean MB or MiB?");
  CHECK(message(parse_seconds("1US")) ==
        "'1US' is not a time: unknown unit 'US': did you mean us?");
  CHECK(message(parse_bytes("1xB")) == "'1xB' is not a size: unknown unit 'xB'");
}

TEST_CASE("sizes are read in binary and decimal units") {
  struct Case {
    std::string text;
    Bytes bytes;
  };
  const std::vector<Case> cases = {
      {"0", 0},
      {"100", 100},
      {"100B", 100},
      {"1kB", 1000},
      {"1KB", 1000},
      {"1KiB", 1024},
      {"64K", 65536},
      {"64KiB", 65536},
      {"64 KiB", 65536},
      {"1.5MiB", 1572864},
      {"2.3MB", 2300000},
      {"0.1kB", 100},
      {"1e3", 1000},
      {"1M", 1048576},
      {"2G", 2147483648},
      {"2GB", 2000000000},
      {"1T", 1099511627776},
      {"9007199254740993", 9007199254740993},  // 2^53 + 1
      {"9223372036854775807", std::numeric_limits<Bytes>::max()},
      {"8191PiB", 8191LL << 50},
  };
  for (const auto& c : cases) {
    CAPTURE(c.text);
    const auto parsed = parse_bytes(c.text);
    REQUIRE(parsed);
    CHECK(*parsed == c.bytes);
  }
}

TEST_CASE("an invalid size is rejected with the text and the units") {
  for (const std::string text : {"",          " ",       "-1",      "-0",     "-1KiB",
                                 "nan",       "inf",     "1e400",   "1e5000", "9223372036854775808",
                                 "1e20",      "8192PiB", "1.5B",    "0.5",    "1.5",
                                 "0.0000001", "64kb",    "64kib",   "64k",    "KiB",
                                 "64KiB ",    " 64KiB",  "64  KiB", "64KiBx", "0x10",
                                 "1,5",       "+5",      "64KiBps", "1 ",     "--1"}) {
    CAPTURE(text);
    const auto parsed = parse_bytes(text);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.errors().size() == 1);
    CHECK(parsed.error().kind == ErrorKind::usage);
    CHECK(parsed.error().place.empty());
    CHECK(parsed.error().message.starts_with("'" + text + "' is not a size: "));
    CHECK(parsed.error().hint.find("KiB") != std::string::npos);
  }
}

TEST_CASE("times are read to the nearest double") {
  struct Case {
    std::string text;
    double seconds;
  };
  const std::vector<Case> cases = {{"0", 0},
                                   {"1e-6", 1e-6},
                                   {"0.4us", 0.4e-6},
                                   {"1.84us", 1.84e-6},
                                   {"0.67ns", 6.7e-10},
                                   {"73.38us", 73.38e-6},
                                   {"10ns", 1e-8},
                                   {"1.5ms", 1.5e-3},
                                   {"3s", 3},
                                   {"3", 3},
                                   {"2m", 120},
                                   {"1h", 3600},
                                   {"1d", 86400},
                                   {"1w", 604800},
                                   {"5ps", 5e-12},
                                   {"31.55us", 31.55e-6}};
  for (const auto& c : cases) {
    CAPTURE(c.text);
    const auto parsed = parse_seconds(c.text);
    REQUIRE(parsed);
    CHECK(*parsed == c.seconds);
  }
  for (const std::string text : {"", "-1us", "nan", "inf", "infinity", "1e400", "1e307w", "1 month",
                                 "1us2", "us", "1uss", "1Us", "1.2.3"}) {
    CAPTURE(text);
    const auto parsed = parse_seconds(text);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().message.starts_with("'" + text + "' is not a time: "));
    CHECK(parsed.error().hint.find("us") != std::string::npos);
  }
}

TEST_CASE("rates distinguish bits and bytes") {
  struct Case {
    std::string text;
    double rate_Bps;
  };
  const std::vector<Case> cases = {
      {"20Gbps", 2.5e9},   {"100Mbps", 1.25e7}, {"8kbps", 1000},       {"8bps", 1},
      {"2GBps", 2e9},      {"2MBps", 2e6},      {"3kBps", 3000},       {"1GiBps", 1073741824.0},
      {"1KiBps", 1024},    {"1Kibps", 128},     {"125000000", 1.25e8}, {"1.9415GBps", 1.9415e9},
      {"42.7GBps", 42.7e9}};
  for (const auto& c : cases) {
    CAPTURE(c.text);
    const auto parsed = parse_rate(c.text);
    REQUIRE(parsed);
    CHECK(*parsed == c.rate_Bps);
  }
  for (const std::string text : {"", "0", "0GBps", "-1", "-1GBps", "nan", "inf", "1e400", "1Gbp",
                                 "1GB", "1Gf", "1GBps/s", "GBps", "1gbps"}) {
    CAPTURE(text);
    const auto parsed = parse_rate(text);
    REQUIRE_FALSE(parsed);
    CHECK(parsed.error().message.starts_with("'" + text + "' is not a rate: "));
    CHECK(parsed.error().hint.find("Gbps") != std::string::npos);
  }
}

TEST_CASE("whole numbers and numbers reject trailing text") {
  CHECK(*parse_integer("-12") == -12);
  CHECK(*parse_integer("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
  for (const std::string text : {"", "1.5", "1e3", "12x", "9223372036854775808", " 1", "nan"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_integer(text));
  }
  CHECK(*parse_number("-1.5e-3") == -1.5e-3);
  for (const std::string text : {"", "1.5x", "nan", "inf", "-inf", "1e400", "x"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_number(text));
  }
}

TEST_CASE("a rejected text is quoted without control characters and shortened") {
  CHECK(parse_bytes("1\x1b[31mKiB").error().message.find("'1\\x1b[31mKiB'") == 0);
  CHECK(parse_bytes(std::string(100'000, 'x')).error().message.size() < 200);
}

TEST_CASE("random texts never crash the parsers, and what they accept is in range") {
  std::mt19937 random(1);
  const std::string letters = "0123456789.-+eEKMGTiBbpsunmk :;xaif\0\xff";
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (auto n = random() % 8; n > 0; --n) text += letters[random() % letters.size()];
    if (const auto bytes = parse_bytes(text)) {
      CHECK(*bytes >= 0);
      ++accepted;
    }
    if (const auto seconds = parse_seconds(text)) CHECK((*seconds >= 0 && std::isfinite(*seconds)));
    if (const auto rate = parse_rate(text)) CHECK((*rate > 0 && std::isfinite(*rate)));
  }
  CHECK(accepted > 50);
}

TEST_CASE("sizes are printed in the largest unit that is exact and read back") {
  CHECK(format_bytes(0) == "0 B");
  CHECK(format_bytes(1023) == "1023 B");
  CHECK(format_bytes(1024) == "1 KiB");
  CHECK(format_bytes(1536) == "1536 B");
  CHECK(format_bytes(65536) == "64 KiB");
  CHECK(format_bytes(100'000) == "100000 B");
  CHECK(format_bytes(1 << 20) == "1 MiB");
  CHECK(format_bytes(3LL << 40) == "3 TiB");
  for (const Bytes bytes : {Bytes{0}, Bytes{1}, Bytes{12288}, Bytes{100'000}, Bytes{7} << 50})
    CHECK(*parse_bytes(format_bytes(bytes)) == bytes);
}

TEST_CASE("times are printed with three digits and a fitting unit") {
  struct Case {
    double seconds;
    std::string text;
  };
  const std::vector<Case> cases = {
      {0, "0 s"},           {1.5e-6, "1.50 us"},   {12.34e-6, "12.3 us"}, {123.4e-6, "123 us"},
      {999.4e-6, "999 us"}, {999.6e-6, "1.00 ms"}, {9.996e-6, "10.0 us"}, {99.96e-6, "100 us"},
      {5e-10, "0.50 ns"},   {1e-3, "1.00 ms"},     {2.5, "2.50 s"},       {1234, "1234 s"},
      {-1.5e-6, "-1.50 us"}};
  for (const auto& c : cases) CHECK(format_seconds(c.seconds) == c.text);
}

TEST_CASE("the hash is FNV-1a") {
  CHECK(hex16(fnv1a("")) == "cbf29ce484222325");
  CHECK(hex16(fnv1a("a")) == "af63dc4c8601ec8c");
  CHECK(hex16(fnv1a("foobar")) == "85944171f73967e8");
  CHECK(fnv1a("bar", fnv1a("foo")) == fnv1a("foobar"));
}

TEST_CASE("an offset becomes line, column and source line") {
  const std::string x(300, 'x');
  const std::string text = "ab\ncd\te\r\n\n" + x;
  const LineIndex lines(text);
  struct Case {
    std::size_t offset;
    int line;
    int column;
    std::string source;
  };
  const std::vector<Case> cases = {{0, 1, 1, "ab"},   {2, 1, 3, "ab"}, {3, 2, 1, "cd e"},
                                   {6, 2, 4, "cd e"}, {9, 3, 1, ""},   {10, 4, 1, x},
                                   {9999, 4, 301, x}};
  for (const auto& c : cases) {
    CAPTURE(c.offset);
    const auto found = lines.at(c.offset);
    CHECK(found.line == c.line);
    CHECK(found.column == c.column);
    CHECK(found.source == c.source);
  }
  CHECK(LineIndex("").at(0).line == 1);
}

TEST_CASE("at most 64 KiB of a line are shown, whatever follows") {
  const std::string longest(1 << 16, 'x');
  for (const std::string end : {"", "\n", "\r\n", "\r", "\nmore"}) {
    CAPTURE(end);
    CHECK((LineIndex(longest + end).at(7).source == longest));
    CHECK(LineIndex(longest + "x" + end).at(7).source.empty());
  }
}

TEST_CASE("finding places in one huge line takes no time") {
  const std::string text(50'000'000, 'x');
  const LineIndex lines(text);
  for (int i = 0; i < 100'000; ++i) REQUIRE(lines.at(50).column == 51);
}

TEST_CASE("control characters are escaped or blanked, and other characters stay") {
  struct Case {
    std::string text;
    std::string printable;
    std::string blanked;
  };
  const std::vector<Case> cases = {
      {"", "", ""},
      {"dir/a b.xml", "dir/a b.xml", "dir/a b.xml"},
      {"\x1b[31m", "\\x1b[31m", " [31m"},
      {"a\nb\tc\x7f", "a\\x0ab\\x09c\\x7f", "a b c "},
      {std::string("\0", 1), "\\x00", " "},
      {"\xc2\x9b"
       "1m",
       "\\xc2\\x9b1m", "  1m"},
      {"caf\xc3\xa9 \xc2\xb5s", "caf\xc3\xa9 \xc2\xb5s", "caf\xc3\xa9 \xc2\xb5s"},
      {"\xc2", "\\xc2", " "},
      {"\xff\xc3\xa9", "\\xff\xc3\xa9", " \xc3\xa9"},
      // Overrides of the direction of writing, a line separator, and their neighbors.
      {"a\xe2\x80\xae"
       "b",
       "a\\xe2\\x80\\xae"
       "b",
       "a   b"},
      {"\xe2\x80\xa8\xe2\x81\xa6\xe2\x81\xa9", "\\xe2\\x80\\xa8\\xe2\\x81\\xa6\\xe2\\x81\\xa9",
       std::string(9, ' ')},
      {"\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa",
       "\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa",
       "\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa"}};
  for (const auto& c : cases) {
    CAPTURE(c.printable);
    CHECK(printable(c.text) == c.printable);
    CHECK(source_line(c.text) == c.blanked);
  }
  CHECK(printable(std::string(200, '\x1b')).size() == 800);  // not cut
  CHECK(in_quotes(std::string(81, 'x')) == "'" + std::string(80, 'x') + "...'");
  CHECK(in_quotes(std::string(79, 'x') + "\xc3\xa9") == "'" + std::string(79, 'x') + "...'");
  CHECK(printable_lines("a\n\tb\r\x1b") == "a\n\tb\\x0d\\x1b");
  CHECK(printable_json("{\n\"a\x7f\xc2\x9b\xe2\x80\xae\xff\"}") ==
        "{\n\"a\\u007f\\u009b\\u202e\\ufffd\"}");
}
