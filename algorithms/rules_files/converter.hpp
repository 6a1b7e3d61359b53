// SPDX-License-Identifier: BSD-3-Clause
// The parts that the writers of `convert` share.
#pragma once

#include "algorithms/rules_files/conversion.hpp"

namespace tutti::algorithms::rules_files {

// Collects the rules of the other format, one cell at a time.
class Converter {
 public:
  Converter(const RulesFile& file, Format to, Conversion& conversion)
      : file_(file),
        to_(to),
        library_(format_facts(to).libraries.front()),
        conversion_(conversion) {}

  // The cells of the collective that the other format can express, with its algorithms; cells
  // without an algorithm are those of the library's own choice.
  struct Cell {
    Range procs;
    Range bytes;
    std::optional<SizeRule> rule;
  };
  std::vector<Cell> convert_cells(const CollectiveRules& collective, std::string_view scope);

  // Entries for a distribution of the ranks or with other conditions of NCCL.
  void omit_scopes(const CollectiveRules& collective);
  // A whole collective, or the rule of a cell; returns nothing.
  void omit_all(const CollectiveRules& collective, std::string_view why);
  std::nullopt_t omit_rule(const std::string& collective, const GridCell& cell,
                           std::string_view why);
  void omit(const std::string& collective, const GridCell& cell, std::string what,
            std::string_view why, int line);
  // Whether the library of the other format applies rules to the collective.
  bool takes(const CollectiveRules& collective);

 private:
  std::optional<SizeRule> translate(const std::string& collective, const GridCell& cell);
  std::optional<SizeRule> from_nccl(const std::string& collective, const GridCell& cell);
  std::optional<SizeRule> to_mpich(const std::string& collective, const GridCell& cell);
  std::optional<SizeRule> to_nccl(const std::string& collective, const GridCell& cell);

  const RulesFile& file_;
  Format to_;
  Library library_;
  Conversion& conversion_;
};
using Cells = std::vector<Converter::Cell>;

// A selection tree of MPICH 4.0 with the rules of the file before its own.
std::string mpich_text(const RulesFile& file, Converter& converter, std::size_t& written);

}  // namespace tutti::algorithms::rules_files
