// SPDX-License-Identifier: BSD-3-Clause
// A simulation of collective I/O and its record. SI base units; unknown values are unset.
#pragma once

#include "io_models/calls.hpp"
#include "io_models/implementations/plan.hpp"
#include "io_models/shuffle_model.hpp"
#include "io_models/storage/storage_spec.hpp"
#include "platforms/placement.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/jobs/field.hpp"
#include "sim/jobs/inside.hpp"
#include "sim/jobs/io_record.help.hpp"
#include "sim/jobs/record.help.hpp"
#include "workloads/benchmark.hpp"

namespace tutti::jobs {

// One simulation of collective I/O, fully described.

struct IoPoint {
  bool writes = true;
  std::string decomposition;  // as requested: "1d", "2d", "tiles", "file:PATH", ...
  // The file access of the job, or of the first of its calls.
  std::shared_ptr<const io_models::Access> access;
  std::shared_ptr<const io_models::AccessCalls> calls = {};  // null: one call
  std::optional<Seconds> logged_s = {};  // measured time of the calls, from a log
  // Details of the access that other members do not contain: the requested tiles, a key of a file's
  // content.
  std::string access_content;
  int grid_rows = 0;  // 0: no grid
  int grid_columns = 0;
  Bytes rows = 0;  // of the array; 0: no array
  Bytes columns = 0;
  // Arguments of the analytic model; unset if it has no formula (tiles, lists, uneven blocks).
  std::optional<io_models::ShuffleModelArgs> model;
  io_models::PlanArgs plan;
  std::string aggregator_placement;
  bool aggregators_are_chosen = false;
  int aggregators_per_target = 1;      // at most, of romio_lustre
  bool only_aggregators_open = false;  // the file; the hint romio_no_indep_rw
  int node_leaders = 0;                // processes that collect the data of a node; 0: none
  io_models::StorageSpec storage;
  bool with_setup = false;
  bool extrapolates = true;
  std::optional<std::int64_t> only_cycle = {};  // index among those with data; not for studies
  workloads::Benchmark benchmark;
  platforms::PlacementRequest placement;
  engines::EngineKind engine = engines::EngineKind::flow;
  bool engine_is_chosen = true;
  bool verify = false;  // also simulate with engine simgrid, and compare the times
  engines::Contention contention = engines::Contention::on;
  bool model_only = false;  // evaluate the formula only, without simulation
  bool want_traffic = false;
  bool want_aggregators = false;  // report the times of each aggregator
  InsideRequest inside;

