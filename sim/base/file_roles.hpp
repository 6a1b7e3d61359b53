// SPDX-License-Identifier: BSD-3-Clause
// Detects files that a command both reads and writes, including files named inside other files.
// Every reader registers the file that it opens, and a command registers its outputs before it
// computes anything. The second registration of a file in the other role is an error. There is one
// command per process.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/result.hpp"

namespace tutti {

struct FileRole {
  std::string where;  // the option that names the file: "--plot"; empty: it is named in a file
  std::string path;
  bool is_folder = false;  // a folder of output files
};

// Clears all registrations, at the beginning of a command line.
void forget_file_roles();

// Fails if the file is an output. The error is of kind usage, and its place is the option that
// writes the file; `where` is the option that names the input.
std::optional<Error> register_input(const std::string& path, const std::string& where = {});
// Fails if the file is an input.
std::optional<Error> register_output(const FileRole& output);

// The same check without registration, immediately before writing.
std::optional<Error> check_no_input(const FileRole& output);

// The outputs in the order of their registration.
const std::vector<FileRole>& registered_outputs();

// Hint of all these errors.
inline constexpr const char* file_of_its_own = "give each output a file of its own";

}  // namespace tutti
