// SPDX-License-Identifier: BSD-3-Clause
// The analytic model of the shuffle of two-phase I/O: Jha's dissertation (2018), section 5.1. P
// processes have d_p = d_x d_y bytes each. P_a aggregators with buffers of b_c bytes receive b_a =
// P d_p / P_a bytes each. A process sends to n_as aggregators in each of n_s cycles, and an
// aggregator receives from n_ar processes in each of n_r cycles, always messages of m_s bytes:
//   T_send = n_s (L + 2 o + (n_as - 1) g + (m_s - 1) n_as G)     (5.1)
//   T_recv = n_r (L + 2 o + (n_ar - 1) g + (m_s - 1) n_ar G)     (5.2)
//   T = T_send + T_recv                                          (5.3)
//   n_r = ceil(b_a / b_c)                                        (5.5)
//   n_s = ceil(d_p / (n_as m_s))                                 (5.6)
// Corrected errata; with these corrections, the model reproduces all 60 values of Table 5.1:
//   5.1.2, 2-D: n_as = ceil(P_a / P_x), not ceil(P_x / P_a)
//   5.1.3, 1-D: n_as = ceil(d_p / b_c) if d_p <= P_a b_c, not d_p / P_a
//   (5.10): d_x / c' is rounded up
// README.md in this folder derives the cases that the printed formulas do not cover: messages are
// never larger than the data of a process or smaller than a piece of a row, and an aggregator
// receives at most the remaining data in a cycle.
#pragma once

#include "io_models/partitioning.hpp"
#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

// All processes have the same amount of data.
struct ShuffleModelArgs {
  Partitioning partitioning = Partitioning::even;
  Layout layout = Layout::one_d;
  int procs = 1;           // P
  int grid_rows = 1;       // P_x; 2-D layout only, like P_y
  int grid_columns = 1;    // P_y; P_x P_y = P
  Bytes rows = 1;          // d_x of one process; 1-D: only d_x d_y matters
  Bytes row_bytes = 0;     // d_y
  int aggregators = 1;     // P_a, at most P
  Bytes buffer_bytes = 0;  // b_c; in static partitioning also the unit size

  Bytes proc_bytes() const { return rows * row_bytes; }  // d_p
};

struct ShuffleParameters {
  std::int64_t n_s = 0;   // number of cycles in which a process sends
  std::int64_t n_as = 0;  // number of aggregators it sends to in such a cycle
  std::int64_t n_r = 0;   // number of cycles of an aggregator
  std::int64_t n_ar = 0;  // number of processes it receives from in a cycle
  double m_s = 0;         // bytes of a message
};

// Unset if a number is below 1, the grid does not match P, there are more aggregators than
// processes, or the file has more than 2^63 - 1 bytes.
std::optional<ShuffleParameters> parameters_of(const ShuffleModelArgs& args);

enum class Direction { write, read };

// Cost for an aggregator, which is also a process and pays for both.
struct ShuffleCost {
  Seconds send_s = 0;
  Seconds recv_s = 0;
  Seconds total_s() const { return send_s + recv_s; }
};

// (5.1) to (5.3). A read sends the same messages in the opposite direction, from the aggregators to
// the processes, so T_send and T_recv change places and T is the same.
ShuffleCost shuffle_cost(const ShuffleParameters& parameters, const platforms::LogGPParameters& p,
                         Direction direction = Direction::write);

// The machine's LogGP set "io" (Table 5.2 for the dissertation's machines), else that for
// collectives.
const platforms::LogGPParameters& io_loggp(const platforms::Machine& machine);

}  // namespace tutti::io_models
