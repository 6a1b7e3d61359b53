// SPDX-License-Identifier: BSD-3-Clause
// Collective calls, blocking and nonblocking, also those on windows. A member that waits for nobody
// ends after o, others C after the last begin of their own and of those that they wait for.
#pragma once

#include <numeric>

#include "tests/support/truth/log.hpp"

namespace tutti::tests::truth {

// The ranks of a Cartesian communicator next to `me`.
inline std::vector<int> neighbors_in(const Comm& comm, int me) {
  std::vector<int> found;
  int stride = static_cast<int>(comm.members.size());
  for (const int size : comm.dims) {
    stride /= size;
    const int at = me / stride % size;
    for (const int step : {-1, 1}) {
      const int to = at + step;
      if (comm.is_periodic || (to >= 0 && to < size))
        found.push_back(me + ((to + size) % size - at) * stride);
    }
  }
  return found;
}

class Meetings {
 public:
  Meetings(const Program& program, Log& log, Requests& requests)
      : program_(program), log_(log), requests_(requests), counts_(program.comms.size()) {}

  Call begin(int place, const Meet& what, Time now) {
    const Comm& comm = program_.comms[static_cast<std::size_t>(what.comm)];
    const int me = static_cast<int>(std::find(comm.members.begin(), comm.members.end(), place) -
                                    comm.members.begin());
    const auto meeting = next(what, place);
    Meeting::Member& member = meeting->members[static_cast<std::size_t>(me)];
    member.place = place;
    member.begin = now;
    if (what.region.find("eighbor") != std::string::npos) member.neighbors = neighbors_in(comm, me);
    count_bytes(member, what, me, static_cast<int>(comm.members.size()));
    const auto ready = [=, this] { return ready_at(*meeting, me); };
    if (what.request >= 0) return start(place, what, {meeting, me}, ready);
    return {.leave = [=] { return ready(); },
            .finish =
                [=, this](const Span& call) {
                  meeting->members[static_cast<std::size_t>(me)].done = call;
                  write_begin(what, call);
                  write_end(what, *meeting, me, call);
                },
            .region = what.region};
  }

 private:
  struct Part {
    std::shared_ptr<Meeting> of;
    int me = 0;
    Meeting::Member& member() const { return of->members[static_cast<std::size_t>(me)]; }
  };

  // The rank's next collective on the communicator.
  std::shared_ptr<Meeting> next(const Meet& what, int place) {
    const auto index = counts_[static_cast<std::size_t>(what.comm)][place]++;
    auto& meeting = meetings_[{what.comm, index}];
    if (meeting) return meeting;
    meeting = std::make_shared<Meeting>();
    meeting->region = what.region;
    meeting->op = what.op;
    meeting->is_blocking = what.request < 0;
    meeting->has_records = what.records != Meet::Records::none;
    meeting->root = what.root;
    meeting->is_described = program_.comms[static_cast<std::size_t>(what.comm)].is_described;
    meeting->members.resize(program_.comms[static_cast<std::size_t>(what.comm)].members.size());
    log_.history.meetings.push_back(meeting);
    return meeting;
  }

  Call start(int place, const Meet& what, const Part& part,
             const std::function<std::optional<Time>()>& ready) {
    const std::uint64_t id = log_.next_request(place);
    requests_[{place, what.request}] = {id, ready, [=, this](const Span& call, const Complete&) {
                                          part.member().done = call;
                                          log_.write(place, call.leave, [=](auto* to, auto time) {
                                            return OTF2_EvtWriter_NonBlockingCollectiveComplete(
                                                to, nullptr, time, what.op, comm_id(what),
                                                root_id(what), part.member().sent,
                                                part.member().received, id);
                                          });
                                        }};
    return {.leave = at(*part.member().begin + o),
            .finish =
                [=, this](const Span& call) {
                  log_.write(place, call.leave, [id](auto* to, auto time) {
                    return OTF2_EvtWriter_NonBlockingCollectiveRequest(to, nullptr, time, id);
                  });
                },
            .region = what.region};
  }

  // Members that `me` waits for.
  std::vector<int> awaited(const Meeting& meeting, int me) const {
    const auto& neighbors = meeting.members[static_cast<std::size_t>(me)].neighbors;
    if (!neighbors.empty()) return neighbors;
    std::vector<int> all(meeting.members.size());
    std::iota(all.begin(), all.end(), 0);
    if (program_.library == Library::all_with_last) return all;
    const bool is_mutual = program_.library == Library::root_and_members;
    const bool is_root = me == meeting.root;
    const std::vector<int> nobody, root{meeting.root};
    switch (meeting.op) {
      case OTF2_COLLECTIVE_OP_BCAST:
      case OTF2_COLLECTIVE_OP_SCATTER:
        return !is_root ? root : is_mutual ? all : nobody;
      case OTF2_COLLECTIVE_OP_REDUCE:
      case OTF2_COLLECTIVE_OP_GATHER:
        return is_root ? all : is_mutual ? root : nobody;
      case OTF2_COLLECTIVE_OP_SCAN:
      case OTF2_COLLECTIVE_OP_EXSCAN:
        return {all.begin(), all.begin() + me};
      default:
        return all;
    }
  }

