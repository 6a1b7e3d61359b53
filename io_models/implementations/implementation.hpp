// SPDX-License-Identifier: BSD-3-Clause
// Implementations of two-phase I/O in known libraries: the rank programs and their rules for
// domains, buffers and aggregators, in a table like that of the collectives.
#pragma once

#include "io_models/aggregators.hpp"
#include "io_models/shuffle.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

// How an implementation divides the file into domains; with `generic`, the user chooses.
enum class DomainRule : std::uint8_t { chosen, even, even_from_zero, round_robin };

struct Implementation {
  std::string_view name;
  std::string_view summary;  // one line
  DomainRule domains = DomainRule::chosen;
  Slices slices = Slices::of_domain;
  int buffer_parts = 1;  // a cycle uses one part of the buffer
  AggregatorPlacement placement = AggregatorPlacement::spread;
  bool has_setup = false;  // has set-up collectives, which a job may omit
  bool has_lists = false;  // needs ShuffleJob::requests even without set-up
  // Reads have no file domains: an aggregator reads the data of its group of ranks (OMPIO).
  bool reads_by_groups = false;
  // The range that even domains divide begins at the position of ranks without data.
  bool counts_idle_ranks = false;
  bool is_collective = true;  // otherwise each rank accesses the file itself, without a shuffle
  runtime::Task (*write)(runtime::Rank& me, const ShuffleJob& job) = nullptr;
  runtime::Task (*read)(runtime::Rank& me, const ShuffleJob& job) = nullptr;
};

extern const Implementation generic;       // model of Jha's dissertation
extern const Implementation vulcan;        // Open MPI 4.1, fcoll/vulcan
extern const Implementation dynamic_gen2;  // fcoll/dynamic_gen2
extern const Implementation two_phase;     // fcoll/two_phase
extern const Implementation romio;         // ROMIO 3.2.1, as built into Open MPI
extern const Implementation romio_lustre;  // ROMIO of MPICH 4, driver for Lustre; writes
extern const Implementation independent;   // each rank accesses its pieces one after the other
extern const Implementation data_sieving;  // ROMIO's independent accesses to pieces with gaps

std::span<const Implementation* const> all_implementations();
// The implementations that have a shuffle.
std::span<const Implementation* const> collective_implementations();
const Implementation* find_implementation(std::string_view name);

}  // namespace tutti::io_models
