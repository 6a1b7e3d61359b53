// SPDX-License-Identifier: BSD-3-Clause
// The table of the options of collectives.
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

// Paths of the request's members into which values are read.
constexpr auto swept = under(&CollectiveRequest::sweep);
constexpr auto common_point = under(swept(&Sweep::common));

// Words of --algorithm, for completion.
std::string_view algorithm_words() {
  static const auto sets = algorithms::selection::rule_sets();
  static const std::string words =
      fmt::format("auto all auto:best auto:best@ all@ auto:{} auto:rules= hierarchical:inter=",
                  fmt::join(sets.begin() + 1, sets.end(), " auto:"));
  return words;
}

// The long texts of the options of all workloads.
constexpr std::string_view map_help =
    "Placement of ranks: block (default), round-robin, random:SEED, slurm:DISTRIBUTION, "
    "hostfile:PATH, rankfile:PATH, file:PATH (CSV, header rank,node)"
    "\nPlacement of ranks. `block` (default) fills one node after the other; `round-robin` "
    "distributes the ranks over the nodes in use; `random:`SEED is `block` with the ranks in "
    "random "
    "order. `hostfile:`PATH reads nodes and slots in the form of Open MPI (node slots=N "
    "max_slots=M), "
    "MPICH (node:N), PBS (a line per slot) or Slurm (scontrol show hostnames), and fills the slots "
    "of one node after the other. `rankfile:`PATH reads an Open MPI rankfile (rank 0=node slot=2; "
    "slot=SOCKET:CORE, ranges, +n0). `slurm:`DISTRIBUTION places as srun --distribution: `block`, "
    "`cyclic`, `plane=`N or `arbitrary=`PATH (the nodes of the ranks, as in SLURM_HOSTFILE), then "
    "`:block`, `:cyclic` (default) or `:fcyclic` for the sockets of a node. `file:`PATH reads a "
    "CSV "
    "file with the header rank,node. See `FILES`. A node is a host name, or its number from 0.";
constexpr std::string_view nodes_help =
    "Place ranks only on these nodes: a[001-008,013],b4, @FILE, @FILE#JOB"
    "\nPlace ranks only on these nodes, in this order: a list in Slurm's notation, or `@`FILE with "
    "a list or a node per line. If FILE is a table of several jobs (columns job and node_list, or "
    "rank and node), `@`FILE`#`JOB selects one.";
constexpr std::string_view allocation_help =
    "Place ranks only on nodes that a busy machine leaves free: fragmented:P:SEED[:UNIT]"
    "\nPlace ranks only on nodes that a busy machine leaves free. `fragmented:`P`:`SEED[`:`UNIT]: "
    "units of UNIT neighboring nodes (default: 1) are free with probability P, independently of "
    "each other; the job gets the first free nodes. SEED selects one of such states.";

