// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/command/validate.hpp"

#include "io_models/two_phase_model.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/validate/report/reports.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const validate_subcommands[] = {&validate_measured, &validate_models,
                                                  &validate_io};

}  // namespace

extern const Command validate_command{
    .name = "validate",
    .summary = "compare predictions with measurements and models",
    .help =
        "Compares simulations with measured collectives and with the formulas of collectives, and "
        "the formula of collective I/O with its published values.",
    .subcommands = validate_subcommands};

// sim validate io: compares the analytic model of collective I/O with a table of Jha's
// dissertation.

namespace {

constexpr OptionSpec validate_io_specs[] = {
    options::taking(
        "5.1", {option_group, "--table", "NUMBER", "Table of the dissertation: 5.1 (default)"}),
    document_format,
    taking(reports::io_parameter_parts, part_option),
    job_option::output_file,
    job_option::provenance,
    job_option::color,
    job_option::quiet,
    job_option::help};

Result<int> run_validate_io(const OptionValues& parsed, const Diagnostics&) {
  if (auto error = unexpected_argument(parsed, "select the table with --table")) return *error;
  const auto output = TUTTI_TRY(document_output(parsed, reports::io_parameter_parts()));
  TUTTI_TRY(read_choice(parsed, "--table", {"5.1"}));
  const auto values = io_models::compare_with_model(io_models::table_5_1());
  auto document = reports::io_parameter_document(values);
  document.provenance =
      reports::plain_provenance("sim validate io" + reproducing_options(validate_io_specs, parsed));
  TUTTI_TRY(write_document(document, output));
  const auto differ = std::ranges::count_if(values, [](const auto& value) { return !value.equal; });
  if (differ == 0) return exit_done;
  return make_error(ErrorKind::check, "",
                    fmt::format("{} of {} values differ from Table 5.1", differ, values.size()));
}

}  // namespace

const Subcommand validate_io{
    .usage = "io",
    .summary = "check the analytic model of collective I/O",
    .help =
        "Computes the parameters of the analytic model of the shuffle phase of two-phase I/O "
        "(n_as, n_s, n_ar, n_r, m_s) and compares them with the 60 values of Table 5.1 of Jha's "
        "dissertation.",
    .specs = validate_io_specs,
    .run = run_validate_io};

}  // namespace tutti::commands
