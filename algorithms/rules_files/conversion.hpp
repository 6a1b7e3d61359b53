// SPDX-License-Identifier: BSD-3-Clause
// Writes the rules of a file in another format, and lists what that format cannot express.
#pragma once

#include "algorithms/rules_files/rules_file.hpp"
#include "sim/base/common.hpp"

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

// Formats that `convert` reads and writes.
bool is_convertible(Format format);

// `file` must not be discarded. `head`: comment lines, which JSON does not have.
Conversion convert(const RulesFile& file, Format to, const std::vector<std::string>& head);

// The rules of a collective as a grid without overlaps, ascending by processes, then by bytes: what
// the library does for each call. Rules of the scope only.
struct GridCell {
  Range procs;
  Range bytes;
  const SizeRule* rule = nullptr;  // null: the library's own choice
  const NcclConditions* nccl = nullptr;
};
std::vector<GridCell> grid_of(const CollectiveRules& collective, Format format,
                              std::string_view scope);

}  // namespace tutti::algorithms::rules_files
