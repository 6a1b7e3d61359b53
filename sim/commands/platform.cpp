// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/platform.hpp"

#include <fmt/format.h>

#include "platforms/machine_size.hpp"
#include "platforms/reader.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/shapes.hpp"
#include "sim/options/overrides.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const platform_subcommands[] = {&platform_list,   &platform_show, &platform_check,
                                                  &platform_routes, &platform_draw, &platform_new};

constexpr SubcommandGroup platform_group{
    .command = "platform",
    .help = "Looks at machines. NAME is a SimGrid platform file or a name of the catalog.",
    .subcommands = platform_subcommands};

}  // namespace

Result<platforms::Machine> machine_of(const OptionValues& parsed, const Diagnostics& diagnostics,
                                      std::size_t arguments) {
  if (parsed.arguments.size() != arguments)
    return usage_error("",
                       arguments == 1 ? "one platform is needed, a file or a name"
                                      : "a platform and two nodes are needed",
                       "`sim platform list` names those of the catalog");
  auto overrides = TUTTI_TRY(read_overrides(parsed));
  auto machine = platforms::load_machine(parsed.arguments.front(), overrides);
  if (machine)
    for (const auto& warning : machine->warnings) diagnostics.warning(warning);
  return machine;
}

std::string headline(const platforms::Machine& machine) {
  return fmt::format("{}: {}, {}", printable(machine.name),
                     platforms::describe(platforms::size_of(machine)), machine.topology->kind());
}

const Command platform_command{
    .name = "platform", .summary = "look at machines, and make some", .group = &platform_group};

}  // namespace tutti::commands
