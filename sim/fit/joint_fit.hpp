// SPDX-License-Identifier: BSD-3-Clause
// All parameters of a machine from times of collectives and, where there are some, of messages
// between two nodes, by simulation: one fit to all of these. What the times do not determine stays
// near the prior of the hardware's class. What messages take beyond latency and bandwidth is a
// curve of extra latencies by size; with messages between two nodes also their sections of sizes
// are tried, which can have steps, and taken where they fit the collectives far better.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/accuracy.hpp"
#include "sim/fit/collective_table.hpp"
#include "sim/fit/hardware_class.hpp"
#include "sim/fit/protocol_fit.hpp"

namespace tutti::studies {

// Rows that were predicted by a fit without them.
struct CrossValidation {
  std::size_t folds = 0;
  bool by_collective = false;       // a fold is a collective; else every so-many-th row
  std::vector<ComparedTime> times;  // of a row of a collective each
};

struct JointFit {
  ProtocolFit inter;
  std::optional<double> bus_Bps = {};              // unset: it is not moved
  std::optional<SystemParameters> system = {};     // unset: none is moved
  std::optional<CrossValidation> validation = {};  // of the result
};

// The machine that has these parameters, with the torus of a job, "4x4x4"; empty: its own.
using JointMachineOf =
    std::function<Result<platforms::Machine>(const JointFit&, const std::string& torus)>;

// Of messages between two nodes, and what a fit to them alone says.
struct MeasuredMessages {
  std::vector<PairMeasurement> times;
  ProtocolFit fit;
};

struct JointFitOptions {
  HardwareClass hardware = hardware_classes().front();
  std::optional<Bytes> eager_limit = {};  // known
  int links = 2;                          // that a message between the first two nodes crosses
  int jobs = 1;                           // processes that simulate
  std::function<void(const std::string&)> progress = {};
  bool cross_validate = true;
  std::optional<MeasuredMessages> messages = {};  // which are fitted to as well
  std::optional<double> bus_Bps = {};  // of a node's memory, before it is fitted; unset: it is not
};

// Parameters that messages leave open and collectives determine say so in their notes. A gap is
// fitted with messages only, and kept where the times show it. Errors: fewer than eight times of
// collectives, or with messages three; all of one size; what cannot be simulated, what `machine_of`
// rejects.
Result<JointFit> fit_to_collectives(const std::vector<MeasuredCollective>& measured,
                                    const JointMachineOf& machine_of,
                                    const JointFitOptions& options = {});

// The system of a class as far as these times can depend on it: no arrival skew where their
// benchmark has no barrier before a call; the scale latency where a job is large enough, or the
// class gives it.
SystemParameters movable_system(const HardwareClass& hardware,
                                const std::vector<MeasuredCollective>& measured);

// Two times of one call that differ so much that one must be wrong.
std::optional<Error> contradiction(const std::vector<MeasuredCollective>& measured);

inline constexpr const char* from_collectives = "from collectives";  // the note

}  // namespace tutti::studies
