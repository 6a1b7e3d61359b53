// SPDX-License-Identifier: BSD-3-Clause
#include "sim/place/place.hpp"

#include "platforms/placing/map_words.hpp"
#include "platforms/placing/rank_file.hpp"
#include "sim/base/random.hpp"
#include "sim/jobs/packed_answer.hpp"
#include "sim/jobs/study_point.hpp"

namespace tutti::studies::place {
namespace {

using platforms::HostId;
using platforms::Machine;
using platforms::MapPolicy;
using platforms::Placement;
using platforms::PlacementRequest;

constexpr int neighbors_in_round = 8;
constexpr std::size_t most_ordered = 4096;
constexpr double first_threshold = 0.1;
constexpr double least_reported = 1e-3;  // relative; for less, a rule is simpler than a file
constexpr double least_gain = 1e-9;      // relative; smaller differences are rounding

// Simulates the calls under placements, each different one once.
class PlacedCalls {
 public:
  PlacedCalls(const PlaceSpec& spec, const Machine& machine, const RunPoints& run)
      : spec_(spec), machine_(machine), run_(run) {}

  // The calls under each placement; an empty list if one of them has failed. Errors: calls that
  // cannot run.
  Result<std::vector<std::vector<Record>>> simulate(const std::vector<Placement>& placements) {
    std::vector<Point> points;
    std::vector<std::pair<Key, std::size_t>> fresh;  // with the number of points
    for (const Placement& placement : placements) {
      const Key key = make_key(placement);
      if (known_.contains(key)) continue;
      known_[key];
      const auto before = points.size();
      for (const Sweep& sweep : spec_.sweeps)
        for (Point& point : TUTTI_TRY(make_points(place_sweep(sweep, placement), machine_)).all)
          points.push_back(std::move(point));
      fresh.emplace_back(key, points.size() - before);
    }
    take_answers(run_points(points), fresh);
    std::vector<std::vector<Record>> calls;
    for (const Placement& placement : placements) calls.push_back(known_.at(make_key(placement)));
    return calls;
  }

  std::size_t count() const { return known_.size(); }
  const PointsRun& run() const { return done_; }

 private:
  using Key = std::pair<std::vector<HostId>, std::vector<int>>;

  // Cores matter only if a node has several sockets.
  Key make_key(const Placement& placement) const {
    if (machine_.sockets.count <= 1) return {placement.host_of, {}};
    return {placement.host_of, platforms::cores_of(placement, machine_)};
  }

  Sweep place_sweep(Sweep sweep, const Placement& placement) const {
    sweep.ppn.clear();
    sweep.skips_impossible = false;
    sweep.common.placement = {
        .procs = spec_.usual.procs,
        .policy = MapPolicy::rank_file,
        .file = "placement",
        .map_text = std::make_shared<const std::string>(rank_file_text(placement, machine_)),
        .oversubscribe = spec_.usual.oversubscribe};
    return sweep;
  }

  PointsRun run_points(const std::vector<Point>& points) const {
    std::vector<StudyPoint> all;
    for (const Point& point : points)
      all.push_back(
          simulation_of(point, [&point, this] { return packed_answer(point, machine_, nullptr); }));
    return all.empty() ? PointsRun{} : run_(all);
  }

  void take_answers(const PointsRun& run, const std::vector<std::pair<Key, std::size_t>>& fresh) {
    std::size_t at = 0;
    for (const auto& [key, count] : fresh) {
      std::vector<Record> calls;
      for (std::size_t i = at; i < at + count; ++i)
        if (run.answers[i]) calls.push_back(unpacked_answer<Answer>(*run.answers[i]).record);
      if (calls.size() == count) known_[key] = std::move(calls);
      at += count;
    }
    done_.add(run);
  }

  const PlaceSpec& spec_;
  const Machine& machine_;
  const RunPoints& run_;
  std::map<Key, std::vector<Record>> known_;
  PointsRun done_;
};

// Geometric mean of the ratios of times. Calls without a time in both do not count.
double mean_ratio(const std::vector<Record>& calls, const std::vector<Record>& usual) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < std::min(calls.size(), usual.size()); ++i) {
    const auto time_s = calls[i].time_s.value_or(0), usual_s = usual[i].time_s.value_or(0);
    if (!(time_s > 0) || !(usual_s > 0)) continue;
    sum += std::log(time_s / usual_s);
    ++count;
  }
  return count == 0 ? 1 : std::exp(sum / count);
}

// Sorts by ratio and sets the ranks. Ratios that differ by rounding only are ties, which keep their
// order.
void rank(std::vector<Placed>& all) {
  std::vector<Placed> sorted;
  while (!all.empty()) {
    const double least = std::ranges::min_element(all, {}, &Placed::ratio)->ratio;
    const int rank = 1 + static_cast<int>(sorted.size());
    const auto rest = std::ranges::stable_partition(
        all, [&](const Placed& placed) { return placed.ratio <= least * (1 + least_gain); });
    for (auto placed = all.begin(); placed != rest.begin(); ++placed) {
      placed->rank = rank;
      sorted.push_back(std::move(*placed));
    }
    all.erase(all.begin(), rest.begin());
  }
  all = std::move(sorted);
}

