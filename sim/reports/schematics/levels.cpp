// SPDX-License-Identifier: BSD-3-Clause
// Nodes and switches by their distance from the nodes, as in fat trees.
#include "sim/reports/schematics/schematics.hpp"

namespace tutti::reports::schematics {
namespace {

constexpr double level_px = 130;

class LevelsPicture {
 public:
  LevelsPicture(const platforms::Machine& machine, const platforms::Graph& graph,
                const Levels& levels)
      : machine_(machine), graph_(graph), levels_(levels) {
    for (std::size_t level = 1; level < levels.count(); ++level) {
      const auto row = row_of(level);
      for (const auto i : row.shown()) at_[levels.switches(level)[i]] = *row.at(i);
    }
  }

  std::string svg() const {
    return svg_page(machine_, {.height = level_y(levels_, 0) + 60},
                    links() + switches() + boxes() + level_words(machine_, levels_));
  }

 private:
  Row row_of(std::size_t level) const {
    return {.count = levels_.switches(level).size(), .y = level_y(levels_, level)};
  }

  // Only links of the switches that are shown.
  std::string links() const {
    std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const auto& edge : graph_.edges)
      if (at_.contains(edge.from) && at_.contains(edge.to))
        pairs.insert(std::minmax(edge.from, edge.to));
    std::string svg;
    for (const auto& [a, b] : pairs) svg += svg_line(at_.at(a), at_.at(b));
    for (const auto& [on, count] : levels_.groups())
      if (const auto box = box_of(on))
        for (const auto vertex : on) svg += svg_line(*box, at_.at(vertex));
    return svg_group(link_style, svg);
  }

  std::string switches() const {
    std::string svg;
    for (const auto& [vertex, place] : at_)
      svg += svg_switch(place, graph_.switches[vertex - graph_.hosts]);
    for (std::size_t level = 1; level < levels_.count(); ++level) svg += row_of(level).dots();
    return svg;
  }

  // The box of nodes is centered below its switches. Unset unless all of these are shown.
  std::optional<Place> box_of(const std::vector<std::uint32_t>& on) const {
    double sum = 0;
    for (const auto vertex : on) {
      const auto place = at_.find(vertex);
      if (place == at_.end()) return std::nullopt;
      sum += place->second.x;
    }
    if (on.empty()) return std::nullopt;
    return Place{sum / static_cast<double>(on.size()), level_y(levels_, 0)};
  }

  std::string boxes() const {
    std::string svg;
    for (const auto& [on, count] : levels_.groups())
      if (const auto place = box_of(on)) svg += svg_nodes(*place, count);
    return svg;
  }

  const platforms::Machine& machine_;
  const platforms::Graph& graph_;
  const Levels& levels_;
  std::map<std::uint32_t, Place> at_;  // positions of the switches that are shown
};

}  // namespace

Levels::Levels(const platforms::Topology& topology, const platforms::Graph& graph)
    : topology_(topology),
      neighbours_(graph, platforms::Neighbours::Direction::both),
      is_tree_(graph.hosts > 0 && !graph.switches.empty()) {
  std::vector<std::uint32_t> hosts(graph.hosts);
  std::iota(hosts.begin(), hosts.end(), 0U);
  level_ = neighbours_.distances(hosts);
  for (std::uint32_t vertex = 0; vertex < level_.size(); ++vertex) {
    const auto level = level_[vertex];
    if (level == platforms::Neighbours::unreachable) continue;
    if (level >= switches_.size()) switches_.resize(level + 1);
    switches_[level].push_back(vertex);
  }
  bands_.resize(switches_.size());
  for (const auto& edge : graph.edges) add(edge);
  for (const auto host : hosts) ++groups_[switches_of(host)];
}

void Levels::add(const platforms::Graph::Edge& edge) {
  const std::size_t from = level_[edge.from], to = level_[edge.to];
  const std::size_t low = std::min(from, to);
  is_tree_ = is_tree_ && from != to && std::max(from, to) == low + 1;
  if (!is_tree_ || (!edge.both_ways && from > to)) return;
  bands_[low].add(topology_.link(edge.link));
}

std::vector<std::uint32_t> Levels::switches_of(std::uint32_t host) const {
  const auto near = neighbours_.of(host);
  std::vector<std::uint32_t> on(near.begin(), near.end());
  std::ranges::sort(on);
  on.erase(std::unique(on.begin(), on.end()), on.end());
  return on;
}

double level_y(const Levels& levels, std::size_t level) {
  return head_px + level_px * static_cast<double>(levels.count() - 1 - level);
}

std::string level_words(const platforms::Machine& machine, const Levels& levels) {
  std::string svg;
  for (std::size_t level = 0; level < levels.count(); ++level) {
    const double y = level_y(levels, level) + 4;
    svg += svg_text({words_px, y},
                    level == 0 ? platforms::describe(platforms::size_of(machine))
                               : counted(levels.switches(level).size(), "switch"),
                    bold_text);
    if (level + 1 == levels.count()) continue;
    Place at{words_px, y - level_px / 2};
    for (const auto& line : describe(levels.above(level))) {
      svg += svg_text(at, line, plain_text);
      at.y += line_px;
    }
    if (level > 0) svg += svg_oversubscription(at, levels.above(level - 1), levels.above(level));
  }
  return svg;
}

std::string levels_picture(const platforms::Machine& machine, const platforms::Graph& graph,
                           const Levels& levels) {
  return LevelsPicture(machine, graph, levels).svg();
}

}  // namespace tutti::reports::schematics
