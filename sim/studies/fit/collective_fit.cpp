// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/fit/collective_fit.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "sim/base/error_list.hpp"
#include "sim/studies/fit/huber.hpp"

namespace tutti::studies {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using platforms::Protocol;

// What is moved, as logarithms, and where it begins: a network of about 2020.
struct Start {
  const char* name;
  const char* unit;
  double value;
};
enum Number : std::uint8_t {
  latency,
  send_overhead,
  recv_overhead,
  wire,          // s/B
  copy,          // s/B, of the receiver
  send_copy,     // s/B, of the sender
  registration,  // R
  send_registration,
  extra  // latency of the second eager section
};
constexpr Start starts[] = {{"latency", "s", 1e-6},
                            {"send_overhead", "s", 0.2e-6},
                            {"recv_overhead", "s", 0.2e-6},
                            {"bandwidth", "B/s", 1e-10},
                            {"copy_bandwidth", "B/s", 1e-10},
                            {"send_copy_bandwidth", "B/s", 1e-11},
                            {"rendezvous_overhead", "s", 2e-6},
                            {"rendezvous_send_overhead", "s", 2e-6},
                            {"latency_rise", "s", 0.2e-6}};

struct Ends {
  Bytes eager = 0;
  Bytes first = -1;  // of the first eager section; -1: there is one
};

ProtocolFit protocol_of(const VectorXd& logs, const Ends& ends) {
  const auto value = [&](Number number) { return std::exp(logs[number]); };
  ProtocolFit fit;
  fit.eager_max = ends.eager;
  fit.latency_s = value(latency);
  fit.send_overhead_s = value(send_overhead);
  fit.recv_overhead_s = value(recv_overhead);
  fit.recv_s_per_B = value(copy);
  fit.send_s_per_B = value(send_copy);
  fit.sections.push_back({.wire_s_per_B = value(wire)});
  if (ends.first >= 0)
    fit.sections.push_back(
        {.above = ends.first, .extra_s = value(extra), .wire_s_per_B = value(wire)});
  fit.sections.push_back({.above = ends.eager,
                          .protocol = Protocol::rendezvous,
                          .extra_s = value(registration),
                          .send_extra_s = value(send_registration),
                          .wire_s_per_B = value(wire)});
  return fit;
}

struct Solution {
  Ends ends;
  VectorXd logs;
  double loss = 0;
};

class Fitting {
 public:
  Fitting(const std::vector<MeasuredCollective>& measured, const MachineOf& machine_of)
      : measured_(measured), machine_of_(machine_of) {}

  Result<ProtocolFit> run() {
    std::set<Bytes> sizes;
    for (const auto& each : measured_) sizes.insert(each.message_bytes);
    const std::vector<Bytes> ascending(sizes.begin(), sizes.end());
    std::optional<Solution> best;
    for (std::size_t i = 0; i + 1 < ascending.size(); ++i)
      take(best, {.eager = between(ascending[i], ascending[i + 1])});
    if (best)
      for (std::size_t i = 0; i + 1 < ascending.size() && ascending[i + 1] <= best->ends.eager; ++i)
        take(best, {.eager = best->ends.eager, .first = between(ascending[i], ascending[i + 1])});
    if (error_) return *error_;
    if (!best) return make_error(ErrorKind::input, "", "collectives of one message size only");
    return told(*best, ascending);
  }

 private:
  // The greatest power of two from which on the smaller one is meant, below the larger one.
  static Bytes between(Bytes smaller, Bytes larger) {
    const double middle =
        std::sqrt(static_cast<double>(std::max<Bytes>(1, smaller)) * static_cast<double>(larger));
    const auto power = static_cast<Bytes>(std::bit_floor(static_cast<std::uint64_t>(middle)));
    return std::max(power, smaller);
  }

  Index count(const Ends& ends) const { return ends.first < 0 ? extra : extra + 1; }

  // log(simulated / measured) of each; the last row prefers equal overheads, where nothing else
  // tells them apart.
  std::optional<VectorXd> residuals(const VectorXd& logs, const Ends& ends) {
    const auto machine = machine_of_(protocol_of(logs, ends));
    if (!machine) return refuse(machine.errors());
    VectorXd found(static_cast<Index>(measured_.size()) + 1);
    for (std::size_t i = 0; i < measured_.size(); ++i) {
      const auto time_s = simulated_time(measured_[i], *machine);
      if (!time_s) return refuse(time_s.errors());
      found[static_cast<Index>(i)] = std::log(*time_s / measured_[i].time_s);
    }
    found[found.size() - 1] = preference * (logs[send_overhead] - logs[recv_overhead]);
    return found;
  }

  std::nullopt_t refuse(std::vector<Error> errors) {
    if (!error_) error_ = std::move(errors);
    return std::nullopt;
  }

  static double loss(const VectorXd& residuals) {
    double sum = 0;
    for (const double r : residuals) {
      const double u = std::abs(r) / scatter;
      sum += u <= huber_tuning ? u * u / 2 : huber_tuning * (u - huber_tuning / 2);
    }
    return sum;
  }

  std::optional<MatrixXd> jacobian(const VectorXd& logs, const VectorXd& here, const Ends& ends) {
    constexpr double step = 1e-3;
    MatrixXd J(here.size(), count(ends));
    for (Index i = 0; i < J.cols(); ++i) {
      VectorXd moved = logs;
      moved[i] += step;
      const auto there = residuals(moved, ends);
      if (!there) return std::nullopt;
      J.col(i) = (*there - here) / step;
    }
    return J;
  }

  static VectorXd weights_of(const VectorXd& residuals) {
    return residuals.unaryExpr([](double r) {
      return std::min(1.0, huber_tuning * scatter / std::max(std::abs(r), 1e-300));
    });
  }

