// SPDX-License-Identifier: BSD-3-Clause
// Open MPI 4.1's file of dynamic rules (coll_tuned_dynamic_rules_filename), read and applied as in
// Open MPI, including its quirks (coll_tuned_dynamic_file.c, coll_tuned_dynamic_rules.c):
//   * Numbers are separated by white space; '#' starts a comment; anything that is not a number is
//     skipped; the prefixes 0 and 0x mean octal and hexadecimal.
//   * Number of collectives; for each: its id and the number of communicator sizes; for each of
//     these: the size and the number of message sizes; for each of these: bytes, algorithm, fan-out
//     and segment size.
//   * The search for a size stops at the first larger entry, and the one before applies; a smaller
//     communicator uses the first. So sizes must ascend; a negative message size is huge.
//   * The first message size must be 0, otherwise the whole file is ignored, as if it were too
//   short.
#pragma once

#include "algorithms/selection/decision.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms::selection {

class DynamicRules {
 public:
  struct MessageRule {
    Bytes from_bytes = 0;
    std::int64_t algorithm = 0;  // Open MPI's id; 0: the fixed rules choose
    std::int64_t fanout = 0;
    Bytes segment_bytes = 0;
    int line = 0;
  };
  struct SizeRule {
    std::int64_t from_procs = 0;
    std::vector<MessageRule> messages;  // never empty
  };

  // `file` is the name for messages.
  DynamicRules(std::string_view text, std::string file);

  // Why Open MPI silently ignores the whole file and applies the fixed rules; nothing if it applies
  // the file.
  const std::optional<Error>& ignored() const { return ignored_; }
  // Rules that Open MPI does not apply as written, because sizes do not ascend; a limited number.
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
  class Parser;

  const SizeRule* find_size(std::string_view collective, int procs) const;
  const MessageRule* find(const Query& query) const;
  std::optional<Error> wrong_of(std::string_view collective, int procs) const;
  Error no_such_algorithm(std::string_view collective, const MessageRule& rule) const;

  std::string file_;
  std::map<std::string, std::vector<SizeRule>, std::less<>> sizes_of_;  // by collective
  std::optional<Error> ignored_;
  std::vector<Error> warnings_;
};

}  // namespace tutti::algorithms::selection
