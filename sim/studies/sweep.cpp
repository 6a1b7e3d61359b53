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
                           &sweep.segment_bytes, &sweep.message_bytes}) {
    if (!axis->empty()) product *= axis->size();
    if (product > max_points) return true;
  }
  return false;
}

// What tells points of one sweep apart.
auto key_of(const Point& point) {
  const auto& args = point.call.args;
  return std::tuple(point.requested_algorithm, point.placement.ppn, point.placement.procs,
                    args.root, args.fanout, args.segment_bytes, args.message_bytes);
}

class Product {
 public:
  explicit Product(const Sweep& sweep) : sweep_(sweep) {}

  void add_algorithm(const std::string& algorithm) {
    for (const auto ppn : choices(sweep_.ppn))
      for (const auto procs : sweep_.procs)
        for (const auto root : sweep_.roots)
          for (const auto fanout : choices(sweep_.fanouts))
            for (const auto segment : choices(sweep_.segment_bytes))
              for (const auto bytes : sweep_.message_bytes) {
                workloads::CallRequest call{.collective = sweep_.collective,
                                            .algorithm = algorithm,
                                            .procs = static_cast<int>(procs),
                                            .message_bytes = bytes,
                                            .segment_bytes = segment,
                                            .root = static_cast<runtime::RankId>(root),
                                            .element_bytes = sweep_.element_bytes};
                if (fanout) call.fanout = static_cast<int>(*fanout);
                add(call, ppn);
              }
  }

  Result<std::vector<Point>> take() {
    if (!errors_.empty()) return std::move(errors_);
    return std::move(points_);
  }

 private:
  void add(const workloads::CallRequest& request, std::optional<std::int64_t> ppn) {
    auto call = workloads::resolve(request);
    if (!call) {
      for (const auto& error : call.errors())
        if (places_.insert(error.place).second) errors_.push_back(error);
      return;
    }
    Point point = sweep_.common;
    point.requested_algorithm = request.algorithm;
    point.call = *call;
    point.placement.procs = request.procs;
    if (ppn) point.placement.ppn = static_cast<int>(*ppn);
    if (point.engine_is_chosen) point.engine = choose_engine(point);
    if (seen_.insert(key_of(point)).second) points_.push_back(std::move(point));
  }

  const Sweep& sweep_;
  std::vector<Point> points_;
  std::vector<Error> errors_;
  std::set<std::string> places_;  // options with an error: one each is enough
  std::set<decltype(key_of(Point{}))> seen_;
};

}  // namespace

Result<std::vector<Point>> points_of(const Sweep& sweep) {
  if (too_many(sweep))
    return usage_error("options", fmt::format("the axes make more than {} points", max_points),
                       "take fewer values, or larger steps (A:B:*4)");
  Product product(sweep);
  for (const auto& algorithm : sweep.algorithms) product.add_algorithm(algorithm);
  return product.take();
}

}  // namespace tutti::studies
