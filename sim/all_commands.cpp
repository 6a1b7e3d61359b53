// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/command_list.hpp"

namespace tutti::commands {

const std::vector<Command>& all_commands() {
#define TUTTI_LISTED(name) name##_command,
  static const std::vector<Command> all{TUTTI_COMMANDS(TUTTI_LISTED)};
#undef TUTTI_LISTED
  return all;
}

}  // namespace tutti::commands