  std::optional<Solution> solve(const Ends& ends) {
    constexpr int most_steps = 25;
    constexpr double longest = 0.7;  // step: a factor of two
    Solution solution{ends, VectorXd(count(ends)), 0};
    for (Index i = 0; i < solution.logs.size(); ++i) solution.logs[i] = std::log(starts[i].value);
    auto here = residuals(solution.logs, ends);
    if (!here) return std::nullopt;
    solution.loss = loss(*here);
    double damping = 1e-2;
    for (int i = 0; i < most_steps && damping < 1e4; ++i) {
      const auto J = jacobian(solution.logs, *here, ends);
      if (!J) return std::nullopt;
      const VectorXd weights = weights_of(*here);
      const MatrixXd normal = J->transpose() * weights.asDiagonal() * *J;
      const VectorXd slope = J->transpose() * weights.cwiseProduct(*here);
      bool better = false;
      while (!better && damping < 1e4) {
        const MatrixXd damped = normal + damping * MatrixXd::Identity(normal.rows(), normal.cols());
        VectorXd step = -damped.ldlt().solve(slope);
        step = step.cwiseMin(longest).cwiseMax(-longest);
        const VectorXd moved = (solution.logs + step).cwiseMax(least_log);
        const auto there = residuals(moved, ends);
        if (!there) return std::nullopt;
        better = loss(*there) < solution.loss;
        damping *= better ? 0.3 : 4;
        if (!better) continue;
        const double gain = solution.loss - loss(*there);
        solution.logs = moved;
        solution.loss = loss(*there);
        here = there;
        if (gain < 1e-4 * solution.loss) damping = 1e5;
      }
    }
    return solution;
  }

  // One more number must be worth it (BIC).
  void take(std::optional<Solution>& best, const Ends& ends) {
    auto found = solve(ends);
    if (!found) return;
    const double price = 2 * std::log(static_cast<double>(measured_.size()));
    if (ends.first >= 0) found->loss += price / 2;
    if (!best || found->loss < best->loss) best = std::move(found);
  }

  // ---- what is told ----

  Result<ProtocolFit> told(const Solution& best, const std::vector<Bytes>& sizes) {
    ProtocolFit fit = protocol_of(best.logs, best.ends);
    const auto here = residuals(best.logs, best.ends);
    const auto J = here ? jacobian(best.logs, *here, best.ends) : std::nullopt;
    if (!J) return *error_;
    const MatrixXd data = J->topRows(J->rows() - 1);
    const Eigen::JacobiSVD<MatrixXd> svd(data, Eigen::ComputeThinV);
    const VectorXd singular = svd.singularValues();
    fit.condition = singular[0] / std::max(singular[singular.size() - 1], 1e-300);
    fit.samples = measured_.size();
    const double freedom =
        std::max(1.0, static_cast<double>(data.rows()) - static_cast<double>(data.cols()));
    const double sigma = std::sqrt(here->head(data.rows()).squaredNorm() / freedom);
    for (Index i = 0; i < data.cols(); ++i)
      fit.parameters.push_back(
          parameter(i, best.logs[i], 1.96 * sigma * spread(svd.matrixV().row(i), singular)));
    const auto above = std::ranges::lower_bound(sizes, best.ends.eager + 1);
    fit.parameters.push_back({.name = "eager_limit",
                              .unit = "B",
                              .value = static_cast<double>(best.ends.eager),
                              .low = static_cast<double>(*std::prev(above)),
                              .high = static_cast<double>(*above - 1)});
    return fit;
  }

  // Of a parameter with these parts in the singular directions; infinite where it is a part of what
  // the data leave open.
  static double spread(const VectorXd& parts, const VectorXd& singular) {
    constexpr double open = 1e-4, small_part = 0.1;
    double sum = 0;
    for (Index k = 0; k < parts.size(); ++k) {
      if (singular[k] > open * singular[0])
        sum += parts[k] * parts[k] / (singular[k] * singular[k]);
      else if (std::abs(parts[k]) > small_part)
        return std::numeric_limits<double>::infinity();
    }
    return std::sqrt(sum);
  }

  static FittedParameter parameter(Index i, double log, double half) {
    constexpr double narrow = 0.05, wide = 0.7;
    const bool inverse = std::string_view(starts[i].unit) == "B/s";
    const double sign = inverse ? -1 : 1;
    FittedParameter told{.name = starts[i].name,
                         .unit = starts[i].unit,
                         .value = std::exp(sign * log),
                         .low = std::exp(sign * log - half),
                         .high = std::exp(sign * log + half)};
    told.status = half <= narrow ? ParameterStatus::fitted
                  : half <= wide ? ParameterStatus::uncertain
                                 : ParameterStatus::assumed;
    if (half <= wide) return told;
    told.low = told.high = std::nullopt;
    told.note = "one of many values that fit";
    return told;
  }

  static constexpr double scatter = 0.1;      // that is borne: no protocol is exact
  static constexpr double preference = 0.01;  // far below what a time says
  static constexpr double least_log = -30;    // 1e-13: nothing
  const std::vector<MeasuredCollective>& measured_;
  const MachineOf& machine_of_;
  std::optional<std::vector<Error>> error_;
};

}  // namespace

Result<ProtocolFit> fit_protocol_to_collectives(const std::vector<MeasuredCollective>& measured,
                                                const MachineOf& machine_of) {
  constexpr std::size_t least = 8;
  if (measured.size() < least)
    return make_error(ErrorKind::input, "",
                      fmt::format("{} times of collectives: too few for a fit", measured.size()),
                      "eight or more, of small and large messages");
  return Fitting(measured, machine_of).run();
}

}  // namespace tutti::studies
