// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/trace.hpp"

#include <cerrno>
#include <system_error>

namespace tutti::workloads::traces {
namespace {

constexpr std::size_t block_bytes = 128 << 10;
constexpr std::size_t cursor_bytes = 4096;  // per rank

// Reads an in-memory file in place, another file in blocks. Validates each record, since the file
// comes from a process whose memory may be corrupted.
class RecordCursor : public EventCursor {
 public:
  // `clock`: null if the times are not corrected.
  RecordCursor(const StoredEvents& stored, EventRange range, Ticks first,
               const ClockCorrection* clock)
      : file_(stored.file), bounds_(stored.bounds), range_(range), first_(first), clock_(clock) {
    if (!stored.is_in_memory || !file_) return;
    const std::span<const std::byte> all = file_->mapped();
    if (all.empty()) return;
    left_ = all.subspan(range.begin, range.end - range.begin);
    range_.begin = range_.end;
  }

  std::size_t read(std::span<Event> buffer) override {
    const std::size_t count = std::min<std::uint64_t>(buffer.size(), range_.count);
    for (Event& event : buffer.first(count)) {
      if (left_.size() < EventRecord::most_bytes) refill();
      const std::size_t bytes = read_record(left_, event);
      if (bytes == 0 || !can_follow(event))
        throw std::system_error(EIO, std::generic_category(), "a temporary file is damaged");
      left_ = left_.subspan(bytes);
      event.time -= first_;
      if (clock_ != nullptr) event.time += clock_->shift_at(event.time);
    }
    range_.count -= count;
    return count;
  }

 private:
  // Whether the times ascend and no more regions are left than entered.
  bool can_follow(const Event& event) {
    if (!bounds_.hold(event) || event.time < now_) return false;
    now_ = event.time;
    if (event.kind == EventKind::enter) ++depth_;
    return event.kind != EventKind::leave || depth_-- > 0;
  }

  void refill() {
    if (range_.begin == range_.end) return;
    block_.resize(cursor_bytes);
    std::copy(left_.begin(), left_.end(), block_.begin());
    const std::size_t kept = left_.size();
    const std::size_t bytes =
        std::min<std::uint64_t>(cursor_bytes - kept, range_.end - range_.begin);
    file_->read(range_.begin, &block_[kept], bytes);
    range_.begin += bytes;
    left_ = std::span(block_).first(kept + bytes);
  }

  const std::optional<UnnamedFile>& file_;
  const EventBounds& bounds_;
  EventRange range_;  // bytes not loaded yet, and the number of events not read yet
  Ticks first_;
  const ClockCorrection* clock_;
  Ticks now_ = 0;
  std::uint64_t depth_ = 0;
  std::vector<std::byte> block_;
  std::span<const std::byte> left_;  // loaded bytes not read yet
};

}  // namespace

bool TraceDefinitions::is_world(const TraceCommunicator& communicator) const {
  const auto& members = communicator.members;
  bool is_world = members.size() == ranks.size();
  for (TraceRank rank = 0; is_world && rank < members.size(); ++rank)
    is_world = members[rank] == rank;
  return is_world;
}

std::uint32_t TraceDefinitions::world() const {
  for (std::uint32_t i = 0; i < communicators.size(); ++i)
    if (is_world(communicators[i])) return i;
  return none;
}

bool EventBounds::fit(const TraceDefinitions& definitions) const {
  using K = EventKind;
  const auto at = [](const auto& most, K kind) { return most[static_cast<std::size_t>(kind)]; };
  bool fits = has_unknown == 0 && first >= 0 && last <= most_ticks;
  for (const K kind : {K::enter, K::leave}) fits &= at(ids, kind) <= definitions.regions.size();
  for (const K kind : {K::send, K::isend, K::recv, K::irecv, K::collective_end, K::icollective_end,
                       K::lock_request, K::lock_acquire, K::lock_release, K::other})
    fits &= at(ids, kind) <= definitions.ranks.size();
  for (const K kind :
       {K::send, K::isend, K::recv, K::irecv, K::collective_end, K::icollective_end, K::group_sync,
        K::lock_request, K::lock_acquire, K::lock_release, K::team_begin, K::team_end, K::other})
    fits &= at(comms, kind) <= definitions.communicators.size();
  fits &= at(ids, K::group_sync) <= definitions.groups.size();
  return fits;
}

Ticks ClockCorrection::shift_at(Ticks time) const {
  if (points.size() < 2) return points.empty() ? 0 : points.front().shift;
  const auto after =
      std::ranges::upper_bound(points.begin() + 1, points.end() - 1, time, {}, &Point::time);
  const Point &from = *(after - 1), &to = *after;
  const __int128 part = static_cast<__int128>(to.shift - from.shift) * (time - from.time);
  return from.shift + static_cast<Ticks>(part / (to.time - from.time));
}

Ticks ClockCorrection::before(Ticks corrected) const {
  Ticks time = corrected;
  for (int i = 0; i < 20; ++i) {  // the shift changes much more slowly than the time
    const Ticks next = corrected - shift_at(time);
    if (next == time) break;
    time = next;
  }
  return time;
}

struct EventStore::State {
  std::size_t most_in_memory_bytes = 0;
  StoredEvents stored;
  std::unique_ptr<std::byte[]> block;  // data not written yet
  std::size_t in_block = 0;
  std::uint64_t written = 0;  // bytes
  std::uint64_t count = 0;
  EventRange* current = nullptr;
  Ticks first = 0;
  std::vector<ClockCorrection> clocks;  // by rank; empty: no corrections

