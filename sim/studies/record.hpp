// SPDX-License-Identifier: BSD-3-Clause
// A record: one point as it was run, and the answer. `columns` is the one table that all machine
// formats are made from. SI base units; what is not known has no value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/base/units.hpp"
#include "sim/studies/column.hpp"

namespace tutti::studies {

struct Record {
  std::string collective;
  std::string algorithm;
  std::string requested_algorithm;
  // "rules file", "ompi-4.1", "ompi-3.1": whose rules chose the algorithm; empty: it was named.
  std::string decided_by;
  std::string runs_as;   // what it falls back to or is made of, silently; else empty
  int algorithm_id = 0;  // Open MPI's; not a column
  std::int64_t procs = 0;
  std::int64_t nodes = 0;
  std::int64_t ppn = 0;  // most ranks on one node
  std::string map;
  Bytes message_bytes = 0;
  Bytes segment_bytes = 0;
  std::optional<std::int64_t> fanout;  // where the algorithm has one
  std::optional<std::int64_t> root;    // where the collective has one
  Bytes element_bytes = 1;
  std::string counts;                        // "linear", ...; empty where all blocks are equal
  std::optional<std::int64_t> max_requests;  // where the algorithm limits them; 0: no limit
  std::optional<bool> commutative;           // the operation of a reduction
  std::string benchmark;                     // how the call is measured; empty: alone
  std::int64_t repetitions = 1;              // that were run
  std::string skew;                          // empty: none
  std::string noise;                         // the same
  std::string engine;
  bool engine_is_chosen = false;  // by the program; not a column
  std::string contention;         // "on", "off"; empty where the engine is untimed
  double merge_window = 0;
  // Of a rank's latencies over the ranks; unset where the engine is untimed. time_s is that of the
  // median repetition, of the others each rank's mean over the repetitions counts.
  std::optional<Seconds> time_s;
  std::optional<Seconds> time_mean_s;
  std::optional<Seconds> time_min_s;
  // Of the largest latencies of the repetitions, where there are several.
  std::optional<Seconds> repetition_min_s;
  std::optional<Seconds> repetition_mean_s;
  std::optional<Seconds> repetition_max_s;
  // Starts that were simulated, and where the time depends on picoseconds of the start its relative
  // half-width (sim/studies/starts.hpp). Unset for a call that is measured, and untimed ones.
  std::optional<std::int64_t> starts;
  std::optional<double> start_spread;
  // Nine of ten measured times lie between these, as far as the machine's accuracy was measured
  // (accuracy/COLLECTIVE); wider by start_spread.
  std::optional<Seconds> confidence_low_s;
  std::optional<Seconds> confidence_high_s;
  // From the last rank's arrival to the end, median, where ranks do not arrive together.
  std::optional<Seconds> after_last_arrival_s;
  // Where steps stand for others: how many there are, how many were simulated, how the rest is told
  // ("recurrence", "equal_blocks", "sampled"), and the estimated error of the times, relative.
  std::optional<std::int64_t> steps;
  std::optional<std::int64_t> simulated_steps;
  std::string extrapolation;
  std::optional<double> extrapolation_error;
  // Of one call, without the barriers between repetitions.
  std::int64_t messages = 0;
  Bytes wire_bytes = 0;
  std::int64_t eager_messages = 0;
  std::int64_t detached_messages = 0;
  std::int64_t rendezvous_messages = 0;
  std::int64_t intra_node_messages = 0;
  Bytes intra_node_bytes = 0;
  std::optional<Seconds> model_hockney_s;
  std::string model_hockney_set;
  std::optional<Seconds> model_loggp_s;
  std::string model_loggp_set;
  // Cost of the simulation itself.
  std::optional<Seconds> wall_s;
  std::optional<Bytes> peak_rss_bytes;
};

// What choices compare: of a job that depends on its start the upper end of its interval.
Seconds time_to_compare(const Record& record);

using Column = ColumnOf<Record>;
std::span<const Column> columns();
// The first of them: what is simulated. The others are results and cost.
std::span<const Column> parameter_columns();

}  // namespace tutti::studies
