// SPDX-License-Identifier: BSD-3-Clause
// Studies in TOML: what is read, and which errors are reported.
#include "sim/studies/study_file.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <ctime>

#include "sim/studies/study_points.hpp"

using namespace tutti;
using namespace tutti::studies;

namespace {

const std::vector<StudyOption>& known_options() {
  static const std::vector<StudyOption> all = studies::study_options();
  return all;
}

Result<StudyFile> read(const std::string& text) {
  return read_study(text, "s.toml", known_options());
}

// "message_size=1024 procs=2" of a combination, sorted.
std::string text_of(const StudySettings& settings) {
  std::vector<std::string> parts;
  for (const auto& setting : settings)
    parts.push_back(std::string(setting.name()) + '=' + setting.value->text);
  std::ranges::sort(parts);
  std::string text;
  for (const auto& part : parts) text += (text.empty() ? "" : " ") + part;
  return text;
}

std::vector<std::string> combinations(const StudyFile& study) {
  const auto matrix = StudyMatrix::of(study);
  REQUIRE(matrix);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < matrix->size(); ++i) all.push_back(text_of(matrix->at(i)));
  return all;
}

}  // namespace

TEST_CASE("a study has a name, a base, axes, and axes that vary together") {
  const auto study = read(R"(
[study]
name = "two"
description = "axes"
[base]
workload = "bcast"
oversubscribe = true
[matrix]
algorithm = ["chain", "binomial"]
message_size = "1KiB..4KiB"
[[zip]]
procs = [2, 4]
ppn = [1, 2]
)");
  REQUIRE(study);
  CHECK(study->name == "two");
  CHECK(study->description == "axes");
  const auto all = combinations(*study);
  REQUIRE(all.size() == 12);
  CHECK(all.front() ==
        "algorithm=chain message_size=1024 oversubscribe=true ppn=1 procs=2 workload=bcast");
  CHECK(all.back() ==
        "algorithm=binomial message_size=4096 oversubscribe=true ppn=2 procs=4 workload=bcast");
}

TEST_CASE("both spellings of a range, lists of ranges, numbers and texts are values") {
  const auto study = read(R"(
base = { workload = "bcast" }
[matrix]
message_size = ["1:4", "1KiB..4KiB:*4", 7, "64KiB"]
procs = "2:6:+2"
"mpi/eager_limit" = ["4KiB", 8192]
tile = [0.5, 1e-4]
)");
  REQUIRE(study);
  const auto axis = [&](const std::string& name) {
    std::string text;
    for (const auto& group : study->matrix)
      for (const auto& each : group)
        if (each.name == name)
          for (const auto& value : each.values) text += value.text + ' ';
    return text;
  };
  CHECK(axis("message_size") == "1 2 4 1024 4096 7 64KiB ");
  CHECK(axis("procs") == "2 4 6 ");
  CHECK(axis("mpi/eager_limit") == "4KiB 8192 ");
  CHECK(axis("tile") == "0.5 0.0001 ");
}

TEST_CASE("values that change the machine vary slowest") {
  const auto study = read(R"(
base.workload = "bcast"
[matrix]
algorithm = ["a", "b"]
platform = ["p", "q"]
)");
  REQUIRE(study);
  const auto all = combinations(*study);
  CHECK(all[0].find("platform=p") != std::string::npos);
  CHECK(all[1].find("platform=p") != std::string::npos);
  CHECK(all[2].find("platform=q") != std::string::npos);
}

TEST_CASE("an include is added to the base, and may be the only content") {
  const auto both = read(R"(
[base]
workload = "bcast"
procs = 4
[matrix]
algorithm = ["a", "b"]
[[include]]
algorithm = "c"
procs = [8, 16]
)");
  REQUIRE(both);
  const auto all = combinations(*both);
  REQUIRE(all.size() == 4);
  CHECK(all[2] == "algorithm=c procs=8 workload=bcast");
  const auto alone = read("[base]\nworkload='bcast'\n[[include]]\nprocs=2\n[[include]]\nprocs=3\n");
  REQUIRE(alone);
  CHECK(combinations(*alone).size() == 2);
  const auto base_only = read("[base]\nworkload='bcast'\nprocs=2\n");
  REQUIRE(base_only);
  CHECK(combinations(*base_only).size() == 1);
}

