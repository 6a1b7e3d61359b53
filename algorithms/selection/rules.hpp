// SPDX-License-Identifier: BSD-3-Clause
// Decision rules of rules/*.toml. Both of their forms (boxes of procs and bytes; ordered
// conditions) are represented in the same way: the first matching rule applies.
#pragma once

#include "algorithms/selection/decision.hpp"

namespace tutti::algorithms::selection {

template <class T>
struct Interval {
  T min = 0;
  T max = std::numeric_limits<T>::max();

  bool holds(T value) const { return min <= value && value <= max; }
};

// procs < (or >, >=) slope * bytes + intercept
struct Line {
  enum class Side { below, above, above_or_on } side = Side::below;
  double slope = 0;  // processes per byte
  double intercept = 0;
};

struct Rule {
  Interval<int> procs;
  Interval<Bytes> bytes;
  Interval<Bytes> elements;
  bool procs_power_of_two = false;  // false: not required
  bool procs_odd = false;
  bool procs_even = false;
  bool more_elements_than_procs = false;
  bool fewer_elements_than_pow2 = false;      // elements < the largest power of two <= procs
  bool equal_blocks = false;                  // all ranks' parts of the vector have the same size
  std::optional<Bytes> most_bytes_per_proc;   // bytes <= procs * this
  std::optional<Bytes> least_bytes_per_proc;  // bytes >= procs * this
  std::vector<Line> lines;

  int id = 0;
  std::string algorithm;
  Bytes segment_bytes = 0;
  int fanout = 0;

  // `query.message_bytes` must be the byte count that the table uses.
  bool holds(const Query& query) const;
};

// A table named COLLECTIVE_single_node or COLLECTIVE_disjoint is for ranks on one node, or on
// different nodes, and COLLECTIVE_on_nodes for several nodes with several ranks; the table for any
// distribution applies where it has no rule, or names "flat".
class RuleTable {
 public:
  // `text`: the section of the table in TOML, with its header. It is parsed when its rules are
  // first used, because most runs need few tables.
  RuleTable(std::string_view name, std::string_view text) : collective(name), text_(text) {}

  const std::vector<Rule>& rules() const { return content().rules; }
  // Whether rules use the size of all ranks' blocks, otherwise of one block.
  bool whole_result() const { return content().whole_result; }
  // Sets the fan-out of the rules that have one.
  void set_fanout(int fanout) { fanout_ = fanout; }
  // Replaces an algorithm in all rules: another version of the library changed it.
  void replace(std::string algorithm, std::string by) {
    replaced_.insert_or_assign(std::move(algorithm), std::move(by));
  }

  std::string collective;  // "allreduce", or "allreduce_noncommutative"

 private:
  struct Content {
    bool whole_result = false;
    std::vector<Rule> rules;
  };
  const Content& content() const;
  Content read() const;

  std::string_view text_;
  std::optional<int> fanout_;
  std::map<std::string, std::string> replaced_;
  mutable std::optional<Content> content_;  // unset until it is used
};

// A collective of coll/han, which takes precedence over the tables if there are several nodes and
// one of them has several ranks.
struct HanRule {
  std::string collective;
  std::string algorithm;
  Bytes segment_bytes = 0;
  bool balanced = false;     // requires as many ranks on every node
  bool commutative = false;  // requires a commutative operation

  bool holds(const Query& query) const;
};

// The rules of a version of a library. Its file declares all members, and its position in lists,
// of which the first set is that of `auto`; with `extends` it takes over the members of another set
// except the title and aliases.
struct RuleSet {
  std::string_view name;                  // "ompi-5.0"
  std::string title = {};                 // in reports: "Open MPI 5.0"
  std::vector<std::string> aliases = {};  // other names: "ompi"
  std::string component = {};             // the library's part that the tables describe: "tuned"
  // The set that this one extends, or that has its algorithms; null: none.
  const RuleSet* base = nullptr;
  // The last number of coll/tuned's algorithms of a collective, if there are fewer than in `base`.
  std::map<std::string, int, std::less<>> last_ids = {};
  std::vector<RuleTable> tables = {};
  std::vector<HanRule> han = {};

  const RuleTable* find_table(std::string_view collective) const;
};

// All rule sets, in the order of their positions. Not for several threads.
const std::deque<RuleSet>& all_rule_sets();
// The set with the name or alias; null if there is none.
const RuleSet* rule_set_named(std::string_view name);

}  // namespace tutti::algorithms::selection
