// SPDX-License-Identifier: BSD-3-Clause
// Writes given events into an OTF2 archive, with the definitions of a plain MPI job.
#pragma once

#include <doctest/doctest.h>
#include <otf2/otf2.h>

#include <algorithm>
#include <string>
#include <vector>

#include "workloads/traces/otf2_new.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::tests {

using workloads::traces::Event;
using workloads::traces::EventKind;
using workloads::traces::Otf2Output;
using workloads::traces::TraceCommunicator;
using workloads::traces::TraceDefinitions;
using workloads::traces::TraceRank;

using RankEvents = std::vector<std::vector<Event>>;  // by rank

namespace detail {

inline void write_event(OTF2_EvtWriter* to, const TraceDefinitions& what, const Event& event) {
  if (!workloads::traces::write_otf2_event(to, what, event))
    OTF2_EvtWriter_MeasurementOnOff(to, nullptr, static_cast<OTF2_TimeStamp>(event.time),
                                    OTF2_MEASUREMENT_ON);
}

}  // namespace detail

// Writes folder/traces.otf2 from events whose times are relative to the clock's zero.
inline std::string write_trace(const std::string& folder, const TraceDefinitions& definitions,
                               const RankEvents& events) {
  // The minimum chunk sizes of the library: small traces are read faster, long ones in several
  // chunks.
  auto output = Otf2Output::open(folder, {256 << 10, 256 << 10});
  REQUIRE(output);
  OTF2_Archive_SetCreator(output->archive(), definitions.creator.c_str());
  for (TraceRank rank = 0; rank < events.size(); ++rank) {
    const auto to = output->next_location(rank);
    REQUIRE(to);
    for (const Event& event : events[rank]) detail::write_event(*to, definitions, event);
  }
  const auto to = output->definitions();
  REQUIRE(to);
  std::vector<std::uint64_t> counts;
  OTF2_TimeStamp last = 0;
  for (const auto& each : events) {
    counts.push_back(each.size());
    if (!each.empty()) last = std::max<OTF2_TimeStamp>(last, each.back().time);
  }
  REQUIRE(workloads::traces::write_otf2_definitions(*to, definitions, counts, {0, last + 1000}));
  REQUIRE_FALSE(output->close());
  return folder + "/traces.otf2";
}

}  // namespace tutti::tests
