// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/trace.hpp"

#include <algorithm>
#include <optional>

#include "sim/base/check.hpp"
#include "sim/base/unnamed_file.hpp"

namespace tutti::workloads::traces {
namespace {

constexpr std::size_t block_events = 16384;

using Block = std::unique_ptr<Event[]>;

struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

}  // namespace

struct EventStore::State {
  std::size_t most_in_memory_bytes = 0;
  std::optional<UnnamedFile> file;  // unset: all events are in memory
  std::vector<Block> blocks;        // with a file: one, of what is not written yet
  std::size_t in_block = block_events;
  std::uint64_t count = 0;
  std::vector<Range> ranks;
  Range* current = nullptr;
  Ticks first = 0;
  std::vector<Ticks> shifts;  // by rank; empty: none

  // Makes room for one more event.
  void turn() {
    if (!file && (blocks.size() + 1) * block_events * sizeof(Event) > most_in_memory_bytes)
      move_to_file();
    if (file) {
      if (blocks.empty())
        blocks.push_back(std::make_unique_for_overwrite<Event[]>(block_events));
      else
        write(blocks.front(), in_block);
    } else {
      blocks.push_back(std::make_unique_for_overwrite<Event[]>(block_events));
    }
    in_block = 0;
  }

  void move_to_file() {
    file.emplace();
    for (const Block& block : blocks) write(block, block_events);
    blocks.clear();
  }

  void write(const Block& block, std::size_t events) {
    file->append(block.get(), events * sizeof(Event));
  }
};

namespace {

void start(std::span<Event> events, Ticks first) {
  if (first == 0) return;
  for (Event& event : events) event.time -= first;
}

class MemoryCursor : public EventCursor {
 public:
  MemoryCursor(const std::vector<Block>& blocks, Range range, Ticks first)
      : blocks_(blocks), range_(range), first_(first) {}
  std::size_t read(std::span<Event> buffer) override {
    const std::size_t wanted = std::min<std::uint64_t>(buffer.size(), range_.end - range_.begin);
    for (std::size_t got = 0; got < wanted;) {
      const std::size_t in_block = range_.begin % block_events;
      const std::size_t count = std::min(wanted - got, block_events - in_block);
      std::copy_n(&blocks_[range_.begin / block_events][in_block], count, &buffer[got]);
      range_.begin += count;
      got += count;
    }
    start(buffer.first(wanted), first_);
    return wanted;
  }

 private:
  const std::vector<Block>& blocks_;
  Range range_;
  Ticks first_;
};

class FileCursor : public EventCursor {
 public:
  FileCursor(const UnnamedFile& file, Range range, Ticks first)
      : file_(file), range_(range), first_(first) {}
  std::size_t read(std::span<Event> buffer) override {
    const std::size_t count = std::min<std::uint64_t>(buffer.size(), range_.end - range_.begin);
    file_.read(range_.begin * sizeof(Event), buffer.data(), count * sizeof(Event));
    range_.begin += count;
    start(buffer.first(count), first_);
    return count;
  }

 private:
  const UnnamedFile& file_;
  Range range_;
  Ticks first_;
};

}  // namespace

EventStore::EventStore(std::size_t most_in_memory_bytes) : state_(std::make_unique<State>()) {
  state_->most_in_memory_bytes = most_in_memory_bytes;
}
EventStore::~EventStore() = default;
EventStore::EventStore(EventStore&&) noexcept = default;
EventStore& EventStore::operator=(EventStore&&) noexcept = default;

void EventStore::begin(TraceRank rank) {
  if (rank >= state_->ranks.size()) state_->ranks.resize(rank + std::size_t{1});
  state_->current = &state_->ranks[rank];
  TUTTI_CHECK(state_->current->end == 0, "the events of a rank are written once");
  *state_->current = {state_->count, state_->count};
}

void EventStore::append(const Event& event) {
  State& state = *state_;
  if (state.in_block == block_events) state.turn();
  state.blocks.back()[state.in_block++] = event;
  ++state.current->end;
  ++state.count;
}

void EventStore::finish() {
  if (!state_->file) return;
  state_->write(state_->blocks.front(), state_->in_block);
  state_->blocks.clear();
}

void EventStore::start_at(Ticks first) { state_->first = first; }

void EventStore::shift(std::vector<Ticks> by_rank) { state_->shifts = std::move(by_rank); }

std::uint64_t EventStore::count(TraceRank rank) const {
  if (rank >= state_->ranks.size()) return 0;
  return state_->ranks[rank].end - state_->ranks[rank].begin;
}

std::uint64_t EventStore::count() const { return state_->count; }

std::unique_ptr<EventCursor> EventStore::cursor(TraceRank rank) const {
  const Range range = rank < state_->ranks.size() ? state_->ranks[rank] : Range{};
  const Ticks first = state_->first - (rank < state_->shifts.size() ? state_->shifts[rank] : 0);
  if (!state_->file) return std::make_unique<MemoryCursor>(state_->blocks, range, first);
  return std::make_unique<FileCursor>(*state_->file, range, first);
}

}  // namespace tutti::workloads::traces
