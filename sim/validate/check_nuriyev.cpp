// SPDX-License-Identifier: BSD-3-Clause
// Nuriyev and Lastovetsky (2020), Tables 1 to 3.

#include "algorithms/selection/decision.hpp"
#include "platforms/reader.hpp"
#include "sim/base/common.hpp"
#include "sim/studies/line_fits.hpp"
#include "sim/studies/papers/printed_tables.hpp"
#include "sim/studies/run_point.hpp"
#include "sim/validate/checks.hpp"
#include "sim/validate/paper.hpp"

namespace tutti::studies::papers {

// The paper's name of Open MPI's algorithm: "split_binary" for "split_binary_tree".
static std::string nuriyev_name(std::string_view algorithm);

// Compares the measured columns with simulations on the catalog's grisou and gros: the fastest of
// the paper's six broadcasts with segments of 8 KiB, and the regret of the choices by the model and
// by Open MPI 3.1. These rows have no verdict, because the overheads of both machines derive from
// the paper's Tables 1 and 2. `table` is nuriyev_table3.
static Result<CheckedValues> simulated_nuriyev_selection(const Table& table);

namespace {

constexpr Bytes KiB = 1024;
constexpr double segment_bytes = 8 * KiB;

// ---- Table 1 ----

// The root of a binomial tree of P processes has ceil(log2 P) children. Together they are the
// processes of the linear broadcast for which gamma is measured.
int gammas_needed(int procs) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(procs - 1))) + 1;
}

// R^2; 1 if all points lie on the line.
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
                      by_definition ? "" : "measured; the computed value is the fitted line"});
  }
  const double r2 = determination(points, line);
  values.push_back({cluster + ": gamma is near linear", "near linear",
                    fmt::format("{:.4f} + {:.4f} P, R^2 = {:.4f}", line.at_0, line.slope, r2),
                    r2 > 0.95 ? Verdict::equal : Verdict::differs});
  const int needed = gammas_needed(procs);
  values.push_back({cluster + ": processes for which gamma is needed",
                    fmt::format("2 to {:.0f}", points.back().x), fmt::format("2 to {}", needed),
                    needed > points.back().x ? Verdict::erratum : Verdict::equal,
                    fmt::format("the root of {} processes has {} children, so its broadcast has {} "
                                "processes; the fitted line gives gamma({}) = {:.3f}",
                                procs, needed - 1, needed, needed, line(needed))});
}

// ---- Table 2 ----

// Returns whether alpha may equal beta / segment size within the printed precision. A fit over a
// single segment size cannot distinguish the two.
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

// Data for statements about a cluster's rows.
struct Degradations {
  std::vector<double> model, ompi;
  int consistent = 0;  // rows with 0 % among those where the model's choice is the best one
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

// Checks a statement against the entries of the table itself.
CheckedValue statement(const std::string& item, const std::string& printed,
                       const std::string& counted) {
  return {item, printed, counted, printed == counted ? Verdict::recounted : Verdict::differs};
}

// Fraction of the values that are at most `limit`: "40 %".
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
  values.push_back(statement("grisou: largest regret of the model", "3 %", largest(grisou.model)));
  values.push_back(statement("grisou: largest regret of Open MPI", "160 %", largest(grisou.ompi)));
  values.push_back(statement("grisou: Open MPI near optimal (10 %)", "50 %",
                             share_up_to(grisou.ompi, near_optimal)));
  const double most = *std::ranges::max_element(gros.model);
  values.push_back({"gros: largest regret of the model", "no more than 10 %",
                    fmt::format("{:.0f} %", most),
                    most <= 10 ? Verdict::recounted : Verdict::differs});
  values.push_back(statement("gros: largest regret of Open MPI", "7297 %", largest(gros.ompi)));
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
  const auto reported = fmt::format(
      "{} of {} alphas equal beta / 8192 within the printed precision: the fit does not separate "
      "alpha from beta",
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
                      agrees ? reported
                             : fmt::format("alpha is {:.2f} beta / 8192; {}",
                                           number_in(table, row, "alpha_s") / expected, reported)});
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

