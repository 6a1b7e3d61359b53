// SPDX-License-Identifier: BSD-3-Clause
// What `sim fit platform` makes of measurements: the parameters, the file that has them, and how
// far its machine is from the measurements.
#pragma once

#include "platforms/writer/platform_file.hpp"
#include "sim/base/common.hpp"
#include "sim/fit/joint_fit.hpp"
#include "sim/fit/sharing.hpp"

namespace tutti::studies {

// Measured, and simulated.
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

// Overheads, and intervals that are none of a stream, are no times of a whole exchange.
bool is_comparable(const PairMeasurement& each);
// Of pairs those that are comparable.
Result<std::vector<CheckedTime>> checked_pairs(const std::vector<PairMeasurement>& measured,
                                               const platforms::Machine& machine);
Result<std::vector<CheckedTime>> checked_collectives(
    const std::vector<MeasuredCollective>& measured, const platforms::Machine& machine);
Result<std::vector<CheckedTime>> checked_shared(const std::vector<SharedTime>& measured,
                                                const platforms::Machine& machine);

// The file's name before errors that have none.
std::vector<Error> in_file(std::vector<Error> errors, const std::string& file);

struct MachineSpec {
  // Of the measurements: between nodes, inside them, of collectives, of many pairs at once.
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

  // The class, or the machine that is like it.
  HardwareClass hardware_class() const { return like ? like_machine(hardware, *like) : hardware; }
};

struct MeasuredTimes {
  std::vector<PairMeasurement> between, inside;  // nodes
  std::vector<MeasuredCollective> collectives;
};

// Messages on one path: between nodes, or inside one.
struct FittedPath {
  std::string path;  // "inter", "intra"
  ProtocolFit fit;
  std::vector<PairMeasurement> measurements;
  // The one-way times among these, as the machine simulates them, where it has more than the fit:
  // extra latencies from collectives. Empty: as the fit predicts them.
  std::vector<CheckedTime> simulated = {};
};

// What was measured, and the machine that came of it.
struct FittedMachine {
  FittedPath inter;
  ProtocolFit messages;  // the fit to messages between nodes alone, where there are some
  std::optional<FittedPath> intra;
  std::vector<MeasuredCollective> collectives;
  JointFit joint;  // to collectives; `inter` is that above

  // What the machine makes of what was measured, once it was asked.
  std::vector<CheckedTime> streams = {};
  std::vector<CheckedTime> checked = {};  // collectives
};

// How many links a message between the first two nodes crosses: the fitted latency is theirs.
Result<int> links_between_nodes(platforms::PlatformFile file);

// Times inside a node give the wish's machine cores. `links`: as above. `progress`: gets lines.
Result<FittedMachine> fit_machine(MachineSpec& spec, int links, MeasuredTimes times,
                                  const std::function<void(const std::string&)>& progress);

// The machine's file; `sharing`: what is said of messages of many pairs, or nothing.
std::string machine_text(const MachineSpec& spec, const FittedMachine& fitted, int links,
                         const std::vector<std::string>& sharing);

// Compares what was measured with what the machine of that text simulates.
std::vector<Error> check_fitted(FittedMachine& fitted, const MachineSpec& spec,
                                const std::string& text);

}  // namespace tutti::studies
