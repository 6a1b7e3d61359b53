// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/select/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "platforms/placement.hpp"
#include "sim/base/check.hpp"
#include "sim/studies/run_point.hpp"
#include "workloads/hierarchical_spec.hpp"

namespace tutti::studies::select {
namespace {

using algorithms::Algorithm;

constexpr std::string_view open_mpis_own = "auto";

// Open MPI 4.1 has it, and a rule may name it.
bool is_numbered(const Algorithm& algorithm) { return algorithm.id > 0; }

// Its only other name is for knomial's radix, a parameter that no rule sets.
bool has_fanout_in_rules(const Algorithm& algorithm) {
  return algorithm.default_fanout > 0 && algorithm.name != "knomial";
}

// Of alltoall: with no limit it is alltoall linear.
bool needs_limit(const Algorithm& algorithm) {
  return algorithm.collective == "alltoall" && algorithm.limits_requests;
}

std::vector<std::int64_t> values_if(bool matters, const std::vector<std::int64_t>& values) {
  return matters ? values : std::vector<std::int64_t>{0};
}

void add(std::vector<Candidate>& candidates, const Algorithm& algorithm,
         const CandidateWish& wish) {
  for (const auto fanout : values_if(has_fanout_in_rules(algorithm), wish.fanouts))
    for (const auto segment : values_if(algorithm.segmented, wish.segment_bytes))
      for (const auto limit : values_if(needs_limit(algorithm), wish.max_requests))
        candidates.push_back({.algorithm = std::string(algorithm.name),
                              .id = algorithm.id,
                              .segment_bytes = segment,
                              .fanout = static_cast<int>(fanout),
                              .max_requests = static_cast<int>(limit),
                              .runs_beyond = algorithm.name != "two_proc"});
}

// Every algorithm among the nodes with every one inside them; those that do not go together, or
// not with as many ranks, come out as refused.
void add_hierarchical(std::vector<Candidate>& candidates, const Algorithm& algorithm) {
  const auto& levels = algorithm.levels;
  const std::string_view inside = levels.down.empty() ? levels.up : levels.down;
  for (const auto* inter : algorithms::algorithms_of(levels.inter))
    for (const auto* intra : algorithms::algorithms_of(inside)) {
      if (!is_numbered(*inter) || !is_numbered(*intra)) continue;
      auto text = fmt::format("{}:inter={},intra={},group=node", workloads::hierarchical_name,
                              inter->name, intra->name);
      if (!workloads::parse_hierarchical(text, algorithm)) continue;
      candidates.push_back(
          {.algorithm = std::move(text), .in_rules_file = false, .runs_beyond = true});
    }
}

workloads::CallRequest request_of(const std::string& collective, const Candidate& candidate,
                                  int procs, Bytes message_bytes) {
  workloads::CallRequest request{.collective = collective,
                                 .algorithm = candidate.algorithm,
                                 .procs = procs,
                                 .message_bytes = message_bytes,
                                 .max_requests = candidate.max_requests};
  if (!candidate.competes) return request;
  request.segment_bytes = candidate.segment_bytes;
  if (candidate.fanout > 0) request.fanout = candidate.fanout;
  return request;
}

std::string name_of(std::size_t candidate) { return fmt::format("{}", candidate); }

}  // namespace

std::vector<Candidate> candidates_of(const std::string& collective, const CandidateWish& wish) {
  std::vector<Candidate> candidates;
  const auto all = algorithms::algorithms_of(collective);
  for (const auto* each : all)
    if (is_numbered(*each)) add(candidates, *each, wish);
  std::ranges::stable_sort(candidates, {}, &Candidate::segment_bytes);
  for (const auto* each : all)
    if (wish.hierarchical && !each->levels.inter.empty()) add_hierarchical(candidates, *each);
  candidates.push_back({.algorithm = std::string(open_mpis_own), .competes = false});
  return candidates;
}

Result<CellCalls> calls_of(const std::string& collective, const std::vector<Candidate>& candidates,
                           const CellWish& wish, const Point& common,
                           const platforms::Machine& machine) {
  const int procs = wish.procs;
  CellCalls calls;
  Point point = common;
  point.placement.procs = procs;
  const auto placement = platforms::place(machine, point.placement);
  if (!placement) return placement.errors();
  calls.nodes = placement->nodes;
  for (const auto& candidate : candidates) {
    const auto request = request_of(collective, candidate, procs, wish.message_bytes);
    auto call = workloads::resolve(request, machine, point.placement);
    const bool may_be_refused = workloads::is_hierarchical(candidate.algorithm);
    if (!call && !may_be_refused) return call.errors();
    if (!call || workloads::refusal(*call, machine, procs)) {
      calls.points.emplace_back();
      continue;
    }
    if (candidate.competes && call->algorithm->made_of != nullptr && wish.inside)
      workloads::obey(*call, wish.inside);
    if (workloads::expected_messages(*call, procs) > most_messages) {
      ++calls.too_large;
      calls.points.emplace_back();
      continue;
    }
    point.requested_algorithm = candidate.algorithm;
    point.call = *std::move(call);
    calls.points.emplace_back(point);
  }
  return calls;
}

bool calls_others(const std::string& collective) {
  return std::ranges::any_of(algorithms::algorithms_of(collective), [](const auto* each) {
    return is_numbered(*each) && each->made_of != nullptr;
  });
}

Result<Row> simulate(const CellCalls& calls, const platforms::Machine& machine) {
  // A hierarchy is its candidate's own.
  using Key = std::tuple<const Algorithm*, Bytes, int, int, const void*, const void*>;
  std::map<Key, Seconds> known;
  Row row;
  for (std::size_t i = 0; i < calls.points.size(); ++i) {
    if (!calls.points[i]) continue;
    const Point& point = *calls.points[i];
    const auto& args = point.call.args;
    const Key key{point.call.algorithm, args.segment_bytes, args.fanout,
                  args.max_requests,    args.hierarchy,     args.selection};
    if (!known.contains(key)) {
      const auto answer = run_point(point, machine);
      if (!answer) return answer.errors();
      TUTTI_CHECK(answer->record.time_s.has_value(), "an engine without times");
      known[key] = *answer->record.time_s;
    }
    row.push_back({name_of(i), known[key]});
  }
  return row;
}

std::vector<std::optional<Seconds>> times_in(const Row& row, std::size_t candidates) {
  std::vector<std::optional<Seconds>> times_s(candidates);
  for (std::size_t i = 0; i < candidates; ++i) times_s[i] = number_of(cell_in(row, name_of(i)));
  return times_s;
}

}  // namespace tutti::studies::select
