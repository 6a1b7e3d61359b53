// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/sweep.hpp"

#include <iterator>

#include "algorithms/selection/algorithm_sets.hpp"
#include "sim/jobs/run_point.hpp"
#include "sim/options/axis.hpp"

namespace tutti::studies {
namespace {

using Axis = std::vector<std::int64_t>;
using Choices = std::vector<std::optional<std::int64_t>>;

// The values of an axis, or the default (unset) if it is empty.
Choices choices(const Axis& axis) {
  if (axis.empty()) return {std::nullopt};
  return {axis.begin(), axis.end()};
}

std::vector<std::size_t> axis_lengths(const Sweep& sweep) {
  return {sweep.algorithms.size(),   sweep.procs.size(),        sweep.ppn.size(),
          sweep.roots.size(),        sweep.fanouts.size(),      sweep.segment_bytes.size(),
          sweep.max_requests.size(), sweep.message_bytes.size()};
}

// Distinguishes the points of one sweep.
auto point_key(const Point& point) {
  const auto& args = point.call.args;
  return std::tuple(point.requested_algorithm, point.call.algorithm, point.placement.ppn,
                    point.placement.procs, args.root, args.fanout, args.segment_bytes,
                    args.max_requests, args.message_bytes);
}
using PointKey = decltype(point_key(Point{}));

// Segment sizes that result in more messages are not tried: one of dozens of rivals would take
// seconds.
constexpr std::int64_t most_rival_messages = 500'000;

// True for errors of a combination: other members of the lists may not have them. Invalid names
// always are errors.
bool may_be_skipped(const Error& error) {
  return error.kind == ErrorKind::usage && error.line == 0 && error.place != "--algorithm";
}

// Makes the points of a sweep on a machine, one algorithm of the list after the other.
class SweepProduct {
 public:
  SweepProduct(const Sweep& sweep, const platforms::Machine& machine)
      : sweep_(sweep),
        machine_(machine),
        is_mixed_(!std::ranges::all_of(sweep.algorithms, is_by_rules)) {}

  void add_algorithm(const std::string& algorithm) {
    if (const auto wrong = workloads::check_set(algorithm)) return reject({*wrong});
    if (workloads::is_all(algorithm))
      for (const auto* rival : competing(algorithm)) add_product(std::string(rival->name), true);
    else
      add_product(algorithm, false);
  }

  Result<Points> take() {
    if (!errors_.empty()) return std::move(errors_);
    return std::move(points_);
  }

 private:
  // Returns the algorithms of "all@SET" or "auto:best@SET". Adds an error if there are none.
  std::vector<const algorithms::Algorithm*> competing(const std::string& requested) {
    const auto set = workloads::set_of(requested);
    auto candidates = algorithms::algorithms_of(sweep_.collective);
    std::erase_if(candidates, [&](const auto* algorithm) {
      return (algorithm->by_nodes && !algorithm->device_protocol) ||
             !algorithms::selection::is_in_set(set, *algorithm);
    });
    if (candidates.empty())
      reject({usage_error("--algorithm",
                          fmt::format("{} has no algorithm of {}", set, sweep_.collective),
                          "`sim list algorithms` shows the set of each algorithm")});
    return candidates;
  }

  // Adds the points of an algorithm with all combinations of the other axes. `only_what_runs`:
  // omits a call that Open MPI rejects.
  void add_product(const std::string& algorithm, bool only_what_runs) {
    const bool has_own = is_mixed_ && is_by_rules(algorithm);
    const Choices fanouts = has_own ? Choices{std::nullopt} : choices(sweep_.fanouts);
    const Choices segments = has_own ? Choices{std::nullopt} : choices(sweep_.segment_bytes);
    for (const auto ppn : choices(sweep_.ppn))
      for (const auto procs : sweep_.procs)
        for (const auto root : sweep_.roots)
          for (const auto fanout : fanouts)
            for (const auto segment : segments)
              for (const auto limit : sweep_.max_requests)
                for (const auto bytes : sweep_.message_bytes) {
                  workloads::CallRequest call{.collective = sweep_.collective,
                                              .algorithm = algorithm,
                                              .rules = find_rules(algorithm),
                                              .procs = static_cast<int>(procs),
                                              .message_bytes = bytes,
                                              .segment_bytes = segment,
                                              .root = static_cast<runtime::RankId>(root),
                                              .element_bytes = sweep_.element_bytes,
                                              .counts = sweep_.counts,
                                              .max_requests = static_cast<int>(limit),
                                              .commutative = sweep_.commutative};
                  if (fanout) call.fanout = static_cast<int>(*fanout);
                  if (workloads::is_best(algorithm))
                    add_contest(call, ppn);
                  else
                    add(call, ppn, only_what_runs);
                }
  }