TEST_CASE("--override replaces an axis by one value, wherever it is defined") {
  auto study = read(
      "[base]\nworkload='bcast'\n[matrix]\nprocs=[2,4]\nppn=[1,2]\n[[include]]\nprocs=[8,16]\n"
      "ppn=3\n");
  REQUIRE(study);
  CHECK(!set_option(*study, "procs=64", known_options()));
  CHECK(!set_option(*study, "mpi/eager_limit=1KiB", known_options()));
  const auto all = combinations(*study);
  REQUIRE(all.size() == 3);
  CHECK(all[0] == "mpi/eager_limit=1KiB ppn=1 procs=64 workload=bcast");
  CHECK(all[2] == "mpi/eager_limit=1KiB ppn=3 procs=64 workload=bcast");
  CHECK(set_option(*study, "prcs=64", known_options())->hint == "did you mean 'procs'?");
  CHECK(set_option(*study, "procs", known_options())->message == "'procs' is not KEY=VALUE");
}

TEST_CASE("invalid studies are reported with line, column and a hint") {
  struct Bad {
    std::string text;
    int line;
    int column;
    std::string message;
    std::string hint;
  };
  const Bad all[] = {
      {"[base]\nworkload = 'bcast'\nalgorthm = 'ring'\n", 3, 1, "unknown key 'algorthm' in [base]",
       "did you mean 'algorithm'?"},
      {"[bas]\nworkload = 'bcast'\n", 1, 2, "unknown section 'bas'", "did you mean 'base'?"},
      {"[base]\nworkload = 'bcast'\nmessage-size = 1\n", 3, 1,
       "unknown key 'message-size' in [base]", "did you mean 'message_size'?"},
      {"[base]\nworkload = 'bcast'\nprocs = [1, 2]\n", 3, 1, "'procs' has several values",
       "move it to [matrix]"},
      {"[base]\nworkload = 'bcast'\n[matrix]\nprocs = []\n", 4, 9, "'procs' has no value",
       "add a value or remove the key"},
      {"[base]\nworkload = 'bcast'\nprocs = 2\n[matrix]\nprocs = [4]\n", 5, 1,
       "'procs' is given twice", "first given in line 3"},
      {"[base]\nworkload = 'bcast'\n[matrix]\nfanout = 2\nradix = 3\n", 5, 1,
       "'fanout' is given twice", "first given in line 4"},
      {"[base]\nworkload = 'bcast'\nprocs = 2020-01-01\n", 3, 9,
       "procs: must be a text or a number", "expected a value or a list of values"},
      {"[base]\nworkload = 'bcast'\noversubscribe = 'yes'\n", 3, 17,
       "oversubscribe: must be true or false", ""},
      {"[base]\nworkload = 'bcast'\ncontention = true\n", 3, 14,
       "contention: must be a text or a number",
       "write it in quotes, as on the command line: \"on\", \"off\""},
      {"[base]\nworkload = 'bcast'\n[[zip]]\nprocs = [1, 2]\nppn = [1, 2, 3]\n", 4, 1,
       "'procs' has 2 values, 'ppn' has 3",
       "the options of a [[zip]] vary together and need lists of equal length"},
      {"[base]\nprocs = 2\n", 1, 1, "missing workload",
       "for example workload = \"bcast\" in [base], the word after `sim run`"},
      {"[[base]]\nworkload = 'bcast'\n", 1, 3, "'base' must be a section",
       "write [base] above its keys"},
      {"[zip]\nprocs = 1\n", 1, 2, "'zip' must be a list of sections",
       "write [[zip]] above the keys of each"},
      {"[study]\nname = ''\n[base]\nworkload='bcast'\n", 2, 8, "name must be a text in quotes", ""},
      {"[base]\nworkload = 'bcast'\n[matrix]\nmessage_size = '4KiB:1KiB'\n", 4, 16, "", ""},
      {"[base]\nworkload = 'bcast'\n[[report.plot]]\nz = 'a'\n", 4, 1,
       "unknown key 'z' in [[report.plot]]", ""},
      {"[base\nworkload = 'bcast'\n", 1, 0, "", ""}};
  for (const Bad& bad : all) {
    CAPTURE(bad.text);
    const auto study = read(bad.text);
    REQUIRE(!study);
    const Error& error = study.error();
    CHECK(error.place == "s.toml");
    CHECK(error.line == bad.line);
    if (bad.column > 0) CHECK(error.column == bad.column);
    if (!bad.message.empty()) CHECK(error.message == bad.message);
    if (!bad.hint.empty()) CHECK(error.hint == bad.hint);
    CHECK(!error.message.empty());
  }
}

