// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/writer/switch_tree.hpp"

#include "platforms/writer/xml_text.hpp"

namespace tutti::platforms {
namespace {

std::vector<int> depths_of(const SwitchTree& tree) {
  std::vector<int> depths(tree.switches.size(), 0);
  for (std::size_t i = 0; i < depths.size(); ++i)
    for (auto at = tree.switches[i].above; at; at = tree.switches[*at].above) ++depths[i];
  return depths;
}

// The only value; unset if they differ.
std::optional<std::int64_t> common_value(const std::vector<std::int64_t>& values) {
  const bool is_one =
      !values.empty() && std::ranges::count(values, values.front()) == std::ssize(values);
  return is_one ? std::optional(values.front()) : std::nullopt;
}

}  // namespace

std::size_t SwitchTree::node_count() const {
  std::size_t count = 0;
  for (const auto& tree_switch : switches) count += tree_switch.nodes.size();
  return count;
}

std::vector<std::size_t> SwitchTree::nodes_below() const {
  std::vector<std::size_t> below(switches.size(), 0);
  for (std::size_t i = 0; i < switches.size(); ++i) {
    below[i] += switches[i].nodes.size();
    for (auto at = switches[i].above; at; at = switches[*at].above)
      below[*at] += switches[i].nodes.size();
  }
  return below;
}

int SwitchTree::levels() const {
  const auto depths = depths_of(*this);
  return depths.empty() ? 0 : 1 + *std::ranges::max_element(depths);
}

std::string RegularTree::parameters() const {
  const std::vector<std::int64_t> cables(down.size(), 1);
  return fmt::format("{};{};{};{}", down.size(), fmt::join(down, ","), fmt::join(up, ","),
                     fmt::join(cables, ","));
}

std::optional<RegularTree> regular_shape(const SwitchTree& tree, double oversubscription) {
  const int levels = tree.levels();
  const auto depths = depths_of(tree);
  std::vector<std::int64_t> children(tree.switches.size(), 0);
  for (const auto& tree_switch : tree.switches)
    if (tree_switch.above) ++children[*tree_switch.above];
  RegularTree shape;
  for (int depth = levels - 1; depth >= 0; --depth) {
    std::vector<std::int64_t> below;
    for (std::size_t i = 0; i < depths.size(); ++i) {
      const auto& tree_switch = tree.switches[i];
      if (depths[i] != depth) continue;
      if (tree_switch.speed != 1 || tree_switch.nodes.empty() == (depth == levels - 1))
        return std::nullopt;
      below.push_back(depth == levels - 1 ? std::ssize(tree_switch.nodes) : children[i]);
    }
    const auto common = common_value(below);
    if (!common) return std::nullopt;
    shape.down.push_back(*common);
  }
  // A node has one link; the switches of a level have as many links up as down, but for the
  // oversubscription of the leaf switches.
  shape.up.push_back(1);
  for (std::size_t level = 1; level < shape.down.size(); ++level) {
    const double ratio = level == 1 ? oversubscription : 1;
    shape.up.push_back(std::max<std::int64_t>(
        1, std::llround(static_cast<double>(shape.down[level - 1]) / ratio)));
  }
  return shape;
}

std::optional<NumberedNames> numbered_names(const SwitchTree& tree) {
  NumberedNames names;
  std::int64_t expected = -1;
  for (const auto& tree_switch : tree.switches)
    for (const auto& node : tree_switch.nodes) {
      const auto digits = node.size() - (node.find_last_not_of("0123456789") + 1);
      if (digits == 0 || digits > 9) return std::nullopt;
      const auto prefix = node.substr(0, node.size() - digits);
      const std::string number = node.substr(prefix.size());
      if (number.size() > 1 && number.front() == '0') return std::nullopt;
      const auto value = parse_integer(number).value();
      if (expected < 0) {
        names.prefix = prefix;
        names.first = expected = value;
      }
      if (prefix != names.prefix || value != expected++) return std::nullopt;
    }
  names.last = expected - 1;
  return expected < 0 ? std::nullopt : std::optional(names);
}

std::string zone_xml(const SwitchTree& tree, const TreeLinks& links, const std::string& props) {
  const auto below = tree.nodes_below();
  std::string xml =
      fmt::format("  <zone id=\"{}\" routing=\"Dijkstra\">\n{}", escaped(links.id), props);
  std::string cables, routes;
  const auto connect = [&](const std::string& from, const std::string& to, double bandwidth_Bps) {
    cables += fmt::format(
        "    <link id=\"link-{}\" bandwidth=\"{:.10g}MBps\" latency=\"{}\" "
        "sharing_policy=\"SPLITDUPLEX\"/>\n",
        escaped(from), bandwidth_Bps / 1e6, escaped(links.latency));
    routes += fmt::format(
        "    <route src=\"{}\" dst=\"{}\"><link_ctn id=\"link-{}\" direction=\"UP\"/></route>\n",
        escaped(from), escaped(to), escaped(from));
  };
  for (const auto& tree_switch : tree.switches)
    for (const auto& node : tree_switch.nodes) {
      xml += fmt::format("    <host id=\"{}\" speed=\"1Gf\" core=\"{}\"/>\n", escaped(node),
                         links.cores);
      connect(node, tree_switch.name, links.bandwidth_Bps * tree_switch.speed);
    }
  for (std::size_t i = 0; i < tree.switches.size(); ++i) {
    const auto& tree_switch = tree.switches[i];
    xml += fmt::format("    <router id=\"{}\"/>\n", escaped(tree_switch.name));
    if (tree_switch.above)
      connect(tree_switch.name, tree.switches[*tree_switch.above].name,
              links.bandwidth_Bps * static_cast<double>(below[i]) / links.oversubscription);
  }
  return xml + cables + routes + "  </zone>\n";
}

}  // namespace tutti::platforms
