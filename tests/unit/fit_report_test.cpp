// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "sim/fit/report/reports.hpp"

using namespace tutti;
using namespace tutti::reports;

namespace {

TEST_CASE("one-sided intervals and infinite condition numbers are printed as words") {
  FittedPath path{.path = "inter", .fit = {}, .measurements = {}};
  path.fit.sections.resize(1);
  path.fit.parameters = {{.name = "bandwidth", .unit = "B/s", .value = 1e9, .low = 5e8},
                         {.name = "latency", .unit = "s", .value = 1e-6, .high = 2e-6}};
  path.fit.condition = 6.12e300;
  FitReport report;
  report.name = "mine";
  report.paths = {path};
  const auto document = fit_document(report);
  CHECK(document.about[1].ends_with("; condition number infinite"));
  CHECK(document.tables[1].table.rows[0].back() == Cell{std::string("0.5 GB/s or more")});
  CHECK(document.tables[1].table.rows[1].back() == Cell{std::string("2.00 us or less")});
  for (const auto& warning : fit_warnings(path))
    CHECK(warning == "inter: the data hardly separate the parameters: condition number infinite");
}

CheckedTime time_of(const char* algorithm, std::int64_t procs, Bytes bytes, double ratio) {
  return {"bcast",
          algorithm,
          procs,
          bytes,
          1e-5 * static_cast<double>(bytes),
          1e-5 * ratio * static_cast<double>(bytes)};
}

std::string word_of(const Document& document, const std::string& name) {
  for (const auto& [key, word] : document.plots.back())
    if (key == name) return word;
  return "";
}

TEST_CASE("the rendezvous direction is a parameter without a number") {
  FitReport report;
  report.paths = {{.path = "inter", .fit = {}, .measurements = {}}};
  report.rendezvous = {.value = platforms::Rendezvous::put, .note = "the better of put and get"};
  const auto document = fit_document(report);
  const auto& rows = document.tables[1].table.rows;
  REQUIRE(rows.size() == 1);
  CHECK(rows[0][1] == Cell{std::string("rendezvous")});
  CHECK(rows[0][3] == Cell{std::string("put")});
  CHECK(rows[0][7] == Cell{std::string("uncertain")});
}

TEST_CASE("a fit to collectives is plotted by size, or by time if a size has several") {
  FitReport report;
  report.paths = {{.path = "inter", .fit = {}, .measurements = {}}};
  report.collectives = {time_of("chain", 8, 1, 1.1), time_of("chain", 8, 1024, 0.9)};
  CHECK(word_of(fit_document(report), "x") == "message_bytes");
  CHECK(word_of(fit_document(report), "facet") == "path");
  report.collectives.push_back(time_of("chain", 16, 1024, 1.3));
  CHECK(word_of(fit_document(report), "facet") == "path,procs");
  report.collectives.push_back(time_of("chain", 16, 1024, 1.2));
  report.collectives.back().measured_s *= 2;
  report.collectives.back().time_s *= 2;
  CHECK(word_of(fit_document(report), "x") == "measured_s");
}

}  // namespace
