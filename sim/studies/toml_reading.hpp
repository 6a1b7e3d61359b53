// SPDX-License-Identifier: BSD-3-Clause
// What readers of TOML files share: what toml++ must not see is refused before, and errors have the
// line and the column, in bytes, of what they are about.
#pragma once

#include <toml++/toml.h>

#include <optional>
#include <string>

#include "sim/base/error_list.hpp"
#include "sim/base/text_position.hpp"
#include "sim/base/text_spot.hpp"

namespace tutti::studies {

inline constexpr std::size_t longest_toml = 1 << 20;

class TomlText {
 public:
  // Both outlive it. `path` is the place of errors; `source` is that of its spots.
  TomlText(const std::string& text, const std::string& path, std::size_t source = 0);

  // Errors: too long, no UTF-8, TOML's syntax, of which the first is known.
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
  bool is_ascii_;  // columns in characters are those in bytes
};

}  // namespace tutti::studies
