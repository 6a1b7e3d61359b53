// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/topologies/fat_tree.hpp"

namespace tutti::platforms {
namespace {

// Number of nodes of a level from 0 to the number of levels.
std::uint64_t nodes_at(const FatTreeShape& shape, std::size_t level) {
  std::uint64_t nodes = 1;
  for (std::size_t i = 0; i < shape.down.size(); ++i)
    nodes = saturating_product(nodes, i < level ? shape.up[i] : shape.down[i]);
  return nodes;
}

std::uint64_t cables_above(const FatTreeShape& shape, std::size_t level) {
  return saturating_product(saturating_product(nodes_at(shape, level), shape.up[level]),
                            shape.ports[level]);
}

}  // namespace

NetworkSize size_of(const FatTreeShape& shape) {
  const auto levels = shape.down.size();
  NetworkSize size{.hosts = nodes_at(shape, 0)};
  for (std::size_t level = 0; level <= levels; ++level)
    size.nodes = saturating_sum(size.nodes, nodes_at(shape, level));
  for (std::size_t level = 0; level < levels; ++level)
    size.cables = saturating_sum(size.cables, cables_above(shape, level));
  return size;
}

FatTree::FatTree(ClusterSpec spec, const FatTreeShape& shape)
    : CableCluster(std::move(spec), size_of(shape)) {
  TUTTI_CHECK(!shape.down.empty() && shape.down.size() <= most_levels, "no such fat tree");
  std::uint32_t weight = 1;
  std::uint32_t cable = 0;
  std::uint32_t node = 0;
  for (std::size_t l = 0; l < shape.down.size(); ++l) {
    const auto parents = node + static_cast<std::uint32_t>(nodes_at(shape, l));
    levels_.push_back({.down = Divisor(shape.down[l]),
                       .up = Divisor(shape.up[l]),
                       .ports = Divisor(shape.ports[l]),
                       .way = Divisor(shape.up[l] * shape.ports[l]),
                       .weight = weight,
                       .first_cable = cable,
                       .first_child = node,
                       .first_parent = parents});
    weight *= shape.up[l];
    cable += static_cast<std::uint32_t>(cables_above(shape, l));
    node = parents;
    parallel_ = parallel_ || shape.ports[l] > 1;
  }
}

void FatTree::route(HostId source, HostId destination, std::vector<LinkId>& links) const {
  std::array<Step, most_levels + 1> steps;
  std::array<LinkId, 2 * most_levels> upward;
  std::size_t count = 0;
  std::uint32_t from = source;                   // without the lowest digits
  std::uint32_t to = destination;                // without the lowest digits
  std::uint32_t way = host_number(destination);  // d-mod-k: divided by the parents per level
  std::uint32_t low = 0;                         // digits of the parents selected so far
  std::size_t top = 0;
  do {
    const Level& level = levels_[top];
    const std::uint32_t position = low + from * level.weight;
    if (has_limiters()) upward[count++] = limiter(level.first_child + position);
    const auto [port, parent] = level.up.divide(level.way.divide(way).rest);
    upward[count++] =
        up(level.first_cable + (position * level.up.value() + parent) * level.ports.value() + port);
    const auto [branch, digit] = level.down.divide(to);
    steps[top++] = {low + to * level.weight, digit, parent};
    low += parent * level.weight;
    from = level.down.quotient(from);
    to = branch;
    way = level.up.quotient(way);
  } while (from != to);
  const Level& last = levels_[top - 1];
  steps[top].position = low + to * last.weight * last.up.value();
  links.insert(links.end(), upward.begin(), upward.begin() + count);
  go_down(source, top, steps.data(), links);
  if (has_limiters()) links.push_back(limiter(destination));
}

// Selects among parallel links on the way down. SimGrid searches the list of a switch's links (all
// children at port 0, all at port 1, ...) for the child, starting at port source modulo ports. In
// the next switch it continues from the same position in the list and restarts only at its end.
class FatTree::DownPort {
 public:
  explicit DownPort(std::uint32_t source) : source_(source) {}

  std::uint32_t next(const Level& level, std::uint32_t digit) {
    std::uint32_t port = 0;
    if (begin_ > digit) port = level.down.quotient(begin_ - digit + level.down.value() - 1);
    if (begin_ == 0 || port >= level.ports.value()) port = level.ports.divide(source_).rest;
    begin_ = port * level.down.value() + digit + 1;
    return port;
  }

