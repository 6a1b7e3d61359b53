// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/plots/looks.hpp"

namespace tutti::reports {
namespace {

using Place = std::pair<std::string_view, std::size_t>;

// Sorted by name, without those of other sets (Algorithm::set), which get the colors that a picture
// leaves. Give a new algorithm an index that no other algorithm of its collective has, and
// keep the existing ones, so that pictures of different versions agree.
constexpr auto known_places = std::to_array<Place>({
    {"allgather_as_allgatherv", 12},
    {"allgather_as_allreduce", 13},
    {"allgather_as_alltoall", 11},
    {"allgather_as_gather_bcast", 10},
    {"allreduce_as_reduce_bcast", 12},
    {"allreduce_as_reducescatter_allgatherv", 13},
    {"allreduce_as_reducescatterblock_allgather", 10},
    {"alltoall_as_alltoallv", 12},
    {"auto", 6},
    {"basic_linear", 1},
    {"bcast_as_allgatherv", 12},
    {"bcast_as_scatter_allgather", 13},
    {"binary", 9},
    {"binary_tree", 9},
    {"binomial", 3},
    {"bruck", 4},
    {"butterfly", 4},
    {"chain", 4},
    {"default", 6},
    {"double_ring", 2},
    {"dynamic_gen2", 1},
    {"gather_as_allgather", 12},
    {"gather_as_gatherv", 13},
    {"gather_as_reduce", 11},
    {"generic", 6},
    {"han", 15},
    {"han_reproducible", 16},
    {"han_simple", 17},
    {"hardware", 14},
    {"hierarchical", 5},
    {"in-order_binary", 12},
    {"knomial", 0},
    {"linear", 1},
    {"linear_nb", 4},
    {"linear_sync", 7},
    {"modified_bruck", 4},
    {"neighbor", 3},
    {"non-overlapping", 3},
    {"nonoverlapping", 3},
    {"pairwise", 2},
    {"pipeline", 7},
    {"rabenseifner", 8},
    {"recursive_doubling", 0},
    {"recursive_halving", 8},
    {"redscat_allgather", 8},
    {"reduce_as_allreduce", 13},
    {"reduce_as_reducescatter", 11},
    {"reduce_as_reducescatter_gatherv", 10},
    {"reduce_as_reducescatterblock_gather", 0},
    {"reduce_scatter_allgather", 4},
    {"reducescatterblock_as_allreduce", 12},
    {"reducescatterblock_as_reduce_scatter", 13},
    {"reducescatterblock_as_reducescatter", 11},
    {"ring", 2},
    {"romio", 4},
    {"scan_as_exscan_reducelocal", 12},
    {"scatter_allgather", 8},
    {"scatter_allgather_ring", 2},
    {"scatter_as_bcast", 12},
    {"scatter_as_scatterv", 13},
    {"segmented_ring", 11},
    {"split_binary_tree", 10},
    {"tree", 3},
    {"two_phase", 2},
    {"two_proc", 9},
    {"vulcan", 0},
});

// "hierarchical" for "hierarchical:inter=ring".
std::string_view without_parameters(std::string_view name) {
  return name.substr(0, name.find(':'));
}

// The first unused index, else the next one in turn.
std::size_t free_place(const std::vector<std::size_t>& used, std::size_t series) {
  for (std::size_t place = 0; place < palette.size(); ++place)
    if (used[place] == 0) return place;
  return series % palette.size();
}

}  // namespace

std::optional<std::size_t> place_of_algorithm(std::string_view name) {
  const auto entry = std::ranges::find(known_places, without_parameters(name), &Place::first);
  return entry == known_places.end() ? std::nullopt : std::optional(entry->second);
}

std::vector<SeriesLook> looks_of(const std::vector<std::string>& algorithms) {
  std::vector<std::optional<std::size_t>> known;
  std::vector<std::size_t> used(palette.size());
  std::map<std::string_view, std::size_t> of_unknown;
  for (const auto& name : algorithms) {
    known.push_back(place_of_algorithm(name));
    if (known.back()) ++used[*known.back() % palette.size()];
  }
  std::vector<SeriesLook> looks;
  std::vector<std::size_t> drawn(palette.size());
  for (std::size_t i = 0; i < algorithms.size(); ++i) {
    std::size_t place = 0;
    if (known[i]) {
      place = *known[i] % palette.size();
    } else if (const auto entry = of_unknown.find(algorithms[i]);
               entry != of_unknown.end() && !algorithms[i].empty()) {
      place = entry->second;
    } else {
      place = free_place(used, i);
      of_unknown[algorithms[i]] = place;
      ++used[place];
    }
    const std::size_t round = drawn[place]++;
    looks.push_back({place, (place + round) % mark_count, round});
  }
  return looks;
}

}  // namespace tutti::reports
