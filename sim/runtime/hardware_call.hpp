// SPDX-License-Identifier: BSD-3-Clause
// A collective that the network does by itself, among all ranks of the job: each rank hands its
// part in, and gets the result when those that it depends on have come and the network has done its
// work.
#pragma once

#include <cstdint>

#include "sim/runtime/types.hpp"

namespace tutti::runtime {

struct HardwareCall {
  enum class Kind : std::uint8_t {
    barrier,    // everyone waits for everyone
    bcast,      // everyone waits for the root, who goes on at once
    reduce,     // the root waits for everyone, who go on at once
    allreduce,  // everyone waits for everyone
  } kind = Kind::barrier;
  RankId root = 0;  // of bcast and reduce
  Slice send;       // what the rank hands in: of bcast the root's message
  Slice recv;       // where the result comes
};

}  // namespace tutti::runtime
