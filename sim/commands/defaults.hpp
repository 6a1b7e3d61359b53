// SPDX-License-Identifier: BSD-3-Clause
// Defaults of the user: environment variables, and a configuration file in TOML.
#pragma once

#include "sim/base/common.hpp"
#include "sim/options/option_values.hpp"

namespace tutti::commands {

// The file: $SIM_CONFIG, else $XDG_CONFIG_HOME/tutti/config.toml, else ~/.config/tutti/config.toml.
// Empty: none of them is set, or SIM_CONFIG is empty.
std::string config_file();

// Sets the options of `specs` that were not given and have a default: first that of the option's
// environment variable (OptionSpec::variable), then that of the configuration file, where its key
// is the option's ("platform"). Errors: a file that cannot be read, is not TOML, or has other keys.
std::optional<Error> add_defaults(std::span<const options::OptionSpec> specs,
                                  options::OptionValues& parsed);

}  // namespace tutti::commands
