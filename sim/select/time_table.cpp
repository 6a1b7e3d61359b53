// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/time_table.hpp"

#include "algorithms/selection/algorithm_sets.hpp"
#include "algorithms/selection/decision.hpp"
#include "sim/jobs/run_point.hpp"

namespace tutti::studies::select {

std::string label(const Candidate& candidate) {
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

std::optional<std::size_t> find_best(const TimeTable& table, const TimedCell& cell, Rivals rivals) {
  return find_best(table, cell, [=](auto& candidate) { return is_rival(candidate, rivals); });
}

std::optional<Seconds> least_own(const TimedCell& cell) {
  std::optional<Seconds> least_s;
  for (const auto& own_s : cell.own_s)
    if (own_s) least_s = std::min(*own_s, least_s.value_or(*own_s));
  return least_s;
}

double relative_loss(Seconds time_s, Seconds best_s) {
  if (time_s <= best_s) return 0;
  return best_s > 0 ? time_s / best_s - 1 : std::numeric_limits<double>::infinity();
}

bool has_number(const std::string& library, const algorithms::Algorithm& algorithm) {
  return algorithm.id > 0 && algorithms::selection::is_in_set(library, algorithm);
}

namespace {

using algorithms::Algorithm;
using algorithms::selection::Choice;

Choice own_choice(const LibraryCall& call, int procs, Bytes message_bytes) {
  return algorithms::selection::choose(call.library, {.collective = call.collective,
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

bool is_similar(const LibraryCall& call, Bytes message_bytes, int procs, int other) {
  if (!are_equal(own_choice(call, procs, message_bytes), own_choice(call, other, message_bytes)))
    return false;
  return std::ranges::all_of(algorithms::algorithms_of(call.collective),
                             [&](const Algorithm* algorithm) {
                               return !has_number(call.library, *algorithm) ||
                                      behaves_similar(*algorithm, message_bytes, procs, other);
                             });
}

using platforms::Allocation;
using platforms::PlacementRequest;

// The first `nodes` of each allocation that has that many.
std::vector<std::shared_ptr<const Allocation>> first_nodes(const CellAxes& axes, int nodes) {
  std::vector<std::shared_ptr<const Allocation>> allocations;
  std::set<std::vector<std::string>> seen;
  for (const auto& allocation : axes.allocations) {
    if (allocation->nodes.size() < static_cast<std::size_t>(nodes)) continue;
    Allocation first{allocation->name,
                     {allocation->nodes.begin(), allocation->nodes.begin() + nodes},
                     allocation->line};
    if (seen.insert(first.nodes).second)
      allocations.push_back(std::make_shared<const Allocation>(std::move(first)));
  }
  return allocations;
}

// Takes at most `most` values, evenly over all.
template <class T>
std::vector<T> sample(const std::vector<T>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<T> sample;
  for (std::size_t i = 0; i < most; ++i) sample.push_back(all[i * all.size() / most]);
  return sample;
}

// The placement on each allocation; none if it does not fit on the first nodes of the machine.
std::vector<PlacementRequest> on_allocations(const PlacementRequest& placement,
                                             const CellAxes& axes,
                                             const platforms::Machine& machine) {
  std::vector<PlacementRequest> placements;
  const auto placed = platforms::place(machine, placement);
  if (!placed) return placements;
  for (auto& allocation : sample(first_nodes(axes, placed->nodes), axes.most_allocations)) {
    placements.push_back(placement);
    placements.back().allocation = std::move(allocation);
  }
  std::erase_if(placements,
                [&](const auto& request) { return !platforms::place(machine, request); });
  return placements;
}

}  // namespace

std::vector<PlacementRequest> make_placements(const CellAxes& axes, int procs,
                                              const platforms::Machine& machine) {
  std::vector<PlacementRequest> placements;
  for (auto placement : axes.placements) {
    placement.procs = procs;
    if (!axes.allocations.empty()) {
      for (auto& allocated : on_allocations(placement, axes, machine))
        placements.push_back(std::move(allocated));
    } else if (platforms::place(machine, placement)) {
      placements.push_back(std::move(placement));
    }
  }
  return placements;
}

std::string placement_label(const platforms::PlacementRequest& placement) {
  auto any = placement;
  any.allocation = nullptr;
  const auto map = map_name(any);
  return placement.ppn ? fmt::format("ppn {}, {}", *placement.ppn, map) : map;
}

std::vector<int> procs_between(int lower, int upper, const LibraryCall& call,
                               const std::vector<std::int64_t>& message_bytes) {
  if (upper - lower < 2) return {};
  const int middle = std::midpoint(lower, upper);
  const int odd = middle % 2 == 1 || middle + 1 == upper ? middle : middle + 1;
  const int even = odd + 1 < upper ? odd + 1 : odd - 1;
  const bool are_similar = std::ranges::all_of(
      message_bytes, [&](Bytes bytes) { return is_similar(call, bytes, odd, even); });
  std::set<int> between{odd, upper - 1};
  if (even > lower && !are_similar) between.insert(even);
  return {between.begin(), between.end()};
}

std::vector<Bytes> own_changes(const LibraryCall& call, int procs,
                               const std::vector<std::int64_t>& message_bytes) {
  std::vector<Bytes> changes;
  for (std::size_t i = 0; i + 1 < message_bytes.size(); ++i) {
    Bytes before = message_bytes[i], behind = message_bytes[i + 1];
    const auto first = own_choice(call, procs, before);
    if (are_equal(first, own_choice(call, procs, behind))) continue;
    while (behind - before > 1) {
      const Bytes middle = std::midpoint(before, behind);
      (are_equal(first, own_choice(call, procs, middle)) ? before : behind) = middle;
    }
    changes.insert(changes.end(), {before, behind});
  }
  return changes;
}

}  // namespace tutti::studies::select
