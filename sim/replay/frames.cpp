// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/frames.hpp"

#include <fnmatch.h>

namespace tutti::studies::replay {

bool matches_pattern(const std::string& pattern, const std::string& name) {
  return !pattern.empty() && ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

namespace {

// The names of the calls in "(MPI_Recv to MPI_Send)"; empty if it is something else.
std::optional<std::pair<std::string, std::string>> calls_of(const std::string& region) {
  constexpr std::string_view to = " to ";
  const auto middle = region.find(to);
  if (middle == std::string::npos || !region.starts_with('(') || !region.ends_with(')'))
    return std::nullopt;
  const auto end = middle + to.size();
  return std::pair(region.substr(1, middle - 1), region.substr(end, region.size() - end - 1));
}

}  // namespace

std::string between_calls(const std::string& from, const std::string& to) {
  return fmt::format("({} to {})", from, to);
}

PartsOfRegions::PartsOfRegions(const Hypothesis& hypothesis,
                               const std::vector<workloads::traces::TraceRegion>& regions)
    : regions_(regions.size()) {
  std::size_t number = 0;
  const auto add = [&](Parts& kind, const std::string& region, const std::string& within,
                       const std::string& inner) {
    TUTTI_CHECK(number < most_parts, "few parts");
    const Parts bit = Parts{1} << number++;
    kind |= bit;
    if (within.empty()) without_within_ |= bit;
    if (region == outside_path) outside_.is_region |= bit;
    if (const auto calls = calls_of(region)) {
      auto& pair = pairs_.emplace_back(Pair{.bit = bit, .from = {}, .to = {}});
      for (const auto& call : regions) {
        pair.from.push_back(call.is_mpi && matches_pattern(calls->first, call.name));
        pair.to.push_back(call.is_mpi && matches_pattern(calls->second, call.name));
      }
    }
    for (std::size_t i = 0; i < regions.size(); ++i) {
      if (matches_pattern(region, regions[i].name)) regions_[i].is_region |= bit;
      if (matches_pattern(within, regions[i].name)) regions_[i].is_within |= bit;
      if (matches_pattern(inner, regions[i].name)) regions_[i].is_inner |= bit;
    }
  };
  for (const auto& scale : hypothesis.scales) add(scales_, scale.region, scale.within, scale.inner);
  for (const auto& balance : hypothesis.balances)
    add(balances_, balance.region, balance.within, "");
  for (const auto& cut : hypothesis.cuts)
    add(cut.region.empty() ? messages_ : cuts_, cut.region, cut.within, "");
}

}  // namespace tutti::studies::replay
