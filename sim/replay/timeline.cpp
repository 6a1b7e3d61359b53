// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/timeline.hpp"

#include "sim/replay/timeline_sink.hpp"

namespace tutti::studies::replay {

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
    if (is_exact()) {  // a replay without cuts adds its calls first
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
        times[region] += result.before.of(rank, path)[Metric::time];
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
        has_recorded_(result.cut_events > 0),
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

  // What a replay without cuts shows, before this one.
  void add_recorded(const TimelineCall& call) { add_call(call, 0, &Times::before); }
  void add_recorded(TimelineMessage message) {
    if (!is_in_window(message, &Times::before)) return;
    if (made_.message_count < spec_.most_messages)
      recorded_.emplace(recorded_key(message), made_.messages.size());
    message.is_cut = true;  // until add()
    add_message(message);
  }

  Timeline take() {
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
    for (int doing = static_cast<int>(Doing::other_computation);
         doing <= static_cast<int>(Doing::other_call); ++doing)
      made_.kinds.push_back({static_cast<Doing>(doing)});
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

  void piece(TraceRank rank, const Times& from, const Times& to, const Times& waits) override {
    auto& [open, bars] = ranks_[rank];
    if (bars.empty()) return;
    const std::size_t waiting = kind_of(Doing::threads_wait);
    const Times begin{from.before + waits.before, from.after + waits.after};
    bars[0].add(waiting, from.before, begin.before);
    bars[1].add(waiting, from.after, begin.after);
    const bool is_idle = open.empty() && rank >= trace().definitions.ranks.size();
    if (is_idle) return;
    const std::size_t kind = open.empty() ? other_ : open.back();
    count(from, to);
    bars[0].add(kind, begin.before, to.before);
    bars[1].add(kind, begin.after, to.after);
  }

  void count(const Times& from, const Times& to) {
    if (to.before <= spec_.from || from.before >= spec_.to || to.before == from.before) return;
    ++made_.pieces;
    made_.narrow_pieces += to.before - from.before < made_.column;
  }

  void add(const TimelineCall& call) override {
    count(call.enter, call.leave);
    if (!has_recorded_) add_call(call, 0, &Times::before);
    add_call(call, 1, &Times::after);
  }

  void add_call(const TimelineCall& call, std::size_t bar, Ticks Times::*which) {
    auto& to = ranks_[call.rank].bars[bar];
    const std::size_t kind = kind_of(call.doing);
    const Ticks waited = call.enter.*which + call.waits.*which;
    to.add(kind + 1, call.enter.*which, waited);
    to.add(kind, waited, call.leave.*which);
  }

  bool is_in_window(const TimelineMessage& message, Ticks Times::*which) const {
    return message.received.*which > spec_.from && message.sent.*which < spec_.to;
  }

  void add(const TimelineMessage& message) override {
    const bool is_before = is_in_window(message, &Times::before);
    if (has_recorded_ && is_before) {
      if (const auto entry = recorded_.extract(recorded_key(message)))
        made_.messages[entry.mapped()] = message;
    } else if (is_before || is_in_window(message, &Times::after)) {
      add_message(message);
    }
  }

  void add_message(const TimelineMessage& message) {
    if (++made_.message_count <= spec_.most_messages) made_.messages.push_back(message);
  }

  using RecordedKey = std::tuple<TraceRank, TraceRank, std::uint32_t, Ticks, Ticks>;
  static RecordedKey recorded_key(const TimelineMessage& of) {
    return {of.from, of.to, of.tag, of.sent.before, of.received.before};
  }

  const TimelineSpec& spec_;
  bool has_recorded_;                                 // add_recorded() shows the trace
  std::multimap<RecordedKey, std::size_t> recorded_;  // messages that are not known to be kept
  std::vector<std::size_t> kind_of_region_;
  std::size_t other_ = 0;  // the kind of all other computation
  Timeline made_;
  std::vector<OfRank> ranks_;
};

// The calls and messages of a replay without cuts.
class RecordedCalls : public TimelineSink {
 public:
  RecordedCalls(const Trace& trace, const TimelineSpec& spec, Drawing& drawing)
      : TimelineSink(trace, flags(spec.ranks, trace.definitions.locations())), drawing_(drawing) {}

 private:
  void add(const TimelineCall& call) override { drawing_.add_recorded(call); }
  void add(const TimelineMessage& message) override { drawing_.add_recorded(message); }

  Drawing& drawing_;
};

}  // namespace

Result<Timeline> timeline(const Trace& trace, const ReplayResult& result, const TimelineSpec& spec,
                          const std::function<Result<ReplayResult>(ReplaySink*)>& again) {
  Drawing drawing(trace, result, spec);
  if (result.cut_events > 0) {
    RecordedCalls recorded(trace, spec, drawing);
    replay(trace, {.rules = std::make_shared<WaitRules>(result.rules)}, &recorded);
  }
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
      blocked[rank] += result.before.of(rank, path)[Metric::blocked];
  std::ranges::stable_sort(ranks, {}, [&](TraceRank rank) { return blocked[rank]; });
  ranks.erase(ranks.begin() + static_cast<std::ptrdiff_t>(most / 2),
              ranks.end() - static_cast<std::ptrdiff_t>(most - most / 2));
  std::ranges::sort(ranks);
  return ranks;
}

}  // namespace tutti::studies::replay
