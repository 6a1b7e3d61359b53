// SPDX-License-Identifier: BSD-3-Clause
// S. Jha's dissertation: Tables 3.1, 3.2, 4.4, 5.1, 5.3 to 5.5.

#include "io_models/two_phase_model.hpp"
#include "sim/base/common.hpp"
#include "sim/options/axis.hpp"
#include "sim/studies/papers/printed_tables.hpp"
#include "sim/validate/checks.hpp"
#include "sim/validate/paper.hpp"

namespace tutti::studies::papers {
namespace {

// ---- 3.1 ----

std::vector<std::int64_t> values_of(const std::string& range) {
  return options::parse_axis(range, {parse_bytes}).value();
}

// Checks that the range contains the default value, from which the parameter was tuned.
CheckedValue check_range(const Table& table, std::size_t row) {
  const auto standard = parse_bytes(text_in(table, row, "standard")).value();
  const auto holds = [&](const std::string& range) {
    return std::ranges::count(values_of(range), standard) > 0;
  };
  const std::string printed = text_in(table, row, "range");
  const std::string right = text_in(table, row, "right");
  const std::string note = text_in(table, row, "note");
  CheckedValue value{text_in(table, row, "name"), printed,
                     fmt::format("{} values", values_of(right.empty() ? printed : right).size()),
                     Verdict::equal, note};
  if (holds(printed)) return value;
  value.verdict = right.empty() || !holds(right) ? Verdict::differs : Verdict::erratum;
  value.why = fmt::format("{}; the default value, {}, is not in {}, but in {}", note,
                          text_in(table, row, "standard"), printed, right);
  value.computed = right;
  return value;
}

// Adds the numbers of points of three searches: all combinations, the corners of 2^k, and one
// parameter after the other.
void add_combinations(const Table& table, const std::string& group, CheckedValues& values) {
  std::size_t combinations = 1;
  std::size_t sum = 0;
  int parameters = 0;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (text_in(table, row, "group") != group) continue;
    const std::string right = text_in(table, row, "right");
    const auto count = values_of(right.empty() ? text_in(table, row, "range") : right).size();
    combinations *= count;
    sum += count;
    ++parameters;
  }
  const auto add = [&](const char* what, std::size_t count) {
    values.push_back({fmt::format("{}: {}", group, what), "", fmt::format("{}", count),
                      Verdict::equal, "not printed"});
  };
  add("combinations", combinations);
  add("corners", std::size_t{1} << parameters);
  add("values, one after the other", sum);
}

// ---- 3.2, 4.4 ----

// Checks the reduction from `before` to `after`, in percent; all three are printed with few digits.
CheckedValue check_gain(const std::string& item, const std::string& before,
                        const std::string& after, const std::string& printed) {
  const double b = parse_number(before).value();
  const double a = parse_number(after).value();
  const auto gain = [](double from, double to) { return 100 * (from - to) / from; };
  CheckedValue value{item, printed + " %", as_printed(gain(b, a), printed) + " %"};
  if (rounds_to(gain(b, a), printed)) return value;
  const double least = gain(b - half_digit(before), a + half_digit(after));
  const double most = gain(b + half_digit(before), a - half_digit(after));
  const double number = parse_number(printed).value();
  const double slack = half_digit(printed);
  value.why = fmt::format("the rounded times {} and {} allow {:.2f} to {:.2f} %", before, after,
                          least, most);
  if (number + slack >= least && number - slack <= most) return value;
  value.verdict = Verdict::differs;
  value.why +=
      "; each time is the mean of two to four runs, so the gain may be the mean of their gains";
  return value;
}

// ---- 5.1 ----

std::string text_of_number(double number) { return fmt::format("{:.10g}", number); }

// n_as and n_s of a column by the formulas as printed next to the table.
struct AsPrinted {
  double n_as = 0;
  double n_s = 0;
};
AsPrinted as_printed_formulas(const io_models::PublishedParameters& column,
                              const io_models::ShuffleModelArgs& args, double m_s) {
  const auto bytes = static_cast<double>(args.proc_bytes());
  const bool is_even_2d = column.partitioning == io_models::Partitioning::even &&
                          column.layout == io_models::Layout::two_d;
  const bool is_static_1d = column.partitioning == io_models::Partitioning::static_ &&
                            column.layout == io_models::Layout::one_d;
  double n_as = column.n_as;
  if (is_even_2d) n_as = std::ceil(static_cast<double>(args.grid_rows) / args.aggregators);
  if (is_static_1d) n_as = bytes / args.aggregators;
  return {n_as, is_even_2d || is_static_1d ? std::ceil(bytes / (n_as * m_s)) : column.n_s};
}

// Number of values of the table that the printed formulas do not reproduce.
int wrong_as_printed() {
  int wrong = 0;
  for (const auto& column : io_models::table_5_1()) {
    const auto args = io_models::args_of(column);
    const auto found = as_printed_formulas(column, args, io_models::parameters_of(args)->m_s);
    wrong += found.n_as != column.n_as;
    wrong += found.n_s != column.n_s;
  }
  return wrong;
}

}  // namespace

