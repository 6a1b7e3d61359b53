// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/writer/platform_file.hpp"

#include <cstdlib>

#include "platforms/parameters/values.hpp"
#include "platforms/writer/xml_text.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::platforms {
namespace {

constexpr std::int64_t most_levels = 6;
constexpr std::int64_t most_radix = 4096;
constexpr std::int64_t most_nodes = 1 << 24;

constexpr double rounding = 1e-12;

// Whether the NICs are the hosts of one network, instead of the nodes.
bool has_nics(const FatTreeRequest& request) {
  return request.rails > 1 && request.order != RailOrder::planes;
}

// The number of nodes or NICs that the leaf switches connect, and their name.
std::int64_t hosts_of(const FatTreeRequest& request) {
  return has_nics(request) ? request.nodes * request.rails : request.nodes;
}
std::string_view name_of_hosts(const FatTreeRequest& request) {
  return has_nics(request) ? "NICs" : "nodes";
}

// Whether leaf switches with this number of NICs have NICs of a single number each.
bool fits_rails(const FatTreeRequest& request, std::int64_t down, std::int64_t hosts) {
  if (!has_nics(request) || request.order != RailOrder::leaves) return true;
  if (hosts % request.rails != 0) return false;
  const std::int64_t nodes = hosts / request.rails;
  return nodes % down == 0 || down % nodes == 0;
}

// Maximum down ports of a switch: all ports at the top, those allowed by the oversubscription at
// the leaves, half of the ports in between.
std::int64_t most_down(const FatTreeRequest& request, std::int64_t level) {
  if (level == request.levels - 1) return request.radix;
  if (level > 0) return request.radix / 2;
  const double ratio = request.oversubscription;
  const double down = static_cast<double>(request.radix) * ratio / (ratio + 1);
  return static_cast<std::int64_t>(down * (1 + rounding));
}

// Uplinks of a leaf switch that give the nearest ratio to the requested one.
std::int64_t cables_of_leaf(double ratio, std::int64_t nodes) {
  const double exact = static_cast<double>(nodes) / ratio;
  const auto most = static_cast<std::int64_t>(std::ceil(exact * (1 - rounding)));
  const auto off = [&](std::int64_t cables) {
    return std::abs(static_cast<double>(nodes) / static_cast<double>(cables) - ratio);
  };
  return most > 1 && off(most - 1) < off(most) ? most - 1 : most;
}

// Tries the fullest leaves first; unset if no choice has the requested product.
std::optional<std::vector<std::int64_t>> factor(const FatTreeRequest& request, std::int64_t hosts,
                                                std::int64_t level) {
  if (level == request.levels)
    return hosts == 1 ? std::optional(std::vector<std::int64_t>()) : std::nullopt;
  for (auto down = std::min(most_down(request, level), hosts); down >= 1; --down) {
    if (hosts % down != 0 || (level == 0 && !fits_rails(request, down, hosts))) continue;
    auto rest = factor(request, hosts / down, level + 1);
    if (!rest) continue;
    rest->insert(rest->begin(), down);
    return rest;
  }
  return std::nullopt;
}

// The largest divisor of `count` up to `most`: top switches have the same number of links to each
// switch below.
std::int64_t divisor_up_to(std::int64_t count, std::int64_t most) {
  while (most > 1 && count % most != 0) --most;
  return std::max<std::int64_t>(most, 1);
}

std::string sizes_that_fit(const FatTreeRequest& request) {
  std::vector<std::string> sizes;
  const auto fits = [&](std::int64_t nodes) {
    FatTreeRequest other = request;
    other.nodes = nodes;
    return factor(other, hosts_of(other), 0).has_value();
  };
  const auto try_size = [&](std::int64_t nodes) {
    if (nodes > 1 && fits(nodes)) sizes.push_back(fmt::format("{}", nodes));
    return !sizes.empty();
  };
  constexpr std::int64_t farthest = 20'000;
  for (std::int64_t off = 1; off < farthest; ++off)
    if (try_size(request.nodes - off)) break;
  const std::size_t below = sizes.size();
  for (std::int64_t off = 1; off < farthest && sizes.size() == below; ++off)
    if (fits(request.nodes + off)) sizes.push_back(fmt::format("{}", request.nodes + off));
  if (sizes.empty()) return {};
  return fmt::format("; the nearest sizes that fit: {}{}", fmt::join(sizes, " and "),
                     has_nics(request) ? " nodes" : "");
}

std::string radix_that_fits(FatTreeRequest request) {
  while (request.radix < most_radix && !factor(request, hosts_of(request), 0)) ++request.radix;
  if (request.radix == most_radix) return "; increase --levels";
  return fmt::format("; use --radix {} or increase --levels", request.radix);
}

std::optional<Error> check(const FatTreeRequest& request) {
  if (request.nodes < 2 || request.nodes > most_nodes)
    return usage_error("--nodes",
                       fmt::format("{} is out of range: 2 to {}", request.nodes, most_nodes));
  if (request.levels < 1 || request.levels > most_levels)
    return usage_error("--levels",
                       fmt::format("{} is out of range: 1 to {}", request.levels, most_levels));
  if (request.radix < 2 || request.radix > most_radix)
    return usage_error("--radix",
                       fmt::format("{} is out of range: 2 to {}", request.radix, most_radix));
  const auto most = request.radix - 1;
  if (request.oversubscription < 1 || request.oversubscription > static_cast<double>(most))
    return usage_error("--oversubscription", fmt::format("{:g} is out of range: 1 to {}",
                                                         request.oversubscription, most));
  if (request.levels == 1 && request.oversubscription != 1)
    return usage_error("--oversubscription", "a single level of switches has no uplinks",
                       "use two or more --levels");
  return std::nullopt;
}

Error does_not_fit(const FatTreeRequest& request) {
  const std::int64_t hosts = hosts_of(request);
  const std::string_view name = name_of_hosts(request);
  std::int64_t most = 1;
  for (std::int64_t level = 0; level < request.levels && most < hosts; ++level)
    most *= most_down(request, level);
  if (hosts > most)
    return usage_error("--nodes",
                       fmt::format("{} {} are too many for {} levels of switches with {} ports",
                                   hosts, name, request.levels, request.radix),
                       fmt::format("at most {} fit{}", most, radix_that_fits(request)));
  return usage_error(
      "--nodes",
      fmt::format("{} {} do not fill {} levels of switches (at most {} {} per leaf switch)", hosts,
                  name, request.levels, most_down(request, 0), name),
      fmt::format("the number of {} must be the product of the down ports of the levels{}", name,
                  sizes_that_fit(request)));
}

}  // namespace

