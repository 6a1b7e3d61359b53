// SPDX-License-Identifier: BSD-3-Clause
// Writes the rules of a file in another format, and lists what that format cannot express.
#pragma once

#include "algorithms/rules_files/rules_file.hpp"

namespace tutti::algorithms::rules_files {

// Rules that the other format does not have; for them the library chooses by itself.
struct Omission {
  std::string collective;
  Range procs;
  Range bytes;
  std::string what;  // "algorithm chain"
  std::string why;
  int line = 0;  // of the rule that was read
};

struct Conversion {
  std::string text;
  std::vector<Omission> omissions;
  std::size_t rules = 0;  // written
};

// `file` must not be discarded, and must not be a tree of MPICH if `to` is. `head`: comment lines,
// which JSON does not have.
Conversion convert(const RulesFile& file, Format to, const std::vector<std::string>& head,
                   bool is_of_pair = false);

// The file for coll/han of a pair (selection::FilePair) from the text of the one for coll/tuned.
Conversion han_of_pair(std::string_view tuned_text, const std::vector<std::string>& head);

// A tree of MPICH as rules of Open MPI's algorithms, for operations that are built in, blocks of
// equal size, one rank per node and no MPI_IN_PLACE.
RulesFile convert_tree(const RulesFile& file, Library library, std::vector<Omission>& omissions);

// The rules of a collective as a grid without overlaps, ascending by processes, then by bytes: what
// the library does for each call. Rules of the scope only; communicators have 1 process at least.
struct GridCell {
  Range procs;
  Range bytes;
  const SizeRule* rule = nullptr;  // null: the library's own choice
  const NcclConditions* nccl = nullptr;
};
std::vector<GridCell> make_grid(const CollectiveRules& collective, Format format,
                                std::string_view scope);

}  // namespace tutti::algorithms::rules_files
