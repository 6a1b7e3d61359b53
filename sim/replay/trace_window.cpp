// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/trace_window.hpp"

#include "sim/replay/collectives_ahead.hpp"
#include "sim/replay/event_reader.hpp"
#include "sim/replay/message_matching.hpp"
#include "workloads/traces/thread_teams.hpp"

namespace tutti::studies::replay {
namespace {

using workloads::traces::EventStore;
using workloads::traces::Trace;

// Calls `visit(event, number)` for each event.
template <class Visit>
void visit_numbered(const Trace& trace, TraceRank rank, const Visit& visit) {
  std::uint64_t number = 0;
  visit_events(trace, rank, [&](const Event& event) { visit(event, number++); });
}

// First pass: the events inside by their times, with MPI calls as a whole.
class EdgesOfRank {
 public:
  EdgesOfRank(const Trace& trace, const TimeWindow& window, KeptEvents& kept)
      : trace_(trace), window_(window), kept_(kept) {}

  void run(TraceRank rank) {
    visit_numbered(trace_, rank,
                   [&](const Event& event, std::uint64_t number) { take(event, number); });
  }
  std::uint64_t cut_calls() const { return cut_calls_; }

 private:
  struct Open {
    Ticks time = 0;
    std::uint64_t number = 0;
  };

  bool is_inside(Ticks time) const { return time >= window_.from && time <= window_.to; }
  void keep(std::uint64_t first, std::uint64_t last) {
    if (kept_.end == 0) kept_.begin = first;
    kept_.end = last + 1;
  }

  void take(const Event& event, std::uint64_t number) {
    const bool enters = event.kind == EventKind::enter, leaves = event.kind == EventKind::leave;
    if (call_depth_ > 0) {
      call_depth_ += enters;
      call_depth_ -= leaves;
      if (call_depth_ == 0) end_call(event.time, number);
      return;
    }
    if (enters && trace_.definitions.regions[event.id].is_mpi) {
      call_depth_ = 1;
      call_ = {event.time, number};
      return;
    }
    if (is_inside(event.time)) keep(number, number);
    if (enters) open_.push_back({event.time, number});
    if (leaves && !open_.empty()) end_region(event.time, number);
  }

  void end_call(Ticks time, std::uint64_t number) {
    if (call_.time >= window_.from && time <= window_.to) return keep(call_.number, number);
    if (time <= window_.from || call_.time >= window_.to) return;
    ++cut_calls_;
    kept_.exceptions.insert({call_.number, number});
  }

  void end_region(Ticks time, std::uint64_t number) {
    const Open enter = open_.back();
    open_.pop_back();
    if (enter.time > window_.to || time < window_.from) return;
    if (enter.time < window_.from) kept_.exceptions.insert(enter.number);
    if (time > window_.to) kept_.exceptions.insert(number);
  }

  const Trace& trace_;
  const TimeWindow& window_;
  KeptEvents& kept_;
  std::vector<Open> open_;
  Open call_;
  std::uint32_t call_depth_ = 0;
  std::uint64_t cut_calls_ = 0;
};

// Second pass: messages and collectives that are only partly inside.
class Halves {
 public:
  Halves(const Trace& trace, std::vector<KeptEvents>& kept)
      : trace_(trace),
        kept_(kept),
        messages_(kept.size(), [this](const MessageKey& key, std::uint64_t sent,
                                      std::uint64_t received) { join(key, sent, received); }) {
    for (TraceRank rank = 0; rank < kept.size(); ++rank) ranks_.emplace_back(trace, rank);
  }

  void run() {
    visit_side_by_side(trace_, [&](TraceRank rank, const Event& event) { take(rank, event); });
    messages_.finish();
  }
  std::uint64_t messages() const { return cut_messages_; }
  std::uint64_t collectives() const { return cut_collectives_; }

 private:
  // A note of a half is the number of its event, with this bit if its receive was posted outside.
  static constexpr std::uint64_t posted_outside = std::uint64_t{1} << 63;
  static constexpr std::uint64_t no_number = UINT64_MAX;

