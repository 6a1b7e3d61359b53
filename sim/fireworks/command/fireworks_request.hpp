// SPDX-License-Identifier: BSD-3-Clause
// The subcommands of `sim fireworks`, and what they share: costs, the exchange that these are for,
// and how reports are written.
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
inline constexpr std::string_view costs = "What messages cost";
inline constexpr std::string_view exchange = "What is exchanged";
inline constexpr options::AxisKind seed_axis{parse_integer, 0, INT64_MAX};
}  // namespace fireworks_option

struct FireworksRequest : JobRequest, studies::fireworks::ExchangeSpec {
  std::string model_path;
  int jobs = default_jobs();
  std::optional<PictureOutput> plot;
  DocumentOutput document;
};

// What subcommands with costs have, in the order of their help; their own stand between.
options::OptionTable<FireworksRequest> cost_options();
options::OptionTable<FireworksRequest> exchange_options();
// `parts`: the report's tables.
options::OptionTable<FireworksRequest> fireworks_output_options(
    std::vector<std::string> (*parts)());

// Whose messages are simulated. Errors tell where a platform came from that the command line does
// not name.
Result<platforms::Machine> named_machine(const FireworksRequest& request,
                                         const OptionValues& parsed);
// Warns of the machine, also where it is not the one whose messages were measured.
void warn_of_machine(const FireworksRequest& request, const platforms::Machine& machine,
                     const Diagnostics& diagnostics);

// The machine of a study of exchanges, which it has room for.
template <class Request>
Result<platforms::Machine> machine_of(const Request& request, const OptionValues& parsed,
                                      const Diagnostics& diagnostics) {
  auto machine = TUTTI_TRY(named_machine(request, parsed));
  if (const auto errors = errors_in(request, request, machine); !errors.empty())
    return parsed.placed(errors);
  warn_of_machine(request, machine, diagnostics);
  return machine;
}

// Prints and draws what was found. The exit code.
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
