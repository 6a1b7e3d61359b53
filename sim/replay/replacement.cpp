// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/replacement.hpp"

#include "sim/replay/call.hpp"
#include "sim/replay/event_reader.hpp"
#include "sim/replay/frames.hpp"

namespace tutti::studies::replay {
namespace {

using workloads::traces::none;
using workloads::traces::Trace;
using workloads::traces::TraceRegion;

// A replacement with the regions of its new calls.
struct Rule {
  Replace::By by = Replace::By::send_then_recv;
  std::uint32_t send = none, recv = none;  // or their nonblocking forms
  std::uint32_t wait = none;
  std::uint64_t replaced = 0;
  std::uint64_t others = 0;  // calls that do more than the rule supports
  std::uint64_t at_end = 0;  // waits without a following end of wait_after
};

std::uint32_t region_of(std::vector<TraceRegion>& regions, const std::string& name) {
  const auto match = std::ranges::find(regions, name, &TraceRegion::name);
  if (match != regions.end()) return static_cast<std::uint32_t>(match - regions.begin());
  regions.push_back({name, true});
  return static_cast<std::uint32_t>(regions.size() - 1);
}

std::vector<Rule> rules_of(const std::vector<Replace>& replaces,
                           std::vector<TraceRegion>& regions) {
  std::vector<Rule> rules;
  for (const auto& replace : replaces) {
    Rule rule{.by = replace.by};
    if (replace.by == Replace::By::nonblocking) {
      const bool sends = replace.call != "MPI_Recv";
      (sends ? rule.send : rule.recv) = region_of(regions, nonblocking_name(replace.call));
      rule.wait = region_of(regions, "MPI_Wait");
    } else {
      rule.send = region_of(regions, "MPI_Send");
      rule.recv = region_of(regions, "MPI_Recv");
    }
    rules.push_back(rule);
  }
  return rules;
}

// Represents rules as scales, so that the frames find the regions of a rule: the first scales are
// the replaced calls, the others the regions after which waits come.
Hypothesis as_scales(const std::vector<Replace>& replaces) {
  Hypothesis scales;
  for (const auto& replace : replaces)
    scales.scales.push_back({.region = replace.call, .within = replace.within});
  for (const auto& replace : replaces) scales.scales.push_back({.region = replace.wait_after});
  return scales;
}

class RankRewriting {
 public:
  RankRewriting(const Trace& trace, const PartsOfRegions& parts, std::vector<Rule>& rules,
                std::uint32_t finalize, TraceRank rank, workloads::traces::EventStore& to)
      : trace_(trace),
        rules_(rules),
        finalize_(finalize),
        rank_(rank),
        to_(to),
        frames_(parts),
        waiting_(rules.size()) {}

  void run() {
    EventReader events(trace_.events, rank_);
    Ticks last = 0;
    for (const Event* event = events.next(); event != nullptr; event = events.next()) {
      const bool is_enter = event->kind == EventKind::enter;
      release();
      if (is_enter && trace_.definitions.regions[event->id].is_mpi)
        last = call(events, *event);
      else
        last = other(*event);
    }
    wait_for_all(last);
    release();
  }

 private:
  Ticks other(const Event& event) {
    Parts ended = 0;
    if (event.kind == EventKind::enter) frames_.enter(event.id, root_path);
    if (event.kind == EventKind::leave && !frames_.empty()) {
      ended = frames_.top().parts;
      frames_.leave();
    }
    held_ = Held{event, ended};
    if (event.kind != EventKind::leave || !frames_.empty()) release();
    return event.time;
  }
  // The leave of an outermost region is delayed: waits at the end of the rank come before it.
  void release() {
    if (!held_) return;
    to_.append(held_->event);
    const auto held = *std::exchange(held_, std::nullopt);
    wait_after(held.ended, held.event.time);
  }

