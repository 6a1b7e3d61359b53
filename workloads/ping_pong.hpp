// SPDX-License-Identifier: BSD-3-Clause
// Messages between two ranks, as benchmarks of a network send them: NetPIPE and OSU's latency,
// bibw and bw. Each program measures one size, beginning on an idle network.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::workloads {

// Messages of many pairs at once, as benchmarks of contention send them (Ezibenroc's
// platform-calibration): how cards and links are shared.

enum class SharedPattern : std::uint8_t {
  send,           // the first half of the ranks sends to the second
  sendrecv_same,  // the same pairs exchange
  sendrecv_diff,  // a ring: to the next, from the one before
  alltoall        // a block for each
};
inline constexpr std::array<std::string_view, 4> shared_patterns = {"send", "sendrecv_same",
                                                                    "sendrecv_diff", "alltoall"};
std::optional<SharedPattern> shared_pattern(std::string_view name);
std::string_view pattern_name(SharedPattern pattern);

// Not of alltoall, which is a collective. `time_s`, which outlives the job, gets the last rank's.
runtime::Program shared_messages_program(SharedPattern pattern, Bytes bytes, Seconds& time_s);

enum class PingPongPattern : std::uint8_t {
  ping_pong,      // a message there and one back; half of the round trip
  bidirectional,  // both send to each other at once (MPI_Sendrecv); until both have theirs
  stream          // rank 0 sends a window of messages, rank 1 answers the last; per message
};
inline constexpr std::array<std::string_view, 3> ping_pong_patterns = {"pingpong", "bidirectional",
                                                                       "stream"};
std::optional<PingPongPattern> ping_pong_pattern(std::string_view name);
std::string_view pattern_name(PingPongPattern pattern);

struct PingPong {
  PingPongPattern pattern = PingPongPattern::ping_pong;
  Bytes message_bytes = 0;
  int window = 64;  // messages of a stream; OSU's default
};

// Bytes that move in the time that a pattern measures.
Bytes bytes_moved(const PingPong& measured);

// Of both ranks.
int message_count(const PingPong& measured);

// For two ranks. `time_s`, which outlives the job, gets the pattern's time.
runtime::Program ping_pong_program(const PingPong& measured, Seconds& time_s);

// The round trips from which Netgauge computes LogGP parameters: T. Hoefler, A. Lichei, W. Rehm,
// "Low-overhead LogGP parameter assessment for modern interconnection networks", IPDPS 2007.
//
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
