// SPDX-License-Identifier: BSD-3-Clause
// sim run loggp: LogGP parameters, measured.
#include <fmt/format.h>

#include "sim/commands/commands.hpp"
#include "sim/commands/job_run.hpp"
#include "sim/commands/pair_options.hpp"
#include "sim/reports/loggp_report.hpp"

namespace tutti::commands {
namespace {

using studies::LogGPAnswer;
using studies::LogGPPoint;

class LogGPRun : public JobRun<LogGPPoint, LogGPAnswer, reports::LogGPReport> {
 public:
  LogGPRun(const LogGPRequest& request, const platforms::Machine& machine,
           const Diagnostics& diagnostics)
      : JobRun(request, machine, diagnostics), request_(request) {}

 private:
  std::string name_of(const LogGPPoint& point) const override {
    return fmt::format("loggp, {}", studies::path_name(point.job.nodes));
  }
  Result<LogGPAnswer> simulate(const LogGPPoint& point, const PointProgress&) override {
    return studies::run_loggp(point, machine_);
  }
  void take(const LogGPPoint& point, LogGPAnswer answer) override {
    report_.records = std::move(answer.records);
    report_.measured = std::move(answer.measured);
    const auto path = machine_.path(point.job.nodes.from, point.job.nodes.to);
    report_.path_latency_s = path.latency_s;
    report_.path_bandwidth_Bps = path.bandwidth_Bps;
  }
  // Without L or G there is no set to print.
  void write_files() override {
    if (request_.set_as == LogGPRequest::SetAs::none) return;
    const auto loggp = studies::loggp_of(report_.measured);
    if (!loggp) note(loggp.error());
  }
  std::string text(reports::Format format, std::optional<std::size_t> width) const override {
    switch (request_.set_as) {
      case LogGPRequest::SetAs::props:
        return reports::loggp_props(report_);
      case LogGPRequest::SetAs::options:
        return reports::loggp_set_options(report_);
      case LogGPRequest::SetAs::none:
        break;
    }
    return reports::render_loggp(report_, format, width);
  }

  const LogGPRequest& request_;
};

}  // namespace

Result<int> loggp_command(const Arguments& arguments, Diagnostics& diagnostics) {
  const auto parsed = TUTTI_TRY(parse_options(loggp_specs(), arguments, Operands::names));
  if (parsed.has("--help")) return print(loggp_help());
  if (parsed.has("--quiet")) diagnostics.be_quiet();
  const auto request = TUTTI_TRY(read_loggp(parsed));
  const auto machine = TUTTI_TRY(platforms::load_machine(request.platform, request.overrides));
  const auto nodes = TUTTI_TRY(studies::node_pair(machine, request.nodes));
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  const LogGPPoint point{.job = {.nodes = nodes, .engine = request.engine}, .sizes = request.sizes};
  return LogGPRun(request, machine, diagnostics).run({point});
}

}  // namespace tutti::commands
