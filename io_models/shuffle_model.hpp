// SPDX-License-Identifier: BSD-3-Clause
// The analytic model of the shuffle of two-phase I/O: S. Jha's dissertation, section 5.1.
// P processes hold d_p = d_x d_y bytes each, P_a aggregators take them with buffers of b_c bytes,
// b_a = P d_p / P_a bytes each. A process sends in n_s cycles to n_as aggregators, an aggregator
// receives in n_r cycles from n_ar processes, always messages of m_s bytes:
//   T_send = n_s (L + 2 o + (n_as - 1) g + (m_s - 1) n_as G)     (5.1)
//   T_recv = n_r (L + 2 o + (n_ar - 1) g + (m_s - 1) n_ar G)     (5.2)
//   T = T_send + T_recv                                          (5.3)
//   n_r = ceil(b_a / b_c)                                        (5.5)
//   n_s = ceil(d_p / (n_as m_s))                                 (5.6)
// Misprints that are corrected here; with them, all 60 values of Table 5.1 come out:
//   5.1.2, 2-D: n_as = ceil(P_a / P_x), not ceil(P_x / P_a)
//   5.1.3, 1-D: n_as = ceil(d_p / b_c) if d_p <= P_a b_c, not d_p / P_a
//   (5.10): d_x / c' is rounded up
// What the printed formulas leave out, or get wrong there, is completed as README.md beside this
// file derives: messages are never larger than what a process has, nor smaller than a piece of a
// row; an aggregator receives no more in a cycle than there is.
#pragma once

#include "io_models/partitioning.hpp"
#include "platforms/machine.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

// All processes have equally much. Errors name the options of `sim run write`.
struct ShuffleModelArgs {
  Partitioning partitioning = Partitioning::even;
  Layout layout = Layout::one_d;
  int procs = 1;           // P
  int grid_rows = 1;       // P_x; of a 2-D layout only, as is P_y
  int grid_columns = 1;    // P_y; P_x P_y = P
  Bytes rows = 1;          // d_x of one process; 1-D: only d_x d_y matters
  Bytes row_bytes = 0;     // d_y
  int aggregators = 1;     // P_a, at most P
  Bytes buffer_bytes = 0;  // b_c; in static partitioning also the unit that is dealt out

  Bytes proc_bytes() const { return rows * row_bytes; }  // d_p
};

struct ShuffleParameters {
  std::int64_t n_s = 0;   // cycles in which a process sends
  std::int64_t n_as = 0;  // aggregators that it sends to in such a cycle
  std::int64_t n_r = 0;   // cycles of an aggregator
  std::int64_t n_ar = 0;  // processes that it receives from in a cycle
  double m_s = 0;         // bytes of a message
};

// What is wrong with the arguments: numbers below 1, a grid that is not P, more aggregators than
// processes, a file of more than 2^63 - 1 bytes.
std::optional<Error> wrong_args(const ShuffleModelArgs& args);

// Errors: those of wrong_args.
Result<ShuffleParameters> parameters_of(const ShuffleModelArgs& args);

enum class Direction { write, read };

// Of an aggregator, which is a process as well and pays for both.
struct ShuffleCost {
  Seconds send_s = 0;
  Seconds recv_s = 0;
  Seconds total_s() const { return send_s + recv_s; }
};

// (5.1) to (5.3). A read sends the same messages the other way: the aggregators send what they
// received in a write, so that T_send and T_recv change places and T is the same.
ShuffleCost shuffle_cost(const ShuffleParameters& parameters, const platforms::LogGPParameters& p,
                         Direction direction = Direction::write);

// The machine's set "io" (Table 5.2 on the dissertation's machines), else that for collectives.
const platforms::LogGPParameters& io_loggp(const platforms::Machine& machine);

}  // namespace tutti::io_models
