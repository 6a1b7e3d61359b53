// SPDX-License-Identifier: BSD-3-Clause
// cFireworks (K. Cha, 2014, Algorithm 1 and Figure 1): the hot spots, processes of one node,
// exchange messages with partners inside the node and on other nodes. Each remote partner has its
// own node.
#pragma once

#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::workloads {

// The messages that a hot spot posts first; all receives precede all sends.
enum class PostingOrder : std::uint8_t { intra_first, inter_first };
inline constexpr std::array<std::string_view, 2> posting_orders = {"intra-first", "inter-first"};

// The messages that a hot spot exchanges with each of its partners. The paper's program does both.
enum class Exchanged : std::uint8_t { both, receives, sends };
inline constexpr std::array<std::string_view, 3> exchanged_names = {"both", "receives", "sends"};

struct Fireworks {
  int hot_spots = 1;
  int intra_pairs = 0;  // partners inside the node, assigned to the hot spots round robin
  int inter_pairs = 0;  // partners on other nodes, assigned in the same way
  PostingOrder order = PostingOrder::intra_first;
  Exchanged exchanged = Exchanged::both;
  Bytes message_bytes = 0;

  // Rank order: hot spots, partners inside the node, partners on other nodes.
  int procs() const { return hot_spots + intra_pairs + inter_pairs; }
  int procs_of_node() const { return hot_spots + intra_pairs; }
  int messages_of_pair() const { return exchanged == Exchanged::both ? 2 : 1; }
};

// The hot spot of a partner.
runtime::RankId hot_spot_of(const Fireworks& requested, runtime::RankId partner);

// Places the hot spots on the machine's first node. The node must have enough cores and the machine
// enough nodes.
platforms::Placement fireworks_placement(const Fireworks& requested);

// The program ends when all messages have been received.
runtime::Program fireworks_program(const Fireworks& requested);

}  // namespace tutti::workloads
