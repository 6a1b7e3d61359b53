// SPDX-License-Identifier: BSD-3-Clause
// Model-guided search: a Gaussian process predicts the times of unknown combinations, and the one
// with the largest expected improvement over the best is evaluated next (D. R. Jones, M. Schonlau,
// W. J. Welch, Journal of Global Optimization 13, 1998, section 4.1). Several at once by the
// constant liar (D. Ginsbourger, R. Le Riche, L. Carraro, 2010): pending ones count as if they had
// the time of the best.

#include <Eigen/Dense>
#include <numbers>

#include "sim/base/common.hpp"
#include "sim/tune/equal_values.hpp"
#include "sim/tune/search.hpp"

namespace tutti::studies::tuning {
namespace {

using Eigen::ArrayXd;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Predicts times of combinations from known ones: a Gaussian process (C. E. Rasmussen, C. K. I.
// Williams, Gaussian Processes for Machine Learning, 2006: 2.2, 4.2.1, 5.4.1).

// Combinations as points, one per column: for ordered parameters the rank, scaled to 0..1, with 0
// last if it means no limit (segment_size, max_requests); for names the number, which is only
// compared for equality.
class Features {
 public:
  explicit Features(const Space& space) {
    for (const auto& parameter : space.parameters()) {
      const std::size_t count = parameter.values.size();
      const bool zero_is_last = parameter.is_ordered && parameter.values.front() == "0";
      const double scale =
          parameter.is_ordered && count > 1 ? 1 / static_cast<double>(count - 1) : 1;
      std::vector<double> places;
      for (std::size_t value = 0; value < count; ++value) {
        const std::size_t rank = zero_is_last ? (value + count - 1) % count : value;
        places.push_back(scale * static_cast<double>(rank));
      }
      places_.push_back(std::move(places));
      is_ordered_.push_back(parameter.is_ordered);
    }
  }

  MatrixXd points(const std::vector<Combination>& combinations) const {
    MatrixXd columns(dimensions(), static_cast<Index>(combinations.size()));
    for (std::size_t i = 0; i < combinations.size(); ++i)
      for (std::size_t p = 0; p < places_.size(); ++p)
        columns(static_cast<Index>(p), static_cast<Index>(i)) = places_[p][combinations[i][p]];
    return columns;
  }
  // Squared distances of the points of `points` to `from`, weighted by parameter.
  ArrayXd squares(const MatrixXd& points, const VectorXd& from, const VectorXd& weights) const {
    ArrayXd sum = ArrayXd::Zero(points.cols());
    for (Index p = 0; p < dimensions(); ++p) {
      if (!varies(p)) continue;
      const auto row = points.row(p).transpose().array();
      if (is_ordered_[static_cast<std::size_t>(p)])
        sum += weights[p] * (row - from[p]).square();
      else
        sum += weights[p] * (row != from[p]).cast<double>();
    }
    return sum;
  }
  Index dimensions() const { return static_cast<Index>(is_ordered_.size()); }
  // Whether the parameter has more than one value.
  bool varies(Index parameter) const {
    return places_[static_cast<std::size_t>(parameter)].size() > 1;
  }

 private:
  std::vector<bool> is_ordered_;
  std::vector<std::vector<double>> places_;  // by parameter and value
};

// The parameters that maximize the likelihood.
struct ProcessShape {
  VectorXd lengths;      // by parameter: the distance over which values are correlated
  double nugget = 1e-6;  // relative to the variance: the part that the process does not explain
};

// Matern 5/2, twice differentiable: [4.17].
ArrayXd matern(const ArrayXd& squares) {
  const ArrayXd s = (5 * squares).sqrt();
  return (1 + s + s.square() / 3) * (-s).exp();
}

VectorXd length_weights(const ProcessShape& shape) {
  return shape.lengths.array().square().inverse();
}

MatrixXd covariance(const Features& features, const ProcessShape& shape, const MatrixXd& points) {
  const VectorXd weights = length_weights(shape);
  MatrixXd K(points.cols(), points.cols());
  for (Index i = 0; i < points.cols(); ++i) {
    const Index rest = points.cols() - i;
    K.col(i).tail(rest) =
        matern(features.squares(points.rightCols(rest), points.col(i), weights)).matrix();
    K(i, i) += shape.nugget;
  }
  return K;  // the lower triangle
}

constexpr double length_grid[] = {0.1, 0.2, 0.4, 0.7, 1, 1.5, 2.5, 4, 8, 20};

constexpr double nugget_grid[] = {1e-6, 1e-4, 1e-3, 1e-2};

// Lengths that are likely a priori: about 1, within a factor of e^1.5.
constexpr double usual_length = 1;

constexpr double length_spread = 1.5;

constexpr double longest_step = 2;  // of a walk, in logarithms of lengths

constexpr int rounds_for_one = 2;  // steps of each length between two shapes that are kept

// Logarithm of the likelihood, with the best variance of the process, times that of the lengths.
double likelihood(const Features& features, const MatrixXd& known, const VectorXd& values,
                  const ProcessShape& shape) {
  const Eigen::LLT<MatrixXd> factor(covariance(features, shape, known));
  if (factor.info() != Eigen::Success) return -std::numeric_limits<double>::infinity();
  const auto n = static_cast<double>(values.size());
  const double square = factor.matrixL().solve(values).squaredNorm();
  const double log_determinant = 2 * factor.matrixLLT().diagonal().array().log().sum();
  const ArrayXd off = (shape.lengths.array() / usual_length).log() / length_spread;
  return -0.5 * (n * std::log(std::max(square / n, 1e-300)) + log_determinant + off.square().sum());
}

// The shape that explains the values best, starting at `start`: a coordinate search over a grid, as
// long as it improves. `values` have mean 0.
ProcessShape fit_shape(const Features& features, const MatrixXd& known, const VectorXd& values,
                       const ProcessShape& start) {
  ProcessShape best = start;
  double most = likelihood(features, known, values, best);
  const auto move = [&](double& number, const auto& grid) {
    const double before = number;
    double chosen = before;
    for (const double candidate : grid) {
      number = candidate;
      const double likely = candidate == before ? most : likelihood(features, known, values, best);
      if (likely <= most) continue;
      most = likely;
      chosen = candidate;
    }
    number = chosen;
    return chosen != before;
  };
  constexpr int most_rounds = 4;
  bool has_moved = true;
  for (int round = 0; round < most_rounds && has_moved; ++round) {
    has_moved = false;
    for (Index p = 0; p < features.dimensions(); ++p)
      if (features.varies(p)) has_moved |= move(best.lengths[p], length_grid);
    has_moved |= move(best.nugget, nugget_grid);
  }
  return best;
}

// Draws shapes from their posterior, starting at `start`: a random walk (Metropolis).
std::vector<ProcessShape> draw_shapes(const Features& features, const MatrixXd& known,
                                      const VectorXd& values, const ProcessShape& start,
                                      std::size_t count, Draws& draws) {
  ProcessShape at = start;
  double here = likelihood(features, known, values, at);
  std::vector<ProcessShape> shapes;
  while (shapes.size() < count) {
    for (int round = 0; round < rounds_for_one; ++round)
      for (Index p = 0; p < features.dimensions(); ++p) {
        if (!features.varies(p)) continue;
        ProcessShape next = at;
        next.lengths[p] *= std::exp(longest_step * (2 * draws.uniform() - 1));
        const double there = likelihood(features, known, values, next);
        if (std::log(draws.uniform()) > there - here) continue;
        at = next;
        here = there;
      }
    shapes.push_back(at);
  }
  return shapes;
}

// Means and variances of candidates.
class Prediction {
 public:
  Prediction(const Features& features, const ProcessShape& shape, const MatrixXd& known,
             const VectorXd& values, MatrixXd candidates)
      : features_(features), shape_(shape), candidates_(std::move(candidates)) {
    const Eigen::LLT<MatrixXd> factor(covariance(features, shape, known));
    const VectorXd weights = length_weights(shape);
    constexpr Index most_added = 8;  // without reallocation
    used_ = known.cols();
    rows_.resize(used_ + most_added, candidates_.cols());
    auto cross = rows_.topRows(used_);
    for (Index i = 0; i < used_; ++i)
      cross.row(i) = matern(features.squares(candidates_, known.col(i), weights)).matrix();
    const VectorXd white = factor.matrixL().solve(values);
    scale_ = std::max(white.squaredNorm() / static_cast<double>(values.size()), 1e-12);
    if (cross.size() > 0) factor.matrixL().solveInPlace(cross);  // candidates may be empty
    means_ = (white.transpose() * cross).transpose();
    variances_ = (1 + shape.nugget - cross.colwise().squaredNorm().transpose().array()) * scale_;
  }

  const ArrayXd& means() const { return means_; }
  const ArrayXd& variances() const { return variances_; }
  // Updates the variances as if the candidate were known, too.
  void add(Index candidate, double value) {
    if (used_ == rows_.rows()) rows_.conservativeResize(2 * used_ + 1, Eigen::NoChange);
    const auto before = rows_.topRows(used_);
    const ArrayXd prior =
        matern(features_.squares(candidates_, candidates_.col(candidate), length_weights(shape_)));
    const ArrayXd covariances =
        prior - (before.col(candidate).transpose() * before).transpose().array();
    const double variance = std::max(variances_[candidate] / scale_, shape_.nugget);
    const ArrayXd row = covariances / std::sqrt(variance);
    means_ += row * ((value - means_[candidate]) / std::sqrt(variance));
    variances_ = (variances_ - scale_ * row.square()).max(0);
    rows_.row(used_++) = row.transpose().matrix();
  }

 private:
  const Features& features_;
  ProcessShape shape_;
  double scale_ = 1;  // the process' variance
  MatrixXd candidates_;
  MatrixXd rows_;  // L^-1 K(known, candidates), a row for each known combination
  Index used_ = 0;
  ArrayXd means_, variances_;
};

constexpr std::size_t few_combinations = 20'000;  // spaces up to this size are enumerated
// In larger spaces only a random sample is considered in addition to the neighbors of the best,
// which bounds the cost of a proposal. This is the product of its size and the number of known
// combinations.
constexpr std::size_t candidates_times_known = 100'000;
constexpr std::size_t least_candidates = 1000, most_candidates = 3000;
// Number of known combinations that shapes are fitted to.
constexpr std::size_t most_fitted = 100;
constexpr double refit_growth = 1.1;
constexpr std::size_t shapes_times_known = 600;
// A batch has one more for each such part of the budget.
constexpr std::size_t budget_of_one_more = 40;
constexpr double local_fraction = 0.1;  // fraction of the budget for neighbors of the best
// Fraction of the budget for resetting parameters to their defaults.
constexpr double settling_fraction = 0.05;

// Values as the process models them: their logarithms, with mean 0 and variance 1. Failed
// combinations get the worst value.
class Targets {
 public:
  explicit Targets(const std::vector<Evaluated>& known) {
    double worst = -std::numeric_limits<double>::infinity(), least = -worst;
    for (const auto& evaluated : known)
      if (evaluated.value)
        worst = std::max(worst, *evaluated.value), least = std::min(least, *evaluated.value);
    has_logarithms_ = least > 0;
    values_.resize(static_cast<Index>(known.size()));
    for (std::size_t i = 0; i < known.size(); ++i)
      values_[static_cast<Index>(i)] = transformed(known[i].value.value_or(worst));
    mean_ = values_.mean();
    values_.array() -= mean_;
    const double deviation = std::sqrt(values_.squaredNorm() / static_cast<double>(known.size()));
    if (deviation > 0) scale_ = deviation;
    values_ /= scale_;
  }

  const VectorXd& values() const { return values_; }
  double best() const { return values_.minCoeff(); }

 private:
  double transformed(double value) const { return has_logarithms_ ? std::log(value) : value; }

  bool has_logarithms_ = true;
  double mean_ = 0, scale_ = 1;
  VectorXd values_;
};

double expected_improvement(double best, double mean, double variance) {
  const double deviation = std::sqrt(variance);
  if (deviation <= 0) return std::max(0.0, best - mean);
  const double z = (best - mean) / deviation;
  const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  const double below = std::erfc(-z / std::numbers::sqrt2) / 2;
  return deviation * (z * below + density);
}

class Search {
 public:
  Search(Evaluations& evaluations, const SearchOptions& options)
      : evaluations_(evaluations),
        space_(evaluations.space()),
        batch_(std::max<std::size_t>(1, options.batch)),
        budget_(evaluation_budget(space_, options)),
        features_(space_),
        draws_(options.seed) {
    if (space_.size() <= Space::most_counted && space_.count() <= few_combinations)
      all_ = space_.all();
  }

  std::optional<Error> run() {
    if (auto error = evaluate(first_sample(space_, first_count(), draws_))) return error;
    const std::size_t until = budget_ - static_cast<std::size_t>(settling_fraction * budget());
    while (known().size() < until) {
      const auto next = propose(std::min(most_at_once(), until - known().size()));
      if (next.empty()) break;
      if (auto error = evaluate(next)) return error;
    }
    return settle();
  }

 private:
  const std::vector<Evaluated>& known() const { return evaluations_.history(); }
  double budget() const { return static_cast<double>(budget_); }

  // Enough that each name occurs once, while half of the budget remains.
  std::size_t first_count() const {
    std::size_t names = space_.dimensions() / 2 + 1;
    for (const auto& parameter : space_.parameters())
      if (!parameter.is_ordered) names = std::max(names, parameter.values.size());
    return std::clamp<std::size_t>(names, 1, (budget_ + 1) / 2);
  }

  // Predictions from few known combinations are poor, so small budgets evaluate fewer in parallel.
  std::size_t most_at_once() const {
    return std::clamp<std::size_t>(budget_ / budget_of_one_more, 1, batch_);
  }

  std::optional<Error> evaluate(const std::vector<Combination>& combinations) {
    TUTTI_TRY(evaluations_.evaluate(combinations));
    return std::nullopt;
  }

  // The largest expected improvement, on average over the shapes.
  std::vector<Combination> propose(std::size_t count) {
    const auto candidates = find_candidates();
    const Targets targets(known());
    const MatrixXd points = features_.points(all_combinations(known()));
    const MatrixXd candidate_points = features_.points(candidates);
    fit(points, targets.values());
    std::vector<Prediction> predictions;
    predictions.reserve(shapes_.size());
    for (const auto& shape : shapes_)
      predictions.emplace_back(features_, shape, points, targets.values(), candidate_points);
    std::vector<Combination> proposals;
    std::vector<bool> is_chosen(candidates.size());
    while (proposals.size() < std::min(count, candidates.size())) {
      const std::size_t chosen = most_promising(predictions, targets.best(), is_chosen);
      is_chosen[chosen] = true;
      proposals.push_back(candidates[chosen]);
      for (auto& prediction : predictions)
        prediction.add(static_cast<Index>(chosen), targets.best());
    }
    return proposals;
  }

  static std::size_t most_promising(const std::vector<Prediction>& predictions, double best,
                                    const std::vector<bool>& is_chosen) {
    std::size_t best_index = 0;
    double most = -1;
    for (std::size_t i = 0; i < is_chosen.size(); ++i) {
      if (is_chosen[i]) continue;
      const auto at = static_cast<Index>(i);
      double sum = 0;
      for (const auto& prediction : predictions)
        sum += expected_improvement(best, prediction.means()[at], prediction.variances()[at]);
      if (sum <= most) continue;
      most = sum;
      best_index = i;
    }
    return best_index;
  }

  // Fits new shapes while that is cheap, and as long as it adds information.
  void fit(const MatrixXd& points, const VectorXd& values) {
    const auto count = static_cast<std::size_t>(values.size());
    if (!shapes_.empty() &&
        (count < refit_growth * static_cast<double>(fitted_to_) || count > most_fitted))
      return;
    ProcessShape start;
    start.lengths = VectorXd::Ones(features_.dimensions());
    const auto fitted = fit_shape(features_, points, values, start);
    const auto shapes = std::clamp<std::size_t>(shapes_times_known / count, 3, 16);
    shapes_ = draw_shapes(features_, points, values, fitted, shapes, draws_);
    fitted_to_ = count;
  }

  static std::vector<Combination> all_combinations(const std::vector<Evaluated>& all) {
    std::vector<Combination> combinations;
    for (const auto& evaluated : all) combinations.push_back(evaluated.combination);
    return combinations;
  }

  // A bold guess of repetitions saves evaluations; before the search ends, a careful one is used.
  std::vector<Combination> find_candidates() {
    auto candidates = candidates_without(EqualValues(space_, known(), EqualValues::Guess::bold));
    return !candidates.empty()
               ? candidates
               : candidates_without(EqualValues(space_, known(), EqualValues::Guess::careful));
  }

  // All combinations that are neither known nor likely to repeat a known one; at the end, neighbors
  // of the best first.
  std::vector<Combination> candidates_without(const EqualValues& equal) {
    std::set<Combination> seen;
    for (const auto& evaluated : known()) seen.insert(evaluated.combination);
    std::vector<Combination> candidates;
    const auto take = [&](const std::vector<Combination>& all) {
      for (const auto& combination : all)
        if (!seen.contains(combination) && !equal.repeats(combination)) {
          candidates.push_back(combination);
          seen.insert(combination);
        }
    };
    if (const auto best = evaluations_.best()) take(neighbours(space_, best->combination));
    const bool is_local = static_cast<double>(known().size()) >= (1 - local_fraction) * budget();
    if (is_local && !candidates.empty()) return candidates;
    const std::size_t most =
        std::clamp<std::size_t>(candidates_times_known / known().size(), 1000, few_combinations);
    take(all_.size() <= most && !all_.empty() ? all_ : draw(most));
    return candidates;
  }

  std::vector<Combination> draw(std::size_t count) {
    std::vector<Combination> combinations;
    for (std::size_t i = 0; i < count; ++i)
      combinations.push_back(all_.empty() ? space_.canonical(space_.at(draws_.below(space_.size())))
                                          : all_[draws_.below(all_.size())]);
    return combinations;
  }

  // Uses the remaining budget to check whether parameters of the best can be reset to their
  // defaults. All that are likely to have no effect are reset together first.
  std::optional<Error> settle() {
    if (!evaluations_.best()) return std::nullopt;
    const EqualValues equal(space_, known());
    const Combination best = evaluations_.best()->combination;
    Combination likely = best;
    for (std::size_t i = 0; i < likely.size(); ++i)
      if (const auto back = with_default(likely, i); equal.same(best, back)) likely = back;
    if (known().size() < budget_)
      if (auto error = evaluate({likely})) return error;
    for (std::size_t i = 0; i < space_.dimensions() && known().size() < budget_; ++i)
      if (auto error = evaluate({with_default(evaluations_.best()->combination, i)})) return error;
    return std::nullopt;
  }

  Combination with_default(Combination combination, std::size_t parameter) const {
    combination[parameter] = space_.parameters()[parameter].default_value;
    return space_.canonical(std::move(combination));
  }

  Evaluations& evaluations_;
  const Space& space_;
  std::size_t batch_;
  std::size_t budget_;
  Features features_;
  Draws draws_;
  std::vector<ProcessShape> shapes_;
  std::size_t fitted_to_ = 0;     // number of combinations known at the last fit
  std::vector<Combination> all_;  // all combinations of a small space
};

}  // namespace

Result<SearchOutcome> model_guided_search(Evaluations& evaluations, const SearchOptions& options) {
  if (const auto error = Search(evaluations, options).run()) return *error;
  return SearchOutcome{};
}

}  // namespace tutti::studies::tuning
