// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/timeline.hpp"

#include "sim/replay/timeline_sink.hpp"

namespace tutti::studies::replay {

using workloads::traces::none;

Times TimelineCall::waits() const {
  const auto inside = [](Ticks until, Ticks from, Ticks to) {
    return std::clamp<Ticks>(std::min(until, to) - from, 0, to - from);
  };
  return {cause.before == INT64_MIN ? 0 : inside(cause.before, enter.before, leave.before),
          cause.after == INT64_MIN ? 0 : inside(cause.after, enter.after, leave.after)};
}

TimelineCalls::TimelineCalls(const workloads::traces::Trace& trace, const TraceScan& scan,
                             const std::vector<bool>& is_wanted, Listener listener)
    : trace_(trace),
      scan_(scan),
      is_wanted_(is_wanted),
      listener_(std::move(listener)),
      members_(trace.definitions),
      channels_(scan.messages),
      ranks_(is_wanted.size()) {}

void TimelineCalls::enter(TraceRank rank, const Times& time) {
  ranks_[rank].open = {.call = {.rank = rank, .enter = time, .leave = {}}, .awaited = {}};
}

void TimelineCalls::inside(TraceRank rank, const Event& event, Ticks after, bool keeps) {
  auto& doing = ranks_[rank].open.call.doing;
  switch (event.kind) {
    case EventKind::send:
    case EventKind::isend: {
      const MessageKey key = key_of(rank, event);
      if (key.to < is_wanted_.size() && is_wanted_[key.to])
        channels_.of(key).send({.sent = {event.time, keeps ? after : INT64_MIN},
                                .enter = ranks_[rank].open.call.enter,
                                .new_bytes = event.bytes});
      break;
    }
    case EventKind::recv:
    case EventKind::irecv:
      receive(rank, event, after, keeps);
      break;
    case EventKind::collective_end:
      collective(rank, event, keeps);
      doing = Doing::collective;
      return;
    case EventKind::isend_complete:
    case EventKind::irecv_request:
    case EventKind::request_test:
    case EventKind::request_cancelled:
      break;
    default:
      return;
  }
  if (doing == Doing::other_call) doing = Doing::point_to_point;
}

void TimelineCalls::receive(TraceRank rank, const Event& event, Ticks after, bool keeps) {
  if (!is_wanted_[rank]) return;
  OfRank& me = ranks_[rank];
  const MessageKey key = key_of(rank, event);
  const auto& reordered = scan_.ranks[rank].reordered;
  const auto other = reordered.find(me.completions++);
  const std::uint64_t in_order = me.received[key]++;
  Awaited awaited{.key = key,
                  .number = other == reordered.end() ? in_order : other->second,
                  .received = {event.time, after},
                  .collective = {},
                  .keeps = keeps};
  if (awaited.number < scan_.messages.at(key).sent) me.open.awaited.push_back(awaited);
}

CollectiveInstance& TimelineCalls::instance_of(TraceRank rank, const CollectiveNumber& number,
                                               const Event& event) {
  auto& instance = instances_[number];
  if (!instance.members.empty()) return instance;
  instance = members_.instance(rank, event, {});
  for (const auto& member : instance.members) instance.left += is_wanted_[member.rank] ? 0 : 1;
  return instance;
}

void TimelineCalls::collective(TraceRank rank, const Event& event, bool keeps) {
  OfRank& me = ranks_[rank];
  const bool is_alone = trace_.definitions.communicators[event.comm].members.empty();
  const CollectiveNumber number{event.comm, is_alone ? rank : none, me.collectives[event.comm]++};
  auto& instance = instance_of(rank, number, event);
  const std::uint32_t member = members_.of(event.comm, rank);
  instance.members[member].waits = waits_for(event.op, member == instance.root);
  instance.enter(member, me.open.call.enter);
  if (is_wanted_[rank])
    me.open.awaited.push_back(
        {.key = {}, .received = {}, .collective = number, .member = member, .keeps = keeps});
  else if (instance.entered == instance.members.size() && instance.left == instance.entered)
    instances_.erase(number);
}

void TimelineCalls::leave(TraceRank rank, const Times& time) {
  if (!is_wanted_[rank]) return;
  OfRank& me = ranks_[rank];
  me.open.call.leave = time;
  me.pending.push_back(std::move(me.open));
  me.open = {};
  report_known(me);
}

void TimelineCalls::report_known(OfRank& rank) {
  while (!rank.pending.empty() && resolve(rank.pending.front())) {
    listener_.call(rank.pending.front().call);
    rank.pending.pop_front();
  }
}

bool TimelineCalls::resolve(Pending& pending) {
  for (; pending.next < pending.awaited.size(); ++pending.next) {
    const Awaited& awaited = pending.awaited[pending.next];
    const auto cause = cause_of(awaited, pending.call);
    if (!cause) return false;
    auto& latest = pending.call.cause;
    latest.before = std::max(latest.before, cause->before);
    if (awaited.keeps) latest.after = std::max(latest.after, cause->after);
  }
  return true;
}

std::optional<Times> TimelineCalls::cause_of(const Awaited& awaited, const TimelineCall& call) {
  if (awaited.member != none) return collective_cause(awaited);
  Channel& channel = channels_.of(awaited.key);
  const SentMessage* message = channel.find(awaited.number);
  if (message == nullptr) return std::nullopt;
  const TimelineMessage made{.from = awaited.key.from,
                             .to = call.rank,
                             .sent = message->sent,
                             .received = awaited.received,
                             .is_cut = !awaited.keeps,
                             .send_enter = message->enter.after,
                             .receive_enter = call.enter.after,
                             .tag = awaited.key.tag,
                             .bytes = message->new_bytes.value_or(0)};
  channel.take(awaited.number);
  if (made.from < is_wanted_.size() && is_wanted_[made.from]) listener_.message(made);
  return made.sent;
}

std::optional<Times> TimelineCalls::collective_cause(const Awaited& awaited) {
  const auto found = instances_.find(awaited.collective);
  auto& instance = found->second;
  const auto cause = instance.latest_cause(awaited.member);
  if (!cause) return std::nullopt;
  ++instance.left;
  if (instance.entered == instance.members.size() && instance.left == instance.entered)
    instances_.erase(found);
  return cause;
}

void TimelineCalls::finish() {
  for (auto& rank : ranks_) {
    report_known(rank);
    for (auto& pending : rank.pending) {
      for (; pending.next < pending.awaited.size(); ++pending.next) resolve(pending);
      listener_.call(pending.call);
    }
    rank.pending.clear();
  }
}

namespace {

// A bar of a timeline: the time of each kind in each column.
class TimelineColumns {
 public:
  // `width` of a column must be above 0. `most_exact`: number of spans that are also kept exactly.
  TimelineColumns(Ticks from, Ticks to, Ticks width, std::size_t kinds, std::size_t most_exact)
      : most_exact_(most_exact),
        from_(from),
        to_(to),
        width_(width),
        kinds_(kinds),
        taken_(static_cast<std::size_t>((to - from + width - 1) / width) * kinds) {}

