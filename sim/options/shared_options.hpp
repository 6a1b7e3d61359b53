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

// Of the catalog; empty where there is none.
std::vector<std::string> platform_names();
// "mpi/eager_limit=", ...
std::vector<std::string> assigned_keys();

}  // namespace tutti::options

namespace tutti::options::shared {

inline constexpr std::string_view map_words = "block round-robin file:";
inline constexpr std::string_view contention_words = "on off private pooled";
inline constexpr std::string_view selection_words = "auto auto:ompi-3.1 auto:rules= hardware";

// Of every command.
inline constexpr std::string_view option_group = "Options";
inline constexpr OptionSpec color_option =
    taking("auto always never",
           {option_group, "--color", "WHEN", "colour messages: auto (default), always, never"});
inline constexpr OptionSpec quiet_option{option_group, "-q,--quiet", "",
                                         "no progress, no warnings"};
inline constexpr OptionSpec help_option{option_group, "-h,--help", "", "print this and stop"};

inline constexpr std::string_view machine = "The machine and the job";
inline constexpr std::string_view output = "Output";

// Says only how or where the result is shown.
constexpr OptionSpec output_row(std::string_view names, std::string_view value,
                                std::string_view help) {
  return {output, names, value, help, false, false};
}
constexpr OptionSpec output_row(const OptionSpec& row) {
  return taking(row.words, output_row(row.names, row.value, row.help));
}

inline constexpr OptionSpec platform = defaulting(
    "SIM_PLATFORM",
    taking(
        platform_names,
        {machine, "-p,--platform", "NAME",
         "a SimGrid XML file, or a name of `sim list platforms` (required)"
         "\nA SimGrid platform file, or a name of the catalog with or without `.xml`. A file that "
         "exists wins. Required, unless the environment variable SIM_PLATFORM or the key "
         "`platform` of "
         "the configuration file gives a default."}));
inline constexpr OptionSpec set{
    machine, "--set", "KEY=VALUE",
    "overrides a parameter of the platform: mpi/eager_limit=12KiB"
    "\nOverride a parameter of the platform, as in `mpi/eager_limit=12KiB`. May be given several "
    "times, once for each key, see `PLATFORM KEYS`.\nOf the message protocol one tunes "
    "`mpi/eager_limit` (size), `mpi/eager_credits` (eager messages from one rank to another that "
    "the receiver has not taken out of its buffers), `mpi/fragment_size` and `mpi/pipeline_depth` "
    "(the fragments of a long message, and how many are prepared or move at once); "
    "`mpi/fragment_overhead` is what preparing a fragment costs. With `mpi/intra_` they hold "
    "inside a node, where fragments are copied through shared memory. All but the first are off by "
    "default.",
    true};
inline constexpr OptionSpec procs{machine, "-n,--procs", "N", "Number of processes (required)"};
inline constexpr OptionSpec ppn{machine, "--ppn", "N",
                                "processes per node; default: the platform's, else all cores"};
inline constexpr OptionSpec oversubscribe{machine, "--oversubscribe", "",
                                          "allow more processes than cores"};

inline constexpr OptionSpec verify{
    machine, "--verify", "",
    "Simulate with SimGrid too; report the difference, and fail if it is too large"
    "\nSimulates every point with engine `simgrid` too, all of its messages, and reports by how "
    "much `time_s` differs (column `verified_difference`). Exit code 1 if it differs by more than "
    "1e-9 and more than the report's own estimate of its error."};
inline constexpr OptionSpec merge_window{
    machine, "--merge-window", "PART",
    "approximate: a transfer ends at once if its rate changes when this part of its bytes, as "
    "1e-4, or less is missing; where small causes have large effects, times move by far more than "
    "that (engine flow); default: 0"
    "\n(engine flow) A transfer ends at once if its rate changes when at most this part of its "
    "bytes, as 1e-4, is missing: faster and approximate, as the report says. That bounds no error: "
    "where small causes have large effects, times move by far more. 0 (default) to 0.01."};

inline constexpr OptionSpec model_only{
    machine, "--model-only", "",
    "formulas alone: nothing is simulated, and what only a simulation knows is empty"
    "\nFormulas alone (Hockney, LogGP): nothing is simulated, at any number of processes that the "
    "machine has room for. The rows have the engine `model`, and what only a simulation knows is "
    "empty; algorithms without a formula are skipped."};

inline constexpr std::string_view measuring = "The measurement";

inline constexpr OptionSpec repetitions{
    measuring, "--repetitions", "N",
    "measured calls, with a barrier before each; one is run where all are equal (no noise, no "
    "random skew); what shows one call (--traffic, --trace, ...) refuses several"
    "\nCalls that are measured, with a barrier (dissemination) before each. One is run where all "
    "are equal: without noise and random skew. Messages and bytes in the report are those of one "
    "call, without the barrier. `--traffic`, `--ranks`, `--links`, `--histogram`, `--trace` and "
    "`--critical-path` show one call and refuse several."};
inline constexpr OptionSpec benchmark = taking(
    "none osu imb pico reprompi",
    {measuring, "--benchmark", "NAME",
     "simulates how a benchmark measures (barriers, calls before those that are timed): osu, imb, "
     "pico, reprompi; default: none, the bare call"
     "\nSimulates how a benchmark measures the call, in place of the bare call of ranks that start "
     "together (`none`, the default). Calls that are not timed come first, so that the ranks begin "
     "as in the middle of a run."
     "\n`osu`: OSU micro-benchmarks: the library's barrier before each call; they print the mean "
     "over the ranks, here column Avg, time_mean_s; commands that compare with measured times take "
     "that. `imb`: Intel MPI Benchmarks: one barrier, then calls without pause; the slowest rank's "
     "time per call. `pico`: HLC-Lab/pico: the library's barrier before each call; the slowest "
     "rank's time, the median call. `reprompi`: ReproMPI: as pico, but the barrier is a "
     "dissemination of its own."
     "\nThe library's barrier is what Open MPI 4.1's rules choose. On machines with "
     "`mpi/arrival_skew`, where a barrier comes before each call and neither `--skew` nor "
     "`--noise` is given, ranks come to each of five calls (`--repetitions`) late by a random "
     "delay, always the same ones. Options that show one call (traffic, trace, links, ...) are "
     "rejected."});
inline constexpr OptionSpec skew = taking(
    "none uniform: exponential: file:",
    {measuring, "--skew", "HOW",
     "how much later than it could each rank arrives: none (default), uniform:TIME[:SEED], "
     "exponential:TIME[:SEED], file:PATH (rank,seconds under a header)"
     "\nHow much later than it could each rank arrives: `none` (default), `uniform:`TIME[:SEED]`,` "
     "`exponential:`TIME[:SEED] or `file:`PATH (CSV, header rank,seconds). A rank's latency counts "
     "from its own arrival."});
inline constexpr OptionSpec noise = taking(
    "none multiplicative: additive:",
    {measuring, "--noise", "HOW",
     "prolongs each piece of a rank's own work by a random (exponential) amount: none (default), "
     "multiplicative:PART[:SEED] (0.05 or 5%), additive:TIME[:SEED]"
     "\nProlongs each piece of a rank's own work (overheads, copies, operations): `none` "
     "(default), `multiplicative:`PART[:SEED] by PART (0.05, or 5%) times an exponentially "
     "distributed number of mean 1, `additive:`TIME[:SEED] by TIME times that."});

inline constexpr OptionSpec trace = written(output_row(
    "--trace", "FILE",
    "JSON of what ranks do and send, for Perfetto or chrome://tracing; for a single point"
    "\nWrite what ranks do and the messages from and to them in Chrome's trace event format, which "
    "Perfetto opens, see `FILES`. For a single point only."));
inline constexpr OptionSpec trace_ranks =
    output_row("--trace-ranks", "RANKS", "those of --trace, as in 0-15,20; default: the first 64");
inline constexpr OptionSpec critical_path =
    output_row("--critical-path", "",
               "what the end depended on, behind the report (text, json, jsonl); for a single point"
               "\nTell what the end depended on, see `CRITICAL PATH`. For a single point, in the "
               "formats `text`, `json` and `jsonl`.");

inline constexpr OptionSpec output_file = written(output_row(
    "-o,--output", "FILE",
    "write there; the extension chooses the format; - is standard output"
    "\nWrite the report there. Without `--format` the extension chooses (`.txt`, `.csv`, `.json`, "
    "`.jsonl`, `.osu`, `.md`). The file is replaced in one step, when the report is complete, and "
    "keeps its permissions. A file that the command reads, by whatever name, is no output; nor is "
    "one file that of two options. `-` is standard output; a file of that name is `./-`. "
    "`/dev/stdout` and other descriptors are written on, not emptied."));
inline constexpr OptionSpec no_cost = output_row(
    "--no-cost", "",
    "leave out wall time and memory of the simulation: the same command gives the same bytes"
    "\nLeave out wall time and memory of the simulation itself. Then the same command gives the "
    "same bytes.");
inline constexpr OptionSpec color = output_row(color_option);
inline constexpr OptionSpec quiet = output_row(quiet_option);
inline constexpr OptionSpec help = output_row(help_option);

}  // namespace tutti::options::shared
