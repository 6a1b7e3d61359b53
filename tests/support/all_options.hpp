// SPDX-License-Identifier: BSD-3-Clause
// The option tables of all commands.
#pragma once

#include <functional>
#include <string>

#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"

namespace tutti::tests {

using VisitOptions =
    std::function<void(const commands::Arguments& path, std::span<const options::OptionSpec>)>;

// The options of every command; `path` follows "sim".
inline void for_each_table(const VisitOptions& visit) {
  for (const auto* workload : {"bcast", "write", "pingpong", "loggp", "trace"})
    visit({"run", workload}, commands::specs_of_workload(workload));
  for (const auto& command : commands::all_commands()) {
    const std::string name(command.name);
    visit({name}, command.specs());
    for (const auto* each : command.subcommands)
      visit({name, std::string(each->name())}, each->specs);
  }
}

using VisitOption =
    std::function<void(const commands::Arguments& path, const options::OptionSpec& spec)>;

inline void for_each_option(const VisitOption& visit) {
  for_each_table([&](const commands::Arguments& path, std::span<const options::OptionSpec> specs) {
    for (const auto& spec : specs) visit(path, spec);
  });
}

}  // namespace tutti::tests
