// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/io_options.hpp"
#include "sim/commands/job_specs.hpp"

namespace tutti::commands {
namespace {

using job_option::output_row;

constexpr std::string_view file_group = "The file and who has what of it";
constexpr std::string_view two_phase = "Two-phase I/O";

constexpr OptionSpec all_io_specs[] = {
    job_option::platform,
    job_option::set,
    job_option::procs,
    job_option::ppn,
    {job_option::machine, "--map", "HOW",
     "block (default), round-robin, or file:PATH, as for collectives"},
    job_option::oversubscribe,
    {job_option::machine, "--force", "",
     "simulate although the memory seems too small, or the set-up too long"},
    {job_option::machine, "--engine", "NAME",
     "auto (default): simgrid for small jobs, else flow; ideal: untimed, checks the messages"},
    {job_option::machine, "--contention", "WHEN",
     "on (default); off: only the nodes' network cards; private, pooled: a card for each rank "
     "(engine flow)"},
    job_option::merge_window,
    job_option::model_only,
    {file_group, "--decomposition", "NAMES",
     "1d (default): block rows; 2d: blocks; tiles: --tile, --overlap; file:PATH: CSV with the "
     "header rank,offset,length"},
    {file_group, "--bytes-per-proc", "SIZES", "of each process, a square block; default: 64MiB"},
    {file_group, "--rows", "SIZE", "of the array, in place of --bytes-per-proc"},
    {file_group, "--cols", "SIZE", "of the array, in bytes"},
    {file_group, "--grid", "ROWSxCOLS", "of processes, where 2-D; default: the squarest"},
    {file_group, "--tile", "ROWSxCOLS", "bytes of a tile, as MPI-Tile-IO's"},
    {file_group, "--overlap", "ROWSxCOLS",
     "that neighbouring tiles share; negative: gaps; default: 0x0"},
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
    job_option::repetitions,
    job_option::skew,
    job_option::noise,
    output_row("--format", "FORMAT", "text (default), csv, json, jsonl, md"),
    job_option::output_file,
    written(output_row("--traffic", "FILE", "CSV of who sends how much to whom in the shuffle")),
    written(output_row("--aggregator-times", "FILE",
                       "CSV of what each aggregator spends: waiting for messages, at the file")),
    job_option::trace,
    job_option::trace_ranks,
    job_option::critical_path,
    job_option::no_cost,
    job_option::color,
    job_option::quiet,
    job_option::help,
};

}  // namespace

std::span<const OptionSpec> io_specs() { return all_io_specs; }

}  // namespace tutti::commands
