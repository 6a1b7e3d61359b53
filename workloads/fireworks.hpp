// SPDX-License-Identifier: BSD-3-Clause
// cFireworks (K. Cha, 2014, Algorithm 1 and Figure 1): processes of one node, the hot spots,
// exchange messages with partners inside the node and on other nodes, each of which is on a node of
// its own.
#pragma once

#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::workloads {

// Which messages a hot spot posts first; all receives before all sends.
enum class PostingOrder : std::uint8_t { intra_first, inter_first };
inline constexpr std::array<std::string_view, 2> posting_orders = {"intra-first", "inter-first"};

// What a hot spot does with each of its partners. The paper's program does both.
enum class Exchanged : std::uint8_t { both, receives, sends };
inline constexpr std::array<std::string_view, 3> exchanged_names = {"both", "receives", "sends"};

struct Fireworks {
  int hot_spots = 1;
  int intra_pairs = 0;  // partners inside the node, dealt to the hot spots in turn: sub-groups
  int inter_pairs = 0;  // partners on other nodes, dealt out likewise
  PostingOrder order = PostingOrder::intra_first;
  Exchanged exchanged = Exchanged::both;
  Bytes message_bytes = 0;

  // Ranks: hot spots, then the partners inside the node, then the others.
  int procs() const { return hot_spots + intra_pairs + inter_pairs; }
  int procs_of_node() const { return hot_spots + intra_pairs; }
  int messages_of_pair() const { return exchanged == Exchanged::both ? 2 : 1; }
};

// Whose partner the rank is.
runtime::RankId hot_spot_of(const Fireworks& requested, runtime::RankId partner);

// The hot spots are on the machine's first node. The node has the cores, the machine the nodes.
platforms::Placement fireworks_placement(const Fireworks& requested);

// It ends when all messages are received.
runtime::Program fireworks_program(const Fireworks& requested);

}  // namespace tutti::workloads
