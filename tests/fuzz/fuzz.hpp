// SPDX-License-Identifier: BSD-3-Clause
// Shared code of the fuzz targets: properties of any input, and the location of their files.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/result.hpp"
#include "sim/commands/diagnostics.hpp"

namespace tutti::fuzz {

// `what` is printed on stderr, above the stack trace.
inline void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: violated property: %s\n", what);
  std::abort();
}

// Errors have a printable message, and are not internal errors.
inline void check_error(const std::vector<Error>& errors) {
  if (errors.empty()) return;
  for (const Error& error : errors) {
    must(!error.message.empty(), "an error has a message");
    must(error.kind != ErrorKind::internal, "an error is not an internal error");
    must(error.line >= 0 && error.column >= 0, "an error's place counts from 1");
  }
  must(commands::describe_all(errors, true, 80).ends_with('\n'), "messages are whole lines");
}

// Whether there is a value; otherwise checks that the errors explain why not.
template <class T>
bool explained(const Result<T>& result) {
  if (!result) check_error(result.errors());
  return static_cast<bool>(result);
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Several readers share a target: the input's first byte chooses one, 'a' the first of them.
struct Chosen {
  std::size_t reader = 0;
  std::string text = {};
};
inline Chosen chosen(const std::uint8_t* data, std::size_t size, std::size_t readers) {
  if (size == 0) return {};
  return {.reader = static_cast<std::uint8_t>(data[0] - 'a') % readers,
          .text = std::string(text_of(data + 1, size - 1))};
}

// A folder of the process, in memory if possible; removed on destruction.
class Scratch {
 public:
  Scratch() {
    const std::filesystem::path memory = "/dev/shm";
    const bool has_memory = ::access(memory.c_str(), W_OK | X_OK) == 0;
    path_ = (has_memory ? memory : std::filesystem::temp_directory_path()) /
            ("tutti-fuzz-" + std::to_string(::getpid()));
    std::filesystem::create_directories(path_);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }
  // Writes a file and returns its path.
  std::string write(const std::string& name, std::string_view bytes) const {
    const std::filesystem::path file = path_ / name;
    std::ofstream(file, std::ios::binary) << bytes;
    return file;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace tutti::fuzz