  std::shared_ptr<const algorithms::selection::DynamicRules> find_rules(
      const std::string& algorithm) const {
    const auto file = workloads::rules_file_of(algorithm);
    if (!file) return nullptr;
    const auto rules = sweep_.rules.find(*file);
    return rules == sweep_.rules.end() ? nullptr : rules->second;
  }

  platforms::PlacementRequest make_placement(const workloads::CallRequest& request,
                                             std::optional<std::int64_t> ppn) const {
    platforms::PlacementRequest placement = sweep_.common.placement;
    placement.procs = request.procs;
    if (ppn) placement.ppn = static_cast<int>(*ppn);
    return placement;
  }

  // Contests with the same rivals run once: a fan-out may not matter to any of them.
  void add_contest(workloads::CallRequest request, std::optional<std::int64_t> ppn) {
    Contest contest;
    const std::string requested = request.algorithm;
    for (const auto* algorithm : competing(requested)) {
      request.algorithm = algorithm->name;
      for (const auto fanout : rival_fanouts(*algorithm, request))
        for (const auto segment : rival_segments(*algorithm, request)) {
          auto rival = request;
          rival.segment_bytes = segment;
          rival.fanout = fanout;
          add_rival(rival, ppn, requested, contest);
        }
    }
    if (contest.rivals.empty()) return reject(contest.errors);
    if (!contests_held_.insert(std::move(contest.keys)).second) return;
    ++contests_;
    std::ranges::move(contest.rivals, std::back_inserter(points_.all));
  }

  // The points of auto:best that differ in their algorithm, segment or fan-out; the fastest one
  // wins.
  struct Contest {
    std::vector<Point> rivals;
    std::set<PointKey> keys;
    std::vector<Error> errors;  // of algorithms that cannot run
  };

  static std::vector<std::optional<int>> rival_fanouts(const algorithms::Algorithm& algorithm,
                                                       const workloads::CallRequest& request) {
    std::vector<std::optional<int>> fanouts{request.fanout};
    if (request.fanout || algorithm.default_fanout == 0) return fanouts;
    for (const auto fanout : searched_fanouts) fanouts.emplace_back(static_cast<int>(fanout));
    return fanouts;
  }

  static std::vector<std::optional<Bytes>> rival_segments(const algorithms::Algorithm& algorithm,
                                                          const workloads::CallRequest& request) {
    if (request.segment_bytes || !algorithm.segmented) return {request.segment_bytes};
    std::vector<std::optional<Bytes>> segments;
    for (const auto segment : searched_segments)
      if (segment < request.message_bytes || segment == 0) segments.emplace_back(segment);
    return segments;
  }

  void add_rival(const workloads::CallRequest& request, std::optional<std::int64_t> ppn,
                 const std::string& requested, Contest& contest) {
    auto rival = make_point(request, ppn, true);
    if (!rival) {
      contest.errors.insert(contest.errors.end(), rival.errors().begin(), rival.errors().end());
      return;
    }
    if (!*rival) return;
    Point& point = **rival;
    if (point.call.args.segment_bytes > 0 &&
        workloads::expected_messages(point.call, request.procs) > most_rival_messages)
      return;
    point.contest = contests_ + 1;
    point.requested_algorithm = requested;
    if (contest.keys.insert(point_key(point)).second) contest.rivals.push_back(std::move(point));
  }

  void add(const workloads::CallRequest& request, std::optional<std::int64_t> ppn,
           bool only_if_it_runs) {
    auto point = make_point(request, ppn, only_if_it_runs);
    if (!point) return reject(point.errors());
    if (*point && seen_.insert(point_key(**point)).second)
      points_.all.push_back(**std::move(point));
  }

