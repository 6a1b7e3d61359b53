// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/cell.hpp"

#include <fmt/format.h>

namespace tutti {

std::string to_text(const Cell& cell) {
  struct {
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
    std::string operator()(double number) const { return fmt::format("{}", number); }
    std::string operator()(const std::string& text) const { return text; }
  } visitor;
  return std::visit(visitor, cell);
}

std::optional<double> number_of(const Cell& cell) {
  if (const auto* integer = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*integer);
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  return std::nullopt;
}

Cell cell_in(const Row& row, std::string_view name) {
  for (const NamedCell& cell : row)
    if (cell.name == name) return cell.value;
  return {};
}

}  // namespace tutti
