// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/guidelines/mockup.hpp"

#include "algorithms/guidelines/mockup_texts.hpp"
#include "algorithms/guidelines/mockups.hpp"

namespace tutti::algorithms::guidelines {

namespace {

std::vector<Mockup> read_tables() {
  std::vector<Mockup> all;
  for (const auto table : {moving_mockups, reducing_mockups, moving_lane_mockups,
                           reducing_lane_mockups, circulant_mockups})
    std::ranges::move(table(), std::back_inserter(all));
  std::ranges::sort(all, {}, [](const Mockup& mockup) {
    return std::ranges::find(mockup_texts, mockup.guideline, &MockupText::guideline);
  });
  return all;
}

}  // namespace

std::span<const Mockup* const> all_mockups() {
  static const std::vector<Mockup> mockups = read_tables();
  static const std::vector<const Mockup*> pointers = [] {
    std::vector<const Mockup*> all;
    for (const Mockup& mockup : mockups) all.push_back(&mockup);
    return all;
  }();
  return pointers;
}

std::vector<const Mockup*> find_mockups(std::string_view collective) {
  std::vector<const Mockup*> mockups;
  for (const Mockup* mockup : all_mockups())
    if (mockup->algorithm.collective == collective) mockups.push_back(mockup);
  return mockups;
}

const Mockup* find_mockup(std::string_view collective, std::string_view name) {
  for (const Mockup* mockup : find_mockups(collective))
    if (mockup->algorithm.name == name) return mockup;
  return nullptr;
}

const Algorithm* find_algorithm_or_mockup(std::string_view collective, std::string_view name) {
  if (const Algorithm* algorithm = find_algorithm(collective, name)) return algorithm;
  const Mockup* mockup = find_mockup(collective, name);
  return mockup == nullptr ? nullptr : &mockup->algorithm;
}

}  // namespace tutti::algorithms::guidelines
