// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/machine_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/reports/layout.hpp"

namespace tutti::reports {
namespace {

using platforms::Graph;

constexpr double longest_side = 1200;
constexpr double most_per_unit = 60;
constexpr double margin = 40;
constexpr double title_height = 56;
constexpr std::size_t most_named_hosts = 48;
constexpr std::size_t most_by_forces = 600;

Layout layout_of(const std::string& kind, const Graph& graph) {
  if (kind == "flat cluster") return star_layout(graph);
  if (kind == "fat tree") return layered_layout(graph);
  if (kind == "dragonfly") return dragonfly_layout(graph);
  if (kind == "torus")
    if (const auto sizes = torus_sizes(graph); !sizes.empty()) return torus_layout(graph, sizes);
  return graph.hosts + graph.switches.size() <= most_by_forces ? force_layout(graph)
                                                               : layered_layout(graph);
}

std::string escaped(const std::string& text) {
  std::string xml;
  for (const char c : printable(text)) {
    if (c == '&')
      xml += "&amp;";
    else if (c == '<')
      xml += "&lt;";
    else
      xml += c;
  }
  return xml;
}

class Picture {
 public:
  Picture(const platforms::Machine& machine, const Graph& graph)
      : machine_(machine), graph_(graph), layout_(layout_of(machine.topology->kind(), graph)) {
    fit();
  }

  std::string svg() {
    svg_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        width_, height_);
    title();
    edges();
    vertices();
    return svg_ + "</svg>\n";
  }

 private:
  // Scales the layout to the page.
  void fit() {
    double right = -1e300;
    double bottom = -1e300;
    for (const auto& [x, y] : layout_.at) {
      left_ = std::min(left_, x);
      top_ = std::min(top_, y);
      right = std::max(right, x);
      bottom = std::max(bottom, y);
    }
    const double extent = std::max({right - left_, bottom - top_, 1.0});
    scale_ = std::min(most_per_unit, longest_side / extent);
    width_ = std::max(420.0, (right - left_) * scale_ + 2 * margin);
    height_ = (bottom - top_) * scale_ + 2 * margin + title_height;
    shift_x_ = (width_ - (right - left_) * scale_) / 2;
    shift_y_ = margin + title_height;
  }

  Position place(std::uint32_t vertex) const {
    const auto& [x, y] = layout_.at[vertex];
    return {shift_x_ + (x - left_) * scale_, shift_y_ + (y - top_) * scale_};
  }

  void title() {
    svg_ += fmt::format(
        "<text x=\"{0}\" y=\"34\" font-size=\"20\" fill=\"#1a202c\">{1}</text>\n"
        "<text x=\"{0}\" y=\"56\" font-size=\"13\" fill=\"#4a5568\">{2}: {3} nodes{4}</text>\n",
        margin, escaped(machine_.name), machine_.topology->kind(), graph_.hosts,
        graph_.switches.empty() ? ""
                                : fmt::format(", {} switch{}", graph_.switches.size(),
                                              graph_.switches.size() == 1 ? "" : "es"));
  }

  // Both directions of a cable are one line; the more lines, the thinner.
  void edges() {
    const double weight =
        std::clamp(60.0 / std::sqrt(1.0 + static_cast<double>(graph_.edges.size())), 0.3, 1.6);
    svg_ += fmt::format(
        "<g stroke=\"#718096\" stroke-width=\"{:.2f}\" fill=\"none\" "
        "stroke-opacity=\"0.65\">\n",
        weight);
    std::set<std::pair<std::uint32_t, std::uint32_t>> drawn;
    for (std::size_t i = 0; i < graph_.edges.size(); ++i) {
      const auto& edge = graph_.edges[i];
      if (!drawn.insert(std::minmax(edge.from, edge.to)).second) continue;
      if (!layout_.cut_edges.empty() && layout_.cut_edges[i])
        stubs(place(edge.from), place(edge.to));
      else
        cable(place(edge.from), place(edge.to));
    }
    svg_ += "</g>\n";
  }

  void line(Position a, Position b) {
    svg_ += fmt::format("<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", a.x, a.y, b.x, b.y);
  }

  void cable(Position a, Position b) {
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    if (!layout_.curved || length < 2.5 * scale_) return line(a, b);
    const Position middle{(a.x + b.x) / 2 - 0.12 * (b.y - a.y),
                          (a.y + b.y) / 2 + 0.12 * (b.x - a.x)};
    svg_ += fmt::format("<path d=\"M{:.1f} {:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}\"/>\n", a.x, a.y,
                        middle.x, middle.y, b.x, b.y);
  }

  // A cable that goes around: its two ends, which point away from each other.
  void stubs(Position a, Position b) {
    const double length = std::max(1.0, std::hypot(b.x - a.x, b.y - a.y));
    const Position step{0.42 * scale_ * (b.x - a.x) / length, 0.42 * scale_ * (b.y - a.y) / length};
    line(a, {a.x - step.x, a.y - step.y});
    line(b, {b.x + step.x, b.y + step.y});
  }

  void vertices() {
    const double radius = std::clamp(layout_.host_radius * scale_, 1.2, 12.0);
    svg_ += "<g fill=\"#2b6cb0\">\n";
    for (std::uint32_t host = 0; host < graph_.hosts; ++host) {
      const auto [x, y] = place(host);
      svg_ += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"><title>{}</title>"
          "</circle>\n",
          x, y, radius, escaped(machine_.topology->host_name(host)));
    }
    svg_ += "</g>\n<g fill=\"#dd6b20\">\n";
    const double side = std::clamp(1.6 * radius, 6.0, 18.0);
    for (std::size_t i = 0; i < graph_.switches.size(); ++i) {
      const auto [x, y] = place(static_cast<std::uint32_t>(graph_.hosts + i));
      svg_ += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
          "rx=\"1.5\"><title>{}</title></rect>\n",
          x - side / 2, y - side / 2, side, side, escaped(graph_.switches[i]));
    }
    svg_ += "</g>\n";
    names(radius);
  }

  // The numbers of hosts, while there is room for them.
  void names(double radius) {
    if (graph_.hosts > most_named_hosts || radius < 7) return;
    svg_ += "<g font-size=\"9\" fill=\"#ffffff\" text-anchor=\"middle\">\n";
    for (std::uint32_t host = 0; host < graph_.hosts; ++host) {
      const auto [x, y] = place(host);
      svg_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x, y + 3.2, host);
    }
    svg_ += "</g>\n";
  }

  const platforms::Machine& machine_;
  const Graph& graph_;
  Layout layout_;
  std::string svg_;
  double left_ = 1e300;
  double top_ = 1e300;
  double scale_ = 1;
  double width_ = 0;
  double height_ = 0;
  double shift_x_ = 0;
  double shift_y_ = 0;
};

}  // namespace

Result<std::string> machine_picture(const platforms::Machine& machine) {
  const auto too_large = [&] {
    return usage_error("",
                       fmt::format("{} has {} nodes: too many for a picture",
                                   printable(machine.name), machine.host_count()),
                       fmt::format("at most {} nodes and switches and {} cables are drawn; `sim "
                                   "platform new` writes a smaller machine of the same kind",
                                   most_drawn_vertices, most_drawn_edges));
  };
  if (machine.host_count() > most_drawn_vertices) return too_large();
  const Graph graph = machine.topology->graph();
  if (graph.hosts + graph.switches.size() > most_drawn_vertices ||
      graph.edges.size() > most_drawn_edges)
    return too_large();
  return Picture(machine, graph).svg();
}

}  // namespace tutti::reports
