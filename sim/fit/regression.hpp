// SPDX-License-Identifier: BSD-3-Clause
// The regression of protocol_fit.hpp: columns for its parameters, a row for each measurement, and
// assumptions for what the rows do not determine.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/line_fits.hpp"
#include "sim/fit/protocol_fit.hpp"

namespace tutti::studies {

// Index of each parameter among the coefficients.
struct Columns {
  std::size_t latency = 0;
  std::size_t send = 1;
  std::size_t recv = 2;
  std::vector<std::optional<std::size_t>>
      extra;                                 // by section; unset for the first one if it is eager
  std::vector<std::size_t> wire;             // by section; several sections may share one
  std::optional<std::size_t> send_per_byte;  // only if overheads are measured separately
  std::optional<std::size_t> copy;
  std::optional<std::size_t> gap;
  std::size_t count = 0;
  std::vector<FittedSection> sections;

  bool is_eager(std::size_t section) const {
    return sections[section].protocol == platforms::Protocol::eager;
  }
  std::optional<std::size_t> first_rendezvous() const;
  Eigen::VectorXd unit(std::size_t column) const;
  Eigen::VectorXd latency_and_overheads() const;
  Eigen::VectorXd per_byte(std::size_t section) const;
  Eigen::VectorXd one_way(std::size_t section, Bytes bytes) const;
  // Returns the cost of the first rendezvous section minus that of the last eager one; unset if one
  // of them is missing.
  std::optional<Eigen::VectorXd> rendezvous_cost() const;
};

struct RegressionModel {
  std::vector<FittedSection> sections;  // ends and protocols
  const std::vector<PairMeasurement>& measurements;
};

struct Regression {
  Columns columns;
  RobustFit data;   // without assumptions
  ProtocolFit fit;  // with assumptions: the sections and the values
  // Half of the 95 % interval of the time per byte, by section, of a fit in which no sections share
  // it.
  std::vector<double> per_byte_halves;
  bool overheads_are_gap = false;  // streams show that overheads are at most the gap
};

// Fits the parameters, and drops those that would be negative.
Regression solve(const RegressionModel& model);

}  // namespace tutti::studies
