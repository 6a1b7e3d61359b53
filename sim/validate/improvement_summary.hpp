// SPDX-License-Identifier: BSD-3-Clause
// Collectives before and after a change, beside what the models expect of them: as Figures 4.1 to
// 4.12 and the mean squared errors of section 4.1.5 of the dissertation have it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/base/cell.hpp"
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

// A row for each call and source: netpipe (the message), simulated, and the four expectations; its
// times before and after, and the improvement. Of changes that are as good for the message, the one
// that is best for the collective is taken (section 4.1.4); worst_improvement is the other end.
Table improvement_points(const MessageTuning& tuning, const std::vector<ImprovedCall>& calls);

// A row for each algorithm, number of processes and placement: the mean over the sizes of
// (expected - simulated)^2 for each expectation, the best of them, where the simulated
// improvement is greatest, and the least one of all changes that are as good for the message.
// All means are over the same `sizes`, those that any expectation answers for; one that does not
// answer for all (*_sizes) has none. null_mse is that of the null model "gain 0", best_skill
// 1 - best_mse / null_mse (A. H. Murphy, Monthly Weather Review 116, 1988). Where all expect 0
// nothing is compared, and `sizes` is 0.
Table improvement_errors(const MessageTuning& tuning, const std::vector<ImprovedCall>& calls);

// A row for each size: the message's improvement, what made it, and the tuned parameters.
Table improvement_parameters(const MessageTuning& tuning);

// Table 4.2: printed and true sign, and the least and the greatest ratio among the calls. A row for
// each algorithm of the calls that the table has, and parameter.
Table improvement_signs(const MessageTuning& tuning, const std::vector<ImprovedCall>& calls);

// All sizes together, by weights, under one change.
Table improvement_weighted(const MessageTuning& tuning, const std::vector<ImprovedCall>& calls);

}  // namespace tutti::studies
