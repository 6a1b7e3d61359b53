// SPDX-License-Identifier: BSD-3-Clause
// sim report: a self-contained HTML file. tests/conformance/report_page.sh checks it in a browser.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/files.hpp"
#include "tests/support/subprocess.hpp"

using namespace tutti::tests;
using Args = std::vector<std::string>;

namespace {

// The data of the page's scripts.
nlohmann::json data_of(const std::string& page) {
  const std::string start = R"(<script type="application/json" id="data">)";
  const auto begin = page.find(start);
  REQUIRE(begin != std::string::npos);
  const auto end = page.find("</script>", begin);
  return nlohmann::json::parse(
      page.substr(begin + start.size(), end - begin - start.size()))["parts"][0];
}

// The value of a signal of a Vega specification.
nlohmann::json signal_of(const nlohmann::json& specification, const std::string& name) {
  for (const auto& signal : specification["signals"])
    if (signal["name"] == name) return signal["value"];
  return {};
}

// The texts in the cells of a map of winners.
std::set<std::string> texts_of(const nlohmann::json& specification) {
  std::set<std::string> texts;
  for (const auto& data : specification["data"])
    if (data["name"] == "cells")
      for (const auto& row : data["values"]) texts.insert(row["text"].get<std::string>());
  return texts;
}

}  // namespace

TEST_CASE("a page contains points, plots, winners, failures and provenance") {
  const TemporaryFolder folder;
  const auto csv = folder.write("r.csv",
                                "# Tutti 0.1.0 (abc), SimGrid 3.32\n"
                                "algorithm,procs,message_bytes,time_s,wall_s,status,error,output\n"
                                "a,4,1,1e-6,0.5,done,,\na,4,2,2e-6,0.5,done,,\n"
                                "b,4,1,2e-6,1,done,,\nb,4,2,,2,failed,boom,aborted\n");
  const auto data = data_of(out_of({"report", csv, "-o", "-"}));
  CHECK(data["points"]["rows"].size() == 3);
  REQUIRE(data["lines"].size() == 1);
  CHECK(signal_of(data["lines"][0], "names") == nlohmann::json{"a", "b"});
  REQUIRE(data["winners"].size() == 1);
  CHECK(texts_of(data["winners"][0]).contains("2.00"));
  REQUIRE(data["failed"].size() == 1);
  CHECK(data["failed"][0]["error"] == "boom");
  CHECK(data["failed"][0]["output"] == "aborted");
  CHECK(data["failed"][0]["point"] == "b, 2 B");
  CHECK(data["cost"][0][1] == "4.00 s");
  CHECK(data["provenance"][0] == "Tutti 0.1.0 (abc), SimGrid 3.32");
}

TEST_CASE("no text of the results becomes markup, and every page is valid UTF-8") {
  const TemporaryFolder folder;
  const auto csv = folder.write("<b>&amp;.csv",
                                "algorithm,procs,time_s\n</script><script>alert(1)</script>,1,2\n"
                                "\xff\xfe<!--,2,3\n");
  const std::string page = out_of({"report", csv, "-o", "-"});
  CHECK(!mentions(page, "<script>alert"));
  CHECK(!mentions(page, "\xff"));
  CHECK(!mentions(page, "<title><b>"));
  CHECK(mentions(page, "<title>&lt;b&gt;&amp;amp;.csv</title>"));
  CHECK(data_of(page)["points"]["rows"][0][0] == "</script><script>alert(1)</script>");
}

TEST_CASE("a page refers to no other file and forbids loading one") {
  const TemporaryFolder folder;
  const auto csv = folder.write("r.csv", "procs,time_s\n1,2\n2,3\n");
  const std::string page = out_of({"report", csv, "-o", "-"});
  CHECK(mentions(page, "default-src 'none'"));
  const auto library = page.find("var vega = "), script = page.find("'use strict';\n(() => {");
  REQUIRE(library < script);
  const auto own = page.substr(0, library) + page.substr(script);
  for (const char* loads : {"src=", "<link", "@import", "url("}) CHECK(!mentions(own, loads));
  CHECK(mentions(page, "Redistribution and use in source and binary forms"));
}

TEST_CASE("a requested plot that cannot be drawn is an error") {
  const TemporaryFolder folder;
  const auto csv = folder.write("r.csv", "procs,ppn,time_s\n1,1,2\n1,2,3\n");
  const Ended rejected =
      run_sim({"report", csv, "--x", "procs", "--series", "procs", "-o", folder.file("r.html")});
  CHECK(rejected.exit_code == 2);
  CHECK_MESSAGE(rejected.err.find("--x: column 'procs' is already used by --series or --facet") !=
                    std::string::npos,
                rejected.err);
  const Ended ended = run_sim({"report", csv, "--x", "ppn", "-o", folder.file("r.html")});
  CHECK(ended.exit_code == 0);
  CHECK(data_of(read_file(folder.file("r.html")))["lines"].size() == 1);
  const Ended nowhere = run_sim({"report", csv});
  CHECK(nowhere.exit_code == 2);
  CHECK(nowhere.err.find("--output: is required") != std::string::npos);
  const Ended over = run_sim({"report", csv, "-o", csv});
  CHECK(over.exit_code == 2);
  CHECK(over.err.find("is an input, too") != std::string::npos);
}

