// SPDX-License-Identifier: BSD-3-Clause
// sim platform SUBCOMMAND: inspects and creates machines.
#pragma once

#include "platforms/machine.hpp"
#include "platforms/writer/platform_file.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"

namespace tutti::commands {

extern const Subcommand platform_check;
extern const Subcommand platform_new;
extern const Subcommand platform_from_slurm;

// A platform file to be written: everything but the shape of the network.
struct NewPlatform {
  platforms::PlatformFile file;
  std::string command;

  NewPlatform() {
    file.bandwidth = "12.5GBps";
    file.latency = "100ns";
    file.cores = 16;
  }
};
// Bandwidth, latency, cores, --like, --output, and the options of every command.
options::OptionTable<NewPlatform> new_platform_options();
// Checks and writes the file; prints a summary.
Result<int> write_new_platform(NewPlatform& request, const OptionValues& parsed,
                               const Diagnostics& diagnostics);

// The option --set of the subcommands.
inline constexpr OptionSpec set_option{option_group, "--set", "KEY=VALUE",
                                       "Override a parameter, for example mpi/eager_limit=12KiB",
                                       true};

// The machine that the first of `arguments` arguments names; prints its warnings.
Result<platforms::Machine> load_named_machine(const OptionValues& parsed,
                                              const Diagnostics& diagnostics,
                                              std::size_t arguments = 1);

}  // namespace tutti::commands
