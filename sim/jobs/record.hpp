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
  return std::to_array<FieldOf<Record>>({
      {"collective", &Record::collective, parameter, "The collective."},
      {"algorithm", &Record::algorithm, chosen, texts::record["algorithm"]},
      {"requested_algorithm", &Record::requested_algorithm, parameter,
       "The request, for example `auto`."},
      {"decided_by", &Record::decided_by, chosen, texts::record["decided_by"]},
      {"runs_as", &Record::runs_as, chosen, texts::record["runs_as"]},
      {"procs", &Record::procs, parameter, "Number of processes."},
      {"nodes", &Record::nodes, chosen, "Number of nodes in use."},
      {"ppn", &Record::ppn, chosen, "Maximum number of processes on one node."},
      {"map", &Record::map, parameter, "Placement of the ranks, as in `--map`."},
      {"message_bytes", &Record::message_bytes, parameter, texts::record["message_bytes"]},
      {"segment_bytes", &Record::segment_bytes, chosen,
       "Size of a segment, by request, rules or default; 0 if the message is not segmented."},
      {"fanout", &Record::fanout, chosen,
       "Fan-out of the tree; empty if the algorithm does not have one."},
      {"root", &Record::root, parameter, "Root rank; empty if the collective does not have one."},
      {"element_bytes", &Record::element_bytes, parameter,
       "Size of an element, which is not divided."},
      {"counts", &Record::counts, parameter,
       "How blocks differ between ranks (`--counts`); empty if they are equal."},
      {"max_requests", &Record::max_requests, parameter,
       "Limit of pending requests; 0: none; empty if the algorithm does not have one."},
      {"commutative", &Record::commutative, parameter,
       "Whether the operation of the reduction commutes; empty without a reduction."},
      {"benchmark", &Record::benchmark, parameter,
       "The benchmark whose way to measure is simulated; empty for a bare call."},
      {"repetitions", &Record::repetitions, chosen, "Number of calls that were run."},
      {"skew", &Record::skew, parameter,
       "Delays of the ranks before the call (`--skew`); empty: none."},
      {"noise", &Record::noise, parameter,
       "Noise on the ranks' local work (`--noise`); empty: none."},
      {"engine", &Record::engine, chosen,
       "`simgrid`, `flow` or `ideal`; `model` if only formulas are evaluated."},
      {"contention", &Record::contention, parameter, texts::record["contention"]},
      {"merge_window", &Record::merge_window, parameter, "Always 0: no transfer ends early.",
       simulated},
      {"time_s", &Record::time_s, result, texts::record["time_s"]},
      {"time_mean_s", &Record::time_mean_s, result,
       "Mean of the completion time over the ranks, and over the repetitions."},
      {"time_min_s", &Record::time_min_s, result,
       "Minimum over the ranks of the completion time, mean over the repetitions."},
      {"repetition_min_s", &Record::repetition_min_s, result,
       "Minimum over several repetitions of the slowest rank's latency."},
      {"repetition_mean_s", &Record::repetition_mean_s, result,
       "Mean over several repetitions of the slowest rank's latency."},
      {"repetition_max_s", &Record::repetition_max_s, result,
       "Maximum over several repetitions of the slowest rank's latency."},
      {"starts", &Record::starts, result, texts::record["starts"]},
      {"start_spread", &Record::start_spread, result,
       "Half-width of the interval of the time over these starts, relative to the time."},
      {"confidence_low_s", &Record::confidence_low_s, result, texts::record["confidence_low_s"]},
      {"confidence_high_s", &Record::confidence_high_s, result, "Upper end of that interval."},
      {"confidence_basis", &Record::confidence_basis, result, texts::record["confidence_basis"]},
      {"slower_chance", &Record::slower_chance, result, texts::record["slower_chance"]},
      {"after_last_arrival_s", &Record::after_last_arrival_s, result,
       "Time from the last rank's arrival to the end, median over repetitions, if there is skew."},
      {"steps", &Record::steps, result,
       "Number of steps of an extrapolated call; empty if all steps were simulated."},
      {"simulated_steps", &Record::simulated_steps, result,
       "Number of these steps that were simulated."},
      {"extrapolation", &Record::extrapolation, result,
       "How the other steps were extrapolated: `recurrence`, `equal_blocks` or `sampled`."},
      {"extrapolation_error", &Record::extrapolation_error, result,
       "Estimate of the relative error of the extrapolated times."},
      {"verified_difference", &Record::verified_difference, result,
       texts::record["verified_difference"]},
      {"data_verified", &Record::data_verified, result, texts::record["data_verified"]},
      {"messages", &Record::messages, result, "Number of messages of one call.", simulated},
      {"wire_bytes", &Record::wire_bytes, result, "Payload of these messages.", simulated},
      {"eager_messages", &Record::eager_messages, result, "Number of eager messages.", simulated},
      {"detached_messages", &Record::detached_messages, result,
       "Number of messages whose send is detached: it ends before the receive is posted.",
       simulated},
      {"rendezvous_messages", &Record::rendezvous_messages, result,
       "Number of messages with a rendezvous handshake.", simulated},
      {"intra_node_messages", &Record::intra_node_messages, result,
       "Number of messages that stay inside a node.", simulated},
      {"intra_node_bytes", &Record::intra_node_bytes, result,
       "Payload of the messages that stay inside a node.", simulated},
      {"model_hockney_s", &Record::model_hockney_s, result, texts::record["model_hockney_s"]},
      {"model_hockney_set", &Record::model_hockney_set, result,
       "Parameter set of Hockney's model that the formula uses."},
      {"model_loggp_s", &Record::model_loggp_s, result,
       "Time by the cost formula of LogGP; not simulated, also available with engine `ideal`."},
      {"model_loggp_set", &Record::model_loggp_set, result,
       "Parameter set of LogGP that the formula uses."},
      {"wall_s", &Record::wall_s, cost, "Wall-clock time of the simulation itself."},
      {"peak_rss_bytes", &Record::peak_rss_bytes, cost, "Peak memory of the simulation itself."},
      {"algorithm_id", &Record::algorithm_id, internal, ""},
      {"engine_is_chosen", &Record::engine_is_chosen, internal, ""},
      {"platform_index", &Record::platform_index, internal, ""},
  });
}();

// The time by which algorithms are compared: for a job that depends on its start, the upper end of
// its interval.
Seconds time_to_compare(const Record& record);

}  // namespace tutti::jobs
