// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "sim/base/text_file.hpp"
#include "workloads/profiles.hpp"

using namespace tutti;
using namespace tutti::workloads::profiles;

namespace {

std::string listing1() {
  const auto text = read_text_file(TUTTI_SOURCE_DIR "/examples/papers/pgmpi/listing1.prf");
  REQUIRE(text);
  return *text;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  REQUIRE(at != text.npos);
  return text.replace(at, what.size(), by);
}

Error error_of(const std::string& text) {
  const auto read = read_profile(text, "scatter.prf");
  REQUIRE_FALSE(bool(read));
  CHECK(read.errors().size() == 1);
  CHECK(read.error().place == "scatter.prf");
  return read.error();
}

}  // namespace

TEST_CASE("listing 1 of the paper is read, and written back byte for byte") {
  const auto profile = read_profile(listing1(), "scatter.prf");
  REQUIRE(profile);
  CHECK(profile->collective == "scatter");
  CHECK(profile->procs == 1024);
  REQUIRE(profile->mockups.size() == 2);
  CHECK(profile->mockups[0].mockup->algorithm.name == "scatter_as_bcast");
  CHECK(profile->mockups[1].id == 3);
  CHECK(profile->ranges.size() == 8);
  CHECK(profile_text(*profile) == listing1());
}

TEST_CASE("a profile replaces the sizes that it names, and never a call without data") {
  auto profile = *read_profile(listing1(), "scatter.prf");
  const auto name = [&](Bytes bytes) {
    const auto* mockup = replacement(profile, bytes);
    return mockup == nullptr ? "" : mockup->algorithm.name;
  };
  CHECK(name(512) == "scatter_as_bcast");
  CHECK(name(10000) == "scatter_as_scatterv");
  CHECK(name(513) == "");
  CHECK(name(10001) == "");
  profile.ranges = {{0, 100, 3}, {50, 200, 2}};
  CHECK(name(0) == "");
  CHECK(name(50) == "scatter_as_scatterv");  // the first of two that overlap
  CHECK(name(101) == "scatter_as_bcast");
}

TEST_CASE("notes are written as comments, and read back") {
  auto profile = *read_profile(listing1(), "scatter.prf");
  profile.notes = {"made on crill", "no buffer for count vectors"};
  const auto text = profile_text(profile);
  const auto again = read_profile(text, "again.prf");
  REQUIRE(again);
  CHECK(again->notes == profile.notes);
  CHECK(profile_text(*again) == text);
}

TEST_CASE("every mock-up of the library has a name under its collective's MPI name") {
  CHECK(mpi_name("reduce_scatter_block") == "MPI_Reduce_scatter_block");
  for (const auto* mockup : algorithms::guidelines::all_mockups()) {
    const Profile profile{.notes = {},
                          .collective = std::string(mockup->algorithm.collective),
                          .procs = 32,
                          .mockups = {{mockup->id, mockup}},
                          .ranges = {{1, 1, mockup->id}}};
    const auto text = profile_text(profile);
    CHECK(text.find("\n\n") == text.npos);
    const auto again = read_profile(text, "again.prf");
    REQUIRE(again);
    CHECK(again->mockups.front().mockup == mockup);
    CHECK(profile_text(*again) == text);
  }
}

TEST_CASE("profiles that the library misreads or aborts on are rejected") {
  const std::string good = listing1();
  struct {
    std::string text;
    int line;
    std::string message;
    std::string hint;
  } const cases[] = {
      {replaced(good, "MPI_Scatter", "MPI_Scater"), 2, "the library does not tune 'MPI_Scater'",
       "did you mean 'MPI_Scatter'?"},
      {replaced(good, "MPI_Scatter", "MPI_Barrier"), 2, "the library does not tune 'MPI_Barrier'",
       "for example MPI_Scatter"},
      {replaced(good, "1024 #", "0 #"), 3, "invalid number of processes '0'",
       "expected a number from 1 to 2147483647"},
      {replaced(good, "2 # nb. of mock", "two # nb. of mock"), 4,
       "invalid number of mock-ups 'two'", "expected a number from 1 to 100000"},
      {replaced(good, "scatter_as_bcast", "scatter_as_bcst"), 5,
       "MPI_Scatter has no mock-up 'scatter_as_bcst', and the library aborts the program",
       "did you mean 'scatter_as_bcast'?"},
      {replaced(good, "3 scatter", "2 scatter"), 6, "mock-up number 2 is already in use", ""},
      {replaced(good, "8 # nb.", "9 # nb."), 0,
       "unexpected end of the file, expected the begin, the end and the mock-up of a range",
       "check whether the file is truncated"},
      {replaced(good, "8 # nb.", "7 # nb."), 15,
       "more than 7 ranges: the library ignores this line", "correct the number of ranges"},
      {replaced(good, "32 32", "33 32"), 10,
       "the range ends before it begins, and the library aborts the program",
       "the begin comes first"},
      {replaced(good, "64 64 2", "64 64 5"), 11, "no mock-up above has number 5", ""},
      {replaced(good, "64 64 2", "64 64"), 11,
       "expected the begin, the end and the mock-up of a range", ""},
      {replaced(good, "64 64 2", "64 4294967296 2"), 11, "invalid number of bytes '4294967296'",
       "expected a number from 0 to 2147483647"},
      {replaced(good, "32 32 2\n", "32 32 2\n\n"), 11,
       "blank line, which the library reads as the next entry",
       "delete the line, or start it with #"},
      {replaced(good, "64 64 2", " # none\n64 64 2"), 11,
       "indented comment, which the library reads as an entry", "start the line with #"},
      {"# pgtune profile\n", 0, "unexpected end of the file, expected the collective's name",
       "check whether the file is truncated"},
      {"", 0, "unexpected end of the file, expected the collective's name",
       "check whether the file is truncated"},
  };
  for (const auto& each : cases) {
    CAPTURE(each.message);
    const auto read = read_profile(each.text, "scatter.prf");
    REQUIRE_FALSE(bool(read));
    const Error error = read.error();
    CHECK(error.message == each.message);
    CHECK(error.hint == each.hint);
    if (each.line > 0) CHECK(error.line == each.line);
  }
  CHECK(error_of("").line <= 1);
}
