// SPDX-License-Identifier: BSD-3-Clause
// sim run pingpong: messages between two nodes.
#include "sim/commands/commands.hpp"
#include "sim/commands/job_run.hpp"
#include "sim/commands/pair_options.hpp"
#include "sim/commands/point_names.hpp"
#include "sim/reports/ping_pong_report.hpp"

namespace tutti::commands {
namespace {

using studies::PingPongAnswer;
using studies::PingPongPoint;

class PingPongRun : public JobRun<PingPongPoint, PingPongAnswer, reports::PingPongReport> {
 public:
  using JobRun::JobRun;

 private:
  std::string name_of(const PingPongPoint& point) const override {
    return commands::name_of(point);
  }
  Result<PingPongAnswer> simulate(const PingPongPoint& point, const PointProgress&) override {
    return studies::run_ping_pong(point, machine_);
  }
  void take(const PingPongPoint&, PingPongAnswer answer) override {
    report_.records.push_back(std::move(answer.record));
  }
  void write_files() override {}
  std::string text(reports::Format format, std::optional<std::size_t> width) const override {
    return reports::render_ping_pong(report_, format, width);
  }
};

}  // namespace

Result<int> ping_pong_command(const Arguments& arguments, Diagnostics& diagnostics) {
  const auto parsed = TUTTI_TRY(parse_options(ping_pong_specs(), arguments, Operands::names));
  if (parsed.has("--help")) return print(ping_pong_help());
  if (parsed.has("--quiet")) diagnostics.be_quiet();
  const auto request = TUTTI_TRY(read_ping_pong(parsed));
  const auto machine = TUTTI_TRY(platforms::load_machine(request.platform, request.overrides));
  const auto points = TUTTI_TRY(studies::ping_pong_points_of(request.sweep, machine));
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  return PingPongRun(request, machine, diagnostics).run(points);
}

}  // namespace tutti::commands
