// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/polling.hpp"

#include "sim/replay/event_reader.hpp"

namespace tutti::studies::replay {
namespace {

using workloads::traces::RegionRole;
using workloads::traces::Trace;

// The regions between the tests of a loop: it is where it began if all that it left and entered
// since then are entered and left again, as in a function around the test.
class WayBack {
 public:
  void enter(std::uint32_t region) {
    if (entered_.empty() && !left_.empty() && left_.back() == region)
      left_.pop_back();
    else
      entered_.push_back(region);
  }
  void leave(std::uint32_t region) {
    if (entered_.empty())
      left_.push_back(region);
    else
      entered_.pop_back();
  }
  bool is_back() const { return entered_.empty() && left_.empty(); }
  void clear() {
    entered_.clear();
    left_.clear();
  }

 private:
  std::vector<std::uint32_t> entered_, left_;
};

class LoopFinder {
 public:
  LoopFinder(const Trace& trace, TraceRank location, const std::vector<CallKind>& kinds,
             const PartsOfRegions& parts)
      : definitions_(trace.definitions), location_(location), kinds_(kinds), parts_(parts) {}

  void take(const Event& event) {
    const std::uint64_t position = position_++;
    if (depth_ > 0) return in_call(event, position);
    if (event.kind == EventKind::enter) {
      if (is_call(kinds_[event.id], definitions_, location_, event.id))
        return begin_call(event, position);
      if (is_changed(event.id)) return give_up();
      way_.enter(event.id);
    } else if (event.kind == EventKind::leave) {
      if (is_changed(event.id)) return give_up();
      way_.leave(event.id);
    } else if (event.kind != EventKind::other) {
      give_up();
    }
  }

  std::vector<PollingLoop> finish() {
    decide(true);
    give_up();
    return std::move(loops_);
  }

 private:
  struct CallSeen {
    std::uint32_t region = 0;
    std::uint64_t first = 0, last = 0;
    Ticks enter = 0, leave = 0;
    bool completes = false, receives = false, has_records = false;
  };

  bool is_changed(std::uint32_t region) const {
    const auto& parts = parts_[region];
    return kinds_[region].role != RegionRole::plain ||
           (parts.is_region | parts.is_within | parts.is_inner) != 0;
  }

  void begin_call(const Event& event, std::uint64_t position) {
    depth_ = 1;
    call_ = {.region = event.id, .first = position, .enter = event.time};
  }

  void in_call(const Event& event, std::uint64_t position) {
    depth_ += event.kind == EventKind::enter;
    depth_ -= event.kind == EventKind::leave;
    call_.completes |= completes(event.kind);
    call_.receives |= event.kind == EventKind::recv || event.kind == EventKind::irecv_request;
    call_.has_records |= event.kind != EventKind::enter && event.kind != EventKind::leave;
    if (depth_ > 0) return;
    call_.last = position;
    call_.leave = event.time;
    end_call();
  }

  void end_call() {
    const CallKind& kind = kinds_[call_.region];
    if (kind.polls()) return test(kind);
    if (kind.is_local && !call_.has_records && !kind.concerns_devices()) return;
    has_unrecorded_ |= kind.starts_request && !call_.has_records;
    decide(call_.completes || !kind.waits_for_requests);
    if (kind.is_local && !call_.has_records) return divide();
    if (tests_ > 0 && ends_with_peek_ && call_.receives)
      add(PollingLoop::Ends::message);
    else if (tests_ > 1 && !are_queries_ && (peeks_ || has_unrecorded_))
      add(PollingLoop::Ends::unknown);
    give_up();
  }

