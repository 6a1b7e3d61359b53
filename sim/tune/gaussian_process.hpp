// SPDX-License-Identifier: BSD-3-Clause
// A guess of what combinations take from those that are known: a Gaussian process (C. E. Rasmussen,
// C. K. I. Williams, Gaussian Processes for Machine Learning, 2006: 2.2, 4.2.1, 5.4.1).
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "sim/tune/searches.hpp"

namespace tutti::studies::tuning {

// Combinations as points, a column each: of ordered parameters the rank, scaled to 0..1, where 0
// comes last as it means that there is no limit (segment_size, max_requests); of names the number,
// of which only whether it is the same counts.
class Features {
 public:
  explicit Features(const Space& space);

  Eigen::MatrixXd of(const std::vector<Combination>& combinations) const;
  // Of each point of `points` to `from`, squared, weighted by parameter.
  Eigen::ArrayXd squares(const Eigen::MatrixXd& points, const Eigen::VectorXd& from,
                         const Eigen::VectorXd& weights) const;
  Eigen::Index dimensions() const { return static_cast<Eigen::Index>(is_ordered_.size()); }
  // Whether it has more than one value.
  bool varies(Eigen::Index parameter) const {
    return places_[static_cast<std::size_t>(parameter)].size() > 1;
  }

 private:
  std::vector<bool> is_ordered_;
  std::vector<std::vector<double>> places_;  // by parameter and value
};

// What the likelihood is maximised over.
struct ProcessShape {
  Eigen::VectorXd lengths;  // by parameter: how far a value tells about others
  double nugget = 1e-6;     // of the variance: what the process does not explain
};

// The shape that explains the values best, from `start` on: one number after the other is moved
// over a grid while that helps. `values` have mean 0.
ProcessShape fitted_shape(const Features& features, const Eigen::MatrixXd& known,
                          const Eigen::VectorXd& values, const ProcessShape& start);

// Shapes as likely as the values make them, from `start` on: a random walk (Metropolis).
std::vector<ProcessShape> drawn_shapes(const Features& features, const Eigen::MatrixXd& known,
                                       const Eigen::VectorXd& values, const ProcessShape& start,
                                       std::size_t count, Draws& draws);

// Means and variances of candidates.
class Prediction {
 public:
  Prediction(const Features& features, const ProcessShape& shape, const Eigen::MatrixXd& known,
             const Eigen::VectorXd& values, Eigen::MatrixXd candidates);

  const Eigen::ArrayXd& means() const { return means_; }
  const Eigen::ArrayXd& variances() const { return variances_; }
  // As if the candidate were known too.
  void add(Eigen::Index candidate, double value);

 private:
  const Features& features_;
  ProcessShape shape_;
  double scale_ = 1;  // the process' variance
  Eigen::MatrixXd candidates_;
  Eigen::MatrixXd rows_;  // L^-1 K(known, candidates), a row for each that is known
  Eigen::Index used_ = 0;
  Eigen::ArrayXd means_, variances_;
};

}  // namespace tutti::studies::tuning
