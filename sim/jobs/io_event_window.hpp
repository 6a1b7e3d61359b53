// SPDX-License-Identifier: BSD-3-Clause
// Merging of events in samples of collective I/O with the most messages in flight.
#pragma once

#include "io_models/cycle_choice.hpp"
#include "io_models/redistribution.hpp"
#include "platforms/machine.hpp"
#include "sim/jobs/io_record.hpp"

namespace tutti::jobs {

// Messages of a cycle from which on samples merge events.
inline constexpr double fewest_merged_messages = 50'000;

// Whether events of the point may be merged. Servers receive from any source, which excludes it.
bool may_merge_io_events(const IoPoint& point);

// The length of engines::Job::event_window_s for a sample of cycles, in seconds; 0: none. If few
// ranks have the data of a cycle with many messages, these share a few NICs and the links above
// them, and each start or end changes most rates.
//   cycle    the time that the busiest node's NIC takes for a cycle
//   m        messages of a cycle
//   window   cycle / 1000 x (m / 250,000)^2
// With fewer messages, a shorter window is affordable; longer ones keep aggregators in step.
Seconds io_event_window_s(const io_models::CycleChoice& choice, const io_models::Schedule& schedule,
                          const platforms::Machine& machine, const platforms::Placement& placement);

}  // namespace tutti::jobs
