// SPDX-License-Identifier: BSD-3-Clause
// MPICH's selection tree, read and searched as csel.c of MPICH 4.0.2 does: of the branches of a
// level the first one whose condition is true is taken, and never left again. A level with an
// algorithm is this algorithm.
#pragma once

#include "algorithms/collective.hpp"
#include "algorithms/rules_files/json_text.hpp"

namespace tutti::algorithms::selection {
struct Query;
}

namespace tutti::algorithms::rules_files {

// Key, operator and value of a condition: "comm_size", "<=", "8".
struct MpichCondition {
  std::string key;
  std::string sign;  // "=", "<=", "<"; empty: none
  std::string value;

  bool is_any() const { return value == "any"; }
  // The largest value for which it is true; nothing if the condition is not a limit. MPICH converts
  // numbers by atoi: "64K" is 64.
  std::optional<std::int64_t> limit() const;
};
// atoi of glibc: 32 bits of a number of 64 bits.
std::int64_t mpich_number(std::string_view text);
// MPICH ignores blanks.
MpichCondition mpich_condition(std::string_view written);

// The algorithm at the end of a search.
struct MpichLeaf {
  std::string name;                      // "MPIR_Bcast_intra_tree"; a composition of a device
  bool is_composition = false;           // of a device
  const Algorithm* algorithm = nullptr;  // null: Tutti does not have it
  int radix = 0;                         // k; 0: the default
  Bytes chunk_bytes = 0;                 // 0: the default
  int line = 0;
};

struct MpichBranch {
  MpichCondition condition;
  std::vector<MpichBranch> branches = {};
  std::optional<MpichLeaf> leaf = {};  // instead of branches

  // If the condition is a limit, it belongs to a run: adjacent branches whose conditions are limits
  // of the same key. The largest limits of the run up to here let a search skip most branches.
  bool is_limit = false;
  std::int64_t largest = 0;
  std::int64_t largest_below_call = 0;  // where csel.c compares differently
  std::size_t run_end = 0;              // the index after the last branch of the run
};

class MpichTree {
 public:
  explicit MpichTree(const JsonValue& root);

  // Null: the tree has no algorithm for the call, or MPICH aborts.
  const MpichLeaf* find(const selection::Query& query) const;
  bool has(std::string_view collective) const;
  // Whether a condition is about the nodes of the ranks.
  bool depends_on_nodes() const;
  // The branches of a collective, below its condition; empty if there are none.
  std::span<const MpichBranch> collective_branches(std::string_view collective) const;

  // Adds the limits of message sizes that calls with all properties of `call` but the size may
  // meet: those of the average size, and of the total size.
  void add_size_limits(const selection::Query& call, std::set<std::int64_t>& average,
                       std::set<std::int64_t>& total) const;

 private:
  std::vector<MpichBranch> branches_;
};

// The sizes that conditions compare, as csel.c computes them.
Bytes mpich_average_bytes(const selection::Query& query);
Bytes mpich_total_bytes(const selection::Query& query);

}  // namespace tutti::algorithms::rules_files
