// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/run_options.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view machine = "The machine and the job";
constexpr std::string_view collective = "The collective";
constexpr std::string_view measuring = "The measurement";
constexpr std::string_view output = "Output";

constexpr OptionSpec specs[] = {
    {machine, "--platform", "NAME",
     "a SimGrid XML file, or a name of `sim list platforms` (required)"},
    {machine, "--set", "KEY=VALUE", "overrides a parameter of the platform: mpi/eager_limit=12KiB",
     true},
    {machine, "--procs", "N", "number of processes (required)"},
    {machine, "--ppn", "N", "processes per node; default: the platform's, else all cores"},
    {machine, "--map", "HOW",
     "block (default) fills a node, then the next; round-robin deals the ranks out; file:PATH "
     "reads lines of rank,node under a header; a node is a host's name, or its number from 0"},
    {machine, "--oversubscribe", "", "allow more processes than cores"},
    {machine, "--force", "", "simulate although the memory seems too small"},
    {machine, "--engine", "NAME",
     "auto (default): simgrid for small jobs, else flow; both are timed, with shared links, and "
     "agree; ideal: untimed, checks the messages"},
    {machine, "--contention", "WHEN",
     "on (default): messages share every link; off: only the network cards of their nodes, and "
     "inside a node the ranks' cores (engine flow)"},
    {machine, "--merge-window", "PART",
     "approximate: a transfer ends at once if its rate changes when this part of its bytes, as "
     "1e-4, or less is missing; where small causes have large effects, times move by far more "
     "than that (engine flow); default: 0"},
    {collective, "--algorithm", "NAMES",
     "a list of names, all, auto (default: Open MPI 4.1's choice), auto:ompi-3.1, auto:rules=FILE "
     "(Open MPI's dynamic rules), auto:best (all compete, with their default "
     "parameters unless others are given), or "
     "hierarchical:inter=NAME,intra=NAME,group=node|N"},
    {collective, "--message-size", "SIZES", "bytes; default: 1 B to 1 MiB, doubling"},
    {collective, "--segment-size", "SIZES", "bytes; 0 (default): not segmented"},
    {collective, "--radix,--fanout", "N",
     "number of chains, or radix of knomial; default: Open MPI's"},
    {collective, "--max-requests", "N",
     "at most so many requests at once, where the algorithm limits them; 0 (default): no limit"},
    {collective, "--counts", "HOW",
     "blocks of the v collectives and of reduce_scatter: equal (default), linear (none for rank 0, "
     "twice the mean for the last), random:SEED, file:PATH (rank,bytes under a header)"},
    {collective, "--non-commutative", "",
     "the operation of a reduction needs its operands in order"},
    {collective, "--root", "N", "rank of the root, from 0 (default)"},
    {collective, "--element-bytes", "SIZE", "size of the datatype; default: 1"},
    {measuring, "--repetitions", "N",
     "measured calls, with a barrier before each; one is run where all are equal (no noise, no "
     "random skew); what shows one call (--traffic, --trace, ...) refuses several"},
    {measuring, "--skew", "HOW",
     "how much later than it could each rank arrives: none (default), uniform:TIME[:SEED], "
     "exponential:TIME[:SEED], file:PATH (rank,seconds under a header)"},
    {measuring, "--noise", "HOW",
     "prolongs each piece of a rank's own work by a random (exponential) amount: none (default), "
     "multiplicative:PART[:SEED], additive:TIME[:SEED]"},
    {output, "--format", "FORMAT", "text (default), csv, json, jsonl, osu, md", false, false},
    {output, "-o,--output", "FILE",
     "write there; the extension chooses the format; - is standard output", false, false},
    {output, "--traffic", "FILE", "CSV of who sends how much to whom", false, false},
    {output, "--ranks", "FILE", "CSV of each rank's node and times; for a single point", false,
     false},
    {output, "--links", "FILE", "CSV of what each link carries: bytes, utilisation, peak flows",
     false, false},
    {output, "--histogram", "FILE", "CSV of messages by size, path and protocol", false, false},
    {output, "--trace", "FILE",
     "JSON of what ranks do and send, for Perfetto or chrome://tracing; for a single point", false,
     false},
    {output, "--trace-ranks", "RANKS", "those of --trace, as in 0-15,20; default: the first 64",
     false, false},
    {output, "--critical-path", "",
     "what the end depended on, behind the report (text, json, jsonl); for a single point", false,
     false},
    {output, "--no-cost", "",
     "leave out wall time and memory of the simulation: the same command gives the same bytes",
     false, false},
    {output, "--color", "WHEN", "colour messages: auto (default), always, never", false, false},
    {output, "-q,--quiet", "", "no progress, no warnings", false, false},
    {output, "-v,--verbose", "", "tell about every point", true, false},
    {output, "-h,--help", "", "print this and stop", false, false},
};

}  // namespace

std::span<const OptionSpec> run_specs() { return specs; }

}  // namespace tutti::commands
