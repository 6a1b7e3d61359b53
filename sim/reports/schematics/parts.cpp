// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/schematics/parts.hpp"

#include <ranges>

#include "platforms/job_links.hpp"
#include "platforms/topology_description.hpp"
#include "sim/base/text_file.hpp"
#include "sim/reports/svg.hpp"

namespace tutti::reports::schematics {
namespace {

constexpr double character_px = 6.7;  // of a text of 13 px

}  // namespace

std::string svg_text(Place at, std::string_view text, std::string_view style) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", at.x, at.y, style,
                     xml_escaped(std::string(text)));
}

std::string svg_lines(Place at, const std::vector<std::string>& lines) {
  std::string svg;
  for (std::size_t i = 0; i < lines.size(); ++i, at.y += line_px)
    svg += svg_text(at, lines[i], i == 0 ? bold_text : plain_text);
  return svg;
}

std::string svg_line(Place from, Place to) {
  return fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", from.x, from.y, to.x, to.y);
}

std::string svg_group(std::string_view style, const std::string& body) {
  return fmt::format("<g {}>\n{}</g>\n", style, body);
}

std::string svg_box(const SvgBox& box, std::string_view style, const std::string& title) {
  const auto shape =
      fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{}\" {}",
                  box.center.x - box.width / 2, box.center.y - box.height / 2, box.width,
                  box.height, box.rounding, style);
  return title.empty() ? shape + "/>\n"
                       : shape + "><title>" + xml_escaped(title) + "</title></rect>\n";
}

std::string svg_switch(Place center, const std::string& title, double width) {
  return svg_box({center, width, 16}, fmt::format("fill=\"{}\"", switch_fill), title);
}

std::string svg_nodes(Place center, std::size_t count, double width) {
  return svg_box({center, width, 34, 5}, fmt::format("fill=\"{}\"", node_fill)) +
         svg_text({center.x, center.y - 2}, fmt::format("{}", count), white_text) +
         svg_text({center.x, center.y + 12}, count == 1 ? "node" : "nodes", white_text);
}

std::vector<std::size_t> Row::shown() const {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < (is_cut() ? first : count); ++i) numbers.push_back(i);
  for (std::size_t i = last; is_cut() && i > 0; --i) numbers.push_back(count - i);
  return numbers;
}

std::optional<Place> Row::at(std::size_t number) const {
  if (number >= count) return std::nullopt;
  if (!is_cut() || number < first) return place_of_slot(number);
  if (number + last >= count) return place_of_slot(slots() - (count - number));
  return std::nullopt;
}

std::string Row::dots() const {
  if (!is_cut()) return {};
  constexpr double neighbors_px = 54;  // of the two vertices next to the text, and gaps
  const auto omitted = count - first - last;
  auto text = fmt::format("... {} more", omitted);
  if (character_px * static_cast<double>(text.size()) > 2 * step() - neighbors_px)
    text = fmt::format("+{}", omitted);
  const auto at = place_of_slot(first);
  return svg_text({at.x, at.y + 4}, text, centered_text);
}

std::string mesh_arcs(const Row& row, double height) {
  const auto shown = row.shown();
  if (shown.size() < 2) return {};
  const double longest = row.at(shown.back())->x - row.at(shown.front())->x;
  std::string arcs;
  for (std::size_t i = 0; i < shown.size(); ++i)
    for (std::size_t j = i + 1; j < shown.size(); ++j) {
      const double from = row.at(shown[i])->x, to = row.at(shown[j])->x;
      const double control = row.y - 2 * height * (to - from) / longest;
      arcs += fmt::format("<path d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}\"/>\n", from, row.y,
                          (from + to) / 2, control, to, row.y);
    }
  return svg_group(link_style, arcs);
}

void LinkBand::add(const platforms::Link& link) {
  ++links;
  Bps += link.bandwidth_Bps;
  ++kinds[{link.bandwidth_Bps, link.latency_s}];
}

std::string LinkBand::each() const {
  if (kinds.empty()) return {};
  const auto& [Bps_each, latency_s] = kinds.begin()->first;
  return fmt::format("{}, {}", format_rate(Bps_each), format_seconds(latency_s));
}

std::vector<std::string> describe(const LinkBand& band) {
  constexpr std::size_t most_kinds_named = 2;
  std::vector<std::string> lines;
  for (const auto& [kind, count] : band.kinds) {
    lines.push_back(fmt::format("{} of {}, {}", counted(count, "link"), format_rate(kind.first),
                                format_seconds(kind.second)));
    if (band.kinds.size() > most_kinds_named) {
      lines.back() += fmt::format("; {} more kinds", band.kinds.size() - 1);
      break;
    }
  }
  return lines;
}

std::string oversubscription(const LinkBand& below, const LinkBand& above) {
  const double ratio = below.Bps / above.Bps;
  constexpr double equal = 1.005;
  return ratio < equal ? "not oversubscribed" : fmt::format("oversubscribed {:.3g}:1", ratio);
}

std::string svg_oversubscription(Place at, const LinkBand& below, const LinkBand& above) {
  const auto text = oversubscription(below, above);
  return svg_text(at, text, text.starts_with("over") ? warning_text : plain_text);
}

