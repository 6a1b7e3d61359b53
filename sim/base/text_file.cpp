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

Result<std::string> read_text_file(const std::string& path, std::size_t limit) {
  if (auto error = register_input(path)) return *std::move(error);
  const auto failed = [&](std::string message) {
    return make_error(ErrorKind::input, path, std::move(message));
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) return failed(fmt::format("cannot open the file: {}", std::strerror(errno)));
  std::string text;
  std::array<char, 65536> chunk;
  while (const auto got = std::fread(chunk.data(), 1, chunk.size(), file.get())) {
    text.append(chunk.data(), got);
    if (text.size() > limit)
      return failed(
          fmt::format("the file is longer than {}", format_bytes(static_cast<Bytes>(limit))));
  }
  // Reading a directory fails here, with EISDIR.
  if (std::ferror(file.get()) != 0)
    return failed(fmt::format("cannot read the file: {}", std::strerror(errno)));
  return text;
}

}  // namespace tutti
