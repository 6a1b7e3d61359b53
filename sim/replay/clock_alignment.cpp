// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/clock_alignment.hpp"

#include "sim/replay/collectives.hpp"
#include "sim/replay/event_reader.hpp"
#include "sim/replay/message_matching.hpp"

namespace tutti::studies::replay {
namespace {

using Ticks = ClockLimits::Ticks;
using TraceRank = ClockLimits::TraceRank;
using workloads::traces::ClockCorrection;

struct Limit {
  TraceRank cause = 0, effect = 0;
  Ticks most = 0;
};

class Groups {
 public:
  explicit Groups(std::size_t ranks) : parents_(ranks) { std::iota(begin(), end(), TraceRank{0}); }
  TraceRank of(TraceRank rank) {
    while (parents_[rank] != rank) rank = parents_[rank] = parents_[parents_[rank]];
    return rank;
  }
  // False if they are already in one group.
  bool join(TraceRank a, TraceRank b) {
    const TraceRank low = std::min(of(a), of(b)), high = std::max(of(a), of(b));
    parents_[high] = low;
    return low != high;
  }
  std::uint32_t count() {
    std::uint32_t count = 0;
    for (TraceRank rank = 0; rank < parents_.size(); ++rank) count += of(rank) == rank;
    return count;
  }

 private:
  std::vector<TraceRank>::iterator begin() { return parents_.begin(); }
  std::vector<TraceRank>::iterator end() { return parents_.end(); }
  std::vector<TraceRank> parents_;
};

// Two ranks with limits in both directions: shift[b] - shift[a] is between least and most.
struct Pair {
  TraceRank a = 0, b = 0;
  Ticks least = 0, most = 0;
};

std::vector<Pair> pairs_of(const ClockLimits& limits) {
  std::vector<Pair> pairs;
  limits.each([&](TraceRank cause, TraceRank effect, Ticks most) {
    const Ticks* back = cause < effect ? limits.find(effect, cause) : nullptr;
    if (back != nullptr) pairs.push_back({cause, effect, -most, *back});
  });
  std::ranges::sort(pairs, {}, [](const Pair& pair) {
    return std::tuple(pair.most - pair.least, pair.a, pair.b);
  });
  return pairs;
}

// Shifts along a tree of the narrowest pairs; the lowest rank of each tree keeps its clock.
std::vector<Ticks> middles(std::size_t ranks, const ClockLimits& limits) {
  Groups groups(ranks);
  std::vector<std::vector<std::pair<TraceRank, Ticks>>> tree(ranks);
  for (const Pair& pair : pairs_of(limits)) {
    if (!groups.join(pair.a, pair.b)) continue;
    const Ticks middle = std::midpoint(pair.least, pair.most);
    tree[pair.a].push_back({pair.b, middle});
    tree[pair.b].push_back({pair.a, -middle});
  }
  std::vector<std::optional<Ticks>> shifts(ranks);
  std::vector<TraceRank> next;
  for (TraceRank root = 0; root < ranks; ++root) {
    if (shifts[root]) continue;
    shifts[root] = 0;
    for (next.push_back(root); !next.empty();) {
      const TraceRank from = next.back();
      next.pop_back();
      for (const auto& [to, by] : tree[from])
        if (!shifts[to]) shifts[to] = *shifts[from] + by, next.push_back(to);
    }
  }
  std::vector<Ticks> result;
  for (const auto& shift : shifts) result.push_back(*shift);
  return result;
}

// Moves effects until no cause is after its effect by more than the tolerance (Bellman and Ford).
// False if that does not terminate.
bool repair(std::vector<Ticks>& shifts, const std::vector<Limit>& limits, Ticks tolerance) {
  const std::size_t most_work = 20'000'000;
  const std::size_t sweeps =
      std::clamp<std::size_t>(most_work / (limits.size() + 1), 4, shifts.size() + 1);
  for (std::size_t sweep = 0; sweep < sweeps; ++sweep) {
    bool moved = false;
    const auto look_at = [&](const Limit& limit) {
      const Ticks least = shifts[limit.cause] - limit.most - tolerance;
      if (shifts[limit.effect] >= least) return;
      shifts[limit.effect] = least;
      moved = true;
    };
    if (sweep % 2 == 0)
      std::for_each(limits.begin(), limits.end(), look_at);
    else
      std::for_each(limits.rbegin(), limits.rend(), look_at);
    if (!moved) return true;
  }
  return false;
}

Ticks worst(const std::vector<Ticks>& shifts, const std::vector<Limit>& limits) {
  Ticks worst = 0;
  for (const Limit& limit : limits)
    worst = std::max(worst, shifts[limit.cause] - shifts[limit.effect] - limit.most);
  return worst;
}

using workloads::traces::none;
using workloads::traces::Trace;

// One pass over the trace that finds causes and their effects on other ranks.
class CauseReader {
 public:
  // Gives the time on the common clock, as far as it is known.
  using Clock = std::function<Ticks(TraceRank, Ticks)>;
  // Receives the recorded times of a cause and its effect.
  using Found = std::function<void(TraceRank, Ticks, TraceRank, Ticks)>;

