// SPDX-License-Identifier: BSD-3-Clause
// Rows that the options' tables of all workloads of `sim run` have in common.
#pragma once

#include "platforms/reader.hpp"
#include "sim/base/common.hpp"
#include "sim/options/option_values.hpp"

namespace tutti::options {

// The machine that --platform and --set ask for.
struct MachineRequest {
  std::string platform;  // as given
  std::vector<platforms::Override> overrides;
};

}  // namespace tutti::options

namespace tutti::options::shared {

// Of every command.
inline constexpr std::string_view option_group = "Options";
inline constexpr OptionSpec color_option{option_group, "--color", "WHEN",
                                         "colour messages: auto (default), always, never"};
inline constexpr OptionSpec quiet_option{option_group, "-q,--quiet", "",
                                         "no progress, no warnings"};
inline constexpr OptionSpec help_option{option_group, "-h,--help", "", "print this and stop"};
inline constexpr OptionSpec text_json_option{option_group, "--format", "FORMAT",
                                             "text (default) or json"};

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

inline constexpr OptionSpec merge_window{
    machine, "--merge-window", "PART",
    "approximate: a transfer ends at once if its rate changes when this part of its bytes, as "
    "1e-4, or less is missing; where small causes have large effects, times move by far more "
    "than that (engine flow); default: 0"};

inline constexpr OptionSpec model_only{
    machine, "--model-only", "",
    "formulas alone: nothing is simulated, and what only a simulation knows is empty"};

inline constexpr std::string_view measuring = "The measurement";

inline constexpr OptionSpec repetitions{
    measuring, "--repetitions", "N",
    "measured calls, with a barrier before each; one is run where all are equal (no noise, no "
    "random skew); what shows one call (--traffic, --trace, ...) refuses several"};
inline constexpr OptionSpec benchmark{
    measuring, "--benchmark", "NAME",
    "simulates how a benchmark measures (barriers, calls before those that are timed): osu, imb, "
    "pico, reprompi; default: none, the bare call"};
inline constexpr OptionSpec skew{
    measuring, "--skew", "HOW",
    "how much later than it could each rank arrives: none (default), uniform:TIME[:SEED], "
    "exponential:TIME[:SEED], file:PATH (rank,seconds under a header)"};
inline constexpr OptionSpec noise{
    measuring, "--noise", "HOW",
    "prolongs each piece of a rank's own work by a random (exponential) amount: none (default), "
    "multiplicative:PART[:SEED] (0.05 or 5%), additive:TIME[:SEED]"};

inline constexpr OptionSpec trace = written(output_row(
    "--trace", "FILE",
    "JSON of what ranks do and send, for Perfetto or chrome://tracing; for a single point"));
inline constexpr OptionSpec trace_ranks =
    output_row("--trace-ranks", "RANKS", "those of --trace, as in 0-15,20; default: the first 64");
inline constexpr OptionSpec critical_path = output_row(
    "--critical-path", "",
    "what the end depended on, behind the report (text, json, jsonl); for a single point");

inline constexpr OptionSpec output_file = written(output_row(
    "-o,--output", "FILE", "write there; the extension chooses the format; - is standard output"));
inline constexpr OptionSpec no_cost = output_row(
    "--no-cost", "",
    "leave out wall time and memory of the simulation: the same command gives the same bytes");
inline constexpr OptionSpec color = output_row(color_option);
inline constexpr OptionSpec quiet = output_row(quiet_option);
inline constexpr OptionSpec help = output_row(help_option);

}  // namespace tutti::options::shared
