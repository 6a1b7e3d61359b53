// SPDX-License-Identifier: BSD-3-Clause
// Implements `sim fit platform`: fits the parameters, writes the platform file, and compares its
// machine with the measurements.
#pragma once

#include "platforms/writer/platform_file.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/joint_fit.hpp"
#include "sim/fit/node_fit.hpp"
#include "sim/fit/sharing.hpp"

namespace tutti::studies {

// A measured time and its simulation.
struct CheckedTime {
  std::string collective;  // or "message inter", "message intra"
  std::string algorithm;   // empty for messages
  std::int64_t procs = 0;
  Bytes message_bytes = 0;
  Seconds measured_s = 0;
  Seconds time_s = 0;  // simulated
  std::int64_t ppn = 1;

  double error() const { return time_s / measured_s - 1; }
};

// Whether it is the time of a whole exchange of one pair: overheads, and intervals outside of
// streams, are not.
bool is_comparable(const PairMeasurement& measurement);
// Simulates the comparable ones of these measurements.
Result<std::vector<CheckedTime>> checked_pairs(const std::vector<PairMeasurement>& measured,
                                               const platforms::Machine& machine);
Result<std::vector<CheckedTime>> checked_collectives(
    const std::vector<MeasuredCollective>& measured, const platforms::Machine& machine);
Result<std::vector<CheckedTime>> checked_shared(const std::vector<SharedTime>& measured,
                                                const platforms::Machine& machine);

// Sets the place of errors without one to the file.
std::vector<Error> in_file(std::vector<Error> errors, const std::string& file);

struct MachineSpec {
  // Names of the files of measurements: between nodes, inside a node, of collectives, of many
  // pairs.
  std::vector<std::string> files;
  std::vector<std::string> intra_files;
  std::vector<std::string> collective_files;
  std::vector<std::string> sharing_files;
  ProtocolFitOptions fit;
  std::optional<platforms::Machine> like;
  HardwareClass hardware = hardware_classes().front();
  int jobs = 1;
  platforms::PlatformFile file;
  bool nodes_given = false;
  bool cores_given = false;
  std::string output;

  // Returns the class, or the one derived from the machine of --like.
  HardwareClass hardware_class() const { return like ? like_machine(hardware, *like) : hardware; }
};

struct MeasuredTimes {
  std::vector<PairMeasurement> between, inside;  // between nodes, and inside a node
  std::vector<MeasuredCollective> collectives;
};

// Messages on one path: between nodes, or inside a node.
struct FittedPath {
  std::string path;  // "inter", "intra"
  ProtocolFit fit;
  std::vector<PairMeasurement> measurements;
  // One-way times of these measurements on the fitted machine, if it has parameters beyond this
  // fit, namely extra latencies from collectives. Empty if the machine has the times of the fit.
  std::vector<CheckedTime> simulated = {};
};

// The measurements and the parameters fitted to them.
struct FittedMachine {
  FittedPath inter;
  ProtocolFit messages;  // fit to messages between nodes alone, if there are any
  std::optional<FittedPath> intra;
  std::optional<NicFit> nic;        // from streams of several pairs
  std::optional<double> bus_Bps;    // the same inside a node: of all pairs together
  std::optional<TypicalNode> node;  // of several cores, if nothing was measured inside it
  std::vector<MeasuredCollective> collectives;
  JointFit joint;  // joint fit to the collectives; `inter` is the one above

  // Simulations of the measured times, which check_fitted sets.
  std::vector<CheckedTime> streams = {};
  std::vector<CheckedTime> checked = {};  // collectives
};

// Returns the number of links that a message between the first two nodes crosses. The fitted
// latency is the sum of their latencies.
Result<int> links_between_nodes(platforms::PlatformFile file);

// Fits the parameters. Sets the numbers of nodes and cores of `spec` for the measured jobs unless
// they are given. `progress` receives a line about each step.
Result<FittedMachine> fit_machine(MachineSpec& spec, int links, MeasuredTimes times,
                                  const std::function<void(const std::string&)>& progress);

// Returns the text of the platform file. `sharing` has the sentences about messages of many pairs.
std::string machine_text(const MachineSpec& spec, const FittedMachine& fitted, int links,
                         const std::vector<std::string>& sharing);

// Simulates the measurements on the machine of that text, and stores their times in `fitted`.
std::vector<Error> check_fitted(FittedMachine& fitted, const MachineSpec& spec,
                                const std::string& text);

}  // namespace tutti::studies
