// SPDX-License-Identifier: BSD-3-Clause
// Communication costs of a node as a TOML file, which `sim fireworks measure` writes and its other
// subcommands read.
//
//   format = "tutti-fireworks/1"
//   [machine]            platform, hash
//   [[model]]            order, hot_spots, message_bytes, best
//   [model.linear]       alpha_s (per message inside the node), beta_s (per message to or from
//                        another one), gamma_s (per round), r2 (of points that go both ways),
//                        r2_all, rms_s, largest_residual_s; the same keys in [model.huber]
//   [model.split]        by ("intra", "inter"), last_below (messages), r2_below, r2_above (of each
//                        side), and r2 ... as above
//   [model.split.below]  alpha_s, beta_s, gamma_s; the same keys in [model.split.above]
//   [model.bottleneck]   r2 ... as above
//   [model.links]        factor, once_s, r2 ... as above; missing if the links' loads are unknown
//   [model.trial]        pairs, right (of node sets), low_ratio, high_ratio (5th and 95th
//                        percentile of expected / simulated time) of the best form; missing if not
//                        tried
//   [model.bottleneck.intra]  per_message_s, once_s; the same keys for in, out, inter
#pragma once

#include "sim/base/common.hpp"
#include "sim/fireworks/cost_model.hpp"

namespace tutti::studies::fireworks {

struct CostFile {
  std::string platform;  // name or path as given by the user
  std::string platform_hash;
  std::vector<CostModel> models;
};

// `comments` are written at the top of the file, each after '#'.
std::string cost_file_text(const CostFile& file, const std::vector<std::string>& comments);

// Errors, located in `path`: invalid TOML, unknown or missing keys, invalid values, two models with
// the same order, number of hot spots and message size.
Result<CostFile> read_cost_file(const std::string& text, const std::string& path);

// Time of a round of messages of any size: linear interpolation between the measured sizes, linear
// extrapolation beyond them. With one measured size the time is proportional to the size; that of
// the form `links` depends on the bytes anyway.
class CostFunction {
 public:
  // Empty if the file has no such models, or one of them lacks this form. Without `form`, the best
  // form of each model is used.
  static std::optional<CostFunction> make(const CostFile& file, workloads::PostingOrder order,
                                          int hot_spots, std::optional<Form> form);

  Seconds at(const NodeLoad& load, double message_bytes) const;
  // The models in ascending order of message size.
  const std::vector<CostModel>& models() const { return models_; }
  Form used_form(const CostModel& model) const { return form_.value_or(model.best); }
  // Whether NodeLoad::busy_s must be set.
  bool needs_links() const;

 private:
  std::vector<CostModel> models_;
  std::optional<Form> form_;
};

}  // namespace tutti::studies::fireworks
