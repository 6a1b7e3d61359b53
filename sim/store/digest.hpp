// SPDX-License-Identifier: BSD-3-Clause
// How many rows a table has, and their checksums together: a row that is lost, or is there twice,
// shows. Kept in the table `meta`, in the transaction that changes the rows.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/store/database.hpp"

namespace tutti::store {

// Nothing where the text is not 16 lower-case hex digits.
inline std::optional<std::uint64_t> read_hex16(std::string_view text) {
  if (text.size() != 16 || text.find_first_not_of("0123456789abcdef") != std::string_view::npos)
    return std::nullopt;
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number, 16);
  return number;
}

struct Digest {
  std::int64_t rows = 0;
  std::uint64_t hash = 0;  // the exclusive or of the rows' checksums

  void add(std::uint64_t checksum) { ++rows, hash ^= checksum; }
  void remove(std::uint64_t checksum) { --rows, hash ^= checksum; }
  bool operator==(const Digest&) const = default;
};

// Of a table ("points"), as it was written.
Digest load_digest(const Database& database, const std::string& name);
void save_digest(const Database& database, const std::string& name, const Digest& digest);
// Fails unless `seen` is what was written.
void check_digest(const Database& database, const std::string& name, const Digest& seen);

}  // namespace tutti::store
