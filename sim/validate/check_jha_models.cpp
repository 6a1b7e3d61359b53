// SPDX-License-Identifier: BSD-3-Clause
// S. Jha's dissertation, chapter 4: compares the costs of Table 4.1 with Tutti's formulas, and the
// improvements of Table 4.2 with those that follow from the costs.

#include "sim/validate/check_jha_models.hpp"

#include "algorithms/models/message_cost.hpp"
#include "sim/studies/papers/printed_tables.hpp"
#include "sim/validate/checks.hpp"

namespace tutti::studies::papers {
namespace {

constexpr double s_per_us = 1e-6;

// The networks of Tables 4.3 (with both of its gaps) and 5.2, all with crill's Hockney parameters,
// and a grid of others.
std::vector<ModelPoint> networks() {
  const auto named = [](const char* name, double L_us, double o_us, double g_us, double G_us) {
    return ModelPoint{.network = name,
                      .procs = 0,
                      .bytes = 0,
                      .l_s = 1.6 * s_per_us,
                      .b_Bps = 1.9415e9,
                      .L_s = L_us * s_per_us,
                      .o_s = o_us * s_per_us,
                      .g_s = g_us * s_per_us,
                      .G_s_per_B = G_us * s_per_us};
  };
  std::vector<ModelPoint> all{named("crill", 1.84, 1.49, 1.08, 0.00067),
                              named("crill, g of 32 KB", 1.84, 1.49, 11.9, 0.00067),
                              named("opuntia", 6.04, 25.88, 7.40, 0.00351),
                              named("crill-GE", 32.96, 139.7, 297, 0.07991)};
  for (const double L_us : {0.3, 3.0, 30.0})
    for (const double o_us : {0.3, 3.0, 30.0})
      for (const double g_us : {0.4, 4.0, 40.0})
        for (const double G_us : {0.00002, 0.002, 0.2})
          all.push_back({.network = {},
                         .procs = 0,
                         .bytes = 0,
                         .l_s = L_us * s_per_us,
                         .b_Bps = 1 / (G_us * s_per_us),
                         .L_s = L_us * s_per_us,
                         .o_s = o_us * s_per_us,
                         .g_s = g_us * s_per_us,
                         .G_s_per_B = G_us * s_per_us});
  return all;
}

// False for numbers of processes at which the algorithm needs extra steps or a fallback.
bool is_itself(std::string_view algorithm, int procs) {
  if (algorithm == "recursive_doubling") return std::has_single_bit(static_cast<unsigned>(procs));
  return algorithm != "neighbor" || procs % 2 == 0;
}

}  // namespace

Variables ModelPoint::variables() const {
  return {{"P", procs}, {"m", static_cast<double>(bytes)},
          {"l", l_s},   {"b", b_Bps},
          {"L", L_s},   {"o", o_s},
          {"g", g_s},   {"G", G_s_per_B}};
}

platforms::HockneyParameters ModelPoint::hockney() const {
  return {.set = "printed", .l_s = l_s, .b_Bps = b_Bps};
}

platforms::LogGPParameters ModelPoint::loggp() const {
  return {.set = "printed",
          .L_s = L_s,
          .o_s = o_s,
          .g_s = platforms::Piecewise(g_s),
          .G_s_per_B = G_s_per_B};
}

std::string ModelPoint::text() const {
  const std::string of =
      network.empty()
          ? fmt::format("L = {}, o = {}, g = {}, G = {} per byte", format_seconds(L_s),
                        format_seconds(o_s), format_seconds(g_s), format_seconds(G_s_per_B))
          : network;
  return fmt::format("{}, P = {}, {}", of, procs, format_bytes(bytes));
}

std::vector<ModelPoint> model_grid(std::string_view algorithm, Bytes least_bytes) {
  std::vector<ModelPoint> points;
  for (const ModelPoint& network : networks())
    for (const int procs : {4, 5, 6, 8, 9, 32, 33, 64, 1024}) {
      if (!is_itself(algorithm, procs)) continue;
      for (const Bytes bytes : {1, 2, 128, 8 * 1024, 1 << 20, 16 << 20}) {
        if (bytes < least_bytes) continue;
        ModelPoint& point = points.emplace_back(network);
        point.procs = procs;
        point.bytes = bytes;
      }
    }
  return points;
}

namespace {

using Points = std::vector<ModelPoint>;

constexpr double tolerance = 1e-8;

bool are_equal(double a, double b) { return std::abs(a - b) <= tolerance * std::abs(b); }

// Number of points at which a formula gives the wanted value, and the first point at which it does
// not.
struct Fit {
  std::size_t equal = 0;
  std::size_t all = 0;
  const ModelPoint* first_other = nullptr;
  double value = 0;  // at first_other
  double wanted = 0;

