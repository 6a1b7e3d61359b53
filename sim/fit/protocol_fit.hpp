// SPDX-License-Identifier: BSD-3-Clause
// The protocol of messages between two ranks from what benchmarks measured of them. The model is
// what the simulation does with one message (sim/runtime/protocol_core), linear in its parameters
// once it is known where sections of sizes end (change_points.hpp). One way of m bytes takes
//   eager:      L + D + o_s + o_r + m (w + b + c)     D: extra latency of the section
//   rendezvous: 3 L + R + o_s + o_r + m w             R: registration
// with w, a section's time per byte on the wire; b and c, what sender and receiver do per byte of
// an eager message (copies). All are found in one robust regression of relative residuals; what it
// does not determine is told, and assumed in order to have a machine that can be simulated.
#pragma once

#include "platforms/message_protocol.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/change_points.hpp"

namespace tutti::studies {

enum class PairQuantity : std::uint8_t {
  one_way,        // half of a round trip (ping-pong)
  interval,       // between messages that are sent back to back: a stream, Netgauge's PRTT(n,0,s)
  send_overhead,  // o_s, apart from the rest: Netgauge's PRTT(n,d,s)
  recv_overhead   // o_r
};

struct PairMeasurement {
  PairQuantity quantity = PairQuantity::one_way;
  Bytes bytes = 0;
  Seconds time_s = 0;
  bool inside_node = false;  // for who compares: a fit is of one path
  int window = 0;            // of a stream: messages before an answer; 0: no stream
};

enum class ParameterStatus : std::uint8_t {
  fitted,         // within 5 % with 95 % confidence; of limits: no other is as likely
  uncertain,      // less surely; `note` may tell why
  prior,          // the data add little to what the hardware's class says
  assumed,        // the data do not determine it; the value is an assumption that `note` tells
  not_determined  // and there is no need for a value
};
std::string_view status_name(ParameterStatus status);  // "fitted", "not determined"

struct FittedParameter {
  std::string name;  // "latency_and_overheads", "bandwidth"
  Bytes above = -1;  // of sizes above this, where there are sections; else -1
  std::string unit;  // "s", "B/s", "B"
  std::optional<double> value = {};
  std::optional<double> low = {};  // 95 % confidence
  std::optional<double> high = {};
  ParameterStatus status = ParameterStatus::fitted;
  std::string note = {};
};

struct FittedSection {
  Bytes above = -1;  // holds for larger sizes
  platforms::Protocol protocol = platforms::Protocol::eager;
  Seconds extra_s = 0;  // D or R
  Seconds send_extra_s =
      0;                    // of o_s (the sender's registration); pairs alone do not tell it from R
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
  std::optional<Seconds> gap_s = {};
  std::vector<FittedParameter> parameters;
  double condition = 0;  // of the regression: greatest over least singular value
  std::size_t samples = 0;

  const FittedSection& section_of(Bytes bytes) const;
  Seconds one_way_s(Bytes bytes) const;
  // The least of all sections: one over the network's bandwidth.
  double wire_s_per_B() const;
};

struct ProtocolFitOptions {
  std::optional<Bytes> eager_limit = {};  // known; else it is looked for
  std::size_t most_sections = 8;
};

// Errors: no one-way times, or of fewer than three sizes; times that are not above 0, or that
// do not grow with the size.
Result<ProtocolFit> fit_protocol(const std::vector<PairMeasurement>& measurements,
                                 const ProtocolFitOptions& options = {});

}  // namespace tutti::studies