  // Processes a call from its enter to its leave. Returns the time of the leave.
  Ticks call(EventReader& events, const Event enter) {
    call_.assign(1, enter);
    for (int depth = 1; depth > 0;) {
      const Event* event = events.next();
      if (event == nullptr) break;
      depth += event->kind == EventKind::enter;
      depth -= event->kind == EventKind::leave;
      call_.push_back(*event);
    }
    const Ticks end = call_.back().time;
    if (enter.id == finalize_) wait_for_all(enter.time);
    const Parts parts = frames_.enter(enter.id, root_path).parts;
    frames_.leave();
    const Parts own = parts & ((Parts{1} << rules_.size()) - 1);
    if (own == 0 || !replace(static_cast<std::size_t>(std::countr_zero(own))))
      for (const Event& event : call_) to_.append(event);
    wait_after(parts, end);
    return end;
  }

  // False if the call is not replaced.
  bool replace(std::size_t number) {
    Rule& rule = rules_[number];
    const auto count = [&](EventKind kind) {
      return std::ranges::count(call_, kind, &Event::kind);
    };
    const auto sends = count(EventKind::send), receives = count(EventKind::recv);
    const auto rest = std::ranges::count(call_, EventKind::other, &Event::kind) + sends + receives;
    const bool is_known = sends <= 1 && receives <= 1 && sends + receives > 0 &&
                          rest + 2 == std::ssize(call_) && call_.back().kind == EventKind::leave;
    const bool is_one = rule.by != Replace::By::nonblocking || sends + receives == 1;
    if (!is_known || !is_one) {
      rule.others += sends + receives > 0;  // 0 with MPI_PROC_NULL
      return false;
    }
    ++rule.replaced;
    if (rule.by == Replace::By::nonblocking)
      start(number);
    else
      split(rule);
    return true;
  }

  const Event* find(EventKind kind) const {
    const auto match = std::ranges::find(call_, kind, &Event::kind);
    return match == call_.end() ? nullptr : &*match;
  }
  Ticks begin() const { return call_.front().time; }
  Ticks end() const { return call_.back().time; }

  void put(EventKind kind, Ticks time, std::uint32_t region, std::uint64_t how = 0) {
    Event event;
    event.time = time;
    event.kind = kind;
    event.id = region;
    event.bytes = how;
    to_.append(event);
  }
  void put_call(std::uint32_t region, Ticks from, Ticks to, std::uint64_t how, const Event& event) {
    put(EventKind::enter, from, region, how);
    to_.append(event);
    put(EventKind::leave, to, region);
  }
  static Event at(Event event, Ticks time) {
    event.time = time;
    return event;
  }

  // The first call ends at its event, the second takes the rest.
  void split(const Rule& rule) {
    const Event* const send = find(EventKind::send);
    const Event* const recv = find(EventKind::recv);
    const bool both = send != nullptr && recv != nullptr;
    const std::uint64_t second = both ? made::added : 0;
    if (rule.by == Replace::By::send_then_recv) {
      const Ticks middle = send == nullptr ? begin() : both ? send->time : end();
      if (send != nullptr) put_call(rule.send, begin(), middle, made::estimated, *send);
      if (recv != nullptr)
        put_call(rule.recv, middle, end(), second, at(*recv, std::max(middle, recv->time)));
      return;
    }
    const Ticks middle = recv == nullptr ? begin() : both ? recv->time : end();
    if (recv != nullptr) put_call(rule.recv, begin(), middle, 0, *recv);
    if (send == nullptr) return;
    const bool is_moved = middle > send->time;
    put_call(rule.send, middle, end(), made::estimated | second | (is_moved ? made::moved : 0),
             at(*send, std::max(middle, send->time)));
  }

  void start(std::size_t number) {
    Rule& rule = rules_[number];
    const Event* const send = find(EventKind::send);
    Event first = send != nullptr ? *send : Event{};
    Event done = send != nullptr ? Event{} : *find(EventKind::recv);
    first.kind = send != nullptr ? EventKind::isend : EventKind::irecv_request;
    done.kind = send != nullptr ? EventKind::isend_complete : EventKind::irecv;
    if (send == nullptr) first.time = begin();
    first.request = done.request = first_request + requests_++;
    put_call(send != nullptr ? rule.send : rule.recv, begin(), end(), made::estimated, first);
    waiting_[number].push_back(done);
  }

  void wait_after(Parts ended, Ticks time) {
    each_part(ended >> rules_.size(), [&](std::size_t number) { wait(number, time); });
  }
  void wait(std::size_t number, Ticks time) {
    for (const Event& done : waiting_[number])
      put_call(rules_[number].wait, time, time, made::estimated | made::added, at(done, time));
    waiting_[number].clear();
  }
  void wait_for_all(Ticks time) {
    for (std::size_t i = 0; i < rules_.size(); ++i) {
      rules_[i].at_end += waiting_[i].size();
      wait(i, time);
    }
  }

