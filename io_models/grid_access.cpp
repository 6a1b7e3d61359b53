// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/grid_access.hpp"

#include <algorithm>
#include <optional>

namespace tutti::io_models {
namespace {

std::vector<Extent> dealt_out(Bytes total, int parts) {
  std::vector<Extent> spans;
  Bytes begin = 0;
  for (int i = 0; i < parts; ++i) {
    const Bytes bytes = total / parts + (i < total % parts ? 1 : 0);
    spans.push_back({begin, begin + bytes});
    begin += bytes;
  }
  return spans;
}

std::vector<Extent> tiled(int parts, Bytes bytes, Bytes overlap) {
  std::vector<Extent> spans;
  for (Bytes i = 0; i < parts; ++i)
    spans.push_back({i * (bytes - overlap), i * (bytes - overlap) + bytes});
  return spans;
}

Bytes gap_of(const std::vector<Extent>& spans) {
  return spans.size() < 2 ? 0 : spans[1].begin - spans[0].end;
}

// The first place from `from` on that lies in one of the spans.
std::optional<Bytes> next_in(const std::vector<Extent>& spans, Bytes from) {
  auto span = std::partition_point(spans.begin(), spans.end(),
                                   [&](const Extent& each) { return each.end <= from; });
  while (span != spans.end() && span->empty()) ++span;
  return span == spans.end() ? std::nullopt : std::optional(std::max(from, span->begin));
}

// The spans that share something with [begin, end), as indices from `first` to before `last`.
struct Touched {
  std::size_t first = 0;
  std::size_t last = 0;
};
Touched touched(const std::vector<Extent>& spans, Bytes begin, Bytes end) {
  const auto first = std::partition_point(spans.begin(), spans.end(),
                                          [&](const Extent& each) { return each.end <= begin; });
  const auto last = std::partition_point(first, spans.end(),
                                         [&](const Extent& each) { return each.begin < end; });
  return {static_cast<std::size_t>(first - spans.begin()),
          static_cast<std::size_t>(last - spans.begin())};
}

}  // namespace

Grid squarest_grid(int procs) {
  int columns = 1;
  for (int i = 1; i <= procs / i; ++i)
    if (procs % i == 0) columns = i;
  return {procs / columns, columns};
}

GridAccess::GridAccess(Spans rows, Spans columns)
    : rows_(std::move(rows)),
      columns_(std::move(columns)),
      width_(columns_.back().end),
      row_gaps_(gap_of(rows_)),
      column_gaps_(gap_of(columns_)) {}

GridAccess GridAccess::blocks(Grid grid, Bytes rows, Bytes columns) {
  return {dealt_out(rows, grid.rows), dealt_out(columns, grid.columns)};
}

GridAccess GridAccess::tiles(Grid grid, const Tiles& tiles) {
  return {tiled(grid.rows, tiles.rows, tiles.row_overlap),
          tiled(grid.columns, tiles.columns, tiles.column_overlap)};
}

Extent GridAccess::range() const {
  const Bytes rows = rows_.back().end;
  return rows == 0 || width_ == 0 ? Extent{} : Extent{0, rows * width_};
}

Bytes GridAccess::bytes_below(RankId rank, Bytes offset) const {
  if (offset <= 0 || width_ == 0) return 0;
  const Extent& rows = rows_of(rank);
  const Extent& columns = columns_of(rank);
  const Bytes row = offset / width_;
  const Bytes full = std::clamp<Bytes>(row - rows.begin, 0, rows.bytes()) * columns.bytes();
  const bool cuts = row >= rows.begin && row < rows.end;
  return full + (cuts ? std::clamp<Bytes>(offset % width_ - columns.begin, 0, columns.bytes()) : 0);
}

std::int64_t GridAccess::pieces_in(RankId rank, Extent extent) const {
  const Bytes bytes = bytes_in(rank, extent);
  const Extent& columns = columns_of(rank);
  if (bytes == 0) return 0;
  if (columns.bytes() == width_) return 1;
  // The first one may be cut on the left, the last one on the right.
  const Bytes before = bytes_below(rank, extent.begin);
  return (before + bytes - 1) / columns.bytes() - before / columns.bytes() + 1;
}

void GridAccess::pieces(RankId rank, Extent extent, std::vector<Extent>& out) const {
  const Extent& rows = rows_of(rank);
  const Extent& columns = columns_of(rank);
  if (extent.empty() || columns.empty()) return;
  if (columns.bytes() == width_) {
    const Extent whole{std::max(extent.begin, rows.begin * width_),
                       std::min(extent.end, rows.end * width_)};
    if (!whole.empty()) out.push_back(whole);
    return;
  }
  const Bytes last = std::min(rows.end, (extent.end - 1) / width_ + 1);
  for (Bytes row = std::max(rows.begin, extent.begin / width_); row < last; ++row) {
    const Extent piece{std::max(extent.begin, row * width_ + columns.begin),
                       std::min(extent.end, row * width_ + columns.end)};
    if (!piece.empty()) out.push_back(piece);
  }
}

Bytes GridAccess::next_data(Bytes offset) const {
  if (offset >= range().end) return range().end;
  Bytes row = offset / width_;
  std::optional<Bytes> column = next_in(columns_, offset % width_);
  const std::optional<Bytes> begun = next_in(rows_, row);
  if (begun != row || !column) {  // in a row behind
    column = next_in(columns_, 0);
    row = next_in(rows_, begun == row ? row + 1 : row).value_or(rows_.back().end);
  }
  if (row >= rows_.back().end || !column) return range().end;
  return row * width_ + *column;
}

void GridAccess::ranks_in(Extent extent, std::vector<RankId>& out) const {
  if (extent.empty() || width_ == 0) return;
  const Bytes first_row = extent.begin / width_;
  const Bytes last_row = (extent.end - 1) / width_;
  const Touched rows = touched(rows_, first_row, last_row + 1);
  Touched columns{0, columns_.size()};
  if (first_row == last_row)
    columns = touched(columns_, extent.begin % width_, (extent.end - 1) % width_ + 1);
  for (std::size_t i = rows.first; i < rows.last; ++i)
    for (std::size_t j = columns.first; j < columns.last; ++j) {
      const auto rank = static_cast<RankId>(i * columns_.size() + j);
      if (bytes_in(rank, extent) > 0) out.push_back(rank);
    }
}

}  // namespace tutti::io_models
