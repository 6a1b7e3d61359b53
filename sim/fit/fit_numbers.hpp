// SPDX-License-Identifier: BSD-3-Clause
// The numbers that a joint fit moves: their priors, the parameters that they make, and what is
// reported of these.
#pragma once

#include <Eigen/Dense>

#include "sim/base/common.hpp"
#include "sim/fit/joint_fit.hpp"
#include "sim/fit/protocol_fit.hpp"
#include "sim/fit/simulated_fit.hpp"

namespace tutti::studies {

// What a fit to messages between two ranks leaves open, as numbers that can be moved: the times of
// single messages stay as they are. For machines whose costs begin at sizes (a registration, a
// bandwidth by size): a curve of extra latencies has its points elsewhere, and no steps.
struct MovedMessages {
  ProtocolFit inter;
  std::optional<double> bus_Bps = {};  // unset: it is not moved
};

class MessageMoves {
 public:
  // `bus_Bps`: the memory bus, where it is moved, too. `with_gap`: the gap may be moved.
  MessageMoves(const ProtocolFit& inter, std::optional<double> bus_Bps, bool with_gap);

  const Eigen::VectorXd& start() const { return start_; }  // empty: nothing is open
  MovedMessages at(const Eigen::VectorXd& numbers) const;

 private:
  enum class Open : std::uint8_t {
    latency,     // logit of the latency's part of the most that it may be
    send_share,  // logits: of the overheads, of the copies, of the registration
    copies,      // logit of what eager bytes take beyond the wire: the cores' part
    send_copies,
    send_registration,
    gap,  // logarithms
    bus
  };

  void add(Open open, double start);

  ProtocolFit inter_;
  std::vector<Open> open_;
  Eigen::VectorXd start_;
  Seconds most_latency_s_ = 0;
};

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

// How far off a fit predicts times that it was not fitted to.

// Fits again without each collective, or where there is one only, without every fifth row, and
// predicts what was left out. Each fit begins at `fit` and keeps what that chose of protocols.
// Errors: what cannot be simulated.
Result<CrossValidation> cross_validated(const SimulatedModel& model, const SimulatedFit& fit);

}  // namespace tutti::studies
