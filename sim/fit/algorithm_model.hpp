// SPDX-License-Identifier: BSD-3-Clause
// A fitted model of one algorithm on one machine: the costs of the stages that its implementation
// has (algorithms/models/stages.hpp):
//   time = sum over its messages (alpha + beta bytes) + sum over its hops (lambda + mu bytes)
// There is one fit for each number of processes of the experiments, for unsegmented and for
// segmented calls (the published terms: for both), and for each class of message sizes. (gamma,
// measured with small messages, does not apply equally to a tree of large messages and to a stream
// of segments.) lambda and mu extend the models of Nuriyev and Lastovetsky: the additional time of
// a message that others wait for, compared with its share in a stream of messages. They may be
// negative where gamma overestimates a tree's way down; alpha, beta, alpha + lambda and beta + mu
// are not negative, since every message takes time.
#pragma once

#include "algorithms/models/stages.hpp"
#include "sim/base/common.hpp"

namespace tutti::studies {

// A class contains the message sizes above the previous class, up to and including this one's end.
struct SizeClass {
  std::optional<Bytes> up_to_bytes = {};  // unset in the last class
  Bytes least_bytes = 0;                  // smallest message that the class was fitted to
  Bytes most_bytes = 0;
  Seconds alpha_s = 0;
  double beta_s_per_B = 0;
  Seconds lambda_s = 0;
  double mu_s_per_B = 0;
  Seconds alpha_half_width_s = 0;  // half of the 95 % confidence interval
  double beta_half_width_s_per_B = 0;
  // True if the experiments separate alpha and beta so well that the error of no message of the
  // class exceeds 10 %; otherwise only alpha + beta bytes near the sampled sizes is known.
  bool is_determined = true;
};

// The range of the calls that a model was fitted to.
struct FittedRange {
  Bytes least_message_bytes = 0;
  Bytes most_message_bytes = 0;
  bool unsegmented = false;  // includes unsegmented calls
  // Range of the segment sizes; 0: no segmented calls.
  Bytes least_segment_bytes = 0;
  Bytes most_segment_bytes = 0;

  void add(Bytes message_bytes, Bytes segment_bytes);
  // Returns the union of this range and another one. Both must contain calls.
  FittedRange with(const FittedRange& other) const;
  bool covers_segment(Bytes segment_bytes) const;  // 0 means unsegmented calls
};

bool is_in_one_piece(Bytes message_bytes, Bytes segment_bytes);

// The model for one number of processes, of unsegmented or of segmented calls.
struct ProcsModel {
  int procs = 0;
  FittedRange range = {};
  std::vector<SizeClass> classes = {};  // in ascending order of size
  // Costs of the linear gather that follows the experiments; unset if there is no gather, or if it
  // has the costs of the classes.
  std::optional<Seconds> gather_alpha_s = {};
  std::optional<double> gather_beta_s_per_B = {};
  // Quality of the fit.
  std::int64_t samples = 0;
  double condition = 0;     // condition number of the system, with columns scaled to unit length
  double median_error = 0;  // median of |predicted / observed - 1|
  double largest_error = 0;

  const SizeClass& class_of(Bytes bytes) const;
};

struct AlgorithmModel {
  std::string collective = {};
  std::string algorithm = {};
  std::optional<int> fanout = {};  // for algorithms with a fan-out
  // At least one. Unsegmented calls first, then in ascending order of processes.
  std::vector<ProcsModel> of_procs = {};

  std::pair<int, int> least_and_most_procs() const;
};

Seconds predicted_time(const ProcsModel& model, const algorithms::models::StageForm& form);

// A call to predict.
struct ModelledCall {
  int procs = 0;
  Bytes message_bytes = 0;
  Bytes segment_bytes = 0;  // 0: unsegmented
  algorithms::models::StageForm form = {};
};

struct Prediction {
  Seconds time_s = 0;
  // The reason why the experiments do not cover the call, for example "2 processes (fitted to 4 to
  // 90)"; empty if they cover it.
  std::string outside = {};
};

// Predicts the time of a call. Between two numbers of processes of the experiments it interpolates
// the times with the costs of both in the logarithm of the number; outside of them it uses the
// costs of the nearest number.
Prediction predicted_time(const AlgorithmModel& model, const ModelledCall& call);

}  // namespace tutti::studies
