// SPDX-License-Identifier: BSD-3-Clause
// Tables of improvements, from hand-made calls.
#include "sim/validate/improvement_summary.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "platforms/reader.hpp"
#include "sim/validate/improvement_published.hpp"
#include "sim/validate/report/reports.hpp"
#include "tests/support/close_to.hpp"

using namespace tutti::studies;
using tutti::Bytes;
using tutti::Cell;
using tutti::Table;
using tutti::tests::close_to;
using tutti::tests::exactly;

namespace {

// Two changes for two sizes: the first message gains nothing from either, the second 10% from the
// second change.
MessageTuning tuned() {
  MessageTuning tuning;
  tuning.changes = {"a", "b"};
  tuning.gains = {{1000, 2e-6, {2e-6, 2e-6}}, {16384, 20e-6, {20e-6, 18e-6}}};
  tuning.parameters = {{.set = "", .l_s = 3e-6, .b_Bps = 1e9},
                       {.set = "",
                        .L_s = 2e-6,
                        .o_s = 2e-6,
                        .g_s = tutti::platforms::Piecewise(1e-6),
                        .G_s_per_B = 1e-9}};
  return tuning;
}

ImprovedCall call_of(const char* algorithm, std::size_t size, double untuned_s,
                     std::map<std::size_t, double> tuned_s) {
  const Bytes bytes = tuned().gains[size].message_bytes;
  return {.algorithm = tutti::algorithms::find_algorithm("bcast", algorithm),
          .args = {.procs = 8, .call = {.message_bytes = bytes}},
          .nodes = 4,
          .ppn = 2,
          .map = "block",
          .size = size,
          .untuned_s = untuned_s,
          .tuned_s = std::move(tuned_s)};
}

// The pipeline: every model expects what the message gains.
std::vector<ImprovedCall> calls() {
  return {call_of("pipeline", 0, 10e-6, {{0, 9e-6}, {1, 12e-6}}),
          call_of("pipeline", 1, 100e-6, {{1, 85e-6}})};
}

// The table of this name in the report.
Table table_of(std::string_view name, const MessageTuning& tuning,
               const std::vector<ImprovedCall>& calls) {
  tutti::reports::ImprovementReport report;
  report.tuning = tuning;
  report.calls = calls;
  for (const auto& table : improvement_document(report).tables)
    if (table.name == name) return table.table;
  FAIL(name);
  return {};
}

Cell cell_of(const Table& table, std::size_t row, const std::string& column) {
  const auto at = std::ranges::find(table.columns, column);
  REQUIRE(at != table.columns.end());
  return table.rows[row][static_cast<std::size_t>(at - table.columns.begin())];
}
double number_of(const Table& table, std::size_t row, const std::string& column) {
  const auto number = tutti::number_of(cell_of(table, row, column));
  REQUIRE_MESSAGE(number.has_value(), column);
  return *number;
}

}  // namespace

TEST_CASE("of changes equally good for the message, the best for the collective is chosen") {
  const Table points = table_of("points", tuned(), calls());
  CHECK(points.rows.size() == 2 * 6);
  CHECK(cell_of(points, 0, "source") == Cell{std::string("netpipe")});
  CHECK(cell_of(points, 0, "best_change") == Cell{std::string("any")});
  CHECK(cell_of(points, 1, "source") == Cell{std::string("simulated")});
  CHECK(cell_of(points, 1, "best_change") == Cell{std::string("a")});
  CHECK(number_of(points, 1, "improvement") == exactly(0.1));
  CHECK(number_of(points, 1, "worst_improvement") == exactly(-0.2));
  CHECK(cell_of(points, 1, "gain_ratio") == Cell{});  // the message gains nothing
  CHECK(number_of(points, 6, "improvement") == exactly(0.1));
  CHECK(number_of(points, 7, "improvement") == exactly(0.15));
  CHECK(number_of(points, 7, "gain_ratio") == exactly(1.5));
  for (std::size_t row = 8; row < 12; ++row)
    CHECK(number_of(points, row, "improvement") == close_to(0.1, 1e-9));
}

