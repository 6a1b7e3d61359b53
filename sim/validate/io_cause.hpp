// SPDX-License-Identifier: BSD-3-Clause
// What limits a simulated shuffle, and why its time moves otherwise than the model's, as far as the
// columns of its record tell.
//
// Does the analytic model of collective I/O move the way the simulation does? Neighbouring points
// are compared as S. Jha's dissertation compares its model with measurements (section 5.3, Tables
// 5.3 to 5.5): of three parameters one changes, the others stay.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/studies/io_sweep.hpp"
#include "sim/studies/study_point.hpp"

namespace tutti::studies {

// The dissertation's numbers of its cases.
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
  match,      // both grow, or both shrink
  mismatch,   // one grows, the other shrinks
  no_change,  // neither changes
  only_simulated,
  only_model,
};
const char* name_of(Agreement agreement);

// Of relative changes: 0.1 is 10 % more. Those below `least` in size count as no change, and so
// does 0.
Agreement agreement_of(double simulated_change, double model_change, double least);

struct TendencyPair {
  TendencyCase varied{};
  std::size_t from = 0;  // of the points; the one with the smaller value
  std::size_t to = 0;
  double simulated_change = 0;
  double model_change = 0;
  Agreement agreement{};
};

// Of each case, model and values of the other two parameters: the points in the order of the
// parameter that varies, each with the next one. Ordered by case, then by model and parameters.
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
  // Nothing to compare: no rate.
  bool has_rate() const { return match + mismatch > 0; }
  // Of the pairs in which both change.
  double rate() const { return static_cast<double>(match) / static_cast<double>(match + mismatch); }
};

// A row for each case and each of the models, in this order.
std::vector<TendencyCount> count_tendencies(std::span<const TendencyPoint> points,
                                            std::span<const TendencyPair> pairs,
                                            std::span<const std::string> models);

// What is busy for the largest part of the time.
struct Bottleneck {
  enum class Kind : unsigned char {
    none,            // nothing is known of it
    sending_nics,    // of the nodes that send in a cycle, on average
    sending_cores,   // of the processes that send in a cycle, by the model's n_s and n_r
    receiving_nics,  // of the nodes that receive in a cycle
    core,            // of one rank
    cable            // one link of the network
  } kind = Kind::none;
  std::string link = {};  // of core and cable
  double busy = 0;        // part of the time, at most 1

  bool is_sender() const { return kind == Kind::sending_nics || kind == Kind::sending_cores; }
};
// "cards of the sending nodes", "crill_link_2_UP".
std::string text_of(const Bottleneck& bottleneck);

// What a card of a node and a core of a rank move; cards of all nodes are taken for equal.
struct ShuffleRates {
  double nic_Bps = 0;  // 0: not known
  double core_Bps = 0;
};
ShuffleRates shuffle_rates(const platforms::Machine& machine);

// Of a point.
struct ShuffleFacts {
  bool is_even = true;
  std::int64_t procs = 0;
  std::int64_t aggregators = 0;
  double own_part = 0;       // of the bytes, those that stay on their rank
  double leaving_part = 0;   // those that leave their node
  double sending_nodes = 0;  // in a cycle
  double receiving_nodes = 0;
  // Bytes that the model's whole numbers of cycles and messages charge, over those that there are.
  double charged_send = 1;
  double charged_recv = 1;
  Seconds model_send_s = 0;
  Seconds model_recv_s = 0;
  Bottleneck bottleneck;

  // The model's time if it charged what there is.
  Seconds uncharged_s() const { return model_send_s / charged_send + model_recv_s / charged_recv; }
};
ShuffleFacts shuffle_facts(const Row& record, const ShuffleRates& rates);

enum class Cause : unsigned char {
  senders,   // at both points those that send are the limit: the model gives it by the aggregators
  rounding,  // without its ceilings the model moves as the simulation does
  limit,     // at one point cards or cables are the limit, at the other cores
  nics,      // at both points cards or cables of nodes are the limit: it matters who shares one
  borders,   // at one point file domains end where ranks' data end, at the other within them
  stays,     // of the data another part stays on its rank or node: the model charges all of it
  unknown,
};
constexpr Cause all_causes[] = {Cause::senders, Cause::rounding, Cause::limit,  Cause::nics,
                                Cause::borders, Cause::stays,    Cause::unknown};
const char* name_of(Cause cause);
// A sentence, for people.
const char* explain(Cause cause);

// The first that applies, in the order of the list.
Cause cause_of(const TendencyPair& pair, const ShuffleFacts& from, const ShuffleFacts& to,
               double least_change);

// The points that are compared.

// The dissertation's processes and domains, and three sizes of data, as writes by engine `flow`.
IoSweep usual_io_cases();
struct IoCasesSpec {
  IoSweep sweep = usual_io_cases();       // no buffers: those of the dissertation
  std::vector<std::int64_t> aggregators;  // as far as there are processes; empty: 1, 2, 4, ...
};
// Errors name options.
Result<std::vector<StudyPoint>> io_cases(const IoCasesSpec& spec, const PointOrigin& origin);

}  // namespace tutti::studies
