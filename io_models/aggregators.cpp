// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/aggregators.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"

namespace tutti::io_models {

using runtime::RankId;

namespace {

// Ranks by how many of their node come before them, then by themselves.
std::vector<RankId> over_nodes(int aggregators, const platforms::Placement& placement) {
  const auto& host_of = placement.host_of;
  std::vector<int> seen(host_of.empty() ? 0 : *std::ranges::max_element(host_of) + 1);
  std::vector<int> turn;
  for (const auto host : host_of) turn.push_back(seen[host]++);
  std::vector<RankId> ranks(host_of.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  std::ranges::stable_sort(ranks, {}, [&](RankId rank) { return turn[rank]; });
  ranks.resize(aggregators);
  return ranks;
}

}  // namespace

Result<AggregatorPlacement> parse_aggregator_placement(std::string_view word) {
  const std::vector<std::string> names(std::begin(placement_names), std::end(placement_names));
  const auto found = std::ranges::find(names, word);
  if (found != names.end()) return static_cast<AggregatorPlacement>(found - names.begin());
  return usage_error(
      "", fmt::format("{} is no placement", in_quotes(word)),
      did_you_mean(word, names, fmt::format("there are: {}, file:PATH", fmt::join(names, ", "))));
}

std::vector<RankId> place_aggregators(AggregatorPlacement how, int aggregators,
                                      const platforms::Placement& placement) {
  if (how == AggregatorPlacement::nodes) return over_nodes(aggregators, placement);
  const auto procs = static_cast<std::int64_t>(placement.host_of.size());
  std::vector<RankId> ranks;
  for (std::int64_t i = 0; i < aggregators; ++i) {
    std::int64_t rank = i;
    if (how == AggregatorPlacement::spread) rank = i * procs / aggregators;
    if (how == AggregatorPlacement::groups)
      rank = i * (procs / aggregators) + std::min(i, procs % aggregators);
    ranks.push_back(static_cast<RankId>(rank));
  }
  return ranks;
}

}  // namespace tutti::io_models
