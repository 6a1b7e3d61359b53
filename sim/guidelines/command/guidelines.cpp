// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/command/guidelines.hpp"

#include "sim/commands/shapes.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const guidelines_subcommands[] = {&guidelines_check, &guidelines_tune};

constexpr SubcommandGroup guidelines_group{
    .command = "guidelines",
    .help =
        "Is a collective slower than what can be built from others? Performance guidelines "
        "and mock-ups of PGMPITuneLib.",
    .subcommands = guidelines_subcommands};

}  // namespace

extern const Command guidelines_command{.name = "guidelines",
                                        .summary = "collectives beside their mock-ups",
                                        .group = &guidelines_group};

}  // namespace tutti::commands
