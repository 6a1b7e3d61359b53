// SPDX-License-Identifier: BSD-3-Clause
// sim validate io: the analytic model of collective I/O beside the dissertation's tables, and, with
// --cases, beside the simulation.
#include <fmt/format.h>

#include <algorithm>

#include "io_models/published_parameters.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/commands/document_output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/validate/command/validate.hpp"
#include "sim/validate/command/validate_io_cases.hpp"
#include "sim/validate/report/io_parameters.hpp"

namespace tutti::commands {
namespace {

const std::vector<OptionSpec>& validate_io_specs() {
  static const std::vector<OptionSpec> all = [] {
    std::vector<OptionSpec> rows{
        {option_group, "--table", "NUMBER", "table of the dissertation: 5.1 (default)"},
        {option_group, "--cases", "",
         "Tables 5.3 to 5.5: simulates points (576, in about a minute on two cores), and "
         "compares how model and simulation change from one to the next"}};
    std::ranges::copy(io_cases_specs(), std::back_inserter(rows));
    rows.insert(rows.end(), {document_format, part_option, job_option::output_file,
                             job_option::color, job_option::quiet, job_option::help});
    return rows;
  }();
  return all;
}

std::optional<Error> idle_option(const OptionValues& parsed) {
  for (const auto& spec : io_cases_specs())
    if (parsed.has(spec.name()))
      return usage_error(parsed.typed(spec.name()), "is for the simulated points",
                         "add --cases, or leave it out");
  return std::nullopt;
}

Result<int> validate_parameters(const OptionValues& parsed) {
  if (const auto error = idle_option(parsed)) return *error;
  if (auto error = unexpected_argument(parsed, "the table is named by --table")) return *error;
  const auto output = TUTTI_TRY(document_output(parsed, reports::io_parameter_parts()));
  const auto table = TUTTI_TRY(choice_of(parsed, "--table", {"5.1"}));
  const auto values = io_models::compare_with_model(io_models::table_5_1());
  auto document = reports::io_parameter_document(values);
  document.provenance = reports::plain_provenance("sim validate io" +
                                                  reproducing_options(validate_io_specs(), parsed));
  const int written = TUTTI_TRY(write_document(document, output));
  const auto differ = std::ranges::count_if(values, [](const auto& value) { return !value.equal; });
  if (written != exit_done || differ == 0) return written;
  return make_error(ErrorKind::run, "",
                    fmt::format("{} of {} values differ from Table 5.1", differ, values.size()));
}

Result<int> run_validate_io(const OptionValues& parsed, const Diagnostics& diagnostics) {
  if (!parsed.has("--cases")) return validate_parameters(parsed);
  if (parsed.has("--table"))
    return usage_error(parsed.typed("--table"), "is not for --cases", "leave one of the two out");
  return validate_io_cases(parsed, validate_io_specs(), diagnostics);
}

}  // namespace

const Subcommand validate_io{
    .usage = "io",
    .summary = "the model of collective I/O: tables and tendencies",
    .help =
        "Computes the parameters of the analytic model of the shuffle of two-phase I/O (n_as, "
        "n_s, n_ar, n_r, m_s) and prints them beside the 60 values of Table 5.1 of the "
        "dissertation. With --cases: does the model move as the simulation (engine flow) does, "
        "where the data of a process, the number of aggregators or that of processes change? "
        "Beside "
        "Tables 5.3 to 5.5, which compare the model with measurements.",
    .specs = validate_io_specs(),
    .run = run_validate_io};

}  // namespace tutti::commands
