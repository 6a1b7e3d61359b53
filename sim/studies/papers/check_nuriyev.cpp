// SPDX-License-Identifier: BSD-3-Clause
// Nuriyev and Lastovetsky, Tables 1 to 3.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "algorithms/selection/decision.hpp"
#include "sim/base/units.hpp"
#include "sim/studies/papers/checks.hpp"
#include "sim/studies/papers/line_fit.hpp"
#include "sim/studies/papers/printed_tables.hpp"
#include "sim/studies/papers/rounding.hpp"

namespace tutti::studies::papers {
namespace {

constexpr Bytes KiB = 1024;
constexpr double segment_bytes = 8 * KiB;
constexpr const char* clusters[] = {"grisou", "gros"};

// ---- Table 1 ----

// The root of a binomial tree of P processes has ceil(log2 P) children; with itself they are the
// processes of the linear broadcast that gamma is measured with.
int gammas_needed(int procs) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(procs - 1))) + 1;
}

void check_gammas(const Table& table, const std::string& cluster, int procs,
                  CheckedValues& values) {
  std::vector<double> x, y;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    x.push_back(number_in(table, row, "procs"));
    y.push_back(number_in(table, row, cluster));
  }
  const LineFit line = fit_line(x, y);
  for (std::size_t row = 0; row < x.size(); ++row) {
    const std::string printed = text_in(table, row, cluster);
    const bool by_definition = x[row] == 2;
    values.push_back({fmt::format("{}: gamma({:.0f})", cluster, x[row]), printed,
                      by_definition ? "1" : fmt::format("{:.3f}", line(x[row])),
                      by_definition ? Verdict::equal : Verdict::not_recomputable,
                      by_definition ? "" : "measured; computed is the fitted line"});
  }
  values.push_back(
      {cluster + ": gamma is near linear", "near linear",
       fmt::format("{:.4f} + {:.4f} P, R^2 = {:.4f}", line.constant, line.slope, line.r2),
       line.r2 > 0.95 ? Verdict::equal : Verdict::differs});
  const int needed = gammas_needed(procs);
  values.push_back({fmt::format("{}: gamma({})", cluster, needed), "",
                    fmt::format("{:.3f}", line(needed)), Verdict::misprint,
                    fmt::format("the root of {} processes has {} children: its broadcast is one "
                                "of {} processes, and the table ends at {:.0f}; computed is the "
                                "fitted line",
                                procs, needed - 1, needed, x.back())});
}

// ---- Table 2 ----

// Whether alpha is beta times one number of bytes, for some values that are printed as they are.
bool is_multiple(const std::string& alpha, const std::string& beta, double bytes) {
  const double a = parse_number(alpha).value();
  const double b = parse_number(beta).value();
  const double least = (a - half_digit(alpha)) / (b + half_digit(beta));
  const double most = (a + half_digit(alpha)) / (b - half_digit(beta));
  return least <= bytes && bytes <= most;
}

// ---- Table 3 ----

// Open MPI's algorithms as the paper calls them.
std::string paper_name(const algorithms::Algorithm& algorithm) {
  if (algorithm.name == "split_binary_tree") return "split_binary";
  if (algorithm.name == "pipeline") return "chain";
  if (algorithm.name == "binary_tree") return "binary";
  return std::string(algorithm.name);
}

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
  const std::string name = paper_name(*choice.algorithm);
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

CheckedValue statement(const std::string& item, const std::string& printed,
                       const std::string& computed) {
  return {item, printed, computed, printed == computed ? Verdict::equal : Verdict::differs};
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
                    fmt::format("{:.0f} %", most), most <= 10 ? Verdict::equal : Verdict::differs});
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
  for (Bytes bytes = 1; bytes <= 4096 * KiB; ++bytes) {
    if (bytes > 64 * KiB) break;
    if (choice_of_31(100, bytes).algorithm->name == "binomial") limit = bytes;
  }
  return statement("gros: binomial below", "2048 bytes", fmt::format("{} bytes", limit + 1));
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
  CheckedValues values;
  int multiples = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    multiples += is_multiple(text_in(table, row, "alpha_s"), text_in(table, row, "beta_s_per_byte"),
                             1 / segment_bytes);
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    const std::string alpha = text_in(table, row, "alpha_s");
    const std::string beta = text_in(table, row, "beta_s_per_byte");
    const bool is_beta = is_multiple(alpha, beta, 1 / segment_bytes);
    CheckedValue value{fmt::format("{} {}: alpha", text_in(table, row, "cluster"),
                                   text_in(table, row, "algorithm")),
                       alpha + " s",
                       as_printed(parse_number(beta).value() / segment_bytes, alpha) + " s",
                       is_beta ? Verdict::equal : Verdict::differs};
    value.why = is_beta ? fmt::format("beta / 8192, as {} of {}: the fit does not identify alpha",
                                      multiples, table.rows.size())
                        : fmt::format(
                              "the only one that is not beta / 8192; the fit does not "
                              "identify alpha ({} of {} are)",
                              multiples, table.rows.size());
    values.push_back(std::move(value));
    values.push_back({fmt::format("{} {}: beta", text_in(table, row, "cluster"),
                                  text_in(table, row, "algorithm")),
                      beta + " s/byte", "", Verdict::not_recomputable, "measured"});
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
  return values;
}

}  // namespace tutti::studies::papers