TEST_CASE("all errors of a file are reported at once") {
  const auto study = read("[base]\nworkload='bcast'\na=1\nb=2\n[matrix]\nc=3\nprocs=[]\n");
  REQUIRE(!study);
  CHECK(study.errors().size() == 4);
}

TEST_CASE("columns count bytes after multibyte letters") {
  const auto study =
      read("[base]\nworkload='bcast'\n\"\xC3\xA4\xC3\xB6\" = 1\nprocs = { x = 1 }\n");
  REQUIRE(!study);
  CHECK(study.errors().front().line == 3);
  const auto value = read("[base]\nworkload='bcast'\n[[exclude]]\nmap = '\xC3\xA4'\nprcs = 1\n");
  REQUIRE(!value);
  CHECK(value.error().line == 5);
}

TEST_CASE("texts that break TOML readers are rejected") {
  std::string dots = "a";
  for (int i = 0; i < 100'000; ++i) dots += ".a";
  for (const std::string& text :
       {std::string("[["), std::string("[[zip"), dots + " = 1\n", std::string(2 << 20, 'x'),
        std::string("\xFF\xFE"), std::string("[base]\n\0x", 9), std::string(100'000, '['),
        "a = " + std::string(100'000, '['), "a = " + std::string(100'000, '{'), std::string("]]"),
        std::string("= = ="), std::string("[base]\nworkload = \"bcast\nprocs = 2")}) {
    const auto study = read(text);
    REQUIRE(!study);
    CHECK(study.error().line >= 1);
  }
}

TEST_CASE("too many combinations are rejected without enumerating them") {
  std::string text = "[base]\nworkload='bcast'\n[matrix]\n";
  for (const char* key : {"procs", "ppn", "root", "fanout", "max_requests", "message_size"})
    text += std::string(key) + " = '1..100:+1'\n";
  const auto study = read(text);
  REQUIRE(study);
  const auto matrix = StudyMatrix::of(*study);
  REQUIRE(!matrix);
  CHECK(matrix.error().message ==
        "the axes make 1e+12 combinations, more than the limit of 1000000");
  CHECK(matrix.error().line == 4);
}

TEST_CASE("reading takes time in proportion to the length, for any number of sections") {
  const auto cpu_s = [](int excludes) {
    std::string text = "[base]\nworkload = \"bcast\"\nplatform = \"crill\"\nprocs = 4\n";
    for (int i = 0; i < excludes; ++i)
      text += "[[exclude]]\nmessage_size = " + std::to_string(i) + "\n";
    const std::clock_t start = std::clock();
    const auto study = read(text);
    const std::clock_t end = std::clock();
    REQUIRE(study);
    CHECK(study->excludes.size() == static_cast<std::size_t>(excludes));
    return static_cast<double>(end - start);
  };
  cpu_s(1000);  // warms up
  CHECK(cpu_s(24000) < 8 * cpu_s(6000));
}