  void add(std::size_t kind, Ticks begin, Ticks end) {
    begin = std::max(begin, from_) - from_;
    end = std::min(end, to_) - from_;
    if (begin < end) add_exact({from_ + begin, from_ + end, static_cast<std::uint16_t>(kind)});
    while (begin < end) {
      const Ticks column = begin / width_;
      const Ticks until = std::min(end, (column + 1) * width_);
      taken_[static_cast<std::size_t>(column) * kinds_ + kind] += until - begin;
      begin = until;
    }
  }

  bool is_exact() const { return exact_.size() < most_exact_; }

  // Columns that are less than half covered stay empty.
  std::vector<TimelineSpan> spans() {
    if (is_exact()) {  // calls are added when their waits are known
      std::ranges::sort(exact_, {}, &TimelineSpan::from);
      return std::move(exact_);
    }
    std::vector<TimelineSpan> made;
    for (std::size_t column = 0; column * kinds_ < taken_.size(); ++column) {
      const Ticks begin = from_ + static_cast<Ticks>(column) * width_;
      const Ticks end = std::min(to_, begin + width_);
      const auto kind = kind_of(column, end - begin);
      if (kind == kinds_) continue;
      if (!made.empty() && made.back().to == begin && made.back().kind == kind)
        made.back().to = end;
      else
        made.push_back({begin, end, static_cast<std::uint16_t>(kind)});
    }
    return made;
  }

