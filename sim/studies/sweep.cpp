// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include "sim/studies/axis.hpp"
#include "sim/studies/engine_choice.hpp"

namespace tutti::studies {
namespace {

using Axis = std::vector<std::int64_t>;
using Choices = std::vector<std::optional<std::int64_t>>;

Choices choices(const Axis& axis) {
  if (axis.empty()) return {std::nullopt};
  return {axis.begin(), axis.end()};
}

std::vector<std::size_t> lengths_of(const Sweep& sweep) {
  return {sweep.algorithms.size(),   sweep.procs.size(),        sweep.ppn.size(),
          sweep.roots.size(),        sweep.fanouts.size(),      sweep.segment_bytes.size(),
          sweep.max_requests.size(), sweep.message_bytes.size()};
}

// What tells points of one sweep apart.
auto key_of(const Point& point) {
  const auto& args = point.call.args;
  return std::tuple(point.requested_algorithm, point.call.algorithm, point.placement.ppn,
                    point.placement.procs, args.root, args.fanout, args.segment_bytes,
                    args.max_requests, args.message_bytes);
}
using PointKey = decltype(key_of(Point{}));

class SweepProduct {
 public:
  SweepProduct(const Sweep& sweep, const platforms::Machine& machine)
      : sweep_(sweep), machine_(machine) {}

  void add_algorithm(const std::string& algorithm) {
    if (algorithm == workloads::all_name)
      for (const auto* each : algorithms::algorithms_of(sweep_.collective))
        add_product(std::string(each->name), true);
    else
      add_product(algorithm, false);
  }

  Result<Points> take() {
    if (!errors_.empty()) return std::move(errors_);
    return std::move(points_);
  }

 private:
  // `only_what_runs`: a call that Open MPI refuses is left out.
  void add_product(const std::string& algorithm, bool only_what_runs) {
    for (const auto ppn : choices(sweep_.ppn))
      for (const auto procs : sweep_.procs)
        for (const auto root : sweep_.roots)
          for (const auto fanout : choices(sweep_.fanouts))
            for (const auto segment : choices(sweep_.segment_bytes))
              for (const auto limit : sweep_.max_requests)
                for (const auto bytes : sweep_.message_bytes) {
                  workloads::CallRequest call{.collective = sweep_.collective,
                                              .algorithm = algorithm,
                                              .rules = rules_of(algorithm),
                                              .procs = static_cast<int>(procs),
                                              .message_bytes = bytes,
                                              .segment_bytes = segment,
                                              .root = static_cast<runtime::RankId>(root),
                                              .element_bytes = sweep_.element_bytes,
                                              .counts = sweep_.counts,
                                              .max_requests = static_cast<int>(limit),
                                              .commutative = sweep_.commutative};
                  if (fanout) call.fanout = static_cast<int>(*fanout);
                  if (algorithm == workloads::best_name)
                    add_contest(call, ppn);
                  else
                    add(call, ppn, only_what_runs);
                }
  }

  std::shared_ptr<const algorithms::selection::DynamicRules> rules_of(
      const std::string& algorithm) const {
    const auto file = workloads::rules_file_of(algorithm);
    if (!file) return nullptr;
    const auto found = sweep_.rules.find(*file);
    return found == sweep_.rules.end() ? nullptr : found->second;
  }

  platforms::PlacementRequest placement_of(const workloads::CallRequest& request,
                                           std::optional<std::int64_t> ppn) const {
    platforms::PlacementRequest placement = sweep_.common.placement;
    placement.procs = request.procs;
    if (ppn) placement.ppn = static_cast<int>(*ppn);
    return placement;
  }

  // Contests of the same rivals are held once: a fan-out may matter to none of them.
  void add_contest(workloads::CallRequest request, std::optional<std::int64_t> ppn) {
    std::vector<Point> rivals;
    std::set<PointKey> keys;
    for (const auto* algorithm : algorithms::algorithms_of(sweep_.collective)) {
      request.algorithm = algorithm->name;
      auto point = made(request, ppn, true);
      if (!point) continue;
      point->contest = contests_ + 1;
      point->requested_algorithm = workloads::best_name;
      keys.insert(key_of(*point));
      rivals.push_back(*std::move(point));
    }
    if (!contests_held_.insert(std::move(keys)).second) return;
    ++contests_;
    std::ranges::move(rivals, std::back_inserter(points_.all));
  }

  void add(const workloads::CallRequest& request, std::optional<std::int64_t> ppn,
           bool only_if_it_runs) {
    auto point = made(request, ppn, only_if_it_runs);
    if (point && seen_.insert(key_of(*point)).second) points_.all.push_back(*std::move(point));
  }

  // Nothing if there is an error, or if it is left out.
  std::optional<Point> made(const workloads::CallRequest& request, std::optional<std::int64_t> ppn,
                            bool only_if_it_runs) {
    const auto placement = placement_of(request, ppn);
    auto call = workloads::resolve(request, machine_, placement);
    const bool replaces = sweep_.profiles && workloads::is_automatic(request.algorithm);
    if (call && replaces)
      call = guidelines::profiled(request, *std::move(call), *sweep_.profiles, machine_, placement);
    if (!call) return refuse(call.errors());
    if (const auto refused = workloads::refusal(*call, machine_, request.procs)) {
      if (only_if_it_runs) return leave_out(*call->algorithm);
      return refuse({*refused});
    }
    Point point = sweep_.common;
    auto skew = workloads::with_ranks(point.benchmark.skew, request.procs);
    if (!skew) return refuse(skew.errors());
    point.benchmark.skew = *std::move(skew);
    point.requested_algorithm = request.algorithm;
    point.call = *call;
    if (replaces) point.profiles = guidelines::content_of(*sweep_.profiles);
    if (call->counts) point.counts = workloads::format_counts(request.counts);
    point.placement = placement;
    if (point.engine_is_chosen) point.engine = choose_engine(point);
    return point;
  }

  std::nullopt_t leave_out(const algorithms::Algorithm& algorithm) {
    auto text = fmt::format("{} (needs {})", algorithm.name, algorithm.restriction);
    auto& left_out = points_.left_out;
    if (std::ranges::find(left_out, text) == left_out.end()) left_out.push_back(std::move(text));
    return std::nullopt;
  }

  std::nullopt_t refuse(const std::vector<Error>& errors) {
    for (const auto& error : errors)
      if (places_.insert(error.place).second) errors_.push_back(error);
    return std::nullopt;
  }

  const Sweep& sweep_;
  const platforms::Machine& machine_;
  std::int64_t contests_ = 0;
  Points points_;
  std::vector<Error> errors_;
  std::set<std::string> places_;  // options with an error: one each is enough
  std::set<PointKey> seen_;
  std::set<std::set<PointKey>> contests_held_;
};

}  // namespace

Result<Points> points_of(const Sweep& sweep, const platforms::Machine& machine) {
  if (auto error = too_many_points(lengths_of(sweep))) return *std::move(error);
  SweepProduct product(sweep, machine);
  for (const auto& algorithm : sweep.algorithms) product.add_algorithm(algorithm);
  return product.take();
}

}  // namespace tutti::studies
