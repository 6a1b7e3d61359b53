// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/model_fit.hpp"

#include "sim/base/quantile.hpp"
#include "sim/fit/nonnegative_fit.hpp"
#include "sim/studies/sweep.hpp"

namespace tutti::studies {

Result<std::vector<ModelExperiment>> gamma_experiments(const platforms::Machine& machine,
                                                       Bytes segment_bytes, int most_procs,
                                                       const runtime::Noise& noise) {
  const std::int64_t most = std::min<std::int64_t>(most_procs, machine.host_count());
  if (most < 2)
    return usage_error("--platform", fmt::format("{} has one node", machine.name),
                       "gamma needs measurements between at least two nodes");
  Sweep sweep;
  sweep.collective = "bcast";
  sweep.algorithms = {"basic_linear"};
  sweep.procs.resize(static_cast<std::size_t>(most) - 1);
  std::iota(sweep.procs.begin(), sweep.procs.end(), 2);
  sweep.ppn = {1};
  sweep.message_bytes = {segment_bytes};
  sweep.common.benchmark.noise = noise;
  auto points = TUTTI_TRY(make_points(sweep, machine));
  std::vector<ModelExperiment> experiments;
  for (auto& point : points.all) experiments.push_back({std::move(point), {}});
  return experiments;
}

GammaFit gamma_of(const std::vector<Seconds>& times) {
  std::vector<double> gamma;
  std::vector<DataPoint> points;
  for (const Seconds time_s : times) {
    gamma.push_back(time_s / times.front());
    points.push_back({static_cast<double>(gamma.size() + 1), gamma.back()});
  }
  if (points.size() == 1) return {.gamma = {std::move(gamma), 1, 0}};
  const StraightLine line = least_squares(points);
  double largest = 0;
  for (const auto& point : points)
    largest = std::max(largest, std::fabs(line(point.x) / point.y - 1));
  return {.gamma = {std::move(gamma), line.at_0, line.slope}, .largest_residual = largest};
}

namespace {

using Eigen::Index;
using Observations = std::vector<ModelObservation>;

// An additional class must reduce the errors to this fraction, and they must exceed the limit
// below.
constexpr double worth_a_class = 0.6;
constexpr double good_enough = 0.005;
constexpr std::size_t most_classes = 4;

// Cost of the gather that follows a call.
enum class GatherTerms : unsigned char {
  none,
  as_class,  // like messages of the algorithm: equation 8
  slope,     // its own beta; the remainder of its cost is the same in all rows
  own        // its own alpha and beta
};

// The unknowns of the system.
struct Unknowns {
  std::vector<Bytes> ends;  // ends of all classes but the last
  bool hops = false;        // lambda and mu
  GatherTerms gather = GatherTerms::none;
};

// Columns of each class: alpha and beta; with hops also alpha + lambda and beta + mu; then the
// gather's. No coefficient is negative.
class System {
 public:
  System(const Observations& observations, Unknowns unknowns)
      : observations_(observations), unknowns_(std::move(unknowns)) {
    Eigen::MatrixXd X = Eigen::MatrixXd::Zero(rows(), columns());
    for (Index row = 0; row < rows(); ++row) fill(X, row);
    fit_ = nonnegative_huber_fit(X, Eigen::VectorXd::Ones(rows()));
    residuals_ = (X * fit_.coefficients).array() - 1;
    all_empty_ = X.col(1).isZero() && classes() == 1;
  }

  ProcsModel model() const {
    ProcsModel model;
    for (std::size_t i = 0; i < classes(); ++i) model.classes.push_back(size_class(i));
    if (unknowns_.gather == GatherTerms::own) model.gather_alpha_s = fit_.coefficients[gather()];
    if (gather_columns() > 0) model.gather_beta_s_per_B = fit_.coefficients[columns() - 1];
    model.samples = rows();
    model.condition = fit_.condition;
    model.median_error = error_at(0.5);
    model.largest_error = error_at(1);
    return model;
  }

