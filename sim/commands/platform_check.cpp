// SPDX-License-Identifier: BSD-3-Clause
// sim platform check: validates the file and compares its routes with SimGrid's.
#include "platforms/analysis/distances.hpp"
#include "platforms/topology_description.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/platform.help.hpp"
#include "sim/commands/platform.hpp"
#include "sim/commands/progress.hpp"
#include "sim/commands/route_check.hpp"
#include "sim/jobs/memory_estimate.hpp"
#include "sim/options/option_reader.hpp"
#include "sim/reports/listings/listings.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view differences_part = "routes.first_differences";

// A machine read from a file, and the comparison of its routes with SimGrid's routes.
struct CheckedMachine {
  const platforms::Machine& machine;
  RouteCheckRequest request;
  std::string unconnected{};  // a sentence; empty if every node reaches every other
  std::optional<RouteCheck> routes{};

  // What SimGrid does not support of the network, so that its routes differ or do not exist:
  // "torus/network_axes", "topology HYPERX"; empty if it supports all.
  std::string own_network() const;
  bool has_own_network() const { return !own_network().empty(); }
  bool good() const {
    return unconnected.empty() && (has_own_network() || (routes && routes->differences == 0));
  }
};

std::string CheckedMachine::own_network() const {
  if (auto unlike = machine.topology->describe().unlike_simgrid; !unlike.empty()) return unlike;
  for (const auto& setting : machine.given)
    for (const auto* folder : {"link/", "backbone/", "torus/"})
      if (setting.key.starts_with(folder)) return setting.key;
  return {};
}

std::string compared_text(const CheckedMachine& checked) {
  const auto& check = *checked.routes;
  std::string text = counted(check.pairs, "pair") + " of nodes";
  if (check.all_pairs && check.pairs > 1) text.insert(0, "all ");
  if (!check.all_pairs) text += fmt::format(", a sample (seed {})", checked.request.seed);
  text += fmt::format(", {} links", check.links);
  if (check.renamed > 0) text += fmt::format(" ({} have other names in SimGrid)", check.renamed);
  return text +
         (check.differences == 0 ? ": links, latencies and bandwidths agree with SimGrid "
                                 : fmt::format(": {} differ from SimGrid ", check.differences)) +
         engines::simgrid_version();
}

void report_routes(const CheckedMachine& checked, reports::Document& listing) {
  const auto& check = *checked.routes;
  listing.add_fact("routes", compared_text(checked));
  if (check.reordered > 0)
    listing.add_fact("", fmt::format("SimGrid lists the links of {} pairs in a different order.",
                                     check.reordered));
  listing.add_fact(
      "", check.same_host_omitted.empty()
              ? "Routes from a node to itself through the network are included."
              : "Routes from a node to itself are omitted: " + check.same_host_omitted + ".");
  for (const auto& difference : check.first_reported) listing.add_fact("", "- " + difference);
  if (check.differences > check.first_reported.size())
    listing.add_fact("", fmt::format("- ... and {} more pairs",
                                     check.differences - check.first_reported.size()));
}

void know_routes(const CheckedMachine& checked, reports::Document& listing) {
  const auto& routes = *checked.routes;
  listing.know("routes.pairs", routes.pairs);
  listing.know("routes.all_pairs", routes.all_pairs);
  listing.know("routes.seed", checked.request.seed);
  listing.know("routes.links", routes.links);
  listing.know("routes.renamed_links", routes.renamed);
  listing.know("routes.reordered_pairs", routes.reordered);
  listing.know("routes.same_node_omitted", routes.same_host_omitted);
  listing.know("routes.differences", routes.differences);
  reports::TableOf first(routes.first_reported,
                         {.name = std::string(differences_part), .only_on_request = true});
  first.add("difference", [](auto& difference) { return difference; });
  listing.tables = {first.take()};
}

