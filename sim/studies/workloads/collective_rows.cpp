// SPDX-License-Identifier: BSD-3-Clause
// The options of collectives, as rows.
#include "sim/options/shared_options.hpp"
#include "sim/studies/workloads/collective_options.hpp"

namespace tutti::studies {
namespace {

namespace shared = options::shared;
using options::AxisKind;
using options::bytes_axis;
using options::count_axis;
using options::under;
using options::within;

constexpr AxisKind root_axis{parse_integer, 0, platforms::most_procs - 1};
constexpr AxisKind starts_axis{parse_integer, StartChoice::least, StartChoice::most};

constexpr std::string_view collective_group = "The collective";

// Where the values of the sweep and of its points go.
constexpr auto swept = under(&CollectiveRequest::sweep);
constexpr auto common = under(swept(&Sweep::common));

const options::OptionTable<CollectiveRequest> collective_table{
    shared::platform,
    shared::set,
    {shared::procs, options::required("the number of processes"),
     options::list(count_axis, swept(&Sweep::procs))},
    {shared::ppn, options::list(count_axis, swept(&Sweep::ppn))},
    {shared::machine, "--map", "HOW",
     "block (default) fills a node, then the next; round-robin deals the ranks out; file:PATH "
     "reads lines of rank,node under a header; a node is a host's name, or its number from 0"
     "\n`block` (default) fills a node, then the next; `round-robin` deals the ranks out over the "
     "nodes in use; `file:`PATH reads lines of rank,node under a header of these names, see "
     "`FILES`.",
     options::takes(shared::map_words)},
    shared::oversubscribe,
    {shared::machine, "--force", "",
     "simulate although the memory seems too small"
     "\nSimulate although the memory seems too small. Without it a job that needs more than is "
     "free is refused.",
     options::flag(&CollectiveRequest::force)},
    {shared::machine, "--engine", "NAME",
     "Engine: auto (default) is flow; simgrid is SimGrid; ideal is untimed and verifies that the "
     "data arrive"
     "\nEngine of the simulation. `auto` (default) is `flow`. `flow` and `simgrid` model the same "
     "time with shared links and agree to 1e-9 (see `--verify`): `simgrid` is SimGrid, the "
     "reference; `flow` is tens of times faster and needs about 1 KiB a process instead of 16. "
     "`ideal` has no time: it verifies that the data arrive and counts the messages.",
     options::takes("auto flow simgrid ideal")},
    {shared::verify, options::flag(common(&Point::verify))},
    {shared::machine, "--contention", "WHEN",
     "on (default): messages share every link; off: only the network cards of their nodes, and "
     "inside a node the ranks' cores; private, pooled: a card for each rank, its own or all those "
     "of a node together (engine flow)"
     "\n`off` (engine flow): messages share nothing but the network cards of their nodes, the "
     "first and the last link of their routes; the other links limit each message alone. Inside a "
     "node they share the ranks' cores, where the platform limits those. `private` (engine flow): "
     "each rank has a card of its own, in and out, as LogGP assumes. `pooled` (engine flow): the "
     "ranks of a node pool these cards, of which a message takes one at most; for jobs in which "
     "everyone sends to all at once, where private takes long to simulate.",
     options::takes(shared::contention_words)},
    shared::merge_window,
    {shared::machine, "--runs", "N",
     "of a job whose time depends on picoseconds of its start: N starts are simulated, the median "
     "is reported, with the spread; default: 7"
     "\nJobs are simulated again with ranks that start up to 10 ps late, each at a random time, "
     "and, if they have at most 32,768 messages, once more up to 1 ps late. Where no rank's end "
     "differs by more than 1e-7 of the job's time (or 100 ps), the time of the common start is "
     "reported. A note says so before points of half a million messages or more. Otherwise the job "
     "depends on picoseconds of its start, which nobody controls: N starts (default: 7), of up to "
     "1, 10 and 100 ps, are simulated, and the median one is reported. Column `start_spread` is "
     "the half-width of an interval, relative to the time, that contains the times of 99 of 100 "
     "starts: the range of the N simulated times, multiplied by 1/2 + 10/N. N is odd. Algorithms "
     "are compared by the upper ends of these intervals (auto:best, `sim select rules`). Not "
     "examined are jobs of more than a million messages (130,000 with one rank a node), unless "
     "`--runs` is given, those in which each rank posts all its messages at once (linear "
     "alltoall), calls with skew, noise or `--benchmark`, and calls of which steps are left out. "
     "`--exact-start` reports the time of the common start, and examines nothing.",
     options::one(starts_axis, within(common(&Point::starts), &StartChoice::runs))},
    {shared::machine, "--exact-start", "",
     "all ranks start at exactly one time, whatever course this leads to"},
    {shared::machine, "--extrapolate", "WHEN",
     "auto (default): of calls with about as many steps as ranks (a million messages and more) "
     "some steps are simulated; how many, and an estimate of the error, is told; off: all steps"
     "\n`auto` (default): of calls with about as many steps as ranks only some steps are "
     "simulated. Rings and neighbour exchange with a million messages and more are told from their "
     "first steps by a recurrence that other steps have proven; rings whose blocks differ, as the "
     "processes do not divide the vector, with more than 100 million messages, from rings of equal "
     "blocks; pairwise exchange with more than 20 million messages from two samples. Where these "
     "may be more than 5 % off, up to 100 million messages are simulated in full; where they may "
     "be more than 50 % off, a call of more is refused, with the time that it takes. The report "
     "says how many of the steps were simulated, and an estimate of the error (columns `steps`, "
     "`simulated_steps`, `extrapolation`, `extrapolation_error`). Calls with skew or noise, and "
     "those of which more than the times is asked for (traffic, ranks, links, trace, critical "
     "path) are simulated in full; above two billion messages they are refused, with the time that "
     "they would take. `off`: all steps, whatever it takes.",
     options::choice<bool>({{"auto", true}, {"off", false}}, common(&Point::extrapolates))},
    shared::model_only,
    {collective_group, "--algorithm", "NAMES",
     "a list of names, all, auto (default: Open MPI 4.1's choice), auto:ompi-3.1, auto:rules=FILE "
     "(Open MPI's dynamic rules), auto:best (all compete, with segments and fan-outs unless they "
     "are given), or hierarchical:inter=NAME,intra=NAME,group=node|N"
     "\nA list of names of `sim list algorithms`, `all` of them, `auto` (default: what the fixed "
     "rules of Open MPI 4.1 choose) or `auto:ompi-3.1` (those of 3.1), or `auto:rules=`FILE (Open "
     "MPI's file of dynamic rules, obeyed as the library does; one that it would ignore is told, "
     "and so are sizes that do not ascend, where its search ends). With these the rules also "
     "decide segments and fan-out. `auto:best` runs all that run here and reports the fastest: "
     "each not segmented and with segments of 1, 4, 16 and 64 KiB (up to 500,000 messages), with "
     "its default fan-out or radix and with 2, 4 and 8, unless `--segment-size` or `--fanout` are "
     "given; on engine flow, for speed, unless `--engine` names one. In a list these two options "
     "are for the algorithms that no rules choose. The report names what `all` and `auto:best` "
     "leave out since it does not run here. `hierarchical:inter=`NAME`,intra=`NAME`,group=`node|N "
     "runs one algorithm among a leader of each node, or of each N consecutive ranks, and another "
     "one inside (bcast, reduce, allreduce, allgather, barrier); `up` and `down` name the inner "
     "ones apart, whatever is not named is what the rules choose (of a barrier's `up`: `linear`, "
     "or `tree`); the report names what they chose. `hardware` is what the machine's network does "
     "by itself (`mpi/hardware_collectives` of the platform).",
     options::takes("auto all auto:best auto:ompi-3.1 auto:rules= hierarchical:inter=")},
    {collective_group, "--profile", "DIR",
     "run the sizes that PGMPITuneLib's profiles (DIR/*.prf) name as their mock-ups, where "
     "--algorithm is auto or has rules"
     "\nWhere rules decide the algorithm, a call runs as the mock-up that one of PGMPITuneLib's "
     "profiles (DIR/*.prf) names for its collective, exactly its number of processes, and its "
     "message size; so do the calls that a mock-up makes, but not those inside MPI's own "
     "algorithms. Of one collective and number of processes there is one profile."},
    {collective_group, "--message-buffer", "SIZE",
     "of the library, in each process; default: 100000000 B"
     "\nWhat the library has in each process for vectors (default: 100000000 B) and for count "
     "vectors (200000 B); where a mock-up needs more the default runs."},
    {collective_group, "--int-buffer", "SIZE", "the same for count vectors; default: 200000 B"},
    {collective_group, "--message-size", "SIZES",
     "bytes; default: 1 B to 1 MiB, doubling"
     "\nBytes of the message: the block of one rank for allgather(v), alltoall(v), gather(v), "
     "scatter(v) and reduce_scatter_block, the whole vector of all others; barrier has none. "
     "Default: 1 B to 1 MiB, doubling.",
     options::list(bytes_axis, swept(&Sweep::message_bytes))},
    {collective_group, "--segment-size", "SIZES", "bytes; 0 (default): not segmented",
     options::list(bytes_axis, swept(&Sweep::segment_bytes))},
    {collective_group, "--radix,--fanout", "N",
     "number of chains, or radix of knomial; default: 4, as Open MPI's"
     "\nNumber of chains, or the radix of knomial (one option, two names). Default: Open MPI's.",
     options::list(count_axis, swept(&Sweep::fanouts))},
    {collective_group, "--max-requests", "N",
     "at most so many requests at once, where the algorithm limits them; 0 (default): no limit",
     options::list(options::limit_axis, swept(&Sweep::max_requests))},
    {collective_group, "--counts", "HOW",
     "blocks of the v collectives and of reduce_scatter: equal (default), linear (none for rank 0, "
     "twice the mean for the last), random:SEED, file:PATH (rank,bytes under a header)"
     "\nThe blocks of allgatherv, alltoallv, gatherv, scatterv and reduce_scatter: `equal` "
     "(default), `linear` (from nothing for rank 0 to twice the mean for the last), `random:`SEED "
     "(in proportion to uniform random numbers) or `file:`PATH (CSV, header rank,bytes). The "
     "blocks together have the bytes of equal ones. A rank of alltoallv sends blocks of its own "
     "count to all.",
     options::takes("equal linear random: file:"),
     options::parsed(workloads::parse_counts, swept(&Sweep::counts))},
    {collective_group, "--non-commutative", "",
     "the operation of a reduction needs its operands in order"
     "\nThe operation of a reduction needs its operands in the order of the ranks. Algorithms that "
     "do not keep it are refused.",
     options::flag(swept(&Sweep::commutative), false)},
    {collective_group, "--root", "N",
     "rank of the root, from 0 (default)"
     "\nRank of the root, from 0 (default) to the number of processes less 1, of bcast, gather(v), "
     "scatter(v) and reduce.",
     options::list(root_axis, swept(&Sweep::roots))},
    {collective_group, "--element-bytes", "SIZE",
     "size of the datatype; default: 1"
     "\nSize of the datatype (default 1); messages are whole numbers of elements. Some algorithms "
     "fall back to others when there are few elements.",
     options::one(options::some_bytes_axis, swept(&Sweep::element_bytes))},
    shared::repetitions,
    shared::benchmark,
    shared::skew,
    shared::noise,
};

constexpr options::OptionSpec confidence_row{
    shared::output,
    "--confidence",
    "",
    "shows between which times nine of ten measured ones lie, where the platform's accuracy was "
    "measured (accuracy/COLLECTIVE)"
    "\nShows, in the column `9 of 10`, between which times nine of ten measured ones lie: the "
    "simulated time divided by, and times, the factor that the platform has for the collective and "
    "the size (`accuracy/COLLECTIVE`). The columns `confidence_low_s` and `confidence_high_s` have "
    "it whenever the platform does.",
    false,
    false};

}  // namespace

const options::OptionTable<CollectiveRequest>& collective_options() { return collective_table; }

const options::OptionSpec& confidence_option() { return confidence_row; }

}  // namespace tutti::studies