Result<CheckedValues> check_jha_tuned_parameters() {
  const Table table = printed_toml("jha_table3_1", "parameter");
  CheckedValues values;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    values.push_back(check_range(table, row));
  add_combinations(table, "openib", values);
  add_combinations(table, "sm", values);
  const auto machines = TUTTI_TRY(check_machines("jha", "3.1"));
  values.insert(values.end(), machines.begin(), machines.end());
  return values;
}

Result<CheckedValues> check_jha_alltoall_gains() {
  const Table table = printed_csv("jha_table3_2");
  CheckedValues values;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    values.push_back(check_gain(fmt::format("{}, {} processes", text_in(table, row, "algorithm"),
                                            text_in(table, row, "procs")),
                                text_in(table, row, "default_ms"), text_in(table, row, "tuned_ms"),
                                text_in(table, row, "gain_percent")));
  return values;
}

Result<CheckedValues> check_jha_eager_limits() {
  const Table table = printed_csv("jha_table4_4");
  CheckedValues values;
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    values.push_back(check_gain(fmt::format("{}, {} processes", text_in(table, row, "operation"),
                                            text_in(table, row, "procs")),
                                text_in(table, row, "eager_12k_us"),
                                text_in(table, row, "eager_48k_us"),
                                text_in(table, row, "improvement_percent")));
  return values;
}

Result<CheckedValues> check_jha_shuffle() {
  CheckedValues values;
  const auto compared = io_models::compare_with_model(io_models::table_5_1());
  for (const auto& each : compared)
    values.push_back({fmt::format("{} {}, P = {}: {}", name_of(each.column.partitioning),
                                  name_of(each.column.layout), each.column.procs, each.name),
                      text_of_number(each.printed), text_of_number(each.model),
                      each.equal ? Verdict::equal : Verdict::differs});
  const std::string evidence =
      fmt::format("the corrected formulas reproduce {} of {} values; as printed, {} differ",
                  std::ranges::count_if(compared, [](const auto& each) { return each.equal; }),
                  compared.size(), wrong_as_printed());
  values.push_back({"5.1.2: n_as of even 2d", "ceil(P_x/P_a)", "ceil(P_a/P_x)", Verdict::erratum,
                    "c is defined by P_a = c P_x; " + evidence});
  values.push_back({"5.1.3: n_as of static 1d", "d_p/P_a", "ceil(d_p/b_c)", Verdict::erratum,
                    "it is a number of messages, not of bytes; " + evidence});
  return values;
}

Result<CheckedValues> check_jha_tendencies() {
  CheckedValues values;
  for (const auto& each : printed_tendencies())
    values.push_back(
        {fmt::format("case {}, {}", each.number, each.model),
         fmt::format("{} match, {} do not: {:.1f} %", each.match, each.mismatch, 100 * each.rate()),
         "", Verdict::not_recomputable,
         "measured; `sim validate io --cases` simulates these pairs"});
  return values;
}

}  // namespace tutti::studies::papers
