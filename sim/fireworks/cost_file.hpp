// SPDX-License-Identifier: BSD-3-Clause
// What messages cost a node as a TOML file: what `sim fireworks` writes and its subcommands read.
//
//   format = "tutti-fireworks/1"
//   [machine]            platform, hash
//   [[model]]            order, hot_spots, message_bytes, best
//   [model.linear]       alpha_s, beta_s, gamma_s (of a message inside the node, to or from another
//                        one, and a round), r2 (of points both ways), r2_all, rms_s,
//                        largest_residual_s; the same: [model.huber]
//   [model.split]        by ("intra", "inter"), last_below (messages), r2_below, r2_above (of each
//                        side), and r2 ... as above
//   [model.split.below]  alpha_s, beta_s, gamma_s; the same: [model.split.above]
//   [model.bottleneck]   r2 ... as above
//   [model.bottleneck.intra]  per_message_s, once_s; the same: in, out, inter
#pragma once

#include "sim/base/common.hpp"
#include "sim/fireworks/cost_model.hpp"

namespace tutti::studies::fireworks {

struct CostFile {
  std::string platform;  // as it was asked for
  std::string platform_hash;
  std::vector<CostModel> models;
};

// `comments`: lines for its head, without '#'.
std::string cost_file_text(const CostFile& file, const std::vector<std::string>& comments);

// `path` is the place of errors: TOML's syntax, unknown or missing keys, values that are none, two
// models of one order, number of hot spots and message size.
Result<CostFile> read_cost_file(const std::string& text, const std::string& path);

// What a round of messages of any size costs: between the sizes that were measured on a straight
// line, and beyond them on the nearest one; one size alone in proportion to it.
class CostFunction {
 public:
  // Nothing where the file has no such models, or one of them has not this form; no form: the best
  // one of each.
  static std::optional<CostFunction> of(const CostFile& file, workloads::PostingOrder order,
                                        int hot_spots, std::optional<Form> form);

  Seconds at(const NodeLoad& load, double message_bytes) const;
  // Ascending by size.
  const std::vector<CostModel>& models() const { return models_; }
  Form form_of(const CostModel& model) const { return form_.value_or(model.best); }

 private:
  std::vector<CostModel> models_;
  std::optional<Form> form_;
};

}  // namespace tutti::studies::fireworks
