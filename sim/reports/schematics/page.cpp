// SPDX-License-Identifier: BSD-3-Clause
// The page of a schematic: its title, and a node with several sockets.
#include <ranges>

#include "platforms/job_links.hpp"
#include "platforms/topology_description.hpp"
#include "sim/reports/schematics/parts.hpp"

namespace tutti::reports::schematics {
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
