// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/io_options.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view machine = "The machine and the job";
constexpr std::string_view file = "The file and who has what of it";
constexpr std::string_view two_phase = "Two-phase I/O";
constexpr std::string_view output = "Output";

constexpr OptionSpec specs[] = {
    {machine, "--platform", "NAME",
     "a SimGrid XML file, or a name of `sim list platforms` (required)"},
    {machine, "--set", "KEY=VALUE", "overrides a parameter of the platform: mpi/eager_limit=12KiB",
     true},
    {machine, "--procs", "N", "number of processes (required)"},
    {machine, "--ppn", "N", "processes per node; default: the platform's, else all cores"},
    {machine, "--map", "HOW", "block (default), round-robin, or file:PATH, as for collectives"},
    {machine, "--oversubscribe", "", "allow more processes than cores"},
    {machine, "--force", "",
     "simulate although the memory seems too small, or the set-up too long"},
    {machine, "--engine", "NAME",
     "auto (default): simgrid for small jobs, else flow; ideal: untimed, checks the messages"},
    {machine, "--contention", "WHEN", "on (default), or off: only the network cards (engine flow)"},
    {file, "--decomposition", "NAMES",
     "1d (default): block rows; 2d: blocks; tiles: --tile, --overlap; file:PATH: CSV with the "
     "header rank,offset,length"},
    {file, "--bytes-per-proc", "SIZES", "of each process, a square block; default: 64MiB"},
    {file, "--rows", "SIZE", "of the array, in place of --bytes-per-proc"},
    {file, "--cols", "SIZE", "of the array, in bytes"},
    {file, "--grid", "ROWSxCOLS", "of processes, where 2-D; default: the squarest"},
    {file, "--tile", "ROWSxCOLS", "bytes of a tile, as MPI-Tile-IO's"},
    {file, "--overlap", "ROWSxCOLS", "that neighbouring tiles share; negative: gaps; default: 0x0"},
    {two_phase, "--implementation", "NAMES",
     "generic (default), vulcan, dynamic_gen2, two_phase, romio; all"},
    {two_phase, "--partitioning", "NAMES",
     "file domains of generic: even (default), or static: units dealt out round robin"},
    {two_phase, "--aggregators", "N",
     "a list of numbers, auto (default: Open MPI's rule), per-node"},
    {two_phase, "--aggregator-placement", "HOW",
     "groups: first ranks of groups; spread: rank i P / A; first: ranks 0 ..; nodes: over the "
     "nodes; file:PATH: a rank a line; default: the implementation's"},
    {two_phase, "--buffer-size", "SIZES", "the collective buffer; default: 32MiB"},
    {two_phase, "--stripe-size", "SIZES",
     "unit of static domains; default: generic the buffer, dynamic_gen2 the storage's stripe or "
     "64KiB"},
    {two_phase, "--align", "SIZE", "even domains (generic, ROMIO's) end at its multiples"},
    {two_phase, "--setup", "WHEN",
     "on: the collectives that Open MPI and ROMIO do first are simulated too (default where there "
     "are any); off"},
    {two_phase, "--storage", "SPEC",
     "none (default: the shuffle alone), or servers behind the network: targets=N,bandwidth=RATE, "
     "and of stripe=SIZE, request=TIME, lock=SIZE, lock_penalty=TIME, read_bandwidth=RATE, "
     "threads=N, network=RATE what is wanted, with commas between"},
    {two_phase, "--extrapolate", "WHEN",
     "auto (default): cycles that repeat exactly are simulated once; jobs that are too large are "
     "sampled, and told so; off: all cycles"},
    {output, "--format", "FORMAT", "text (default), csv, json, jsonl, md", false, false},
    {output, "-o,--output", "FILE",
     "write there; the extension chooses the format; - is standard output", false, false},
    {output, "--traffic", "FILE", "CSV of who sends how much to whom in the shuffle", false, false},
    {output, "--no-cost", "",
     "leave out wall time and memory of the simulation: the same command gives the same bytes",
     false, false},
    {output, "--color", "WHEN", "colour messages: auto (default), always, never", false, false},
    {output, "-q,--quiet", "", "no progress, no warnings", false, false},
    {output, "-h,--help", "", "print this and stop", false, false},
};

}  // namespace

std::span<const OptionSpec> io_specs() { return specs; }

}  // namespace tutti::commands
