// SPDX-License-Identifier: BSD-3-Clause
// Option rows that the tables of all workloads of `sim run` share.
#pragma once

#include "platforms/reader.hpp"
#include "sim/base/common.hpp"
#include "sim/options/option_values.hpp"

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

// Options of every command.
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

inline constexpr OptionSpec platform = defaulting(
    "SIM_PLATFORM",
    taking(platform_names,
           {machine, "-p,--platform", "NAME",
            "SimGrid XML file, or name from `sim list platforms` (required)"
            "\nA SimGrid platform file, or a name of the catalog with or without `.xml`. An "
            "existing file takes precedence. Required, unless the environment variable "
            "SIM_PLATFORM or the key `platform` of the configuration file gives a default."}));
// Of commands that simulate points on several machines.
inline constexpr OptionSpec platforms = defaulting(
    platform.variable,
    taking(platform_names,
           {machine, platform.names, "NAMES",
            "SimGrid XML files, or names from `sim list platforms`, separated by commas (required)"
            "\nSimGrid platform files, or names of the catalog with or without `.xml`, separated "
            "by commas: every point is simulated on each of them. An existing file takes "
            "precedence. Required, unless the environment variable SIM_PLATFORM or the key "
            "`platform` of the configuration file gives a default."}));
inline constexpr OptionSpec set{
    machine, "--set", "KEY=VALUE",
    "Override a parameter of the platform, for example mpi/eager_limit=12KiB"
    "\nOverride a parameter of the platform, for example `mpi/eager_limit=12KiB`. May be given "
    "several times, once for each key; see `PLATFORM KEYS`.\nThe tunable parameters of the "
    "protocol are `mpi/eager_limit` (size), `mpi/eager_credits` (eager messages from one rank to "
    "another that the receiver has not taken out of its buffers), `mpi/fragment_size` and "
    "`mpi/pipeline_depth` (size of a long message's fragments, and how many are prepared or in "
    "flight at once); `mpi/fragment_overhead` is the cost of preparing a fragment. With "
    "`mpi/intra_` they apply inside a node, where fragments are copied through shared memory. All "
    "but the first are off by default.",
    true};
inline constexpr std::string_view background_words = "all-to-all: jobs:";
inline constexpr OptionSpec background = taking(
    background_words,
    {machine, "--background", "TRAFFIC",
     "Traffic of other jobs, which takes bandwidth of links: all-to-all:RATE, jobs:FILE (of `sim "
     "run FILE`), or a CSV file"
     "\nConstant traffic of other jobs, which takes bandwidth of the links on its paths and does "
     "not yield to the job: `all-to-all:`RATE (each node sends RATE evenly to all others), "
     "`jobs:`FILE, or a CSV file with the header source,destination,rate. The same as `--set "
     "mpi/background=`TRAFFIC."
     "\nOf `jobs:`FILE, the jobs of a file of `sim run` FILE are simulated together on the same "
     "machine, and each loads the links with its mean rate: its bytes on the link, divided by its "
     "time. Bursts are not modeled; `sim run` FILE simulates all jobs exactly. Jobs without "
     "`nodes` have the first nodes, as has the simulated job without `--nodes`: `sim run` warns if "
     "nodes are shared."});
inline constexpr OptionSpec procs{machine, "-n,--procs", "N", "Number of processes (required)"};
inline constexpr OptionSpec ppn{machine, "--ppn", "N",
                                "Processes per node; default: the platform's, else all cores"};
inline constexpr OptionSpec oversubscribe{machine, "--oversubscribe", "",
                                          "Allow more processes than cores"};

// Of all commands that place ranks; the long texts are in `sim run`.
inline constexpr OptionSpec map =
    taking(map_words, {machine, "--map", "HOW",
                       "Placement of ranks: block (default), round-robin, random:SEED, "
                       "slurm:DISTRIBUTION, hostfile:PATH, rankfile:PATH, file:PATH"});
inline constexpr OptionSpec nodes{
    machine, "--nodes", "LIST",
    "Place ranks only on these nodes: a[001-008,013],b4, 0-15,20, @FILE, @FILE#JOB"};
inline constexpr OptionSpec allocation =
    taking("fragmented:", {machine, "--allocation", "HOW",
                           "Place ranks only on nodes that a busy machine leaves free: "
                           "fragmented:P:SEED[:UNIT]"});
// The same row in a group of another name, or with another text.
constexpr OptionSpec in_group(std::string_view group, OptionSpec row) {
  row.group = group;
  return row;
}
constexpr OptionSpec with_help(std::string_view help, OptionSpec row) {
  row.help = help;
  return row;
}

inline constexpr OptionSpec verify{
    machine, "--verify", "",
    "Simulate with SimGrid too; report the difference, and fail if it is too large"
    "\nSimulate every message of every point with engine `simgrid` too, and report by how much "
    "`time_s` differs (column `verified_difference`). The exit code is 1 if it differs by more "
    "than 1e-9 and by more than the report's own estimate of its error."};

inline constexpr OptionSpec model_only{
    machine, "--model-only", "",
    "Evaluate the formulas only, without simulation; columns that need a simulation are empty"
    "\nEvaluate the formulas only (Hockney, LogGP), without simulation, for any number of "
    "processes that fits on the machine. The rows have the engine `model`, and columns that need a "
    "simulation are empty. Algorithms without a formula are skipped."};

inline constexpr std::string_view measuring = "The measurement";

