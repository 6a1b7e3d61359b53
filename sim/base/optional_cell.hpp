// SPDX-License-Identifier: BSD-3-Clause
// Cells of what C++ has: numbers of any type, texts, and what may be missing.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include "sim/base/cell.hpp"

namespace tutti {

inline Cell cell_of(Cell cell) { return cell; }
inline Cell cell_of(std::floating_point auto number) { return static_cast<double>(number); }
inline Cell cell_of(std::integral auto number) { return static_cast<std::int64_t>(number); }
inline Cell cell_of(bool flag) { return flag; }
inline Cell cell_of(const std::string& text) { return text; }
inline Cell cell_of(std::string_view text) { return std::string(text); }
inline Cell cell_of(const char* text) { return std::string(text); }
// No value where there is none.
template <class T>
Cell cell_of(const std::optional<T>& value) {
  return value ? cell_of(*value) : Cell{};
}

// No value where the text is empty.
inline Cell text_cell(std::string_view text) { return text.empty() ? Cell{} : cell_of(text); }
// No value where the number is 0 or below.
inline Cell positive_cell(std::int64_t number) { return number > 0 ? Cell{number} : Cell{}; }
// No value where the whole is 0 or below.
inline Cell ratio_cell(auto part, auto whole) {
  return whole > 0 ? Cell{static_cast<double>(part) / static_cast<double>(whole)} : Cell{};
}

}  // namespace tutti
