// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/plots/looks.hpp"

#include "sim/reports/plots/looks.texts.hpp"

namespace tutti::reports {
namespace {

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
  static const auto places = [] {
    std::map<std::string_view, std::size_t> all;
    for (const auto line : split(texts::looks["looks"], '\n'))
      if (const auto space = line.find(' '); !line.starts_with('#') && space != line.npos)
        all[line.substr(0, space)] =
            static_cast<std::size_t>(parse_integer(line.substr(space + 1)).value());
    return all;
  }();
  const auto entry = places.find(without_parameters(name));
  return entry == places.end() ? std::nullopt : std::optional(entry->second);
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
