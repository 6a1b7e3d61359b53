// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/fit_report.hpp"

#include <doctest/doctest.h>

using namespace tutti;
using namespace tutti::reports;

namespace {

TEST_CASE("an interval without an end, and a condition of rounding, are told in words") {
  FittedPath path{.path = "inter", .fit = {}, .measurements = {}};
  path.fit.sections.resize(1);
  path.fit.parameters = {{.name = "bandwidth", .unit = "B/s", .value = 1e9, .low = 5e8},
                         {.name = "latency", .unit = "s", .value = 1e-6, .high = 2e-6}};
  path.fit.condition = 6.12e300;
  FitReport report;
  report.name = "mine";
  report.paths = {path};
  const auto document = fit_document(report);
  CHECK(document.about[1].ends_with("; condition infinite"));
  CHECK(document.tables[1].table.rows[0].back() == Cell{std::string("0.5 GB/s or more")});
  CHECK(document.tables[1].table.rows[1].back() == Cell{std::string("2.00 us or less")});
  for (const auto& warning : fit_warnings(path))
    CHECK(warning == "inter: parameters can hardly be told apart: condition number infinite");
}

TEST_CASE("who moves the data of a rendezvous is a parameter without a number") {
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

}  // namespace
