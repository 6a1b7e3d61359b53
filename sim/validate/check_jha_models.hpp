// SPDX-License-Identifier: BSD-3-Clause
// The jobs and networks that printed cost formulas are evaluated for.
#pragma once

#include "algorithms/collective.hpp"
#include "sim/base/common.hpp"
#include "sim/validate/paper.hpp"

namespace tutti::studies::papers {

// Parameters of both models, and the names that formulas have for them.
struct ModelPoint {
  std::string network;  // "crill"; empty: one of many
  int procs = 0;        // P
  Bytes bytes = 0;      // m
  double l_s = 0;
  double b_Bps = 0;
  double L_s = 0;
  double o_s = 0;
  double g_s = 0;
  double G_s_per_B = 0;

  Variables variables() const;
  platforms::HockneyParameters hockney() const;
  platforms::LogGPParameters loggp() const;
  std::string text() const;  // "crill, P = 32, 128 B"
};

// The dissertation's networks, and many others: L + o above and below g, latencies and bandwidths
// of three orders of magnitude. Processes and sizes for which the algorithm is itself: even
// numbers, powers of two.
std::vector<ModelPoint> model_grid(std::string_view algorithm, Bytes least_bytes);

}  // namespace tutti::studies::papers