  bool is_perfect() const { return equal == all; }
};

Fit fit_of(const std::string& formula, const Points& points, const std::vector<double>& wanted) {
  const Formula compute(formula, points.front().variables());
  Fit fit{.all = points.size()};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double value = compute(points[i].variables());
    if (are_equal(value, wanted[i])) {
      ++fit.equal;
    } else if (fit.first_other == nullptr) {
      fit.first_other = &points[i];
      fit.value = value;
      fit.wanted = wanted[i];
    }
  }
  return fit;
}

// Checks a printed formula and its correction, if there is one.
CheckedValue compare(const std::string& item, const Table& table, std::size_t row,
                     const char* printed_column, const Points& points,
                     const std::vector<double>& wanted) {
  const std::string printed = text_in(table, row, printed_column);
  const std::string right = text_in(table, row, "right");
  const std::string note = text_in(table, row, "note");
  const Fit as_printed = fit_of(printed, points, wanted);
  CheckedValue value{item, printed, printed, Verdict::equal,
                     right.empty() && printed_column == std::string("formula") ? note : ""};
  if (as_printed.is_perfect()) return value;
  const std::string evidence = fmt::format(
      "as printed, {} of {} points agree ({}: {:.4g}, not {:.4g})", as_printed.equal,
      as_printed.all, as_printed.first_other->text(), as_printed.value, as_printed.wanted);
  value.verdict = Verdict::differs;
  value.computed = right;
  value.why = right.empty() ? "" : note + "; " + evidence;
  if (right.empty()) return value;
  const Fit corrected = fit_of(right, points, wanted);
  value.why += fmt::format("; with the correction, {} agree", corrected.equal);
  value.verdict = corrected.is_perfect() ? Verdict::erratum : Verdict::differs;
  return value;
}

std::string item_of(const Table& table, std::size_t row) {
  return fmt::format("{} {}, {}", text_in(table, row, "collective"),
                     text_in(table, row, "algorithm"), text_in(table, row, "model"));
}

// ---- 4.1 ----

double our_cost(const algorithms::Algorithm& algorithm, const std::string& model,
                const ModelPoint& point) {
  const algorithms::ModelArgs args{point.procs, {.message_bytes = point.bytes, .fanout = 1}};
  return model == "hockney" ? algorithms::models::hockney(algorithm, args, point.hockney())
                            : algorithms::models::loggp(algorithm, args, point.loggp());
}

CheckedValue check_cost(const Table& table, std::size_t row) {
  const std::string name = text_in(table, row, "algorithm");
  const auto* algorithm = algorithms::find_algorithm(text_in(table, row, "collective"), name);
  TUTTI_CHECK(algorithm != nullptr, name);
  const Points points = model_grid(name, 1);
  std::vector<double> ours;
  for (const auto& point : points)
    ours.push_back(our_cost(*algorithm, text_in(table, row, "model"), point));
  return compare(item_of(table, row), table, row, "formula", points, ours);
}

// ---- 4.2 ----

// Returns the cost formula of Table 4.1 with its errata corrected.
std::string right_cost(const std::string& collective, const std::string& algorithm,
                       const std::string& model) {
  static const Table costs = printed_toml("jha_table4_1", "cost");
  for (std::size_t row = 0; row < costs.rows.size(); ++row)
    if (text_in(costs, row, "collective") == collective &&
        text_in(costs, row, "algorithm") == algorithm && text_in(costs, row, "model") == model) {
      const std::string right = text_in(costs, row, "right");
      return right.empty() ? text_in(costs, row, "formula") : right;
    }
  TUTTI_CHECK(false, "no cost of " + algorithm);
  return {};
}

// Tunes one parameter such that the time of a message of m bytes decreases by the fraction `i`:
// equations (4.13), (4.14), (4.17), (4.18).
ModelPoint tuned(ModelPoint point, const std::string& parameter, double i) {
  const auto m = static_cast<double>(point.bytes);
  const double hockney_s = point.l_s + m / point.b_Bps;
  const double loggp_s = point.L_s + 2 * point.o_s + (m - 1) * point.G_s_per_B;
  if (parameter == "l") point.l_s -= i * hockney_s;
  if (parameter == "b") point.b_Bps = m / (m / point.b_Bps - i * hockney_s);
  if (parameter == "o") point.o_s -= i / 2 * loggp_s;
  if (parameter == "G") point.G_s_per_B -= i * loggp_s / (m - 1);
  return point;
}

// Improvement of the collective divided by that of the message (4.1). The costs are linear in the
// tuned parameter, except for max(g, L + o): points whose larger operand changes must be excluded.
class Improvement {
 public:
  Improvement(const Table& table, std::size_t row)
      : parameter_(text_in(table, row, "affected")),
        cost_(right_cost(text_in(table, row, "collective"), text_in(table, row, "algorithm"),
                         text_in(table, row, "model")),
              model_grid(text_in(table, row, "algorithm"), 2).front().variables()) {}