inline constexpr OptionSpec repetitions{
    measuring, "--repetitions", "N",
    "Number of measured calls, with a barrier before each; without noise and random skew all are "
    "equal and one is run"
    "\nNumber of measured calls, with a (dissemination) barrier before each. Without noise and "
    "random skew all calls are equal, and one is run. Messages and bytes in the report are those "
    "of one call, without the barrier. `--traffic`, `--ranks`, `--links`, `--histogram`, `--trace` "
    "and `--critical-path` show a single call and reject several."};
inline constexpr OptionSpec benchmark = taking(
    "none osu imb pico reprompi",
    {measuring, "--benchmark", "NAME",
     "Simulate the measurement procedure of a benchmark (barriers, warm-up calls): osu, imb, pico, "
     "reprompi; default: none, a single call"
     "\nSimulate the measurement procedure of a benchmark, instead of a single call of ranks that "
     "start together (`none`, the default). Warm-up calls come first, so that the ranks start as "
     "in the middle of a run."
     "\n`osu`: OSU micro-benchmarks: the library's barrier before each call; they print the mean "
     "over the ranks (here column Avg, `time_mean_s`), which is what commands compare with "
     "measured times. `imb`: Intel MPI Benchmarks: one barrier, then back-to-back calls; the "
     "slowest rank's time per call. `pico`: HLC-Lab/pico: the library's barrier before each call; "
     "the slowest rank's time of the median call. `reprompi`: ReproMPI: as pico, but with its own "
     "dissemination barrier."
     "\nThe library's barrier is the algorithm that Open MPI 4.1's rules choose. On machines with "
     "`mpi/arrival_skew`, where a barrier comes before each call and neither `--skew` nor "
     "`--noise` is given, ranks arrive at each of five calls (`--repetitions`) with random delays, "
     "the same ones in each run. Options that show a single call (traffic, trace, links, ...) are "
     "rejected."});
inline constexpr OptionSpec skew =
    taking("none uniform: exponential: file:",
           {measuring, "--skew", "HOW",
            "Delay of each rank's arrival at a call: none (default), uniform:TIME[:SEED], "
            "exponential:TIME[:SEED], file:PATH (CSV with the header rank,seconds)"
            "\nDelay of each rank's arrival at a call: `none` (default), `uniform:`TIME[:SEED]`,` "
            "`exponential:`TIME[:SEED] or `file:`PATH (CSV with the header rank,seconds). A rank's "
            "latency counts from its own arrival."});
inline constexpr OptionSpec noise = taking(
    "none multiplicative: additive:",
    {measuring, "--noise", "HOW",
     "Lengthen each piece of a rank's local work by a random (exponential) amount: none (default), "
     "multiplicative:FRACTION[:SEED] (0.05 or 5%), additive:TIME[:SEED]"
     "\nLengthen each piece of a rank's local work (overheads, copies, operations): `none` "
     "(default); `multiplicative:`PART[:SEED]: by PART (0.05, or 5%) times an exponentially "
     "distributed number of mean 1; `additive:`TIME[:SEED]: by TIME times such a number."});

inline constexpr OptionSpec trace = written(output_row(
    "--trace", "FILE",
    "Write a JSON trace of ranks and messages for Perfetto or chrome://tracing; for a single point"
    "\nWrite the activity of ranks and their messages in Chrome's trace event format, which "
    "Perfetto opens; see `FILES`. For a single point only."));
inline constexpr OptionSpec trace_ranks = output_row(
    "--trace-ranks", "RANKS", "Ranks to trace, for example 0-15,20; default: the first 64");
inline constexpr OptionSpec critical_path =
    output_row("--critical-path", "",
               "Report the critical path after the results (text, json, jsonl); for a single point"
               "\nReport the critical path, see `CRITICAL PATH`. For a single point, in the "
               "formats `text`, `json` and `jsonl`.");

inline constexpr OptionSpec output_file = written(output_row(
    "-o,--output", "FILE",
    "Write to this file; the extension chooses the format; - is standard output"
    "\nWrite the report to this file. Without `--format` the extension chooses the format (`.txt`, "
    "`.csv`, `.json`, `.jsonl`, `.osu`, `.md`). The file is replaced atomically, when the report "
    "is complete, and keeps its permissions. A file that the command reads, under any name, cannot "
    "be an output, and two options cannot write the same file. `-` is standard output; a file of "
    "that name is `./-`. Output to `/dev/stdout` and other descriptors is appended."));
inline constexpr OptionSpec provenance = taking(
    "sidecar comments none",
    output_row("--provenance", "WHERE",
               "Provenance of a CSV: sidecar (default; FILE.csv.json), comments, none"
               "\nWhere to write versions, command, platform and failed points of a CSV: `sidecar` "
               "(default) writes them as JSON to FILE.csv.json next to FILE.csv, and omits them on "
               "standard output; `comments` prints them above the header, in lines that start with "
               "`#`; `none` omits them."));
inline constexpr OptionSpec no_cost = output_row(
    "--no-cost", "",
    "Omit wall time and memory of the simulation, so that output is reproducible byte for byte"
    "\nOmit wall time and memory of the simulation itself, so that the same command gives the same "
    "output byte for byte.");
inline constexpr OptionSpec color = output_row(color_option);
inline constexpr OptionSpec quiet = output_row(quiet_option);
inline constexpr OptionSpec help = output_row(help_option);

}  // namespace tutti::options::shared
