// SPDX-License-Identifier: BSD-3-Clause
// Measures LogGP parameters of a machine from simulated round trips, as Netgauge does (T. Hoefler,
// A. Lichei, W. Rehm, IPDPS 2007), without reading the machine's parameters. With PRTT(n,d,s) of
// workloads/ping_pong.hpp and a delay d longer than a round trip:
//   o_s(s) = (PRTT(n,d,s) - PRTT(1,0,s)) / (n - 1) - d      o_r(s) = a receive posted late
//   interval(s) = (PRTT(n,0,s) - PRTT(1,0,s)) / (n - 1)     = g(s) + (s - 1) G
//   L = PRTT(1,0,s) / 2 - o_s(s) - o_r(s) - the bytes' time  of the smallest message
// G is the slope of the intervals over the largest sizes of one protocol. Messages are sent by
// blocking sends: if sender or receiver waits for the other, its overhead includes the wait.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/point_to_point.hpp"

namespace tutti::studies {

// The protocol of a message, inferred from its times: half a round trip exceeds o_s + o_r (eager),
// the receiver waits while the message is in transit (detached), or both sides wait (rendezvous).
enum class ProtocolSeen : std::uint8_t { eager, detached, rendezvous };
std::string_view protocol_name(ProtocolSeen protocol);

// What limits the interval between messages that are sent back to back.
enum class IntervalOf : std::uint8_t { network, send_overhead, recv_overhead };
std::string_view interval_name(IntervalOf interval);  // "network", "o_send", "o_recv"

struct MeasuredMessage {
  Bytes bytes = 0;
  Seconds round_trip_s = 0;
  Seconds o_send_s = 0;
  Seconds o_recv_s = 0;
  Seconds interval_s = 0;

  Seconds one_way_s() const { return round_trip_s / 2; }
  Seconds o_s() const { return (o_send_s + o_recv_s) / 2; }
  // One-way time without the overheads.
  Seconds transit_s() const { return one_way_s() - o_send_s - o_recv_s; }
  ProtocolSeen protocol() const;
  // If the limit is an overhead, g is hidden.
  IntervalOf interval_of() const;
};

// Range of sizes with one protocol.
struct ProtocolRange {
  ProtocolSeen protocol = ProtocolSeen::eager;
  Bytes first = 0;                    // smallest measured size
  Bytes last = 0;                     // largest measured size; the next range begins one byte above
  std::optional<double> G_s_per_B{};  // slope of the intervals of its largest sizes
  std::optional<double> one_way_s_per_B{};  // slope of the one-way times
  std::optional<double> transit_s_per_B{};  // slope of the one-way times without overheads
};

struct LogGPRow {
  MeasuredMessage message;
  // Unset if sender or receiver waits, or if the time of the bytes (by the slope at the largest
  // sizes of the protocol) is unknown.
  std::optional<Seconds> L_s{};
  std::optional<Seconds> g_s{};       // interval - (s - 1) G, at least 0; unset if o hides it
  std::optional<double> G_s_per_B{};  // from the next smaller size of the same protocol to this one
};

// The parameter set for the formulas. Its gap reproduces the intervals within 2 % at all measured
// sizes, also if o hides g: then the gap is an upper bound.
struct MeasuredSet {
  std::optional<Seconds> L_s{};
  Seconds o_send_s = 0;  // of the smallest message
  Seconds o_recv_s = 0;
  IntervalOf g_is = IntervalOf::network;         // of the smallest message
  std::vector<platforms::Piecewise::Section> g;  // the first also applies to smaller sizes
  std::optional<double> G_s_per_B{};
  // Hockney: one-way time of the smallest message without its bytes; bandwidth of the largest ones.
  std::optional<Seconds> l_s{};
  std::optional<double> b_Bps{};

  Seconds o_s() const { return (o_send_s + o_recv_s) / 2; }
};

struct LogGPMeasurement {
  std::string from;  // names of the nodes
  std::string to;
  std::vector<LogGPRow> rows;         // ascending by size, without duplicates
  std::vector<ProtocolRange> ranges;  // ascending
  MeasuredSet set;
};

inline constexpr int round_trip_messages = 16;  // n

// Measures one size, for any protocol.
Result<MeasuredMessage> measure_message(const platforms::Machine& machine, const PairJob& job,
                                        Bytes bytes);

Result<LogGPMeasurement> measure_loggp(const platforms::Machine& machine, const PairJob& job,
                                       std::vector<Bytes> sizes = pair_sizes());

// Parameters for the formulas. An error of kind run names the parameter that the measurement does
// not determine.
Result<platforms::LogGPParameters> loggp_of(const LogGPMeasurement& measurement);
Result<platforms::HockneyParameters> hockney_of(const LogGPMeasurement& measurement);

}  // namespace tutti::studies
