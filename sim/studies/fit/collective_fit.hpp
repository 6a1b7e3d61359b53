// SPDX-License-Identifier: BSD-3-Clause
// The protocol of messages from times of collectives, by simulation: parameters are moved until the
// simulated times are as near to the measured ones as they can be (Levenberg-Marquardt on the
// logarithms of parameters and times, with Huber's weights). All processes are on nodes of their
// own. Protocols have one eager section or two, and one rendezvous section; their ends are tried
// between the measured message sizes.
#pragma once

#include <functional>
#include <vector>

#include "platforms/machine.hpp"
#include "sim/studies/fit/collective_table.hpp"
#include "sim/studies/fit/protocol_fit.hpp"

namespace tutti::studies {

// The machine that has these messages between its nodes.
using MachineOf = std::function<Result<platforms::Machine>(const ProtocolFit&)>;

// Errors: fewer than eight times, what cannot be simulated, what `machine_of` refuses.
Result<ProtocolFit> fit_protocol_to_collectives(const std::vector<MeasuredCollective>& measured,
                                                const MachineOf& machine_of);

}  // namespace tutti::studies
