// SPDX-License-Identifier: BSD-3-Clause
// A fitted model of one algorithm on one machine: the stages that its implementation shows
// (algorithms/models/stages.hpp), and what they cost there:
//   time = sum over its messages (alpha + beta bytes) + sum over its hops (lambda + mu bytes)
// for each number of processes of the experiments, for calls in one piece and for calls in
// segments, and for a class of message sizes each. (gamma, measured with small messages, charges a
// tree of large ones otherwise than a stream of segments.) lambda and mu go beyond Nuriyev and
// Lastovetsky, whose models do without: what a message that others wait for takes beyond the pace
// of a stream of them. They may be negative, where gamma charges a tree's way down too much; alpha,
// beta, alpha + lambda and beta + mu are not: every message takes time.
#pragma once

#include "algorithms/models/stages.hpp"
#include "sim/base/common.hpp"

namespace tutti::studies {

// Message sizes up to this one, and above those of the class before.
struct SizeClass {
  std::optional<Bytes> up_to_bytes = {};  // none: the last class
  Bytes least_bytes = 0;                  // of the messages that it was fitted to
  Bytes most_bytes = 0;
  Seconds alpha_s = 0;
  double beta_s_per_B = 0;
  Seconds lambda_s = 0;
  double mu_s_per_B = 0;
  Seconds alpha_half_width_s = 0;  // of the 95 % confidence interval
  double beta_half_width_s_per_B = 0;
  // The experiments tell alpha and beta apart, and each so well that no message of the class is
  // more than 10 % off for it; else only alpha + beta bytes near the sampled sizes is known.
  bool is_determined = true;
};

// The calls that a model was fitted to.
struct FittedRange {
  Bytes least_message_bytes = 0;
  Bytes most_message_bytes = 0;
  bool unsegmented = false;  // calls in one piece are among them
  // Of the segmented calls; 0: there are none.
  Bytes least_segment_bytes = 0;
  Bytes most_segment_bytes = 0;

  void add(Bytes message_bytes, Bytes segment_bytes);
  // Of calls that either covers; neither is empty.
  FittedRange with(const FittedRange& other) const;
  bool covers_segment(Bytes segment_bytes) const;  // 0: calls in one piece
};

bool is_in_one_piece(Bytes message_bytes, Bytes segment_bytes);

// The model for one number of processes, of calls in one piece or of segmented ones.
struct ProcsModel {
  int procs = 0;
  FittedRange range = {};
  std::vector<SizeClass> classes = {};  // by size
  // Of the linear gather behind the experiments, where they had one and it got its own parameters.
  std::optional<Seconds> gather_alpha_s = {};
  std::optional<double> gather_beta_s_per_B = {};
  // Of the fit.
  std::int64_t samples = 0;
  double condition = 0;     // of the system's columns at unit length
  double median_error = 0;  // of |predicted / observed - 1|
  double largest_error = 0;

  const SizeClass& class_of(Bytes bytes) const;
};

struct AlgorithmModel {
  std::string collective = {};
  std::string algorithm = {};
  std::optional<int> fanout = {};  // where the algorithm has one
  // At least one. Those of calls in one piece first, by the numbers of processes.
  std::vector<ProcsModel> of_procs = {};

  std::pair<int, int> least_and_most_procs() const;
};

Seconds predicted_time(const ProcsModel& model, const algorithms::models::StageForm& form);

// A call whose time is predicted.
struct ModelledCall {
  int procs = 0;
  Bytes message_bytes = 0;
  Bytes segment_bytes = 0;  // 0: one piece
  algorithms::models::StageForm form = {};
};

struct Prediction {
  Seconds time_s = 0;
  // Why the experiments do not cover the call: "2 processes (fitted to 4 to 90)"; empty: they do.
  std::string outside = {};
};

// Between two numbers of processes of the experiments: the stages of the call at the costs of
// either, interpolated in the logarithm of the number; beyond them at the nearest one's costs.
Prediction predicted_time(const AlgorithmModel& model, const ModelledCall& call);

}  // namespace tutti::studies
