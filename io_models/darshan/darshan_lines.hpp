// SPDX-License-Identifier: BSD-3-Clause
// The readers of the lines of a Darshan log.
#pragma once

#include "io_models/darshan/darshan_log.hpp"

namespace tutti::io_models {

// The state that the readers share: the current line with its errors, the log under construction,
// and numbers.
class DarshanLines {
 public:
  explicit DarshanLines(const std::string& file) : file_(file) { log_.source = file; }

  void start(std::string_view line) {
    line_ = line;
    ++number_;
  }
  void finish() { line_ = {}; }
  int number() const { return std::max(1, number_); }

  void reject(std::string message, std::string hint = "") {
    reject_line(number(), std::move(message), std::move(hint), source_line(line_));
  }
  void reject_line(int line, std::string message, std::string hint, std::string source = "") {
    auto error = make_error(ErrorKind::input, file_, std::move(message), std::move(hint));
    error.line = line;
    error.source = std::move(source);
    errors_.add(std::move(error));
  }
  const ErrorList& errors() const { return errors_; }

  DarshanLog& log() { return log_; }
  // Index of the file with this record identifier, which is added if it is new.
  std::size_t file_of(std::uint64_t id, std::string_view name);
  // A whole number from 0 to 2^60; rejects others.
  std::optional<std::int64_t> amount(std::string_view what, std::string_view text);
  // A finite number of seconds, not negative; rejects others.
  std::optional<Seconds> seconds(std::string_view what, std::string_view text);
  // A rank of the job, or -1 if `or_shared`; rejects others.
  std::optional<RankId> rank(std::string_view text, bool or_shared);
  std::optional<std::uint64_t> record_id(std::string_view text);

 private:
  std::string file_;
  std::string_view line_;
  int number_ = 0;
  ErrorList errors_;
  DarshanLog log_;
  std::unordered_map<std::uint64_t, std::size_t> files_;
};

// The rows of darshan-parser: one counter of one record each.
class DarshanCounterReader {
 public:
  explicit DarshanCounterReader(DarshanLines& lines) : lines_(lines) {}

  // Reads a row: <module> <rank> <record id> <counter> <value> <file name> <mount pt> <fs type>,
  // separated by tabs.
  void read(std::string_view row);

 private:
  struct Record {
    std::size_t file = 0;
    std::size_t index = 0;   // into the file's counters
    std::uint64_t seen = 0;  // counters, as bits
  };
  struct Key {
    std::uint64_t file_id = 0;
    RankId rank = 0;
    DarshanLayer layer = DarshanLayer::posix;
    auto operator<=>(const Key&) const = default;
  };

  Record& record_of(const Key& key, std::string_view name);
  void read_counter(Record& record, std::string_view counter, std::string_view value);
  void read_stripes(DarshanFile& file, std::string_view counter, std::string_view value);

  DarshanLines& lines_;
  std::map<Key, Record> records_;
  // Rows of a record follow each other.
  std::optional<Key> last_key_;
  Record* last_ = nullptr;
  bool repeats_ = false;  // reported once
};

// The blocks of darshan-dxt-parser, one per layer, file and rank: comments with the file, the rank
// and the numbers of rows, then a row per read and write.
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
