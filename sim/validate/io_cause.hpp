// SPDX-License-Identifier: BSD-3-Clause
// Checks whether the analytic model of collective I/O follows the trends of the simulation.
// Neighboring points are compared as S. Jha's dissertation compares its model with measurements
// (section 5.3, Tables 5.3 to 5.5): one of three parameters changes, the others are constant. For
// pairs that disagree, the columns of the simulation's records show the bottleneck of the shuffle
// and the cause.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/studies/io_sweep.hpp"
#include "sim/studies/study_point.hpp"

namespace tutti::studies {

// The values are the dissertation's numbers of the cases.
enum class TendencyCase : unsigned char { data = 1, aggregators = 2, procs = 3 };

struct TendencyPoint {
  std::string model;  // "even 1d"; points of different models are not compared
  std::int64_t procs = 0;
  Bytes bytes_per_proc = 0;
  std::int64_t aggregators = 0;
  Seconds simulated_s = 0;
  Seconds model_s = 0;
};

enum class Agreement : unsigned char {
  match,      // both increase, or both decrease
  mismatch,   // one increases, the other decreases
  no_change,  // neither changes
  only_simulated,
  only_model,
};
const char* name_of(Agreement agreement);

// Compares relative changes: 0.1 is 10 % more. A change of 0, or with an absolute value below
// `least`, counts as no change.
Agreement agreement_of(double simulated_change, double model_change, double least);

struct TendencyPair {
  TendencyCase varied{};
  std::size_t from = 0;  // index of the point with the smaller value of the parameter
  std::size_t to = 0;
  double simulated_change = 0;
  double model_change = 0;
  Agreement agreement{};
};

// For each case, model and values of the other two parameters, pairs each point with the next one
// in the order of the parameter that varies. Ordered by case, then by model and parameters.
std::vector<TendencyPair> tendency_pairs(std::span<const TendencyPoint> points, double least);

struct TendencyCount {
  TendencyCase varied{};
  std::string model;
  std::int64_t match = 0;
  std::int64_t mismatch = 0;
  std::int64_t no_change = 0;
  std::int64_t only_simulated = 0;
  std::int64_t only_model = 0;

  std::int64_t apart() const { return no_change + only_simulated + only_model; }
  // False if no pair can be compared.
  bool has_rate() const { return match + mismatch > 0; }
  // Fraction of matches among the pairs in which both change.
  double rate() const { return static_cast<double>(match) / static_cast<double>(match + mismatch); }
};

// Returns one row per case and model, in this order.
std::vector<TendencyCount> count_tendencies(std::span<const TendencyPoint> points,
                                            std::span<const TendencyPair> pairs,
                                            std::span<const std::string> models);

// The resource that is busy for the largest fraction of the time.
struct Bottleneck {
  enum class Kind : unsigned char {
    none,            // unknown
    sending_nics,    // NICs of the nodes that send in a cycle, on average
    sending_cores,   // cores of the processes that send in a cycle, by the model's n_s and n_r
    receiving_nics,  // NICs of the nodes that receive in a cycle
    core,            // core of one rank
    cable            // one link of the network
  } kind = Kind::none;
  std::string link = {};  // name, if `kind` is core or cable
  double busy = 0;        // fraction of the time, at most 1

  bool is_sender() const { return kind == Kind::sending_nics || kind == Kind::sending_cores; }
};
// For example "NICs of the sending nodes" or "crill_link_2_UP".
std::string text_of(const Bottleneck& bottleneck);

// Bandwidths of a node's NIC and of a rank's core; the NICs of all nodes are assumed to be equal.
struct ShuffleRates {
  double nic_Bps = 0;  // 0: unknown
  double core_Bps = 0;
};
ShuffleRates shuffle_rates(const platforms::Machine& machine);

// Facts about a point, from the columns of its record.
struct ShuffleFacts {
  bool is_even = true;
  std::int64_t procs = 0;
  std::int64_t aggregators = 0;
  double own_fraction = 0;      // fraction of the bytes that stays on its rank
  double leaving_fraction = 0;  // fraction that leaves its node
  double sending_nodes = 0;     // per cycle
  double receiving_nodes = 0;
  // Bytes that the model charges, since its numbers of cycles and messages are whole, divided by
  // the actual bytes.
  double charged_send = 1;
  double charged_recv = 1;
  Seconds model_send_s = 0;
  Seconds model_recv_s = 0;
  Bottleneck bottleneck;

  // The model's time if it charged the actual bytes.
  Seconds uncharged_s() const { return model_send_s / charged_send + model_recv_s / charged_recv; }
};
ShuffleFacts shuffle_facts(const Row& record, const ShuffleRates& rates);

enum class Cause : unsigned char {
  senders,   // at both points the senders are the bottleneck; the model considers aggregators only
  rounding,  // without its ceilings the model follows the simulation
  limit,     // at one point NICs or links are the bottleneck, at the other cores
  nics,      // at both points NICs or links of nodes are the bottleneck; sharing matters
  borders,   // boundaries of file domains coincide with those of ranks' data at one point only
  stays,     // another fraction of the data stays on its rank or node; the model charges all of it
  unknown,
};
constexpr Cause all_causes[] = {Cause::senders, Cause::rounding, Cause::limit,  Cause::nics,
                                Cause::borders, Cause::stays,    Cause::unknown};
const char* name_of(Cause cause);
// Explains the cause in a sentence for readers of the report.
const char* explain(Cause cause);

// Returns the first cause that applies, in the order of `all_causes`.
Cause cause_of(const TendencyPair& pair, const ShuffleFacts& from, const ShuffleFacts& to,
               double least_change);

// The points that are compared.

// The dissertation's numbers of processes and file domains, and three sizes of data, as writes
// simulated by engine `flow`.
IoSweep usual_io_cases();
struct IoCasesSpec {
  IoSweep sweep = usual_io_cases();       // no buffer sizes: those of the dissertation
  std::vector<std::int64_t> aggregators;  // at most one per process; empty: 1, 2, 4, ...
};
// The places of errors are options.
Result<std::vector<StudyPoint>> io_cases(const IoCasesSpec& spec, const PointOrigin& origin);

}  // namespace tutti::studies
