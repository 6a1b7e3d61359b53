// SPDX-License-Identifier: BSD-3-Clause
// The numbers that a joint fit varies: their priors, the parameters that they determine, and the
// values to report.
#pragma once

#include <Eigen/Core>

#include "sim/base/common.hpp"
#include "sim/fit/joint_fit.hpp"
#include "sim/fit/protocol_fit.hpp"
#include "sim/fit/simulated_fit.hpp"

namespace tutti::studies {

struct MovedMessages {
  ProtocolFit inter;
  std::optional<double> bus_Bps = {};  // unset if it is not varied
};

// The parameters that a fit to messages between two ranks leaves open, as numbers to vary; the
// times of single messages do not change. It serves machines with costs that begin at a size (a
// registration, a bandwidth by size), since a curve of extra latencies has its points at other
// sizes, and no steps.
class MessageMoves {
 public:
  // The bandwidth of the memory bus is varied if it is given, and the gap may be varied only if
  // `with_gap` is true.
  MessageMoves(const ProtocolFit& inter, std::optional<double> bus_Bps, bool with_gap);

  const Eigen::VectorXd& start() const { return start_; }  // empty if nothing is open
  MovedMessages at(const Eigen::VectorXd& numbers) const;

 private:
  enum class Open : std::uint8_t {
    latency,     // logit of the latency relative to its maximum
    send_share,  // logits of the sender's share of overheads, copies and registration
    copies,      // logit of the cores' share of the time of eager bytes beyond the wire
    send_copies,
    send_registration,
    gap,  // logarithms, from here on
    bus
  };

  void add(Open open, double start);

  ProtocolFit inter_;
  std::vector<Open> open_;
  Eigen::VectorXd start_;
  Seconds most_latency_s_ = 0;
};

// A value that the numbers determine.
struct ReportedValue {
  std::string name;
  Bytes above = -1;
  std::string unit;
  std::optional<double> value;
  bool has_prior = true;  // false if it is open unless the times determine it
};

class FitNumbers {
 public:
  // Varies messages with a curve of extra latencies by size, and the system. It also varies the gap
  // if `with_gap` is true, the memory bus if the options contain it, and the network's registration
  // if they contain messages.
  static FitNumbers of_all(const SystemParameters& system, const JointFitOptions& options,
                           Bytes eager_max, bool with_gap);
  // Varies what the options' messages leave open in their own sections of sizes, and the system
  // without extra latencies by size.
  static FitNumbers of_sections(const SystemParameters& system, const JointFitOptions& options,
                                bool with_gap);

  const Eigen::VectorXd& start() const { return start_; }  // medians of the priors
  // Whether each number is a time that does not depend on the bytes of a message; empty if
  // messages have sections of sizes, whose numbers are not separate.
  const std::vector<bool>& is_time() const { return is_time_; }
  // Index of the latency of a law by the size of jobs; -1 if there is none.
  Eigen::Index law_number() const { return law_number_; }
  // Numbers beyond the model's own are ignored.
  JointFit at(const Eigen::VectorXd& numbers) const;
  // Returns the deviations of the numbers from their priors in standard deviations, followed by
  // their couplings.
  Eigen::VectorXd preferences(const Eigen::VectorXd& numbers) const;
  std::vector<ReportedValue> values(const JointFit& fit) const;
  // Returns the gradients of the logarithms of all values with respect to the numbers.
  std::vector<Eigen::VectorXd> gradients(const Eigen::VectorXd& numbers) const;

 private:
  using Setter = std::function<void(JointFit&, double)>;

  void add(const Prior& prior, Setter set, bool is_time);
  void add_time(const Prior& prior, Setter set) { add(prior, std::move(set), true); }
  void add_rate(const Prior& prior, Setter set) { add(prior, std::move(set), false); }
  void add_system(const HardwareClass& hardware);

  JointFit base_;
  std::optional<MessageMoves> moves_;  // its numbers come first
  std::vector<Setter> set_;            // setters of the other numbers
  std::vector<bool> is_time_;
  Eigen::VectorXd start_, deviations_;
  Eigen::Index eager_copy_ = 0, local_copy_ = 0;  // indices of coupled numbers
  Eigen::Index law_number_ = -1;
};

}  // namespace tutti::studies
