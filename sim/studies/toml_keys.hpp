// SPDX-License-Identifier: BSD-3-Clause
// Sections of a TOML file with known keys, each read into a variable: for files that `sim` writes
// for itself.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"
#include "sim/studies/toml_reading.hpp"

namespace tutti::studies {

class TomlKeys {
 protected:
  using Node = toml::node;
  using Read = std::function<void(const Node&)>;
  using Keys = std::map<std::string, Read, std::less<>>;

  // Both outlive it. `path` is the place of errors.
  TomlKeys(const std::string& text, const std::string& path) : text_(text, path), path_(path) {}

  void wrong(const Node& node, std::string message, std::string hint = "") {
    errors_.add(text_.error_at(text_.spot_of(node), std::move(message), std::move(hint)));
  }

  // The whole file, whose key `format` must be this; `what` says what it is and who writes it.
  std::optional<toml::table> root_of(std::string_view format, std::string_view what) {
    auto root = text_.parse();
    if (!root) {
      errors_.add(root.errors());
      return std::nullopt;
    }
    const auto* node = root->get("format");
    if (node != nullptr && node->value<std::string>() == format) return *std::move(root);
    errors_.add(make_error(ErrorKind::input, path_, fmt::format("these are no {}", what),
                           fmt::format("such a file begins with format = \"{}\"", format)));
    return std::nullopt;
  }

  // Keys that begin with '?' may be missing.
  void read_keys(const toml::table& table, const Keys& keys, const Node& place) {
    std::vector<std::string> names;
    for (const auto& [name, read] : keys) names.push_back(name.substr(name[0] == '?'));
    for (const auto& [key, node] : table) {
      auto found = keys.find(key.str());
      if (found == keys.end()) found = keys.find(fmt::format("?{}", key.str()));
      if (found != keys.end())
        found->second(node);
      else
        errors_.add(
            text_.error_at(text_.spot_of(key), fmt::format("unknown key {}", in_quotes(key.str())),
                           did_you_mean(std::string(key.str()), names,
                                        fmt::format("there are: {}", fmt::join(names, ", ")))));
    }
    for (const auto& [name, read] : keys)
      if (name[0] != '?' && !table.contains(name))
        wrong(place, fmt::format("{} is missing", in_quotes(name)));
  }

  void section(const Node& node, const Keys& keys) {
    if (const auto* table = node.as_table())
      read_keys(*table, keys, node);
    else
      wrong(node, "is a section");
  }

  static Read skip() {
    return [](const Node&) {};
  }
  Read text(std::string& into) {
    return [this, &into](const Node& node) {
      const auto value = node.value_exact<std::string>();
      if (!value) return wrong(node, "is a text in quotes");
      into = *value;
    };
  }
  // A whole number from `least` on.
  template <class Into>
  Read whole(Into& into, std::int64_t least) {
    return [this, &into, least](const Node& node) {
      const auto value = node.value_exact<std::int64_t>();
      constexpr std::int64_t most = std::int64_t{1} << 50;
      if (!value || *value < least || *value > most)
        return wrong(node, fmt::format("is a whole number from {} on", least));
      into = static_cast<decltype(+*value)>(*value);
    };
  }
  template <class Into>
  Read real(Into& into) {
    return [this, &into](const Node& node) {
      const auto value = node.value<double>();
      if (!value || !std::isfinite(*value))
        return wrong(node, "is a number", value ? "inf and nan are none" : "");
      into = *value;
    };
  }
  template <class Each>
  void list(const Node& node, const Each& each) {
    const auto* array = node.as_array();
    if (array == nullptr || array->empty()) return wrong(node, "is a list of numbers");
    for (const auto& value : *array) each(value);
  }

  TomlText text_;
  const std::string& path_;
  ErrorList errors_;
};

}  // namespace tutti::studies
