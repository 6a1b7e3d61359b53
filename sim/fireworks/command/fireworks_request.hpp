// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `sim fireworks` and what they share: the options for costs and for the
// exchange, and the output of reports.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/fireworks/exchange_study.hpp"
#include "sim/options/shared_options.hpp"

namespace tutti::commands {

extern const Subcommand fireworks_measure;
extern const Subcommand fireworks_predict;
extern const Subcommand fireworks_check;

namespace fireworks_option {
inline constexpr std::string_view costs = "Message costs";
inline constexpr std::string_view exchange = "Data exchange";
inline constexpr options::AxisKind seed_axis{parse_integer, 0, INT64_MAX};
}  // namespace fireworks_option

struct FireworksRequest : JobRequest, studies::fireworks::ExchangeSpec {
  std::string model_path;
  int jobs = default_jobs();
  std::optional<PictureOutput> plot;
  DocumentOutput document;
};

// Options of the subcommands that use costs, in the order of the help. The subcommands' own options
// come between these tables.
options::OptionTable<FireworksRequest> cost_options();
options::OptionTable<FireworksRequest> exchange_options();
// `parts` returns the names of the report's tables.
options::OptionTable<FireworksRequest> fireworks_output_options(
    std::vector<std::string> (*parts)());

// The machine of a study of exchanges. Prints its warnings, and one if the costs were measured on a
// different machine. Errors: of the platform, whose hint names the cost file if that names the
// platform; and those of the study, if it does not fit on the machine.
Result<platforms::Machine> load_exchange_machine(
    const FireworksRequest& request, const OptionValues& parsed, const Diagnostics& diagnostics,
    const std::function<std::vector<Error>(const platforms::Machine&)>& errors_of_study);

// Writes the report and the plot. Returns the exit code.
template <class Report, class Request, class Picture>
Result<int> write_fireworks(Report report, const Request& request,
                            const platforms::Machine& machine,
                            reports::Document (*document)(const Report&),
                            Picture (*picture)(const Report&)) {
  begin_report(report, request, machine, report.run);
  TUTTI_TRY(write_document(document(report), request.document));
  TUTTI_TRY(write_plot([&] { return draw(picture(report)); }, report, request.plot));
  return report.run.code;
}

}  // namespace tutti::commands