  // Request numbers of traces start at 0.
  static constexpr std::uint64_t first_request = std::uint64_t{1} << 62;

  const Trace& trace_;
  std::vector<Rule>& rules_;
  std::uint32_t finalize_;
  TraceRank rank_;
  workloads::traces::EventStore& to_;
  Frames frames_;
  struct Held {
    Event event;
    Parts ended = 0;  // rules whose waits come after it
  };
  std::optional<Held> held_;
  std::vector<Event> call_;
  std::vector<std::vector<Event>> waiting_;  // completions, by rule
  std::uint64_t requests_ = 0;
};

void add_notes(const Rule& rule, const Replace& replace, std::vector<std::string>& notes) {
  if (rule.replaced == 0)
    notes.push_back(fmt::format("replace of {} matches nothing", printable(replace.call)));
  else
    notes.push_back(fmt::format("{} of {} replaced by {}", counted(rule.replaced, "call"),
                                printable(replace.call), by_text(replace)));
  if (rule.others > 0)
    notes.push_back(
        fmt::format("{} of {} not replaced: they do more than one send or one receive of their own",
                    counted(rule.others, "call"), printable(replace.call)));
  if (rule.at_end > 0)
    notes.push_back(fmt::format("{} of MPI_Wait at the end of the rank: no end of {} before",
                                counted(rule.at_end, "call"), printable(replace.wait_after)));
}

}  // namespace

Replaced replace_calls(const Trace& trace, const std::vector<Replace>& replaces) {
  Replaced result;
  result.trace.definitions = trace.definitions;
  result.trace.first = trace.first;
  result.trace.before = trace.before;
  auto& regions = result.trace.definitions.regions;
  const PartsOfRegions parts(as_scales(replaces), trace.definitions.regions);
  const auto finalize = std::ranges::find(regions, "MPI_Finalize", &TraceRegion::name);
  const auto number = static_cast<std::uint32_t>(finalize - regions.begin());
  auto rules = rules_of(replaces, regions);
  for (TraceRank rank = 0; rank < trace.definitions.ranks.size(); ++rank) {
    result.trace.events.begin(rank);
    RankRewriting(trace, parts, rules, number, rank, result.trace.events).run();
  }
  for (auto location = static_cast<TraceRank>(trace.definitions.ranks.size());
       location < trace.definitions.locations(); ++location) {
    result.trace.events.begin(location);
    visit_events(trace, location, [&](const Event& event) { result.trace.events.append(event); });
  }
  result.trace.events.finish();
  for (const Rule& rule : rules) result.calls += rule.replaced;
  for (std::size_t i = 0; i < rules.size(); ++i) add_notes(rules[i], replaces[i], result.notes);
  return result;
}

std::optional<Error> take_before(ReplayResult& result, const ReplayResult& original) {
  if (result.in_vain.size() > original.in_vain.size())
    return make_error(
        ErrorKind::run, "", "with the replaced calls: " + result.in_vain.back(),
        "the program would not terminate; replace the calls in another order, or only "
        "`within` a region");
  MetricTable before(original.before.ranks());
  std::vector<PathId> now{root_path};  // by path of the original; parents come first
  for (PathId path = 1; path < original.paths.size(); ++path)
    now.push_back(
        result.paths.child(now[original.paths.parent(path)], original.paths.region(path)));
  for (TraceRank rank = 0; rank < before.ranks(); ++rank)
    for (PathId path = 0; path < original.paths.size(); ++path) {
      const Metrics metrics = original.before.of(rank, path);
      for (std::size_t i = 0; i < metric_count; ++i)
        before.add(rank, now[path], static_cast<Metric>(i), metrics[i]);
    }
  before.take_instances(original.before, now);
  result.before = std::move(before);
  result.end_before = original.end_before;
  result.violations = original.violations;
  result.events = original.events;
  result.messages = original.messages;
  result.collectives = original.collectives;
  return std::nullopt;
}

}  // namespace tutti::studies::replay
