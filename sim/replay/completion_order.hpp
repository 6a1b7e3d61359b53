// SPDX-License-Identifier: BSD-3-Clause
// Finds where a replay keeps an order that the really changed program would not: of the messages
// that a rank takes as they arrive, and of the ranks that count up a shared counter.
#pragma once

#include <deque>

#include "sim/base/common.hpp"
#include "sim/replay/call.hpp"
#include "sim/replay/verdict.hpp"

namespace tutti::studies::replay {

class CompletionOrder {
 public:
  // `is_on`: times change; otherwise there is nothing to find.
  CompletionOrder(std::size_t ranks, bool is_on) : is_on_(is_on), ranks_(ranks) {}

  // Looks at a call that has ended, whose new times are known. Receives may take messages from any
  // source, unless the trace shows otherwise.
  void leave(TraceRank rank, const Call& call, const CallKind& kind);
  Reordered finish();

 private:
  // A call that received a message, and may have received another one instead.
  struct Taken {
    TraceRank source = 0;
    std::uint32_t comm = 0, tag = 0;
    bool is_any = false;
    Times enter, leave, sent;  // of the call; of its message
    Ticks handled = 0;         // new time until the rank's next such call
    bool replies = false;      // the rank sends something to the source before that
  };
  // Receives of a rank, by communicator and tag.
  struct Receives {
    std::uint64_t overtaken = 0;
    Ticks ticks = 0;
    Ticks largest_share = 0;
    bool moves_work = false;
    bool names_sources = false;  // it waited for one source while a message of another was there
  };
  struct OfRank {
    std::deque<Taken> taken;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Receives> receives;
    Receives any;  // of MPI_Waitany and MPI_Waitsome
  };
  struct Counted {
    Times at;
    TraceRank rank = 0;
  };

  void look_at(OfRank& mine, const Taken& now, const Times& posted);
  void count_work(Reordered& all);

  static constexpr std::size_t window = 64;  // of receives that are compared with later ones
  bool is_on_;
  std::vector<OfRank> ranks_;
  std::vector<Counted> counted_;
};

}  // namespace tutti::studies::replay
