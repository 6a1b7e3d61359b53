// SPDX-License-Identifier: BSD-3-Clause
// The effect of a change of a machine's parameters on single messages, by simulated ping-pong, as
// measured with OTPO and NetPIPE in Jha's dissertation (section 4.1.4); and conversely, the change
// that causes a given improvement of a message.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/point_to_point.hpp"
#include "sim/validate/improvement.hpp"

namespace tutti::studies {

// A machine with changed parameters.
struct ChangedMachine {
  std::string name;  // "mpi/eager_limit=24KiB"
  std::shared_ptr<const platforms::Machine> machine;
};

// Ping-pong times of one message size before and after each change.
struct SizeGain {
  Bytes message_bytes = 0;
  Seconds untuned_s = 0;
  std::vector<Seconds> changed_s;  // by change

  // Relative gain, (before - after) / before.
  double improvement(std::size_t change) const;
};

// Measures all machines between the same two nodes.
Result<std::vector<SizeGain>> size_gains(const platforms::Machine& untuned,
                                         const std::vector<ChangedMachine>& changes,
                                         const NodePair& nodes, const std::vector<Bytes>& sizes);

// Returns, in order, the changes with the least time and those within 0.1 % of it, which ping-pong
// cannot distinguish. The time is the sum of `gains` weighted by `weights`, one for each size.
std::vector<std::size_t> best_changes(const std::vector<SizeGain>& gains,
                                      const std::vector<double>& weights);

// The machine property that causes a gain: processor overheads (o), overheads and latencies (l), or
// the time per byte (b, G).
enum class Realised : unsigned char { overheads, start, bytes };
inline constexpr std::array all_realised = {Realised::overheads, Realised::start, Realised::bytes};
std::string_view name_of(Realised realised);
Realised realised_by(Affected affected);

// Returns a machine whose ping-pong of that size improves by `gain`, to six digits. Unset if the
// reduced part of the time is too small for this gain.
Result<std::optional<platforms::Machine>> improved_machine(const platforms::Machine& machine,
                                                           const NodePair& nodes,
                                                           const MessageGain& gain,
                                                           Realised realised);

}  // namespace tutti::studies
