// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/candidates.hpp"

#include "platforms/placement.hpp"
#include "sim/jobs/memory_estimate.hpp"
#include "sim/jobs/run_point.hpp"
#include "workloads/hierarchical_spec.hpp"

namespace tutti::studies::select {
namespace {

using algorithms::Algorithm;

Candidate own_choice(const std::string& library) {
  return {.algorithm = library == "ompi-4.1" ? "auto" : "auto:" + library, .competes = false};
}

// The other exception is knomial: its radix is a parameter that no rule sets.
bool has_fanout_in_rules(const Algorithm& algorithm) {
  return algorithm.default_fanout > 0 && algorithm.name != "knomial";
}

// Alltoall without a limit is alltoall linear.
bool needs_limit(const Algorithm& algorithm) {
  return algorithm.collective == "alltoall" && algorithm.limits_requests;
}

std::vector<std::int64_t> values_if(bool matters, const std::vector<std::int64_t>& values) {
  return matters ? values : std::vector<std::int64_t>{0};
}

void add(std::vector<Candidate>& candidates, const Algorithm& algorithm,
         const CandidateSpec& spec) {
  for (const auto fanout : values_if(has_fanout_in_rules(algorithm), spec.fanouts))
    for (const auto segment : values_if(algorithm.segmented, spec.segment_bytes))
      for (const auto limit : values_if(needs_limit(algorithm), spec.max_requests))
        candidates.push_back({.algorithm = std::string(algorithm.name),
                              .id = algorithm.id,
                              .segment_bytes = segment,
                              .fanout = static_cast<int>(fanout),
                              .max_requests = static_cast<int>(limit),
                              .runs_beyond = algorithm.name != "two_proc"});
}

// Combines every algorithm between the nodes with every one inside them. Incompatible pairs, and
// pairs that do not support as many ranks, are rejected.
void add_hierarchical(std::vector<Candidate>& candidates, const Algorithm& algorithm,
                      const std::string& library) {
  const auto& levels = algorithm.levels;
  const std::string_view inside = levels.down.empty() ? levels.up : levels.down;
  for (const auto* inter : algorithms::algorithms_of(levels.inter))
    for (const auto* intra : algorithms::algorithms_of(inside)) {
      if (!has_number(library, *inter) || !has_number(library, *intra)) continue;
      auto text = fmt::format("{}:inter={},intra={},group=node", workloads::hierarchical_name,
                              inter->name, intra->name);
      if (!workloads::parse_hierarchical(text, algorithm)) continue;
      candidates.push_back(
          {.algorithm = std::move(text), .in_rules_file = false, .runs_beyond = true});
    }
}

struct CallSpec {
  std::string collective;
  int procs = 0;
  Bytes message_bytes = 0;
  Bytes element_bytes = 1;
};

// A file per number of processes or size need not exist for each of them.
bool lacks_file(const Candidate& candidate, const CallSpec& spec) {
  const auto file =
      workloads::schedules::schedule_file_of(candidate.algorithm, spec.procs, spec.message_bytes);
  std::error_code failed;
  return file && candidate.algorithm.find('{') != std::string::npos &&
         !std::filesystem::exists(*file, failed);
}

workloads::CallRequest make_request(const Candidate& candidate, const CallSpec& spec) {
  workloads::CallRequest request{.collective = spec.collective,
                                 .algorithm = candidate.algorithm,
                                 .procs = spec.procs,
                                 .message_bytes = spec.message_bytes,
                                 .element_bytes = spec.element_bytes,
                                 .max_requests = candidate.max_requests};
  if (!candidate.competes || is_schedule(candidate)) return request;
  request.segment_bytes = candidate.segment_bytes;
  if (candidate.fanout > 0) request.fanout = candidate.fanout;
  return request;
}

// Empty if the candidate does not run.
Result<std::optional<workloads::CollectiveCall>> make_call(
    const Candidate& candidate, const CallSpec& spec, const platforms::Machine& machine,
    const platforms::PlacementRequest& where) {
  using workloads::CollectiveCall;
  if (lacks_file(candidate, spec)) return std::optional<CollectiveCall>();
  auto call = workloads::resolve(make_request(candidate, spec), machine, where);
  const bool may_be_rejected =
      workloads::is_hierarchical(candidate.algorithm) ||
      (is_schedule(candidate) && !call && call.error().kind == ErrorKind::usage);
  if (!call && !may_be_rejected) return call.errors();
  if (!call || workloads::rejection(*call, machine, spec.procs))
    return std::optional<CollectiveCall>();
  return std::optional(*std::move(call));
}

Bytes whole_elements(Bytes message_bytes, Bytes element_bytes) {
  return message_bytes / element_bytes * element_bytes;
}

// Whether the call falls back for one of the sizes of elements, or for the maximum number of
// processes.
bool falls_back(const workloads::CollectiveCall& call, const CellSpec& spec) {
  const auto other = call.algorithm->falls_back_to;
  if (other == nullptr) return false;
  for (const Bytes element_bytes : spec.element_bytes)
    for (const int procs : {spec.procs, std::max(spec.procs, spec.most_procs)}) {
      auto args = call.args;
      args.element_bytes = element_bytes;
      args.message_bytes = whole_elements(spec.message_bytes, element_bytes);
      const bool has_any = args.message_bytes > 0 || spec.message_bytes == 0;
      if (has_any && !other({procs, args}).empty()) return true;
    }
  return false;
}

// Builds the points of one cell.
class CallMaker {
 public:
  CallMaker(const std::string& collective, const CellSpec& spec, const Point& common,
            const platforms::Machine& machine)
      : collective_(collective), spec_(spec), point_(common), machine_(machine) {
    point_.placement.procs = spec.procs;
  }