  // `reads_all`: also messages, and pairs of members of collectives; otherwise only the cause that
  // is last by `clock`.
  CauseReader(const Trace& trace, bool reads_all, Clock clock, Found found)
      : trace_(trace),
        reads_all_(reads_all),
        clock_(std::move(clock)),
        found_(std::move(found)),
        messages_(trace.definitions.locations(),
                  [this](const MessageKey& key, std::uint64_t sent, std::uint64_t received) {
                    found_(key.from, static_cast<Ticks>(sent), key.to,
                           static_cast<Ticks>(received));
                  }),
        numbers_(trace.definitions),
        ranks_(trace.definitions.locations()) {}

  void run() {
    visit_side_by_side(trace_, [&](TraceRank rank, const Event& event) {
      if (is_rank(rank)) take(rank, event);
    });
    if (reads_all_) messages_.finish();
  }

 private:
  struct OfRank {
    std::uint32_t depth = 0;  // of regions inside an MPI call
    Ticks enter = 0;          // of the call
    std::unordered_map<std::uint32_t, std::uint64_t> collectives;
  };
  struct Member {
    Ticks enter = 0, end = 0;
  };
  struct Instance {
    CollectiveOp op = CollectiveOp::other;
    std::uint32_t root = none;
    std::size_t left = 0;
    std::vector<Member> members;
  };

  bool is_rank(TraceRank location) const { return location < trace_.definitions.ranks.size(); }

  void take(TraceRank rank, const Event& event) {
    OfRank& me = ranks_[rank];
    if (event.kind == EventKind::enter) {
      if (me.depth == 0 && !trace_.definitions.regions[event.id].is_mpi) return;
      if (me.depth++ == 0) me.enter = event.time;
    } else if (event.kind == EventKind::leave) {
      if (me.depth > 0) --me.depth;
    } else if (event.kind == EventKind::collective_end) {
      collective(rank, event);
    } else if (reads_all_) {
      messages_.take(rank, event, static_cast<std::uint64_t>(event.time));
    }
  }

  void collective(TraceRank rank, const Event& event) {
    const auto& members = trace_.definitions.communicators[event.comm].members;
    if (members.size() < 2) return;
    const std::uint64_t number = ranks_[rank].collectives[event.comm]++;
    Instance& instance = instances_[{event.comm, number}];
    if (instance.members.empty()) {
      instance.members.resize(members.size());
      instance.op = event.op;
      instance.root = event.id == none ? none : numbers_.of(event.comm, event.id);
    }
    instance.members[numbers_.of(event.comm, rank)] = {ranks_[rank].enter, event.time};
    if (++instance.left < members.size()) return;
    add_limits(instance, members);
    instances_.erase({event.comm, number});
  }

