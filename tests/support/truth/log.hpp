// SPDX-License-Identifier: BSD-3-Clause
// What a run leaves behind: the records of an OTF2 archive by location, and the history from which
// waits.hpp computes the wait states.
#pragma once

#include <otf2/otf2.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/truth/program.hpp"

namespace tutti::tests::truth {

struct Span {  // a call
  int place = 0;
  Time enter = 0;
  Time leave = 0;
};

struct Transfer {  // a message
  int from = 0;
  int to = 0;
  std::uint64_t bytes = 0;
  bool is_synchronous = false;
  std::optional<Time> sent;     // begin of the send or of the nonblocking send
  std::optional<Time> posted;   // the same of the receive
  std::optional<Span> receive;  // completes it: a receive or a wait
  std::optional<Span> sending;  // the blocking send (not MPI_Sendrecv) or the MPI_Wait for it
  bool is_tested = false;       // received by a test
};

struct Meeting {  // a collective operation
  struct Member {
    int place = 0;
    std::optional<Time> begin;
    std::optional<Span> done;  // the call that completes it
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
    std::vector<int> neighbors = {};  // members
  };
  std::string region;
  OTF2_CollectiveOp op = OTF2_COLLECTIVE_OP_BARRIER;
  bool is_blocking = true;
  bool has_records = true;
  bool is_described = true;  // the archive shows who waits for whom
  int root = -1;
  std::vector<Member> members;
};

struct Waiting {  // a call that waits until something happened
  std::string wait_state;
  Span call;
  Time until = 0;
};

struct History {
  std::vector<std::shared_ptr<Transfer>> transfers;  // by the begin of their sends
  std::vector<std::shared_ptr<Meeting>> meetings;
  std::vector<Waiting> waits;
};

// Writes one record with the given time.
using Write = std::function<OTF2_ErrorCode(OTF2_EvtWriter*, OTF2_TimeStamp)>;
struct Record {
  Time time = 0;
  Write write;
  bool is_passive = false;  // not in the trace that is read back
};

struct Log {
  explicit Log(const Program& program)
      : has_metrics(program.has_metrics),
        is_unwound(program.is_unwound),
        records(static_cast<std::size_t>(program.place_count())),
        first_group(1 + static_cast<std::uint32_t>(program.comms.size())),
        requests(static_cast<std::size_t>(program.place_count())) {}

  void write(int place, Time time, Write what) {
    records[static_cast<std::size_t>(place)].push_back({time, std::move(what)});
  }
  void enter(int place, Time time, const std::string& region) {
    write_passive(place, time, region_id(region));
    write(place, time, [id = region_id(region), unwound = is_unwound](auto* to, auto at) {
      return unwound ? OTF2_EvtWriter_CallingContextEnter(to, nullptr, at, id, 1)
                     : OTF2_EvtWriter_Enter(to, nullptr, at, id);
    });
  }
  void leave(int place, Time time, const std::string& region) {
    write_passive(place, time, region_id(region));
    write(place, time, [id = region_id(region), unwound = is_unwound](auto* to, auto at) {
      return unwound ? OTF2_EvtWriter_CallingContextLeave(to, nullptr, at, id)
                     : OTF2_EvtWriter_Leave(to, nullptr, at, id);
    });
  }
  // A metric and a parameter, or a sample of the calling context.
  void write_passive(int place, Time time, std::uint32_t context) {
    auto& to = records[static_cast<std::size_t>(place)];
    const auto add = [&](Write what) { to.push_back({time, std::move(what), true}); };
    if (is_unwound)
      add([context](auto* writer, auto at) {
        return OTF2_EvtWriter_CallingContextSample(writer, nullptr, at, context, 1, 0);
      });
    if (!has_metrics) return;
    add([](auto* writer, auto at) {
      const OTF2_Type type = OTF2_TYPE_UINT64;
      OTF2_MetricValue value{};
      value.unsigned_int = at;
      return OTF2_EvtWriter_Metric(writer, nullptr, at, 0, 1, &type, &value);
    });
    add([](auto* writer, auto at) {
      return OTF2_EvtWriter_ParameterInt(writer, nullptr, at, 0, -7);
    });
  }
  std::uint32_t region_id(const std::string& name) {
    const auto [found, is_new] = region_ids.try_emplace(name, regions.size());
    if (is_new) regions.push_back(name);
    return static_cast<std::uint32_t>(found->second);
  }
  // The identifier of a group of ranks; those of the MPI locations and communicators precede it.
  std::uint32_t group_id(const std::vector<int>& ranks) {
    auto found = std::find(groups.begin(), groups.end(), ranks);
    if (found == groups.end()) found = groups.insert(found, ranks);
    return first_group + static_cast<std::uint32_t>(found - groups.begin());
  }
  std::uint64_t next_request(int place) { return ++requests[static_cast<std::size_t>(place)]; }

  Time first() const {
    Time first = INT64_MAX;
    for (const auto& each : records)
      if (!each.empty()) first = std::min(first, each.front().time);
    return first;
  }
  Time last() const {
    Time last = 0;
    for (const auto& each : records)
      if (!each.empty()) last = std::max(last, each.back().time);
    return last;
  }

  bool has_metrics, is_unwound;
  std::vector<std::vector<Record>> records;  // by place
  std::vector<std::string> regions;
  std::vector<std::vector<int>> groups;
  std::uint32_t first_group = 0;
  History history;
  bool does_repeat = false;        // the action that has just ended begins again
  std::map<int, bool> has_failed;  // by place: the last test or MPI_Iprobe

 private:
  std::vector<std::uint64_t> requests;
  std::map<std::string, std::size_t> region_ids;
};

// A call in execution.
struct Call {
  std::function<std::optional<Time>()> leave;  // unset until it is known
  std::function<void(const Span&)> finish;     // writes the records, between enter and leave
  std::string region = {};                     // empty: no enter and leave
  // It ends with whatever comes first, so that `leave` must be asked when nothing earlier can come.
  bool is_any = false;
};

// What a nonblocking call has started.
struct Request {
  std::uint64_t id = 0;
  std::function<std::optional<Time>()> ready;
  std::function<void(const Span&, const Complete&)> complete;
};
using Requests = std::map<std::pair<int, int>, Request>;  // by place and the script's number

inline std::function<std::optional<Time>()> at(Time time) {
  return [time] { return std::optional(time); };
}

}  // namespace tutti::tests::truth