std::string FatTreePlan::parameters() const {
  return fmt::format("{};{};{};{}", down.size(), fmt::join(down, ","), fmt::join(up, ","),
                     fmt::join(cables, ","));
}

Result<FatTreePlan> shape_of(const FatTreeRequest& request) {
  if (auto error = check(request)) return *error;
  const auto down = factor(request, hosts_of(request), 0);
  if (!down) return does_not_fit(request);
  FatTreePlan shape{.down = *down, .up = {1}, .cables = {1}};
  for (std::size_t level = 1; level < down->size(); ++level) {
    // Above the leaves, as many uplinks as links from below.
    const auto from_below = down->at(level - 1) * shape.cables.back();
    const auto wanted =
        level == 1 ? cables_of_leaf(request.oversubscription, from_below) : from_below;
    // Parallel links to one switch leave fewer ports for other switches below.
    const auto ports = most_down(request, static_cast<std::int64_t>(level)) / down->at(level);
    const auto parallel = divisor_up_to(wanted, ports);
    shape.cables.push_back(parallel);
    shape.up.push_back(wanted / parallel);
  }
  return shape;
}

namespace {

std::string sayable(std::string_view text) {
  std::string said = printable(text);
  for (std::size_t i = 0; i < said.size();) {
    const auto length = utf8_length(said, i);
    if (length == 0) said[i] = '?';
    i += std::max<std::size_t>(1, length);
  }
  return said;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string xml;
  for (const char c : sayable(text)) switch (c) {
      case '&':
        xml += "&amp;";
        break;
      case '<':
        xml += "&lt;";
        break;
      case '"':
        xml += "&quot;";
        break;
      default:
        xml += c;
    }
  return xml;
}

namespace {

// XML comments must not contain "--".
std::string comment(std::string text) {
  text = sayable(text);
  for (std::size_t at; (at = text.find("--")) != std::string::npos;) text.replace(at, 2, "- -");
  return text;
}

std::string prop(const std::string& key, const std::string& value) {
  return fmt::format("    <prop id=\"{}\" value=\"{}\"/>\n", escaped(key), escaped(value));
}

// Defaults without --like: round numbers of a current network.
std::string default_parameters() {
  return "    <!-- Messages: assumed round numbers of a current 100 Gb/s network, not measured.\n"
         "         Replace them with those of your machine (platforms/README.md). -->\n" +
         prop("mpi/eager_limit", "16KiB") + prop("mpi/send_overhead", "0.3us") +
         prop("mpi/recv_overhead", "0.3us") + prop("mpi/copy_bandwidth", "8GBps") +
         "    <!-- Inside a node: also assumed. -->\n" + prop("mpi/intra_node", "bus") +
         prop("mpi/bus_bandwidth", "100GBps") + prop("mpi/bus_latency", "0.2us") +
         prop("mpi/intra_bandwidth", "8GBps") + prop("mpi/intra_eager_limit", "4KiB") +
         prop("mpi/intra_copy_bandwidth", "none");
}

std::string groups_of(const PlatformFile& file) {
  std::string text;
  for (const auto& [origin, parameters] : file.groups) {
    std::vector<std::string> lines;
    for (const auto line : split(origin, '\n')) lines.push_back(comment(std::string(line)));
    text += fmt::format("    <!-- {} -->\n", fmt::join(lines, "\n"));
    for (const auto& each : parameters) text += prop(each.key, each.value);
  }
  return text;
}

std::string parameters_of(const PlatformFile& file) {
  if (!file.groups.empty()) return groups_of(file);
  if (file.like.empty()) return default_parameters();
  std::string text = fmt::format(
      "    <!-- Messages: those of {}. Parameters of its network are omitted; those of the\n"
      "         analytic models are derived from this network and these messages. -->\n",
      comment(file.like));
  for (const auto& each : file.parameters) text += prop(each.key, each.value);
  return text;
}

}  // namespace

std::optional<Error> check_platform_name(const std::string& name, const std::string& option) {
  const bool is_empty = trim(name).empty();
  if (!is_empty && printable(name) == name && !first_not_utf8(name)) return std::nullopt;
  return usage_error(option,
                     is_empty ? "the machine name is empty"
                              : fmt::format("invalid machine name {}", in_quotes(name)),
                     "use letters and digits: the name becomes part of the link names");
}

namespace {

std::string tree_xml(const PlatformFile& file, const std::string& props) {
  return zone_xml(*file.tree,
                  {.id = file.id,
                   .cores = file.cores,
                   .bandwidth_Bps = parse_bandwidth(file.bandwidth).value(),
                   .latency = file.latency,
                   .oversubscription = file.oversubscription},
                  props);
}

std::string cluster_xml(const PlatformFile& file, const std::string& props) {
  const std::string topology =
      file.topology.empty() ? ""
                            : fmt::format("\n           topology=\"{}\" topo_parameters=\"{}\"",
                                          file.topology, file.topo_parameters);
  const std::string backbone =
      file.backbone.empty() ? ""
                            : fmt::format("\n           bb_bw=\"{}\" bb_lat=\"0\"", file.backbone);
  return fmt::format(
      "  <cluster id=\"{}\" prefix=\"{}\" suffix=\"\" radical=\"{}-{}\" speed=\"1Gf\" "
      "core=\"{}\"\n"
      "           bw=\"{}\" lat=\"{}\" sharing_policy=\"{}\"{}{}>\n{}  </cluster>\n",
      escaped(file.id), escaped(file.prefix), file.first_node, file.first_node + file.nodes - 1,
      file.cores, escaped(file.bandwidth), escaped(file.latency),
      file.half_duplex ? "SHARED" : "SPLITDUPLEX", topology, backbone, props);
}

}  // namespace

std::string platform_xml(const PlatformFile& file) {
  std::string props = prop("info/description", file.description) +
                      (file.source.empty() ? "" : prop("info/source", file.source));
  for (const auto& each : file.network) props += prop(each.key, each.value);
  props += parameters_of(file);
  return fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<!-- Written by: {} -->\n"
      "<platform version=\"4.1\">\n{}</platform>\n",
      comment(file.made_by), file.tree ? tree_xml(file, props) : cluster_xml(file, props));
}

}  // namespace tutti::platforms
