// SPDX-License-Identifier: BSD-3-Clause
// sim store check: whether stores are whole.
#include <fmt/format.h>

#include "sim/base/counted.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/commands/store.hpp"
#include "sim/store/store.hpp"

namespace tutti::commands {
namespace {

constexpr OptionSpec store_check_specs[] = {color_option, quiet_option, help_option};

Result<store::StoreSize> size_of(const std::string& path) {
  const auto opened = store::Store::open(path, store::Store::Access::read);
  return opened ? opened->verify() : Result<store::StoreSize>(opened.errors());
}

Result<int> check_store(const std::string& path) {
  const auto size = TUTTI_TRY(size_of(path));
  return print(
      fmt::format("{}: whole, {} of {}\n", printable(path), counted(size.points, "point"),
                  size.studies == 1 ? "1 study" : fmt::format("{} studies", size.studies)));
}

Result<int> run_store_check(const OptionValues& parsed, const Diagnostics& diagnostics) {
  if (parsed.arguments.empty()) return usage_error("", "which stores?");
  int worst = exit_done;
  for (const auto& path : parsed.arguments) {
    const auto checked = check_store(path);
    const int code = checked ? *checked : diagnostics.fail(checked.errors());
    if (worst == exit_done) worst = code;
  }
  return worst;
}

}  // namespace

const Subcommand store_check{
    .usage = "check FILE...",
    .summary = "whether stores are whole",
    .help =
        "Reads everything: the file's pages, every point and its checksum, the number of points, "
        "the studies. Says how many there are; the exit code is 3 if a store is damaged. A store "
        "that is being written may be checked.",
    .specs = store_check_specs,
    .run = run_store_check};

}  // namespace tutti::commands
