// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/call_gap.hpp"

#include "sim/replay/event_reader.hpp"
#include "sim/replay/frames.hpp"
#include "sim/replay/trace_scan.hpp"

namespace tutti::studies::replay {
namespace {

using workloads::traces::Event;
using workloads::traces::EventKind;
using workloads::traces::Trace;

// A sample of values in a fixed space: if it is full, every second value is dropped, and of the
// following ones only every second, then every fourth, and so on, is taken.
class Sample {
 public:
  void add(Ticks value) {
    if (seen_++ % stride_ != 0) return;
    values_.push_back(value);
    if (values_.size() < most) return;
    for (std::size_t i = 0; i < most / 2; ++i) values_[i] = values_[2 * i];
    values_.resize(most / 2);
    stride_ *= 2;
  }
  std::optional<Ticks> median() {
    if (values_.empty()) return std::nullopt;
    const auto middle = values_.begin() + static_cast<std::ptrdiff_t>(values_.size() / 2);
    std::nth_element(values_.begin(), middle, values_.end());
    return *middle;
  }

 private:
  static constexpr std::size_t most = 1 << 16;
  std::vector<Ticks> values_;
  std::uint64_t seen_ = 0, stride_ = 1;
};

struct Gaps {
  Sample between_cuts;
  std::optional<Ticks> shortest_next_to_cut;
};

// Collects the gaps of a rank. Whether a call is cut is decided by the rank's own events: a call
// that is cut only because its counterpart is in a cut region counts as kept.
class GapsOfRank {
 public:
  GapsOfRank(const Trace& trace, const Hypothesis& hypothesis, const PartsOfRegions& parts,
             Gaps& gaps)
      : definitions_(trace.definitions),
        hypothesis_(hypothesis),
        parts_(parts),
        frames_(parts),
        rule_(trace.definitions, hypothesis),
        gaps_(gaps) {}

  void take(const Event& event) { depth_in_call_ > 0 ? in_call(event) : outside(event); }

 private:
  struct Call {
    Ticks begin = 0, end = 0;
    bool in_cut_region = false, has_cut = false, has_kept = false;
    bool is_cut() const { return in_cut_region || (has_cut && !has_kept); }
  };

  void outside(const Event& event) {
    if (event.kind == EventKind::enter) {
      const bool cuts = (frames_.enter(event.id, root_path).parts & parts_.cuts()) != 0;
      if (definitions_.regions[event.id].is_mpi) return begin(event, cuts);
      if (cuts || depth_in_cut_ > 0) ++depth_in_cut_;
    } else if (event.kind == EventKind::leave && !frames_.empty()) {
      frames_.leave();
      if (depth_in_cut_ > 0) --depth_in_cut_;
    }
    last_.reset();
  }

  void begin(const Event& enter, bool in_cut_region) {
    depth_in_call_ = 1;
    call_ = {.begin = enter.time, .in_cut_region = in_cut_region};
  }

  void in_call(const Event& event) {
    switch (event.kind) {
      case EventKind::enter:
        ++depth_in_call_;
        return;
      case EventKind::leave:
        if (--depth_in_call_ == 0) end(event.time);
        return;
      case EventKind::send:
      case EventKind::isend:
      case EventKind::recv:
      case EventKind::irecv:
        (cuts(event) ? call_.has_cut : call_.has_kept) = true;
        return;
      case EventKind::collective_end:
        call_.has_kept = true;
        return;
      default:
        return;
    }
  }

  // The innermost frame is the call's own, as in the scan of the trace.
  bool cuts(const Event& event) {
    bool is_cut = false;
    each_part(parts_.message_cuts() & frames_.around(), [&](std::size_t part) {
      is_cut |= hypothesis_.cut(part).cuts_message(event.bytes, event.tag);
    });
    return is_cut;
  }

  void end(Ticks time) {
    frames_.leave();
    call_.end = time;
    if (last_ && depth_in_cut_ == 0) add(*last_, call_);
    last_ = call_;
  }

  void add(const Call& before, const Call& after) {
    if (!before.is_cut() && !after.is_cut()) return;
    const Ticks gap = rule_.compensated(after.begin - before.end);
    if (before.is_cut() && after.is_cut())
      gaps_.between_cuts.add(gap);
    else
      gaps_.shortest_next_to_cut = std::min(gap, gaps_.shortest_next_to_cut.value_or(gap));
  }

  const workloads::traces::TraceDefinitions& definitions_;
  const Hypothesis& hypothesis_;
  const PartsOfRegions& parts_;
  Frames frames_;
  PieceRule rule_;
  Gaps& gaps_;
  Call call_;
  std::optional<Call> last_;  // the call before, if nothing is in between
  std::size_t depth_in_call_ = 0;
  std::size_t depth_in_cut_ = 0;  // of user regions
};

CallGap learned(const Trace& trace, const ReplayArgs& args) {
  const PartsOfRegions parts(args.hypothesis, trace.definitions.regions);
  Gaps gaps;
  for (TraceRank rank = 0; rank < trace.definitions.ranks.size(); ++rank) {
    GapsOfRank of_rank(trace, args.hypothesis, parts, gaps);
    visit_events(trace, rank, [&](const Event& event) { of_rank.take(event); });
  }
  const auto usual = gaps.between_cuts.median();
  const Ticks gap_in_trace = usual.value_or(gaps.shortest_next_to_cut.value_or(0));
  CallGap gap{.ticks = nearest_ticks(static_cast<double>(gap_in_trace) * args.cpu_factor)};
  if (gap.ticks <= 0) return {};
  gap.note = fmt::format(
      "each cut call also removes {} of its caller, the {}; call_gap of the hypothesis sets "
      "another time",
      format_seconds(trace.definitions.seconds(gap.ticks)),
      usual ? "median time between two cut calls"
            : "shortest time between a cut call and the next or previous one");
  return gap;
}

}  // namespace

CallGap call_gap(const Trace& trace, const ReplayArgs& args) {
  const auto given = [&](double gap_s) {
    return CallGap{.ticks = nearest_ticks(gap_s * trace.definitions.ticks_per_s)};
  };
  if (args.loggp && args.loggp->call_gap_s > 0) return given(args.loggp->call_gap_s);
  if (args.hypothesis.call_gap_s) return given(*args.hypothesis.call_gap_s);
  return args.hypothesis.cuts.empty() ? CallGap{} : learned(trace, args);
}

}  // namespace tutti::studies::replay
