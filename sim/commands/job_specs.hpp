// SPDX-License-Identifier: BSD-3-Clause
// Rows that the options' tables of all workloads of `sim run` have in common.
#pragma once

#include "sim/commands/subcommand.hpp"

namespace tutti::commands::job_option {

inline constexpr std::string_view machine = "The machine and the job";
inline constexpr std::string_view output = "Output";

// Says only how or where the result is shown.
constexpr OptionSpec output_row(std::string_view names, std::string_view value,
                                std::string_view help) {
  return {output, names, value, help, false, false};
}
constexpr OptionSpec output_row(const OptionSpec& row) {
  return output_row(row.names, row.value, row.help);
}

inline constexpr OptionSpec platform{
    machine, "--platform", "NAME",
    "a SimGrid XML file, or a name of `sim list platforms` (required)"};
inline constexpr OptionSpec set{machine, "--set", "KEY=VALUE",
                                "overrides a parameter of the platform: mpi/eager_limit=12KiB",
                                true};
inline constexpr OptionSpec procs{machine, "--procs", "N", "number of processes (required)"};
inline constexpr OptionSpec ppn{machine, "--ppn", "N",
                                "processes per node; default: the platform's, else all cores"};
inline constexpr OptionSpec oversubscribe{machine, "--oversubscribe", "",
                                          "allow more processes than cores"};

inline constexpr OptionSpec model_only{
    machine, "--model-only", "",
    "formulas alone: nothing is simulated, and what only a simulation knows is empty"};

inline constexpr OptionSpec output_file = written(output_row(
    "-o,--output", "FILE", "write there; the extension chooses the format; - is standard output"));
inline constexpr OptionSpec no_cost = output_row(
    "--no-cost", "",
    "leave out wall time and memory of the simulation: the same command gives the same bytes");
inline constexpr OptionSpec color = output_row(color_option);
inline constexpr OptionSpec quiet = output_row(quiet_option);
inline constexpr OptionSpec help = output_row(help_option);

}  // namespace tutti::commands::job_option
