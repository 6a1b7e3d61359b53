// SPDX-License-Identifier: BSD-3-Clause
// What the subcommands of `sim guidelines` share: options, checks before they start, profiles.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/guidelines/tuning.hpp"
#include "sim/options/shared_options.hpp"

namespace tutti::commands {

namespace guidelines_option {
inline constexpr std::string_view checked = "What is checked";
inline constexpr std::string_view parameters = "Parameters to compare with";
inline constexpr std::string_view measuring = "How it is measured";
inline constexpr OptionSpec map{job_option::machine, "--map", "HOW",
                                "block (default), round-robin, file:PATH"};
inline constexpr OptionSpec force{job_option::machine, "--force", "",
                                  "simulate although memory or time seem too little"};
inline constexpr OptionSpec collective{checked, "--collective", "NAMES",
                                       "default: all that have mock-ups"};
inline constexpr OptionSpec guideline{checked, "--guideline", "NAMES",
                                      "as in GL5,GL14; default: all, and R1 of the library"};
inline constexpr OptionSpec message_size{
    checked, "--message-size", "SIZES",
    "default: 1:1MiB, doubling; as in `sim run`, of reduce_scatter_block a rank's block"
    "\nAs in `sim run`: of reduce_scatter_block a rank's block (PGMPITuneLib's paper counts the "
    "whole vector). Default: 1:1MiB, doubling."};
inline constexpr OptionSpec element_bytes{
    checked, "--element-bytes", "SIZE",
    "size of the datatype's elements; default: 1. Reductions of few elements fall back to linear "
    "algorithms"
    "\nSize of the datatype's elements (default: 1). A message is cut to whole elements, and has "
    "one at least. Reductions with fewer elements than processes fall back to linear algorithms, "
    "so guidelines that hold for bytes may be violated with doubles."};
inline constexpr OptionSpec selection{
    checked, "--selection", "HOW",
    "who chooses the algorithms, also of the calls in mock-ups: auto (default: Open MPI 4.1), "
    "auto:ompi-3.1, auto:rules=FILE; then hardware, COLLECTIVE=ALGORITHM"
    "\nWho chooses the algorithms of the defaults and of the calls inside mock-ups: `auto` "
    "(default), `auto:ompi-3.1`, `auto:rules=`FILE; after it, or alone, between commas, `hardware` "
    "for what the machine's network does by itself, and COLLECTIVE`=`ALGORITHM."};
inline constexpr OptionSpec violated{
    checked, "--violated-above", "PERCENT",
    "a mock-up must be faster by more; default: 2%; with noise and several "
    "--runs 0%, as the rank-sum test decides"
    "\nHow much faster a mock-up must be; default: 2 % and 10 %. With noise and several runs the "
    "first is 0 %: the rank-sum test decides."};
inline constexpr OptionSpec replaceable{
    checked, "--replaceable-from", "PERCENT",
    "faster by so much it is worth replacing the collective; default: 10%"};

inline constexpr std::string_view measured = "Measured times";
inline constexpr OptionSpec measured_files{
    measured, "--measured", "FILES",
    "check these ReproMPI files in place of simulations: defaults and mock-ups of a real library, "
    "separated by commas"
    "\nChecks a real library, without a simulation: ReproMPI files of collectives (MPI_Gather) and "
    "of mock-ups (gather_as_allgather, or MPI_Gather in a run with PGMPITuneLib, which names the "
    "mock-up at its end). Each file is a run of mpirun; the medians of the runs are compared where "
    "each side has 4 at least, else all repetitions, by the rank-sum test. `--profiles` writes the "
    "profiles of what is worth replacing."};
inline constexpr OptionSpec measured_profiles = written(
    OptionSpec{measured, "--profiles", "FOLDER",
               "write PGMPITuneLib's profiles there: the best mock-ups of the measured times"});

// What all subcommands have, in the order of their help; `joined` puts their own between.
inline constexpr std::array of_job{job_option::platform,
                                   job_option::set,
                                   job_option::procs,
                                   job_option::ppn,
                                   map,
                                   job_option::oversubscribe,
                                   force};
inline constexpr std::array of_check{collective, guideline, message_size, element_bytes, selection};
inline constexpr std::array of_measuring{
    OptionSpec{measuring, "--noise", "HOW",
               "multiplicative:PART[:SEED], additive:TIME[:SEED]; PART as in 5%"
               "\nNoise as in `sim run`; the medians of 5 runs count. A guideline is then violated "
               "if the median of the runs is lower and Wilcoxon's rank-sum test, one-sided and "
               "exact, gives less than 0.05; one, two, three stars stand for less than 0.05, 0.01, "
               "0.001. The table `points` has the fastest and the slowest run, and the calls in a "
               "run: `repetitions` and `default_repetitions`. Without noise one call tells all."},
    OptionSpec{measuring, "--runs", "N",
               "with noise: runs, of which the median counts; default: 5"},
    OptionSpec{
        measuring, "--repetitions", "N|nrep",
        "with noise: calls in a run, the same; default: nrep, as many as take the time in "
        "which calls of 1 byte settle"
        "\nWith noise: the calls in a run. `nrep` (default) estimates them as PGMPITuneLib's paper "
        "does, for each collective, mock-up and size. (1) A call of 1 byte is repeated until the "
        "relative standard error of its latencies is below `--nrep-rse` (1 %); the longest time "
        "that this takes in any run is t. (2) The size itself is called B1 times, and B2 times "
        "more if the error is then not below `--nrep-rse-other` (`--nrep-batches` B1,B2: 5,5; the "
        "error: 5 %); the fastest of these takes l. (3) A run has t / l calls, rounded up, but at "
        "least `--nrep-min` (5) and at most `--nrep-max` (1000), where step 1 ends as well; what "
        "did not settle is counted in the report. The paper gives 1 % and 5,5; the other values "
        "are ours."},
    OptionSpec{measuring, "--nrep-rse", "PERCENT",
               "they have settled at this relative standard error; default: 1%"},
    OptionSpec{measuring, "--nrep-rse-other", "PERCENT",
               "where a first batch of other sizes has more, a second one follows; default: 5%"},
    OptionSpec{measuring, "--nrep-batches", "B1,B2",
               "calls in these batches, whose fastest counts; default: 5,5"},
    OptionSpec{measuring, "--nrep-min", "K", "calls in a run at least; default: 5"},
    OptionSpec{measuring, "--nrep-max", "N", "and at most; default: 1000"},
    OptionSpec{
        measuring, "--sync", "HOW",
        "before a repetition: window (default): all begin together; barrier: a "
        "dissemination barrier, as in PGMPITuneLib's paper"
        "\nWith noise: what comes before each call. `window`: clocks are perfect, and all ranks "
        "begin together. `barrier`: a barrier by dissemination, and each rank's own clock, as in "
        "the paper. A rank that came to the barrier last leaves it first, and waits for the others "
        "inside the call that is measured: a gather of 1 byte by 32 processes on `jupiter` seems "
        "to take 12.0 us in place of 8.5, while an allgather, which all leave together, seems to "
        "take what it takes. In either case the latency is that of the slowest rank."},
    OptionSpec{measuring, "--engine", "NAME", "flow (default), simgrid, auto"}};
}  // namespace guidelines_option

struct GuidelinesRequest : JobRequest {
  studies::guidelines::Wish wish;  // but the selection
  std::string selection = "auto";
  studies::guidelines::Thresholds thresholds;
  int jobs = 1;
  std::vector<std::string> warnings = {};
};

// All errors of the command line but those of its output. `command`: "check".
Result<GuidelinesRequest> read_guidelines(const OptionValues& parsed,
                                          std::span<const OptionSpec> specs,
                                          std::string_view command);

// The folder of --profiles, made if it is not there. Errors: it cannot be written, or has profiles.
Result<std::string> empty_profiles_folder(const OptionValues& parsed);

// Of measured times: collectives, mock-ups and thresholds. Options of simulations are errors.
Result<GuidelinesRequest> read_measured_guidelines(const OptionValues& parsed,
                                                   std::span<const OptionSpec> specs);

// What is compared on this machine. An error if nothing is left to compare, or it does not fit the
// machine or the memory. `request` gets the selection, and all warnings.
Result<std::vector<studies::guidelines::Setting>> checked_settings(
    GuidelinesRequest& request, const platforms::Machine& machine);

// The files' names. `notes_of`: what stands at the head of each.
Result<std::vector<std::string>> write_profiles(
    studies::guidelines::Profiles profiles, const std::string& folder,
    const std::function<std::vector<std::string>(const studies::guidelines::Profile&)>& notes_of);

}  // namespace tutti::commands
