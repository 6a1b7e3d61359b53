// SPDX-License-Identifier: BSD-3-Clause
// The jobs and networks for which printed cost formulas are evaluated.
#pragma once

#include "algorithms/collective.hpp"
#include "sim/base/common.hpp"
#include "sim/validate/paper.hpp"

namespace tutti::studies::papers {

// Parameters of both models. `variables` names them as the printed formulas do.
struct ModelPoint {
  std::string network;  // "crill"; empty: a point of the grid
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

// The dissertation's networks and a grid of others, with L + o above and below g and latencies and
// bandwidths of three orders of magnitude, for numbers of processes at which the algorithm needs no
// extra steps (even numbers, powers of two).
std::vector<ModelPoint> model_grid(std::string_view algorithm, Bytes least_bytes);

}  // namespace tutti::studies::papers