 private:
  std::uint32_t source_;
  std::uint32_t begin_ = 0;  // position in the list; 0: before the first search
};

void FatTree::go_down(HostId source, std::size_t top, const Step* steps,
                      std::vector<LinkId>& links) const {
  DownPort ports(host_number(source));
  while (top-- > 0) {
    const Level& level = levels_[top];
    const Step& step = steps[top];
    const std::uint32_t port = parallel_ ? ports.next(level, step.digit) : 0;
    links.push_back(down(level.first_cable +
                         (step.position * level.up.value() + step.parent) * level.ports.value() +
                         port));
    if (has_limiters()) links.push_back(limiter(level.first_parent + steps[top + 1].position));
  }
}

std::size_t FatTree::meeting_level(HostId a, HostId b) const {
  std::size_t level = 0;
  do {
    a = levels_[level].down.quotient(a);
    b = levels_[level].down.quotient(b);
    ++level;
  } while (a != b);
  return level;
}

std::uint32_t FatTree::shortest_paths(const RouteEnds& ends) const {
  const auto top = meeting_level(ends.source, ends.destination);
  std::uint64_t count = 1;
  for (std::size_t l = 0; l < top; ++l)
    count =
        saturating_product(count, std::uint64_t{levels_[l].way.value()} * levels_[l].ports.value());
  return saturating_count(count);
}

// From the lowest level on, the number has three digits per level: the parent, the port on the way
// up, the port on the way down.
void FatTree::shortest_path(const RouteEnds& ends, std::uint32_t number,
                            std::vector<LinkId>& links) const {
  TUTTI_CHECK(number < shortest_paths(ends), "no such path");
  const auto top = meeting_level(ends.source, ends.destination);
  std::array<LinkId, most_levels> below{};
  std::array<std::uint32_t, most_levels> lower{};  // nodes on the way down, by level
  std::uint32_t from = ends.source;
  std::uint32_t to = ends.destination;
  std::uint32_t low = 0;  // digits of the parents selected so far
  const auto take = [&number](const Divisor& base) {
    const auto [rest, digit] = base.divide(number);
    number = rest;
    return digit;
  };
  for (std::size_t l = 0; l < top; ++l) {
    const Level& level = levels_[l];
    const auto parent = take(level.up);
    const auto cable = [&](std::uint32_t branch, std::uint32_t port) {
      const auto position = low + branch * level.weight;
      return level.first_cable + (position * level.up.value() + parent) * level.ports.value() +
             port;
    };
    if (has_limiters()) links.push_back(limiter(level.first_child + low + from * level.weight));
    links.push_back(up(cable(from, take(level.ports))));
    below[l] = down(cable(to, take(level.ports)));
    low += parent * level.weight;
    from = level.down.quotient(from);
    to = level.down.quotient(to);
    lower[l] = level.first_parent + low + to * level.weight * level.up.value();
  }
  for (std::size_t l = top; l-- > 0;) {
    links.push_back(below[l]);
    if (has_limiters()) links.push_back(limiter(lower[l]));
  }
  if (has_limiters()) links.push_back(limiter(ends.destination));
}

const FatTree::Level& FatTree::level_of(std::uint32_t cable) const {
  const auto above =
      std::upper_bound(levels_.begin(), levels_.end(), cable,
                       [](std::uint32_t c, const Level& level) { return c < level.first_cable; });
  return *(above - 1);
}

FatTree::Ends FatTree::ends(std::uint32_t cable) const {
  const Level& level = level_of(cable);
  const auto [position, parent] = level.up.divide(level.ports.quotient(cable - level.first_cable));
  const std::uint32_t low = position % level.weight;
  const std::uint32_t branch = level.down.quotient(position / level.weight);
  const std::uint32_t weight_above = level.weight * level.up.value();
  return {level.first_child + position,
          level.first_parent + low + parent * level.weight + branch * weight_above};
}

// SimGrid numbers switches downward from 2 * hosts - 1; with more than 2 * hosts switches, the
// numbers become negative.
std::int64_t FatTree::switch_number(std::uint32_t node) const {
  const std::int64_t hosts = host_count();
  return node < hosts ? node : 2 * hosts - 1 - (node - hosts);
}

std::string FatTree::cable_name(std::uint32_t cable) const {
  const auto [child, parent] = ends(cable);
  return fmt::format("link_from_{}_{}_{}", switch_number(child), switch_number(parent),
                     cable_number(cable));
}

// SimGrid has no limiter for a switch whose number is that of a host; here these continue after 2 *
// hosts.
std::int64_t FatTree::limiter_number(std::uint32_t node) const {
  return node < 2 * host_count() ? switch_number(node) : node;
}

// Two hosts that differ in the highest digit with more than one value have their nearest common
// ancestor in the highest possible level.
std::optional<std::pair<HostId, HostId>> FatTree::farthest_hosts() const {
  return std::pair<HostId, HostId>(0, host_count() - 1);
}

std::optional<LeafSwitches> FatTree::leaf_switches() const {
  const Level& lowest = levels_.front();
  if (lowest.up.value() > 1) return std::nullopt;
  return leaf_switches_of(lowest.down.value(), lowest.ports.value());
}

Graph FatTree::graph() const {
  Graph graph{.hosts = host_count(), .switches = {}, .edges = {}};
  std::uint32_t cable = 0;
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const Level& level = levels_[l];
    const auto children = level.first_parent - level.first_child;
    for (const auto end = cable + children * level.way.value(); cable < end; ++cable)
      connect(graph, ends(cable).child, ends(cable).parent, cable);
    const auto parents = children / level.down.value() * level.up.value();
    for (std::uint32_t position = 0; position < parents; ++position)
      graph.switches.push_back(fmt::format("{}_switch_{}_{}", spec().id, l + 1, position));
  }
  return graph;
}

}  // namespace tutti::platforms