void recount(Placement& placement) {
  std::map<HostId, int> ranks;
  for (const HostId host : placement.host_of) ++ranks[host];
  placement.nodes = static_cast<int>(ranks.size());
  placement.ppn =
      std::ranges::max_element(ranks, {}, [](auto& node) { return node.second; })->second;
}

// The nodes of a placement, each with the cores that its ranks occupy.
std::map<HostId, std::vector<int>> cores_by_node(const Placement& placement,
                                                 const Machine& machine) {
  const auto cores = platforms::cores_of(placement, machine);
  std::map<HostId, std::vector<int>> all;
  for (std::size_t rank = 0; rank < cores.size(); ++rank)
    all[placement.host_of[rank]].push_back(cores[rank]);
  for (auto& [host, occupied] : all) std::ranges::sort(occupied);
  return all;
}

// Ranks fill the cores of the usual placement, nearest nodes one after the other.
Placement by_topology(const Placement& usual, const Machine& machine) {
  const auto cores = cores_by_node(usual, machine);
  std::vector<HostId> nodes;
  for (const auto& [host, unused] : cores) nodes.push_back(host);
  Placement placement = usual;
  placement.host_of.clear();
  placement.core_of.clear();
  for (const HostId host : by_distance(std::move(nodes), machine))
    for (const int core : cores.at(host)) {
      placement.host_of.push_back(host);
      placement.core_of.push_back(core);
    }
  return placement;
}

// The request of a rule on the same nodes. A file names these nodes and the ranks on each.
PlacementRequest rules_on(PlacementRequest usual, const Placement& placement,
                          const Machine& machine) {
  if (usual.file.empty()) return usual;
  platforms::Allocation nodes{.name = "these nodes", .nodes = {}};
  for (const auto& [host, unused] : cores_by_node(placement, machine))
    nodes.nodes.push_back(machine.topology->host_name(host));
  usual.allocation = std::make_shared<const platforms::Allocation>(std::move(nodes));
  usual.fragmentation.reset();
  usual.ppn = placement.ppn;
  usual.file.clear();
  usual.map_text = nullptr;
  return usual;
}

// The placements to compare, the usual one first.
Result<std::vector<Placed>> make_candidates(const PlaceSpec& spec, const Machine& machine) {
  std::vector<Placed> candidates;
  const auto add = [&](const PlacementRequest& request) {
    const auto name = platforms::map_word_of(request);
    if (std::ranges::find(candidates, name, &Placed::name) != candidates.end()) return;
    if (auto placement = platforms::place(machine, request))
      candidates.push_back({.name = name, .placement = *std::move(placement)});
  };
  candidates.push_back({.name = platforms::map_word_of(spec.usual),
                        .placement = TUTTI_TRY(platforms::place(machine, spec.usual))});
  PlacementRequest other = rules_on(spec.usual, candidates.front().placement, machine);
  for (const auto policy : {MapPolicy::block, MapPolicy::round_robin}) {
    other.policy = policy;
    add(other);
  }
  candidates.push_back(
      {.name = "by topology", .placement = by_topology(candidates.front().placement, machine)});
  other.policy = MapPolicy::random;
  for (int i = 0; i < spec.randoms; ++i) {
    other.seed = spec.seed + static_cast<std::uint64_t>(i);
    add(other);
  }
  return candidates;
}

// Exchanges two nodes, or two ranks of different nodes (or cores, with several sockets).
class Exchanges {
 public:
  Exchanges(const Placement& placement, const Machine& machine, std::uint64_t seed)
      : has_sockets_(machine.sockets.count > 1), seed_(seed) {
    for (const auto& [host, cores] : cores_by_node(placement, machine)) nodes_.push_back(host);
    // Nodes may be exchanged if each has the cores for the other's ranks.
    for (const HostId host : nodes_) cores_.push_back(machine.cores_of(host));
  }

  bool any() const { return nodes_.size() > 1 || has_sockets_; }

  // Applies the exchange of this number to a placement with cores; unset if it changes nothing.
  std::optional<Placement> apply(Placement placement, std::uint64_t number) const {
    const auto draw = [&](std::uint64_t index, std::size_t count) {
      return random_bits(seed_, number, index) % count;
    };
    if (draw(0, 2) == 0 && nodes_.size() > 2) {
      const auto a = draw(1, nodes_.size()), b = draw(2, nodes_.size());
      if (a == b || cores_[a] != cores_[b]) return std::nullopt;
      for (HostId& host : placement.host_of)
        host = host == nodes_[a] ? nodes_[b] : host == nodes_[b] ? nodes_[a] : host;
      return placement;
    }
    const auto a = draw(1, placement.host_of.size()), b = draw(2, placement.host_of.size());
    if (placement.host_of[a] == placement.host_of[b] && !(has_sockets_ && a != b))
      return std::nullopt;
    std::swap(placement.host_of[a], placement.host_of[b]);
    std::swap(placement.core_of[a], placement.core_of[b]);
    return placement;
  }

