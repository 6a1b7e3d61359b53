// SPDX-License-Identifier: BSD-3-Clause
// A cell as JSON: no value is null.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/base/cell.hpp"

namespace tutti::reports {

inline nlohmann::ordered_json cell_json(const Cell& cell) {
  struct {
    using Json = nlohmann::ordered_json;
    Json operator()(std::monostate) const { return nullptr; }
    Json operator()(bool value) const { return value; }
    Json operator()(std::int64_t number) const { return number; }
    Json operator()(double number) const { return number; }
    Json operator()(const std::string& text) const { return text; }
  } visitor;
  return std::visit(visitor, cell);
}

}  // namespace tutti::reports
