// SPDX-License-Identifier: BSD-3-Clause
// How a message of a given size travels: LogGPS parameters, piecewise in the size where SMPI's are.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::platforms {

// A cost piecewise in the message size, as SimGrid 3.32's smpi/os: section i holds for
// sizes > limit_i; the value is a + b * bytes.
class Piecewise {
 public:
  struct Section {
    Bytes above = 0;  // holds for sizes > above
    double a = 0;
    double b = 0;  // per byte
  };
  Piecewise() = default;  // 0 everywhere
  // The same value for all sizes.
  explicit Piecewise(double constant) : below_{0, constant, 0} {}
  // `below` holds up to the first section's limit. Sections ascend in `above`.
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
  // The same with all values so much greater.
  Piecewise plus(double constant) const {
    Piecewise sum = *this;
    sum.below_.a += constant;
    for (auto& section : sum.sections_) section.a += constant;
    return sum;
  }
  // The same with all values multiplied.
  Piecewise scaled(double factor) const {
    Piecewise product = *this;
    product.below_.a *= factor;
    product.below_.b *= factor;
    for (auto& section : product.sections_) {
      section.a *= factor;
      section.b *= factor;
    }
    return product;
  }

 private:
  Section below_;
  std::vector<Section> sections_;
};

enum class Protocol : std::uint8_t {
  eager,       // the data leave at once and are copied out on arrival
  detached,    // the sender goes on; the data move when the receive is posted (SMPI's middle class)
  rendezvous,  // a handshake, then the data; the sender is held until they have arrived
};

// How the eager messages of one rank share its NIC.
enum class NicOrder : std::uint8_t {
  shared,  // those to different ranks share the link, as rendezvous messages do; those to one rank
           // move one after the other
  fifo,    // one after the other
};

// Who moves the data of a rendezvous message.
enum class Rendezvous : std::uint8_t {
  put,  // the sender, once the receiver has answered: it is done when the data are there
  get,  // the receiver reads them, then tells the sender, which is done a latency later
};

// The parameters of one kind of path: between nodes, or inside one. Times in s, rates in B/s.
struct MessageProtocol {
  Bytes eager_max = 64 * 1024;  // largest eager message; -1: none
  // Largest message whose sender goes on; not above eager_max: there is no such class.
  Bytes detached_max = -1;
  Piecewise send_overhead{};   // o_s of a blocking send (smpi/os)
  Piecewise isend_overhead{};  // o_s of a non-blocking send (smpi/ois)
  Piecewise recv_overhead{};   // o_r, paid when a receive completes (smpi/or)
  Piecewise gap{};             // g: least time between two eager messages leaving one rank's NIC
  NicOrder nic_order = NicOrder::shared;
  // G of eager messages in s/B, in order `fifo`: the NIC is busy for bytes * G. Unset: one over the
  // bandwidth of the path's first link, or of what the bandwidth factor leaves of the path if that
  // is less.
  std::optional<double> gap_per_byte{};
  Piecewise latency_factor{1.0};  // multiplies the route's latency
  // Added to the latency of a message's data: keeps no core and no link busy.
  Piecewise extra_latency{};
  // The same, by the number of the job's nodes.
  Piecewise scale_latency{};
  Piecewise bandwidth_factor{1.0};  // a flow gets at most factor * the route's least bandwidth
  Rendezvous rendezvous = Rendezvous::put;
  Piecewise rendezvous_overhead{};  // added to the handshake (memory registration)
  // Largest message beside the eager ones that is copied out on arrival too (sent as fragments
  // through the library's own buffers, not from the user's memory).
  Bytes copy_max = -1;
  std::optional<double> copy_Bps{};  // eager data are copied out at this rate; unset: free
  // Buffers that a receiver keeps for the eager messages of one sender; 0: as many as it takes.
  int eager_credits = 0;
  // A rendezvous message moves in fragments of so many bytes (the last may be shorter), each
  // prepared (memory registered, or copied into shared memory) while others move; -1: in one piece.
  Bytes fragment_max = -1;
  int pipeline_depth = 0;  // fragments of a message prepared or moving at once; 0: no limit
  // What preparing a fragment costs; unset: as much as a message of 0 bytes costs both its ends.
  std::optional<Piecewise> fragment_overhead{};

  Protocol protocol_of(Bytes bytes) const {
    if (bytes <= eager_max) return Protocol::eager;
    return bytes <= detached_max ? Protocol::detached : Protocol::rendezvous;
  }
  Seconds overhead_of_fragment(Bytes bytes) const {
    return fragment_overhead ? (*fragment_overhead)(bytes) : send_overhead(0) + recv_overhead(0);
  }
};

// What reports and records call the ways of a message.

std::string_view protocol_name(Protocol protocol);  // "eager", "detached", "rendezvous"

}  // namespace tutti::platforms
