// SPDX-License-Identifier: BSD-3-Clause
// How a row of results travels from a forked child to its parent.
#pragma once

#include "sim/base/cell.hpp"
#include "sim/studies/wire.hpp"

namespace tutti::studies::wire {

template <class Archive>
void write_cell(Archive& archive, const NamedCell& cell) {
  archive(cell.name);
  archive(cell.value.index());
  std::visit(
      [&](const auto& value) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(value)>, std::monostate>)
          archive(value);
      },
      cell.value);
}

template <class T>
void read_value(Reader& reader, Cell& cell) {
  T value{};
  reader(value);
  cell = std::move(value);
}

inline void read_cell(Reader& reader, NamedCell& cell) {
  std::size_t kind = 0;
  reader(cell.name);
  reader(kind);
  if (kind == 1) read_value<bool>(reader, cell.value);
  if (kind == 2) read_value<std::int64_t>(reader, cell.value);
  if (kind == 3) read_value<double>(reader, cell.value);
  if (kind == 4) read_value<std::string>(reader, cell.value);
}

inline constexpr struct {
  void operator()(Writer& writer, const Row& row) const {
    writer(row.size());
    for (const NamedCell& cell : row) write_cell(writer, cell);
  }
  void operator()(Reader& reader, Row& row) const {
    std::size_t count = 0;
    reader(count);
    while (row.size() < count && reader.good()) read_cell(reader, row.emplace_back());
  }
} row_fields;

}  // namespace tutti::studies::wire
