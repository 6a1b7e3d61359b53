// SPDX-License-Identifier: BSD-3-Clause
// A document's table is its columns. Each is declared once: its name for programs, where its cells
// come from, and how people see it, if they do.
#pragma once

#include <iterator>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/base/optional_cell.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::reports {

// A row's cell: `get` is a member of the row, or a function of it. Rows may be pointers.
template <class Row, class Get>
Cell cell_from(const Row& row, const Get& get) {
  if constexpr (std::is_pointer_v<Row>)
    return cell_from(*row, get);
  else if constexpr (std::is_member_function_pointer_v<Get>)
    return cell_of((row.*get)());
  else if constexpr (std::is_member_object_pointer_v<Get>)
    return cell_of(row.*get);
  else
    return cell_of(get(row));
}

// For a column that people see only under a condition.
inline std::optional<ShownAs> shown_if(bool condition, ShownAs shown) {
  return condition ? std::optional(std::move(shown)) : std::nullopt;
}

// Rows of any type, kept as long as this is. A vector that is no temporary is only looked at.
template <class Rows>
class TableOf {
 public:
  // `head`: a table without columns and rows; its name is that of its part.
  explicit TableOf(Rows&& rows, DocumentTable head = {})
      : rows_(std::forward<Rows>(rows)), made_(std::move(head)) {
    made_.table.rows.resize(std::size(rows_));
  }

  // A column for programs alone.
  template <class Get>
  void add(std::string name, const Get& get) {
    auto row = made_.table.rows.begin();
    for (const auto& each : rows_) (row++)->push_back(cell_from(each, get));
    made_.table.columns.push_back(std::move(name));
  }
  // One that people see, too.
  template <class Get>
  void add(std::string name, ShownAs shown, const Get& get) {
    made_.shown.push_back({name, std::move(shown)});
    add(std::move(name), get);
  }
  // One that people see only where `shown` says how.
  template <class Get>
  void add(std::string name, std::optional<ShownAs> shown, const Get& get) {
    if (shown)
      add(std::move(name), *std::move(shown), get);
    else
      add(std::move(name), get);
  }
  // One that groups the rows: people see a blank line where its value changes, and its value above
  // the rows where it is not shown among the columns.
  template <class Get>
  void group(std::string name, const Get& get) {
    made_.group_by = name;
    add(std::move(name), get);
  }
  template <class Get>
  void group(std::string name, ShownAs shown, const Get& get) {
    made_.group_by = name;
    add(std::move(name), std::move(shown), get);
  }

  DocumentTable take() { return std::move(made_); }

 private:
  Rows rows_;
  DocumentTable made_;
};

template <class Rows>
explicit TableOf(Rows&&, DocumentTable = {}) -> TableOf<Rows>;

}  // namespace tutti::reports
