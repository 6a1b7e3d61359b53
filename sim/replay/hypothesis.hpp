// SPDX-License-Identifier: BSD-3-Clause
// A hypothesis: hypothetical changes to the traced program (SILAS thesis, chapter 4; the README of
// this folder has the definitions).
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies::replay {

// Upper limits of values in files and options; larger values are rejected.
inline constexpr double most_factor = 1e9;
inline constexpr double century_s = 100 * 365.25 * 24 * 3600;

// Names of regions may contain the wildcards * and ?.
struct Scale {
  std::string region;  // its exclusive time
  double factor = 1;
  std::string within = {};  // only inside this region, at any depth; empty: anywhere
  // Scales only what comes before, or after, the first call of `inner` in each instance.
  enum class Part : std::uint8_t { all, before, after } part = Part::all;
  std::string inner = {};
};

struct Balance {
  std::string region;  // its exclusive time
  enum class Mode : std::uint8_t {
    global_instance,  // the n-th instance of each rank gets the mean of all ranks' n-th
    process_local,    // each instance of a rank gets the mean of its instances
    global,           // each instance of all ranks gets the mean of all
    scaled            // one factor per rank, so that the ranks' sums are equal
  } mode = Mode::global_instance;
  std::string within = {};
  // Message sizes follow the load: the messages that a rank sends from the beginning of an instance
  // until that of the next one are scaled by the same factor as the instance.
  bool messages = false;
};

enum class Relation : std::uint8_t { equal, unequal, below, at_most, above, at_least };

struct Condition {
  Condition(std::uint64_t than, Relation how = Relation::equal)  // NOLINT: implicit
      : relation(how), value(than) {}
  Relation relation;
  std::uint64_t value;
  bool holds(std::uint64_t of) const;
  bool operator==(const Condition&) const = default;
};

// All given conditions must be true.
struct Cut {
  std::string region = {};  // with everything inside it; empty: cut messages
  std::optional<Condition> message_bytes = {};
  std::optional<Condition> message_tag = {};
  std::string within = {};

  bool cuts_message(std::uint64_t bytes, std::uint64_t tag) const {
    return (!message_bytes || message_bytes->holds(bytes)) &&
           (!message_tag || message_tag->holds(tag));
  }
};

// Replaces MPI calls by equivalent ones.
struct Replace {
  std::string call;  // MPI_Sendrecv; or MPI_Send, MPI_Ssend, MPI_Bsend, MPI_Recv
  enum class By : std::uint8_t {
    send_then_recv,
    recv_then_send,
    nonblocking
  } by = By::send_then_recv;
  // For a nonblocking call: its MPI_Wait comes right after the next end of this region on the rank,
  // at the latest before MPI_Finalize or at the end of the rank.
  std::string wait_after = {};
  std::string within = {};
};
// "MPI_Isend" for "MPI_Send"; empty if the call has no nonblocking form.
std::string nonblocking_name(std::string_view call);
// "MPI_Send+MPI_Recv", "MPI_Irecv".
std::string by_text(const Replace& replace);

struct Hypothesis {
  std::vector<Scale> scales = {};
  std::vector<Balance> balances = {};
  std::vector<Cut> cuts = {};
  std::vector<Replace> replaces = {};  // applied before everything else: replacement.hpp
  // Shorter pieces of computation are not changed: they are the cost of calling a function.
  double call_latency_s = 0;
  // Time of the caller that is removed together with a cut call; unset: learned (call_gap.hpp).
  // LogGP::call_gap_s has precedence.
  std::optional<double> call_gap_s = {};
  // Measurement overhead per event, which is subtracted from each piece of computation, down to 0.
  double perturbation_s = 0;
  std::vector<std::string> notes = {};  // sentences about settings in its file that have no effect

  // Scales, balances and cuts are the parts of a hypothesis, numbered in this order.
  std::size_t parts() const { return scales.size() + balances.size() + cuts.size(); }
  const Cut& cut(std::size_t part) const { return cuts[part - scales.size() - balances.size()]; }

  bool is_empty() const {
    return scales.empty() && balances.empty() && cuts.empty() && replaces.empty() &&
           perturbation_s <= 0;
  }
};

inline bool Condition::holds(std::uint64_t of) const {
  switch (relation) {
    case Relation::equal:
      return of == value;
    case Relation::unequal:
      return of != value;
    case Relation::below:
      return of < value;
    case Relation::at_most:
      return of <= value;
    case Relation::above:
      return of > value;
    case Relation::at_least:
      return of >= value;
  }
  return false;
}

// Words that both grammars of hypothesis files share.

// Indexed by Balance::Mode and Relation.
inline constexpr std::array<std::string_view, 4> balance_modes = {
    "global-instance", "process-local", "global", "scaled"};
inline constexpr std::array<std::string_view, 6> relations = {"==", "!=", "<", "<=", ">", ">="};

// The relation at the beginning of a text (`equal` if there is none), and the rest without leading
// blanks.
std::pair<Relation, std::string_view> relation_before(std::string_view text);

// An error, located in `path`, if the hypothesis has more parts than a replay can distinguish.
std::optional<Error> too_many_parts(const Hypothesis& hypothesis, const std::string& path);

}  // namespace tutti::studies::replay
