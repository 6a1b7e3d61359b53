// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/time_table.hpp"

#include "algorithms/selection/decision.hpp"
#include "sim/studies/run_point.hpp"

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

namespace {

using algorithms::Algorithm;
using algorithms::selection::Choice;

Choice own_choice(const std::string& collective, int procs, Bytes message_bytes) {
  return algorithms::selection::choose("ompi-4.1", {.collective = collective,
                                                    .procs = procs,
                                                    .message_bytes = message_bytes,
                                                    .elements = message_bytes})
      .value();
}

bool are_equal(const Choice& a, const Choice& b) {
  return a.algorithm == b.algorithm && a.segment_bytes == b.segment_bytes && a.fanout == b.fanout;
}

// Compares whether the algorithm runs, is rejected, or falls back.
bool behaves_similar(const Algorithm& algorithm, Bytes message_bytes, int procs, int other) {
  const algorithms::ModelArgs a{procs, {.message_bytes = message_bytes}};
  const algorithms::ModelArgs b{other, {.message_bytes = message_bytes}};
  if (algorithm.runs != nullptr && algorithm.runs(a) != algorithm.runs(b)) return false;
  return algorithm.falls_back_to == nullptr ||
         algorithm.falls_back_to(a).empty() == algorithm.falls_back_to(b).empty();
}

bool is_similar(const std::string& collective, Bytes message_bytes, int procs, int other) {
  if (!are_equal(own_choice(collective, procs, message_bytes),
                 own_choice(collective, other, message_bytes)))
    return false;
  return std::ranges::all_of(algorithms::algorithms_of(collective), [&](const Algorithm* each) {
    return each->id == 0 || !each->set.empty() ||
           behaves_similar(*each, message_bytes, procs, other);
  });
}

}  // namespace

std::vector<platforms::PlacementRequest> placements_of(const CellAxes& axes, int procs,
                                                       const platforms::Machine& machine) {
  std::vector<platforms::PlacementRequest> placements;
  for (auto placement : axes.placements) {
    placement.procs = procs;
    if (platforms::place(machine, placement)) placements.push_back(std::move(placement));
  }
  return placements;
}

std::string label_of(const platforms::PlacementRequest& placement) {
  const auto map = map_name(placement);
  return placement.ppn ? fmt::format("ppn {}, {}", *placement.ppn, map) : map;
}

std::vector<int> procs_between(int lower, int upper, const std::string& collective,
                               const std::vector<std::int64_t>& message_bytes) {
  if (upper - lower < 2) return {};
  const int middle = std::midpoint(lower, upper);
  const int odd = middle % 2 == 1 || middle + 1 == upper ? middle : middle + 1;
  const int even = odd + 1 < upper ? odd + 1 : odd - 1;
  const bool is_one_enough = std::ranges::all_of(
      message_bytes, [&](Bytes bytes) { return is_similar(collective, bytes, odd, even); });
  std::set<int> between{odd, upper - 1};
  if (even > lower && !is_one_enough) between.insert(even);
  return {between.begin(), between.end()};
}

std::vector<Bytes> own_changes(const std::string& collective, int procs,
                               const std::vector<std::int64_t>& message_bytes) {
  std::vector<Bytes> changes;
  for (std::size_t i = 0; i + 1 < message_bytes.size(); ++i) {
    Bytes before = message_bytes[i], behind = message_bytes[i + 1];
    const auto first = own_choice(collective, procs, before);
    if (are_equal(first, own_choice(collective, procs, behind))) continue;
    while (behind - before > 1) {
      const Bytes middle = std::midpoint(before, behind);
      (are_equal(first, own_choice(collective, procs, middle)) ? before : behind) = middle;
    }
    changes.insert(changes.end(), {before, behind});
  }
  return changes;
}

}  // namespace tutti::studies::select
