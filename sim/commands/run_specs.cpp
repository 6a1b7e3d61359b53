// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/io_options.hpp"
#include "sim/commands/job_specs.hpp"
#include "sim/commands/pair_options.hpp"
#include "sim/commands/run_options.hpp"

namespace tutti::commands {
namespace {

using job_option::output_row;

constexpr std::string_view collective_group = "The collective";

constexpr OptionSpec all_run_specs[] = {
    job_option::platform,
    job_option::set,
    job_option::procs,
    job_option::ppn,
    {job_option::machine, "--map", "HOW",
     "block (default) fills a node, then the next; round-robin deals the ranks out; file:PATH "
     "reads lines of rank,node under a header; a node is a host's name, or its number from 0"},
    job_option::oversubscribe,
    {job_option::machine, "--force", "", "simulate although the memory seems too small"},
    {job_option::machine, "--engine", "NAME",
     "auto (default): simgrid for small jobs, else flow; both are timed, with shared links, and "
     "agree; ideal: untimed, checks the messages"},
    {job_option::machine, "--contention", "WHEN",
     "on (default): messages share every link; off: only the network cards of their nodes, and "
     "inside a node the ranks' cores; private, pooled: a card for each rank, its own or all "
     "those of a node together (engine flow)"},
    job_option::merge_window,
    {job_option::machine, "--runs", "N",
     "of a job whose time depends on picoseconds of its start: N starts are simulated, the median "
     "is reported, with the spread; default: 7"},
    {job_option::machine, "--exact-start", "",
     "all ranks start at exactly one time, whatever course this leads to"},
    {job_option::machine, "--extrapolate", "WHEN",
     "auto (default): of calls with about as many steps as ranks (a million messages and more) "
     "some "
     "steps are simulated; how many, and an estimate of the error, is told; off: all steps"},
    job_option::model_only,
    {collective_group, "--algorithm", "NAMES",
     "a list of names, all, auto (default: Open MPI 4.1's choice), auto:ompi-3.1, auto:rules=FILE "
     "(Open MPI's dynamic rules), auto:best (all compete, with segments and fan-outs unless they "
     "are given), or "
     "hierarchical:inter=NAME,intra=NAME,group=node|N"},
    {collective_group, "--profile", "DIR",
     "run the sizes that PGMPITuneLib's profiles (DIR/*.prf) name as their mock-ups, where "
     "--algorithm is auto or has rules"},
    {collective_group, "--message-buffer", "SIZE",
     "of the library, in each process; default: 100000000 B"},
    {collective_group, "--int-buffer", "SIZE", "the same for count vectors; default: 200000 B"},
    {collective_group, "--message-size", "SIZES", "bytes; default: 1 B to 1 MiB, doubling"},
    {collective_group, "--segment-size", "SIZES", "bytes; 0 (default): not segmented"},
    {collective_group, "--radix,--fanout", "N",
     "number of chains, or radix of knomial; default: 4, as Open MPI's"},
    {collective_group, "--max-requests", "N",
     "at most so many requests at once, where the algorithm limits them; 0 (default): no limit"},
    {collective_group, "--counts", "HOW",
     "blocks of the v collectives and of reduce_scatter: equal (default), linear (none for rank 0, "
     "twice the mean for the last), random:SEED, file:PATH (rank,bytes under a header)"},
    {collective_group, "--non-commutative", "",
     "the operation of a reduction needs its operands in order"},
    {collective_group, "--root", "N", "rank of the root, from 0 (default)"},
    {collective_group, "--element-bytes", "SIZE", "size of the datatype; default: 1"},
    job_option::repetitions,
    job_option::benchmark,
    job_option::skew,
    job_option::noise,
    output_row("--format", "FORMAT", "text (default), csv, json, jsonl, osu, md"),
    job_option::output_file,
    written(output_row("--traffic", "FILE", "CSV of who sends how much to whom")),
    written(output_row("--ranks", "FILE", "CSV of each rank's node and times; for a single point")),
    written(output_row("--links", "FILE",
                       "CSV of what each link carries: bytes, utilisation, peak flows")),
    written(output_row("--histogram", "FILE", "CSV of messages by size, path and protocol")),
    job_option::trace,
    job_option::trace_ranks,
    job_option::critical_path,
    job_option::no_cost,
    job_option::color,
    job_option::quiet,
    job_option::output_row("--confidence", "",
                           "shows between which times nine of ten measured ones lie, where the "
                           "platform's accuracy was measured (accuracy/COLLECTIVE)"),
    {job_option::output, "-v,--verbose", "", "tell about every point", true, false},
    job_option::help,
};

}  // namespace

std::span<const OptionSpec> run_specs() { return all_run_specs; }

std::span<const OptionSpec> specs_of_workload(std::string_view workload) {
  if (workload == "loggp") return loggp_specs();
  if (workload == "pingpong") return ping_pong_specs();
  return workload == "write" || workload == "read" ? io_specs() : run_specs();
}

}  // namespace tutti::commands
