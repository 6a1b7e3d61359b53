// SPDX-License-Identifier: BSD-3-Clause
// Point-to-point benchmarks between two ranks, as in NetPIPE and OSU's latency, bibw and bw. Each
// program measures one message size and starts on an idle network.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::workloads {

// Patterns of simultaneous messages of many pairs, as in contention benchmarks (Ezibenroc's
// platform-calibration), which show how NICs and links are shared.
enum class SharedPattern : std::uint8_t {
  send,           // each rank of the first half sends to one of the second half
  sendrecv_same,  // the same pairs exchange messages
  sendrecv_diff,  // a ring: send to the next rank, receive from the previous one
  alltoall        // MPI_Alltoall
};
inline constexpr std::array<std::string_view, 4> shared_patterns = {"send", "sendrecv_same",
                                                                    "sendrecv_diff", "alltoall"};
std::optional<SharedPattern> shared_pattern(std::string_view name);
std::string_view pattern_name(SharedPattern pattern);

// `pattern` must not be alltoall, which is a collective. Sets `time_s`, which must outlive the job,
// to the time of the last rank.
runtime::Program shared_messages_program(SharedPattern pattern, Bytes bytes, Seconds& time_s);

enum class PingPongPattern : std::uint8_t {
  ping_pong,      // a message in each direction; time: half the round trip
  bidirectional,  // simultaneous messages (MPI_Sendrecv); time: until both have arrived
  stream          // rank 0 sends a window of messages, rank 1 replies; time: per message
};
inline constexpr std::array<std::string_view, 3> ping_pong_patterns = {"pingpong", "bidirectional",
                                                                       "stream"};
std::optional<PingPongPattern> ping_pong_pattern(std::string_view name);
std::string_view pattern_name(PingPongPattern pattern);

struct PingPong {
  PingPongPattern pattern = PingPongPattern::ping_pong;
  Bytes message_bytes = 0;
  int window = 64;  // number of messages of a stream; OSU's default
};

// Number of bytes transferred in the time that the pattern measures.
Bytes bytes_moved(const PingPong& measured);

// Number of messages of both ranks.
int message_count(const PingPong& measured);

// For two ranks. Sets `time_s`, which must outlive the job, to the pattern's time.
runtime::Program ping_pong_program(const PingPong& measured, Seconds& time_s);

// The round trips from which Netgauge computes LogGP parameters: T. Hoefler, A. Lichei, W. Rehm,
// "Low-overhead LogGP parameter assessment for modern interconnection networks", IPDPS 2007.
//
// PRTT(n, d, s): the client sends n messages of s bytes, each but the first after a delay of d
// since the previous send returned; the server answers the last one with s bytes.
struct RoundTrip {
  int messages = 1;
  Seconds delay_s = 0;
  Bytes message_bytes = 0;
};
// For two ranks; rank 0 is the client. Sets `time_s`, which must outlive the job, to PRTT.
runtime::Program round_trip_program(const RoundTrip& measured, Seconds& time_s);

// Measures the duration of a receive that the client posts `delay_s` after its send. This is o_r if
// the eager reply has already arrived.
runtime::Program late_receive_program(Bytes message_bytes, Seconds delay_s, Seconds& time_s);

}  // namespace tutti::workloads
