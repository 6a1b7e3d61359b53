// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/otf2_new.hpp"

#include "workloads/traces/mpi_calls.hpp"

namespace tutti::workloads::traces {
namespace {

// Writes global definitions; assigns numbers to strings on demand.
class DefinitionWriter {
 public:
  explicit DefinitionWriter(OTF2_GlobalDefWriter* to) : to_(to) {}

  // `events`: number of events of each rank. Returns false if the library fails.
  bool write(const TraceDefinitions& what, const std::vector<std::uint64_t>& events,
             const Otf2Span& span) {
    done(OTF2_GlobalDefWriter_WriteClockProperties(
        to_, static_cast<std::uint64_t>(what.ticks_per_s), span.first, span.length,
        OTF2_UNDEFINED_TIMESTAMP));
    const OTF2_StringRef empty = string("");
    done(OTF2_GlobalDefWriter_WriteParadigm(to_, OTF2_PARADIGM_MPI, string("MPI"),
                                            OTF2_PARADIGM_CLASS_PROCESS));
    for (std::uint32_t i = 0; i < what.regions.size(); ++i) {
      const OTF2_StringRef name = string(what.regions[i].name);
      const bool is_mpi = what.regions[i].is_mpi;
      done(OTF2_GlobalDefWriter_WriteRegion(to_, i, name, name, empty,
                                            role(mpi_call(what.regions[i].name)),
                                            is_mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
                                            OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0));
    }
    system(what, events);
    communicators(what);
    return !has_failed_;
  }

 private:
  void done(OTF2_ErrorCode code) { has_failed_ |= code != OTF2_SUCCESS; }

  OTF2_StringRef string(const std::string& text) {
    done(OTF2_GlobalDefWriter_WriteString(to_, strings_, text.c_str()));
    return strings_++;
  }

  static OTF2_RegionRole role(MpiCall call) {
    switch (call) {
      case MpiCall::barrier:
        return OTF2_REGION_ROLE_BARRIER;
      case MpiCall::all_to_all:
        return OTF2_REGION_ROLE_COLL_ALL2ALL;
      case MpiCall::one_to_all:
        return OTF2_REGION_ROLE_COLL_ONE2ALL;
      case MpiCall::all_to_one:
        return OTF2_REGION_ROLE_COLL_ALL2ONE;
      case MpiCall::point_to_point:
        return OTF2_REGION_ROLE_POINT2POINT;
      case MpiCall::one_sided:
      case MpiCall::window_management:
      case MpiCall::window:
        return OTF2_REGION_ROLE_RMA;
      case MpiCall::file:
        return OTF2_REGION_ROLE_FILE_IO;
      default:
        return OTF2_REGION_ROLE_FUNCTION;
    }
  }

