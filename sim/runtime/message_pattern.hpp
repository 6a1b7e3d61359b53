// SPDX-License-Identifier: BSD-3-Clause
// The operations of all ranks of a job without times: the messages that they send and receive, and
// a hash of everything else. It is recorded by running the programs one after the other, without a
// simulation: every wait ends at once. This is impossible for programs whose course depends on
// times or on what arrives first.
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/large_pages.hpp"
#include "sim/base/random.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::runtime {

// Thrown through a program whose operations cannot be recorded.
struct NotRecorded {};

// Adds a value to a hash. The order of values matters.
inline std::uint64_t hashed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
  hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
  return hash ^ hash >> 29;
}

class MessagePattern {
 public:
  struct Send {
    RankId to = 0;
    union {
      std::int32_t tag = 0;
      std::uint32_t receive;  // once matched: index of the receive
    };
  };
  struct Receive {
    RankId from = 0;  // once matched: `is_matched`
    union {
      std::int32_t tag = 0;
      std::uint32_t send;  // once matched: index of the send
    };
  };

  // NotRecorded is thrown at the first message beyond `most_messages`.
  MessagePattern(RankId procs, std::size_t most_messages);

  // --- for the core, while it records: the operations of one rank after the other ---
  void begin_rank();
  Request send(RankId to, std::int32_t tag, Bytes bytes, SendKind kind);
  Request receive(RankId from, std::int32_t tag, Bytes bytes);
  void wait(std::span<const Request> requests);
  void work(std::uint64_t kind, Seconds duration_s) {
    add(kind, std::bit_cast<std::uint64_t>(duration_s));
  }
  void end();

  // Finds the receive of each send, as the protocol does. False if there is none for a message, or
  // if the search takes too long.
  bool match();

  RankId procs() const { return procs_; }
  // The hash of the operations of each rank without peers and tags. It distinguishes which sends of
  // the rank go to the same rank.
  const std::vector<std::uint64_t>& shapes() const { return shapes_; }
  const LargeVector<Send>& sends() const { return sends_; }
  const LargeVector<Receive>& receives() const { return receives_; }
  // The index of the rank's first operation; that of the rank after the last one is the number of
  // all.
  std::uint32_t first_send(RankId rank) const { return first_sends_[rank]; }
  std::uint32_t first_receive(RankId rank) const { return first_receives_[rank]; }
  RankId sender_of(std::uint32_t send) const;

 private:
  static constexpr RankId is_matched = -2;
  static constexpr std::uint32_t none = UINT32_MAX;
  // The last message of a rank to another one: its send or its receive.
  struct Last {
    RankId rank = -1;
    std::uint32_t message = 0;
  };

  void add(std::uint64_t kind, std::uint64_t value) {
    shapes_.back() = hashed(hashed(shapes_.back(), kind), value);
  }
  void reserve_like_first();
  std::uint32_t find_receive(std::uint32_t send, RankId rank, std::size_t& most_looks);

  RankId procs_;
  std::size_t most_messages_;
  std::vector<std::uint64_t> shapes_;
  LargeVector<Send> sends_;
  LargeVector<Receive> receives_;
  std::vector<std::uint32_t> first_sends_, first_receives_;
  std::vector<Last> last_to_;        // by destination
  std::uint32_t operations_ = 0;     // of the current rank
  std::vector<std::uint32_t> open_;  // by rank: all of its receives before this one are matched
};

}  // namespace tutti::runtime
