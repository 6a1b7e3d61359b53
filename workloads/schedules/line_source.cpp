// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/schedules/line_source.hpp"

#include <zlib.h>

#include <cerrno>
#include <cstring>

#include "sim/base/file_roles.hpp"

namespace tutti::workloads::schedules {
namespace {

constexpr std::size_t piece_bytes = 1 << 20;
constexpr std::size_t longest_line = 1 << 26;

}  // namespace

LineSource::LineSource(std::string_view text) : rest_(text), is_over_(true) { hash_.add(text); }

LineSource::LineSource(gzFile_s* file) : file_(file) { gzbuffer(file_, piece_bytes / 4); }

LineSource::~LineSource() {
  if (file_ != nullptr) gzclose(file_);
}

// Appends a piece of the file to the rest.
bool LineSource::refill() {
  const std::size_t kept = rest_.size();
  if (kept > longest_line) {
    failure_ = "a line has more than 64 MiB";
    return false;
  }
  if (kept > 0) std::memmove(buffer_.data(), rest_.data(), kept);
  if (buffer_.size() < kept + piece_bytes) buffer_.resize(2 * kept + piece_bytes);
  rest_ = {buffer_.data(), kept};
  const int got = gzread(file_, buffer_.data() + kept, piece_bytes);
  if (got < 0) {
    int code = 0;
    const char* text = gzerror(file_, &code);
    // zlib's text begins with the name of the file: "a.goal.gz: invalid block type".
    const std::string_view reason = text;
    const auto colon = reason.rfind(": ");
    failure_ = code == Z_ERRNO                   ? std::strerror(errno)
               : colon == std::string_view::npos ? reason
                                                 : reason.substr(colon + 2);
    return false;
  }
  if (got == 0) {
    // An incomplete stream is reported when the file is closed.
    const int code = gzclose(std::exchange(file_, nullptr));
    if (code != Z_OK) failure_ = "the compressed data end early";
    is_over_ = true;
    return failure_.empty();
  }
  hash_.add({buffer_.data() + kept, static_cast<std::size_t>(got)});
  rest_ = {buffer_.data(), kept + static_cast<std::size_t>(got)};
  return true;
}

std::optional<std::string_view> LineSource::next() {
  std::size_t searched = 0;
  while (true) {
    const std::size_t end = rest_.find('\n', searched);
    if (end != std::string_view::npos) {
      const auto line = rest_.substr(0, end);
      rest_.remove_prefix(end + 1);
      return line;
    }
    if (is_over_) {
      if (rest_.empty()) return std::nullopt;
      return std::exchange(rest_, {});
    }
    searched = rest_.size();
    if (!refill()) return std::nullopt;
  }
}

Result<gzFile_s*> open_lines(const std::string& path) {
  if (auto error = register_input(path)) return *std::move(error);
  std::error_code failed;
  const auto unreadable = [&](std::string_view why) {
    return make_error(ErrorKind::input, path, fmt::format("cannot read the file: {}", why));
  };
  if (std::filesystem::is_directory(path, failed)) return unreadable(std::strerror(EISDIR));
  errno = 0;
  gzFile_s* file = gzopen(path.c_str(), "rb");
  if (file == nullptr) return unreadable(std::strerror(errno == 0 ? ENOMEM : errno));
  return file;
}

}  // namespace tutti::workloads::schedules
