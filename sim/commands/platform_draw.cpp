// SPDX-License-Identifier: BSD-3-Clause
// sim platform draw: a picture of a machine.
#include "sim/commands/commands.hpp"
#include "sim/commands/platform.hpp"
#include "sim/reports/machine_picture.hpp"

namespace tutti::commands {
namespace {

constexpr OptionSpec platform_draw_specs[] = {
    written({option_group, "-o,--output", "FILE", "write the SVG there; default: standard output"}),
    color_option, quiet_option, help_option};

Result<int> run_platform_draw(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto machine = TUTTI_TRY(machine_of(parsed, diagnostics));
  const auto svg = TUTTI_TRY(reports::machine_picture(machine));
  return write_result(parsed, svg);
}

}  // namespace

const Subcommand platform_draw{
    .usage = "draw NAME",
    .summary = "a picture of the network (SVG)",
    .help =
        "Draws nodes, switches and cables of machines of up to a few thousand nodes: a fat tree "
        "in layers, a torus as a grid (cables that go around are cut), a dragonfly as groups on "
        "a circle, a flat cluster as a star. The legend tells the cables' bandwidth and latency, "
        "and how many are parallel. Names show under the mouse.",
    .specs = platform_draw_specs,
    .run = run_platform_draw};

}  // namespace tutti::commands
