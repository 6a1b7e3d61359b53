// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/platform.hpp"

#include "platforms/reader.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/platform_facts.hpp"
#include "sim/options/option_reader.hpp"
#include "sim/reports/cell_json.hpp"
#include "sim/reports/machine_picture.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const platform_subcommands[] = {&platform_list,   &platform_show, &platform_check,
                                                  &platform_routes, &platform_draw, &platform_new};

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

extern const Command platform_command{
    .name = "platform",
    .summary = "look at machines, and make some",
    .help = "Looks at machines. NAME is a SimGrid platform file or a name of the catalog.",
    .subcommands = platform_subcommands};

// sim platform show: what a machine is made of, and where each number comes from.

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
        "Prints nodes, topology, diameter, links, bisection bandwidth, how messages travel and the "
        "parameters of the analytic models; and for each parameter whether the file, --set or a "
        "default gives it.",
    .specs = platform_show_specs,
    .run = run_platform_show,
    .words = options::platform_names};

// sim platform draw: a picture of a machine.

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
        "Draws nodes, switches and cables of machines of up to a few thousand nodes: a fat tree in "
        "layers, a torus as a grid (cables that go around are cut), a dragonfly as groups on a "
        "circle, a flat cluster as a star. The legend tells the cables' bandwidth and latency, and "
        "how many are parallel. Names show under the mouse.",
    .specs = platform_draw_specs,
    .run = run_platform_draw,
    .words = options::platform_names};

// sim platform list: the machines of the catalog.

namespace {

using Json = nlohmann::ordered_json;

constexpr OptionSpec platform_list_specs[] = {text_json_option, color_option, quiet_option,
                                              help_option};

// A file of the catalog, and the machine or what is wrong with it.
struct Listed {
  platforms::CatalogEntry entry;
  Result<platforms::Machine> machine;
};

std::string description_of(const Listed& listed) {
  if (listed.machine) return listed.machine->info("description");
  const Error& error = listed.machine.error();
  return error.line > 0 ? fmt::format("error in line {}: {}", error.line, error.message)
                        : fmt::format("error: {}", error.message);
}

// Of each node: "48", "8-32".
std::string cores_of(const platforms::Machine& machine) {
  const auto size = platforms::size_of(machine);
  return size.is_even() ? fmt::format("{}", size.most_cores)
                        : fmt::format("{}-{}", size.least_cores, size.most_cores);
}

std::string text_of(const std::vector<Listed>& all) {
  std::size_t width = 4;
  for (const auto& each : all) width = std::max(width, printable(each.entry.name).size());
  std::string text =
      fmt::format("{:<{}} {:>8} {:>6}  {}\n", "name", width, "nodes", "cores", "topology");
  for (const auto& each : all) {
    text += fmt::format("{:<{}}", printable(each.entry.name), width);
    text += each.machine ? fmt::format(" {:>8} {:>6}  {}\n", each.machine->host_count(),
                                       cores_of(*each.machine), each.machine->topology->kind())
                         : fmt::format(" {:>8} {:>6}  -\n", "-", "-");
    text += reports::paragraph(printable(description_of(each)), 4);
  }
  return text;
}

Json json_of(const Listed& each) {
  Json row{{"name", each.entry.name}, {"file", each.entry.path}};
  if (!each.machine) {
    row["error"] = description_of(each);
    return row;
  }
  const auto& machine = *each.machine;
  row["hosts"] = machine.host_count();
  row["cores_per_host"] = machine.cores_per_host;
  row["cores"] = platforms::size_of(machine).cores;
  row["kind"] = machine.topology->kind();
  row["description"] = description_of(each);
  row["hash"] = machine.content_hash;
  return row;
}

Result<int> run_platform_list(const OptionValues& parsed, const Diagnostics&) {
  const auto format = TUTTI_TRY(choice_of(parsed, "--format", {"text", "json"}));
  const auto text = TUTTI_TRY(platforms_listing(format == "json"));
  return print(text);
}

}  // namespace

Result<std::string> platforms_listing(bool json) {
  const auto entries = TUTTI_TRY(platforms::catalog());
  std::vector<Listed> all;
  for (const auto& entry : entries) all.push_back({entry, platforms::load_machine(entry.path)});
  if (!json) return text_of(all);
  Json rows = Json::array();
  for (const auto& each : all) rows.push_back(json_of(each));
  return reports::dumped({{"schema", "sim.platforms/1"}, {"platforms", rows}}, 2);
}

const Subcommand platform_list{
    .usage = "list",
    .summary = "the machines of the catalog",
    .help =
        "Lists the machines of the catalog: nodes, cores of each, topology, and what it is. A "
        "file that cannot be read is listed with its error.",
    .specs = platform_list_specs,
    .run = run_platform_list};

}  // namespace tutti::commands
