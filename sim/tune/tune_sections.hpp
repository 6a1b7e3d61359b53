// SPDX-License-Identifier: BSD-3-Clause
// What readers of tuning's files share: single values, and a workload with its options.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/studies/toml_sections.hpp"
#include "sim/tune/tune_file.hpp"

namespace tutti::studies::tuning {

class TuneSections : protected TomlSections {
 protected:
  using TomlSections::TomlSections;

  // What a workload has beside the options of `sim run`.
  struct OwnKeys {
    std::string_view section;  // "[[objective]]"
    std::string_view weight;   // "weight", "count"
    bool has_stage = false;
  };
  TuneObjective objective_of(const toml::table& table, const OwnKeys& own);

  void read_text(const toml::node& node, std::string& into);
  // A number above 0, neither tiny nor huge.
  void read_positive(const toml::node& node, double& into);
  bool read_whole(const toml::node& node, std::int64_t& into, std::int64_t least,
                  std::int64_t most);
  // A part from 0 to 1: "5%" or 0.05.
  void read_part(const toml::node& node, double& into);

 private:
  void check_product(const TuneObjective& objective);
};

}  // namespace tutti::studies::tuning
