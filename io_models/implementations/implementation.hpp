// SPDX-License-Identifier: BSD-3-Clause
// Two-phase I/O as the known libraries do it: the rank programs, and what each one decides about
// domains, buffers and aggregators. A table, as that of the collectives.
#pragma once

#include "io_models/aggregators.hpp"
#include "io_models/shuffle.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

// How an implementation cuts the file into domains; `generic` lets its user choose.
enum class DomainRule : std::uint8_t { chosen, even, even_from_zero, round_robin };

struct Implementation {
  std::string_view name;
  std::string_view summary;  // one line
  DomainRule domains = DomainRule::chosen;
  Slices slices = Slices::of_domain;
  int buffer_parts = 1;  // a cycle takes one part of the buffer
  AggregatorPlacement placement = AggregatorPlacement::spread;
  bool has_setup = false;  // collectives that the job may leave out
  bool has_lists = false;  // needs ShuffleJob::requests, even without set-up
  runtime::Task (*write)(runtime::Rank& me, const ShuffleJob& job) = nullptr;
  runtime::Task (*read)(runtime::Rank& me, const ShuffleJob& job) = nullptr;
};

extern const Implementation generic;       // the dissertation's model
extern const Implementation vulcan;        // Open MPI 4.1, fcoll/vulcan
extern const Implementation dynamic_gen2;  // fcoll/dynamic_gen2
extern const Implementation two_phase;     // fcoll/two_phase
extern const Implementation romio;         // ROMIO 3.2.1, as built into Open MPI

std::span<const Implementation* const> all_implementations();
const Implementation* find_implementation(std::string_view name);

}  // namespace tutti::io_models