  // Makes the point of a call: resolves the algorithm and completes the benchmark and the
  // placement. Unset if the point is omitted.
  Result<std::optional<Point>> make_point(const workloads::CallRequest& request,
                                          std::optional<std::int64_t> ppn, bool only_if_it_runs) {
    const auto placement = make_placement(request, ppn);
    if (sweep_.skips_impossible)
      if (const auto& errors = placement_errors(placement); !errors.empty()) return errors;
    auto call = workloads::resolve(request, machine_, placement);
    const bool replaces = sweep_.profiles && workloads::is_automatic(request.algorithm);
    if (call && replaces)
      call = workloads::profiles::profiled(request, *std::move(call), *sweep_.profiles, machine_,
                                           placement);
    if (!call) return call.errors();
    if (const auto rejected = workloads::rejection(*call, machine_, request.procs)) {
      if (only_if_it_runs)
        omit(*call->algorithm);
      else if (sweep_.skips_impossible && rejected->line == 0)
        points_.skipped.add({*rejected});
      else
        return *rejected;
      return std::optional<Point>();
    }
    Point point = sweep_.common;
    point.benchmark.skew = TUTTI_TRY(workloads::with_ranks(point.benchmark.skew, request.procs));
    point.benchmark = TUTTI_TRY(workloads::on_machine(point.benchmark, machine_, placement));
    point.requested_algorithm = request.algorithm;
    point.call = *call;
    if (replaces) point.profiles = workloads::profiles::content_of(*sweep_.profiles);
    if (call->counts) point.counts = workloads::format_counts(request.counts);
    point.placement = placement;
    if (!point.model_only || has_model(point, machine_)) return std::optional(std::move(point));
    if (!only_if_it_runs) return without_model(point);
    add_omitted(fmt::format("{} (has no formula)", point.call.algorithm->name));
    return std::optional<Point>();
  }

  // Tries each placement once.
  const std::vector<Error>& placement_errors(const platforms::PlacementRequest& request) {
    const auto [tried, is_new] = placements_.try_emplace({request.procs, request.ppn});
    if (!is_new) return tried->second;
    const auto placement = platforms::place(machine_, request);
    if (!placement) tried->second = placement.errors();
    return tried->second;
  }

  static Error without_model(const Point& point) {
    return usage_error(
        "--model-only",
        fmt::format("{} {} has no formula for {} processes", point.call.algorithm->collective,
                    point.call.algorithm->name, point.placement.procs),
        "simulate it, or choose other algorithms");
  }

  void omit(const algorithms::Algorithm& algorithm) {
    add_omitted(fmt::format("{} (needs {})", algorithm.name, algorithm.restriction));
  }

  void add_omitted(std::string text) {
    auto& omitted = points_.omitted;
    if (std::ranges::find(omitted, text) == omitted.end()) omitted.push_back(std::move(text));
  }

  void reject(const std::vector<Error>& errors) {
    if (errors.empty()) return;
    if (sweep_.skips_impossible && std::ranges::all_of(errors, may_be_skipped))
      return points_.skipped.add(errors);
    for (const auto& error : errors)
      if (places_.insert(error.place).second) errors_.push_back(error);
  }

  const Sweep& sweep_;
  const platforms::Machine& machine_;
  const bool is_mixed_;  // not all algorithms are chosen by rules
  std::int64_t contests_ = 0;
  Points points_;
  std::vector<Error> errors_;
  std::set<std::string> places_;  // options with an error; only the first of each is reported
  std::set<PointKey> seen_;
  std::set<std::set<PointKey>> contests_held_;
  std::map<std::pair<int, std::optional<int>>, std::vector<Error>> placements_;
};

}  // namespace

Result<Points> make_points(const Sweep& sweep, const platforms::Machine& machine) {
  if (auto error = options::too_many_points(axis_lengths(sweep))) return *std::move(error);
  SweepProduct product(sweep, machine);
  for (const auto& algorithm : sweep.algorithms) product.add_algorithm(algorithm);
  return product.take();
}

}  // namespace tutti::studies