  static bool is_overlapped(const ModelPoint& point) { return point.L_s + point.o_s > point.g_s; }

  bool changes_side(const ModelPoint& point) const {
    return is_overlapped(point) != is_overlapped(tuned(point, parameter_, small));
  }
  double operator()(const ModelPoint& point) const {
    const double before_s = cost_(point.variables());
    return (before_s - cost_(tuned(point, parameter_, small).variables())) / before_s / small;
  }

 private:
  static constexpr double small = 0.01;
  std::string parameter_;
  Formula cost_;
};

// The signs that occur: '<', '=', '>'.
struct Signs {
  std::set<char> found;
  const ModelPoint* largest = nullptr;  // largest ratio among the dissertation's networks
  double ratio = 0;                     // at `largest`

  std::string text() const {
    std::string joined;
    for (const char sign : found) joined += (joined.empty() ? "" : " and ") + std::string{sign};
    return joined;
  }
};

Signs signs_of(const Points& points, const std::vector<double>& ratios) {
  Signs signs;
  for (std::size_t i = 0; i < points.size(); ++i) {
    signs.found.insert(std::abs(ratios[i] - 1) < tolerance ? '=' : ratios[i] > 1 ? '>' : '<');
    if (points[i].network.empty() || ratios[i] <= signs.ratio) continue;
    signs.largest = &points[i];
    signs.ratio = ratios[i];
  }
  return signs;
}

// Checks the last column of the table; a blank means that all three signs are possible.
CheckedValue check_sign(const std::string& item, const std::string& printed, const Points& points,
                        const std::vector<double>& ratios) {
  const Signs signs = signs_of(points, ratios);
  CheckedValue value{item + ": sign", printed, signs.text(), Verdict::erratum};
  if (printed.empty() ? signs.found.size() > 1 : signs.text() == printed) {
    value.verdict = Verdict::equal;
  } else if (printed.empty()) {
    value.why = fmt::format("a blank means any of the three, but the sign is {} at all {} points",
                            signs.text(), points.size());
  } else {
    value.why = fmt::format("{:.4g} at {}; {} points in all", signs.ratio, signs.largest->text(),
                            points.size());
  }
  return value;
}

void check_improvement(const Table& table, std::size_t row, CheckedValues& values) {
  const Improvement improvement(table, row);
  Points points = model_grid(text_in(table, row, "algorithm"), 2);
  const bool overlapped = text_in(table, row, "where") == "L+o>g";
  std::erase_if(points, [&](const ModelPoint& point) {
    return (overlapped && !Improvement::is_overlapped(point)) || improvement.changes_side(point);
  });
  std::vector<double> ratios;
  for (const auto& point : points) ratios.push_back(improvement(point));
  const std::string item =
      fmt::format("{} by {}{}", item_of(table, row), text_in(table, row, "affected"),
                  overlapped ? " where L+o > g" : "");
  values.push_back(compare(item, table, row, "ratio", points, ratios));
  values.push_back(check_sign(item, text_in(table, row, "sign"), points, ratios));
}

// Checks (4.10) against (4.1), where i is the fraction of the time that is saved.
CheckedValue check_definition() {
  constexpr double i = 0.1;
  constexpr double untuned_s = 1;
  constexpr double tuned_s = untuned_s - i * untuned_s;
  return {"equation (4.10)", "t_untuned = (1-i) t_tuned", "t_tuned = (1-i) t_untuned",
          Verdict::erratum,
          fmt::format("by (4.1), i = {} reduces 1 s to {:.4g} s, as printed to {:.4g} s; (4.12) "
                      "and all later equations are correct",
                      i, tuned_s, untuned_s / (1 - i))};
}

}  // namespace

Result<CheckedValues> check_jha_costs() {
  const Table table = printed_toml("jha_table4_1", "cost");
  CheckedValues values;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    values.push_back(check_cost(table, row));
  return values;
}

Result<CheckedValues> check_jha_improvements() {
  const Table table = printed_toml("jha_table4_2", "rows");
  CheckedValues values{check_definition()};
  for (std::size_t row = 0; row < table.rows.size(); ++row) check_improvement(table, row, values);
  return values;
}

}  // namespace tutti::studies::papers
