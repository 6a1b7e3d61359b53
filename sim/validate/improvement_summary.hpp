// SPDX-License-Identifier: BSD-3-Clause
// Compares the gains of collectives by a change with those expected by the models, as in
// Figures 4.1 to 4.12 and the mean squared errors of section 4.1.5 of Jha's dissertation.
#pragma once

#include "sim/base/common.hpp"
#include "sim/validate/improvement.hpp"
#include "sim/validate/message_gain.hpp"

namespace tutti::studies {

// How the messages were made faster.
struct MessageTuning {
  // True: the improvement is given, and for each size and each of all_realised there is a machine
  // that has it. False: `changes` are the machines that were tried, the same for all sizes.
  bool is_given = false;
  std::vector<std::string> changes;  // names
  std::vector<SizeGain> gains;       // by size; without changed_s if is_given
  std::vector<MessageGain> given;    // by size; empty unless is_given
  std::vector<double> weights;       // by size; 0: ignored; empty: no weights
  ModelParameters parameters;        // untuned

  // The changes that are best for messages of a size, or all indices of all_realised.
  std::vector<std::size_t> best_of(std::size_t size) const;
  // The changes with the least weighted sum: a job has one set of parameters for all its messages.
  std::vector<std::size_t> best_of_all() const;
  double improvement_of(std::size_t size) const;
};

struct ImprovedCall {
  const algorithms::Algorithm* algorithm = nullptr;
  algorithms::ModelArgs args;
  std::int64_t nodes = 0;
  std::int64_t ppn = 0;
  std::string map;
  std::size_t size = 0;                    // index of its message size
  Seconds untuned_s = 0;                   // simulated
  std::map<std::size_t, Seconds> tuned_s;  // simulated, by index of the change or in all_realised
};

// The simulated time under the best of these changes; unset if none was simulated.
std::optional<Seconds> best_time(const ImprovedCall& call, const std::vector<std::size_t>& changes);

// One value for each of all_affected; unset if the model has no value.
using ByModel = std::array<std::optional<double>, all_affected.size()>;

// The gain of a call by one source: netpipe (the message), simulated, or the expectation of a
// model. Among changes that are equally good for the message, the one that is best for the
// collective is used (section 4.1.4).
struct CallGain {
  const ImprovedCall* call;
  std::string source;
  std::optional<ModelGain> times = {};  // before and after
  std::optional<double> improvement = {};
  std::optional<double> worst = {};  // improvement by the worst of these changes
  std::optional<double> tuned_parameter = {};
  std::string change = {};  // empty: no change
};
std::vector<CallGain> improvement_points(const MessageTuning& tuning,
                                         const std::vector<ImprovedCall>& calls);

// Mean over the sizes of (expected - simulated)^2 for each model, for an algorithm, number of
// processes and placement. All means are over the same `sizes`: those for which any model has an
// expectation. A model without an expectation for one of them has no mean. If all models expect 0,
// nothing is compared, and `sizes` is 0.
struct ImprovementErrors {
  const ImprovedCall* call;  // the first
  std::int64_t sizes = 0;
  ByModel mse = {};
  std::array<std::int64_t, all_affected.size()> sizes_of = {};  // with an expectation, by model
  std::string best_models = {};                                 // letters, or "all"; empty: none
  std::optional<double> best_mse = {};
  std::optional<double> null_mse = {};  // of the null model "gain 0"
  std::optional<double> skill = {};     // 1 - best_mse / null_mse (A. H. Murphy, Monthly Weather
                                        // Review 116, 1988)
  std::optional<double> peak = {};      // the largest simulated improvement
  std::optional<Bytes> peak_bytes = {};
  std::optional<double> least = {};  // the smallest, by changes that are equally good for messages
};
std::vector<ImprovementErrors> improvement_errors(const MessageTuning& tuning,
                                                  const std::vector<ImprovedCall>& calls);

// The message's improvement for a size, its cause, and the tuned parameters.
struct SizeParameters {
  MessageGain gain;
  Seconds untuned_s = 0;
  Seconds tuned_s = 0;
  std::string changes;  // empty: the improvement is given
  ByModel tuned;        // tuned values
  ByModel ratios;       // tuned / untuned values
};
std::vector<SizeParameters> improvement_parameters(const MessageTuning& tuning);

// A row of Table 4.2, and the least and the greatest ratio among the calls of its algorithm.
struct SeenSign {
  const TableRatio* row;
  double least = 0;
  double greatest = 0;
  std::optional<bool> as_table = {};  // the closed form agrees for all calls to which it applies
};
std::vector<SeenSign> improvement_signs(const MessageTuning& tuning,
                                        const std::vector<ImprovedCall>& calls);

// Weighted gain over all sizes for an algorithm, number of processes and placement, under a single
// change.
struct WeightedGains {
  const ImprovedCall* call;                                              // the first
  std::array<std::optional<double>, all_realised.size()> realised = {};  // if is_given
  std::string change = {};  // otherwise: the best change for the group
  std::optional<double> messages = {};
  std::optional<ModelGain> times = {};  // under that change
  std::optional<double> simulated = {};
  ByModel expected = {};
};
std::vector<WeightedGains> improvement_weighted(const MessageTuning& tuning,
                                                const std::vector<ImprovedCall>& calls);

}  // namespace tutti::studies
