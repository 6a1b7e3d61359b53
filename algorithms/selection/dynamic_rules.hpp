// SPDX-License-Identifier: BSD-3-Clause
// Open MPI's files of dynamic rules (coll_tuned_dynamic_rules_filename), applied to calls: the
// classic format as Open MPI 4.1 reads it, its version 2 as 5.0 does, and JSON as 6 does. See
// algorithms/rules_files.
#pragma once

#include "algorithms/rules_files/rules_file.hpp"
#include "algorithms/selection/decision.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms::selection {

class DynamicRules {
 public:
  // `file` is the name for messages.
  DynamicRules(std::string_view text, std::string file);

  // Why Open MPI silently ignores the whole file and applies the fixed rules; nothing if it applies
  // the file.
  const std::optional<Error>& ignored() const { return ignored_; }
  // Rules that Open MPI or Tutti does not apply as written; a limited number.
  const std::vector<Error>& warnings() const { return warnings_; }
  const std::string& file() const { return file_; }
  // Whether some rule of the collective names an algorithm.
  bool decides(std::string_view collective) const;
  // The choice of the file; nothing if it leaves the choice to the fixed rules. It is an error if
  // the collective does not have the algorithm: Open MPI aborts the job with MPI_ERR_ARG.
  Result<std::optional<Choice>> choose(const Query& query) const;
  // The same error for rules that an inner call of another collective (Algorithm::made_of) might
  // use: rules of the collectives that Open MPI's algorithms call, and of `others`.
  std::optional<Error> wrong_inside(int procs, std::span<const std::string_view> others = {}) const;

 private:
  const rules_files::ProcsRules* find_procs(std::string_view collective, int procs) const;
  const rules_files::SizeRule* find(const Query& query) const;
  const Algorithm* algorithm_of(std::string_view collective, std::int64_t id) const;
  std::optional<Error> wrong_of(std::string_view collective, int procs) const;
  Error no_such_algorithm(std::string_view collective, const rules_files::SizeRule& rule) const;

  std::string file_;
  rules_files::RulesFile rules_;
  std::optional<Error> ignored_;
  std::vector<Error> warnings_;
};

}  // namespace tutti::algorithms::selection