  void add_limits(const Instance& instance, const std::vector<TraceRank>& ranks) {
    const auto cause = [&](std::size_t from, std::size_t to) {
      found_(ranks[from], instance.members[from].enter, ranks[to], instance.members[to].end);
    };
    std::size_t last = 0, last_lower = 0;
    for (std::size_t i = 1; i < ranks.size(); ++i)
      if (enter(instance, ranks, i) > enter(instance, ranks, last)) last = i;
    for (std::size_t i = 0; i < ranks.size(); ++i) {
      switch (waits_for(instance.op, i == instance.root)) {
        case WaitsFor::nobody:
        case WaitsFor::some:
          break;
        case WaitsFor::root:
          if (instance.root < ranks.size()) cause(instance.root, i);
          break;
        case WaitsFor::all:
          if (reads_all_) each_way(instance, i, cause);
          cause(last, i);
          break;
        case WaitsFor::lower_ranks:
        case WaitsFor::lower_ranks_and_itself:
          cause(last_lower, i);
          if (enter(instance, ranks, i) > enter(instance, ranks, last_lower)) last_lower = i;
      }
    }
  }

  Ticks enter(const Instance& instance, const std::vector<TraceRank>& ranks, std::size_t i) const {
    return clock_(ranks[i], instance.members[i].enter);
  }

  // All pairs of members would be too many. Only pairs with the first member are added; the
  // following passes find the others that matter.
  template <class Cause>
  static void each_way(const Instance& instance, std::size_t member, const Cause& cause) {
    if (member == instance.root)
      for (std::size_t i = 0; i < instance.members.size(); ++i) cause(i, member);
    else
      cause(0, member), cause(member, 0);
  }

  const Trace& trace_;
  bool reads_all_;
  Clock clock_;
  Found found_;
  MessageMatching messages_;
  MemberNumbers numbers_;
  std::vector<OfRank> ranks_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, Instance> instances_;  // under way
};

// A span of the common clock.
struct ClockSpan {
  Ticks begin = INT64_MAX, end = INT64_MIN;
  void include(Ticks time) {
    begin = std::min(begin, time);
    end = std::max(end, time);
  }
};

// Corrections that are linear between the middles of equally long segments of a span.
class BentClocks {
 public:
  BentClocks(const std::vector<Ticks>& constant, const ClockSpan& span, int segments)
      : span_(span), clocks_(constant.size()), limits_(static_cast<std::size_t>(segments)) {
    for (TraceRank rank = 0; rank < constant.size(); ++rank)
      for (int i = 0; i < segments; ++i)
        clocks_[rank].points.push_back({span.begin + (span.end - span.begin) / segments * i +
                                            (span.end - span.begin) / segments / 2 - constant[rank],
                                        constant[rank]});
  }

  Ticks at(TraceRank rank, Ticks time) const { return time + clocks_[rank].shift_at(time); }
  const std::vector<ClockCorrection>& clocks() const { return clocks_; }
  // The largest time that a cause is later than its effect.
  Ticks violation() const { return violation_; }

  // Reads the trace. Returns whether each segment relates the same ranks as the whole trace does.
  bool read(const Trace& trace, std::uint32_t groups) {
    for (ClockLimits& limits : limits_) limits = {};
    violation_ = 0;
    CauseReader(
        trace, true, [&](TraceRank rank, Ticks time) { return at(rank, time); },
        [&](TraceRank a, Ticks cause, TraceRank b, Ticks effect) {
          cause = at(a, cause);
          effect = at(b, effect);
          violation_ = std::max(violation_, cause - effect);
          limits_[segment_of(std::midpoint(cause, effect))].add(a, cause, b, effect);
        })
        .run();
    return std::ranges::all_of(limits_, [&](const ClockLimits& limits) {
      return clock_shifts(clocks_.size(), limits).groups == groups;
    });
  }

