// SPDX-License-Identifier: BSD-3-Clause
// What would be changed in the program that was traced (thesis of SILAS, chapter 4; facts and
// definitions in this folder's README).
#pragma once

#include "sim/base/common.hpp"

namespace tutti::studies::replay {

// What files and options may say: above, it is a mistake.
inline constexpr double most_factor = 1e9;
inline constexpr double century_s = 100 * 365.25 * 24 * 3600;

// Names of regions may have * and ?, as files in a shell.
struct Scale {
  std::string region;  // its exclusive time
  double factor = 1;
  std::string within = {};  // only inside this one, however deep; empty: anywhere
  // Only what comes before, or after, the first call of `inner` in each instance.
  enum class Part : std::uint8_t { all, before, after } part = Part::all;
  std::string inner = {};
};

struct Balance {
  std::string region;  // its exclusive time
  enum class Mode : std::uint8_t {
    global_instance,  // the n-th instance of each rank gets the mean of all ranks' n-th
    process_local,    // each instance of a rank gets the mean of its instances
    global,           // each instance of all ranks gets the mean of all
    scaled            // the instances of a rank by one factor, so that all ranks' sums are equal
  } mode = Mode::global_instance;
  std::string within = {};
  // Messages follow the load: those that a rank sends from the begin of an instance on, to the next
  // one, are longer and shorter as the instance is.
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

// What is given must hold, all of it.
struct Cut {
  std::string region = {};  // with all that is inside; empty: messages
  std::optional<Condition> message_bytes = {};
  std::optional<Condition> message_tag = {};
  std::string within = {};
};

// Calls of MPI that do the same in another way.
struct Replace {
  std::string call;  // MPI_Sendrecv; or MPI_Send, MPI_Ssend, MPI_Bsend, MPI_Recv
  enum class By : std::uint8_t {
    send_then_recv,
    recv_then_send,
    nonblocking
  } by = By::send_then_recv;
  // Of the non-blocking form: its MPI_Wait comes right after the next end of this region on the
  // rank; at the latest before MPI_Finalize, or at the rank's end.
  std::string wait_after = {};
  std::string within = {};
};
// "MPI_Isend" for "MPI_Send"; empty: there is none.
std::string nonblocking_name(std::string_view call);
// "MPI_Send+MPI_Recv", "MPI_Irecv".
std::string by_text(const Replace& replace);

struct Hypothesis {
  std::vector<Scale> scales = {};
  std::vector<Balance> balances = {};
  std::vector<Cut> cuts = {};
  std::vector<Replace> replaces = {};  // done before all else: replacement.hpp
  // Pieces of computation that are shorter stay as they are: what calling a function costs.
  double call_latency_s = 0;
  // Of the caller's time, what goes with a call that is cut. LogGP's own counts where it has one.
  double call_gap_s = 0;
  // What measuring costs by event: of each piece of computation as much goes, or all of it.
  double perturbation_s = 0;
  std::vector<std::string> notes = {};  // what its file says without any effect: sentences

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

// Words that files of hypotheses have in common, whatever their grammar.

// As Balance::Mode and Relation number them.
inline constexpr std::array<std::string_view, 4> balance_modes = {
    "global-instance", "process-local", "global", "scaled"};
inline constexpr std::array<std::string_view, 6> relations = {"==", "!=", "<", "<=", ">", ">="};

// The relation that a text begins with, equal if there is none, and the rest without blanks before.
std::pair<Relation, std::string_view> relation_before(std::string_view text);

// More than can be told apart in a replay. `path`: the place of the error.
std::optional<Error> too_many_parts(const Hypothesis& hypothesis, const std::string& path);

}  // namespace tutti::studies::replay
