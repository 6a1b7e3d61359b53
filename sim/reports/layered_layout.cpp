// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "platforms/analysis/neighbours.hpp"
#include "sim/reports/layout.hpp"

namespace tutti::reports {
namespace {

using platforms::Graph;
using platforms::Neighbours;
using Vertices = std::vector<std::uint32_t>;

// Hosts that hang on the same switches.
struct Block {
  Vertices switches;
  Vertices hosts;
};

std::vector<Block> blocks_of(const Graph& graph, const Neighbours& neighbours) {
  std::map<Vertices, std::size_t> numbers;
  std::vector<Block> blocks;
  for (std::uint32_t host = 0; host < graph.hosts; ++host) {
    std::set<std::uint32_t> above;
    for (const auto next : neighbours.of(host))
      if (next >= graph.hosts) above.insert(next);
    const Vertices switches(above.begin(), above.end());
    const auto [number, is_new] = numbers.try_emplace(switches, blocks.size());
    if (is_new) blocks.push_back({switches, {}});
    blocks[number->second].hosts.push_back(host);
  }
  return blocks;
}

class Layers {
 public:
  explicit Layers(const Graph& graph)
      : graph_(graph),
        neighbours_(graph, Neighbours::Direction::both),
        blocks_(blocks_of(graph, neighbours_)) {
    layout_.at.resize(graph.hosts + graph.switches.size());
  }

  Layout made() {
    choose_columns();
    for (const auto& block : blocks_) place(block);
    width_ = x_ - between_blocks;
    layout_.trunk_top = -0.8;
    place_switches();
    return std::move(layout_);
  }

 private:
  static constexpr double between_blocks = 0.8;
  static constexpr double between_trunks = 0.3;
  static constexpr std::uint32_t most_in_a_row = 64;
  static constexpr std::size_t most_trunks = 3;  // of a column

  // One row if that is short enough; else so many columns a block that the hosts take the lower
  // fifth of the page.
  void choose_columns() {
    std::size_t most_hosts = 1;
    std::size_t most_switches = 0;
    for (const auto& block : blocks_) {
      most_hosts = std::max(most_hosts, block.hosts.size());
      most_switches = std::max(most_switches, block.switches.size());
    }
    columns_ = most_hosts;
    if (graph_.hosts <= most_in_a_row) return;
    if (most_switches > 0 && most_switches <= most_trunks)
      pitch_ = 1 + between_trunks * static_cast<double>(most_switches);
    const auto count = static_cast<double>(blocks_.size());
    for (columns_ = 1; columns_ < most_hosts; ++columns_) {
      const double width = count * (static_cast<double>(columns_) * pitch_ + between_blocks);
      const double rows = static_cast<double>(most_hosts) / static_cast<double>(columns_);
      if (rows <= 0.2 * width) break;
    }
  }

  void place(const Block& block) {
    const std::size_t count = block.hosts.size();
    const std::size_t rows = (count + columns_ - 1) / columns_;
    for (std::size_t i = 0; i < count; ++i) {
      const double x = x_ + pitch_ * static_cast<double>(i / rows);
      layout_.at[block.hosts[i]] = {x, static_cast<double>(i % rows)};
      if (pitch_ > 1)
        for (std::size_t s = 0; s < block.switches.size(); ++s)
          layout_.trunks[{block.hosts[i], block.switches[s]}] =
              x - 0.5 - between_trunks * static_cast<double>(s);
    }
    x_ += pitch_ * static_cast<double>((count + rows - 1) / rows) + between_blocks;
  }

  // The middle of what hangs below.
  double wish_of(std::uint32_t vertex, const Vertices& layer) const {
    double sum = 0;
    int below = 0;
    for (const auto next : neighbours_.of(vertex))
      if (layer[next] < layer[vertex]) {
        sum += layout_.at[next].x;
        ++below;
      }
    return below > 0 ? sum / below : 0;
  }

  void place_switches() {
    Vertices hosts(graph_.hosts);
    std::iota(hosts.begin(), hosts.end(), 0U);
    const auto layer = neighbours_.distances(hosts);
    std::map<std::uint32_t, Vertices> rows;
    for (auto vertex = graph_.hosts; vertex < layout_.at.size(); ++vertex)
      rows[layer[vertex]].push_back(vertex);
    // Cables need an angle; the first layer stands nearer to its hosts.
    const double height = std::max(2.0, 0.16 * width_);
    double y = -std::max(2.0, 0.06 * width_);
    for (auto& [distance, row] : rows) {
      std::map<std::uint32_t, double> wish;
      for (const auto vertex : row) wish[vertex] = wish_of(vertex, layer);
      std::stable_sort(row.begin(), row.end(), [&](auto a, auto b) { return wish[a] < wish[b]; });
      const auto count = static_cast<double>(row.size());
      const double step = std::max(1.0, (width_ + between_blocks) / count);
      double x = 0.5 * (width_ - pitch_ - step * (count - 1));
      for (const auto vertex : row) {
        layout_.at[vertex] = {x, y};
        x += step;
      }
      y -= height;
    }
  }

  const Graph& graph_;
  Neighbours neighbours_;
  std::vector<Block> blocks_;
  Layout layout_;
  std::size_t columns_ = 1;  // of a block
  double pitch_ = 1;         // of the columns; above 1: there are trunks between them
  double x_ = 0;             // where the next block begins
  double width_ = 1;
};

}  // namespace

Layout layered_layout(const Graph& graph) { return Layers(graph).made(); }

}  // namespace tutti::reports
