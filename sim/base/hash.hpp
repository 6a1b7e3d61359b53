// SPDX-License-Identifier: BSD-3-Clause
// Non-cryptographic hashes that identify contents, the same on every machine and in every version.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "sim/base/result.hpp"

namespace tutti {

// FNV-1a, 64 bits. To hash several pieces, pass the hash so far.
inline constexpr std::uint64_t fnv1a_start = 0xcbf29ce484222325;
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = fnv1a_start) {
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return hash;
}

// The hash as 16 lower-case hex digits.
std::string hex16(std::uint64_t hash);

// XXH3 with 128 bits, for distinguishing many contents.

// The hash of a content as 32 lower-case hex digits, the same on every machine.
std::string content_key(std::string_view content);
// Computes `content_key` of a content in pieces.
class ContentHash {
 public:
  ContentHash();
  ~ContentHash();
  ContentHash(const ContentHash&) = delete;
  ContentHash& operator=(const ContentHash&) = delete;
  void add(std::string_view piece);
  std::string key() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};
// Computes `content_key` of a file of any size.
Result<std::string> content_key_of_file(const std::string& path);

}  // namespace tutti
