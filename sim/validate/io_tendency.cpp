// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/io_tendency.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

namespace tutti::studies {
namespace {

constexpr std::array cases{TendencyCase::data, TendencyCase::aggregators, TendencyCase::procs};

// What varies stands last.
using Order = std::array<std::int64_t, 3>;
Order order_of(const TendencyPoint& point, TendencyCase varied) {
  switch (varied) {
    case TendencyCase::data:
      return {point.procs, point.aggregators, point.bytes_per_proc};
    case TendencyCase::aggregators:
      return {point.procs, point.bytes_per_proc, point.aggregators};
    case TendencyCase::procs:
      break;
  }
  return {point.bytes_per_proc, point.aggregators, point.procs};
}

int sign_of(double change, double least) {
  if (change == 0 || std::abs(change) < least) return 0;
  return change > 0 ? 1 : -1;
}

class Pairing {
 public:
  Pairing(std::span<const TendencyPoint> points, double least) : points_(points), least_(least) {}

  void add(TendencyCase varied, std::vector<TendencyPair>& pairs) const {
    std::vector<std::size_t> sorted(points_.size());
    std::iota(sorted.begin(), sorted.end(), 0U);
    std::ranges::sort(sorted, {}, [&](std::size_t i) { return key(i, varied); });
    for (std::size_t i = 1; i < sorted.size(); ++i)
      if (are_neighbours(sorted[i - 1], sorted[i], varied))
        pairs.push_back(pair(varied, sorted[i - 1], sorted[i]));
  }

 private:
  std::pair<std::string, Order> key(std::size_t i, TendencyCase varied) const {
    return {points_[i].model, order_of(points_[i], varied)};
  }

  bool are_neighbours(std::size_t from, std::size_t to, TendencyCase varied) const {
    const auto [from_model, a] = key(from, varied);
    const auto [to_model, b] = key(to, varied);
    return from_model == to_model && a[0] == b[0] && a[1] == b[1] && a[2] < b[2];
  }

  TendencyPair pair(TendencyCase varied, std::size_t from, std::size_t to) const {
    TendencyPair made{varied, from, to, points_[to].simulated_s / points_[from].simulated_s - 1,
                      points_[to].model_s / points_[from].model_s - 1};
    made.agreement = agreement_of(made.simulated_change, made.model_change, least_);
    return made;
  }

  std::span<const TendencyPoint> points_;
  double least_;
};

std::int64_t& counter_of(TendencyCount& count, Agreement agreement) {
  switch (agreement) {
    case Agreement::match:
      return count.match;
    case Agreement::mismatch:
      return count.mismatch;
    case Agreement::no_change:
      return count.no_change;
    case Agreement::only_simulated:
      return count.only_simulated;
    case Agreement::only_model:
      break;
  }
  return count.only_model;
}

}  // namespace

const char* name_of(Agreement agreement) {
  switch (agreement) {
    case Agreement::match:
      return "match";
    case Agreement::mismatch:
      return "mismatch";
    case Agreement::no_change:
      return "no change";
    case Agreement::only_simulated:
      return "only simulated";
    case Agreement::only_model:
      break;
  }
  return "only model";
}

Agreement agreement_of(double simulated_change, double model_change, double least) {
  const int simulated = sign_of(simulated_change, least);
  const int model = sign_of(model_change, least);
  if (simulated == 0 && model == 0) return Agreement::no_change;
  if (model == 0) return Agreement::only_simulated;
  if (simulated == 0) return Agreement::only_model;
  return simulated == model ? Agreement::match : Agreement::mismatch;
}

std::vector<TendencyPair> tendency_pairs(std::span<const TendencyPoint> points, double least) {
  std::vector<TendencyPair> pairs;
  const Pairing pairing(points, least);
  for (const auto varied : cases) pairing.add(varied, pairs);
  return pairs;
}

std::vector<TendencyCount> count_tendencies(std::span<const TendencyPoint> points,
                                            std::span<const TendencyPair> pairs,
                                            std::span<const std::string> models) {
  std::vector<TendencyCount> counts;
  for (const auto varied : cases)
    for (const auto& model : models) {
      TendencyCount& count = counts.emplace_back(TendencyCount{varied, model});
      for (const auto& pair : pairs)
        if (pair.varied == varied && points[pair.from].model == model)
          ++counter_of(count, pair.agreement);
    }
  return counts;
}

}  // namespace tutti::studies
