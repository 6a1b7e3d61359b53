// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/text_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include "sim/base/file_roles.hpp"
#include "sim/base/text.hpp"
#include "sim/base/units.hpp"

namespace tutti {

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

LineReader::LineReader(std::string_view text, std::string_view file)
    : rest_(without_byte_order_mark(text)), file_(file) {}

std::optional<std::string_view> LineReader::next() {
  while (!rest_.empty() && !errors_.full()) {
    const auto end = std::min(rest_.find('\n'), rest_.size());
    ++number_;
    line_ = trim(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (!line_.empty() && line_.front() != '#') return line_;
  }
  line_ = {};
  return std::nullopt;
}

void LineReader::reject(std::string message, std::string hint) {
  auto error =
      make_error(ErrorKind::input, std::string(file_), std::move(message), std::move(hint));
  error.line = number();
  error.source = source_line(line_);
  errors_.add(std::move(error));
}

void LineReader::reject_line(int line, std::string message, std::string hint) {
  auto error =
      make_error(ErrorKind::input, std::string(file_), std::move(message), std::move(hint));
  error.line = line;
  errors_.add(std::move(error));
}

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

// "did you mean 'study.toml'?": a file of the same folder; empty: no name is near.
std::string near_file(const std::filesystem::path& path) {
  constexpr std::size_t most_looked_at = 1000;
  const std::filesystem::path folder = path.parent_path();
  std::vector<std::string> names;
  std::error_code failed;
  auto entry = std::filesystem::directory_iterator(folder.empty() ? "." : folder, failed);
  for (; !failed && entry != std::filesystem::directory_iterator() && names.size() < most_looked_at;
       entry.increment(failed))
    names.push_back(entry->path().filename().string());
  std::ranges::sort(names);
  const std::string near = suggest(path.filename().string(), names);
  return near.empty() ? near : fmt::format("did you mean {}?", in_quotes((folder / near).string()));
}

}  // namespace

Result<std::string> read_text_file(const std::string& path, std::size_t limit) {
  if (auto error = register_input(path)) return *std::move(error);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (const int code = errno; !file)
    return make_error(ErrorKind::input, path,
                      fmt::format("cannot open the file: {}", std::strerror(code)),
                      code == ENOENT ? near_file(path) : "");
  return whole_text(*file, path, limit);
}

Result<std::string> read_standard_input(std::size_t limit) {
  return whole_text(*stdin, std::string(standard_input), limit);
}

}  // namespace tutti
