// SPDX-License-Identifier: BSD-3-Clause
// How the algorithm of a call is chosen if the call does not name one: by the MPI library, or by
// its user's settings.
#pragma once

#include "algorithms/selection/dynamic_rules.hpp"

namespace tutti::algorithms::selection {

struct Selection;

// A library between the program and MPI that replaces some calls with calls of other collectives.
// It does not see the inner calls of MPI's algorithms.
class Replacements {
 public:
  struct Found {
    const Algorithm* algorithm = nullptr;
    const Selection* inside = nullptr;  // selection for its inner calls
  };
  virtual ~Replacements() = default;
  // The replacement of a call; nothing if MPI runs the call.
  virtual std::optional<Found> find(const Query& query) const = 0;
  // The selection of MPI itself.
  virtual const Selection& of_mpi() const = 0;
};

// In order of precedence: the named algorithms, the file, the fixed rules.
struct Selection {
  std::string rule_set{default_rule_set()};               // one of rule_sets()
  std::shared_ptr<const DynamicRules> rules = {};         // null: no file
  std::map<std::string, Choice, std::less<>> named = {};  // by collective

  // Takes precedence over all of these; null: no library in front of MPI. Must outlive the
  // selection.
  const Replacements* replacements = nullptr;

  // MPI's choice. Every collective of the rule set has one; `wrong` returns the first error that
  // the file contains for the collectives.
  Choice choose(const Query& query) const;
  std::optional<Error> wrong(std::span<const std::string_view> collectives, int procs) const;
};

}  // namespace tutti::algorithms::selection
