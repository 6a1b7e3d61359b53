// SPDX-License-Identifier: BSD-3-Clause
// The numbers that a joint fit moves: their priors, the parameters that they make, and what is
// reported of these.
#pragma once

#include <Eigen/Dense>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/fit/joint_fit.hpp"
#include "sim/fit/message_moves.hpp"
#include "sim/fit/simulated_fit.hpp"

namespace tutti::studies {

// A value that numbers make.
struct ReportedValue {
  std::string name;
  Bytes above = -1;
  std::string unit;
  std::optional<double> value;
  bool has_prior = true;  // else it is open where the times do not determine it
};

class FitNumbers {
 public:
  // Messages with a curve of extra latencies by size, and the system; the gap where it is wanted,
  // the memory bus where the options have it, the network's registration where they have messages.
  static FitNumbers of_all(const SystemParameters& system, const JointFitOptions& options,
                           Bytes eager_max, bool with_gap);
  // The options' messages in the sections of sizes that these alone show, as far as they leave
  // something open, and the system without extra latencies by size.
  static FitNumbers of_sections(const SystemParameters& system, const JointFitOptions& options,
                                bool with_gap);

  const Eigen::VectorXd& start() const { return start_; }  // the priors' medians
  JointFit at(const Eigen::VectorXd& numbers) const;
  // A row for each number in units of its prior's standard deviation, then their couplings.
  Eigen::VectorXd preferences(const Eigen::VectorXd& numbers) const;
  std::vector<ReportedValue> values(const JointFit& fit) const;
  // Of the logarithms of all values, by the numbers.
  std::vector<Eigen::VectorXd> gradients(const Eigen::VectorXd& numbers) const;

 private:
  using Setter = std::function<void(JointFit&, double)>;

  void add(const Prior& prior, Setter set);
  void add_system(const HardwareClass& hardware);

  JointFit base_;
  std::optional<MessageMoves> moves_;  // their numbers come first
  std::vector<Setter> set_;            // of the others
  Eigen::VectorXd start_, deviations_;
  Eigen::Index eager_copy_ = 0, local_copy_ = 0;  // numbers that are coupled
};

}  // namespace tutti::studies
