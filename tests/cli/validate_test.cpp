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

namespace {

// Takes some seconds of simulation.
Args few_points(const Args& more) {
  Args all{"validate", "io", "--cases", "--procs", "16,36", "--bytes-per-proc", "1MiB,4MiB"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

// Of all papers. Silas' programs are simulated for half a minute.
const nlohmann::json& all_papers() {
  static const auto report =
      nlohmann::json::parse(out_of({"validate", "paper", "--format", "json"}));
  return report;
}

nlohmann::json rows_of_table(const std::string& name) {
  for (const auto& table : all_papers()["tables"])
    if (table["name"] == name) return table["rows"];
  FAIL("no table " << name);
  return {};
}

nlohmann::json of_paper(const std::string& name, const nlohmann::json& rows) {
  auto found = nlohmann::json::array();
  for (const auto& row : rows)
    if (row["paper"] == name) found.push_back(row);
  return found;
}

}  // namespace

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
  for (const Args& args :
       {Args{"validate", "--help"}, Args{"help", "validate"}, Args{"validate", "io"},
        Args{"validate", "io", "--help"}, few_points({"-q"})})
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

TEST_CASE("--cases counts how often the model moves as the simulation does") {
  const auto all = nlohmann::json::parse(out_of(few_points({"--format", "json"})));
  CHECK(all["schema"] == "sim.validate.io-cases/1");
  CHECK(all["points"].size() == 2 * (5 + 6) * 4);
  const auto& cases = all["tables"][0];
  CHECK(cases["name"] == "cases");
  REQUIRE(cases["rows"].size() == 12);
  int pairs[] = {0, 0, 0, 0};
  for (const auto& row : cases["rows"]) {
    const int varied = row["case"];
    pairs[varied] += row["match"].get<int>() + row["mismatch"].get<int>() + row["apart"].get<int>();
    CHECK(row["paper_match"].get<int>() >= 17);
  }
  CHECK(pairs[1] == (5 + 6) * 4);
  CHECK(pairs[2] == 2 * (4 + 5) * 4);
  CHECK(pairs[3] == 2 * 5 * 4);
  // Each mismatch has a row and a cause.
  std::size_t listed = 0;
  for (const auto& table : all["tables"]) {
    if (table["name"] != "mismatches") continue;
    for (const auto& row : table["rows"]) CHECK(!row["cause"].is_null());
    listed = table["rows"].size();
  }
  std::size_t mismatches = 0;
  for (const auto& row : cases["rows"]) mismatches += row["mismatch"].get<std::size_t>();
  CHECK(listed == mismatches);
}

TEST_CASE("--cases gives the same bytes for any number of concurrent points") {
  const std::string one = out_of(few_points({"--format", "csv", "-j", "1"}));
  CHECK(one == out_of(few_points({"--format", "csv", "-j", "3"})));
  CHECK(data_lines(one).size() == 1 + 2 * (5 + 6) * 4);
}

TEST_CASE("--cases prints a single table, and accepts other machines and sets") {
  const std::string text = out_of({"validate", "io",
                                   "--cases",  "--platform",
                                   "opuntia",  "--procs",
                                   "8,16",     "--ppn",
                                   "4",        "--bytes-per-proc",
                                   "1MiB",     "--aggregators",
                                   "2,4",      "--partitioning",
                                   "static",   "--buffer-size",
                                   "256KiB",   "--part",
                                   "cases",    "-q"});
  CHECK(mentions(text, "platform opuntia (catalog)"));
  CHECK(mentions(text, "static 2d"));
  CHECK(!mentions(text, "even 1d"));
  CHECK(!mentions(text, "--part points"));
}

TEST_CASE("--fail-below turns few matches into a failure") {
  const Ended good = run_sim(few_points({"-q", "--fail-below", "10%"}));
  CHECK(good.exit_code == 0);
  // One node's NIC sends to 32 aggregators as fast as to 64.
  const Args strict{"validate",     "io",
                    "--cases",      "--procs",
                    "64",           "--bytes-per-proc",
                    "14440000",     "--partitioning",
                    "static",       "--decomposition",
                    "2d",           "--aggregators",
                    "32,64",        "-q",
                    "--fail-below", "paper"};
  const Ended ended = run_sim(strict);
  CAPTURE(ended.out);
  CHECK(ended.exit_code == 1);
  CHECK(mentions(ended.err, "aggregators, static 2d: 0.0 % match"));
  CHECK(mentions(ended.err, "83.7 % required"));
  CHECK(mentions(ended.out, "senders"));
}

TEST_CASE("results of papers are recomputed, and differences are reported with their reasons") {
  const auto all = all_papers()["about"].dump();
  for (const char* title : {"jha: S. Jha", "pgmpitunelib: S. Hunold", "nuriyev: E. Nuriyev",
                            "cfireworks: K. Cha", "silas: M.-A. Hermanns"})
    CHECK(mentions(all, title));
  const std::string dissertation = out_of({"validate", "paper", "jha", "--table", "4.2"});
  CHECK(mentions(dissertation, "improvements of collectives     54        0       19"));
  CHECK(!mentions(dissertation, "4.1 "));
  CHECK(mentions(dissertation, "jha 4.2, equation (4.10) (erratum)"));
  const auto values =
      data_lines(out_of({"validate", "paper", "003", "--table", "II", "--format", "csv"}));
  CHECK(values[0] == "paper,table,item,printed,computed,verdict,why");
  CHECK(values[1] == "cfireworks,II,T16-01: match,6 of 32,6 of 32,equal,");
  CHECK(values.size() == 1 + 28 + 16);
  const auto json = nlohmann::json::parse(out_of({"validate", "paper", "002", "--format", "json"}));
  CHECK(json["schema"] == "sim.validate.paper/2");
  CHECK(json["points"].size() > 60);
  CHECK(json["tables"][0]["rows"].size() == 4);
}

TEST_CASE("the thesis's predictions are compared with the really changed programs") {
  const auto values = of_paper("silas", all_papers()["points"]);
  CHECK(values.size() == 20 + 21 + 10 + 5 + 36);
  CHECK(of_paper("silas", rows_of_table("summary")).size() == 5);
  for (const auto& row : values) {
    CHECK(row["verdict"] != "differs");
    const bool is_explained = row["verdict"] == "erratum" || row["verdict"] == "not recomputable";
    if (is_explained) CHECK_MESSAGE(!row["why"].is_null(), row.dump());
  }
  const auto predictions = rows_of_table("predictions");
  for (const auto& row : predictions) {
    if (row["what"] != "end" || row["model"] != "platform") continue;
    // Sharing of a node's bus amplifies the rounding of times to nanoseconds.
    const double most = row["mode"] == "VN" ? 1e-3 : 1e-6;
    CHECK(std::abs(row["deviation"].get<double>()) < most);
  }
  CHECK(mentions(out_of({"validate", "paper", "004", "--table", "text"}), "silas: M.-A. Hermanns"));
}

TEST_CASE("Table 3 of Nuriyev compares measured with simulated values, without a verdict") {
  const Args table_3{"validate", "paper", "nuriyev", "--table", "3", "-q"};
  const std::string page = out_of(table_3);
  CHECK(mentions(page, "7297 %"));
  CHECK(mentions(page, "derive from Tables 1 and 2"));
  Args args = table_3;
  args.insert(args.end(), {"--format", "json"});
  const auto json = nlohmann::json::parse(out_of(args));
  int measured = 0, recounted = 0;
  for (const auto& row : json["points"]) {
    if (row["verdict"] == "recounted") ++recounted;
    if (row["verdict"] != "not recomputable") continue;
    ++measured;
    CHECK_FALSE(row["printed"].is_null());
    CHECK_FALSE(row["computed"].is_null());
  }
  CHECK(measured == 3 * 20);
  CHECK(recounted == 8);
  CHECK(json["tables"][0]["rows"][0]["equal"] == 21);  // Open MPI's choices by its rules
}

TEST_CASE("invalid requests are errors with a hint") {
  CHECK(mentions(rejected({"validate", "io", "--table", "5.2"}), "unknown table '5.2'"));
  CHECK(mentions(rejected({"validate", "io", "--table", "7"}), "expected one of: 5.1"));
  CHECK(mentions(rejected({"validate", "io", "--format", "jsn"}), "did you mean 'json'?"));
  CHECK(mentions(rejected({"validate", "io", "5.1"}), "unexpected argument '5.1'"));
  CHECK(mentions(rejected({"validate", "io", "--procs", "4"}), "add --cases"));
  CHECK(mentions(rejected({"validate", "io", "--part", "value"}), "did you mean 'values'?"));
  const auto rejected_cases = [](const Args& more) {
    Args all{"validate", "io", "--cases"};
    all.insert(all.end(), more.begin(), more.end());
    return rejected(all);
  };
  CHECK(mentions(rejected_cases({"--table", "5.1"}), "cannot be combined with --cases"));
  CHECK(mentions(rejected_cases({"--aggregators", "auto"}), "expected numbers"));
  CHECK(mentions(rejected_cases({"--aggregators", "600"}),
                 "all values exceed the number of processes"));
  CHECK(mentions(rejected_cases({"--decomposition", "tiles"}), "formulas for 1d and 2d only"));
  CHECK(mentions(rejected_cases({"--fail-below", "700%"}), "must be at most 100%"));
  CHECK(mentions(rejected_cases({"--least-change", "small"}), "invalid percentage 'small'"));
  CHECK(mentions(rejected_cases({"--bytes-per-proc", "0"}), "must be greater than 0"));
  CHECK(mentions(rejected_cases({"--procs", "100000"}), "crill has 768 cores"));
  CHECK(mentions(rejected_cases({"-j", "0"}), "-j: invalid number '0'"));
  CHECK(mentions(rejected({"validate", "paper", "005"}), "unknown paper '005'"));
  CHECK(mentions(rejected({"validate", "paper", "nuriev"}), "did you mean 'nuriyev'?"));
  CHECK(
      mentions(rejected({"validate", "paper", "003", "--table", "4.1"}), "expected one of: I, II"));
  CHECK(mentions(rejected({"validate"}), "validate requires a subcommand"));
  CHECK(mentions(rejected({"validate", "oi"}), "did you mean 'io'?"));
  CHECK(mentions(rejected({"validate", "planets"}), "`sim validate --help` lists them"));
}

TEST_CASE("the manual contains the options and the columns") {
  const std::string manual = read_manual();
  for (const char* word :
       {"--table", "SIM VALIDATE", "partitioning", "decomposition", "printed", "--cases",
        "--fail-below", "mismatches", "senders", "rounding", "borders", "erratum"})
    CHECK_MESSAGE(mentions(manual, word), word);
}
