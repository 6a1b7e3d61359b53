// SPDX-License-Identifier: BSD-3-Clause
// The user's defaults of options: environment variables, and a configuration file in TOML.
#pragma once

#include "sim/base/common.hpp"
#include "sim/options/option_values.hpp"

namespace tutti::commands {

// Path of the configuration file: $SIM_CONFIG, else $XDG_CONFIG_HOME/tutti/config.toml, else
// ~/.config/tutti/config.toml. Empty if none of these variables is set, or SIM_CONFIG is empty.
std::string config_file();

// Sets the options of `specs` that were not given and have a default. The option's environment
// variable (OptionSpec::variable) takes precedence over the configuration file. The key of an
// option in that file is its name ("platform"). Errors: a file that cannot be read, is not TOML, or
// has other keys.
std::optional<Error> add_defaults(std::span<const options::OptionSpec> specs,
                                  options::OptionValues& parsed);

}  // namespace tutti::commands
