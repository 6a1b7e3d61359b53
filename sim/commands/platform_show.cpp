// SPDX-License-Identifier: BSD-3-Clause
// sim platform show: what a machine is made of, and where each number comes from.
#include <fmt/format.h>

#include "sim/commands/commands.hpp"
#include "sim/commands/platform.hpp"
#include "sim/commands/platform_facts.hpp"

namespace tutti::commands {
namespace {

constexpr OptionSpec platform_show_specs[] = {set_option, text_json_option, color_option,
                                              quiet_option, help_option};

Result<int> run_platform_show(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto format = TUTTI_TRY(choice_of(parsed, "--format", {"text", "json"}));
  const auto machine = TUTTI_TRY(machine_of(parsed, diagnostics));
  const PlatformFacts facts = facts_of(machine);
  return print(format == "json" ? facts_json(facts) : facts_text(facts));
}

}  // namespace

const Subcommand platform_show{
    .usage = "show NAME",
    .summary = "what it is made of, and where the numbers come from",
    .help =
        "Prints nodes, topology, diameter, links, bisection bandwidth, how messages travel and "
        "the parameters of the analytic models; and for each parameter whether the file, --set "
        "or a default gives it.",
    .specs = platform_show_specs,
    .run = run_platform_show};

}  // namespace tutti::commands