  // Writes one node per rank.
  void system(const TraceDefinitions& what, const std::vector<std::uint64_t>& events) {
    const OTF2_StringRef machine = string("machine");
    const OTF2_StringRef synthetic = string("synthetic");
    done(OTF2_GlobalDefWriter_WriteSystemTreeNode(to_, 0, synthetic, machine,
                                                  OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    const OTF2_StringRef node = string("node");
    for (std::uint32_t rank = 0; rank < events.size(); ++rank) {
      const OTF2_StringRef name = string("node" + std::to_string(rank));
      done(OTF2_GlobalDefWriter_WriteSystemTreeNode(to_, rank + 1, name, node, 0));
      done(OTF2_GlobalDefWriter_WriteLocationGroup(to_, rank, string(what.ranks[rank]),
                                                   OTF2_LOCATION_GROUP_TYPE_PROCESS, rank + 1,
                                                   OTF2_UNDEFINED_LOCATION_GROUP));
    }
    const OTF2_StringRef thread = string("Master thread");
    for (std::uint32_t rank = 0; rank < events.size(); ++rank)
      done(OTF2_GlobalDefWriter_WriteLocation(to_, rank, thread, OTF2_LOCATION_TYPE_CPU_THREAD,
                                              events[rank], rank));
  }

  void group(OTF2_GroupRef id, OTF2_GroupType type, const std::vector<std::uint64_t>& members) {
    done(OTF2_GlobalDefWriter_WriteGroup(to_, id, 0, type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                         static_cast<std::uint32_t>(members.size()),
                                         members.data()));
  }

  void communicators(const TraceDefinitions& what) {
    std::vector<std::uint64_t> world(what.ranks.size());
    for (std::size_t i = 0; i < world.size(); ++i) world[i] = i;
    group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, world);
    for (std::uint32_t i = 0; i < what.communicators.size(); ++i) {
      const TraceCommunicator& communicator = what.communicators[i];
      group(i + 1,
            communicator.members.empty() ? OTF2_GROUP_TYPE_COMM_SELF : OTF2_GROUP_TYPE_COMM_GROUP,
            {communicator.members.begin(), communicator.members.end()});
      done(OTF2_GlobalDefWriter_WriteComm(to_, i, string(communicator.name), i + 1,
                                          OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    }
  }

  OTF2_GlobalDefWriter* to_;
  OTF2_StringRef strings_ = 0;
  bool has_failed_ = false;
};

// A rank's number in the communicator, by which events of an archive identify peers.
std::uint32_t number_in(const TraceDefinitions& what, std::uint32_t comm, TraceRank rank) {
  if (comm >= what.communicators.size()) return rank;
  const std::vector<TraceRank>& members = what.communicators[comm].members;
  if (members.empty()) return 0;
  const auto found = std::find(members.begin(), members.end(), rank);
  return static_cast<std::uint32_t>(found - members.begin());
}

// `times` may be null: the events have their own. `span.length` is the last time until all ranks
// are written. Returns false if the library fails.
bool write_rank(const Trace& trace, TraceRank rank, OTF2_EvtWriter* to, NewTimes* times,
                Otf2Span& span) {
  const auto cursor = trace.events.cursor(rank);
  std::array<Event, 256> buffer;
  OTF2_TimeStamp last = 0;
  for (std::size_t count = cursor->read(buffer); count > 0; count = cursor->read(buffer))
    for (Event& event : std::span(buffer).first(count)) {
      const NewTimes::At at =
          times == nullptr ? NewTimes::At{.time = event.time} : times->next(rank);
      if (!at.keep) continue;
      event.time = (times == nullptr ? trace.first : times->first()) + at.time;
      event.bytes = at.bytes.value_or(event.bytes);
      if (write_otf2_event(to, trace.definitions, event).value_or(OTF2_SUCCESS) != OTF2_SUCCESS)
        return false;
      last = static_cast<OTF2_TimeStamp>(event.time);
      span.first = std::min(span.first, last);
    }
  span.length = std::max(span.length, last);
  return true;
}

}  // namespace

std::optional<OTF2_ErrorCode> write_otf2_event(OTF2_EvtWriter* to,
                                               const TraceDefinitions& definitions,
                                               const Event& event) {
  const auto time = static_cast<OTF2_TimeStamp>(event.time);
  const auto peer = [&] { return number_in(definitions, event.comm, event.id); };
  switch (event.kind) {
    case EventKind::enter:
      return OTF2_EvtWriter_Enter(to, nullptr, time, event.id);
    case EventKind::leave:
      return OTF2_EvtWriter_Leave(to, nullptr, time, event.id);
    case EventKind::send:
      return OTF2_EvtWriter_MpiSend(to, nullptr, time, peer(), event.comm, event.tag, event.bytes);
    case EventKind::isend:
      return OTF2_EvtWriter_MpiIsend(to, nullptr, time, peer(), event.comm, event.tag, event.bytes,
                                     event.request);
    case EventKind::isend_complete:
      return OTF2_EvtWriter_MpiIsendComplete(to, nullptr, time, event.request);
    case EventKind::irecv_request:
      return OTF2_EvtWriter_MpiIrecvRequest(to, nullptr, time, event.request);
    case EventKind::recv:
      return OTF2_EvtWriter_MpiRecv(to, nullptr, time, peer(), event.comm, event.tag, event.bytes);
    case EventKind::irecv:
      return OTF2_EvtWriter_MpiIrecv(to, nullptr, time, peer(), event.comm, event.tag, event.bytes,
                                     event.request);
    case EventKind::request_test:
      return OTF2_EvtWriter_MpiRequestTest(to, nullptr, time, event.request);
    case EventKind::request_cancelled:
      return OTF2_EvtWriter_MpiRequestCancelled(to, nullptr, time, event.request);
    case EventKind::collective_begin:
      return OTF2_EvtWriter_MpiCollectiveBegin(to, nullptr, time);
    case EventKind::collective_end:
      return OTF2_EvtWriter_MpiCollectiveEnd(
          to, nullptr, time, static_cast<OTF2_CollectiveOp>(event.op), event.comm,
          event.id == workloads::traces::none ? OTF2_COLLECTIVE_ROOT_NONE : peer(),
          event.sent_bytes, event.bytes);
    case EventKind::collective_request:
      return OTF2_EvtWriter_NonBlockingCollectiveRequest(to, nullptr, time, event.request);
    case EventKind::icollective_end:
      return OTF2_EvtWriter_NonBlockingCollectiveComplete(
          to, nullptr, time, static_cast<OTF2_CollectiveOp>(event.op), event.comm,
          event.id == workloads::traces::none ? OTF2_COLLECTIVE_ROOT_NONE : peer(),
          event.sent_bytes, event.bytes, event.tag);
    default:  // synchronization of windows and threads has no definitions here
      return std::nullopt;
  }
}

bool write_otf2_definitions(OTF2_GlobalDefWriter* to, const TraceDefinitions& definitions,
                            const std::vector<std::uint64_t>& events, const Otf2Span& span) {
  return DefinitionWriter(to).write(definitions, events, span);
}

std::optional<Error> write_otf2(const Trace& trace, const std::string& folder, NewTimes* times) {
  auto output = TUTTI_TRY(Otf2Output::open(folder));
  OTF2_Archive_SetCreator(output.archive(), trace.definitions.creator.c_str());
  Otf2Span span{.first = OTF2_UNDEFINED_TIMESTAMP, .length = 0};
  const auto ranks = static_cast<TraceRank>(trace.definitions.ranks.size());
  for (TraceRank rank = 0; rank < ranks; ++rank) {
    const auto to = TUTTI_TRY(output.next_location(rank));
    if (!write_rank(trace, rank, to, times, span)) return output.failed();
  }
  if (auto error = output.end_location()) return error;
  span.first = std::min(span.first, span.length);
  span.length += 1 - span.first;
  std::vector<std::uint64_t> counts;
  for (TraceRank rank = 0; rank < ranks; ++rank) counts.push_back(output.count(rank));
  const auto to = TUTTI_TRY(output.definitions());
  if (!write_otf2_definitions(to, trace.definitions, counts, span)) return output.failed();
  return output.close();
}

}  // namespace tutti::workloads::traces