reports::Document check_listing(const CheckedMachine& checked) {
  const auto& machine = checked.machine;
  auto listing = reports::listing_of("sim.platform_check/1", {}, {reports::headline(machine)});
  listing.know("platform", machine.name);
  listing.know("file", machine.file);
  listing.know("hash", machine.content_hash);
  listing.know("hosts", machine.host_count());
  listing.know("good", checked.good());
  listing.know("connected", checked.unconnected.empty());
  listing.know("simgrid_version", engines::simgrid_version());
  listing.place_table("routes");
  listing.add_fact("file", machine.file + ": well-formed, all values accepted");
  listing.add_fact("network", checked.unconnected.empty() ? "every node reaches every other"
                                                          : checked.unconnected);
  if (checked.routes) {
    report_routes(checked, listing);
    know_routes(checked, listing);
  }
  if (checked.has_own_network())
    listing.add_fact(
        "routes", fmt::format("not compared: SimGrid does not support {}", checked.own_network()));
  return listing;
}

constexpr auto platform_check_specs = listing_specs(
    OptionSpec{option_group, "--pairs", "COUNT",
               "Maximum number of pairs of nodes to compare; larger machines are sampled; default: "
               "100000"},
    OptionSpec{option_group, "--seed", "NUMBER", "Seed of the random sample; default: 1"},
    OptionSpec{option_group, "--force", "", "Check even if the memory seems insufficient"});

Result<RouteCheckRequest> read_request(const OptionValues& parsed) {
  RouteCheckRequest request;
  OptionReader read(parsed);
  if (const auto pairs = read.single("--pairs", {parse_integer, 1, INT64_MAX}))
    request.most_pairs = static_cast<std::uint64_t>(*pairs);
  if (const auto seed = read.single("--seed", {parse_integer, 0, INT64_MAX}))
    request.seed = static_cast<std::uint64_t>(*seed);
  if (!read.errors().empty()) return read.errors().errors();
  return request;
}

std::string unconnected_sentence(const platforms::Topology& topology) {
  const auto pair = platforms::unconnected_hosts(topology.graph());
  if (!pair) return {};
  return fmt::format("{} does not reach {}", printable(topology.host_name(pair->first)),
                     printable(topology.host_name(pair->second)));
}

Result<RouteCheck> compare(const platforms::Machine& machine, const RouteCheckRequest& request,
                           const Diagnostics& diagnostics) {
  const std::uint64_t pairs = pairs_to_check(machine, request);
  Progress progress(std::max<std::uint64_t>(pairs, 1), diagnostics.quiet(), "pairs");
  return check_routes(machine, request, [&](std::uint64_t done) {
    progress.show(std::min(done, pairs), 0,
                  done == 0 ? "SimGrid reads the file (minutes for tens of thousands of nodes)"
                            : "comparing routes");
  });
}

std::optional<Error> memory_error(const OptionValues& parsed, const platforms::Machine& machine,
                                  const RouteCheckRequest& request) {
  const auto free_bytes = jobs::free_memory();
  if (parsed.has("--force") || !free_bytes) return std::nullopt;
  return check_memory(machine, request, *free_bytes);
}

Result<int> run_platform_check(const OptionValues& parsed, const Diagnostics& diagnostics) {
  TUTTI_TRY(document_output(parsed, {std::string(differences_part)}));
  const auto request = TUTTI_TRY(read_request(parsed));
  const auto machine = TUTTI_TRY(load_named_machine(parsed, diagnostics));
  CheckedMachine checked{machine, request, unconnected_sentence(*machine.topology)};
  if (checked.unconnected.empty() && !checked.has_own_network()) {
    if (const auto error = memory_error(parsed, machine, request)) return *error;
    checked.routes = TUTTI_TRY(compare(machine, request, diagnostics));
  }
  TUTTI_TRY(write_document(check_listing(checked), parsed));
  return checked.good() ? exit_done : exit_points_failed;
}

}  // namespace

const Subcommand platform_check{.usage = "check NAME",
                                .summary = "validate the file, and its routes against SimGrid",
                                .help = texts::platform["check"],
                                .specs = platform_check_specs,
                                .run = run_platform_check,
                                .words = platform_names};

}  // namespace tutti::commands