  Result<CellCalls> make(const std::vector<Candidate>& candidates) {
    const auto placement = TUTTI_TRY(platforms::place(machine_, point_.placement));
    CellCalls calls{.nodes = placement.nodes, .ppn = placement.ppn, .points = {}, .own = {}};
    for (const auto& candidate : candidates) {
      auto point = TUTTI_TRY(make_point(candidate, spec_.element_bytes.front(), calls));
      calls.points.push_back(std::move(point));
    }
    for (const Bytes element_bytes : spec_.element_bytes) {
      auto point = TUTTI_TRY(make_point(own_choice(spec_.library), element_bytes, calls));
      calls.own.push_back(std::move(point));
    }
    return calls;
  }

 private:
  Result<std::optional<Point>> make_point(const Candidate& candidate, Bytes element_bytes,
                                          CellCalls& calls) const {
    const Bytes bytes = whole_elements(spec_.message_bytes, element_bytes);
    if (bytes == 0 && spec_.message_bytes > 0) return std::optional<Point>();
    auto call = TUTTI_TRY(make_call(candidate, {collective_, spec_.procs, bytes, element_bytes},
                                    machine_, point_.placement));
    if (!call || (candidate.competes && falls_back(*call, spec_))) return std::optional<Point>();
    if (candidate.competes && (call)->algorithm->made_of != nullptr && spec_.inside)
      workloads::apply_selection(*call, spec_.inside);
    if (workloads::expected_messages(*call, spec_.procs) > most_messages) {
      ++calls.too_large;
      return std::optional<Point>();
    }
    Point point = point_;
    point.requested_algorithm = candidate.algorithm;
    point.call = *std::move(call);
    return std::optional(std::move(point));
  }

  const std::string& collective_;
  const CellSpec& spec_;
  Point point_;
  const platforms::Machine& machine_;
};

// Simulates equal calls once.
class Simulations {
 public:
  explicit Simulations(const platforms::Machine& machine) : machine_(machine) {}

  Result<Seconds> simulated_time(const Point& point) {
    const auto& args = point.call.args;
    const Key key{point.call.algorithm, args.message_bytes, args.element_bytes, args.segment_bytes,
                  args.fanout,          args.max_requests,  args.hierarchy,     args.selection};
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const auto answer = TUTTI_TRY(run_point(point, machine_));
    TUTTI_CHECK(answer.record.time_s.has_value(), "an engine without times");
    return known_[key] = time_to_compare(answer.record);
  }

