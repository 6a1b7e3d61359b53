// SPDX-License-Identifier: BSD-3-Clause
// Collectives before and after a change, beside what the models expect of them: as Figures 4.1 to
// 4.12 and the mean squared errors of section 4.1.5 of the dissertation have it.
#pragma once

#include "sim/base/common.hpp"
#include "sim/validate/improvement.hpp"
#include "sim/validate/message_gain.hpp"

namespace tutti::studies {

// What was done to the messages.
struct MessageTuning {
  // The improvement is given, and each of all_realised makes it by a machine for each size; else
  // `changes` are machines that were tried, for all sizes the same.
  bool is_given = false;
  std::vector<std::string> changes;  // names
  std::vector<SizeGain> gains;       // by size; where given without changed_s
  std::vector<MessageGain> given;    // by size, if they are
  std::vector<double> weights;       // by size; 0: not weighed; empty: nothing is
  ModelParameters parameters;        // untuned

  // Of a size: the changes that are best for its messages, or all_realised by their numbers.
  std::vector<std::size_t> best_of(std::size_t size) const;
  // The changes of the least weighted sum: a job has one set of parameters for all its messages.
  std::vector<std::size_t> best_of_all() const;
  double improvement_of(std::size_t size) const;
};

struct ImprovedCall {
  const algorithms::Algorithm* algorithm = nullptr;
  algorithms::ModelArgs args;
  std::int64_t nodes = 0;
  std::int64_t ppn = 0;
  std::string map;
  std::size_t size = 0;                    // number of its message size
  Seconds untuned_s = 0;                   // simulated
  std::map<std::size_t, Seconds> tuned_s;  // simulated, by number of the change or of all_realised
};

// Simulated, under the change of these that makes it fastest.
std::optional<Seconds> best_time(const ImprovedCall& call, const std::vector<std::size_t>& changes);

// Numbers of all_affected, in their order; nothing where there is none.
using ByModel = std::array<std::optional<double>, all_affected.size()>;

// What one source says that a call gains: netpipe (the message), simulated, or an expectation. Of
// changes that are as good for the message, the one that is best for the collective is taken
// (section 4.1.4).
struct CallGain {
  const ImprovedCall* call;
  std::string source;
  std::optional<ModelGain> times = {};  // before and after
  std::optional<double> improvement = {};
  std::optional<double> worst = {};  // the other end of these changes
  std::optional<double> tuned_parameter = {};
  std::string change = {};  // empty: there is none
};
std::vector<CallGain> improvement_points(const MessageTuning& tuning,
                                         const std::vector<ImprovedCall>& calls);

// Of an algorithm, number of processes and placement, over the sizes: the mean of
// (expected - simulated)^2 of each model. All means are over the same `sizes`, those that any
// expectation answers for; one that does not answer for all has none. Where all expect 0 nothing is
// compared, and `sizes` is 0.
struct ImprovementErrors {
  const ImprovedCall* call;  // the first
  std::int64_t sizes = 0;
  ByModel mse = {};
  std::array<std::int64_t, all_affected.size()> sizes_of = {};  // that each model answers for
  std::string best_models = {};                                 // letters, or "all"; empty: none
  std::optional<double> best_mse = {};
  std::optional<double> null_mse = {};  // of the null model "gain 0"
  std::optional<double> skill = {};     // 1 - best_mse / null_mse (A. H. Murphy, Monthly Weather
                                        // Review 116, 1988)
  std::optional<double> peak = {};      // the greatest simulated improvement
  std::optional<Bytes> peak_bytes = {};
  std::optional<double> least = {};  // of changes that are as good for the message
};
std::vector<ImprovementErrors> improvement_errors(const MessageTuning& tuning,
                                                  const std::vector<ImprovedCall>& calls);

// Of a size: the message's improvement, what made it, and the tuned parameters.
struct SizeParameters {
  MessageGain gain;
  Seconds untuned_s = 0;
  Seconds tuned_s = 0;
  std::string changes;  // empty: the improvement is given
  ByModel tuned;        // values
  ByModel ratios;       // over those before
};
std::vector<SizeParameters> improvement_parameters(const MessageTuning& tuning);

// A row of Table 4.2, and the least and the greatest ratio among the calls of its algorithm.
struct SeenSign {
  const TableRatio* row;
  double least = 0;
  double greatest = 0;
  std::optional<bool> as_table = {};  // the closed form gives the same wherever it is meant to hold
};
std::vector<SeenSign> improvement_signs(const MessageTuning& tuning,
                                        const std::vector<ImprovedCall>& calls);

// All sizes of an algorithm, number of processes and placement together, by weights, under one
// change.
struct WeightedGains {
  const ImprovedCall* call;                                              // the first
  std::array<std::optional<double>, all_realised.size()> realised = {};  // if it is given
  std::string change = {};  // else: the best for the group
  std::optional<double> messages = {};
  std::optional<ModelGain> times = {};  // under that change
  std::optional<double> simulated = {};
  ByModel expected = {};
};
std::vector<WeightedGains> improvement_weighted(const MessageTuning& tuning,
                                                const std::vector<ImprovedCall>& calls);

}  // namespace tutti::studies