  void test(const CallKind& kind) {
    const bool is_empty = !call_.has_records && kind.tests;
    decide(!is_empty);
    if ((tests_ > 0 || divided_since_) && !way_.is_back()) give_up();
    if (tests_ > 0 && are_queries_ && kind.queries && is_apart(call_.enter - last_leave_))
      give_up();
    if (tests_ == 0) {
      if (call_.completes && !divided_since_) return;
      if (part_) loops_.push_back({part_->first, part_->last, PollingLoop::Ends::nothing});
      part_.reset();
      loop_ = {.first = call_.first, .divided = call_.enter - divided_since_.value_or(call_.enter)};
      loop_begin_ = call_.enter;
      inside_ = between_ = longest_ = 0;
      are_queries_ = true;
    } else {
      between_ += call_.enter - last_leave_;
      longest_ = std::max(longest_, call_.enter - last_leave_);
    }
    ++tests_;
    are_queries_ &= kind.queries;
    longest_ = std::max(longest_, call_.leave - call_.enter);
    inside_ += call_.leave - call_.enter;
    last_leave_ = call_.leave;
    loop_.last = call_.last;
    peeks_ |= kind.peeks;
    ends_with_peek_ = kind.peeks;
    way_.clear();
    if (!call_.completes) return;
    finish_loop(PollingLoop::Ends::request);
    pending_ = loop_;
    give_up();
  }

  // The trace does not show which query succeeds: one that comes much later than the others belongs
  // to another loop.
  bool is_apart(Ticks since_last) const { return since_last > (tests_ > 1 ? 10 : 100) * longest_; }

  // The loop, if it is one, continues after a call that acts.
  void divide() {
    if (tests_ == 0) return;
    if (!divided_since_) divided_since_ = loop_begin_;
    if (are_queries_) {
      finish_loop(PollingLoop::Ends::operation);
      part_ = loop_;
    }
    tests_ = 0;
    peeks_ = ends_with_peek_ = false;
  }

  void end_queries() {
    if (part_ && (part_->has_several || part_->divided > 0)) loops_.push_back(*part_);
    part_.reset();
    if (are_queries_ && (tests_ > 1 || (tests_ == 1 && divided_since_)))
      add(PollingLoop::Ends::operation);
  }

  void finish_loop(PollingLoop::Ends ends) {
    constexpr Ticks most_between = 10;
    loop_.ends = ends;
    loop_.has_several = tests_ > 1;
    loop_.may_work = between_ > most_between * inside_;
  }
  void add(PollingLoop::Ends ends) {
    finish_loop(ends);
    loops_.push_back(loop_);
  }

  // Tests, or a wait, of a request that is complete already follow computation that is divided by
  // tests, rather than a loop that waits.
  void decide(bool is_loop) {
    if (pending_ && is_loop) loops_.push_back(*pending_);
    pending_.reset();
  }

  void give_up() {
    end_queries();
    divided_since_.reset();
    tests_ = 0;
    peeks_ = ends_with_peek_ = false;
    way_.clear();
  }

  const workloads::traces::TraceDefinitions& definitions_;
  TraceRank location_;
  const std::vector<CallKind>& kinds_;
  const PartsOfRegions& parts_;
  std::uint64_t position_ = 0;
  std::size_t depth_ = 0;  // in a call
  CallSeen call_;
  PollingLoop loop_;  // in progress, if there are tests
  std::uint64_t tests_ = 0;
  bool peeks_ = false, ends_with_peek_ = false;
  bool has_unrecorded_ = false;  // requests have begun of which the trace has no record
  bool are_queries_ = true;      // all tests of the loop
  Ticks loop_begin_ = 0, inside_ = 0, between_ = 0, last_leave_ = 0;
  Ticks longest_ = 0;                   // of the tests, and of the times between them
  std::optional<Ticks> divided_since_;  // the begin of the loop, if launches divide it
  WayBack way_;                         // since the last test
  std::optional<PollingLoop> part_;     // before a launch, of queries; the next test shows more
  std::optional<PollingLoop> pending_;  // ended by a test; the next call shows whether it waited
  std::vector<PollingLoop> loops_;
};

}  // namespace

std::vector<PollingLoop> polling_loops(const Trace& trace, TraceRank location,
                                       const std::vector<CallKind>& kinds,
                                       const PartsOfRegions& parts) {
  LoopFinder finder(trace, location, kinds, parts);
  visit_events(trace, location, [&](const Event& event) { finder.take(event); });
  return finder.finish();
}

}  // namespace tutti::studies::replay