std::string nodes_per_switch(std::span<const std::uint32_t> nodes, std::string_view what) {
  std::map<std::uint32_t, std::size_t, std::greater<>> switches;  // by number of nodes
  for (const auto count : nodes) ++switches[count];
  if (switches.empty()) return {};
  const auto& [most, with_most] = *switches.begin();
  const auto& [least, with_least] = *switches.rbegin();
  if (switches.size() == 1) return fmt::format("{} per {}", counted(most, "node"), what);
  if (switches.size() > 2) return fmt::format("{} to {} nodes per {}", least, most, what);
  return fmt::format("{} with {}, {} with {}", counted(with_most, what), counted(most, "node"),
                     with_least, least);
}

std::vector<std::uint32_t> nodes_by_switch(const platforms::Graph& graph) {
  std::vector<std::uint32_t> nodes(graph.switches.size());
  for (const auto& edge : graph.edges)
    if (edge.from < graph.hosts && edge.to >= graph.hosts) ++nodes[edge.to - graph.hosts];
  return nodes;
}

// The page: its title, and a node with several sockets.

namespace {

// Approximate widths of characters of the title and the line below it.
constexpr double title_px = 12;
constexpr double subtitle_px = 7.5;
constexpr double node_px = 150;  // height of the part with the sockets

std::string nics_text(const platforms::Machine& machine, const std::vector<int>& socket_of_nic) {
  const auto nics = socket_of_nic.size();
  std::map<int, std::size_t> by_socket;
  for (const auto socket : socket_of_nic) ++by_socket[socket];
  const auto most = std::ranges::max(by_socket | std::views::values);
  const auto sockets = static_cast<std::size_t>(machine.sockets.count);
  return fmt::format("{}{}", counted(nics, "NIC"),
                     nics == 1                ? " at the first socket"
                     : most * sockets == nics ? fmt::format(", {} per socket", most)
                                              : "");
}

std::string sockets_text(Place at, const platforms::Machine& machine,
                         const std::vector<int>& socket_of_nic) {
  const auto& sockets = machine.sockets;
  const auto rate = sockets.link_Bps ? format_rate(*sockets.link_Bps) : "bandwidth not limited";
  return svg_lines(at, {fmt::format("{} per node", counted(sockets.count, "socket")),
                        fmt::format("memory bus of {} each", format_rate(sockets.bus_Bps)),
                        fmt::format("link to the other sockets: {}, {}", rate,
                                    format_seconds(sockets.link_latency_s)),
                        nics_text(machine, socket_of_nic)});
}

// The NICs on top of a socket.
std::string svg_nics(Place top, double width, std::size_t count) {
  constexpr double side_px = 9;
  const double step = std::min(14.0, width / static_cast<double>(std::max<std::size_t>(count, 1)));
  std::string svg;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = top.x + step * (static_cast<double>(i) - (static_cast<double>(count) - 1) / 2);
    svg += svg_box({{x, top.y - 12}, std::min(side_px, 0.8 * step), side_px, 1}, "fill=\"#2f855a\"",
                   "NIC") +
           svg_group(link_style, svg_line({x, top.y - 7.5}, top));
  }
  return svg;
}

// A node: its sockets with NICs above them, and the links between the sockets below.
std::string svg_node(double top, const platforms::Machine& machine) {
  const auto sockets = static_cast<std::size_t>(machine.sockets.count);
  std::vector<int> socket_of_nic;
  for (std::uint32_t rail = 0; rail < machine.topology->rails(); ++rail)
    socket_of_nic.push_back(platforms::socket_of_rail(machine, rail));
  const Row row{.count = sockets,
                .y = top + 66,
                .width = std::min(drawn_px, 150 * static_cast<double>(sockets))};
  const double width = std::min(120.0, row.step() - 8), bar = row.y + 40;
  std::string links, boxes;
  for (const auto i : row.shown()) {
    const auto at = *row.at(i);
    const auto cores = machine.cores_per_host / machine.sockets.count;
    const bool is_even = cores * machine.sockets.count == machine.cores_per_host;
    links += svg_line(at, {at.x, bar});
    boxes +=
        svg_nics({at.x, at.y - 20}, width,
                 static_cast<std::size_t>(std::ranges::count(socket_of_nic, static_cast<int>(i)))) +
        svg_box({at, width, 40, 5}, fmt::format("fill=\"{}\"", node_fill)) +
        svg_text({at.x, at.y + (is_even ? -3 : 4)}, fmt::format("socket {}", i), white_text);
    if (is_even) boxes += svg_text({at.x, at.y + 13}, counted(cores, "core"), white_text);
  }
  links += svg_line({row.at(0)->x, bar}, {row.at(sockets - 1)->x, bar});
  return svg_text({left_px, top + 16}, "A node", bold_text) + svg_group(link_style, links) + boxes +
         row.dots() + sockets_text({words_px, top + 50}, machine, socket_of_nic);
}

}  // namespace

std::string svg_page(const platforms::Machine& machine, PageSize size, const std::string& body) {
  const auto title = printable(machine.name);
  const auto subtitle = printable(fmt::format("{}: {}", machine.topology->describe().words,
                                              platforms::describe(platforms::size_of(machine))));
  const bool has_node = machine.sockets.count > 1;
  const double width =
      std::max({size.width, 2 * left_px + title_px * static_cast<double>(title.size()),
                2 * left_px + subtitle_px * static_cast<double>(subtitle.size())});
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
             "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\">\n"
             "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
             width, size.height + (has_node ? node_px : 0)) +
         svg_text({left_px, 34}, title, "font-size=\"20\" fill=\"#1a202c\"") +
         svg_text({left_px, 56}, subtitle, plain_text) + body +
         (has_node ? svg_node(size.height, machine) : "") + "</svg>\n";
}

}  // namespace tutti::reports::schematics
