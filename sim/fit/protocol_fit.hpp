// SPDX-License-Identifier: BSD-3-Clause
// Fits the protocol of messages between two ranks to benchmark measurements. The model is that of
// the simulation for a single message (sim/runtime/protocol_core), and is linear in its parameters
// once the ends of the sections of sizes are known (change_points.hpp). One way of m bytes takes
//   eager:      L + D + o_s + o_r + m (w + b + c)     D: extra latency of the section
//   rendezvous: 3 L + R + o_s + o_r + m w             R: registration
// where w is a section's time per byte on the wire, and b and c are the times per byte of an eager
// message in the sender and the receiver (copies). One robust regression of relative residuals
// determines all of them. Parameters that it does not determine are reported, and assumed in order
// to have a machine that can be simulated.
#pragma once

#include "platforms/message_protocol.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/change_points.hpp"

namespace tutti::studies {

enum class PairQuantity : std::uint8_t {
  one_way,        // half of a round trip (ping-pong)
  interval,       // between back-to-back messages: a stream, Netgauge's PRTT(n,0,s)
  send_overhead,  // o_s by itself: Netgauge's PRTT(n,d,s)
  recv_overhead   // o_r by itself
};

struct PairMeasurement {
  PairQuantity quantity = PairQuantity::one_way;
  Bytes bytes = 0;
  Seconds time_s = 0;
  bool inside_node = false;  // for comparisons; a fit contains one path only
  int window = 0;            // messages of a stream before an answer; 0 if it is not a stream
  int pairs = 1;             // of ranks that send at once; `time_s` is that of each pair
  bool both_ways = false;    // in both directions at once

  bool is_shared() const { return pairs > 1 || both_ways; }
};

enum class ParameterStatus : std::uint8_t {
  fitted,         // within 5 % with 95 % confidence; limits: no other limit is as likely
  uncertain,      // with less confidence; `note` may give the reason
  prior,          // the data add little to the prior of the hardware class
  assumed,        // the data do not determine it; `note` explains the assumed value
  not_determined  // the data do not determine it, and no value is needed
};
std::string_view status_name(ParameterStatus status);  // "fitted", "not determined"

struct FittedParameter {
  std::string name;  // "latency_and_overheads", "bandwidth"
  Bytes above = -1;  // applies to sizes above this one; -1 for all sizes
  std::string unit;  // "s", "B/s", "B"
  std::optional<double> value = {};
  std::optional<double> low = {};  // 95 % confidence interval
  std::optional<double> high = {};
  ParameterStatus status = ParameterStatus::fitted;
  std::string note = {};
};

struct FittedSection {
  Bytes above = -1;  // applies to larger sizes
  platforms::Protocol protocol = platforms::Protocol::eager;
  Seconds extra_s = 0;  // D or R
  // Part of o_s (the sender's registration); pairs alone do not separate it from R.
  Seconds send_extra_s = 0;
  double wire_s_per_B = 0;  // w
};

struct ProtocolFit {
  std::vector<FittedSection> sections;
  Bytes eager_max = 0;
  Seconds latency_s = 0;
  Seconds send_overhead_s = 0;
  Seconds recv_overhead_s = 0;
  double send_s_per_B = 0;  // b
  double recv_s_per_B = 0;  // c
  // Further latency of eager messages by size, in which neither a core nor a link is busy: points
  // joined by straight lines. Empty: none.
  std::vector<std::pair<Bytes, Seconds>> extra_latency = {};
  std::optional<Seconds> gap_s = {};
  std::vector<FittedParameter> parameters;
  double condition = 0;  // condition number of the regression
  std::size_t samples = 0;

  const FittedSection& section_of(Bytes bytes) const;
  Seconds one_way_s(Bytes bytes) const;
  // Largest message that is copied: eager, or of a section whose bytes take longer than others.
  Bytes copied_max() const;
  // Returns the minimum over all sections, the reciprocal of the network's bandwidth, in s/B.
  double wire_s_per_B() const;
};

struct ProtocolFitOptions {
  std::optional<Bytes> eager_limit = {};  // in bytes; unset if it is to be fitted
  std::size_t most_sections = 8;
};

// Neither the wire nor a copy by the receiver takes longer than the interval between the messages
// of a stream. Moves what exceeds it, of eager messages, to `extra_latency`; nothing without
// streams.
void limit_by_streams(const std::vector<PairMeasurement>& measurements, ProtocolFit& fit);

// Fits the protocol. Errors: no one-way times, or fewer than three sizes; times that are not
// positive or do not grow with the size.
Result<ProtocolFit> fit_protocol(const std::vector<PairMeasurement>& measurements,
                                 const ProtocolFitOptions& options = {});

}  // namespace tutti::studies
