// SPDX-License-Identifier: BSD-3-Clause
// sim validate io: the parameters of the analytic model of collective I/O beside the
// dissertation's.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "io_models/published_parameters.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/commands/validate.hpp"
#include "sim/reports/csv.hpp"
#include "sim/reports/version.hpp"

namespace tutti::commands {
namespace {

using Json = nlohmann::ordered_json;
using io_models::ComparedValue;
using Values = std::span<const ComparedValue>;

constexpr OptionSpec specs[] = {
    {option_group, "--table", "NUMBER", "table of the dissertation: 5.1 (default)"},
    {option_group, "--format", "FORMAT", "text (default), csv or json"},
    color_option,
    help_option};

constexpr std::size_t values_of_a_column = 5;

std::size_t equal_ones(Values values) {
  return static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(), [](const auto& value) { return value.equal; }));
}

std::string text_of(const ComparedValue& value) {
  const char mark = value.equal ? ' ' : '*';
  if (value.name == "m_s_MB")
    return fmt::format("{:>8.3f}{:>6.2f}{}", value.model, value.printed, mark);
  return fmt::format("{:>5}{:>6}{}", value.model, value.printed, mark);
}

std::string text_line(Values column) {
  const auto& of = column.front().column;
  std::string line = fmt::format("{:<6} {:<4}{:>5}", io_models::name_of(of.partitioning),
                                 io_models::name_of(of.layout), of.procs);
  for (const auto& value : column) line += text_of(value);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::string text_of(Values values) {
  std::string text = fmt::format(
      R"(# Tutti {} ({})
# The analytic model of collective I/O beside Table 5.1 of the dissertation
# 1024 MB a process, 64 aggregators, collective buffers of 32 MB
# In each pair Tutti's value is left, the printed one right; m_s is printed cut
# after two digits. Two formulas beside the table are misprinted, it follows:
#   n_as of even 2d    ceil(P_a/P_x), printed as ceil(P_x/P_a)
#   n_as of static 1d  ceil(d_p/b_c), printed as d_p/P_a
)",
      reports::version(), reports::commit());
  text += fmt::format("{:<16}{:>11} {:>11} {:>11} {:>11} {:>14}\n", "# Model    Procs", "n_as",
                      "n_s", "n_ar", "n_r", "m_s (MB)");
  for (std::size_t at = 0; at < values.size(); at += values_of_a_column)
    text += text_line(values.subspan(at, values_of_a_column));
  return text + fmt::format("# {} of {} equal{}\n", equal_ones(values), values.size(),
                            equal_ones(values) == values.size() ? "" : "; * marks the others");
}

std::string csv_of(Values values) {
  std::string csv = reports::csv_line(
      {"partitioning", "decomposition", "procs", "parameter", "model", "printed", "equal"});
  for (const auto& value : values)
    csv += reports::csv_line({std::string(io_models::name_of(value.column.partitioning)),
                              std::string(io_models::name_of(value.column.layout)),
                              fmt::format("{}", value.column.procs), std::string(value.name),
                              fmt::format("{}", value.model), fmt::format("{}", value.printed),
                              value.equal ? "true" : "false"});
  return csv;
}

std::string json_of(Values values) {
  Json rows = Json::array();
  for (const auto& value : values)
    rows.push_back({{"partitioning", io_models::name_of(value.column.partitioning)},
                    {"decomposition", io_models::name_of(value.column.layout)},
                    {"procs", value.column.procs},
                    {"parameter", value.name},
                    {"model", value.model},
                    {"printed", value.printed},
                    {"equal", value.equal}});
  return Json{{"schema", "sim.validate.io/1"},
              {"tutti", {{"version", reports::version()}, {"commit", reports::commit()}}},
              {"table", "5.1"},
              {"equal", equal_ones(values)},
              {"values", rows}}
             .dump(2) +
         '\n';
}

// The arguments that there may not be, and the options' values. The format.
Result<std::string> format_of(const Parsed& parsed) {
  if (!parsed.arguments.empty())
    return usage_error("", fmt::format("unexpected argument {}", in_quotes(parsed.arguments[0])),
                       "the table is named by --table");
  const auto table = choice_of(parsed, "--table", {"5.1"});
  if (!table) return table.errors();
  return choice_of(parsed, "--format", {"text", "csv", "json"});
}

int run(const Parsed& parsed, const Diagnostics& diagnostics) {
  const auto format = format_of(parsed);
  if (!format) return diagnostics.fail(format.errors());
  const auto values = io_models::compare_with_model(io_models::table_5_1());
  const std::string text = *format == "text"  ? text_of(values)
                           : *format == "csv" ? csv_of(values)
                                              : json_of(values);
  const int printed = print(text, diagnostics);
  const std::size_t differ = values.size() - equal_ones(values);
  if (printed != exit_done || differ == 0) return printed;
  return diagnostics.fail(
      {make_error(ErrorKind::run, "",
                  fmt::format("{} of {} values differ from Table 5.1", differ, values.size()))});
}

}  // namespace

const Subcommand validate_io{
    .usage = "io",
    .summary = "the model of collective I/O, against printed tables",
    .help =
        "Computes the parameters of the analytic model of the shuffle of two-phase I/O (n_as, "
        "n_s, n_ar, n_r, m_s) for even and static partitioning, 1-D and 2-D decompositions and "
        "144, 225 and 576 processes, and prints them beside the 60 values of Table 5.1 of the "
        "dissertation.",
    .specs = specs,
    .run = run};

}  // namespace tutti::commands
