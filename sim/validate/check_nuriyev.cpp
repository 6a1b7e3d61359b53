// SPDX-License-Identifier: BSD-3-Clause
// Nuriyev and Lastovetsky, Tables 1 to 3.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "algorithms/selection/decision.hpp"
#include "sim/base/units.hpp"
#include "sim/studies/papers/printed_tables.hpp"
#include "sim/studies/straight_line.hpp"
#include "sim/validate/checks.hpp"
#include "sim/validate/nuriyev.hpp"
#include "sim/validate/rounding.hpp"

namespace tutti::studies::papers {
namespace {

constexpr Bytes KiB = 1024;
constexpr double segment_bytes = 8 * KiB;

// ---- Table 1 ----

// The root of a binomial tree of P processes has ceil(log2 P) children; with itself they are the
// processes of the linear broadcast that gamma is measured with.
int gammas_needed(int procs) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(procs - 1))) + 1;
}

// R^2: 1 where all points lie on the line.
double determination(const std::vector<DataPoint>& points, const StraightLine& line) {
  double mean = 0;
  for (const auto& [x, y] : points) mean += y / static_cast<double>(points.size());
  double off = 0;
  double all = 0;
  for (const auto& [x, y] : points) {
    off += (y - line(x)) * (y - line(x));
    all += (y - mean) * (y - mean);
  }
  return 1 - off / all;
}

void check_gammas(const Table& table, const std::string& cluster, int procs,
                  CheckedValues& values) {
  std::vector<DataPoint> points;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    points.push_back({number_in(table, row, "procs"), number_in(table, row, cluster)});
  const StraightLine line = least_squares(points);
  for (std::size_t row = 0; row < points.size(); ++row) {
    const bool by_definition = points[row].x == 2;
    values.push_back({fmt::format("{}: gamma({:.0f})", cluster, points[row].x),
                      text_in(table, row, cluster),
                      by_definition ? "1" : fmt::format("{:.3f}", line(points[row].x)),
                      by_definition ? Verdict::equal : Verdict::not_recomputable,
                      by_definition ? "" : "measured; computed is the fitted line"});
  }
  const double r2 = determination(points, line);
  values.push_back({cluster + ": gamma is near linear", "near linear",
                    fmt::format("{:.4f} + {:.4f} P, R^2 = {:.4f}", line.at_0, line.slope, r2),
                    r2 > 0.95 ? Verdict::equal : Verdict::differs});
  const int needed = gammas_needed(procs);
  values.push_back({cluster + ": processes that gamma is needed for",
                    fmt::format("2 to {:.0f}", points.back().x), fmt::format("2 to {}", needed),
                    needed > points.back().x ? Verdict::misprint : Verdict::equal,
                    fmt::format("the root of {} processes has {} children, so that its broadcast "
                                "is one of {} processes; the fitted line gives gamma({}) = {:.3f}",
                                procs, needed - 1, needed, needed, line(needed))});
}

// ---- Table 2 ----

// Whether alpha is beta over the segment size, for some values that are printed as they are. A fit
// that sees one segment size alone cannot tell the two apart.
bool is_beta(const std::string& alpha, const std::string& beta) {
  constexpr double bytes = 1 / segment_bytes;
  const double a = parse_number(alpha).value();
  const double b = parse_number(beta).value();
  const double least = (a - half_digit(alpha)) / (b + half_digit(beta));
  const double most = (a + half_digit(alpha)) / (b - half_digit(beta));
  return least <= bytes && bytes <= most;
}

// ---- Table 3 ----

algorithms::selection::Choice choice_of_31(int procs, Bytes bytes) {
  return algorithms::selection::choose(
             "ompi-3.1",
             {.collective = "bcast", .procs = procs, .message_bytes = bytes, .elements = bytes})
      .value();
}

CheckedValue check_choice(const Table& table, std::size_t row) {
  const int procs = static_cast<int>(number_in(table, row, "procs"));
  const Bytes bytes = static_cast<Bytes>(number_in(table, row, "kib")) * KiB;
  const auto choice = choice_of_31(procs, bytes);
  const std::string printed = text_in(table, row, "ompi_choice");
  const std::string name = nuriyev_name(choice.algorithm->name);
  return {
      fmt::format("{}, {}: Open MPI's choice", text_in(table, row, "cluster"), format_bytes(bytes)),
      printed, name, name == printed ? Verdict::equal : Verdict::differs,
      fmt::format("{} with segments of {}", choice.algorithm->name,
                  format_bytes(choice.segment_bytes))};
}

// Statements about a cluster's rows.
struct Degradations {
  std::vector<double> model, ompi;
  int consistent = 0;  // 0 % where the model's choice is the best one
  int chosen_best = 0;
};

