// SPDX-License-Identifier: BSD-3-Clause
#include "sim/store/row_checksum.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>
#include <string>

namespace tutti::store {
namespace {

void add(std::string& bytes, std::uint64_t number) {
  char raw[8];
  for (int i = 0; i < 8; ++i) raw[i] = static_cast<char>(number >> (8 * i));
  bytes.append(raw, sizeof raw);
}

void add(std::string& bytes, std::string_view text) {
  add(bytes, text.size());
  bytes += text;
}

void add(std::string& bytes, const Cell& cell) {
  bytes += static_cast<char>(cell.index());
  if (const auto* flag = std::get_if<bool>(&cell))
    bytes += static_cast<char>(*flag);
  else if (const auto* number = std::get_if<std::int64_t>(&cell))
    add(bytes, static_cast<std::uint64_t>(*number));
  else if (const auto* real = std::get_if<double>(&cell))
    add(bytes, std::bit_cast<std::uint64_t>(*real));
  else if (const auto* text = std::get_if<std::string>(&cell))
    add(bytes, std::string_view(*text));
}

std::uint64_t checksum_of(const std::string& bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace

std::uint64_t row_checksum(const StoredPoint& point) {
  thread_local std::string bytes;  // keeps its room: rows are many
  bytes.clear();
  add(bytes, std::string_view(point.key));
  bytes += static_cast<char>(point.status);
  for (const auto& cell : point.values) {
    add(bytes, std::string_view(cell.name));
    add(bytes, cell.value);
  }
  return checksum_of(bytes);
}

std::uint64_t texts_checksum(const std::vector<std::string_view>& texts) {
  std::string bytes;
  for (const auto text : texts) add(bytes, text);
  return checksum_of(bytes);
}

}  // namespace tutti::store
