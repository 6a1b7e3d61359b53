// SPDX-License-Identifier: BSD-3-Clause
// Classes of equivalent ranks: those of a class perform the same operations, and their
// messages come from, go to and cross links of equal classes (sim/engines/flow/rank_folding.hpp
// finds them). So one rank of each class, its representative, is simulated, and each of its
// messages represents one message of every rank of the class.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::runtime {

// The i-th sends of all ranks of a class, which are the j-th receives of all ranks of another one.
struct MessageClass {
  RankId source = 0;  // classes
  RankId destination = 0;
  RankId to = 0;           // the rank to which the representative of `source` sends it
  std::uint32_t pair = 0;  // the first message class from `source` with the same `to`
};

struct RankClasses {
  RankId procs = 0;
  std::vector<std::uint32_t> class_of;        // by rank
  std::vector<RankId> representatives;        // by class
  std::vector<std::uint32_t> sizes;           // by class, in ranks
  std::vector<MessageClass> messages;         // by source, then in the order of its sends
  std::vector<std::uint32_t> first_sends;     // by class, in `messages`; one more at the end
  std::vector<std::uint32_t> received;        // message classes by receiver and order of receives
  std::vector<std::uint32_t> first_receives;  // by class, in `received`; one more at the end

  RankId size() const { return static_cast<RankId>(representatives.size()); }
};

}  // namespace tutti::runtime
