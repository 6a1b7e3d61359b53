// SPDX-License-Identifier: BSD-3-Clause
// Common parts of the readers of TOML files. Input that toml++ cannot handle is rejected before
// parsing, and errors have their line and column, in bytes.
#pragma once

#include <toml++/toml.h>

#include "sim/base/common.hpp"
#include "sim/base/text_position.hpp"
#include "sim/studies/study_file.hpp"
#include "sim/studies/study_table.hpp"

namespace tutti::studies {

inline constexpr std::size_t longest_toml = 1 << 20;

// The text of a TOML file, and the places of its nodes.
class TomlText {
 public:
  // `text` and `path` must outlive this object. `path` is the place of errors; `source` is the
  // TextSpot::source of its spots.
  TomlText(const std::string& text, const std::string& path, std::size_t source = 0);

  // Errors: too long, not UTF-8, the first syntax error.
  Result<toml::table> parse() const;

  TextSpot spot_of(const toml::source_region& source) const;
  TextSpot spot_of(const toml::node& node) const { return spot_of(node.source()); }
  TextSpot spot_of(const toml::key& key) const { return spot_of(key.source()); }

  Error error_at(TextSpot spot, std::string message, std::string hint = "") const;

 private:
  std::optional<Error> unreadable() const;
  Error at_byte(std::size_t byte, std::string message, std::string hint = "") const;

  const std::string& text_;
  const std::string& path_;
  std::size_t source_;
  LineIndex lines_;
  bool is_ascii_;  // then columns in characters equal those in bytes
};

// Reads sections of a TOML file with known keys into variables, for files that `sim` writes itself.
class TomlKeys {
 protected:
  using Node = toml::node;
  using Read = std::function<void(const Node&)>;
  using Keys = std::map<std::string, Read, std::less<>>;

  // Both must outlive this object. `path` is the place of errors.
  TomlKeys(const std::string& text, const std::string& path) : text_(text, path), path_(path) {}

  void wrong(const Node& node, std::string message, std::string hint = "") {
    errors_.add(text_.error_at(text_.spot_of(node), std::move(message), std::move(hint)));
  }

  // Parses the file, whose key `format` must have this value; `what` describes the file and its
  // writer in errors.
  std::optional<toml::table> parse_root(std::string_view format, std::string_view what) {
    auto root = text_.parse();
    if (!root) {
      errors_.add(root.errors());
      return std::nullopt;
    }
    const auto* node = root->get("format");
    if (node != nullptr && node->value<std::string>() == format) return *std::move(root);
    errors_.add(make_error(ErrorKind::input, path_,
                           fmt::format("the file does not contain {}", what),
                           fmt::format("expected format = \"{}\" in its first line", format)));
    return std::nullopt;
  }

  // Keys that begin with '?' are optional.
  void read_keys(const toml::table& table, const Keys& keys, const Node& place) {
    std::vector<std::string> names;
    for (const auto& [name, read] : keys) names.push_back(name.substr(name[0] == '?'));
    for (const auto& [key, node] : table) {
      auto known = keys.find(key.str());
      if (known == keys.end()) known = keys.find(fmt::format("?{}", key.str()));
      if (known != keys.end())
        known->second(node);
      else
        errors_.add(text_.error_at(text_.spot_of(key),
                                   fmt::format("unknown key {}", in_quotes(key.str())),
                                   suggest_valid(key.str(), names)));
    }
    for (const auto& [name, read] : keys)
      if (name[0] != '?' && !table.contains(name))
        wrong(place, fmt::format("{} is missing", in_quotes(name)));
  }

  void section(const Node& node, const Keys& keys) {
    if (const auto* table = node.as_table())
      read_keys(*table, keys, node);
    else
      wrong(node, "must be a section");
  }

  static Read skip() {
    return [](const Node&) {};
  }
  Read text(std::string& into) {
    return [this, &into](const Node& node) {
      const auto value = node.value_exact<std::string>();
      if (!value) return wrong(node, "must be a text in quotes");
      into = *value;
    };
  }
  // A whole number of at least `least`.
  template <class Into>
  Read whole(Into& into, std::int64_t least) {
    return [this, &into, least](const Node& node) {
      const auto value = node.value_exact<std::int64_t>();
      constexpr std::int64_t most = std::int64_t{1} << 50;
      if (!value || *value < least || *value > most)
        return wrong(node, fmt::format("must be a whole number of at least {}", least));
      into = static_cast<decltype(+*value)>(*value);
    };
  }
  template <class Into>
  Read real(Into& into) {
    return [this, &into](const Node& node) {
      const auto value = node.value<double>();
      if (!value || !std::isfinite(*value))
        return wrong(node, "must be a number", value ? "inf and nan are not allowed" : "");
      into = *value;
    };
  }
  template <class ReadValue>
  void list(const Node& node, const ReadValue& read_value) {
    const auto* array = node.as_array();
    if (array == nullptr || array->empty()) return wrong(node, "must be a list of numbers");
    for (const auto& value : *array) read_value(value);
  }

  TomlText text_;
  const std::string& path_;
  ErrorList errors_;
};

// Common parts of the readers of studies: sections of a TOML file, and options with values in the
// syntax of the command line.
class TomlSections {
 protected:
  // All must outlive this object. `text` and `path` are the file's, `source` is the
  // TextSpot::source of its spots.
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
    wrong(spot_of(key), fmt::format("{} must be a section", in_quotes(key.str())),
          fmt::format("write [{}] above its keys", key.str()));
  }
  // `header` is the header if it is not just the key: "report.plot".
  template <class Read>
  void with_tables(const toml::key& key, const toml::node& node, const Read& read,
                   std::string_view header = {}) {
    const auto* array = node.as_array();
    if (array == nullptr || !array->is_homogeneous<toml::table>())
      return wrong(
          spot_of(key), fmt::format("{} must be a list of sections", in_quotes(key.str())),
          fmt::format("write [[{}]] above the keys of each", header.empty() ? key.str() : header));
    for (const auto& table : *array) read(*table.as_table());
  }
  void unknown_key(const toml::key& key, const std::vector<std::string>& names,
                   std::string_view section);

  // Returns the option of the key with its values, lists and ranges expanded. Adds errors, and
  // returns nothing, if the key or a value is invalid.
  std::optional<StudyAxis> read_axis(const toml::key& key, const toml::node& node,
                                     std::string_view section);
  // Adds the values of a node that is not the value of the option's key.
  void add_values(const StudyOption& option, const toml::node& node, StudyAxis& axis);

  TomlText text_;
  KnownOptions known_;
  ErrorList errors_;

 private:
  void add_value(const StudyOption& option, const toml::node& node, StudyAxis& axis);
  std::optional<std::string> value_text(const StudyOption& option, const toml::node& node);
};

// Values in the syntax of TOML.

// A text in quotes, with its escapes.
std::string toml_text(const std::string& text);
// The shortest number that reads back the same; a float has a point or an exponent.
std::string toml_number(double value);

}  // namespace tutti::studies