  const Unknowns& unknowns() const { return unknowns_; }
  // Lower for a better fit; outliers count linearly, not by their squares.
  double loss() const { return residuals_.cwiseAbs().mean(); }

  // Whether the data separate messages, hops and the gather at these sizes.
  bool distinguishes(const std::vector<Bytes>& sizes) const {
    for (const Bytes size : sizes) {
      const Index column = class_column(size);
      if (!fit_.determines(message_of(column, size))) return false;
      if (unknowns_.hops && !fit_.determines(message_of(column + 2, size))) return false;
    }
    for (Index column = gather(); column < columns(); ++column)
      if (!fit_.determines(unit(column))) return false;
    return true;
  }

  // Whether alpha and beta are known individually. Empty messages do not need beta.
  bool determines_classes() const {
    for (std::size_t i = 0; i < classes(); ++i)
      if (!determines_class(i)) return false;
    return true;
  }

 private:
  Index rows() const { return static_cast<Index>(observations_.size()); }
  std::size_t classes() const { return unknowns_.ends.size() + 1; }
  Index per_class() const { return unknowns_.hops ? 4 : 2; }
  Index gather() const { return per_class() * static_cast<Index>(classes()); }
  Index gather_columns() const {
    if (unknowns_.gather == GatherTerms::own) return 2;
    return unknowns_.gather == GatherTerms::slope ? 1 : 0;
  }
  Index columns() const { return gather() + gather_columns(); }
  Index class_column(Bytes bytes) const {
    const auto& ends = unknowns_.ends;
    return per_class() * (std::ranges::lower_bound(ends, bytes) - ends.begin());
  }
  Eigen::VectorXd unit(Index column) const { return Eigen::VectorXd::Unit(columns(), column); }
  Eigen::VectorXd message_of(Index column, Bytes bytes) const {
    return unit(column) + static_cast<double>(bytes) * unit(column + 1);
  }

  void fill(Eigen::MatrixXd& X, Index row) const {
    const auto& observation = observations_[static_cast<std::size_t>(row)];
    const auto add = [&](Index column, double count, Bytes bytes) {
      X.row(row) += count / observation.time_s * message_of(column, bytes);
    };
    for (const auto& messages : observation.form.messages) {
      const Index column = class_column(messages.bytes);
      const double hops = unknowns_.hops ? messages.hops : 0;
      add(column, messages.count - hops, messages.bytes);
      if (unknowns_.hops) add(column + 2, hops, messages.bytes);
    }
    if (unknowns_.gather == GatherTerms::as_class)
      add(class_column(observation.gather_bytes), observation.gather_messages,
          observation.gather_bytes);
    if (unknowns_.gather == GatherTerms::own)
      add(gather(), observation.gather_messages, observation.gather_bytes);
    if (unknowns_.gather == GatherTerms::slope)
      X(row, gather()) += observation.gather_messages *
                          static_cast<double>(observation.gather_bytes) / observation.time_s;
  }

  bool determines_class(std::size_t index) const {
    const auto column = per_class() * static_cast<Index>(index);
    if (!fit_.determines(unit(column))) return false;
    return all_empty_ || fit_.determines(unit(column + 1));
  }

  SizeClass size_class(std::size_t index) const {
    const auto column = per_class() * static_cast<Index>(index);
    const auto sizes = sizes_of_class(index);
    SizeClass found{.up_to_bytes = {},
                    .least_bytes = sizes.min,
                    .most_bytes = sizes.max,
                    .alpha_s = fit_.coefficients[column],
                    .beta_s_per_B = fit_.coefficients[column + 1],
                    .alpha_half_width_s = fit_.half_width(unit(column)),
                    .beta_half_width_s_per_B = fit_.half_width(unit(column + 1)),
                    .is_determined = determines_class(index) && is_precise(column, sizes)};
    if (index < unknowns_.ends.size()) found.up_to_bytes = unknowns_.ends[index];
    if (unknowns_.hops) {
      found.lambda_s = fit_.coefficients[column + 2] - found.alpha_s;
      found.mu_s_per_B = fit_.coefficients[column + 3] - found.beta_s_per_B;
      found.is_determined &= is_precise(column + 2, sizes);
    }
    return found;
  }

