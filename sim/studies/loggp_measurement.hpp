// SPDX-License-Identifier: BSD-3-Clause
// LogGP parameters of a machine, measured on it from round trips, as Netgauge does it (T. Hoefler,
// A. Lichei, W. Rehm, IPDPS 2007). Nothing is read from the machine's parameters. With PRTT(n,d,s)
// of workloads/ping_pong.hpp and a delay d longer than a round trip:
//   o_s(s) = (PRTT(n,d,s) - PRTT(1,0,s)) / (n - 1) - d      o_r(s) = a receive posted late
//   interval(s) = (PRTT(n,0,s) - PRTT(1,0,s)) / (n - 1)     = g(s) + (s - 1) G
//   L = PRTT(1,0,s) / 2 - o_s(s) - o_r(s) - the bytes' time  of the smallest message
// G is the slope of the intervals over the largest sizes that go by one protocol. Messages are sent
// by blocking sends: where sender or receiver waits for the other, its overhead counts the wait.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/studies/point_to_point.hpp"

namespace tutti::studies {

// What the times tell of a message: o_s and o_r leave something of half a round trip to the network
// (eager), the receiver waits while it crosses (detached), or both do (rendezvous).
enum class ProtocolSeen : std::uint8_t { eager, detached, rendezvous };
std::string_view protocol_name(ProtocolSeen protocol);

// What keeps messages apart that are sent back to back.
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
  // What the overheads leave to the network.
  Seconds transit_s() const { return one_way_s() - o_send_s - o_recv_s; }
  ProtocolSeen protocol() const;
  // g is hidden where it is an overhead.
  IntervalOf interval_of() const;
};

// Sizes that go by one protocol.
struct ProtocolRange {
  ProtocolSeen protocol = ProtocolSeen::eager;
  Bytes first = 0;  // the smallest and the largest that were measured: neighbouring ranges are one
  Bytes last = 0;   // byte apart
  std::optional<double> G_s_per_B{};        // slope of the intervals of its largest sizes
  std::optional<double> one_way_s_per_B{};  // and of the one-way times
  std::optional<double> transit_s_per_B{};  // and of what the overheads leave of these
};

struct LogGPRow {
  MeasuredMessage message;
  // Unset where sender or receiver waits, or where the bytes' time is not known, which is that of
  // the largest sizes of the protocol.
  std::optional<Seconds> L_s{};
  std::optional<Seconds> g_s{};       // interval - (s - 1) G, at least 0; unset where o hides it
  std::optional<double> G_s_per_B{};  // from the next smaller size of the same protocol to this one
};

// The set that the formulas take. Its gap gives back the intervals within 2 % at all sizes
// measured, also where o hides g: then it is what can be seen of it, an upper bound.
struct MeasuredSet {
  std::optional<Seconds> L_s{};
  Seconds o_send_s = 0;  // of the smallest message
  Seconds o_recv_s = 0;
  IntervalOf g_is = IntervalOf::network;         // of the smallest message
  std::vector<platforms::Piecewise::Section> g;  // the first holds for smaller sizes, too
  std::optional<double> G_s_per_B{};
  // Hockney: one-way time of the smallest message but for its bytes; of the largest per byte.
  std::optional<Seconds> l_s{};
  std::optional<double> b_Bps{};

  Seconds o_s() const { return (o_send_s + o_recv_s) / 2; }
};

struct LogGPMeasurement {
  std::string from;  // names of the nodes
  std::string to;
  std::vector<LogGPRow> rows;         // in the order of the sizes, each once
  std::vector<ProtocolRange> ranges;  // ascending
  MeasuredSet set;
};

inline constexpr int round_trip_messages = 16;  // n

// One size, whatever its protocol.
Result<MeasuredMessage> measure_message(const platforms::Machine& machine, const PairJob& job,
                                        Bytes bytes);

// 1 B to 1 MiB, doubling.
std::vector<Bytes> loggp_sizes();

Result<LogGPMeasurement> measure_loggp(const platforms::Machine& machine, const PairJob& job,
                                       std::vector<Bytes> sizes = loggp_sizes());

// For the formulas. An error of kind run names what the measurement could not determine.
Result<platforms::LogGPParameters> loggp_of(const LogGPMeasurement& measurement);
Result<platforms::HockneyParameters> hockney_of(const LogGPMeasurement& measurement);
Result<platforms::LogGPParameters> measured_loggp(const platforms::Machine& machine,
                                                  const PairJob& job);
Result<platforms::HockneyParameters> measured_hockney(const platforms::Machine& machine,
                                                      const PairJob& job);

}  // namespace tutti::studies
