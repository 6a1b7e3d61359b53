// SPDX-License-Identifier: BSD-3-Clause
// Where results go: stdout or files. Nothing is lost silently: every failed write is an error.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/base/result.hpp"

namespace tutti::commands {

// All of `text`, or an error of kind io.
std::optional<Error> write_stdout(std::string_view text);

// True if both names lead to one file, through links too, whether it exists or not. Devices, pipes
// and descriptors under different names are taken for different files.
bool same_file(const std::string& a, const std::string& b);

// Of the names of devices and descriptors no extension tells a format: /dev/stdout, but not
// /dev/shm/x.csv.
bool names_device(const std::string& path);

// Before a long run: an error if `path` cannot be written later.
std::optional<Error> check_writable(const std::string& path);

// Replaces the file in one step: written beside it, then renamed, so that a file is never half
// there. Its permissions stay, and those that forbid writing are obeyed. A link stays, and its file
// is replaced. What is no regular file (a device, a pipe) is written directly, and so is a
// descriptor of this process (/dev/stdout): what is in its file stays.
std::optional<Error> write_file(const std::string& path, std::string_view text);

}  // namespace tutti::commands
