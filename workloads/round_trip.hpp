// SPDX-License-Identifier: BSD-3-Clause
// The round trips from which Netgauge computes LogGP parameters: T. Hoefler, A. Lichei, W. Rehm,
// "Low-overhead LogGP parameter assessment for modern interconnection networks", IPDPS 2007.
#pragma once

#include "sim/runtime/rank.hpp"

namespace tutti::workloads {

// PRTT(n, d, s): the client sends n messages of s bytes, each but the first d after the call of the
// one before has returned; the server answers the last one with as many bytes.
struct RoundTrip {
  int messages = 1;
  Seconds delay_s = 0;
  Bytes message_bytes = 0;
};
// For two ranks, the client being rank 0. `time_s`, which outlives the job, gets PRTT.
runtime::Program round_trip_program(const RoundTrip& measured, Seconds& time_s);

// How long the client's receive takes that it posts `delay_s` after its send: o_r, if the answer of
// an eager message has arrived by then.
runtime::Program late_receive_program(Bytes message_bytes, Seconds delay_s, Seconds& time_s);

}  // namespace tutti::workloads
