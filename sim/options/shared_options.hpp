// SPDX-License-Identifier: BSD-3-Clause
// Option rows that the tables of all workloads of `sim run` share.
#pragma once

#include "platforms/reader.hpp"
#include "sim/base/common.hpp"
#include "sim/options/option_values.hpp"
#include "sim/options/shared_options.help.hpp"

namespace tutti::options {

// The machine that --platform and --set describe.
struct MachineRequest {
  std::string platform;  // as given
  std::vector<platforms::Override> overrides;
};

// Names of the platforms in the catalog; empty if there is no catalog.
std::vector<std::string> platform_names();
// Keys of --set with their equals sign: "mpi/eager_limit=", ...
std::vector<std::string> assigned_keys();

}  // namespace tutti::options

namespace tutti::options::shared {

inline constexpr std::string_view map_words =
    "block round-robin random: slurm:block slurm:cyclic slurm:plane= slurm:arbitrary= hostfile: "
    "rankfile: file:";
inline constexpr std::string_view contention_words = "on off private pooled";
inline constexpr std::string_view selection_words = "auto auto:ompi-3.1 auto:rules= hardware";

// The options of every command.
inline constexpr std::string_view option_group = "Options";
inline constexpr OptionSpec color_option =
    taking("auto always never",
           {option_group, "--color", "WHEN", "Color messages: auto (default), always, never"});
inline constexpr OptionSpec quiet_option{option_group, "-q,--quiet", "",
                                         "Print no progress and no warnings"};
inline constexpr OptionSpec help_option{option_group, "-h,--help", "", "Print this help and exit"};

inline constexpr std::string_view machine = "The machine and the job";
inline constexpr std::string_view output = "Output";

// An option that affects only how or where the result is shown, not the result.
constexpr OptionSpec output_row(std::string_view names, std::string_view value,
                                std::string_view help) {
  return {output, names, value, help, false, false};
}
constexpr OptionSpec output_row(const OptionSpec& row) {
  return taking(row.words, output_row(row.names, row.value, row.help));
}

inline constexpr OptionSpec platform =
    defaulting("SIM_PLATFORM", taking(platform_names, {machine, "-p,--platform", "NAME",
                                                       texts::shared_options["--platform"]}));
// The option --platform of commands that simulate points on several machines.
inline constexpr OptionSpec platforms = defaulting(
    platform.variable, taking(platform_names, {machine, platform.names, "NAMES",
                                               texts::shared_options["--platform of several"]}));
inline constexpr OptionSpec set{machine, "--set", "KEY=VALUE", texts::shared_options["--set"],
                                true};
inline constexpr std::string_view background_words = "all-to-all: jobs:";
inline constexpr OptionSpec background = taking(
    background_words, {machine, "--background", "TRAFFIC", texts::shared_options["--background"]});
inline constexpr OptionSpec procs{machine, "-n,--procs", "N", "Number of processes (required)"};
inline constexpr OptionSpec ppn{machine, "--ppn", "N",
                                "Processes per node; default: the platform's, else all cores"};
inline constexpr OptionSpec oversubscribe{machine, "--oversubscribe", "",
                                          "Allow more processes than cores"};

// The options of all commands that place ranks; the long texts are in `sim run`.
inline constexpr OptionSpec map =
    taking(map_words, {machine, "--map", "HOW", texts::shared_options["--map"]});
inline constexpr OptionSpec nodes{
    machine, "--nodes", "LIST",
    "Place ranks only on these nodes: a[001-008,013],b4, 0-15,20, @FILE, @FILE#JOB"};
inline constexpr OptionSpec allocation =
    taking("fragmented:", {machine, "--allocation", "HOW", texts::shared_options["--allocation"]});
// These functions return the row in another group, or with another text.
constexpr OptionSpec in_group(std::string_view group, OptionSpec row) {
  row.group = group;
  return row;
}
constexpr OptionSpec with_help(std::string_view help, OptionSpec row) {
  row.help = help;
  return row;
}

inline constexpr OptionSpec verify =
    needing({.simulation = true}, {machine, "--verify", "", texts::shared_options["--verify"]});

inline constexpr OptionSpec model_only = needing(
    {.own_call = true}, {machine, "--model-only", "", texts::shared_options["--model-only"]});

inline constexpr std::string_view measuring = "The measurement";

inline constexpr OptionSpec repetitions =
    needing({.simulation = true, .times = true},
            {measuring, "--repetitions", "N", texts::shared_options["--repetitions"]});
inline constexpr OptionSpec benchmark =
    needing({.simulation = true, .times = true},
            taking("none osu imb pico reprompi",
                   {measuring, "--benchmark", "NAME", texts::shared_options["--benchmark"]}));
inline constexpr OptionSpec skew =
    needing({.simulation = true, .times = true},
            taking("none uniform: exponential: file:",
                   {measuring, "--skew", "HOW", texts::shared_options["--skew"]}));
inline constexpr OptionSpec noise =
    needing({.simulation = true, .times = true},
            taking("none multiplicative: additive:",
                   {measuring, "--noise", "HOW", texts::shared_options["--noise"]}));

inline constexpr OptionSpec trace =
    needing({.simulation = true, .times = true, .one_call = true},
            written(output_row("--trace", "FILE", texts::shared_options["--trace"])));
inline constexpr OptionSpec trace_ranks = output_row(
    "--trace-ranks", "RANKS", "Ranks to trace, for example 0-15,20; default: the first 64");
inline constexpr OptionSpec critical_path =
    needing({.simulation = true, .times = true, .one_call = true},
            output_row("--critical-path", "", texts::shared_options["--critical-path"]));

inline constexpr OptionSpec output_file =
    written(output_row("-o,--output", "FILE", texts::shared_options["--output"]));
inline constexpr OptionSpec provenance =
    taking("sidecar comments none",
           output_row("--provenance", "WHERE", texts::shared_options["--provenance"]));
inline constexpr OptionSpec no_cost =
    output_row("--no-cost", "", texts::shared_options["--no-cost"]);
inline constexpr OptionSpec color = output_row(color_option);
inline constexpr OptionSpec quiet = output_row(quiet_option);
inline constexpr OptionSpec help = output_row(help_option);

}  // namespace tutti::options::shared