  std::optional<Time> ready_at(const Meeting& meeting, int me) const {
    const Time own = *meeting.members[static_cast<std::size_t>(me)].begin;
    const auto others = awaited(meeting, me);
    if (others.empty()) return own + o;
    Time last = own;
    for (const int each : others) {
      const auto begin = meeting.members[static_cast<std::size_t>(each)].begin;
      if (!begin) return std::nullopt;
      last = std::max(last, *begin);
    }
    return last + C;
  }

  // As Score-P counts them: totals of the rank.
  static void count_bytes(Meeting::Member& member, const Meet& what, int me, int size) {
    const std::uint64_t m = what.bytes, ranks = static_cast<std::uint64_t>(size),
                        rank = static_cast<std::uint64_t>(me);
    const bool is_root = me == what.root;
    const auto set = [&](std::uint64_t sent, std::uint64_t received) {
      member.sent = sent * m;
      member.received = received * m;
    };
    switch (what.op) {
      case OTF2_COLLECTIVE_OP_BARRIER:
        return set(0, 0);
      case OTF2_COLLECTIVE_OP_BCAST:
      case OTF2_COLLECTIVE_OP_SCATTER:
        return set(is_root ? ranks : 0, 1);
      case OTF2_COLLECTIVE_OP_REDUCE:
      case OTF2_COLLECTIVE_OP_GATHER:
        return set(1, is_root ? ranks : 0);
      case OTF2_COLLECTIVE_OP_SCAN:
        return set(ranks - rank, rank + 1);
      case OTF2_COLLECTIVE_OP_EXSCAN:
        return set(ranks - rank - 1, rank);
      default:
        return member.neighbors.empty() ? set(ranks, ranks)
                                        : set(member.neighbors.size(), member.neighbors.size());
    }
  }

  static std::uint32_t comm_id(const Meet& what) { return static_cast<std::uint32_t>(what.comm); }
  static std::uint32_t root_id(const Meet& what) {
    return what.root < 0 ? OTF2_UNDEFINED_UINT32 : static_cast<std::uint32_t>(what.root);
  }

  void write_begin(const Meet& what, const Span& call) {
    using R = Meet::Records;
    if (what.records == R::none) return;
    log_.write(call.place, call.enter, [records = what.records](auto* to, auto time) {
      return records == R::mpi ? OTF2_EvtWriter_MpiCollectiveBegin(to, nullptr, time)
                               : OTF2_EvtWriter_RmaCollectiveBegin(to, nullptr, time);
    });
  }

  void write_end(const Meet& what, const Meeting& meeting, int me, const Span& call) {
    if (what.records == Meet::Records::none) return;
    if (what.records == Meet::Records::window) return write_window(what, call);
    if (what.object >= 0)
      log_.write(call.place, call.leave, [id = what.object](auto* to, auto time) {
        return OTF2_EvtWriter_CommCreate(to, nullptr, time, static_cast<std::uint32_t>(id));
      });
    const auto& member = meeting.members[static_cast<std::size_t>(me)];
    log_.write(call.place, call.leave,
               [=, sent = member.sent, received = member.received](auto* to, auto time) {
                 return OTF2_EvtWriter_MpiCollectiveEnd(to, nullptr, time, what.op, comm_id(what),
                                                        root_id(what), sent, received);
               });
  }

  void write_window(const Meet& what, const Span& call) {
    const auto window = static_cast<std::uint32_t>(what.object);
    const OTF2_CollectiveOp op = what.op;
    if (op == OTF2_COLLECTIVE_OP_CREATE_HANDLE)
      log_.write(call.place, call.leave, [=](auto* to, auto time) {
        return OTF2_EvtWriter_RmaWinCreate(to, nullptr, time, window);
      });
    if (op == OTF2_COLLECTIVE_OP_DESTROY_HANDLE)
      log_.write(call.place, call.leave, [=](auto* to, auto time) {
        return OTF2_EvtWriter_RmaWinDestroy(to, nullptr, time, window);
      });
    const bool is_fence = op == OTF2_COLLECTIVE_OP_BARRIER;
    const OTF2_RmaSyncLevel level =
        OTF2_RMA_SYNC_LEVEL_PROCESS | (is_fence ? OTF2_RMA_SYNC_LEVEL_MEMORY : 0);
    log_.write(call.place, call.leave, [=](auto* to, auto time) {
      return OTF2_EvtWriter_RmaCollectiveEnd(to, nullptr, time, op, level, window,
                                             OTF2_UNDEFINED_UINT32, 0, 0);
    });
  }

  const Program& program_;
  Log& log_;
  Requests& requests_;
  std::vector<std::map<int, int>> counts_;  // by communicator and place
  std::map<std::pair<int, int>, std::shared_ptr<Meeting>> meetings_;
};

}  // namespace tutti::tests::truth
