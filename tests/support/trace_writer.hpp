// SPDX-License-Identifier: BSD-3-Clause
// Writes events as they are given into an OTF2 archive, with the definitions of a plain MPI job.
#pragma once

#include <doctest/doctest.h>
#include <otf2/otf2.h>

#include <algorithm>
#include <string>
#include <vector>

#include "workloads/traces/otf2_output.hpp"
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

// Global definitions; strings get numbers as they are needed.
class DefinitionWriter {
 public:
  explicit DefinitionWriter(OTF2_GlobalDefWriter* to) : to_(to) {}

  void write(const TraceDefinitions& what, const RankEvents& events) {
    OTF2_TimeStamp last = 0;
    for (const auto& each : events)
      if (!each.empty()) last = std::max<OTF2_TimeStamp>(last, each.back().time);
    OTF2_GlobalDefWriter_WriteClockProperties(to_, static_cast<std::uint64_t>(what.ticks_per_s), 0,
                                              last + 1000, OTF2_UNDEFINED_TIMESTAMP);
    const OTF2_StringRef empty = string("");
    OTF2_GlobalDefWriter_WriteParadigm(to_, OTF2_PARADIGM_MPI, string("MPI"),
                                       OTF2_PARADIGM_CLASS_PROCESS);
    for (std::uint32_t i = 0; i < what.regions.size(); ++i) {
      const OTF2_StringRef name = string(what.regions[i].name);
      const bool is_mpi = what.regions[i].is_mpi;
      OTF2_GlobalDefWriter_WriteRegion(to_, i, name, name, empty, role(what.regions[i].name),
                                       is_mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
                                       OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0);
    }
    system(what, events);
    communicators(what);
  }

 private:
  OTF2_StringRef string(const std::string& text) {
    OTF2_GlobalDefWriter_WriteString(to_, strings_, text.c_str());
    return strings_++;
  }

  static OTF2_RegionRole role(const std::string& name) {
    if (name == "MPI_Barrier") return OTF2_REGION_ROLE_BARRIER;
    if (name == "MPI_Bcast") return OTF2_REGION_ROLE_COLL_ONE2ALL;
    if (name == "MPI_Reduce") return OTF2_REGION_ROLE_COLL_ALL2ONE;
    if (name == "MPI_Allreduce") return OTF2_REGION_ROLE_COLL_ALL2ALL;
    if (name == "MPI_Init" || name == "MPI_Finalize") return OTF2_REGION_ROLE_FUNCTION;
    return name.starts_with("MPI_") ? OTF2_REGION_ROLE_POINT2POINT : OTF2_REGION_ROLE_FUNCTION;
  }

  // A node for each rank.
  void system(const TraceDefinitions& what, const RankEvents& events) {
    const OTF2_StringRef machine = string("machine");
    const OTF2_StringRef synthetic = string("synthetic");
    OTF2_GlobalDefWriter_WriteSystemTreeNode(to_, 0, synthetic, machine,
                                             OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    const OTF2_StringRef node = string("node");
    for (std::uint32_t rank = 0; rank < events.size(); ++rank) {
      const OTF2_StringRef name = string("node" + std::to_string(rank));
      OTF2_GlobalDefWriter_WriteSystemTreeNode(to_, rank + 1, name, node, 0);
      OTF2_GlobalDefWriter_WriteLocationGroup(to_, rank, string(what.ranks[rank]),
                                              OTF2_LOCATION_GROUP_TYPE_PROCESS, rank + 1,
                                              OTF2_UNDEFINED_LOCATION_GROUP);
    }
    const OTF2_StringRef thread = string("Master thread");
    for (std::uint32_t rank = 0; rank < events.size(); ++rank)
      OTF2_GlobalDefWriter_WriteLocation(to_, rank, thread, OTF2_LOCATION_TYPE_CPU_THREAD,
                                         events[rank].size(), rank);
  }

  void group(OTF2_GroupRef id, OTF2_GroupType type, const std::vector<std::uint64_t>& members) {
    OTF2_GlobalDefWriter_WriteGroup(to_, id, 0, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                    static_cast<std::uint32_t>(members.size()), members.data());
  }

  void communicators(const TraceDefinitions& what) {
    std::vector<std::uint64_t> world(what.ranks.size());
    for (std::size_t i = 0; i < world.size(); ++i) world[i] = i;
    group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, world);
    for (std::uint32_t i = 0; i < what.communicators.size(); ++i) {
      const TraceCommunicator& each = what.communicators[i];
      group(i + 1, each.members.empty() ? OTF2_GROUP_TYPE_COMM_SELF : OTF2_GROUP_TYPE_COMM_GROUP,
            {each.members.begin(), each.members.end()});
      OTF2_GlobalDefWriter_WriteComm(to_, i, string(each.name), i + 1, OTF2_UNDEFINED_COMM,
                                     OTF2_COMM_FLAG_NONE);
    }
  }

