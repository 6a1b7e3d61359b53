// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/platform.hpp"
namespace tutti::commands {
const PlatformSubcommand platform_show{
    .usage = "show", .summary = "", .help = "", .specs = {}, .run = nullptr};
}