  std::ranges::minmax_result<Bytes> sizes_of_class(std::size_t index) const {
    std::vector<Bytes> sizes;
    for (const auto& observation : observations_)
      for (const auto& messages : observation.form.messages)
        if (class_column(messages.bytes) == per_class() * static_cast<Index>(index))
          sizes.push_back(messages.bytes);
    return sizes.empty() ? std::ranges::minmax_result<Bytes>{0, 0} : std::ranges::minmax(sizes);
  }

  // Whether neither the constant nor the slope is so uncertain that it changes a message of the
  // class much.
  bool is_precise(Index column, const std::ranges::minmax_result<Bytes>& sizes) const {
    constexpr double most_fraction = 0.1;
    const auto least = static_cast<double>(sizes.min), most = static_cast<double>(sizes.max);
    const auto cost = [&](Bytes bytes) { return fit_.value(message_of(column, bytes)); };
    return fit_.half_width(unit(column)) <= most_fraction * cost(sizes.min) &&
           fit_.half_width(unit(column + 1)) * (most - least) <= most_fraction * cost(sizes.max);
  }

  double error_at(double part) const {
    std::vector<double> errors;
    for (const double residual : residuals_) errors.push_back(std::fabs(residual));
    return quantile_of(errors, part);
  }

  const Observations& observations_;
  Unknowns unknowns_;
  RobustFit fit_;
  Eigen::VectorXd residuals_;
  bool all_empty_ = false;
};

std::vector<Bytes> sizes_in(const Observations& observations) {
  std::set<Bytes> sizes;
  for (const auto& observation : observations)
    for (const auto& messages : observation.form.messages) sizes.insert(messages.bytes);
  return {sizes.begin(), sizes.end()};
}

// The first of these systems that the data determine, or the last one.
System first_system(const Observations& observations, const std::vector<Bytes>& sizes,
                    bool has_gather) {
  const std::vector<GatherTerms> gathers = has_gather
                                               ? std::vector{GatherTerms::own, GatherTerms::slope}
                                               : std::vector{GatherTerms::none};
  for (const bool hops : {true, false})
    for (const auto gather : gathers) {
      System system(observations, {.ends = {}, .hops = hops, .gather = gather});
      if (system.distinguishes(sizes)) return system;
    }
  return System(observations, {.ends = {}, .hops = false, .gather = gathers.back()});
}

// The system with one more class that fits best; empty if the data do not determine it.
std::optional<System> with_one_more(const System& system, const Observations& observations,
                                    const std::vector<Bytes>& sizes) {
  std::optional<System> best;
  for (const Bytes size : sizes) {
    Unknowns unknowns = system.unknowns();
    auto& ends = unknowns.ends;
    if (size == sizes.back() || std::ranges::binary_search(ends, size)) continue;
    ends.insert(std::ranges::lower_bound(ends, size), size);
    System tried(observations, std::move(unknowns));
    if (!tried.distinguishes(sizes) || !tried.determines_classes() ||
        tried.loss() >= (best ? best->loss() : system.loss()))
      continue;
    best.emplace(std::move(tried));
  }
  return best;
}

}  // namespace

ProcsModel fit_model(const Observations& observations, ModelTerms terms) {
  const bool has_gather = std::ranges::any_of(
      observations, [](const auto& observation) { return observation.gather_messages > 0; });
  if (terms == ModelTerms::published)
    return System(observations, {.ends = {},
                                 .hops = false,
                                 .gather = has_gather ? GatherTerms::as_class : GatherTerms::none})
        .model();
  const auto sizes = sizes_in(observations);
  std::optional<System> system(first_system(observations, sizes, has_gather));
  while (system->unknowns().ends.size() + 1 < most_classes && system->loss() > good_enough) {
    auto more = with_one_more(*system, observations, sizes);
    if (!more || more->loss() > worth_a_class * system->loss()) break;
    system.emplace(*std::move(more));
  }
  return system->model();
}

}  // namespace tutti::studies
