// SPDX-License-Identifier: BSD-3-Clause
// Writes files whole or not at all: every file that the program writes, except stores and the
// folders of traces, is written here. Every failed write is an error of kind io.
#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>

#include "sim/base/result.hpp"

namespace tutti {

// Hint of errors that a full disk may be the cause of.
inline constexpr const char* free_space_hint = "free some space, or choose another folder";

// Writes all of `text`, with control characters as printable_lines shows them, or returns an error
// of kind io.
std::optional<Error> write_stdout(std::string_view text);

// Whether there is a file, a folder or a device at the path.
inline bool exists(const std::string& path) {
  std::error_code failed;
  return std::filesystem::exists(path, failed);
}

// True if both names refer to the same file, also through links, whether it exists or not. Devices,
// pipes and descriptors under different names count as different files.
bool same_file(const std::string& a, const std::string& b);

// True for devices and descriptors without an extension that could choose a format: /dev/stdout,
// but not /dev/shm/x.csv.
bool names_device(const std::string& path);

// True for a regular file, or a path at which one would be created.
bool is_plain_file(const std::string& path);

// Returns an error if `path` cannot be written. Called before a long run.
std::optional<Error> check_writable(const std::string& path);

// Replaces the file atomically: writes a temporary file in the same folder to the disk, then
// renames it. If that fails, the former file remains. The permissions are kept, and a
// write-protected file is an error. A symbolic link is kept, and its target replaced. A file that
// is not regular (a device, a pipe) is written directly; output to a descriptor of this process
// (/dev/stdout) is appended.
std::optional<Error> write_file(const std::string& path, std::string_view text);

// A file that is written in pieces, since it may be larger than memory, in the same way.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();  // removes the temporary file if the output was not closed
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Text after the first failure is discarded.
  void write(std::string_view text);
  // Completes the file. Returns the first failure.
  std::optional<Error> close();

 private:
  void flush();

  std::string path_;
  std::filesystem::path target_;
  std::string temporary_;       // empty: written directly
  int fd_ = -1;                 // -1: closed or failed
  bool is_descriptor_ = false;  // of this process; it stays open
  int code_ = 0;                // errno of the first failure
  std::optional<Error> refused_;
  std::string buffer_;
};

// An OutputFile as a stream. Its state does not show failures, but `close` returns them.
class OutputFileStream : private std::streambuf, public std::ostream {
 public:
  explicit OutputFileStream(std::string path) : std::ostream(this), file_(std::move(path)) {}
  std::optional<Error> close() { return file_.close(); }

 private:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    file_.write({text, static_cast<std::size_t>(size)});
    return size;
  }
  std::streambuf::int_type overflow(std::streambuf::int_type character) override {
    const char text = std::streambuf::traits_type::to_char_type(character);
    if (!std::streambuf::traits_type::eq_int_type(character, std::streambuf::traits_type::eof()))
      file_.write({&text, 1});
    return std::streambuf::traits_type::not_eof(character);
  }

  OutputFile file_;
};

}  // namespace tutti