 private:
  bool has_sockets_;
  std::uint64_t seed_;
  std::vector<HostId> nodes_;
  std::vector<int> cores_;
};

// Threshold accepting (Dueck, Scheuer, J. Comput. Phys. 90, 1990): each round continues from its
// fastest neighbor, unless that is slower than the current placement by more than a threshold,
// which decreases to 0. One exchange rarely changes the time, since it is the slowest rank's.
class PlacementSearch {
 public:
  PlacementSearch(const PlaceSpec& spec, const Machine& machine, PlacedCalls& simulations,
                  Placements& placements)
      : spec_(spec), machine_(machine), simulations_(simulations), placements_(placements) {}

  std::optional<Error> run() {
    Placed current = placements_.all.front();
    current.placement.core_of = platforms::cores_of(current.placement, machine_);
    const Exchanges exchanges(current.placement, machine_, spec_.seed);
    if (!exchanges.any()) return std::nullopt;
    Placed best = current;
    for (int left = spec_.budget; left > 0 && !simulations_.run().is_stopped;) {
      const auto neighbors =
          draw_neighbors(current.placement, exchanges, std::min(left, neighbors_in_round));
      if (neighbors.empty()) break;
      left -= static_cast<int>(neighbors.size());
      ++placements_.rounds;
      const auto calls = TUTTI_TRY(simulations_.simulate(neighbors));
      take_fastest(neighbors, calls, left, current);
      if (current.ratio < best.ratio * (1 - least_gain)) best = current;
    }
    if (!(best.ratio < placements_.all.front().ratio * (1 - least_reported))) return std::nullopt;
    best.name = "search from " + placements_.all.front().name;
    recount(best.placement);
    placements_.all.insert(placements_.all.begin(), std::move(best));
    return std::nullopt;
  }

 private:
  void take_fastest(const std::vector<Placement>& neighbors,
                    const std::vector<std::vector<Record>>& calls, int left,
                    Placed& current) const {
    const double threshold = first_threshold * left / spec_.budget;
    std::optional<std::size_t> fastest;
    double least = current.ratio * (1 + threshold);
    for (std::size_t i = 0; i < neighbors.size(); ++i) {
      if (calls[i].empty()) continue;
      const double ratio = mean_ratio(calls[i], placements_.usual_calls);
      if (ratio > least) continue;
      least = ratio;
      fastest = i;
    }
    if (fastest) current = {current.name, neighbors[*fastest], calls[*fastest], least};
  }

  // The next `count` neighbors; fewer if no exchange changes anything.
  std::vector<Placement> draw_neighbors(const Placement& placement, const Exchanges& exchanges,
                                        int count) {
    constexpr int most_tries = 1000;
    std::vector<Placement> neighbors;
    for (int tries = 0; std::ssize(neighbors) < count && tries < most_tries; ++tries)
      if (auto neighbor = exchanges.apply(placement, next_++))
        neighbors.push_back(*std::move(neighbor));
    return neighbors;
  }

  const PlaceSpec& spec_;
  const Machine& machine_;
  PlacedCalls& simulations_;
  Placements& placements_;
  std::uint64_t next_ = 0;
};

}  // namespace

std::vector<HostId> by_distance(std::vector<HostId> nodes, const Machine& machine) {
  std::ranges::sort(nodes);
  if (nodes.size() > most_ordered) return nodes;
  std::vector<platforms::LinkId> links;
  const auto distance = [&](HostId from, HostId to) {
    links.clear();
    machine.topology->route(from, to, links);
    return links.size();
  };
  for (std::size_t i = 0; i + 2 < nodes.size(); ++i) {
    const auto next = nodes.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    auto nearest = next;
    auto least = distance(nodes[i], *next);
    for (auto at = next + 1; at != nodes.end(); ++at)
      if (const auto links_to_node = distance(nodes[i], *at); links_to_node < least) {
        nearest = at;
        least = links_to_node;
      }
    std::rotate(next, nearest, nearest + 1);  // the others remain in order
  }
  return nodes;
}

Result<Placements> compare_placements(const PlaceSpec& spec, const Machine& machine,
                                      const RunPoints& run) {
  auto candidates = TUTTI_TRY(make_candidates(spec, machine));
  PlacedCalls simulations(spec, machine, run);
  std::vector<Placement> placements;
  for (const Placed& placed : candidates) placements.push_back(placed.placement);
  auto calls = TUTTI_TRY(simulations.simulate(placements));
  Placements result;
  result.usual = candidates.front().name;
  result.usual_calls = calls.front();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    candidates[i].calls = std::move(calls[i]);
    candidates[i].ratio = mean_ratio(candidates[i].calls, result.usual_calls);
    if (candidates[i].calls.empty())
      result.omitted.push_back(candidates[i].name);
    else
      result.all.push_back(std::move(candidates[i]));
  }
  if (!result.usual_calls.empty()) {
    rank(result.all);
    if (spec.budget > 0)
      if (const auto error = PlacementSearch(spec, machine, simulations, result).run())
        return *error;
    rank(result.all);
  }
  result.simulated = simulations.count();
  result.run = simulations.run();
  return result;
}

}  // namespace tutti::studies::place
