// SPDX-License-Identifier: BSD-3-Clause
// A fitted model of one algorithm on one machine: the stages that its implementation shows
// (algorithms/models/stages.hpp), and what they cost there:
//   time = sum over its messages (alpha + beta bytes) + sum over its hops (lambda + mu bytes)
// They hold for a class of message sizes each. lambda and mu go beyond Nuriyev and Lastovetsky,
// whose models do without: what a message that others wait for takes beyond the pace of a stream of
// them; it is negative where gamma charges a tree's way down too much.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/models/stages.hpp"

namespace tutti::studies {

// Message sizes up to this one, and above those of the class before.
struct SizeClass {
  std::optional<Bytes> up_to_bytes = {};  // none: the last class
  Seconds alpha_s = 0;
  double beta_s_per_B = 0;
  Seconds lambda_s = 0;
  double mu_s_per_B = 0;
  Seconds alpha_half_width_s = 0;  // of the 95 % confidence interval
  double beta_half_width_s_per_B = 0;
  bool is_determined = true;  // else only alpha + beta bytes at the sampled size is
};

struct AlgorithmModel {
  std::string collective = {};
  std::string algorithm = {};
  std::optional<int> fanout = {};       // where the algorithm has one
  std::vector<SizeClass> classes = {};  // by size
  // Of the linear gather behind the experiments, where they had one and it got its own parameters.
  std::optional<Seconds> gather_alpha_s = {};
  std::optional<double> gather_beta_s_per_B = {};
  // Of the fit.
  std::int64_t samples = 0;
  double condition = 0;     // of the system's columns at unit length
  double median_error = 0;  // of |predicted / simulated - 1|
  double largest_error = 0;

  const SizeClass& class_of(Bytes bytes) const;
};

Seconds predicted_time(const AlgorithmModel& model, const algorithms::models::StageForm& form);

}  // namespace tutti::studies
