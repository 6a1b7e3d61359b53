// SPDX-License-Identifier: BSD-3-Clause
// Open MPI 4.1's file of dynamic rules (coll_tuned_dynamic_rules_filename), read and obeyed as the
// library does, quirks included (coll_tuned_dynamic_file.c, coll_tuned_dynamic_rules.c):
//   * numbers between white space; '#' comments out the rest of a line; what is no number is
//     skipped; 0 and 0x in front mean octal and hexadecimal;
//   * number of collectives; of each: its id, number of communicator sizes; of each of those: size,
//     number of message sizes; of each of those: bytes, algorithm, fan-out, segment size;
//   * the search for a size ends at the first that is larger, and the one before applies; a smaller
//     communicator takes the first; so sizes must ascend; a negative message size is huge;
//   * the first message size must be 0, else the whole file is ignored, as if it were too short.
#pragma once

#include "algorithms/selection/decision.hpp"
#include "sim/base/common.hpp"

namespace tutti::algorithms::selection {

class DynamicRules {
 public:
  struct MessageRule {
    Bytes from_bytes = 0;
    std::int64_t algorithm = 0;  // Open MPI's id; 0: the fixed rules decide
    std::int64_t fanout = 0;
    Bytes segment_bytes = 0;
    int line = 0;
  };
  struct SizeRule {
    std::int64_t from_procs = 0;
    std::vector<MessageRule> messages;  // never empty
  };

  // `file` is used in messages.
  DynamicRules(std::string_view text, std::string file);

  // Why Open MPI ignores the whole file, silently, and the fixed rules hold; nothing: it is obeyed.
  const std::optional<Error>& ignored() const { return ignored_; }
  // What it says and the library does not do as it looks: sizes that do not ascend. A few.
  const std::vector<Error>& warnings() const { return warnings_; }
  const std::string& file() const { return file_; }
  // Some rule of the collective names an algorithm.
  bool decides(std::string_view collective) const;
  // The choice of the file; nothing where it leaves it to the fixed rules. An algorithm that the
  // collective does not have is an error: Open MPI ends the job with MPI_ERR_ARG.
  Result<std::optional<Choice>> choose(const Query& query) const;
  // The same error of a rule that a call inside another collective (Algorithm::made_of) might meet:
  // of those that Open MPI's algorithms call, and of `others`.
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