  // Moves the middle of each segment as its limits require. The lowest rank of a group keeps its
  // clock. Returns false if time would go backwards.
  bool bend() {
    for (std::size_t i = 0; i < limits_.size(); ++i) {
      const auto by = clock_shifts(clocks_.size(), limits_[i]).shifts;
      Groups groups(clocks_.size());
      limits_[i].each([&](TraceRank a, TraceRank b, Ticks) { groups.join(a, b); });
      for (TraceRank rank = 0; rank < clocks_.size(); ++rank)
        clocks_[rank].points[i].shift += by[rank] - by[groups.of(rank)];
    }
    return std::ranges::all_of(clocks_, [](const ClockCorrection& clock) {
      return std::ranges::is_sorted(clock.points, {}, [](const ClockCorrection::Point& point) {
        return point.time + point.shift;
      });
    });
  }

 private:
  std::size_t segment_of(Ticks time) const {
    const double part = static_cast<double>(time - span_.begin) /
                        static_cast<double>(std::max<Ticks>(1, span_.end - span_.begin));
    const double most = static_cast<double>(limits_.size());
    return static_cast<std::size_t>(std::clamp(part * most, 0.0, most - 1));
  }

  ClockSpan span_;
  std::vector<ClockCorrection> clocks_;  // by rank
  std::vector<ClockLimits> limits_;      // by segment, on the common clock
  Ticks violation_ = 0;
};

// The corrections of drifting clocks with the smallest violation.
struct Drift {
  std::vector<ClockCorrection> clocks;  // by rank; empty: constant shifts are as good
  Ticks violation = 0;
};

Drift correct_drift(const Trace& trace, const ClockShifts& constant, const ClockSpan& span) {
  constexpr int most_segments = 16, most_passes = 8;
  Drift best{{}, constant.tolerance};
  for (int segments = 2; segments <= most_segments && best.violation > 0; segments *= 2) {
    BentClocks bent(constant.shifts, span, segments);
    for (int pass = 0; pass < most_passes && best.violation > 0; ++pass) {
      if (!bent.read(trace, constant.groups)) break;
      if (pass > 0 && bent.violation() < best.violation) best = {bent.clocks(), bent.violation()};
      if (!bent.bend()) break;
    }
  }
  return best;
}

std::optional<Ticks> first_of(const Trace& trace, TraceRank rank) {
  Event event;
  if (trace.events.cursor(rank)->read({&event, 1}) == 0) return std::nullopt;
  return event.time;
}

// Shifts all clocks so that the first event of the trace keeps its time.
void start_at_zero(const Trace& trace, std::vector<ClockCorrection>& clocks) {
  std::optional<Ticks> first;
  for (TraceRank rank = 0; rank < clocks.size(); ++rank)
    if (const auto begin = first_of(trace, rank))
      first = std::min(first.value_or(INT64_MAX), *begin + clocks[rank].shift_at(*begin));
  for (ClockCorrection& clock : clocks)
    for (auto& point : clock.points) point.shift -= first.value_or(0);
}

std::vector<std::string> notes_of(const Trace& trace, const Drift& drift, std::uint32_t groups,
                                  const std::vector<ClockCorrection>& clocks) {
  if (clocks.empty()) return {};
  const auto reported = [&](Ticks ticks) {
    return format_seconds(trace.definitions.seconds(ticks));
  };
  const auto shift = [](const ClockCorrection& clock) { return clock.points.front().shift; };
  const auto [least, most] = std::ranges::minmax_element(clocks, {}, shift);
  std::vector<std::string> notes = {
      fmt::format("clocks are aligned: ranks are shifted by {} to {}, most of all {}",
                  reported(shift(*least)), reported(shift(*most)),
                  trace.definitions.name(static_cast<std::size_t>(most - clocks.begin())))};
  if (!drift.clocks.empty()) {
    Ticks change = 0;
    for (const ClockCorrection& clock : clocks)
      for (const auto& point : clock.points)
        change = std::max(change, std::abs(point.shift - shift(clock)));
    notes.push_back(
        fmt::format("clocks drift: the shifts change linearly in {} pieces, by up to {}",
                    clocks.front().points.size() - 1, reported(change)));
  }
  if (drift.violation > 0)
    notes.push_back(
        fmt::format("clocks drift: after the shifts, causes are up to {} later than their effects",
                    reported(drift.violation)));
  if (groups > 1)
    notes.push_back(fmt::format(
        "{} groups of ranks do not communicate with each other: the clocks of different "
        "groups are not aligned",
        groups));
  return notes;
}

ClockAlignment as_they_are(const Trace& trace) {
  return {std::vector<ClockCorrection>(trace.definitions.locations()),
          {"clocks are not shifted: no cause is after its effect"}};
}

}  // namespace

bool ClockLimits::add(TraceRank cause_rank, Ticks cause, TraceRank effect_rank, Ticks effect) {
  if (cause_rank == effect_rank) return false;
  const std::uint64_t pair = std::uint64_t{cause_rank} << 32 | effect_rank;
  const auto [entry, is_new] = most_.try_emplace(pair, effect - cause);
  if (!is_new && entry->second <= effect - cause) return false;
  entry->second = effect - cause;
  return true;
}

const Ticks* ClockLimits::find(TraceRank cause, TraceRank effect) const {
  const auto entry = most_.find(std::uint64_t{cause} << 32 | effect);
  return entry == most_.end() ? nullptr : &entry->second;
}

ClockShifts clock_shifts(std::size_t ranks, const ClockLimits& known) {
  std::vector<Limit> limits;
  Groups groups(ranks);
  known.each([&](TraceRank cause, TraceRank effect, Ticks most) {
    limits.push_back({cause, effect, most});
    groups.join(cause, effect);
  });
  std::ranges::sort(limits, {},
                    [](const Limit& limit) { return std::tie(limit.cause, limit.effect); });
  const auto start = middles(ranks, known);
  ClockShifts result{start, 0, groups.count()};
  if (repair(result.shifts, limits, 0)) return result;
  Ticks too_small = 0;
  result = {start, worst(start, limits), result.groups};
  for (int i = 0; i < 40 && result.tolerance - too_small > 1; ++i) {
    const Ticks tolerance = std::midpoint(too_small, result.tolerance);
    auto shifts = start;
    if (repair(shifts, limits, tolerance))
      result.shifts = std::move(shifts), result.tolerance = tolerance;
    else
      too_small = tolerance;
  }
  return result;
}

ClockAlignment align_clocks(const Trace& trace) {
  constexpr int most_passes = 30;
  ClockLimits limits;
  ClockShifts constant;
  ClockSpan span;
  const auto clock = [&](TraceRank rank, Ticks time) {
    return constant.shifts.empty() ? time : time + constant.shifts[rank];
  };
  std::vector<ClockSpan> spans(trace.definitions.ranks.size());
  for (int pass = 0; pass < most_passes; ++pass) {
    bool is_violated = false;
    CauseReader(trace, pass == 0, clock, [&](TraceRank a, Ticks cause, TraceRank b, Ticks effect) {
      const bool is_broken = clock(a, cause) > clock(b, effect) + constant.tolerance;
      if (pass == 0) spans[a].include(cause), spans[b].include(effect);
      if (pass > 0 && !is_broken) return;
      is_violated |= limits.add(a, cause, b, effect) && is_broken;
    }).run();
    if (pass == 0 && !is_violated) return as_they_are(trace);
    if (!is_violated) break;
    constant = clock_shifts(trace.definitions.ranks.size(), limits);
  }
  for (TraceRank rank = 0; rank < spans.size(); ++rank)
    if (spans[rank].end >= spans[rank].begin) {
      span.include(clock(rank, spans[rank].begin));
      span.include(clock(rank, spans[rank].end));
    }
  const Drift drift = correct_drift(trace, constant, span);
  ClockAlignment result{drift.clocks, {}};
  if (result.clocks.empty())
    for (const Ticks shift : constant.shifts) result.clocks.push_back({{{0, shift}}});
  start_at_zero(trace, result.clocks);
  result.notes = notes_of(trace, drift, constant.groups, result.clocks);
  // All locations of a process have the same clock.
  for (const auto& location : trace.definitions.others)
    result.clocks.push_back(result.clocks.empty() ? ClockCorrection{}
                                                  : result.clocks[location.rank]);
  return result;
}

}  // namespace tutti::studies::replay
