// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/toml_writing.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <sstream>

namespace tutti::studies {

std::string toml_text(const std::string& text) {
  const toml::value<std::string> value(text);
  std::ostringstream out;
  out << toml::toml_formatter(value, toml::format_flags::none);
  return std::move(out).str();
}

std::string toml_number(double value) {
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".eni") == text.npos ? text + ".0" : text;
}

}  // namespace tutti::studies
