// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tutti::commands {
namespace {

namespace fs = std::filesystem;

Error io_error(const std::string& path, int code) {
  return {.kind = ErrorKind::io,
          .place = path,
          .message = fmt::format("cannot be written: {}", std::strerror(code)),
          .hint = code == ENOSPC ? "free some space, or choose another place" : "",
          .source = {}};
}

// 0, or the errno of the first failure.
int write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int write_and_close(int fd, std::string_view text) {
  int code = write_all(fd, text);
  if (::close(fd) != 0 && code == 0) code = errno;
  return code;
}

// The file itself where `path` is a symbolic link to one.
fs::path target_of(const std::string& path) {
  std::error_code failed;
  const fs::path target = fs::canonical(path, failed);
  return failed ? fs::path(path) : target;
}

bool is_special(const fs::path& path) {
  std::error_code failed;
  const auto type = fs::status(path, failed).type();
  return type != fs::file_type::regular && type != fs::file_type::not_found;
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

int write_special(const fs::path& path, std::string_view text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  return fd < 0 ? errno : write_and_close(fd, text);
}

int replace_regular(const fs::path& path, std::string_view text) {
  const std::string temporary = fmt::format("{}.{}.tmp", path.string(), ::getpid());
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return errno;
  int code = write_and_close(fd, text);
  if (code == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) code = errno;
  if (code != 0) ::unlink(temporary.c_str());
  return code;
}

}  // namespace

std::optional<Error> write_stdout(std::string_view text) {
  const int code = write_all(STDOUT_FILENO, text);
  if (code == 0) return std::nullopt;
  return io_error("standard output", code);
}

std::optional<Error> check_writable(const std::string& path) {
  const fs::path target = target_of(path);
  const fs::path asked = is_special(target) ? target : folder_of(target);
  const int needed = is_special(target) ? W_OK : W_OK | X_OK;
  std::error_code failed;
  if (fs::is_directory(target, failed)) return io_error(path, EISDIR);
  if (::access(asked.c_str(), needed) != 0) return io_error(path, errno);
  return std::nullopt;
}

std::optional<Error> write_file(const std::string& path, std::string_view text) {
  const fs::path target = target_of(path);
  const int code = is_special(target) ? write_special(target, text) : replace_regular(target, text);
  if (code == 0) return std::nullopt;
  return io_error(path, code);
}

}  // namespace tutti::commands
