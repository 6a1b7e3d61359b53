// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/platform.hpp"

#include "platforms/placement.hpp"
#include "platforms/reader.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/platform.help.hpp"
#include "sim/commands/progress.hpp"
#include "sim/jobs/memory_estimate.hpp"
#include "sim/options/option_reader.hpp"
#include "sim/reports/listings/listings.hpp"
#include "sim/reports/machine_picture.hpp"
#include "sim/studies/background_jobs.hpp"

namespace tutti::commands {

Result<platforms::Machine> load_named_machine(const OptionValues& parsed,
                                              const Diagnostics& diagnostics,
                                              std::size_t arguments) {
  if (parsed.arguments.size() != arguments)
    return usage_error("",
                       arguments == 1 ? "expected one platform: a file or a name"
                                      : "expected a platform and two nodes",
                       "`sim platform list` lists the catalog");
  auto overrides = TUTTI_TRY(read_overrides(parsed));
  auto machine = studies::load_machine({parsed.arguments.front(), overrides});
  if (machine)
    for (const auto& warning : machine->warnings) diagnostics.warning(warning);
  return machine;
}

namespace {

// sim platform show: a description of a machine, with the source of each number.

constexpr auto platform_show_specs = listing_specs(set_option);

Result<int> run_platform_show(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto machine = TUTTI_TRY(load_named_machine(parsed, diagnostics));
  return write_document(reports::machine_listing(machine), parsed);
}

const Subcommand platform_show{.usage = "show NAME",
                               .summary = "describe a machine and the source of its numbers",
                               .help = texts::platform["show"],
                               .specs = platform_show_specs,
                               .run = run_platform_show,
                               .words = platform_names};

// sim platform draw: a figure of a machine.

constexpr OptionSpec platform_draw_specs[] = {
    {option_group, "--all-nodes", "", "Draw each node of a large machine"},
    written({option_group, "-o,--output", "FILE",
             "Write the SVG to this file; default: standard output"}),
    color_option,
    quiet_option,
    help_option};

Result<int> run_platform_draw(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto machine = TUTTI_TRY(load_named_machine(parsed, diagnostics));
  const auto svg = TUTTI_TRY(reports::machine_picture(machine, parsed.has("--all-nodes")));
  return write_result(parsed, svg);
}

const Subcommand platform_draw{.usage = "draw NAME",
                               .summary = "draw the network (SVG)",
                               .help = texts::platform["draw"],
                               .specs = platform_draw_specs,
                               .run = run_platform_draw,
                               .words = platform_names};

// sim platform list: the machines of the catalog.

constexpr auto platform_list_specs = listing_specs();

Result<int> run_platform_list(const OptionValues& parsed, const Diagnostics&) {
  return write_document(TUTTI_TRY(reports::catalog_listing()), parsed);
}

const Subcommand platform_list{.usage = "list",
                               .summary = "list the machines of the catalog",
                               .help = texts::platform["list"],
                               .specs = platform_list_specs,
                               .run = run_platform_list};

// sim platform routes: the links between two nodes, in both directions.

constexpr auto platform_routes_specs = listing_specs(
    OptionSpec{option_group, "--all-paths", "",
               "Also print the first shortest paths and detours from A to B, and their numbers"},
    set_option);

void warn_of_long(const std::vector<reports::Route>& routes, const Diagnostics& diagnostics) {
  for (const auto& route : routes)
    if (route.links.size() > reports::Route::most_listed)
      diagnostics.warning(fmt::format("{} -> {}: only the first {} of {} links are listed",
                                      printable(route.from_name()), printable(route.to_name()),
                                      reports::Route::most_listed, route.links.size()));
}

Result<int> run_platform_routes(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto output = TUTTI_TRY(document_output(parsed, {"links"}));
  const auto machine = TUTTI_TRY(load_named_machine(parsed, diagnostics, 3));
  const auto from = TUTTI_TRY(platforms::find_node(machine, parsed.arguments[1]));
  const auto to = TUTTI_TRY(platforms::find_node(machine, parsed.arguments[2]));
  const bool text_columns =
      output.format == reports::Format::text || output.format == reports::Format::md;
  const auto write = [&](const auto& routes, auto json, auto listing) -> Result<int> {
    if (output.format != reports::Format::json)
      return write_document(listing(routes, text_columns), parsed);
    return done_unless(write_report(output.path, json(routes)));
  };
  if (parsed.has("--all-paths") && from != to) {
    const auto alternatives = reports::alternatives_of(machine, from, to);
    if (!text_columns) warn_of_long(alternatives.routes, diagnostics);
    return write(alternatives, reports::alternatives_json, reports::alternatives_listing);
  }
  std::vector routes{reports::route_of(machine, from, to)};
  if (from != to) routes.push_back(reports::route_of(machine, to, from));
  if (!text_columns) warn_of_long(routes, diagnostics);
  return write(routes, reports::routes_json, reports::routes_listing);
}

const Subcommand platform_routes{.usage = "routes NAME A B",
                                 .summary = "print the links between two nodes",
                                 .help = texts::platform["routes"],
                                 .specs = platform_routes_specs,
                                 .run = run_platform_routes,
                                 .words = platform_names};

const Subcommand* const platform_subcommands[] = {
    &platform_list, &platform_show, &platform_check,     &platform_routes,
    &platform_draw, &platform_new,  &platform_from_slurm};

}  // namespace

extern const Command platform_command{
    .name = "platform",
    .summary = "inspect and create machines",
    .help =
        "Inspects and creates machines. NAME is a SimGrid platform file or a name of the catalog.",
    .subcommands = platform_subcommands};

}  // namespace tutti::commands
