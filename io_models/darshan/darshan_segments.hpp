// SPDX-License-Identifier: BSD-3-Clause
// The blocks of darshan-dxt-parser, one per layer, file and rank: comments with the file, the rank
// and the numbers of rows, then a row per read and write.
#pragma once

#include "io_models/darshan/darshan_lines.hpp"

namespace tutti::io_models {

class DarshanSegmentReader {
 public:
  explicit DarshanSegmentReader(DarshanLines& lines) : lines_(lines) {}

  // Reads the rest of a comment after "# DXT, ". `rows_left` bounds the number of rows that the
  // rest of the text can contain; 0 if it is unknown.
  void read_comment(std::string_view text, std::size_t rows_left);
  // Reads a comment that describes columns ("# Module    Rank ...") or a Lustre component.
  void read_columns(std::string_view text) {
    if (block_) block_->columns = text.find("Offset") == std::string_view::npos ? 7 : 8;
  }
  void read_component(std::string_view text);
  // Reads a row that begins with X_POSIX or X_MPIIO.
  void read_row(std::string_view row);
  // Checks the last block against its header, at the end of the text or before another part of it.
  void end_block();

 private:
  struct Block {
    int line = 0;
    std::size_t file = 0;
    std::optional<RankId> rank;
    std::optional<DarshanLayer> layer;   // from its first row
    std::optional<std::int64_t> writes;  // as announced
    std::optional<std::int64_t> reads;
    int columns = 0;  // of a row, before any [OST] or [thread]; 0: unknown
    bool is_invalid = false;
    DarshanTrace trace;
  };
  using Fields = std::array<std::string_view, 8>;

  void start_block(std::string_view text);
  void read_counts(std::string_view text, std::size_t rows_left);
  void read_mount(std::string_view text);
  void set_stripes(std::string_view bytes, std::string_view stripes);
  bool fits_block(const Fields& field);
  void invalid(std::string message, std::string hint);
  DarshanFile& file() { return lines_.log().files[block_->file]; }

  DarshanLines& lines_;
  std::optional<Block> block_;
  bool lacks_block_ = false;  // reported once
  std::set<std::tuple<std::size_t, DarshanLayer, RankId>> seen_;
};

}  // namespace tutti::io_models
