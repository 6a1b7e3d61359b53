// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/store.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "sim/base/error_list.hpp"
#include "sim/base/rounded_bytes.hpp"
#include "sim/commands/shapes.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const store_subcommands[] = {
    &store_check,
    &store_info,
    &store_merge,
    &store_gc,
};

constexpr SubcommandGroup store_group{
    .command = "store",
    .help = "Looks after stores: the files that `sim sweep` keeps its results in.",
    .subcommands = store_subcommands};

}  // namespace

Result<std::string> store_argument(const OptionValues& parsed) {
  if (parsed.arguments.size() == 1 && !parsed.arguments.front().empty())
    return parsed.arguments.front();
  return usage_error("", "one store is needed, the file of a `sim sweep`");
}

std::string file_size_of(const std::string& path) {
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(path, failed);
  return failed ? "unknown size" : rounded_bytes(static_cast<double>(bytes));
}

const Command store_command{
    .name = "store", .summary = "look after stores of results", .group = &store_group};

}  // namespace tutti::commands
