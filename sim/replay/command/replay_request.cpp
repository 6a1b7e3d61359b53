// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/command/replay_request.hpp"

namespace tutti::commands {

Result<ReplayModel> make_model(const ReplayRequest& request, std::size_t ranks,
                               const Diagnostics& diagnostics) {
  auto model = TUTTI_TRY(ReplayModel::make(request.model, ranks));
  for (const auto& warning : model.warnings()) diagnostics.warning(warning);
  return model;
}

void ReplayReading::read_report(const std::vector<std::string>& parts) {
  if (auto outputs = report_outputs(parsed_, parts))
    request_of_all_.outputs = *std::move(outputs);
  else
    add(outputs.errors());
}

void ReplayReading::set_command(const std::string& command, std::span<const OptionSpec> specs) {
  request_of_all_.command = command;
  for (const auto& trace : request_of_all_.traces)
    request_of_all_.command += ' ' + shell_quoted(trace.path);
  request_of_all_.command += reproducing_options(specs, parsed_);
}

}  // namespace tutti::commands