  void write_block() {
    make_room();
    stored.file->append(block.get(), in_block);
    written += std::exchange(in_block, 0);
  }

  void make_room() {
    std::optional<UnnamedFile>& file = stored.file;
    const bool fits = written + in_block <= most_in_memory_bytes;
    if (!file && fits) file = UnnamedFile::in_memory();
    if (fits || !stored.is_in_memory) return;
    UnnamedFile on_disk;
    if (file) on_disk.append(*file);
    file = std::move(on_disk);
    stored.is_in_memory = false;
  }
};

EventStore::EventStore(std::size_t most_in_memory_bytes) : state_(std::make_unique<State>()) {
  state_->most_in_memory_bytes = most_in_memory_bytes;
  state_->block = std::make_unique_for_overwrite<std::byte[]>(block_bytes);
}

EventStore::EventStore(StoredEvents stored) : state_(std::make_unique<State>()) {
  for (const EventRange& range : stored.ranks) state_->count += range.count;
  state_->stored = std::move(stored);
}

EventStore::~EventStore() = default;
EventStore::EventStore(EventStore&&) noexcept = default;
EventStore& EventStore::operator=(EventStore&&) noexcept = default;

void EventStore::begin(TraceRank rank) {
  std::vector<EventRange>& ranks = state_->stored.ranks;
  if (rank >= ranks.size()) ranks.resize(rank + std::size_t{1});
  state_->current = &ranks[rank];
  TUTTI_CHECK(state_->current->count == 0, "the events of a rank are written twice");
  const std::uint64_t begin = state_->written + state_->in_block;
  *state_->current = {.begin = begin, .end = begin, .count = 0};
}

void EventStore::append(const Event& event) {
  State& state = *state_;
  if (block_bytes - state.in_block < EventRecord::most_bytes) state.write_block();
  const std::size_t bytes = write_record(event, &state.block[state.in_block]);
  state.stored.bounds.add(event);
  state.in_block += bytes;
  state.current->end += bytes;
  ++state.current->count;
  ++state.count;
}

void EventStore::finish() {
  if (state_->in_block > 0) state_->write_block();
  state_->block.reset();
}

StoredEvents EventStore::release() { return std::exchange(state_->stored, {}); }

void EventStore::start_at(Ticks first) { state_->first = first; }

void EventStore::correct(std::vector<ClockCorrection> by_rank) {
  state_->clocks = std::move(by_rank);
}

std::uint64_t EventStore::count(TraceRank rank) const {
  const std::vector<EventRange>& ranks = state_->stored.ranks;
  return rank < ranks.size() ? ranks[rank].count : 0;
}

std::uint64_t EventStore::count() const { return state_->count; }

std::unique_ptr<EventCursor> EventStore::cursor(TraceRank rank) const {
  const std::vector<EventRange>& ranks = state_->stored.ranks;
  const EventRange range = rank < ranks.size() ? ranks[rank] : EventRange{};
  const ClockCorrection* clock = rank < state_->clocks.size() ? &state_->clocks[rank] : nullptr;
  return std::make_unique<RecordCursor>(state_->stored, range, state_->first, clock);
}

}  // namespace tutti::workloads::traces
