// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/hash.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "sim/base/file_roles.hpp"

namespace tutti {

std::string hex16(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

namespace {

std::string hex32(const XXH128_hash_t& hash) { return hex16(hash.high64) + hex16(hash.low64); }

Error unreadable(const std::string& path) {
  return make_error(ErrorKind::input, path,
                    fmt::format("cannot read the file: {}", std::strerror(errno)));
}

}  // namespace

std::string content_key(std::string_view content) {
  return hex32(XXH3_128bits(content.data(), content.size()));
}

struct ContentHash::State {
  State() { XXH3_128bits_reset(&xxh); }
  XXH3_state_t xxh;
};

ContentHash::ContentHash() : state_(std::make_unique<State>()) {}
ContentHash::~ContentHash() = default;

void ContentHash::add(std::string_view piece) {
  XXH3_128bits_update(&state_->xxh, piece.data(), piece.size());
}

std::string ContentHash::key() const { return hex32(XXH3_128bits_digest(&state_->xxh)); }

Result<std::string> content_key_of_file(const std::string& path) {
  if (auto error = register_input(path)) return *std::move(error);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) return unreadable(path);
  ContentHash hash;
  std::vector<char> chunk(1 << 20);
  while (const auto got = std::fread(chunk.data(), 1, chunk.size(), file.get()))
    hash.add({chunk.data(), got});
  // Reading a directory fails here, with EISDIR.
  if (std::ferror(file.get()) != 0) return unreadable(path);
  return hash.key();
}

}  // namespace tutti
