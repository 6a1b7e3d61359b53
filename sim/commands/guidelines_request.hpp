// SPDX-License-Identifier: BSD-3-Clause
// What the subcommands of `sim guidelines` share: options, checks before they start, simulations.
#pragma once

#include <string>
#include <vector>

#include "sim/commands/check_run.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/job_specs.hpp"
#include "sim/studies/guidelines/comparison.hpp"

namespace tutti::commands {

namespace guidelines_option {
inline constexpr std::string_view checked = "What is checked";
inline constexpr std::string_view measuring = "How it is measured";
inline constexpr OptionSpec map{job_option::machine, "--map", "HOW",
                                "block (default), round-robin, file:PATH"};
inline constexpr OptionSpec force{job_option::machine, "--force", "",
                                  "simulate although the memory seems too small"};
inline constexpr OptionSpec collective{checked, "--collective", "NAMES",
                                       "default: all that have mock-ups"};
inline constexpr OptionSpec guideline{checked, "--guideline", "NAMES",
                                      "as in GL5,GL14; default: all, and R1 of the library"};
inline constexpr OptionSpec message_size{
    checked, "--message-size", "SIZES",
    "default: 1:1MiB, doubling; of reduce_scatter_block the whole vector"};
inline constexpr OptionSpec selection{
    checked, "--selection", "HOW",
    "who chooses the algorithms, also of the calls in mock-ups: auto (default: Open MPI 4.1), "
    "auto:ompi-3.1, auto:rules=FILE; then hardware, COLLECTIVE=ALGORITHM"};
inline constexpr OptionSpec violated{checked, "--violated-above", "PERCENT",
                                     "a mock-up must be faster by more; default: 0%"};
inline constexpr OptionSpec replaceable{
    checked, "--replaceable-from", "PERCENT",
    "faster by so much it is worth replacing the collective; default: 10%"};
inline constexpr OptionSpec noise{measuring, "--noise", "HOW",
                                  "multiplicative:PART[:SEED], additive:TIME[:SEED]"};
inline constexpr OptionSpec runs{measuring, "--runs", "N",
                                 "with noise: runs, of which the median counts; default: 5"};
inline constexpr OptionSpec repetitions{measuring, "--repetitions", "N",
                                        "with noise: calls in a run, the same; default: 20"};
inline constexpr OptionSpec engine{measuring, "--engine", "NAME", "flow (default), simgrid, auto"};
}  // namespace guidelines_option

struct GuidelinesRequest : JobRequest {
  studies::guidelines::Wish wish;  // but the selection
  std::string selection = "auto";
  studies::guidelines::Thresholds thresholds;
  int jobs = 1;
};

// All errors of the command line but those of its output. `command`: "check".
Result<GuidelinesRequest> read_guidelines(const Parsed& parsed, std::span<const OptionSpec> specs,
                                          std::string_view command);

// That something is left to compare, and that it fits the machine and the memory.
std::vector<Error> check_settings(const GuidelinesRequest& request,
                                  const platforms::Machine& machine,
                                  const std::vector<studies::guidelines::Setting>& settings);

// Fills the times.
CheckRun simulate_settings(std::vector<studies::guidelines::Setting>& settings,
                           const GuidelinesRequest& request, const platforms::Machine& machine,
                           const Diagnostics& diagnostics);

}  // namespace tutti::commands