const options::OptionTable<CollectiveRequest> collective_table{
    shared::platforms,
    shared::set,
    shared::background,
    {shared::procs, options::required("the number of processes"),
     options::list(count_axis, swept(&Sweep::procs))},
    {shared::ppn, options::list(count_axis, swept(&Sweep::ppn))},
    shared::with_help(map_help, shared::map),
    shared::with_help(nodes_help, shared::nodes),
    shared::with_help(allocation_help, shared::allocation),
    shared::oversubscribe,
    {shared::machine, "--force", "",
     "Simulate even if the estimated memory exceeds the free memory"
     "\nSimulate even if the estimated memory exceeds the free memory. Without this option such a "
     "job is rejected.",
     options::flag(&CollectiveRequest::force)},
    {shared::machine, "--engine", "NAME",
     "Simulation engine: auto (default, flow), flow, simgrid (SimGrid, the reference), ideal "
     "(untimed, checks that messages match)"
     "\nSimulation engine. `auto` (default) is `flow`. `flow` and `simgrid` model the same time "
     "with shared links and agree to 1e-9 (see `--verify`): `simgrid` is SimGrid, the reference; "
     "`flow` is tens of times faster and needs about 1 KiB per process instead of 16. `ideal` is "
     "untimed: it checks that all messages match, without deadlock, and counts them.",
     options::takes("auto flow simgrid ideal")},
    {shared::verify, options::flag(common_point(&Point::verify))},
    {shared::machine, "--contention", "WHEN",
     "Shared resources: on (default) all links, off only the nodes' NICs, private a NIC for each "
     "rank, pooled these NICs per node (engine flow)"
     "\nContention between messages. `on` (default): messages share every link. `off` (engine "
     "flow): messages share only the NICs of their nodes, that is the first and the last link of "
     "their routes; the other links limit each message separately. Inside a node messages share "
     "the ranks' cores if the platform limits these. `private` (engine flow): each rank has a NIC "
     "of its own in each direction, as LogGP assumes. `pooled` (engine flow): the ranks of a node "
     "pool these NICs, and a message uses at most one of them; for jobs in which every rank sends "
     "to all others at once, which take long to simulate with private.",
     options::takes(shared::contention_words)},
    {options::renamed(
         "--runs",
         {shared::machine, "--starts", "N",
          "Number of starts to simulate if the time depends on picoseconds of the ranks' start; "
          "the "
          "median and the spread are reported; default: 7"
          "\nNumber of starts to simulate for a job whose time depends on picoseconds of its start "
          "(odd, default: 7). Each job is simulated again with ranks that start up to 10 ps late, "
          "each "
          "at a random time, and once more up to 1 ps late if it has at most 32,768 messages. If "
          "no "
          "rank's end differs by more than 1e-7 of the job's time (or 100 ps), the time of the "
          "common "
          "start is reported. A note announces this before points of half a million messages or "
          "more. "
          "Otherwise the job depends on picoseconds of its start, which nobody controls: N starts, "
          "with "
          "delays up to 1, 10 and 100 ps, are simulated, and the median one is reported. Column "
          "`start_spread` is the half-width, relative to the time, of an interval that contains "
          "the "
          "times of 99 of 100 starts: the range of the N simulated times, multiplied by 1/2 + "
          "10/N. "
          "Algorithms are compared by the upper ends of these intervals (auto:best, `sim select "
          "rules`). Some jobs are not examined: jobs of more than a million messages (130,000 with "
          "one "
          "rank per node), unless `--starts` is given; jobs in which each rank posts all its "
          "messages at "
          "once (linear alltoall); and extrapolated calls. Under `--benchmark`, `--skew` and "
          "`--noise` each call of a rank starts late, the measured latencies are compared, and at "
          "most 4,096 messages are simulated up to 1 ps late. "
          "`--exact-start` reports the time of the common start and examines nothing."}),
     options::one(starts_axis, within(common_point(&Point::starts), &StartChoice::runs))},
    {shared::machine, "--exact-start", "",
     "Start all ranks at exactly the same time and do not simulate other starts"},
    {shared::machine, "--extrapolate", "WHEN",
     "Extrapolate calls with about as many steps as ranks (from a million messages) from some of "
     "their steps, with an error estimate: auto (default), off"
     "\n`auto` (default) simulates only some steps of calls with about as many steps as ranks. "
     "Rings and neighbor exchange with at least a million messages are extrapolated from their "
     "first steps by a recurrence that is verified on other steps; rings with unequal blocks (a "
     "vector that is not divisible by the number of processes) and more than 100 million messages "
     "are extrapolated from rings of equal blocks; pairwise exchange with more than 20 million "
     "messages is extrapolated from two samples. If the estimated error exceeds 5 %, calls of up "
     "to 100 million messages are simulated in full; if it exceeds 50 %, larger calls are rejected "
     "with their estimated simulation time. The report shows how many of the steps were simulated, "
     "and an estimate of the error (columns `steps`, `simulated_steps`, `extrapolation`, "
     "`extrapolation_error`). Calls with skew or noise, and calls for which more than times is "
     "requested (traffic, ranks, links, trace, critical path), are simulated in full; above two "
     "billion messages they are rejected with their estimated simulation time. `off` simulates all "
     "steps, however long it takes.",
     options::choice<bool>({{"auto", true}, {"off", false}}, common_point(&Point::extrapolates))},
    {shared::machine, "--symmetry", "WHEN",
     "Simulate only one of the equivalent ranks: auto (default), off"
     "\n`auto` (default) looks for ranks that do the same over equal links, for example all ranks "
     "of recursive doubling on a fat tree that they fill, and simulates one of each kind. All "
     "ranks "
     "have its times, which are those of a full simulation except for rounding. `off` simulates "
     "every rank. Jobs without symmetry, with receives from any source, or with noise are always "
     "simulated in full, and so are those of which messages or ranks are reported (traffic, links, "
     "trace, critical path).",
     options::choice<bool>({{"auto", true}, {"off", false}}, common_point(&Point::folds))},
    shared::model_only,
    {collective_group, "--algorithm", "NAMES",
     "Algorithms: names, all, auto (default, Open MPI 4.1's choice), auto:ompi-5.0, auto:mpich, "
     "auto:rules=FILE (Open MPI's rules, classic or JSON; MPICH's JSON), auto:best[@SET], "
     "hierarchical:inter=NAME,intra=NAME,group=GROUP, goal:FILE (a schedule)"
     "\nA list of names of `sim list algorithms`, `all` of them, `auto` (default: the choice of "
     "Open MPI 4.1's fixed decision rules), `auto:ompi-3.1` (those of 3.1), `auto:ompi-5.0` and "
     "`auto:ompi-6` (those of 5.0 and the main branch, with HAN on several nodes with several "
     "ranks; also inside the algorithm), `auto:mpich` (MPICH 4.0's; `auto:mpich-main`: its main "
     "branch's), or `auto:rules=`FILE (a rules file, applied as its library does: Open MPI's "
     "dynamic rules in the formats `ompi-classic`, `ompi-classic-2` and `ompi-json`, or MPICH's "
     "selection tree, `mpich-json`; see `sim rules`. A warning is printed for a file that the "
     "library would ignore, and for sizes that do not ascend, at which its search ends). "
     "With these, the rules also decide segment size and fan-out. `auto:best` runs all algorithms "
     "that are possible here and reports the fastest: each without segmentation and with segments "
     "of 1, 4, 16 and 64 KiB (up to 500,000 messages), with its default fan-out or radix and with "
     "2, 4 and 8, unless `--segment-size` or `--fanout` are given; on engine flow, for speed, "
     "unless `--engine` is given. In a list these two options apply to the algorithms that are not "
     "chosen by rules. The report names the algorithms that `all` and `auto:best` omit because "
     "they cannot run here. Both compare the algorithms of Open MPI 4.1 and Tutti's own, except "
     "HAN's, which are used only if named; "
     "`all@`SET and `auto:best@`SET those of a set: `ompi-3.1`, `ompi-4.1`, `ompi-5.0`, `ompi-6` "
     "(Open MPI's main branch), `mpich`, `published` (in no library yet) or `any`. "
     "`hierarchical:inter=`NAME`,intra=`NAME`,group=`node|socket|node+socket|N runs one "
     "algorithm among the leaders of the nodes, of their sockets (`mpi/sockets` of the platform; "
     "on one node these are the levels of Open MPI's coll/xhc), or of groups of N consecutive "
     "ranks, and another one inside these groups (bcast, reduce, allreduce, allgather, barrier); "
     "`up` and `down` set "
     "the inner algorithms separately, and rules choose those that are not given (for a barrier's "
     "`up`: `linear` or `tree`); the report names their choice. `group=node+socket` has three "
     "levels: inside the sockets (`intra`, `up`, `down`), among the leaders of a node's sockets "
     "(`sockets`, or `sockets_up` and `sockets_down`), and among the nodes (`inter`). `hardware` "
     "is a collective "
     "performed by the network (`mpi/hardware_collectives` of the platform). `goal:`FILE is a "
     "schedule of this collective (`sim run schedule`); `{procs}` and `{message_bytes}` in the "
     "name are replaced.",
     options::takes(algorithm_words())},
    {collective_group, "--profile", "DIR",
     "Replace calls by mock-ups according to PGMPITuneLib's profiles (DIR/*.prf), if --algorithm "
     "is auto or has rules"
     "\nIf rules decide the algorithm, a call runs as the mock-up that one of PGMPITuneLib's "
     "profiles (DIR/*.prf) specifies for its collective, its exact number of processes, and its "
     "message size; so do the calls made by a mock-up, but not those inside MPI's own algorithms. "
     "There is at most one profile for each collective and number of processes."},
    {collective_group, "--message-buffer", "SIZE",
     "PGMPITuneLib's buffer for vectors in each process; default: 100000000 B"
     "\nPGMPITuneLib's buffers in each process for vectors (default: 100000000 B) and for count "
     "vectors (200000 B). If a mock-up needs more, MPI's own collective runs."},
    {collective_group, "--int-buffer", "SIZE",
     "PGMPITuneLib's buffer for count vectors; default: 200000 B"},
    {collective_group, "--message-size", "SIZES",
     "Message sizes in bytes; default: 1 B to 1 MiB, doubling"
     "\nMessage sizes in bytes: the block of one rank for allgather(v), alltoall(v), gather(v), "
     "scatter(v) and reduce_scatter_block, the whole vector for all others; not applicable to "
     "barrier. Default: 1 B to 1 MiB, doubling.",
     options::list(bytes_axis, swept(&Sweep::message_bytes))},
    {collective_group, "--segment-size", "SIZES",
     "Segment sizes in bytes; 0 (default): no segmentation",
     options::list(bytes_axis, swept(&Sweep::segment_bytes))},
    {collective_group, "--radix,--fanout", "N",
     "Number of chains, or radix of knomial; default: 4, as in Open MPI"
     "\nNumber of chains, or radix of knomial (one option, two names). Default: 4, as in Open MPI.",
     options::list(count_axis, swept(&Sweep::fanouts))},
    {collective_group, "--max-requests", "N",
     "Maximum number of concurrent requests of algorithms that limit them; 0 (default): no limit",
     options::list(options::limit_axis, swept(&Sweep::max_requests))},
    {collective_group, "--counts", "HOW",
     "Block sizes of the v collectives and of reduce_scatter: equal (default), linear (0 to twice "
     "the mean), random:SEED, file:PATH (CSV, header rank,bytes)"
     "\nBlock sizes of allgatherv, alltoallv, gatherv, scatterv and reduce_scatter: `equal` "
     "(default), `linear` (from 0 for rank 0 to twice the mean for the last rank), `random:`SEED "
     "(proportional to uniform random numbers) or `file:`PATH (CSV, header rank,bytes). The total "
     "size is that of equal blocks. A rank of alltoallv sends blocks of its own count to all.",
     options::takes("equal linear random: file:"),
     options::parsed(workloads::parse_counts, swept(&Sweep::counts))},
    {collective_group, "--non-commutative", "",
     "Require reductions to combine operands in rank order"
     "\nRequire reductions to combine operands in rank order. Algorithms that do not preserve this "
     "order are rejected.",
     options::flag(swept(&Sweep::commutative), false)},
    {collective_group, "--root", "N",
     "Root rank, from 0 (default)"
     "\nRoot rank of bcast, gather(v), scatter(v) and reduce, from 0 (default) to the number of "
     "processes minus 1.",
     options::list(root_axis, swept(&Sweep::roots))},
    {collective_group, "--element-bytes", "SIZE",
     "Size of the datatype in bytes; default: 1"
     "\nSize of the datatype in bytes (default: 1); messages are whole numbers of elements. Some "
     "algorithms fall back to others if there are few elements.",
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
    "Show the interval that contains nine of ten measured times, if the platform's accuracy was "
    "measured (accuracy/COLLECTIVE)"
    "\nShow, in the column `9 of 10`, the interval that contains nine of ten measured times: the "
    "simulated time divided and multiplied by the platform's factor for the collective and the "
    "size (`accuracy/COLLECTIVE`). The columns `confidence_low_s` and `confidence_high_s` contain "
    "it whenever the platform has this key.",
    false,
    false};

}  // namespace

const options::OptionTable<CollectiveRequest>& collective_options() { return collective_table; }

const options::OptionSpec& confidence_option() { return confidence_row; }

}  // namespace tutti::studies
