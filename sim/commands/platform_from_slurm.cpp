// SPDX-License-Identifier: BSD-3-Clause
// sim platform from-slurm: writes the platform file of a machine whose network Slurm knows.
#include "platforms/reader.hpp"
#include "platforms/slurm/topology_file.hpp"
#include "sim/base/text_file.hpp"
#include "sim/commands/platform.hpp"
#include "sim/commands/platform_from_slurm.help.hpp"

namespace tutti::commands {
namespace {

struct FromSlurmRequest : NewPlatform {
  std::string topology = "auto";
  double oversubscription = 1;
};

constexpr std::string_view network_group = "Network";

void read_ratio(OptionReader& read, std::string_view option, FromSlurmRequest& request) {
  const auto ratio = parse_number(read.values().value(option));
  if (!ratio || !(*ratio > 0) || *ratio > 1000)
    return read.wrong(option,
                      fmt::format("invalid ratio {}", in_quotes(read.values().value(option))),
                      "expected nodes per uplink of a leaf switch, for example 2");
  request.oversubscription = *ratio;
}

using FromSlurmOptions = options::OptionTable<FromSlurmRequest>;

const FromSlurmOptions from_slurm_options =
    FromSlurmOptions{{network_group, "--topology", "NAME", texts::platform_from_slurm["--topology"],
                      options::choice<std::string>(
                          {{"auto", "auto"}, {"zones", "zones"}, {"fat-tree", "fat-tree"}},
                          &FromSlurmRequest::topology)},
                     {network_group, "--oversubscription", "RATIO",
                      texts::platform_from_slurm["--oversubscription"], read_ratio}} +
    new_platform_options();

// Bandwidth and latency of the links of --like's nodes.
std::optional<Error> copy_link(const OptionValues& parsed, platforms::PlatformFile& file) {
  if (!parsed.has("--like")) return std::nullopt;
  const auto machine =
      TUTTI_TRY(platforms::load_machine(parsed.value("--like"), {}, platforms::no_traffic));
  if (machine.host_count() < 2) return std::nullopt;
  std::vector<platforms::LinkId> links;
  machine.topology->route(0, 1, links);
  if (links.empty()) return std::nullopt;
  const auto link = machine.topology->link(links.front());
  if (!parsed.has("--bandwidth"))
    file.bandwidth = fmt::format("{:.10g}MBps", link.bandwidth_Bps / 1e6);
  if (!parsed.has("--latency")) file.latency = fmt::format("{:.10g}us", link.latency_s * 1e6);
  return std::nullopt;
}

// Describes the tree as a cluster; false if it is not regular.
bool take_cluster(const platforms::SwitchTree& tree, double oversubscription,
                  platforms::PlatformFile& file) {
  const auto shape = platforms::regular_shape(tree, oversubscription);
  const auto names = platforms::numbered_names(tree);
  if (!shape || !names) return false;
  file.prefix = names->prefix;
  file.first_node = names->first;
  if (shape->down.size() == 1) return true;  // one switch
  file.topology = "FAT_TREE";
  file.topo_parameters = shape->parameters();
  return true;
}

Result<int> run_from_slurm(const OptionValues& parsed, const Diagnostics& diagnostics) {
  auto request =
      TUTTI_TRY(read_request(parsed, from_slurm_options, "platform from-slurm", Words::files));
  if (parsed.arguments.size() != 1)
    return usage_error("", "expected one file",
                       "topology.conf, topology.yaml, or what `scontrol show topology` prints");
  const auto& path = parsed.arguments.front();
  const auto text = TUTTI_TRY(read_text_file(path));
  const auto tree = TUTTI_TRY(platforms::read_slurm_topology(text, path));
  auto& file = request.file;
  if (const auto error = copy_link(parsed, file)) return *error;
  file.nodes = static_cast<platforms::HostId>(tree.node_count());
  file.description =
      fmt::format("{} on {}, {}", counted(file.nodes, "node"),
                  counted(tree.switches.size(), "switch"), counted(tree.levels(), "level"));
  file.source = fmt::format("network: {} of Slurm; bandwidth and latency: {}",
                            std::filesystem::path(path).filename().string(),
                            parsed.has("--bandwidth") ? "given"
                            : file.like.empty()       ? "assumed"
                                                      : file.like);
  const bool is_cluster =
      request.topology != "zones" && take_cluster(tree, request.oversubscription, file);
  if (request.topology == "fat-tree" && !is_cluster)
    return usage_error("--topology",
                       "the switches are not a regular tree of nodes with consecutive numbers",
                       "use --topology zones");
  if (!is_cluster) {
    file.tree = std::make_shared<const platforms::SwitchTree>(tree);
    file.oversubscription = request.oversubscription;
  }
  return write_new_platform(request, parsed, diagnostics);
}

}  // namespace

const Subcommand platform_from_slurm{
    .usage = "from-slurm FILE -o FILE",
    .summary = "write the platform file of the network that Slurm knows",
    .help = texts::platform_from_slurm["from-slurm"],
    .specs = from_slurm_options,
    .run = run_from_slurm};

}  // namespace tutti::commands
