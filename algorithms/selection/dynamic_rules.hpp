// SPDX-License-Identifier: BSD-3-Clause
// Rules files of MPI libraries, applied to calls: Open MPI's dynamic rules
// (coll_tuned_dynamic_rules_filename), the classic format as 4.1 reads it, its version 2 as 5.0
// does, and JSON as 6 does; MPICH's selection tree as 4.0 searches it; NCCL's tuner CSV, for calls
// on GPUs. See algorithms/rules_files.
#pragma once

#include "algorithms/rules_files/rules_file.hpp"
#include "algorithms/selection/decision.hpp"
#include "algorithms/selection/nccl_tuner.hpp"

namespace tutti::algorithms::selection {

// "FILE:LINE:COLUMN: message: hint", for warnings.
std::string one_line(const Error& error);

// What a rule of coll/tuned does in a call that reaches it; nothing if it leaves the choice to the
// library. No algorithm: there is none with its number, and the job aborts.
std::optional<Choice> effect_of(std::string_view collective, const rules_files::SizeRule& rule,
                                rules_files::Library library);

class DynamicRules {
 public:
  // `file` is the name for messages.
  DynamicRules(std::string_view text, std::string file);

  // Why Open MPI silently ignores the whole file and applies the fixed rules; nothing if it applies
  // the file.
  const std::optional<Error>& ignored() const { return ignored_; }
  // Whether the library does not ignore such a file, but aborts.
  bool aborts() const { return ignored_ && rules_.format == rules_files::Format::mpich_json; }
  // The errors of the file, with their places; not empty if the library aborts.
  std::vector<Error> errors() const { return rules_.errors(file_); }
  // Rules that Open MPI or Tutti does not apply as written; a limited number.
  const std::vector<Error>& warnings() const { return warnings_; }
  const std::string& file() const { return file_; }
  // The version of the library that reads the format: "ompi-4.1", "mpich-4".
  std::string_view library() const { return rules_files::library_name(rules_.library); }
  // The rule set that decides what the file leaves undecided: that of the version that reads the
  // format, so that coll/han goes before coll/tuned where the file has no rule.
  std::string_view fixed_rules() const;
  // Whether it is a tuner CSV of NCCL. For MPI it is an ignored file.
  bool is_of_nccl() const { return is_of_nccl_; }
  // The first row for a call: `bytes` as NCCL counts (NcclTuner::predict). Nothing: NCCL chooses.
  std::optional<NcclRow> find_nccl_row(std::string_view collective, Bytes bytes, int nodes,
                                       int ranks) const;
  // Whether some rule is for a distribution of the ranks, which needs Query::nodes.
  bool depends_on_nodes() const;
  // Whether some rule of the collective names an algorithm.
  bool decides(std::string_view collective) const;
  // The choice of the file; nothing if it leaves the choice to the fixed rules. It is an error if
  // the collective does not have the algorithm: Open MPI aborts the job with MPI_ERR_ARG.
  Result<std::optional<Choice>> choose(const Query& query) const;
  // The same error for rules that an inner call of another collective (Algorithm::made_of) might
  // use: rules of the collectives that Open MPI's algorithms call, and of `others`.
  std::optional<Error> wrong_inside(int procs, std::span<const std::string_view> others = {}) const;

 private:
  const rules_files::ProcsRules* find_procs(const Query& query) const;
  std::optional<Choice> choose_in_tree(const Query& query) const;
  const rules_files::SizeRule* find(const Query& query) const;
  void add_warnings();
  std::optional<Error> wrong_of(std::string_view collective, int procs) const;
  Error no_such_algorithm(std::string_view collective, const rules_files::SizeRule& rule) const;

  std::string file_;
  rules_files::RulesFile rules_;
  bool is_of_nccl_ = false;
  std::optional<Error> ignored_;
  std::vector<Error> warnings_;
};

}  // namespace tutti::algorithms::selection
