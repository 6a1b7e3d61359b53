// SPDX-License-Identifier: BSD-3-Clause
// Who decides which algorithm a call gets that names none: an MPI library's own choice, and what
// its user has changed of it.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/selection/dynamic_rules.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms::selection {

// Which algorithms a version of Open MPI has (coll_tuned_*_decision.c of 3.1.0).

// Whether Open MPI 3.1 can be told to use it: it is among the ids of coll_tuned of that version.
bool is_in_ompi_31(const Algorithm& algorithm);

struct Selection;

// A library between the program and MPI that runs some calls by other collectives. It does not see
// the calls that MPI's algorithms make.
class Replacements {
 public:
  struct Found {
    const Algorithm* algorithm = nullptr;
    const Selection* inside = nullptr;  // of the calls that it makes
  };
  virtual ~Replacements() = default;
  // Nothing: MPI runs the call.
  virtual std::optional<Found> find(const Query& query) const = 0;
  // MPI's own.
  virtual const Selection& of_mpi() const = 0;
};

// Asked in this order: the algorithms named, the file, the fixed rules.
struct Selection {
  std::string rule_set = "ompi-4.1";                      // of rule_sets()
  std::shared_ptr<const DynamicRules> rules = {};         // null: there is no file
  std::map<std::string, Choice, std::less<>> named = {};  // by collective

  // Asked before all of these; null: nothing stands before MPI. Outlives the selection.
  const Replacements* replacements = nullptr;

  // What MPI chooses. Every collective of the rule set has a choice; what the file may say wrong
  // for the collective is in `wrong`.
  Choice choose(const Query& query) const;
  std::optional<Error> wrong(std::span<const std::string_view> collectives, int procs) const;
};

}  // namespace tutti::algorithms::selection