 private:
  void add_exact(const TimelineSpan& span) {
    if (exact_.size() < most_exact_) exact_.push_back(span);
  }
  std::size_t kind_of(std::size_t column, Ticks width) const {
    const Ticks* first = &taken_[column * kinds_];
    Ticks sum = 0;
    for (std::size_t i = 0; i < kinds_; ++i) sum += first[i];
    if (2 * sum < width) return kinds_;
    return static_cast<std::size_t>(std::max_element(first, first + kinds_) - first);
  }

  std::size_t most_exact_;
  std::vector<TimelineSpan> exact_;
  Ticks from_, to_, width_;
  std::size_t kinds_;
  std::vector<Ticks> taken_;  // by column, kind
};

using workloads::traces::Trace;
using workloads::traces::TraceDefinitions;

// Regions of computation by their time on these ranks, largest first.
std::vector<std::uint32_t> largest_regions(const TraceDefinitions& definitions,
                                           const ReplayResult& result, const TimelineSpec& spec) {
  std::vector<Ticks> times(definitions.regions.size());
  for (PathId path = 1; path < result.paths.size(); ++path)
    for (const TraceRank rank : spec.ranks)
      if (const auto region = result.paths.region(path); !definitions.regions[region].is_call())
        times[region] += result.before.of(rank, path)[static_cast<std::size_t>(Metric::time)];
  std::vector<std::uint32_t> regions(times.size());
  std::iota(regions.begin(), regions.end(), 0U);
  std::ranges::stable_sort(regions, std::ranges::greater(),
                           [&](std::uint32_t region) { return times[region]; });
  while (!regions.empty() && (regions.size() > spec.most_regions || times[regions.back()] == 0))
    regions.pop_back();
  return regions;
}

std::vector<bool> flags(const std::vector<TraceRank>& ranks, std::size_t count) {
  std::vector<bool> made(count);
  for (const TraceRank rank : ranks) made[rank] = true;
  return made;
}

class Drawing : public TimelineSink {
 public:
  Drawing(const Trace& trace, const ReplayResult& result, const TimelineSpec& spec)
      : TimelineSink(trace, flags(spec.ranks, trace.definitions.locations())),
        spec_(spec),
        kind_of_region_(trace.definitions.regions.size()),
        ranks_(trace.definitions.locations()) {
    made_.from = spec.from;
    made_.to = spec.to;
    const auto most = static_cast<Ticks>(spec.columns);
    made_.column = std::max<Ticks>(1, (spec.to - spec.from + most - 1) / most);
    make_kinds(trace.definitions, largest_regions(trace.definitions, result, spec));
    const TimelineColumns empty(spec.from, spec.to, made_.column, made_.kinds.size(),
                                spec.is_exact ? spec.columns + 1 : 0);
    for (const TraceRank rank : spec.ranks) ranks_[rank].bars.assign(2, empty);
  }

  Timeline take() {
    finish();
    const bool is_exact = std::ranges::all_of(spec_.ranks, [&](TraceRank rank) {
      return std::ranges::all_of(ranks_[rank].bars, &TimelineColumns::is_exact);
    });
    for (const TraceRank rank : spec_.ranks)
      made_.ranks.push_back({rank, ranks_[rank].bars[0].spans(), ranks_[rank].bars[1].spans()});
    if (is_exact) made_.column = 0;
    if (is_exact) made_.narrow_pieces = 0;
    if (made_.message_count > spec_.most_messages) made_.messages.clear();
    return std::move(made_);
  }

 private:
  struct OfRank {
    std::vector<std::size_t> open = {};      // kinds of the enclosing regions
    std::vector<TimelineColumns> bars = {};  // before, after; empty for ranks that are not drawn
  };

