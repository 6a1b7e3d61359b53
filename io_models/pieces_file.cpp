// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>

#include "io_models/list_access.hpp"
#include "sim/base/rank_table.hpp"
#include "sim/base/units.hpp"

namespace tutti::io_models {
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
    if (!offset) return lines_.refuse("offset: " + offset.error().message);
    const auto length = parse_bytes(row.values[1]);
    if (!length) return lines_.refuse("length: " + length.error().message);
    if (*offset > last_byte || *length > last_byte - *offset)
      return lines_.refuse("the piece ends beyond 2^60 B");
    const Extent extent{*offset, *offset + *length};
    pieces_[row.rank].push_back(extent);
    if (*length > 0) listed_.push_back({extent, static_cast<RankId>(row.rank), lines_.number()});
  }

  // Of the same rank never, of two ranks not in a write.
  void look_for_overlaps(bool writes) {
    std::ranges::stable_sort(listed_, {}, [&](const Listed& each) {
      return std::pair(writes ? 0 : each.rank, each.extent.begin);
    });
    for (std::size_t i = 1; i < listed_.size() && !lines_.errors().full(); ++i) {
      const Listed& a = listed_[i - 1];
      const Listed& b = listed_[i];
      if ((!writes && a.rank != b.rank) || b.extent.begin >= a.extent.end) continue;
      const auto [first, second] = std::minmax(a.line, b.line);
      lines_.refuse_line(second,
                         fmt::format("the pieces of lines {} and {} share bytes", first, second),
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

}  // namespace tutti::io_models
