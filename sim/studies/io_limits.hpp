// SPDX-License-Identifier: BSD-3-Clause
// Checks before its start whether a point of collective I/O can be simulated.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/io_record.hpp"

namespace tutti::studies {

// An error of kind usage, whose place is the option that would help, if the collectives of the
// set-up among this many processes take too long, or if the memory of a job whose cycles are all
// simulated exceeds `free_bytes` (if known).
std::optional<Error> check_io_limits(const IoPoint& point, const platforms::Machine& machine,
                                     std::optional<Bytes> free_bytes);

// Estimated number of messages of one of the job's calls, including those of the set-up and to the
// storage; `one`: the redistribution of a call.
std::int64_t messages_of_call(const IoPoint& point, const io_models::Redistribution& one);

// Estimated number of simulated messages, an upper bound for repeating cycles; 0 if the job cannot
// be simulated.
double io_messages_estimate(const IoPoint& point, const platforms::Machine& machine);

// "up to 12.9 million messages are simulated, which takes about 0.5 minutes"; unset for points that
// take less than half a minute.
std::optional<std::string> long_run_warning(const IoPoint& point,
                                            const platforms::Machine& machine);

}  // namespace tutti::studies