  struct OfRank {
    OfRank(const Trace& trace, TraceRank rank) : collectives(trace, rank) {}
    std::uint64_t number = 0;                       // of the next event
    std::uint64_t begin = no_number;                // of the last collective
    std::unordered_map<std::uint64_t, bool> posts;  // requests; whether inside
    CollectiveCount collectives;
    // Begins of nonblocking collectives in progress, by communicator and number.
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> begins;
  };
  struct Member {
    TraceRank rank = 0;
    std::uint64_t begin = 0, end = 0;  // events
  };

  void take(TraceRank rank, const Event& event) {
    OfRank& me = ranks_[rank];
    const std::uint64_t number = me.number++;
    std::uint64_t note = number;
    if (event.kind == EventKind::irecv_request)
      me.posts[event.request] = kept_[rank].is_inside(number);
    if (event.kind == EventKind::irecv) {
      const auto post = me.posts.find(event.request);
      if (post != me.posts.end() && !post->second) note |= posted_outside;
      if (post != me.posts.end()) me.posts.erase(post);
    }
    if (event.kind == EventKind::collective_begin) me.begin = number;
    if (const auto collective = me.collectives.take(event))
      add(rank, event, *collective, number);
    else
      messages_.take(rank, event, note);
  }

  void join(const MessageKey& key, std::uint64_t sent, std::uint64_t received) {
    const std::uint64_t got = received & ~posted_outside;
    const bool is_sent = kept_[key.from].is_inside(sent), is_got = kept_[key.to].is_inside(got);
    if (is_sent && is_got && got == received) return;
    if (is_sent) kept_[key.from].exceptions.insert(sent);
    if (is_got) kept_[key.to].exceptions.insert(got);
    if (is_sent || is_got) ++cut_messages_;
  }

  void add(TraceRank rank, const Event& event, const CollectiveCount::Numbered& collective,
           std::uint64_t number) {
    OfRank& me = ranks_[rank];
    const std::pair key(collective.comm, collective.number);
    if (event.kind == EventKind::collective_request) {
      me.begins[key] = number;
      return;
    }
    Member member{rank, std::exchange(me.begin, no_number), number};
    if (const auto begin = me.begins.extract(key); !begin.empty()) member.begin = begin.mapped();
    const auto& members = trace_.definitions.communicators[collective.comm].members;
    if (members.size() < 2) return omit({member});
    auto& instance = instances_[key];
    instance.push_back(member);
    if (instance.size() < members.size()) return;
    omit(instance);
    instances_.erase(key);
  }

  void omit(const std::vector<Member>& members) {
    const auto is_inside = [&](const Member& member, std::uint64_t number) {
      return number != no_number && kept_[member.rank].is_inside(number);
    };
    const auto is_whole = [&](const Member& member) {
      return is_inside(member, member.end) &&
             (member.begin == no_number || is_inside(member, member.begin));
    };
    if (std::ranges::all_of(members, is_whole)) return;
    bool is_partly_inside = false;
    for (const Member& member : members)
      for (const std::uint64_t number : {member.begin, member.end})
        if (is_inside(member, number)) {
          kept_[member.rank].exceptions.insert(number);
          is_partly_inside = true;
        }
    cut_collectives_ += is_partly_inside;
  }

  const Trace& trace_;
  std::vector<KeptEvents>& kept_;
  MessageMatching messages_;
  std::vector<OfRank> ranks_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<Member>> instances_;  // under way
  std::uint64_t cut_messages_ = 0, cut_collectives_ = 0;
};

// Events of windows and teams belong to each other by their number since the start, which a part of
// a trace does not show.
bool is_counted_from_start(EventKind kind) {
  return kind >= EventKind::group_sync && kind <= EventKind::team_end;
}

// Third pass: posts of receives and ends of sends that are not kept.
class RequestsOfRank {
 public:
  explicit RequestsOfRank(KeptEvents& kept) : kept_(kept) {}

  void run(const Trace& trace, TraceRank rank) {
    visit_numbered(trace, rank,
                   [&](const Event& event, std::uint64_t number) { take(event, number); });
  }

