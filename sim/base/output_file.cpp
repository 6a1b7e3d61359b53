// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <random>

#include "sim/base/common.hpp"
#include "sim/base/file_roles.hpp"
#include "sim/base/printable_text.hpp"

namespace tutti {
namespace {

namespace fs = std::filesystem;

// The disk, the quota (EDQUOT) or the limit of the process (EFBIG) is exhausted.
bool is_full(int code) { return code == ENOSPC || code == EDQUOT || code == EFBIG; }

Error io_error(const std::string& path, int code) {
  return make_error(ErrorKind::io, path, fmt::format("cannot be written: {}", std::strerror(code)),
                    is_full(code) ? free_space_hint : "");
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

// Stores a complete temporary file on the disk before it replaces another one: a full disk may
// show only here, and after a crash of the system the name leads to one of both.
int sync_and_close(int fd, int code) {
  if (code == 0 && ::fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP) code = errno;
  if (::close(fd) != 0 && code == 0) code = errno;
  return code;
}

fs::path parent_folder(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// True if the path leads to /proc/self/fd/N, as /dev/stdout does.
bool is_descriptor(const fs::path& path) {
  std::error_code failed;
  const fs::path folder = fs::canonical(parent_folder(path), failed);
  return !failed && folder == fs::canonical("/proc/self/fd", failed);
}

// Follows symbolic links to a file that does not exist yet, or to a descriptor.
fs::path end_of_links(fs::path path) {
  constexpr int most_links = 40;  // as in the kernel
  std::error_code failed;
  for (int i = 0;
       i < most_links && !is_descriptor(path) && fs::is_symlink(fs::symlink_status(path, failed));
       ++i) {
    const fs::path next = fs::read_symlink(path, failed);
    if (failed) return path;
    path = path.parent_path() / next;
  }
  return path;
}

// The descriptor of this process that the path names. Opening the path would instead truncate a
// file that others append to.
std::optional<int> find_descriptor(const std::string& path) {
  const fs::path end = end_of_links(path);
  if (!is_descriptor(end)) return std::nullopt;
  const auto number = parse_integer(end.filename().string());
  if (!number || *number < 0 || *number > std::numeric_limits<int>::max()) return std::nullopt;
  return static_cast<int>(*number);
}

// The file that `path` links to, or `path`. A link that cannot be resolved by name although its
// file exists (a pipe of another process) is returned unchanged.
fs::path resolve_target(const std::string& path) {
  std::error_code failed;
  const fs::path target = fs::canonical(path, failed);
  if (!failed) return target;
  return fs::exists(path, failed) ? fs::path(path) : end_of_links(path);
}

// A terminal, a pipe, ...: writing it twice does not overwrite anything.
bool is_stream(const fs::path& path) {
  std::error_code failed;
  return fs::is_other(fs::status(path, failed));
}

// Files that must be written directly: replacing them would destroy a device or a link.
bool is_special(const fs::path& path) {
  std::error_code failed;
  if (fs::is_symlink(fs::symlink_status(path, failed))) return true;
  const auto type = fs::status(path, failed).type();
  return type != fs::file_type::regular && type != fs::file_type::not_found;
}

// The normalized path, without access to the disk: "./x.csv" is "x.csv", and "d/" is "d".
fs::path normalize_path(const fs::path& path) {
  std::error_code failed;
  const fs::path whole = fs::absolute(path, failed);
  const fs::path plain = (failed ? path : whole).lexically_normal();
  return plain.has_filename() ? plain : plain.parent_path();
}

int write_special(const fs::path& path, std::string_view text) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  return fd < 0 ? errno : write_and_close(fd, text);
}

// A short name that is unique even if many hosts share the folder.
std::string temporary_beside(const fs::path& path) {
  std::random_device random;
  return parent_folder(path) / fmt::format(".sim-{:08x}{:08x}.tmp", random(), random());
}

// 0, or an errno.
int take_mode(int fd, mode_t wanted) {
  constexpr mode_t permissions = 0777;
  struct stat status {};
  if (::fstat(fd, &status) != 0) return errno;
  if (((status.st_mode ^ wanted) & permissions) == 0) return 0;
  return ::fchmod(fd, wanted & permissions) == 0 ? 0 : errno;
}

// A temporary file that will replace `path`, with its permissions. An errno in `code` if it cannot.
struct Replacement {
  std::string temporary;
  int fd = -1;
  int code = 0;
};

Replacement open_replacement(const fs::path& path) {
  struct stat old {};
  const bool is_there = ::stat(path.c_str(), &old) == 0;
  if (is_there && ::access(path.c_str(), W_OK) != 0) return {.temporary = {}, .code = errno};
  Replacement replacement{.temporary = temporary_beside(path)};
  replacement.fd =
      ::open(replacement.temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (replacement.fd < 0)
    replacement.code = errno;
  else if (is_there)
    replacement.code = take_mode(replacement.fd, old.st_mode);
  return replacement;
}

// Renames a closed temporary file unless writing failed with `code`. 0, or an errno.
int end_replacement(const std::string& temporary, const fs::path& path, int code) {
  if (code == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) code = errno;
  if (code != 0) ::unlink(temporary.c_str());
  return code;
}

int replace_regular(const fs::path& path, std::string_view text) {
  const Replacement replacement = open_replacement(path);
  if (replacement.fd < 0) return replacement.code;
  const int code = replacement.code != 0 ? replacement.code : write_all(replacement.fd, text);
  return end_replacement(replacement.temporary, path, sync_and_close(replacement.fd, code));
}

}  // namespace

std::optional<Error> write_stdout(std::string_view text) {
  const int code = write_all(STDOUT_FILENO, printable_lines(text));
  if (code == 0) return std::nullopt;
  return io_error("standard output", code);
}

bool same_file(const std::string& a, const std::string& b) {
  if (normalize_path(a) == normalize_path(b)) return true;
  if (find_descriptor(a) && find_descriptor(b)) return false;
  const fs::path target_a = resolve_target(a);
  const fs::path target_b = resolve_target(b);
  if (is_stream(target_a) || is_stream(target_b)) return false;
  std::error_code failed;
  if (fs::equivalent(target_a, target_b, failed)) return true;
  // The folder exists even if the file does not yet.
  return fs::weakly_canonical(normalize_path(target_a), failed) ==
         fs::weakly_canonical(normalize_path(target_b), failed);
}

bool is_plain_file(const std::string& path) {
  return !find_descriptor(path) && !is_special(resolve_target(path));
}

bool names_device(const std::string& path) {
  if (fs::path(path).has_extension()) return false;
  return path.starts_with("/dev/") || find_descriptor(path);
}

std::optional<Error> check_writable(const std::string& path) {
  if (const auto descriptor = find_descriptor(path)) {
    const int flags = ::fcntl(*descriptor, F_GETFL);
    if (flags < 0) return io_error(path, errno);
    if ((flags & O_ACCMODE) == O_RDONLY) return io_error(path, EBADF);
    return std::nullopt;
  }
  const fs::path target = resolve_target(path);
  std::error_code failed;
  if (fs::is_directory(target, failed)) return io_error(path, EISDIR);
  if (::access(target.c_str(), W_OK) != 0 && errno != ENOENT) return io_error(path, errno);
  if (!is_special(target) && ::access(parent_folder(target).c_str(), W_OK | X_OK) != 0)
    return io_error(path, errno);
  return std::nullopt;
}

std::optional<Error> write_file(const std::string& path, std::string_view text) {
  if (auto error = check_no_input({.where = {}, .path = path})) return error;
  const auto descriptor = find_descriptor(path);
  const fs::path target = resolve_target(path);
  const int code = descriptor
                       ? write_all(*descriptor, ::isatty(*descriptor) == 1 ? printable_lines(text)
                                                                           : std::string(text))
                   : is_special(target) ? write_special(target, text)
                                        : replace_regular(target, text);
  if (code == 0) return std::nullopt;
  return io_error(path, code);
}

OutputFile::OutputFile(std::string path) : path_(std::move(path)), target_(resolve_target(path_)) {
  refused_ = check_no_input({.where = {}, .path = path_});
  if (refused_) return;
  if (const auto descriptor = find_descriptor(path_)) {
    is_descriptor_ = true;
    fd_ = *descriptor;
  } else if (is_special(target_)) {
    fd_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    code_ = fd_ < 0 ? errno : 0;
  } else {
    auto replacement = open_replacement(target_);
    temporary_ = replacement.fd < 0 ? "" : std::move(replacement.temporary);
    fd_ = replacement.fd;
    code_ = replacement.code;
  }
}

OutputFile::~OutputFile() {
  if (fd_ < 0) return;
  if (!is_descriptor_) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view text) {
  constexpr std::size_t most_buffered = std::size_t{1} << 18;
  if (fd_ < 0 || code_ != 0) return;
  buffer_ += text;
  if (buffer_.size() >= most_buffered) flush();
}

void OutputFile::flush() {
  if (code_ == 0) code_ = write_all(fd_, buffer_);
  buffer_.clear();
}

std::optional<Error> OutputFile::close() {
  if (refused_) return refused_;
  if (fd_ >= 0) {
    flush();
    if (!temporary_.empty())
      code_ = sync_and_close(fd_, code_);
    else if (!is_descriptor_ && ::close(fd_) != 0 && code_ == 0)
      code_ = errno;
    fd_ = -1;
    if (!temporary_.empty()) code_ = end_replacement(temporary_, target_, code_);
  }
  if (code_ == 0) return std::nullopt;
  return io_error(path_, code_);
}

}  // namespace tutti
