// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/text_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "sim/base/error_list.hpp"
#include "sim/base/file_roles.hpp"
#include "sim/base/units.hpp"

namespace tutti {
namespace {

Result<std::string> whole_text(std::FILE& file, const std::string& place, std::size_t limit) {
  const auto failed = [&](std::string message) {
    return make_error(ErrorKind::input, place, std::move(message));
  };
  std::string text;
  std::array<char, 65536> chunk;
  while (const auto got = std::fread(chunk.data(), 1, chunk.size(), &file)) {
    text.append(chunk.data(), got);
    if (text.size() > limit)
      return failed(
          fmt::format("the file is longer than {}", format_bytes(static_cast<Bytes>(limit))));
  }
  // Reading a directory fails here, with EISDIR.
  if (std::ferror(&file) != 0)
    return failed(fmt::format("cannot read the file: {}", std::strerror(errno)));
  return text;
}

}  // namespace

Result<std::string> read_text_file(const std::string& path, std::size_t limit) {
  if (auto error = register_input(path)) return *std::move(error);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file)
    return make_error(ErrorKind::input, path,
                      fmt::format("cannot open the file: {}", std::strerror(errno)));
  return whole_text(*file, path, limit);
}

Result<std::string> read_standard_input(std::size_t limit) {
  return whole_text(*stdin, std::string(standard_input), limit);
}

}  // namespace tutti
