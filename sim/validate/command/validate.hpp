// SPDX-License-Identifier: BSD-3-Clause
// sim validate SUBCOMMAND: compares Tutti with published results. One file per subcommand.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"

namespace tutti::commands {

extern const Subcommand validate_improvement;
extern const Subcommand validate_io;
extern const Subcommand validate_measured;
extern const Subcommand validate_paper;
extern const Subcommand validate_models;

constexpr OptionSpec parameters_from_option(std::string_view group) {
  return renamed(
      "--parameters",
      {group, "--parameters-from", "SOURCE",
       "Source of the model parameters: platform (default, the platform file), protocol (derived "
       "from its message protocol) or measured (as by `sim run loggp`)"});
}

// Reads --parameters-from into the word that studies::parameters_of expects.
template <class Place>
auto whose_parameters(Place place) {
  return options::choice<std::string>(
      {{"platform", "platform"}, {"protocol", "protocol"}, {"measured", "measured"}}, place);
}

}  // namespace tutti::commands
