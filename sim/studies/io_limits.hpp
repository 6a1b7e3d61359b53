// SPDX-License-Identifier: BSD-3-Clause
// Whether a point of collective I/O can be simulated, told before it starts.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/io_record.hpp"

namespace tutti::studies {

// An error of kind usage whose place is the option that would help: the collectives of the set-up
// among so many processes do not end, or the memory of a job whose cycles are all simulated is
// above `free_bytes`, if that is known.
std::optional<Error> check_io_limits(const IoPoint& point, const platforms::Machine& machine,
                                     std::optional<Bytes> free_bytes);

// About how many messages are simulated, of cycles that repeat too many; 0 where the job cannot be.
double io_messages_estimate(const IoPoint& point, const platforms::Machine& machine);

// "up to 12.9 million messages are simulated, which takes about 0.5 minutes": of a point that takes
// half a minute or more.
std::optional<std::string> long_run_warning(const IoPoint& point,
                                            const platforms::Machine& machine);

}  // namespace tutti::studies
