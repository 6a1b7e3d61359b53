// SPDX-License-Identifier: BSD-3-Clause
// Fits all parameters of a machine to times of collectives and, if given, of messages between two
// nodes, by simulation: one fit to all of these times. Parameters that the times do not determine
// stay near the prior of the hardware class. The time of messages beyond latency and bandwidth is a
// curve of extra latencies by size. With messages between two nodes, their sections of sizes, which
// can have steps, are tried as well, and used if they fit the collectives far better.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/accuracy.hpp"
#include "sim/fit/collective_table.hpp"
#include "sim/fit/hardware_class.hpp"
#include "sim/fit/protocol_fit.hpp"

namespace tutti::studies {

// Predictions of rows by fits without these rows.
enum class Omitted : std::uint8_t { collectives, runs, scales, rows };  // scales: numbers of nodes
struct CrossValidation {
  Omitted omitted = Omitted::rows;
  std::size_t folds = 0;            // with `rows`, every `folds`-th row is omitted
  std::vector<ComparedTime> times;  // one for each row of a collective
};

// "each collective predicted by a fit without it"
std::string omitted_text(const CrossValidation& validation);

// Differences between the runs that measured the times (RunEffects).
struct RunSpread {
  std::size_t count = 0;
  // Standard deviations of the logarithm of a run's latency and of its time per byte; unset if the
  // runs are too few to estimate them.
  std::optional<double> latency = {}, byte = {};
  std::vector<MeasuredRun> all = {};
  std::optional<TriedLaw> law = {};  // the law by the size of jobs that was tried
};

struct JointFit {
  ProtocolFit inter;
  std::optional<double> bus_Bps = {};             // unset if it is not varied
  std::optional<SystemParameters> system = {};    // unset if none is varied
  std::vector<CrossValidation> validations = {};  // of this fit
  RunSpread runs = {};
};

// Returns the machine with these parameters and the torus of a job, "4x4x4"; an empty torus stands
// for the machine's own.
using JointMachineOf =
    std::function<Result<platforms::Machine>(const JointFit&, const std::string& torus)>;

// Messages between two nodes, and the fit to them alone.
struct MeasuredMessages {
  std::vector<PairMeasurement> times;
  ProtocolFit fit;
};

struct JointFitOptions {
  HardwareClass hardware = hardware_classes().front();
  std::optional<Bytes> eager_limit = {};  // if it is known
  int links = 2;  // links that a message between the first two nodes crosses
  int jobs = 1;   // parallel simulations
  std::function<void(const std::string&)> progress = {};
  bool cross_validate = true;
  std::optional<MeasuredMessages> messages = {};  // fitted together with the collectives
  // Memory bandwidth of a node at which its fit starts; unset if it is not fitted.
  std::optional<double> bus_Bps = {};
};

// Fits the machine. Parameters that messages leave open and collectives determine have the note
// `from_collectives`. A gap is fitted only with messages, and kept if the times show it. Errors:
// fewer than eight times of collectives, or three with messages; only one message size; calls that
// cannot be simulated; machines that `machine_of` rejects.
Result<JointFit> fit_to_collectives(const std::vector<MeasuredCollective>& measured,
                                    const JointMachineOf& machine_of,
                                    const JointFitOptions& options = {});

// Returns the class's parameters that these times can depend on. The arrival skew is unset if their
// benchmark has no barrier before a call.
SystemParameters movable_system(const HardwareClass& hardware,
                                const std::vector<MeasuredCollective>& measured);

// Returns an error if two times of the same call differ by so large a factor that one must be
// wrong.
std::optional<Error> contradiction(const std::vector<MeasuredCollective>& measured);

inline constexpr const char* from_collectives = "from collectives";  // a note of FittedParameter

}  // namespace tutti::studies
