// SPDX-License-Identifier: BSD-3-Clause
// What messages between two processes leave open, from times of collectives: how latency and
// overheads share their sum, which copies and which registration are the sender's, the gap, the
// memory bus. The times that the messages' fit predicts stay as they are: only what gives the same
// ping-pong is tried.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "platforms/machine.hpp"
#include "sim/studies/fit/collective_table.hpp"
#include "sim/studies/fit/protocol_fit.hpp"

namespace tutti::studies {

struct JointFit {
  ProtocolFit inter;
  std::optional<double> bus_Bps = {};  // unset: it is not moved
};

using JointMachineOf = std::function<Result<platforms::Machine>(const JointFit&)>;

// `messages` is the fit to messages, and the bus where it is to be fitted, too. Parameters that it
// determines are kept; those that follow from collectives say so in their notes. Errors: fewer
// than three times, what cannot be simulated, what `machine_of` refuses.
Result<JointFit> fit_open_parameters(const JointFit& messages,
                                     const std::vector<MeasuredCollective>& measured,
                                     const JointMachineOf& machine_of);

inline constexpr const char* from_collectives = "from collectives";  // the note

}  // namespace tutti::studies
