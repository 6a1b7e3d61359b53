// SPDX-License-Identifier: BSD-3-Clause
// The message protocol: LogGPS parameters, piecewise in the message size like SMPI's.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::platforms {

// A cost that is piecewise linear in the message size, like SimGrid 3.32's smpi/os: section i
// applies to sizes > limit_i; the value is a + b * bytes.
class Piecewise {
 public:
  struct Section {
    Bytes above = 0;  // applies to sizes > above
    double a = 0;
    double b = 0;  // per byte
  };
  Piecewise() = default;  // 0 everywhere
  // The same value for all sizes.
  explicit Piecewise(double constant) : below_{0, constant, 0} {}
  // `below` applies up to the limit of the first section. Sections ascend in `above`.
  Piecewise(Section below, std::vector<Section> sections)
      : below_(below), sections_(std::move(sections)) {}

  double operator()(Bytes bytes) const {
    const Section* found = &below_;
    for (const auto& section : sections_) {
      if (bytes <= section.above) break;
      found = &section;
    }
    return found->a + found->b * static_cast<double>(bytes);
  }
  bool is_constant(double value) const {
    return sections_.empty() && below_.a == value && below_.b == 0;
  }
  // The same function, but 0 beyond a size.
  Piecewise up_to(Bytes limit) const {
    Piecewise cut = *this;
    std::erase_if(cut.sections_, [&](const Section& section) { return section.above >= limit; });
    cut.sections_.push_back({.above = limit});
    if (limit < 0) cut = Piecewise();
    return cut;
  }
  // The greatest value of a function that is constant in each section.
  double greatest() const {
    double greatest = below_.a;
    for (const auto& section : sections_) greatest = std::max(greatest, section.a);
    return greatest;
  }
  bool varies() const { return !sections_.empty(); }
  // The same rates, constant in each section, if every byte takes longer; infinite ones stay.
  Piecewise slowed_by(double s_per_B) const {
    const auto slow = [&](double& rate) {
      if (std::isfinite(rate)) rate = 1 / (1 / rate + s_per_B);
    };
    Piecewise slowed = *this;
    slow(slowed.below_.a);
    for (auto& section : slowed.sections_) slow(section.a);
    return slowed;
  }
  // The same function plus a constant.
  Piecewise plus(double constant) const {
    Piecewise sum = *this;
    sum.below_.a += constant;
    for (auto& section : sum.sections_) section.a += constant;
    return sum;
  }

 private:
  Section below_;
  std::vector<Section> sections_;
};

enum class Protocol : std::uint8_t {
  eager,       // the data are sent at once and copied out on arrival
  detached,    // the sender continues; data move once the receive is posted (SMPI's middle class)
  rendezvous,  // a handshake, then the data; the send completes when they have arrived
};

// How the eager messages of one rank share its NIC.
enum class NicOrder : std::uint8_t {
  shared,  // messages to different ranks share the link, as rendezvous messages do; messages to one
           // rank are sent one after the other
  fifo,    // all are sent one after the other
  free,    // all share the link, also those to one rank (SMPI)
};

// Who moves the data of a rendezvous message.
enum class Rendezvous : std::uint8_t {
  put,  // the sender, once the receiver has answered; the send completes when the data have arrived
  get,  // the receiver reads them and then notifies the sender; the send completes one latency
        // later
  direct,  // there is no handshake: they move as soon as send and receive are posted (SMPI). The
           // receiver has no overhead
};

// The parameters of one kind of path, between nodes or inside a node. Times in s, rates in B/s.
struct MessageProtocol {
  Bytes eager_max = 64 * 1024;  // largest eager message; -1: none
  // Largest detached message; at most eager_max if there is no such class.
  Bytes detached_max = -1;
  Piecewise send_overhead{};   // o_s of a blocking send (smpi/os)
  Piecewise isend_overhead{};  // o_s of a non-blocking send (smpi/ois)
  Piecewise recv_overhead{};   // o_r, paid when a receive completes (smpi/or)
  Piecewise gap{};             // g: minimum time between two eager messages that leave a rank's NIC
  NicOrder nic_order = NicOrder::shared;
  // G of eager messages in s/B with `fifo`: the NIC is busy for bytes * G. Unset: 1 / bandwidth of
  // the path's first link, or of the path's bandwidth after the bandwidth factor if that is less.
  std::optional<double> gap_per_byte{};
  // Carried with the data of each message. It counts for the sections of the factors below.
  Bytes envelope = 0;
  Piecewise latency_factor{1.0};  // multiplies the route's latency
  // Added to the latency of a message's data; occupies no core and no link.
  Piecewise extra_latency{};
  // The same, by the number of nodes of the job.
  Piecewise scale_latency{};
  Piecewise bandwidth_factor{1.0};  // a flow gets at most factor * least bandwidth of the route
  // Data that move per byte of the links' bandwidth that a flow uses; may exceed 1 (SMPI).
  Piecewise efficiency{1.0};
  // Largest rate of the data of one message. Unset: that of the route.
  std::optional<double> message_Bps{};
  // A flow uses at most window / (2 * the route's latency) of the links' bandwidth. -1: no limit.
  Bytes window = -1;
  Rendezvous rendezvous = Rendezvous::put;
  Piecewise rendezvous_overhead{};  // added to the handshake (memory registration)
  // Largest non-eager message that is also copied out on arrival (sent as fragments through the
  // library's buffers, not from the user's memory).
  Bytes copy_max = -1;
  std::optional<double> copy_Bps{};  // rate of copying out eager data; unset: free
  // Buffers that a receiver keeps for the eager messages of one sender; 0: unlimited.
  int eager_credits = 0;
  // A rendezvous message is sent in fragments of this size (the last may be shorter). Each is
  // prepared (memory registered, or copied into shared memory) while others move. -1: in one piece.
  Bytes fragment_max = -1;
  int pipeline_depth = 0;  // fragments prepared or in flight at once; 0: no limit
  // Time to prepare a fragment; unset: send plus receive overhead of an empty message.
  std::optional<Piecewise> fragment_overhead{};

  Protocol protocol_of(Bytes bytes) const {
    if (bytes <= eager_max) return Protocol::eager;
    return bytes <= detached_max ? Protocol::detached : Protocol::rendezvous;
  }
  // The latency of the data of a message on a route.
  Seconds latency_s(Seconds route_s, Bytes bytes) const {
    return route_s * latency_factor(bytes + envelope);
  }
  // The limit of `window` on a route.
  double window_Bps(Seconds route_s) const {
    return window < 0 ? std::numeric_limits<double>::infinity()
                      : static_cast<double>(window) / (2 * route_s);
  }
  // Whether links carry anything of a message.
  bool carries_data(Bytes bytes) const { return bytes + envelope > 0; }
  // The bytes by which a message occupies links.
  double link_bytes(Bytes bytes) const {
    return static_cast<double>(bytes + envelope) / efficiency(bytes + envelope);
  }
  Seconds overhead_of_fragment(Bytes bytes) const {
    return fragment_overhead ? (*fragment_overhead)(bytes) : send_overhead(0) + recv_overhead(0);
  }
};

// The name of a protocol in reports and records.

std::string_view protocol_name(Protocol protocol);  // "eager", "detached", "rendezvous"

}  // namespace tutti::platforms
