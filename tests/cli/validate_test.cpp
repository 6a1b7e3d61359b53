// SPDX-License-Identifier: BSD-3-Clause
// sim validate: output, formats, width and exit codes.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/close_to.hpp"
#include "tests/support/files.hpp"
#include "tests/support/rejected.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;

TEST_CASE("Table 5.1 has all 60 values") {
  const auto lines = split(out_of({"validate", "io", "--table", "5.1"}), '\n');
  const auto has = [&](const std::string& line) {
    return std::find(lines.begin(), lines.end(), line) != lines.end();
  };
  CHECK(has("# Model    Procs  n_as  5.1  n_s  5.1  n_ar  5.1  n_r  5.1  m_s (MB)   5.1"));
  CHECK(has("even 1d      144     1    1   32   32     1    1   72   72        32    32"));
  CHECK(has("even 2d      576     3    3  256  256    24   24  288  288     1.333  1.33"));
  CHECK(has("static 1d    225    32   32    1    1     1    1  113  113        32    32"));
  CHECK(has("static 2d    144    64   64    6    6    12   12   72   72     2.667  2.66"));
  CHECK(has("# 60 of 60 equal"));
  CHECK(std::count_if(lines.begin(), lines.end(),
                      [](const auto& line) { return !line.empty() && line.front() != '#'; }) == 12);
}

TEST_CASE("Table 5.1 is the default") {
  CHECK(out_of({"validate", "io", "--part", "parameters", "--format", "jsonl"}).size() > 1000);
  CHECK(data_lines(out_of({"validate", "io"})) ==
        data_lines(out_of({"validate", "io", "--table", "5.1"})));
}

TEST_CASE("every text is at most 80 columns wide") {
  for (const Args& args : {Args{"validate", "--help"}, Args{"help", "validate"},
                           Args{"validate", "io"}, Args{"validate", "io", "--help"}})
    for (const auto& line : split(out_of(args), '\n')) {
      CAPTURE(line);
      CHECK(line.size() <= 80);
      CHECK((line.empty() || line.back() != ' '));
    }
}

TEST_CASE("CSV has a row for each value") {
  const auto lines = data_lines(out_of({"validate", "io", "--format", "csv"}));
  REQUIRE(lines.size() == 61);
  CHECK(lines[0] == "partitioning,decomposition,procs,parameter,model,printed,equal");
  CHECK(lines[1] == "even,1d,144,n_as,1,1,true");
  CHECK(lines[60] == "static,2d,576,m_s_MB,1.3333333333333333,1.33,true");
  CHECK(std::count_if(lines.begin(), lines.end(),
                      [](const auto& line) { return line.ends_with(",true"); }) == 60);
}

TEST_CASE("JSON has the same values") {
  const auto all = nlohmann::json::parse(out_of({"validate", "io", "--format", "json"}));
  CHECK(all["schema"] == "sim.validate.io/2");
  REQUIRE(all["points"].size() == 60);
  const auto& value = all["points"][19];  // the fourth column's m_s
  CHECK(value["partitioning"] == "even");
  CHECK(value["decomposition"] == "2d");
  CHECK(value["parameter"] == "m_s_MB");
  CHECK(value["model"].get<double>() == exactly(32. / 12));
  CHECK(value["printed"] == 2.66);
  CHECK(all["tables"][0]["rows"].size() == 12);
}

TEST_CASE("invalid requests are errors with a hint") {
  CHECK(mentions(rejected({"validate", "io", "--table", "5.2"}), "unknown table '5.2'"));
  CHECK(mentions(rejected({"validate", "io", "--table", "7"}), "expected one of: 5.1"));
  CHECK(mentions(rejected({"validate", "io", "--format", "jsn"}), "did you mean 'json'?"));
  CHECK(mentions(rejected({"validate", "io", "5.1"}), "unexpected argument '5.1'"));
  CHECK(mentions(rejected({"validate", "io", "--part", "value"}), "did you mean 'values'?"));
  CHECK(mentions(rejected({"validate"}), "validate requires a subcommand"));
  CHECK(mentions(rejected({"validate", "oi"}), "did you mean 'io'?"));
  CHECK(mentions(rejected({"validate", "planets"}), "`sim validate --help` lists them"));
}

TEST_CASE("the manual contains the options and the columns") {
  const std::string manual = read_manual();
  for (const char* word : {"--table", "SIM VALIDATE", "partitioning", "decomposition", "printed"})
    CHECK_MESSAGE(mentions(manual, word), word);
}
