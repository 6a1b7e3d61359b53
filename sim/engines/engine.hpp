// SPDX-License-Identifier: BSD-3-Clause
// An engine runs one program on every rank of a placed job and gives an Outcome.
#pragma once

#include <optional>
#include <string_view>

#include "platforms/machine.hpp"
#include "platforms/placement.hpp"
#include "sim/engines/outcome.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::engines {

struct Job {
  const platforms::Machine& machine;
  const platforms::Placement& placement;
  runtime::Program program;
  bool count_traffic = false;  // fill Outcome::traffic (costs memory per pair that talks)
};

enum class EngineKind { simgrid, ideal };

std::optional<EngineKind> engine_kind(std::string_view name);
std::vector<std::string> engine_names();
std::string_view engine_name(EngineKind kind);

// `simgrid` may run once per process (SimGrid's engine is one per process): fork first.
Outcome run(EngineKind kind, const Job& job);

}  // namespace tutti::engines
