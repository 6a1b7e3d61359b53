// SPDX-License-Identifier: BSD-3-Clause
// The files that a command reads and writes, at whatever depth they are named: whoever opens a
// file for reading registers it, and a command registers what it will write before it computes
// anything. The second registration of a file that is both is the error. One command per process.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/result.hpp"

namespace tutti {

struct FileRole {
  std::string where;  // the option that names it: "--plot"; empty: a file names it
  std::string path;
  bool is_folder = false;  // an output whose files have names of their own
};

// A command line begins: nothing is registered.
void forget_file_roles();

// An error of the option that writes the file, of kind usage; `where` says what names the input.
std::optional<Error> register_input(const std::string& path, const std::string& where = {});
// An error if the file is an input.
std::optional<Error> register_output(const FileRole& output);

// The same without registering it, at the last moment.
std::optional<Error> check_no_input(const FileRole& output);

// In the order of their registration.
const std::vector<FileRole>& registered_outputs();

// Hint of all these errors.
inline constexpr const char* file_of_its_own = "give each output a file of its own";

}  // namespace tutti
