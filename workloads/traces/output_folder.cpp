// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/output_folder.hpp"

#include <system_error>

namespace tutti::workloads::traces {

namespace fs = std::filesystem;

std::optional<Error> make_output_folder(const std::string& folder) {
  std::error_code error;
  if (fs::exists(folder, error) &&
      (!fs::is_directory(folder, error) || !fs::is_empty(folder, error)))
    return make_error(ErrorKind::usage, folder, "there is something already",
                      "name a folder that does not exist, or an empty one");
  fs::create_directories(folder, error);
  if (error)
    return make_error(ErrorKind::io, folder, "the folder cannot be made: " + error.message());
  return std::nullopt;
}

}  // namespace tutti::workloads::traces
