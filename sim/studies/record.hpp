// SPDX-License-Identifier: BSD-3-Clause
// A record: one point as it was run, and the answer. SI base units; what is not known has no value.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/field.hpp"
#include "workloads/benchmark.hpp"

namespace tutti::studies {

// What records of collectives and of collective I/O say of a benchmark and its repetitions.

template <class Record>
void describe_benchmark(const workloads::Benchmark& benchmark, Record& record) {
  record.repetitions = benchmark.repetitions_run();
  if (benchmark.skew.kind != workloads::SkewSpec::Kind::none)
    record.skew = workloads::format_skew(benchmark.skew);
  if (benchmark.noise.kind != runtime::Noise::Kind::none)
    record.noise = workloads::format_noise(benchmark.noise);
}

// Of several repetitions; one has no least and no most.
template <class Record>
void add_repetitions(const std::vector<Seconds>& latencies, Record& record) {
  if (latencies.size() == 1) return;
  const auto [least, most] = std::ranges::minmax(latencies);
  record.repetition_min_s = least;
  record.repetition_max_s = most;
  const double sum_s = std::accumulate(latencies.begin(), latencies.end(), 0.0);
  // Rounding must not put the mean of equal times above them.
  record.repetition_mean_s = std::clamp(sum_s / static_cast<double>(latencies.size()), least, most);
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
  std::int64_t ppn = 0;  // most ranks on one node
  std::string map;
  Bytes message_bytes = 0;
  Bytes segment_bytes = 0;
  std::optional<std::int64_t> fanout;
  std::optional<std::int64_t> root;
  Bytes element_bytes = 1;
  std::string counts;                        // "linear", ...; empty where all blocks are equal
  std::optional<std::int64_t> max_requests;  // where the algorithm limits them; 0: no limit
  std::optional<bool> commutative;           // the operation of a reduction
  std::string benchmark;                     // how the call is measured; empty: alone
  std::int64_t repetitions = 1;              // that were run
  std::string skew;                          // empty: none
  std::string noise;                         // the same
  std::string engine;
  bool engine_is_chosen = false;  // by the program
  std::string contention;         // "on", "off"; empty where the engine is untimed
  double merge_window = 0;
  // Of a rank's latencies over the ranks; unset where the engine is untimed. time_s is that of the
  // median repetition, of the others each rank's mean over the repetitions counts.
  std::optional<Seconds> time_s;
  std::optional<Seconds> time_mean_s;
  std::optional<Seconds> time_min_s;
  // Where there are several repetitions.
  std::optional<Seconds> repetition_min_s;
  std::optional<Seconds> repetition_mean_s;
  std::optional<Seconds> repetition_max_s;
  // See sim/studies/starts.hpp. Unset for a call that is measured, and untimed ones.
  std::optional<std::int64_t> starts;
  std::optional<double> start_spread;
  std::optional<Seconds> confidence_low_s;
  std::optional<Seconds> confidence_high_s;
  std::optional<Seconds> after_last_arrival_s;
  // Where steps stand for others.
  std::optional<std::int64_t> steps;
  std::optional<std::int64_t> simulated_steps;
  std::string extrapolation;
  std::optional<double> extrapolation_error;
  std::optional<double> verified_difference;
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
  std::optional<Seconds> wall_s;
  std::optional<Bytes> peak_rss_bytes;
};

template <>
inline constexpr auto fields_of<Record> = [] {
  using enum FieldKind;
  using enum Known;
  return std::to_array<FieldOf<Record>>({
      {"collective", &Record::collective, parameter, "The collective."},
      {"algorithm", &Record::algorithm, chosen,
       "The algorithm that was asked for, or what the rules made of the request. Where Open MPI's "
       "own code silently runs another algorithm, the name stays, as it does in tables of the real "
       "library's traffic."},
      {"requested_algorithm", &Record::requested_algorithm, parameter,
       "What was asked for (as `auto`)."},
      {"decided_by", &Record::decided_by, chosen,
       "Whose rules chose the algorithm: `rules file`, `ompi-4.1` or `ompi-3.1`; empty where it "
       "was named; `profile` where one replaced the collective, and behind the rules `(no buffer "
       "for MOCK-UP)` where one would have. A rules file may leave calls to the fixed rules, all "
       "of them if Open MPI ignores it."},
      {"runs_as", &Record::runs_as, chosen,
       "The algorithm that runs where it is not the one that is named (of algorithms on two levels "
       "the inner ones that rules chose), as `basic_linear` instead of `scatter_allgather` and "
       "`scatter_allgather_ring` with fewer elements than processes, a single `chain` instead of "
       "`split_binary_tree` where a message cannot be halved or a segment is larger than a half, "
       "`bruck` instead of allgather's `recursive_doubling` where the number of processes is no "
       "power of two."},
      {"procs", &Record::procs, parameter,
       "The job: processes, nodes in use, most processes on one node, placement."},
      {"nodes", &Record::nodes, chosen, ""},
      {"ppn", &Record::ppn, chosen, ""},
      {"map", &Record::map, parameter, ""},
      {"message_bytes", &Record::message_bytes, parameter,
       "The call, with what the rules or defaults chose; fan-out and root are empty where there is "
       "none; 0 where the message is not segmented."},
      {"segment_bytes", &Record::segment_bytes, chosen, ""},
      {"fanout", &Record::fanout, chosen, ""},
      {"root", &Record::root, parameter, ""},
      {"element_bytes", &Record::element_bytes, parameter, ""},
      {"counts", &Record::counts, parameter,
       "The call and the measurement, as above; empty where there is none, or where the collective "
       "or the algorithm has no such thing."},
      {"max_requests", &Record::max_requests, parameter, ""},
      {"commutative", &Record::commutative, parameter, ""},
      {"benchmark", &Record::benchmark, parameter, ""},
      {"repetitions", &Record::repetitions, chosen, ""},
      {"skew", &Record::skew, parameter, ""},
      {"noise", &Record::noise, parameter, ""},
      {"engine", &Record::engine, chosen,
       "`simgrid`, `flow` or `ideal`; `model` where formulas alone are computed."},
      {"contention", &Record::contention, parameter, "As asked for."},
      {"merge_window", &Record::merge_window, parameter, "", simulated},
      {"time_s", &Record::time_s, result,
       "When the last rank, the mean of the ranks and the first rank is done. Empty or null with "
       "engine `ideal`."},
      {"time_mean_s", &Record::time_mean_s, result, ""},
      {"time_min_s", &Record::time_min_s, result, ""},
      {"repetition_min_s", &Record::repetition_min_s, result,
       "Of the slowest rank's latency, over several repetitions; `time_s` is their median."},
      {"repetition_mean_s", &Record::repetition_mean_s, result, ""},
      {"repetition_max_s", &Record::repetition_max_s, result, ""},
      {"starts", &Record::starts, result,
       "How many starts of the job were simulated: 1, or 2 or 3 where the time does not depend on "
       "picoseconds of the start; more where it does, with the half-width of its interval relative "
       "to the time (`--runs`)."},
      {"start_spread", &Record::start_spread, result, ""},
      {"confidence_low_s", &Record::confidence_low_s, result,
       "Nine of ten measured times lie between these, by the platform's `accuracy/COLLECTIVE`, and "
       "wider by `start_spread`; empty where the platform has no such key."},
      {"confidence_high_s", &Record::confidence_high_s, result, ""},
      {"after_last_arrival_s", &Record::after_last_arrival_s, result,
       "From the last rank's arrival to the end, the median, where there is skew."},
      {"steps", &Record::steps, result,
       "Where steps were left out: how many the call has, how many were simulated, how the rest "
       "was estimated (`recurrence`, `equal_blocks` or `sampled`), and an estimate of how far the "
       "times are off for that, relative. Empty where all were simulated."},
      {"simulated_steps", &Record::simulated_steps, result, ""},
      {"extrapolation", &Record::extrapolation, result, ""},
      {"extrapolation_error", &Record::extrapolation_error, result, ""},
      {"verified_difference", &Record::verified_difference, result,
       "Relative difference of `time_s` from that of engine `simgrid`, which simulates all "
       "messages "
       "(`--verify`)."},
      {"messages", &Record::messages, result, "All messages and their payload.", simulated},
      {"wire_bytes", &Record::wire_bytes, result, "", simulated},
      {"eager_messages", &Record::eager_messages, result, "By protocol.", simulated},
      {"detached_messages", &Record::detached_messages, result, "", simulated},
      {"rendezvous_messages", &Record::rendezvous_messages, result, "", simulated},
      {"intra_node_messages", &Record::intra_node_messages, result,
       "Those that stay inside a node.", simulated},
      {"intra_node_bytes", &Record::intra_node_bytes, result, "", simulated},
      {"model_hockney_s", &Record::model_hockney_s, result,
       "What the cost formulas say (nothing of this is simulated, and engine `ideal` has it too), "
       "and the set of parameters that they took."},
      {"model_hockney_set", &Record::model_hockney_set, result, ""},
      {"model_loggp_s", &Record::model_loggp_s, result, ""},
      {"model_loggp_set", &Record::model_loggp_set, result, ""},
      {"wall_s", &Record::wall_s, cost, "Cost of the simulation itself."},
      {"peak_rss_bytes", &Record::peak_rss_bytes, cost, ""},
      {"algorithm_id", &Record::algorithm_id, internal, ""},
      {"engine_is_chosen", &Record::engine_is_chosen, internal, ""},
  });
}();

// What choices compare: of a job that depends on its start the upper end of its interval.
Seconds time_to_compare(const Record& record);

}  // namespace tutti::studies
