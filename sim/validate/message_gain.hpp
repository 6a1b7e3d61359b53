// SPDX-License-Identifier: BSD-3-Clause
// What a change of a machine's parameters does to single messages, by simulated ping-pong, as OTPO
// and NetPIPE measured it (dissertation, section 4.1.4); and the other way round, the change that
// makes a given improvement of a message.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/point_to_point.hpp"
#include "sim/validate/improvement.hpp"

namespace tutti::studies {

// A machine with other values of parameters.
struct ChangedMachine {
  std::string name;  // "mpi/eager_limit=24KiB"
  std::shared_ptr<const platforms::Machine> machine;
};

// Ping-pong of one message size, before and after.
struct SizeGain {
  Bytes message_bytes = 0;
  Seconds untuned_s = 0;
  std::vector<Seconds> changed_s;  // by change

  double improvement(std::size_t change) const;
};

// Both are measured between the same two nodes.
Result<std::vector<SizeGain>> size_gains(const platforms::Machine& untuned,
                                         const std::vector<ChangedMachine>& changes,
                                         const NodePair& nodes, const std::vector<Bytes>& sizes);

// The changes of the least time, in their order: all that come within 0.1 % of it, which ping-pong
// cannot tell apart. `gains` and `weights` are of the same sizes; the time is the weighted sum.
std::vector<std::size_t> best_changes(const std::vector<SizeGain>& gains,
                                      const std::vector<double>& weights);

// What a gain is made of on a machine: overheads of the processors (o), these and latencies (l),
// or the time of each byte (b, G).
enum class Realised : unsigned char { overheads, start, bytes };
inline constexpr std::array all_realised = {Realised::overheads, Realised::start, Realised::bytes};
std::string_view name_of(Realised realised);
Realised realised_by(Affected affected);

// The machine whose ping-pong of that size is better by the improvement, to six digits. Nothing if
// that part of the time is too small for it.
Result<std::optional<platforms::Machine>> improved_machine(const platforms::Machine& machine,
                                                           const NodePair& nodes,
                                                           const MessageGain& gain,
                                                           Realised realised);

}  // namespace tutti::studies