  void make_kinds(const TraceDefinitions& definitions, const std::vector<std::uint32_t>& regions) {
    for (const auto region : regions)
      made_.kinds.push_back({Doing::region, definitions.regions[region].name});
    other_ = made_.kinds.size();
    for (const Doing doing :
         {Doing::other_computation, Doing::point_to_point, Doing::point_to_point_wait,
          Doing::collective, Doing::collective_wait, Doing::other_call})
      made_.kinds.push_back({doing});
    std::ranges::fill(kind_of_region_, other_);
    for (std::size_t i = 0; i < regions.size(); ++i) kind_of_region_[regions[i]] = i;
  }
  // Kinds without a region are in the order of Doing.
  std::size_t kind_of(Doing doing) const {
    return other_ + static_cast<std::size_t>(doing) -
           static_cast<std::size_t>(Doing::other_computation);
  }

  void enter(TraceRank rank, std::uint32_t region, const Moment&) override {
    ranks_[rank].open.push_back(kind_of_region_[region]);
  }
  void leave(TraceRank rank, const Moment&) override {
    if (!ranks_[rank].open.empty()) ranks_[rank].open.pop_back();
  }

  void piece(TraceRank rank, const Times& from, const Times& to) override {
    auto& [open, bars] = ranks_[rank];
    const bool is_idle = open.empty() && rank >= trace().definitions.ranks.size();
    if (bars.empty() || is_idle) return;
    const std::size_t kind = open.empty() ? other_ : open.back();
    count(from, to);
    bars[0].add(kind, from.before, to.before);
    bars[1].add(kind, from.after, to.after);
  }

  void count(const Times& from, const Times& to) {
    if (to.before <= spec_.from || from.before >= spec_.to || to.before == from.before) return;
    ++made_.pieces;
    made_.narrow_pieces += to.before - from.before < made_.column;
  }

  void add(const TimelineCall& call) override {
    auto& bars = ranks_[call.rank].bars;
    const std::size_t kind = kind_of(call.doing);
    const bool can_wait = call.doing != Doing::other_call;
    const Times waits = can_wait ? call.waits() : Times{};
    count(call.enter, call.leave);
    bars[0].add(kind + can_wait, call.enter.before, call.enter.before + waits.before);
    bars[0].add(kind, call.enter.before + waits.before, call.leave.before);
    bars[1].add(kind + can_wait, call.enter.after, call.enter.after + waits.after);
    bars[1].add(kind, call.enter.after + waits.after, call.leave.after);
  }

  void add(const TimelineMessage& message) override {
    const auto meets = [&](Ticks from, Ticks to) { return to > spec_.from && from < spec_.to; };
    if (!meets(message.sent.before, message.received.before) &&
        (message.is_cut || !meets(message.sent.after, message.received.after)))
      return;
    if (++made_.message_count <= spec_.most_messages) made_.messages.push_back(message);
  }

  const TimelineSpec& spec_;
  std::vector<std::size_t> kind_of_region_;
  std::size_t other_ = 0;  // the kind of all other computation
  Timeline made_;
  std::vector<OfRank> ranks_;
};

}  // namespace

Result<Timeline> timeline(const Trace& trace, const ReplayResult& result, const TimelineSpec& spec,
                          const std::function<Result<ReplayResult>(ReplaySink*)>& again) {
  Drawing drawing(trace, result, spec);
  TUTTI_TRY(again(&drawing));
  return drawing.take();
}

std::vector<TraceRank> extreme_ranks(const ReplayResult& result, std::size_t most) {
  std::vector<TraceRank> ranks(result.before.ranks());
  std::iota(ranks.begin(), ranks.end(), 0U);
  if (ranks.size() <= most) return ranks;
  std::vector<Ticks> blocked(ranks.size());
  for (const TraceRank rank : ranks)
    for (PathId path = 0; path < result.paths.size(); ++path)
      blocked[rank] += result.before.of(rank, path)[static_cast<std::size_t>(Metric::blocked)];
  std::ranges::stable_sort(ranks, {}, [&](TraceRank rank) { return blocked[rank]; });
  ranks.erase(ranks.begin() + static_cast<std::ptrdiff_t>(most / 2),
              ranks.end() - static_cast<std::ptrdiff_t>(most - most / 2));
  std::ranges::sort(ranks);
  return ranks;
}

}  // namespace tutti::studies::replay
