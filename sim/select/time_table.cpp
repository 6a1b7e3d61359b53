// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/time_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tutti::studies::select {

std::string label_of(const Candidate& candidate) {
  std::string label = candidate.algorithm;
  if (candidate.fanout > 0) label += fmt::format(", fan-out {}", candidate.fanout);
  if (candidate.segment_bytes > 0)
    label += fmt::format(", segments {}", format_bytes(candidate.segment_bytes));
  if (candidate.max_requests > 0) label += fmt::format(", {} requests", candidate.max_requests);
  return label;
}

bool is_rival(const Candidate& candidate, Rivals rivals) {
  return candidate.competes && (candidate.in_rules_file || rivals == Rivals::all);
}

std::optional<std::size_t> best_of(const TimeTable& table, const TimedCell& cell, Rivals rivals) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < cell.times_s.size(); ++i) {
    if (!cell.times_s[i] || !is_rival(table.candidates[i], rivals)) continue;
    if (!best || *cell.times_s[i] < *cell.times_s[*best]) best = i;
  }
  return best;
}

std::optional<Seconds> least_own(const TimedCell& cell) {
  std::optional<Seconds> least_s;
  for (const auto& own_s : cell.own_s)
    if (own_s) least_s = std::min(*own_s, least_s.value_or(*own_s));
  return least_s;
}

double loss_of(Seconds time_s, Seconds best_s) {
  if (time_s <= best_s) return 0;
  return best_s > 0 ? time_s / best_s - 1 : std::numeric_limits<double>::infinity();
}

}  // namespace tutti::studies::select