Degradations degradations_of(const Table& table, const std::string& cluster) {
  Degradations all;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (text_in(table, row, "cluster") != cluster) continue;
    all.model.push_back(number_in(table, row, "model_degradation_pct"));
    all.ompi.push_back(number_in(table, row, "ompi_degradation_pct"));
    if (text_in(table, row, "model_choice") != text_in(table, row, "best")) continue;
    ++all.chosen_best;
    all.consistent += all.model.back() == 0;
  }
  return all;
}

// Nothing but the table itself is looked at.
CheckedValue statement(const std::string& item, const std::string& printed,
                       const std::string& counted) {
  return {item, printed, counted, printed == counted ? Verdict::recounted : Verdict::differs};
}

// "40 %" of them are at most `limit`.
std::string share_up_to(const std::vector<double>& values, double limit) {
  const auto count = std::ranges::count_if(values, [&](double value) { return value <= limit; });
  return fmt::format("{} %", 100 * count / static_cast<std::int64_t>(values.size()));
}

std::string largest(const std::vector<double>& values) {
  return fmt::format("{:.0f} %", *std::ranges::max_element(values));
}

void check_statements(const Table& table, CheckedValues& values) {
  constexpr double near_optimal = 10;
  const auto grisou = degradations_of(table, "grisou");
  const auto gros = degradations_of(table, "gros");
  values.push_back(statement("grisou: most that the model loses", "3 %", largest(grisou.model)));
  values.push_back(statement("grisou: most that Open MPI loses", "160 %", largest(grisou.ompi)));
  values.push_back(statement("grisou: Open MPI near optimal (10 %)", "50 %",
                             share_up_to(grisou.ompi, near_optimal)));
  const double most = *std::ranges::max_element(gros.model);
  values.push_back({"gros: most that the model loses", "no more than 10 %",
                    fmt::format("{:.0f} %", most),
                    most <= 10 ? Verdict::recounted : Verdict::differs});
  values.push_back(statement("gros: most that Open MPI loses", "7297 %", largest(gros.ompi)));
  values.push_back(statement("gros: Open MPI near optimal (10 %)", "40 %",
                             share_up_to(gros.ompi, near_optimal)));
  for (const auto* each : {&grisou, &gros})
    values.push_back(statement(fmt::format("{}: 0 % where the model's choice is the best",
                                           each == &grisou ? "grisou" : "gros"),
                               fmt::format("{} of {}", each->chosen_best, each->chosen_best),
                               fmt::format("{} of {}", each->consistent, each->chosen_best)));
}

// "Open MPI only selects the binomial tree for messages smaller than 2 KB".
CheckedValue check_binomial_limit() {
  Bytes limit = 0;
  for (Bytes bytes = 1; bytes <= 64 * KiB; ++bytes)
    if (choice_of_31(100, bytes).algorithm->name == "binomial") limit = bytes;
  return {"gros: binomial below", "2048 bytes", fmt::format("{} bytes", limit + 1),
          limit + 1 == 2048 ? Verdict::equal : Verdict::differs};
}

}  // namespace

Result<CheckedValues> check_nuriyev_gamma() {
  const Table table = printed_csv("nuriyev_table1");
  CheckedValues values;
  check_gammas(table, "grisou", 90, values);
  check_gammas(table, "gros", 124, values);
  return values;
}

Result<CheckedValues> check_nuriyev_alpha() {
  const Table table = printed_csv("nuriyev_table2");
  const auto alpha_of = [&](std::size_t row) { return text_in(table, row, "alpha_s"); };
  const auto beta_of = [&](std::size_t row) { return text_in(table, row, "beta_s_per_byte"); };
  int of_beta = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    of_beta += is_beta(alpha_of(row), beta_of(row));
  const auto told = fmt::format(
      "{} of {} alphas are beta / 8192, as far as both are printed: the "
      "fit does not tell alpha from beta",
      of_beta, table.rows.size());
  CheckedValues values;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string name =
        fmt::format("{} {}", text_in(table, row, "cluster"), text_in(table, row, "algorithm"));
    const double expected = number_in(table, row, "beta_s_per_byte") / segment_bytes;
    const bool agrees = is_beta(alpha_of(row), beta_of(row));
    values.push_back({name + ": alpha", alpha_of(row) + " s",
                      as_printed(expected, alpha_of(row)) + " s",
                      agrees ? Verdict::equal : Verdict::differs,
                      agrees ? told
                             : fmt::format("alpha is {:.2f} beta / 8192; {}",
                                           number_in(table, row, "alpha_s") / expected, told)});
    values.push_back(
        {name + ": beta", beta_of(row) + " s/byte", "", Verdict::not_recomputable, "measured"});
  }
  return values;
}

Result<CheckedValues> check_nuriyev_selection() {
  const Table table = printed_csv("nuriyev_table3");
  CheckedValues values;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    values.push_back(check_choice(table, row));
  check_statements(table, values);
  values.push_back(check_binomial_limit());
  auto simulated = TUTTI_TRY(simulated_nuriyev_selection(table));
  std::ranges::move(simulated, std::back_inserter(values));
  return values;
}

}  // namespace tutti::studies::papers
