// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/command/replay_request.hpp"

namespace tutti::commands {

Result<ReplayModel> make_model(const ReplayRequest& request, std::size_t ranks,
                               const Diagnostics& diagnostics) {
  auto model = TUTTI_TRY(ReplayModel::make(request.model, ranks));
  for (const auto& warning : model.warnings()) diagnostics.warning(warning);
  return model;
}

}  // namespace tutti::commands