  OTF2_GlobalDefWriter* to_;
  OTF2_StringRef strings_ = 0;
};

// What a rank is in a communicator: events of an archive name peers so.
inline std::uint32_t number_in(const TraceDefinitions& what, std::uint32_t comm, TraceRank rank) {
  if (comm >= what.communicators.size()) return rank;
  const std::vector<TraceRank>& members = what.communicators[comm].members;
  if (members.empty()) return 0;
  const auto found = std::find(members.begin(), members.end(), rank);
  return static_cast<std::uint32_t>(found - members.begin());
}

inline void write_event(OTF2_EvtWriter* to, const TraceDefinitions& what, const Event& event) {
  const auto time = static_cast<OTF2_TimeStamp>(event.time);
  const auto peer = [&] { return number_in(what, event.comm, event.id); };
  switch (event.kind) {
    case EventKind::enter:
      OTF2_EvtWriter_Enter(to, nullptr, time, event.id);
      break;
    case EventKind::leave:
      OTF2_EvtWriter_Leave(to, nullptr, time, event.id);
      break;
    case EventKind::send:
      OTF2_EvtWriter_MpiSend(to, nullptr, time, peer(), event.comm, event.tag, event.bytes);
      break;
    case EventKind::isend:
      OTF2_EvtWriter_MpiIsend(to, nullptr, time, peer(), event.comm, event.tag, event.bytes,
                              event.request);
      break;
    case EventKind::isend_complete:
      OTF2_EvtWriter_MpiIsendComplete(to, nullptr, time, event.request);
      break;
    case EventKind::irecv_request:
      OTF2_EvtWriter_MpiIrecvRequest(to, nullptr, time, event.request);
      break;
    case EventKind::recv:
      OTF2_EvtWriter_MpiRecv(to, nullptr, time, peer(), event.comm, event.tag, event.bytes);
      break;
    case EventKind::irecv:
      OTF2_EvtWriter_MpiIrecv(to, nullptr, time, peer(), event.comm, event.tag, event.bytes,
                              event.request);
      break;
    case EventKind::request_test:
      OTF2_EvtWriter_MpiRequestTest(to, nullptr, time, event.request);
      break;
    case EventKind::request_cancelled:
      OTF2_EvtWriter_MpiRequestCancelled(to, nullptr, time, event.request);
      break;
    case EventKind::collective_begin:
      OTF2_EvtWriter_MpiCollectiveBegin(to, nullptr, time);
      break;
    case EventKind::collective_end:
      OTF2_EvtWriter_MpiCollectiveEnd(
          to, nullptr, time, static_cast<OTF2_CollectiveOp>(event.op), event.comm,
          event.id == workloads::traces::none ? OTF2_COLLECTIVE_ROOT_NONE : peer(),
          event.sent_bytes, event.bytes);
      break;
    case EventKind::other:
      OTF2_EvtWriter_MeasurementOnOff(to, nullptr, time, OTF2_MEASUREMENT_ON);
      break;
  }
}

}  // namespace detail

// folder/traces.otf2, of events whose times are from the clock's zero on.
inline std::string write_trace(const std::string& folder, const TraceDefinitions& definitions,
                               const RankEvents& events) {
  // The least that the library takes: small traces are read sooner, long ones in several chunks.
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
  detail::DefinitionWriter(*to).write(definitions, events);
  REQUIRE_FALSE(output->close());
  return folder + "/traces.otf2";
}

}  // namespace tutti::tests
