// SPDX-License-Identifier: BSD-3-Clause
// The cost of a message in the analytic models. An algorithm's cost is written once, as a sum of
// such costs along its critical path, and applies to every model. README.md in this folder lists
// which of the sums are published in Table 4.1 of Jha's dissertation and which are derived.
#pragma once

#include "algorithms/collective.hpp"

namespace tutti::algorithms::models {

class MessageCost {
 public:
  explicit MessageCost(double combine_Bps) : combine_Bps_(combine_Bps) {}
  virtual ~MessageCost() = default;
  // Time of one message, from the start of its send to the end of its receive.
  virtual Seconds hop(Bytes bytes) const = 0;
  // Delay until the next message of the same sender.
  virtual Seconds next(Bytes bytes) const = 0;
  // Time of a step in which two partners send to each other.
  virtual Seconds exchange(Bytes bytes) const = 0;
  // Time of a reduction's operation on `bytes` bytes.
  Seconds combine(Bytes bytes) const { return static_cast<double>(bytes) / combine_Bps_; }

 private:
  double combine_Bps_;
};

// Hockney (Jha's dissertation, section 4.1): t = l + m / b. A sender's messages do not overlap.
class HockneyCost final : public MessageCost {
 public:
  HockneyCost(const platforms::HockneyParameters& p, double combine_Bps)
      : MessageCost(combine_Bps), p_(p) {}
  Seconds hop(Bytes bytes) const override { return p_.l_s + static_cast<double>(bytes) / p_.b_Bps; }
  Seconds next(Bytes bytes) const override { return hop(bytes); }
  Seconds exchange(Bytes bytes) const override { return hop(bytes); }

 private:
  const platforms::HockneyParameters& p_;
};

// LogGP (equation 4.15): t = L + 2 o + (m - 1) G. The next message starts g + (m - 1) G later; an
// exchange takes o + max(g, L + o) + (m - 1) G, as in Table 4.1's recursive doubling.
class LogGPCost final : public MessageCost {
 public:
  LogGPCost(const platforms::LogGPParameters& p, double combine_Bps)
      : MessageCost(combine_Bps), p_(p) {}
  Seconds hop(Bytes bytes) const override { return p_.L_s + 2 * p_.o_s + stream(bytes); }
  Seconds next(Bytes bytes) const override { return p_.g_s(bytes) + stream(bytes); }
  Seconds exchange(Bytes bytes) const override {
    return p_.o_s + std::max(p_.g_s(bytes), p_.L_s + p_.o_s) + stream(bytes);
  }

 private:
  // (m - 1) G; 0 for an empty message.
  Seconds stream(Bytes bytes) const {
    return static_cast<double>(std::max<Bytes>(0, bytes - 1)) * p_.G_s_per_B;
  }
  const platforms::LogGPParameters& p_;
};

// The predicted time of a call in each model. A single process sends nothing.
inline Seconds hockney(const Algorithm& algorithm, const ModelArgs& args,
                       const platforms::HockneyParameters& p) {
  return args.procs == 1 ? 0 : algorithm.cost(args, HockneyCost(p, args.combine_Bps));
}
inline Seconds loggp(const Algorithm& algorithm, const ModelArgs& args,
                     const platforms::LogGPParameters& p) {
  if (args.procs == 1) return 0;
  if (algorithm.printed_loggp != nullptr) return algorithm.printed_loggp(args, p);
  return algorithm.cost(args, LogGPCost(p, args.combine_Bps));
}

}  // namespace tutti::algorithms::models
