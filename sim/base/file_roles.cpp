// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/file_roles.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "sim/base/text.hpp"

namespace tutti {
namespace {

using FileId = std::pair<dev_t, ino_t>;

struct FileRoles {
  std::map<FileId, FileRole> inputs;
  std::vector<FileRole> outputs;
};

FileRoles& roles() {
  static FileRoles all;
  return all;
}

// Identifies an existing file or folder; unset for terminals and pipes, since they are not
// overwritten.
std::optional<FileId> find_id(const std::string& path) {
  struct stat status {};
  if (path == "-" || ::stat(path.c_str(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return std::nullopt;
  return FileId(status.st_dev, status.st_ino);
}

// The files that are overwritten together: the file, and the database if `path` names its log.
std::vector<FileId> find_written(const std::string& path) {
  std::vector<FileId> all;
  const auto add = [&](const std::string& name) {
    if (const auto id = find_id(name)) all.push_back(*id);
  };
  add(path);
  for (const std::string_view log : {"-wal", "-shm", "-journal"})
    if (path.size() > log.size() && path.ends_with(log))
      add(path.substr(0, path.size() - log.size()));
  return all;
}

Error is_both(const FileRole& output, const FileRole& input) {
  const std::string named = input.where.empty() ? "" : fmt::format(" ({})", input.where);
  return usage_error(output.where,
                     fmt::format("{} is an input, too{}", in_quotes(output.path), named),
                     file_of_its_own);
}

}  // namespace

void forget_file_roles() { roles() = {}; }

std::optional<Error> register_input(const std::string& path, const std::string& where) {
  const auto id = find_id(path);
  if (!id) return std::nullopt;
  const auto& input = roles().inputs.try_emplace(*id, where, path).first->second;
  for (const auto& output : roles().outputs)
    if (std::ranges::count(find_written(output.path), *id) > 0) return is_both(output, input);
  return std::nullopt;
}

std::optional<Error> register_output(const FileRole& output) {
  roles().outputs.push_back(output);
  return check_no_input(output);
}

std::optional<Error> check_no_input(const FileRole& output) {
  for (const FileId& id : find_written(output.path))
    if (const auto input = roles().inputs.find(id); input != roles().inputs.end())
      return is_both(output, input->second);
  return std::nullopt;
}

const std::vector<FileRole>& registered_outputs() { return roles().outputs; }

}  // namespace tutti