namespace {

constexpr Bytes nuriyev_segment = 8 * 1024;
constexpr const char* nuriyev_caveat =
    "measured; the computed value is simulated on the catalog's machine, whose overheads derive "
    "from Tables 1 and 2";

struct PaperAlgorithm {
  std::string_view ours;
  std::string_view paper;
};
constexpr std::array paper_algorithms = {
    PaperAlgorithm{"basic_linear", "linear"}, PaperAlgorithm{"chain", "k_chain"},
    PaperAlgorithm{"pipeline", "chain"},      PaperAlgorithm{"split_binary_tree", "split_binary"},
    PaperAlgorithm{"binary_tree", "binary"},  PaperAlgorithm{"binomial", "binomial"}};

// Broadcasts of one size on one machine.
struct Broadcasts {
  const platforms::Machine& machine;
  int procs = 0;
  Bytes message_bytes = 0;

  Result<Seconds> time_of(const std::string& algorithm, std::optional<Bytes> segment) const {
    Point point;
    point.placement.procs = procs;
    point.engine = engines::EngineKind::flow;
    point.call = TUTTI_TRY(workloads::resolve({.collective = "bcast",
                                               .algorithm = algorithm,
                                               .procs = procs,
                                               .message_bytes = message_bytes,
                                               .segment_bytes = segment},
                                              machine, point.placement));
    const auto answer = TUTTI_TRY(run_point(point, machine));
    return *answer.record.time_s;
  }
};

// The simulation of one printed row; the keys are the paper's names.
struct SimulatedRow {
  std::map<std::string, Seconds, std::less<>> times_s;
  Seconds ompi_s = 0;

  const auto& best() const {
    return *std::ranges::min_element(times_s, {}, [](const auto& each) { return each.second; });
  }
  std::string degradation(Seconds time_s) const {
    return fmt::format("{:.0f} %", 100 * (time_s / best().second - 1));
  }
};

Result<SimulatedRow> simulate_row(const Broadcasts& broadcasts) {
  SimulatedRow row;
  for (const auto& each : paper_algorithms) {
    const auto time_s = TUTTI_TRY(broadcasts.time_of(std::string(each.ours), nuriyev_segment));
    row.times_s[std::string(each.paper)] = time_s;
  }
  row.ompi_s = TUTTI_TRY(broadcasts.time_of("auto:ompi-3.1", std::nullopt));
  return row;
}

void add_measured(const Table& table, std::size_t at, const SimulatedRow& row,
                  CheckedValues& values) {
  const auto text = [&](const char* column) { return text_in(table, at, column); };
  const auto add = [&](const char* what, std::string printed, std::string computed) {
    values.push_back({fmt::format("{}, {} KiB: {}", text("cluster"), text("kib"), what),
                      std::move(printed), std::move(computed), Verdict::not_recomputable,
                      nuriyev_caveat});
  };
  add("best", text("best"), row.best().first);
  add("regret of the model's choice", text("model_degradation_pct") + " %",
      row.degradation(row.times_s.at(text("model_choice"))));
  add("regret of Open MPI's choice", text("ompi_degradation_pct") + " %",
      row.degradation(row.ompi_s));
}

}  // namespace

std::string nuriyev_name(std::string_view algorithm) {
  const auto found = std::ranges::find(paper_algorithms, algorithm, &PaperAlgorithm::ours);
  return std::string(found == paper_algorithms.end() ? algorithm : found->paper);
}

Result<CheckedValues> simulated_nuriyev_selection(const Table& table) {
  std::map<std::string, platforms::Machine> machines;
  CheckedValues values;
  for (std::size_t at = 0; at < table.rows.size(); ++at) {
    const std::string cluster = text_in(table, at, "cluster");
    if (!machines.contains(cluster)) {
      auto machine = TUTTI_TRY(platforms::load_machine(cluster));
      machines.emplace(cluster, std::move(machine));
    }
    const auto row = TUTTI_TRY(
        simulate_row({.machine = machines.at(cluster),
                      .procs = static_cast<int>(number_in(table, at, "procs")),
                      .message_bytes = static_cast<Bytes>(number_in(table, at, "kib")) * 1024}));
    add_measured(table, at, row, values);
  }
  return values;
}

}  // namespace tutti::studies::papers