namespace {

const char* const declared_report = R"json({"schema": "sim.x/1", "about": ["A title"],
  "points": [{"procs": 4, "time_s": 0.003536, "relative_error": 0.1518}],
  "shown": [{"column": "time_s", "head": "Simulated (us)", "as": "us"},
            {"column": "relative_error", "head": "Error (%)", "as": "signed percent"}],
  "notes": ["Error: of the formula, 4.25 us"],
  "tables": [{"name": "t", "title": "T", "columns": ["kind", "worst", "loss", "empty"],
    "shown": [{"column": "loss", "head": "Max (%)", "as": "percent"}], "group_by": "kind",
    "rows": [{"kind": "a", "worst": 2, "loss": 0.5, "empty": ""}], "notes": ["Max: n"]}]})json";

std::vector<std::string> words_of_heads(const nlohmann::json& table) {
  std::vector<std::string> words;
  for (const auto& head : table["heads"]) words.push_back(head["words"]);
  return words;
}

}  // namespace

TEST_CASE("a page has the heads, units and order of columns that the report declares") {
  const TemporaryFolder folder;
  const auto file = folder.write("r.json", declared_report);
  const auto data = data_of(out_of({"report", file, "-o", "-"}));
  const auto& table = data["tables"][0];
  CHECK(words_of_heads(table) == std::vector<std::string>{"Kind", "Max", "Worst"});
  CHECK(table["heads"][1]["quantity"] == "percent");
  CHECK(table["heads"][1]["main"] == true);
  CHECK(table["heads"][2]["main"] == false);
  CHECK(table["columns"] == nlohmann::json{"kind", "loss", "worst"});
  CHECK(words_of_heads(data["points"])[0] == "Simulated");
  CHECK(data["points"]["heads"][0]["quantity"] == "seconds");
  CHECK(data["points"]["heads"][1]["quantity"] == "signed percent");
  CHECK(data["points"]["notes"][0] == "Error: of the formula, 4.25 us");
}

TEST_CASE("the JSON of a report declares its columns, and its page follows") {
  const TemporaryFolder folder;
  const auto file = folder.file("vm.json");
  out_of({"validate", "models", "--platform", "crill", "--procs", "8", "--collective", "bcast",
          "--message-size", "64KiB", "-o", file});
  const auto json = nlohmann::json::parse(read_file(file));
  const auto& errors = json["tables"][0];
  CHECK(errors["group_by"] == "collective");
  const auto shown = [&](const char* column) {
    return *std::ranges::find_if(errors["shown"],
                                 [&](auto& each) { return each["column"] == column; });
  };
  CHECK(shown("median_error")["head"] == "Median (%)");
  CHECK(shown("median_error")["as"] == "percent");
  const auto page = data_of(out_of({"report", file, "-o", "-"}));
  CHECK(words_of_heads(page["tables"][0])[0] == "Collective");
  CHECK(std::ranges::count(words_of_heads(page["tables"][0]), "Median") == 1);
}

TEST_CASE("the points show every column that varies, and their cost has no empty names") {
  const TemporaryFolder folder;
  const auto csv = folder.write("r.csv",
                                "operation,aggregators,time_s,wall_s\n"
                                "write,1,2e-3,1\nwrite,2,1e-3,2\n");
  const auto data = data_of(out_of({"report", csv, "-o", "-"}));
  CHECK(words_of_heads(data["points"])[0] == "aggregators");
  CHECK(data["points"]["heads"][0]["main"] == true);
  CHECK(data["cost"][2][1] == "2.00 s: 2 aggregators");
  const auto one = folder.write("one.csv", "procs,time_s,wall_s\n4,2e-3,1\n");
  const auto single = data_of(out_of({"report", one, "-o", "-"}));
  CHECK(single["summary"] == "1 point, from " + one);
  CHECK(single["cost"][2][1] == "1.00 s");
}

TEST_CASE("a page of results without times has no plots, and no two heads are the same") {
  const TemporaryFolder folder;
  const auto csv =
      folder.write("links.csv", "link,link_bytes,utilization\na,1024,0.5\nb,2048,0.25\n");
  const auto data = data_of(out_of({"report", csv, "-o", "-"}));
  CHECK(!data.contains("no_plots"));
  CHECK(words_of_heads(data["points"]) ==
        std::vector<std::string>{"link", "link bytes", "utilization"});
  CHECK(data["points"]["heads"][2]["quantity"] == "percent");
}
