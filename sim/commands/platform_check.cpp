// SPDX-License-Identifier: BSD-3-Clause
// sim platform check: is the file right, and are our routes SimGrid's?

#include "platforms/analysis/distances.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/platform.hpp"
#include "sim/commands/progress.hpp"
#include "sim/engines/engine.hpp"
#include "sim/reports/cell_json.hpp"
#include "sim/reports/wrap.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "sim/studies/route_check.hpp"

namespace tutti::commands {
namespace {

using Json = nlohmann::ordered_json;
using studies::RouteCheck;
using studies::RouteCheckRequest;

constexpr OptionSpec platform_check_specs[] = {
    {option_group, "--pairs", "COUNT",
     "compare at most so many pairs of nodes; default: 100000. Where there are more, a sample"},
    {option_group, "--seed", "NUMBER", "of the sample; default: 1"},
    {option_group, "--force", "", "check although the memory seems too small"},
    text_json_option,
    color_option,
    quiet_option,
    help_option};

struct Checked {
  const platforms::Machine& machine;
  std::string unconnected;  // a sentence; empty: every node reaches every other
  std::optional<RouteCheck> routes;

  // SimGrid reads the torus that is folded.
  bool has_own_network() const { return machine.topology->kind() == "folded torus"; }
  bool good() const {
    return unconnected.empty() && (has_own_network() || (routes && routes->differences == 0));
  }
};

std::optional<Error> read_count(const OptionValues& parsed, std::string_view name,
                                std::int64_t least, std::uint64_t& value) {
  if (!parsed.has(name)) return std::nullopt;
  const auto number = parse_integer(parsed.value(name));
  if (!number) return usage_error(std::string(name), number.error().message, number.error().hint);
  if (*number < least)
    return usage_error(std::string(name), fmt::format("{} is below {}", *number, least));
  value = static_cast<std::uint64_t>(*number);
  return std::nullopt;
}

Result<RouteCheckRequest> read_request(const OptionValues& parsed) {
  RouteCheckRequest request;
  if (auto error = read_count(parsed, "--pairs", 1, request.most_pairs)) return *error;
  if (auto error = read_count(parsed, "--seed", 0, request.seed)) return *error;
  return request;
}

std::string check_paragraph(std::string_view label, std::string_view text) {
  return reports::paragraph(text, 10, label);
}

std::string routes_text(const RouteCheck& check, const RouteCheckRequest& request) {
  std::string which = check.pairs == 1 ? "1 pair" : fmt::format("{} pairs", check.pairs);
  which = check.all_pairs && check.pairs > 1 ? fmt::format("all {} of nodes", which)
                                             : fmt::format("{} of nodes", which);
  if (!check.all_pairs) which += fmt::format(", a sample (seed {})", request.seed);
  std::string told = fmt::format("{}, {} links", which, check.links);
  if (check.renamed > 0) told += fmt::format(" ({} have other names in SimGrid)", check.renamed);
  told += check.differences == 0
              ? fmt::format(": links, latencies and bandwidths are those of SimGrid {}",
                            engines::simgrid_version())
              : fmt::format(": {} differ from SimGrid {}", check.differences,
                            engines::simgrid_version());
  std::string text = check_paragraph("routes", told);
  if (check.reordered > 0)
    text += check_paragraph(
        "", fmt::format("SimGrid names the links of {} pairs in another order.", check.reordered));
  text += check_paragraph(
      "", check.same_host_left_out.empty()
              ? "Routes from a node to itself through the network are among them."
              : "Routes from a node to itself are left out: " + check.same_host_left_out + ".");
  for (const auto& each : check.first_told) text += check_paragraph("", "- " + each);
  if (check.differences > check.first_told.size())
    text += check_paragraph(
        "", fmt::format("- ... and {} more pairs", check.differences - check.first_told.size()));
  return text;
}

std::string text_of(const Checked& checked, const RouteCheckRequest& request) {
  std::string text = headline(checked.machine) + '\n';
  text += check_paragraph("file",
                          printable(checked.machine.file) + ": well-formed, all values accepted");
  text += check_paragraph("network", checked.unconnected.empty() ? "every node reaches every other"
                                                                 : checked.unconnected);
  if (checked.routes) text += routes_text(*checked.routes, request);
  if (checked.has_own_network())
    text += check_paragraph("routes",
                            "not compared: SimGrid has no torus on more axes (torus/network_axes)");
  return text;
}

std::string json_of(const Checked& checked, const RouteCheckRequest& request) {
  Json json{{"schema", "sim.platform_check/1"},
            {"platform", checked.machine.name},
            {"file", checked.machine.file},
            {"hash", checked.machine.content_hash},
            {"hosts", checked.machine.host_count()},
            {"good", checked.good()},
            {"connected", checked.unconnected.empty()},
            {"simgrid_version", engines::simgrid_version()},
            {"routes", nullptr}};
  if (checked.routes) {
    const auto& routes = *checked.routes;
    json["routes"] = {{"pairs", routes.pairs},
                      {"all_pairs", routes.all_pairs},
                      {"seed", request.seed},
                      {"links", routes.links},
                      {"renamed_links", routes.renamed},
                      {"reordered_pairs", routes.reordered},
                      {"same_node_left_out", routes.same_host_left_out},
                      {"differences", routes.differences},
                      {"first_differences", routes.first_told}};
  }
  return reports::dumped(json, 2);
}

std::string unconnected_sentence(const platforms::Topology& topology) {
  const auto pair = platforms::unconnected_hosts(topology.graph());
  if (!pair) return {};
  return fmt::format("{} does not reach {}", printable(topology.host_name(pair->first)),
                     printable(topology.host_name(pair->second)));
}

Result<RouteCheck> compare(const platforms::Machine& machine, const RouteCheckRequest& request,
                           const Diagnostics& diagnostics) {
  const std::uint64_t pairs = studies::pairs_to_check(machine, request);
  Progress progress(std::max<std::uint64_t>(pairs, 1), diagnostics.quiet(), "pairs");
  return studies::check_routes(machine, request, [&](std::uint64_t done) {
    progress.show(
        std::min(done, pairs), 0,
        done == 0 ? "SimGrid reads the file (minutes for 10,000s of nodes)" : "compares routes");
  });
}

std::optional<Error> memory_error(const OptionValues& parsed, const platforms::Machine& machine,
                                  const RouteCheckRequest& request) {
  const auto free_bytes = studies::free_memory();
  if (parsed.has("--force") || !free_bytes) return std::nullopt;
  return studies::check_memory(machine, request, *free_bytes);
}

Result<int> run_platform_check(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto format = TUTTI_TRY(choice_of(parsed, "--format", {"text", "json"}));
  const auto request = TUTTI_TRY(read_request(parsed));
  const auto machine = TUTTI_TRY(machine_of(parsed, diagnostics));
  if (const auto error = memory_error(parsed, machine, request)) return *error;
  Checked checked{machine, unconnected_sentence(*machine.topology), {}};
  std::vector<Error> errors;
  if (checked.unconnected.empty() && !checked.has_own_network()) {
    checked.routes = TUTTI_TRY(compare(machine, request, diagnostics));
  }
  TUTTI_TRY(print(format == "json" ? json_of(checked, request) : text_of(checked, request)));
  return checked.good() ? exit_done : exit_points_failed;
}

}  // namespace

const Subcommand platform_check{
    .usage = "check NAME",
    .summary = "is the file right, and are its routes SimGrid's?",
    .help =
        "Validates the file, looks whether every node reaches every other, and compares our "
        "routes with those that SimGrid finds in the same file: links in order, latencies, "
        "bandwidths, sharing. Exit code 1 if any differs. A machine of 10,000s of nodes takes "
        "SimGrid a minute; one that needs more memory than is free is rejected.",
    .specs = platform_check_specs,
    .run = run_platform_check,
    .words = options::platform_names};

}  // namespace tutti::commands
