// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/sweep.hpp"

#include <fmt/format.h>

#include <set>
#include <tuple>

#include "sim/base/error_list.hpp"
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

// True if the product of the axes is above the limit. No overflow: stops as soon as it is.
bool too_many(const Sweep& sweep) {
  std::size_t product = sweep.algorithms.size();
  for (const Axis* axis : {&sweep.procs, &sweep.ppn, &sweep.roots, &sweep.fanouts,
                           &sweep.segment_bytes, &sweep.max_requests, &sweep.message_bytes}) {
    if (!axis->empty()) product *= axis->size();
    if (product > max_points) return true;
  }
  return false;
}

// What tells points of one sweep apart.
auto key_of(const Point& point) {
  const auto& args = point.call.args;
  return std::tuple(point.requested_algorithm, point.call.algorithm, point.placement.ppn,
                    point.placement.procs, args.root, args.fanout, args.segment_bytes,
                    args.max_requests, args.message_bytes);
}

class Product {
 public:
  Product(const Sweep& sweep, const platforms::Machine& machine)
      : sweep_(sweep), machine_(machine) {}

  void add_algorithm(const std::string& algorithm) {
    if (algorithm == workloads::all_name)
      for (const auto* each : algorithms::algorithms_of(sweep_.collective))
        add_product(std::string(each->name), true);
    else
      add_product(algorithm, false);
  }

  Result<std::vector<Point>> take() {
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
                    add(call, ppn, {.only_if_it_runs = only_what_runs});
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

  void add_contest(workloads::CallRequest request, std::optional<std::int64_t> ppn) {
    ++contests_;
    for (const auto* algorithm : algorithms::algorithms_of(sweep_.collective)) {
      request.algorithm = algorithm->name;
      add(request, ppn, {.contest = contests_, .only_if_it_runs = true});
    }
  }

  struct Entry {
    std::int64_t contest = 0;
    bool only_if_it_runs = false;  // what is refused is left out
  };

  void add(const workloads::CallRequest& request, std::optional<std::int64_t> ppn,
           const Entry& entry) {
    const auto placement = placement_of(request, ppn);
    auto call = workloads::resolve(request, machine_, placement);
    if (!call) return refuse(call.errors());
    if (const auto refused = workloads::refusal(*call, machine_, request.procs)) {
      if (!entry.only_if_it_runs) refuse({*refused});
      return;
    }
    Point point = sweep_.common;
    auto skew = workloads::with_ranks(point.benchmark.skew, request.procs);
    if (!skew) return refuse(skew.errors());
    point.benchmark.skew = *std::move(skew);
    point.contest = entry.contest;
    point.requested_algorithm = entry.contest > 0 ? workloads::best_name : request.algorithm;
    point.call = *call;
    if (call->counts) point.counts = workloads::format_counts(request.counts);
    point.placement = placement;
    if (point.engine_is_chosen) point.engine = choose_engine(point);
    if (seen_.insert(key_of(point)).second) points_.push_back(std::move(point));
  }

  void refuse(const std::vector<Error>& errors) {
    for (const auto& error : errors)
      if (places_.insert(error.place).second) errors_.push_back(error);
  }

  const Sweep& sweep_;
  const platforms::Machine& machine_;
  std::int64_t contests_ = 0;
  std::vector<Point> points_;
  std::vector<Error> errors_;
  std::set<std::string> places_;  // options with an error: one each is enough
  std::set<decltype(key_of(Point{}))> seen_;
};

}  // namespace

Result<std::vector<Point>> points_of(const Sweep& sweep, const platforms::Machine& machine) {
  if (too_many(sweep))
    return usage_error("options", fmt::format("the axes make more than {} points", max_points),
                       "take fewer values, or larger steps (A:B:*4)");
  Product product(sweep, machine);
  for (const auto& algorithm : sweep.algorithms) product.add_algorithm(algorithm);
  return product.take();
}

}  // namespace tutti::studies