TEST_CASE("the mean squared error is over the sizes") {
  const Table errors = table_of("errors", tuned(), calls());
  REQUIRE(errors.rows.size() == 1);
  const double by_hand = (0.1 * 0.1 + 0.05 * 0.05) / 2;
  for (const char* column : {"hockney_l_mse", "hockney_b_mse", "loggp_o_mse", "loggp_G_mse"})
    CHECK(number_of(errors, 0, column) == close_to(by_hand, 1e-9));
  CHECK(cell_of(errors, 0, "best_model") == Cell{std::string("all")});
  CHECK(number_of(errors, 0, "peak_improvement") == exactly(0.15));
  CHECK(number_of(errors, 0, "peak_bytes") == 16384);
  CHECK(number_of(errors, 0, "least_improvement") == exactly(-0.2));
}

TEST_CASE("several sizes together gain from one change, by the sums of their times") {
  MessageTuning tuning = tuned();
  tuning.weights = {10, 1};  // the second change is best for the messages
  auto all = calls();
  const Table weighted = table_of("weighted", tuning, all);
  REQUIRE(weighted.rows.size() == 1);
  CHECK(cell_of(weighted, 0, "best_change") == Cell{std::string("b")});
  CHECK(number_of(weighted, 0, "netpipe_improvement") == exactly(2. / 40));
  CHECK(number_of(weighted, 0, "simulated_improvement") == exactly((200. - (10 * 12 + 85)) / 200));
  // Seven hops of (3 + 1) us and of (3 + 16.384) us; the latter save a tenth.
  CHECK(number_of(weighted, 0, "hockney_l_improvement") ==
        exactly(0.1 * 19.384 / (10 * 4 + 19.384)));
  tuning.weights = {1, 0};  // a size without weight does not count
  CHECK(number_of(table_of("weighted", tuning, all), 0, "simulated_improvement") == exactly(0.1));
}

TEST_CASE("the tuned parameters of each size are reported, or that there are none") {
  MessageTuning tuning = tuned();
  tuning.gains[1].changed_s[1] = 10e-6;  // 50% of 19.4 us exceed a latency of 3 us
  const Table parameters = table_of("parameters", tuning, {});
  CHECK(number_of(parameters, 0, "l_ratio") == 1);
  CHECK(cell_of(parameters, 1, "hockney_l_s") == Cell{});
  CHECK(cell_of(parameters, 1, "l_ratio") == Cell{});
  CHECK(number_of(parameters, 1, "b_ratio") == exactly(16.384 / (16.384 - 0.5 * 19.384)));
  CHECK(cell_of(parameters, 1, "best_change") == Cell{std::string("b")});
}

TEST_CASE("a gain impossible for a parameter is expected by no model and measured by none") {
  MessageTuning tuning = tuned();
  tuning.gains[1].changed_s[1] = 10e-6;
  const Table errors = table_of("errors", tuning, {calls()[1]});
  CHECK(cell_of(errors, 0, "hockney_l_mse") == Cell{});
  CHECK(number_of(errors, 0, "hockney_b_mse") == close_to(0.35 * 0.35, 1e-9));
}

TEST_CASE("errors are over the same sizes: a model that lacks one has no error") {
  MessageTuning tuning = tuned();
  tuning.gains[1].changed_s[1] = 10e-6;  // impossible by latency
  const Table errors = table_of("errors", tuning, calls());
  CHECK(cell_of(errors, 0, "hockney_l_mse") == Cell{});
  CHECK(number_of(errors, 0, "hockney_l_sizes") == 1);
  CHECK(number_of(errors, 0, "hockney_b_sizes") == 2);
  CHECK(number_of(errors, 0, "sizes") == 2);
  CHECK(number_of(errors, 0, "hockney_b_mse") == close_to((0.1 * 0.1 + 0.35 * 0.35) / 2, 1e-9));
  CHECK(tutti::to_text(cell_of(errors, 0, "best_model")).find('l') == std::string::npos);
}

TEST_CASE("skill is relative to expecting no gain") {
  const Table errors = table_of("errors", tuned(), calls());
  // Simulated are gains of 10 and 15%, expected 0 and 10%.
  const double null_mse = (0.1 * 0.1 + 0.15 * 0.15) / 2;
  CHECK(number_of(errors, 0, "null_mse") == close_to(null_mse, 1e-9));
  CHECK(number_of(errors, 0, "best_skill") ==
        close_to(1 - (0.1 * 0.1 + 0.05 * 0.05) / 2 / null_mse, 1e-9));
}

