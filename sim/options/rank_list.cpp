// SPDX-License-Identifier: BSD-3-Clause
#include "sim/options/rank_list.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "platforms/placement.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/split.hpp"
#include "sim/base/units.hpp"

namespace tutti::options {
namespace {

using engines::RankRange;

Error wrong(std::string message) {
  return usage_error("", std::move(message), "ranks are as in 0-15,20");
}

Result<runtime::RankId> parse_rank(std::string_view text) {
  const auto rank = parse_integer(text);
  if (!rank || *rank < 0 || *rank >= platforms::most_procs)
    return wrong(fmt::format("{} is no rank", in_quotes(text)));
  return static_cast<runtime::RankId>(*rank);
}

Result<RankRange> parse_range(std::string_view text) {
  const auto dash = text.find('-', 1);
  const auto first = TUTTI_TRY(parse_rank(text.substr(0, dash)));
  if (dash == std::string_view::npos) return RankRange{first, first};
  const auto last = TUTTI_TRY(parse_rank(text.substr(dash + 1)));
  if (last < first) return wrong(fmt::format("{} goes down", in_quotes(text)));
  return RankRange{first, last};
}

}  // namespace

Result<std::vector<RankRange>> parse_ranks(std::string_view text) {
  std::vector<RankRange> ranges;
  for (const auto part : split(text, ',')) {
    const auto range = TUTTI_TRY(parse_range(part));
    ranges.push_back(range);
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const RankRange& a, const RankRange& b) { return a.first < b.first; });
  std::vector<RankRange> merged;
  for (const RankRange& each : ranges) {
    if (!merged.empty() && each.first <= merged.back().last + 1)
      merged.back().last = std::max(merged.back().last, each.last);
    else
      merged.push_back(each);
  }
  return merged;
}

std::vector<RankRange> below(std::vector<RankRange> ranks, int procs) {
  std::erase_if(ranks, [&](const RankRange& each) { return each.first >= procs; });
  if (!ranks.empty()) ranks.back().last = std::min(ranks.back().last, procs - 1);
  return ranks;
}

}  // namespace tutti::options
