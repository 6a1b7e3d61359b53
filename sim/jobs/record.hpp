// SPDX-License-Identifier: BSD-3-Clause
// The record of one collective call: its description and its results. SI base units; unknown values
// are unset.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/field.hpp"
#include "sim/jobs/record.help.hpp"
#include "workloads/benchmark.hpp"

namespace tutti::jobs {

// Fields about a benchmark and its repetitions, for records of collectives and of collective I/O.

template <class Record>
void describe_benchmark(const workloads::Benchmark& benchmark, Record& record) {
  record.repetitions = benchmark.repetitions_run();
  if (benchmark.skew.kind != workloads::SkewSpec::Kind::none)
    record.skew = workloads::format_skew(benchmark.skew);
  if (benchmark.noise.kind != runtime::Noise::Kind::none)
    record.noise = workloads::format_noise(benchmark.noise);
}

// Fills the statistics over repetitions; they stay unset for a single one.
template <class Record>
void add_repetitions(const std::vector<Seconds>& latencies, Record& record) {
  if (latencies.size() == 1) return;
  const auto [least, most] = std::ranges::minmax(latencies);
  record.repetition_min_s = least;
  record.repetition_max_s = most;
  const double sum_s = std::accumulate(latencies.begin(), latencies.end(), 0.0);
  // Rounding must not make the mean of equal times exceed them.
  record.repetition_mean_s = std::clamp(sum_s / static_cast<double>(latencies.size()), least, most);
}

// Describes a record that only formulas fill: no engine has run.
template <class Record>
void describe_as_model(Record& record) {
  record.engine = model_engine;
  record.engine_is_chosen = false;
  record.contention.clear();
}

struct Record {
  std::string collective;
  std::string algorithm;
  std::string requested_algorithm;
  std::string decided_by;
  std::string runs_as;
  int algorithm_id = 0;  // Open MPI's
  std::int64_t procs = 0;
  std::int64_t nodes = 0;
  std::int64_t ppn = 0;  // maximum number of ranks on one node
  std::string map;
  Bytes message_bytes = 0;
  Bytes segment_bytes = 0;
  std::optional<std::int64_t> fanout;
  std::optional<std::int64_t> root;
  Bytes element_bytes = 1;
  std::string counts;                        // "linear", ...; empty if all blocks are equal
  std::optional<std::int64_t> max_requests;  // if the algorithm limits them; 0: no limit
  std::optional<bool> commutative;           // whether the reduction's operation commutes
  std::string benchmark;                     // how the call is measured; empty: bare call
  std::int64_t repetitions = 1;              // number of calls that were run
  std::string skew;                          // empty: none
  std::string noise;                         // empty: none
  std::string engine;
  bool engine_is_chosen = false;  // by the program
  std::string contention;         // "on", "off"; empty if the engine is untimed
  double merge_window = 0;        // always, to keep the keys of stored points
  // Maximum, mean and minimum of the latency over the ranks, in seconds; unset if the engine is
  // untimed. time_s is the maximum of the median repetition, the others use each rank's mean over
  // the repetitions.
  std::optional<Seconds> time_s;
  std::optional<Seconds> time_mean_s;
  std::optional<Seconds> time_min_s;
  std::optional<double> busbw_Bps;  // by time_s; unset if nccl-tests does not have the collective
  // Set if there are several repetitions.
  std::optional<Seconds> repetition_min_s;
  std::optional<Seconds> repetition_mean_s;
  std::optional<Seconds> repetition_max_s;
  // See sim/jobs/starts.hpp. Unset for untimed calls.
  std::optional<std::int64_t> starts;
  std::optional<double> start_spread;
  std::optional<Seconds> confidence_low_s;
  std::optional<Seconds> confidence_high_s;
  std::string confidence_basis;         // of ExpectedAccuracy; empty without an interval
  std::optional<double> slower_chance;  // set by `sim run --confidence` if there are rivals
  std::optional<Seconds> after_last_arrival_s;
  // Set if the call was extrapolated from some of its steps.
  std::optional<std::int64_t> steps;
  std::optional<std::int64_t> simulated_steps;
  std::string extrapolation;
  std::optional<double> extrapolation_error;
  std::optional<double> verified_difference;
  std::optional<bool> data_verified;  // by engine `ideal`; unset if there are no data
  // Counts of one call, without the barriers between repetitions.
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
  std::optional<Seconds> wall_s;
  std::optional<Bytes> peak_rss_bytes;
  std::int64_t platform_index = 0;  // in the report's provenance
};

template <>
inline constexpr auto fields_of<Record> = [] {
  using enum FieldKind;
  using enum Known;
  return with_meanings(
      std::to_array<FieldOf<Record>>({
          {"collective", &Record::collective, parameter},
          {"algorithm", &Record::algorithm, chosen},
          {"requested_algorithm", &Record::requested_algorithm, parameter},
          {"decided_by", &Record::decided_by, chosen},
          {"runs_as", &Record::runs_as, chosen},
          {"procs", &Record::procs, parameter},
          {"nodes", &Record::nodes, chosen},
          {"ppn", &Record::ppn, chosen},
          {"map", &Record::map, parameter},
          {"message_bytes", &Record::message_bytes, parameter},
          {"segment_bytes", &Record::segment_bytes, chosen},
          {"fanout", &Record::fanout, chosen},
          {"root", &Record::root, parameter},
          {"element_bytes", &Record::element_bytes, parameter},
          {"counts", &Record::counts, parameter},
          {"max_requests", &Record::max_requests, parameter},
          {"commutative", &Record::commutative, parameter},
          {"benchmark", &Record::benchmark, parameter},
          {"repetitions", &Record::repetitions, chosen},
          {"skew", &Record::skew, parameter},
          {"noise", &Record::noise, parameter},
          {"engine", &Record::engine, chosen},
          {"contention", &Record::contention, parameter},
          {"merge_window", &Record::merge_window, parameter, {}, simulated},
          {"time_s", &Record::time_s, result},
          {"time_mean_s", &Record::time_mean_s, result},
          {"time_min_s", &Record::time_min_s, result},
          {"busbw_Bps", &Record::busbw_Bps, result},
          {"repetition_min_s", &Record::repetition_min_s, result},
          {"repetition_mean_s", &Record::repetition_mean_s, result},
          {"repetition_max_s", &Record::repetition_max_s, result},
          {"starts", &Record::starts, result},
          {"start_spread", &Record::start_spread, result},
          {"confidence_low_s", &Record::confidence_low_s, result},
          {"confidence_high_s", &Record::confidence_high_s, result},
          {"confidence_basis", &Record::confidence_basis, result},
          {"slower_chance", &Record::slower_chance, result},
          {"after_last_arrival_s", &Record::after_last_arrival_s, result},
          {"steps", &Record::steps, result},
          {"simulated_steps", &Record::simulated_steps, result},
          {"extrapolation", &Record::extrapolation, result},
          {"extrapolation_error", &Record::extrapolation_error, result},
          {"verified_difference", &Record::verified_difference, result},
          {"data_verified", &Record::data_verified, result},
          {"messages", &Record::messages, result, {}, simulated},
          {"wire_bytes", &Record::wire_bytes, result, {}, simulated},
          {"eager_messages", &Record::eager_messages, result, {}, simulated},
          {"detached_messages", &Record::detached_messages, result, {}, simulated},
          {"rendezvous_messages", &Record::rendezvous_messages, result, {}, simulated},
          {"intra_node_messages", &Record::intra_node_messages, result, {}, simulated},
          {"intra_node_bytes", &Record::intra_node_bytes, result, {}, simulated},
          {"model_hockney_s", &Record::model_hockney_s, result},
          {"model_hockney_set", &Record::model_hockney_set, result},
          {"model_loggp_s", &Record::model_loggp_s, result},
          {"model_loggp_set", &Record::model_loggp_set, result},
          {"wall_s", &Record::wall_s, cost},
          {"peak_rss_bytes", &Record::peak_rss_bytes, cost},
          {"algorithm_id", &Record::algorithm_id, internal},
          {"engine_is_chosen", &Record::engine_is_chosen, internal},
          {"platform_index", &Record::platform_index, internal},
      }),
      texts::record);
}();

// The time by which algorithms are compared: for a job that depends on its start, the upper end of
// its interval.
inline Seconds time_to_compare(const Record& record) {
  return record.time_s.value_or(0) * (1 + record.start_spread.value_or(0));
}

}  // namespace tutti::jobs