 private:
  // Each candidate has its own hierarchy.
  using Key = std::tuple<const Algorithm*, Bytes, Bytes, Bytes, int, int, const void*, const void*>;
  const platforms::Machine& machine_;
  std::map<Key, Seconds> known_;
};

std::vector<Error> add_times(const std::vector<std::optional<Point>>& points,
                             std::string_view prefix, Simulations& simulations, Row& row) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!points[i]) continue;
    const auto time_s = TUTTI_TRY(simulations.simulated_time(*points[i]));
    row.push_back({fmt::format("{}{}", prefix, i), time_s});
  }
  return {};
}

std::vector<std::optional<Seconds>> numbers_in(const Row& row, std::string_view prefix,
                                               std::size_t count) {
  std::vector<std::optional<Seconds>> times_s(count);
  for (std::size_t i = 0; i < count; ++i)
    times_s[i] = number_of(cell_in(row, fmt::format("{}{}", prefix, i)));
  return times_s;
}

constexpr std::string_view own_prefix = "own ";

std::vector<Point> that_run(const std::vector<std::optional<Point>>& points) {
  std::vector<Point> all;
  for (const auto& point : points)
    if (point) all.push_back(*point);
  return all;
}

}  // namespace

bool is_schedule(const Candidate& candidate) {
  return workloads::schedules::schedule_file_of(candidate.algorithm, 0, 0).has_value();
}

std::vector<Candidate> list_candidates(const std::string& collective, const CandidateSpec& spec) {
  std::vector<Candidate> candidates;
  const auto all = algorithms::algorithms_of(collective);
  for (const auto* algorithm : all)
    if (has_number(spec.library, *algorithm)) add(candidates, *algorithm, spec);
  std::ranges::stable_sort(candidates, {}, &Candidate::segment_bytes);
  for (const auto* algorithm : all)
    if (spec.hierarchical && !algorithm->levels.inter.empty())
      add_hierarchical(candidates, *algorithm, spec.library);
  for (const auto& schedule : spec.schedules)
    candidates.push_back({.algorithm = schedule, .in_rules_file = false, .runs_beyond = false});
  candidates.push_back(own_choice(spec.library));
  return candidates;
}

Result<CellCalls> make_calls(const std::string& collective,
                             const std::vector<Candidate>& candidates, const CellSpec& spec,
                             const Point& common, const platforms::Machine& machine) {
  return CallMaker(collective, spec, common, machine).make(candidates);
}

bool calls_others(const LibraryCall& call) {
  return std::ranges::any_of(
      algorithms::algorithms_of(call.collective), [&](const auto* algorithm) {
        return has_number(call.library, *algorithm) && algorithm->made_of != nullptr;
      });
}

Result<Row> simulate(const CellCalls& calls, const platforms::Machine& machine) {
  Simulations simulations(machine);
  Row row;
  if (auto errors = add_times(calls.points, "", simulations, row); !errors.empty()) return errors;
  if (auto errors = add_times(calls.own, own_prefix, simulations, row); !errors.empty())
    return errors;
  return row;
}

CellTimes times_in(const Row& row, std::size_t candidates, std::size_t element_sizes) {
  return {.times_s = numbers_in(row, "", candidates),
          .own_s = numbers_in(row, own_prefix, element_sizes)};
}

StudyPoint cell_point(std::string name, const CellCalls& calls,
                      std::function<Result<CellCalls>()> again, const platforms::Machine& machine) {
  Bytes most = 0;
  for (const auto* points : {&calls.points, &calls.own})
    for (const auto& point : that_run(*points))
      most = std::max(most, memory_estimate(point, &machine));
  return {.name = std::move(name),
          .simulate = [again = std::move(again), &machine]() -> Result<Row> {
            return simulate(TUTTI_TRY(again()), machine);
          },
          .memory_bytes = most};
}

std::vector<Error> check_memory(const std::vector<std::optional<Point>>& points,
                                const platforms::Machine& machine) {
  return memory_errors(that_run(points), machine);
}

}  // namespace tutti::studies::select