 private:
  void take(const Event& event, std::uint64_t number) {
    if (is_counted_from_start(event.kind)) omit(number);
    switch (event.kind) {
      case EventKind::isend:
        sends_[event.request] = kept_.keeps(number);
        return;
      case EventKind::isend_complete:
        if (const auto send = sends_.find(event.request); send != sends_.end()) {
          if (!send->second) omit(number);
          sends_.erase(send);
        }
        return;
      case EventKind::irecv_request:
        posts_[event.request] = number;
        return;
      case EventKind::irecv:
        if (const auto post = posts_.find(event.request); post != posts_.end()) {
          if (!kept_.keeps(number)) omit(post->second);
          posts_.erase(post);
        }
        return;
      default:
        return;
    }
  }

  void omit(std::uint64_t number) {
    if (kept_.is_inside(number)) kept_.exceptions.insert(number);
  }

  KeptEvents& kept_;
  std::unordered_map<std::uint64_t, bool> sends_;           // by request: kept
  std::unordered_map<std::uint64_t, std::uint64_t> posts_;  // by request
};

// The events of each rank before the first one that is inside by its time.
std::shared_ptr<const Trace> before_window(const Trace& whole, const std::vector<KeptEvents>& kept,
                                           const TimeWindow& window) {
  auto before = std::make_shared<Trace>();
  before->definitions = whole.definitions;
  before->first = whole.first;
  for (TraceRank rank = 0; rank < kept.size(); ++rank) {
    before->events.begin(rank);
    visit_numbered(whole, rank, [&](const Event& event, std::uint64_t number) {
      if (kept[rank].end > 0 ? number < kept[rank].begin : event.time < window.from)
        before->events.append(event);
    });
  }
  before->events.finish();
  return before;
}

EventStore kept_events(const Trace& whole, const std::vector<KeptEvents>& kept,
                       const TimeWindow& window) {
  EventStore store;
  for (TraceRank rank = 0; rank < kept.size(); ++rank) {
    store.begin(rank);
    visit_numbered(whole, rank, [&](Event event, std::uint64_t number) {
      if (!kept[rank].keeps(number)) return;
      event.time = std::clamp(event.time, window.from, window.to) - window.from;
      store.append(event);
    });
  }
  store.finish();
  return store;
}

std::string calls_at_edges(std::uint64_t count) {
  if (count == 0) return "";
  return fmt::format("; {} at its edges keep{} only the time inside", counted(count, "call"),
                     count == 1 ? "s" : "");
}

std::string omitted(std::uint64_t messages, std::uint64_t collectives) {
  if (messages + collectives == 0) return "";
  std::string what = messages > 0 ? counted(messages, "message") : "";
  if (messages > 0 && collectives > 0) what += " and ";
  if (collectives > 0) what += counted(collectives, "collective");
  return fmt::format("; {} {} only partly inside and omitted", what,
                     messages + collectives == 1 ? "is" : "are");
}

}  // namespace

Ticks end_of(const Trace& trace) {
  Ticks end = 0;
  for (TraceRank rank = 0; rank < trace.definitions.locations(); ++rank)
    visit_events(trace, rank, [&](const Event& event) { end = std::max(end, event.time); });
  return end;
}

WindowedTrace cut_window(const Trace& whole, const TimeWindow& window) {
  std::vector<KeptEvents> kept(whole.definitions.locations());
  std::uint64_t cut_calls = 0;
  for (TraceRank rank = 0; rank < kept.size(); ++rank) {
    EdgesOfRank edges(whole, window, kept[rank]);
    edges.run(rank);
    cut_calls += edges.cut_calls();
  }
  Halves halves(whole, kept);
  halves.run();
  for (TraceRank rank = 0; rank < kept.size(); ++rank) RequestsOfRank(kept[rank]).run(whole, rank);
  WindowedTrace result{{.definitions = whole.definitions,
                        .events = kept_events(whole, kept, window),
                        .first = whole.first + window.from,
                        .notes = whole.notes,
                        .before = before_window(whole, kept, window)},
                       std::move(kept)};
  const auto reported = [&](Ticks time) { return format_seconds(whole.definitions.seconds(time)); };
  result.trace.notes.push_back(fmt::format("the window is from {} to {}{}{}", reported(window.from),
                                           reported(std::min(window.to, end_of(whole))),
                                           calls_at_edges(cut_calls),
                                           omitted(halves.messages(), halves.collectives())));
  workloads::traces::find_teams(result.trace);
  return result;
}

}  // namespace tutti::studies::replay
