// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/trace.hpp"

#include <algorithm>
#include <utility>

#include "sim/base/check.hpp"

namespace tutti::workloads::traces {
namespace {

constexpr std::size_t block_events = 4096;

class FileCursor : public EventCursor {
 public:
  FileCursor(const std::optional<UnnamedFile>& file, EventRange range, Ticks first)
      : file_(file), range_(range), first_(first) {}

  std::size_t read(std::span<Event> buffer) override {
    const std::size_t count = std::min<std::uint64_t>(buffer.size(), range_.end - range_.begin);
    if (count == 0) return 0;
    file_->read(range_.begin * sizeof(Event), buffer.data(), count * sizeof(Event));
    range_.begin += count;
    if (first_ != 0)
      for (Event& event : buffer.first(count)) event.time -= first_;
    return count;
  }

 private:
  const std::optional<UnnamedFile>& file_;
  EventRange range_;
  Ticks first_;
};

}  // namespace

struct EventStore::State {
  std::size_t most_in_memory_bytes = 0;
  bool is_in_memory = true;
  StoredEvents stored;
  std::unique_ptr<Event[]> block;  // what is not written yet
  std::size_t in_block = 0;
  std::uint64_t count = 0;
  EventRange* current = nullptr;
  Ticks first = 0;
  std::vector<Ticks> shifts;  // by rank; empty: none

  void write_block() {
    const std::size_t bytes = in_block * sizeof(Event);
    make_room(bytes);
    stored.bounds.add({block.get(), in_block});
    stored.file->append(block.get(), bytes);
    in_block = 0;
  }

  void make_room(std::size_t bytes) {
    std::optional<UnnamedFile>& file = stored.file;
    const bool fits = (file ? file->size() : 0) + bytes <= most_in_memory_bytes;
    if (!file && fits) file = UnnamedFile::in_memory();
    if (fits || !is_in_memory) return;
    UnnamedFile on_disk;
    if (file) on_disk.append(*file);
    file = std::move(on_disk);
    is_in_memory = false;
  }
};

EventStore::EventStore(std::size_t most_in_memory_bytes) : state_(std::make_unique<State>()) {
  state_->most_in_memory_bytes = most_in_memory_bytes;
  state_->block = std::make_unique_for_overwrite<Event[]>(block_events);
}

EventStore::EventStore(StoredEvents stored) : state_(std::make_unique<State>()) {
  for (const EventRange& each : stored.ranks) state_->count += each.end - each.begin;
  state_->stored = std::move(stored);
}

EventStore::~EventStore() = default;
EventStore::EventStore(EventStore&&) noexcept = default;
EventStore& EventStore::operator=(EventStore&&) noexcept = default;

void EventStore::begin(TraceRank rank) {
  std::vector<EventRange>& ranks = state_->stored.ranks;
  if (rank >= ranks.size()) ranks.resize(rank + std::size_t{1});
  state_->current = &ranks[rank];
  TUTTI_CHECK(state_->current->end == 0, "the events of a rank are written once");
  *state_->current = {state_->count, state_->count};
}

void EventStore::append(const Event& event) {
  State& state = *state_;
  if (state.in_block == block_events) state.write_block();
  state.block[state.in_block++] = event;
  ++state.current->end;
  ++state.count;
}

void EventStore::finish() {
  if (state_->in_block > 0) state_->write_block();
  state_->block.reset();
}

StoredEvents EventStore::release() { return std::exchange(state_->stored, {}); }

void EventStore::start_at(Ticks first) { state_->first = first; }

void EventStore::shift(std::vector<Ticks> by_rank) { state_->shifts = std::move(by_rank); }

std::uint64_t EventStore::count(TraceRank rank) const {
  const std::vector<EventRange>& ranks = state_->stored.ranks;
  return rank < ranks.size() ? ranks[rank].end - ranks[rank].begin : 0;
}

std::uint64_t EventStore::count() const { return state_->count; }

std::unique_ptr<EventCursor> EventStore::cursor(TraceRank rank) const {
  const std::vector<EventRange>& ranks = state_->stored.ranks;
  const EventRange range = rank < ranks.size() ? ranks[rank] : EventRange{};
  const Ticks first = state_->first - (rank < state_->shifts.size() ? state_->shifts[rank] : 0);
  return std::make_unique<FileCursor>(state_->stored.file, range, first);
}

}  // namespace tutti::workloads::traces
