// SPDX-License-Identifier: BSD-3-Clause
// A simulation of collective I/O and its answer. SI base units; what is not known has no value.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "sim/base/units.hpp"
#include "sim/studies/column.hpp"

namespace tutti::studies {

struct IoRecord {
  std::string operation;  // "write", "read"
  std::string implementation;
  std::string partitioning;  // "even", "static"
  std::string decomposition;
  std::optional<std::int64_t> grid_rows;
  std::optional<std::int64_t> grid_columns;
  std::optional<Bytes> rows;     // of the array
  std::optional<Bytes> columns;  // bytes of a row
  std::int64_t procs = 0;
  std::int64_t nodes = 0;
  std::int64_t ppn = 0;
  std::string map;
  Bytes file_bytes = 0;      // accessed, all ranks together
  Bytes bytes_per_proc = 0;  // on average
  std::int64_t aggregators = 0;
  bool aggregators_are_chosen = false;  // not a column
  std::string aggregator_placement;
  Bytes buffer_bytes = 0;
  std::optional<Bytes> stripe_bytes;  // of static domains
  std::string storage;                // empty: none
  std::string setup;                  // "on", "off"; empty where the implementation has none
  std::int64_t repetitions = 1;       // that were run
  std::string skew;                   // empty: none
  std::string noise;                  // empty: none
  std::string engine;
  bool engine_is_chosen = false;  // not a column
  std::string contention;
  double merge_window = 0;
  std::int64_t cycles = 0;
  std::int64_t simulated_cycles = 0;
  std::string extrapolation;             // "none", "repeated" (exact), "sampled" (approximate)
  std::optional<double> sampling_error;  // an estimate of that of time_s, relative
  // When the last rank ends; with skew or noise the largest time from a rank's own arrival to its
  // end, median of the repetitions. Unset where the engine is untimed.
  std::optional<Seconds> time_s;
  std::optional<Seconds> repetition_min_s;  // of several repetitions
  std::optional<Seconds> repetition_mean_s;
  std::optional<Seconds> repetition_max_s;
  std::optional<Seconds> after_last_arrival_s;  // of ranks that arrive late; median
  // The most of an aggregator: waiting for messages; accesses to the file.
  std::optional<Seconds> shuffle_s;
  std::optional<Seconds> storage_s;
  std::optional<double>
      hidden_part;  // of the accesses' time, that in which messages were waited for
  // When an aggregator ends; with skew or noise from its own arrival, mean of the repetitions, as
  // the times above.
  std::optional<Seconds> aggregator_min_s;
  std::optional<Seconds> aggregator_mean_s;
  std::optional<Seconds> aggregator_max_s;
  std::int64_t messages = 0;   // of the shuffle
  Bytes own_bytes = 0;         // that stay on their own rank
  Bytes intra_node_bytes = 0;  // of the others, those that stay on their node
  // Nodes that exchange data with others in a cycle, on average.
  double sending_nodes = 0;
  double receiving_nodes = 0;
  // Of the shuffle, all cycles together; empty where cycles are sampled, or nothing leaves a node.
  std::string busiest_node;  // whose card takes in, or sends, the most
  std::optional<Bytes> busiest_node_in_bytes;
  std::optional<Bytes> busiest_node_out_bytes;
  std::string busiest_link;  // which has the most to carry for its bandwidth
  std::optional<Bytes> busiest_link_bytes;
  std::optional<Seconds> busiest_link_busy_s;  // its bytes at its bandwidth
  std::optional<Seconds> model_loggp_s;
  std::optional<Seconds> model_send_s;
  std::optional<Seconds> model_recv_s;
  std::optional<Seconds> model_total_s;  // with the storage
  std::string model_loggp_set;
  std::optional<std::int64_t> n_s;
  std::optional<std::int64_t> n_as;
  std::optional<std::int64_t> n_r;
  std::optional<std::int64_t> n_ar;
  std::optional<double> m_s_bytes;
  std::optional<Seconds> wall_s;
  std::optional<Bytes> peak_rss_bytes;
};

std::span<const ColumnOf<IoRecord>> io_columns();
// The first of them: what is simulated. The others are results and cost.
std::span<const ColumnOf<IoRecord>> io_parameter_columns();

}  // namespace tutti::studies
