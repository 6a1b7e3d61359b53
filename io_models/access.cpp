// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/access.hpp"

#include "sim/base/rank_table.hpp"

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

// The first position at or after `from` that lies in one of the spans.
std::optional<Bytes> next_in(const std::vector<Extent>& spans, Bytes from) {
  auto span = std::partition_point(spans.begin(), spans.end(),
                                   [&](const Extent& extent) { return extent.end <= from; });
  while (span != spans.end() && span->empty()) ++span;
  return span == spans.end() ? std::nullopt : std::optional(std::max(from, span->begin));
}

// The spans that intersect [begin, end), as indices [first, last).
struct Touched {
  std::size_t first = 0;
  std::size_t last = 0;
};
Touched touched(const std::vector<Extent>& spans, Bytes begin, Bytes end) {
  const auto first = std::partition_point(
      spans.begin(), spans.end(), [&](const Extent& extent) { return extent.end <= begin; });
  const auto last = std::partition_point(first, spans.end(),
                                         [&](const Extent& extent) { return extent.begin < end; });
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
  // The first piece may be cut on the left, the last one on the right.
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
  if (begun != row || !column) {  // in a later row
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

ListAccess::ListAccess(std::vector<std::vector<Extent>> pieces, bool idle_at_zero)
    : first_{0}, idle_at_zero_(idle_at_zero) {
  for (RankId rank = 0; const auto& own : pieces) {
    std::vector<Extent> sorted;
    for (const Extent& extent : own)
      if (!extent.empty()) sorted.push_back(extent);
    std::ranges::sort(sorted, {}, &Extent::begin);
    Bytes below = 0;
    for (const Extent& extent : sorted) {
      pieces_.push_back({extent, below});
      by_offset_.push_back({extent, rank});
      below += extent.bytes();
      longest_ = std::max(longest_, extent.bytes());
    }
    first_.push_back(pieces_.size());
    ++rank;
  }
  std::ranges::stable_sort(by_offset_, {}, [](const Owned& piece) { return piece.extent.begin; });
  look_for_holes();
}

void ListAccess::look_for_holes() {
  if (by_offset_.empty()) return;
  range_ = {by_offset_.front().extent.begin, by_offset_.front().extent.begin};
  for (const Owned& piece : by_offset_) {
    is_dense_ = is_dense_ && piece.extent.begin == range_.end;
    overlaps_ = overlaps_ || piece.extent.begin < range_.end;
    if (with_data_.empty() || piece.extent.begin > range_.end) with_data_.push_back(piece.extent);
    range_.end = std::max(range_.end, piece.extent.end);
    with_data_.back().end = range_.end;
  }
}

const ListAccess::Piece* ListAccess::from(RankId rank, Bytes offset) const {
  return std::partition_point(pieces_.data() + first_[rank], end_of(rank),
                              [&](const Piece& piece) { return piece.extent.end <= offset; });
}

Bytes ListAccess::bytes_below(RankId rank, Bytes offset) const {
  const Piece* piece = from(rank, offset);
  if (piece != end_of(rank)) return piece->below + std::max<Bytes>(0, offset - piece->extent.begin);
  if (first_[rank] == first_[rank + 1]) return 0;
  const Piece& last = *(piece - 1);
  return last.below + last.extent.bytes();
}

Bytes ListAccess::next_data(Bytes offset) const {
  const auto found =
      std::partition_point(with_data_.begin(), with_data_.end(),
                           [&](const Extent& extent) { return extent.end <= offset; });
  return found == with_data_.end() ? range_.end : std::max(offset, found->begin);
}

std::int64_t ListAccess::pieces_in(RankId rank, Extent extent) const {
  if (extent.empty()) return 0;
  const Piece* first = from(rank, extent.begin);
  return std::partition_point(first, end_of(rank),
                              [&](const Piece& piece) { return piece.extent.begin < extent.end; }) -
         first;
}

void ListAccess::pieces(RankId rank, Extent extent, std::vector<Extent>& out) const {
  const std::int64_t count = pieces_in(rank, extent);
  const Piece* piece = from(rank, extent.begin);
  for (std::int64_t i = 0; i < count; ++i, ++piece)
    out.push_back(
        {std::max(piece->extent.begin, extent.begin), std::min(piece->extent.end, extent.end)});
}

void ListAccess::ranks_in(Extent extent, std::vector<RankId>& out) const {
  if (extent.empty()) return;
  const auto found = static_cast<std::ptrdiff_t>(out.size());
  auto piece = std::ranges::lower_bound(by_offset_, extent.begin - longest_, {},
                                        [](const Owned& owned) { return owned.extent.begin; });
  for (; piece != by_offset_.end() && piece->extent.begin < extent.end; ++piece)
    if (piece->extent.end > extent.begin) out.push_back(piece->rank);
  std::sort(out.begin() + found, out.end());
  out.erase(std::unique(out.begin() + found, out.end()), out.end());
}

namespace {

constexpr Bytes last_byte = Bytes{1} << 60;

class Reader {
 public:
  Reader(std::string_view text, std::string_view file, int procs)
      : rows_(text, file, "rank,offset,length", static_cast<std::size_t>(procs)), pieces_(procs) {}

  Result<ListAccess> read(bool writes) {
    while (const auto row = rows_.next()) take(*row);
    if (lines_.errors().empty()) look_for_overlaps(writes);
    if (!lines_.errors().empty()) return lines_.errors().errors();
    return ListAccess(std::move(pieces_));
  }

 private:
  struct Listed {
    Extent extent;
    RankId rank = 0;
    int line = 0;
  };

  void take(const RankRow& row) {
    const auto offset = parse_bytes(row.values[0]);
    if (!offset) return lines_.reject("offset: " + offset.error().message);
    const auto length = parse_bytes(row.values[1]);
    if (!length) return lines_.reject("length: " + length.error().message);
    if (*offset > last_byte || *length > last_byte - *offset)
      return lines_.reject("the piece ends beyond 2^60 B");
    const Extent extent{*offset, *offset + *length};
    pieces_[row.rank].push_back(extent);
    if (*length > 0) listed_.push_back({extent, static_cast<RankId>(row.rank), lines_.number()});
  }

  // Pieces of one rank must never overlap, those of two ranks not in a write.
  void look_for_overlaps(bool writes) {
    std::ranges::stable_sort(listed_, {}, [&](const Listed& piece) {
      return std::pair(writes ? 0 : piece.rank, piece.extent.begin);
    });
    for (std::size_t i = 1; i < listed_.size() && !lines_.errors().full(); ++i) {
      const Listed& a = listed_[i - 1];
      const Listed& b = listed_[i];
      if ((!writes && a.rank != b.rank) || b.extent.begin >= a.extent.end) continue;
      const auto [first, second] = std::minmax(a.line, b.line);
      lines_.reject_line(second,
                         fmt::format("the pieces of lines {} and {} overlap", first, second),
                         a.rank == b.rank ? "a rank's pieces must not overlap"
                                          : "two ranks cannot write the same bytes");
    }
  }

  RankRows rows_;
  LineReader& lines_ = rows_.lines();
  std::vector<std::vector<Extent>> pieces_;
  std::vector<Listed> listed_;
};

}  // namespace

Result<ListAccess> read_pieces(std::string_view text, const std::string& file, int procs,
                               bool writes) {
  return Reader(text, file, procs).read(writes);
}

Extent data_in(const Access& access, RankId rank, Extent extent) {
  // The first position in the extent before which the rank has more than `bytes` bytes.
  const auto beyond = [&](Bytes bytes) {
    Bytes low = extent.begin;
    for (Bytes high = extent.end; high - low > 1;) {
      const Bytes middle = low + (high - low) / 2;
      (access.bytes_below(rank, middle) > bytes ? high : low) = middle;
    }
    return low;
  };
  return {beyond(access.bytes_below(rank, extent.begin)),
          beyond(access.bytes_below(rank, extent.end) - 1) + 1};
}

bool interleaves(const Access& access) {
  Bytes last = -1;  // byte of the previous rank
  for (RankId rank = 0; rank < access.procs(); ++rank) {
    if (access.bytes(rank) == 0) {
      last = -1;
      continue;
    }
    const Extent own = data_in(access, rank, access.range());
    if (own.begin < last) return true;
    last = own.end - 1;
  }
  return false;
}

}  // namespace tutti::io_models
