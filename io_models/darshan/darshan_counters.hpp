// SPDX-License-Identifier: BSD-3-Clause
// The rows of darshan-parser: one counter of one record each.
#pragma once

#include "io_models/darshan/darshan_lines.hpp"

namespace tutti::io_models {

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

}  // namespace tutti::io_models
