// SPDX-License-Identifier: BSD-3-Clause
// What readers of studies share: sections of a TOML file, and options with their values as a
// command line has them.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/studies/study_file.hpp"
#include "sim/studies/study_values.hpp"
#include "sim/studies/toml_reading.hpp"

namespace tutti::studies {

class TomlSections {
 protected:
  // All outlive it. `text` and `path` are the file's, `source` is that of its spots.
  TomlSections(const std::string& text, const std::string& path,
               const std::vector<StudyOption>& options, std::size_t source = 0)
      : text_(text, path, source), known_(options) {}

  void wrong(TextSpot spot, std::string message, std::string hint = "") {
    errors_.add(text_.error_at(spot, std::move(message), std::move(hint)));
  }
  template <class Node>
  TextSpot spot_of(const Node& node) const {
    return text_.spot_of(node);
  }

  template <class Read>
  void with_table(const toml::key& key, const toml::node& node, const Read& read) {
    if (const auto* table = node.as_table()) return read(*table);
    wrong(spot_of(key), fmt::format("{} is a section", in_quotes(key.str())),
          fmt::format("write [{}] above its keys", key.str()));
  }
  // `header`: as it is written, where that is not the key alone: "report.plot".
  template <class Read>
  void with_tables(const toml::key& key, const toml::node& node, const Read& read,
                   std::string_view header = {}) {
    const auto* array = node.as_array();
    if (array == nullptr || !array->is_homogeneous<toml::table>())
      return wrong(
          spot_of(key), fmt::format("{} is a list of sections", in_quotes(key.str())),
          fmt::format("write [[{}]] above the keys of each", header.empty() ? key.str() : header));
    for (const auto& each : *array) read(*each.as_table());
  }
  void unknown_key(const toml::key& key, const std::vector<std::string>& names,
                   std::string_view section);

  // An option with its values, lists and ranges expanded.
  std::optional<StudyAxis> axis_of(const toml::key& key, const toml::node& node,
                                   std::string_view section);
  // The same of a value that does not stand behind the option's name.
  void add_values(const StudyOption& option, const toml::node& node, StudyAxis& axis);

  TomlText text_;
  KnownOptions known_;
  ErrorList errors_;

 private:
  void add_value(const StudyOption& option, const toml::node& node, StudyAxis& axis);
  std::optional<std::string> text_of(const StudyOption& option, const toml::node& node);
};

}  // namespace tutti::studies
