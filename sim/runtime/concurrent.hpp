// SPDX-License-Identifier: BSD-3-Clause
// Runs several programs of a rank at a time, like an MPI library that progresses nonblocking
// collectives while the caller waits in a blocking one. The rank has one clock, so only one program
// runs at a time, until it waits. Then the first program whose wait has ended continues, in the
// order of the programs.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::runtime {

// A program, and the location of its buffers in the buffers of the caller.
struct ConcurrentProgram {
  Program program;
  Binding binding = {};
};

// Ends when all programs have ended; they start in order. Each sees the buffers of the call, as
// Nested does; its messages and scratch buffers are its own, and match those of the program with
// the same position on other ranks. At most 60 programs.
Task run_concurrently(Rank& me, std::vector<ConcurrentProgram> programs);
Task run_concurrently(Rank& me, std::vector<Program> programs);

}  // namespace tutti::runtime