  // The option that requires all cycles to be simulated, because they differ randomly or each is
  // observed. Null: cycles may be extrapolated.
  const char* all_cycles_option() const {
    if (!extrapolates) return "--extrapolate";
    if (want_traffic) return "--traffic";
    if (inside.path) return "--critical-path";
    if (inside.any()) return "--trace";
    if (benchmark.noise.kind != runtime::Noise::Kind::none) return "--noise";
    if (storage.has_memory()) return "--storage";
    if (!benchmark.is_plain()) return "--skew";
    return engine == engines::EngineKind::ideal ? "--engine" : nullptr;
  }
  bool takes_all_cycles() const { return all_cycles_option() != nullptr; }
};

struct IoRecord {
  std::string operation;  // "write", "read"
  std::string implementation;
  std::string partitioning;  // "even", "static", "groups" (reads of vulcan, dynamic_gen2)
  std::string decomposition;
  std::optional<std::int64_t> grid_rows;
  std::optional<std::int64_t> grid_columns;
  std::optional<Bytes> rows;     // of the array
  std::optional<Bytes> columns;  // bytes of a row
  std::int64_t procs = 0;
  std::int64_t nodes = 0;
  std::int64_t ppn = 0;
  std::string map;
  Bytes file_bytes = 0;             // accessed, all ranks together
  Bytes bytes_per_proc = 0;         // on average
  std::int64_t calls = 1;           // of each process, one after the other
  std::optional<Seconds> logged_s;  // of these calls, measured
  std::int64_t aggregators = 0;
  bool aggregators_are_chosen = false;
  std::string aggregator_placement;
  std::optional<std::int64_t> node_leaders;  // that collect the data of a node
  Bytes buffer_bytes = 0;
  std::optional<Bytes> stripe_bytes;  // of static domains
  std::string storage;                // empty: none
  std::string setup;                  // "on", "off"; empty if the implementation has no set-up
  std::int64_t repetitions = 1;       // number of calls that were run
  std::string skew;                   // empty: none
  std::string noise;                  // empty: none
  std::string engine;
  bool engine_is_chosen = false;
  std::string contention;
  double merge_window = 0;  // always, to keep the keys of stored points
  std::int64_t cycles = 0;
  std::int64_t simulated_cycles = 0;
  std::string extrapolation;  // "none", "repeated" (exact), "sampled" (approximate)
  std::optional<double> verified_difference;
  std::optional<double> sampling_error;  // estimated relative error of time_s
  // Completion time of the last rank; with skew or noise, the largest time from a rank's own
  // arrival to its end, median of the repetitions. Unset if the engine is untimed.
  std::optional<Seconds> time_s;
  std::optional<Seconds> repetition_min_s;  // of several repetitions
  std::optional<Seconds> repetition_mean_s;
  std::optional<Seconds> repetition_max_s;
  std::optional<Seconds> after_last_arrival_s;  // from the last rank's arrival to the end; median
  // Maximum over aggregators of the times of opening the file, of the set-up, of waiting for
  // messages, and of file accesses.
  std::optional<Seconds> open_s;   // with a metadata server
  std::optional<Seconds> setup_s;  // of implementations that have one
  std::optional<Seconds> shuffle_s;
  std::optional<Seconds> storage_s;
  std::optional<double>
      overlap_fraction;  // fraction of the file access time that overlaps messages
  // Completion time of aggregators; with skew or noise, from their own arrival, mean of the
  // repetitions, as for the times above.
  std::optional<Seconds> aggregator_min_s;
  std::optional<Seconds> aggregator_mean_s;
  std::optional<Seconds> aggregator_max_s;
  std::int64_t messages = 0;   // of the shuffle
  Bytes own_bytes = 0;         // bytes that stay on their rank
  Bytes intra_node_bytes = 0;  // other bytes that stay on their node
  // Mean number of nodes that exchange data with others in a cycle.
  double sending_nodes = 0;
  double receiving_nodes = 0;
  // Totals of the shuffle over all cycles; empty if cycles are sampled, or nothing leaves a node.
  std::string busiest_node;  // whose NIC receives, or sends, the most
  std::optional<Bytes> busiest_node_in_bytes;
  std::optional<Bytes> busiest_node_out_bytes;
  std::string busiest_link;  // the link with the most bytes relative to its bandwidth
  std::optional<Bytes> busiest_link_bytes;
  std::optional<Seconds> busiest_link_busy_s;  // its bytes at its bandwidth
  std::optional<Seconds> model_loggp_s;
  std::optional<Seconds> model_send_s;
  std::optional<Seconds> model_recv_s;
  std::optional<Seconds> model_total_s;  // including storage
  std::string model_loggp_set;
  std::optional<std::int64_t> n_s;
  std::optional<std::int64_t> n_as;
  std::optional<std::int64_t> n_r;
  std::optional<std::int64_t> n_ar;
  std::optional<double> m_s_bytes;
  std::optional<Seconds> wall_s;
  std::optional<Bytes> peak_rss_bytes;
  std::int64_t platform_index = 0;  // in the report's provenance
};

template <>
inline constexpr auto fields_of<IoRecord> = [] {
  using enum FieldKind;
  using enum Known;
  return with_meanings(std::to_array<FieldOf<IoRecord>>({
                           {"operation", &IoRecord::operation, parameter},
                           {"implementation", &IoRecord::implementation, parameter},
                           {"partitioning", &IoRecord::partitioning, parameter},
                           {"decomposition", &IoRecord::decomposition, parameter},
                           {"grid_rows", &IoRecord::grid_rows, chosen},
                           {"grid_columns", &IoRecord::grid_columns, chosen},
                           {"rows", &IoRecord::rows, chosen},
                           {"columns", &IoRecord::columns, chosen},
                           {"procs", &IoRecord::procs, parameter},
                           {"nodes", &IoRecord::nodes, chosen},
                           {"ppn", &IoRecord::ppn, chosen},
                           {"map", &IoRecord::map, parameter},
                           {"file_bytes", &IoRecord::file_bytes, chosen},
                           {"bytes_per_proc", &IoRecord::bytes_per_proc, parameter},
                           {"calls", &IoRecord::calls, chosen},
                           {"logged_s", &IoRecord::logged_s, chosen},
                           {"aggregators", &IoRecord::aggregators, chosen},
                           {"aggregator_placement", &IoRecord::aggregator_placement, parameter},
                           {"node_leaders", &IoRecord::node_leaders, parameter},
                           {"buffer_bytes", &IoRecord::buffer_bytes, parameter},
                           {"stripe_bytes", &IoRecord::stripe_bytes, parameter},
                           {"storage", &IoRecord::storage, parameter},
                           {"setup", &IoRecord::setup, parameter},
                           {"repetitions", &IoRecord::repetitions, chosen},
                           {"skew", &IoRecord::skew, parameter},
                           {"noise", &IoRecord::noise, parameter},
                           {"engine", &IoRecord::engine, chosen},
                           {"contention", &IoRecord::contention, parameter},
                           {"merge_window", &IoRecord::merge_window, parameter, {}, simulated},
                           {"cycles", &IoRecord::cycles, result, {}, simulated},
                           {"simulated_cycles", &IoRecord::simulated_cycles, result, {}, simulated},
                           {"extrapolation", &IoRecord::extrapolation, result},
                           {"sampling_error", &IoRecord::sampling_error, result},
                           {"verified_difference", &IoRecord::verified_difference, result},
                           {"time_s", &IoRecord::time_s, result},
                           {"repetition_min_s", &IoRecord::repetition_min_s, result},
                           {"repetition_mean_s", &IoRecord::repetition_mean_s, result},
                           {"repetition_max_s", &IoRecord::repetition_max_s, result},
                           {"after_last_arrival_s", &IoRecord::after_last_arrival_s, result},
                           {"open_s", &IoRecord::open_s, result},
                           {"setup_s", &IoRecord::setup_s, result},
                           {"shuffle_s", &IoRecord::shuffle_s, result},
                           {"storage_s", &IoRecord::storage_s, result},
                           {"overlap_fraction", &IoRecord::overlap_fraction, result},
                           {"aggregator_min_s", &IoRecord::aggregator_min_s, result},
                           {"aggregator_mean_s", &IoRecord::aggregator_mean_s, result},
                           {"aggregator_max_s", &IoRecord::aggregator_max_s, result},
                           {"messages", &IoRecord::messages, result, {}, simulated},
                           {"own_bytes", &IoRecord::own_bytes, result, {}, simulated},
                           {"intra_node_bytes", &IoRecord::intra_node_bytes, result, {}, simulated},
                           {"sending_nodes", &IoRecord::sending_nodes, result, {}, simulated},
                           {"receiving_nodes", &IoRecord::receiving_nodes, result, {}, simulated},
                           {"busiest_node", &IoRecord::busiest_node, result},
                           {"busiest_node_in_bytes", &IoRecord::busiest_node_in_bytes, result},
                           {"busiest_node_out_bytes", &IoRecord::busiest_node_out_bytes, result},
                           {"busiest_link", &IoRecord::busiest_link, result},
                           {"busiest_link_bytes", &IoRecord::busiest_link_bytes, result},
                           {"busiest_link_busy_s", &IoRecord::busiest_link_busy_s, result},
                           {"model_loggp_s", &IoRecord::model_loggp_s, result},
                           {"model_send_s", &IoRecord::model_send_s, result},
                           {"model_recv_s", &IoRecord::model_recv_s, result},
                           {"model_total_s", &IoRecord::model_total_s, result},
                           {"model_loggp_set", &IoRecord::model_loggp_set, result},
                           {"n_s", &IoRecord::n_s, result},
                           {"n_as", &IoRecord::n_as, result},
                           {"n_r", &IoRecord::n_r, result},
                           {"n_ar", &IoRecord::n_ar, result},
                           {"m_s_bytes", &IoRecord::m_s_bytes, result},
                           {"wall_s", &IoRecord::wall_s, cost},
                           {"peak_rss_bytes", &IoRecord::peak_rss_bytes, cost},
                           {"aggregators_are_chosen", &IoRecord::aggregators_are_chosen, internal},
                           {"engine_is_chosen", &IoRecord::engine_is_chosen, internal},
                           {"platform_index", &IoRecord::platform_index, internal},
                       }),
                       texts::io_record, texts::record);
}();

}  // namespace tutti::jobs
