// SPDX-License-Identifier: BSD-3-Clause
// How public benchmarks time a collective: what goes before a call, and which number they print.
//   osu       OSU micro-benchmarks 5 to 7: a barrier before each call; the mean over the ranks
//   imb       Intel MPI Benchmarks 2021: one barrier, then calls without pause; the slowest rank
//   pico      HLC-Lab/pico: a barrier before each call; the slowest rank of a call; the median
//   reprompi  ReproMPI 1.1: a barrier before each call; the slowest rank of a call; the median
// Barriers are the library's, by Open MPI 4.1's rules; ReproMPI's is its own, a dissemination.
// Calls that are not timed come first, so that the ranks begin as they do in the middle of a run.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace tutti::workloads {

struct Harness {
  enum class Barrier : unsigned char { library, dissemination };
  std::string_view name;
  Barrier barrier = Barrier::library;
  bool before_each_call = true;
  bool prints_mean = false;  // over the ranks; else the slowest rank
  int warm_up = 1;           // calls that are not timed
  int calls = 1;             // that are timed together, without a barrier between them
};

std::span<const Harness> harnesses();
// Null: there is none of that name.
const Harness* find_harness(std::string_view name);

}  // namespace tutti::workloads
