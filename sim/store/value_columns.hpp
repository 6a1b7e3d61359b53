// SPDX-License-Identifier: BSD-3-Clause
// The columns of `points` that hold values: they come as values of a new name do. The type is that
// of the first value; a column that gets one of another type loses its type, so that none is
// changed by what SQLite calls affinity.
#pragma once

#include <string>
#include <vector>

#include "sim/store/database.hpp"

namespace tutti::store {

enum class ColumnType : unsigned char { boolean, integer, real, text, any };

struct ValueColumn {
  std::string name;
  ColumnType type;
};

// Ordered by name.
std::vector<ValueColumn> load_columns(const Database& database);

// Makes the columns that the values need; true if there was something to do. Values: no empty ones.
bool make_room(const Database& database, const std::vector<ValueColumn>& columns,
               const Row& values);

void bind_cell(Statement& statement, int index, ColumnType type, const Cell& cell);
// What `bind_cell` stored; `into` keeps its memory.
void read_cell(const Statement& statement, int column, ColumnType type, Cell& into);

}  // namespace tutti::store
