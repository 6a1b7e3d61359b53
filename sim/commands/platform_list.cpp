// SPDX-License-Identifier: BSD-3-Clause
// sim platform list: the machines of the catalog.
#include <fmt/format.h>

#include <algorithm>

#include "platforms/machine_size.hpp"
#include "platforms/reader.hpp"
#include "sim/base/quote.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/platform.hpp"
#include "sim/reports/head_json.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::commands {
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