TEST_CASE("if no message gains, nothing is compared, whatever the collective gains") {
  MessageTuning tuning = tuned();
  tuning.gains[1].changed_s = {20e-6, 20e-6};
  auto all = calls();
  all[1].tuned_s = {{0, 90e-6}, {1, 90e-6}};
  const Table errors = table_of("errors", tuning, all);
  CHECK(number_of(errors, 0, "sizes") == 0);
  for (const char* column :
       {"hockney_l_mse", "loggp_o_mse", "best_model", "best_mse", "best_skill"})
    CHECK(cell_of(errors, 0, column) == Cell{});
  CHECK(number_of(errors, 0, "null_mse") > 0);
}

TEST_CASE("given improvements are measured on machines that have them") {
  MessageTuning tuning = tuned();
  tuning.is_given = true;
  tuning.given = {{1000, 0.1}, {16384, 0.1}};
  // By overheads, by the start, by bytes.
  const std::vector<ImprovedCall> all{
      call_of("pipeline", 0, 10e-6, {{0, 9e-6}, {1, 8e-6}, {2, 7e-6}})};
  const Table errors = table_of("errors", tuning, all);
  CHECK(number_of(errors, 0, "loggp_o_mse") == 0);
  CHECK(number_of(errors, 0, "hockney_l_mse") == close_to(0.01, 1e-9));
  CHECK(number_of(errors, 0, "hockney_b_mse") == close_to(0.04, 1e-9));
  CHECK(cell_of(errors, 0, "best_model") == Cell{std::string("o")});
  const Table points = table_of("points", tuning, all);
  CHECK(points.rows.size() == 1 + 3 + 4);
  CHECK(cell_of(points, 1, "source") == Cell{std::string("simulated(overheads)")});
}

TEST_CASE("signs are reported with the ratios of the calls, and the closed form is the cost's") {
  const Table signs = table_of("signs", tuned(), {call_of("binary_tree", 1, 1, {{1, 1}})});
  REQUIRE(signs.rows.size() == 4);
  CHECK(cell_of(signs, 2, "printed_sign") == Cell{std::string("<")});
  CHECK(number_of(signs, 2, "least_ratio") < 1);
  CHECK(cell_of(signs, 3, "printed_sign") == Cell{});
  CHECK(cell_of(signs, 3, "true_sign") == Cell{std::string("<>")});
  for (std::size_t row = 0; row < 4; ++row) CHECK(cell_of(signs, row, "as_table") == Cell{true});
}

TEST_CASE("the published gains are those of the published times") {
  const double printed_3_2[] = {0.332, 0.206, 0.004, 0.644, 0.259, 0.002};
  for (std::size_t i = 0; i < table_3_2().size(); ++i) {
    const auto& row = table_3_2()[i];
    CHECK(std::abs(improvement_of(row.untuned_s, row.tuned_s).value() - printed_3_2[i]) < 0.01);
  }
  const double printed_4_4[] = {-0.086, -0.188};
  for (std::size_t i = 0; i < table_4_4().size(); ++i) {
    const auto& row = table_4_4()[i];
    CHECK(std::abs(improvement_of(row.untuned_s, row.tuned_s).value() - printed_4_4[i]) < 0.001);
  }
}

TEST_CASE("a study of improvements runs without a command") {
  ImprovementSpec spec;
  spec.job.procs = {4};
  spec.job.message_bytes = {1024};
  spec.job.common.engine = tutti::engines::EngineKind::flow;
  spec.placements = {{}};
  spec.collectives = {{"bcast", {"binomial"}}};
  spec.gains = {{.message_bytes = {}, .improvement = 0.1}};
  const tutti::options::MachineRequest of{.platform = "crill", .overrides = {}};
  const auto on = std::make_shared<const tutti::platforms::Machine>(
      tutti::platforms::load_machine(of.platform, of.overrides).value());
  const auto plan = plan_improvement(spec, of, on);
  REQUIRE(bool(plan));
  REQUIRE(plan->calls.size() == 1);
  const auto found = improved_calls(*plan, *on, quiet_runner({.jobs = 2}));
  CHECK(found.run.code == 0);
  REQUIRE(found.calls.size() == 1);
  CHECK(found.calls[0].untuned_s > 0);
  CHECK(found.published.alltoall.empty());
}
