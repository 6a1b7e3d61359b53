// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "sim/base/error_list.hpp"

namespace tutti::commands {
namespace {

namespace fs = std::filesystem;

// Of the disk, the quota (EDQUOT) or the process's own limit (EFBIG).
bool is_full(int code) { return code == ENOSPC || code == EDQUOT || code == EFBIG; }

Error io_error(const std::string& path, int code) {
  return make_error(ErrorKind::io, path, fmt::format("cannot be written: {}", std::strerror(code)),
                    is_full(code) ? "free some space, or choose another place" : "");
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

// Where a link leads that leads to no file yet.
fs::path end_of_links(fs::path path) {
  constexpr int most_links = 40;  // as in the kernel
  std::error_code failed;
  for (int i = 0; i < most_links && fs::is_symlink(fs::symlink_status(path, failed)); ++i) {
    const fs::path next = fs::read_symlink(path, failed);
    if (failed) return path;
    path = path.parent_path() / next;
  }
  return path;
}

// The file itself where `path` is a symbolic link to one. A link that cannot be followed by name
// though its file exists (/dev/stdout of a pipe) stays as it is.
fs::path target_of(const std::string& path) {
  std::error_code failed;
  const fs::path target = fs::canonical(path, failed);
  if (!failed) return target;
  return fs::exists(path, failed) ? fs::path(path) : end_of_links(path);
}

// What must be written directly: replacing would destroy a device or a link.
bool is_special(const fs::path& path) {
  std::error_code failed;
  if (fs::is_symlink(fs::symlink_status(path, failed))) return true;
  const auto type = fs::status(path, failed).type();
  return type != fs::file_type::regular && type != fs::file_type::not_found;
}

// Without a look at the disk: "./x.csv" is "x.csv".
fs::path spelled_out(const fs::path& path) {
  std::error_code failed;
  const fs::path whole = fs::absolute(path, failed);
  return (failed ? path : whole).lexically_normal();
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

bool same_file(const std::string& a, const std::string& b) {
  if (spelled_out(a) == spelled_out(b)) return true;
  const fs::path target_a = target_of(a);
  const fs::path target_b = target_of(b);
  // A terminal may well show two outputs.
  if (is_special(target_a) || is_special(target_b)) return false;
  std::error_code failed;
  if (fs::equivalent(target_a, target_b, failed)) return true;
  // Of a file that does not exist yet the folder does.
  return fs::weakly_canonical(spelled_out(target_a), failed) ==
         fs::weakly_canonical(spelled_out(target_b), failed);
}

bool names_device(const std::string& path) {
  return path.starts_with("/dev/") && !fs::path(path).has_extension();
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
