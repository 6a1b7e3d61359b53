// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/trace.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "sim/base/check.hpp"

namespace tutti::workloads::traces {
namespace {

constexpr std::size_t block_events = 16384;
// Of each cursor: all ranks of a job have one at the same time.
constexpr std::size_t buffer_events = 16384 / sizeof(Event);

using Block = std::unique_ptr<Event[]>;

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

// A file without a name, where temporary files go.
int open_unnamed() {
  const char* asked = std::getenv("TMPDIR");
  const std::string folder = asked != nullptr && *asked != '\0' ? asked : "/tmp";
  int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  std::string name = folder + "/tutti-trace-XXXXXX";  // file systems without O_TMPFILE
  fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) fail("cannot make a temporary file for the events of a trace");
  ::unlink(name.c_str());
  return fd;
}

void write_all(int fd, const Event* events, std::size_t count) {
  const char* at = reinterpret_cast<const char*>(events);
  std::size_t left = count * sizeof(Event);
  while (left > 0) {
    const ssize_t written = ::write(fd, at, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write the temporary file for the events of a trace");
    at += written;
    left -= static_cast<std::size_t>(written);
  }
}

void read_all(int fd, Event* events, std::size_t count, std::uint64_t first) {
  char* at = reinterpret_cast<char*>(events);
  std::size_t left = count * sizeof(Event);
  off_t from = static_cast<off_t>(first * sizeof(Event));
  while (left > 0) {
    const ssize_t got = ::pread(fd, at, left, from);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = EIO;
    if (got <= 0) fail("cannot read the temporary file with the events of a trace");
    at += got;
    from += got;
    left -= static_cast<std::size_t>(got);
  }
}

struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

}  // namespace

struct EventStore::State {
  std::size_t most_in_memory_bytes = 0;
  int fd = -1;                // of the file; -1: all events are in memory
  std::vector<Block> blocks;  // with a file: one, of what is not written yet
  std::size_t in_block = block_events;
  std::uint64_t count = 0;
  std::vector<Range> ranks;
  Range* current = nullptr;
  Ticks first = 0;

  ~State() {
    if (fd >= 0) ::close(fd);
  }

  // Makes room for one more event.
  void turn() {
    if (fd < 0 && (blocks.size() + 1) * block_events * sizeof(Event) > most_in_memory_bytes)
      move_to_file();
    if (fd >= 0) {
      if (blocks.empty())
        blocks.push_back(std::make_unique_for_overwrite<Event[]>(block_events));
      else
        write_all(fd, blocks.front().get(), in_block);
    } else {
      blocks.push_back(std::make_unique_for_overwrite<Event[]>(block_events));
    }
    in_block = 0;
  }

  void move_to_file() {
    fd = open_unnamed();
    for (const Block& block : blocks) write_all(fd, block.get(), block_events);
    blocks.clear();
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
  FileCursor(int fd, Range range, Ticks first) : fd_(fd), range_(range), first_(first) {}
  std::size_t read(std::span<Event> buffer) override {
    if (at_ == filled_) fill();
    const std::size_t count = std::min(buffer.size(), filled_ - at_);
    std::copy_n(buffer_.begin() + at_, count, buffer.begin());
    at_ += count;
    return count;
  }

 private:
  void fill() {
    filled_ = std::min<std::uint64_t>(buffer_.size(), range_.end - range_.begin);
    at_ = 0;
    read_all(fd_, buffer_.data(), filled_, range_.begin);
    range_.begin += filled_;
    start({buffer_.data(), filled_}, first_);
  }

  int fd_;
  Range range_;
  Ticks first_;
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
  std::array<Event, buffer_events> buffer_;
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
  if (state_->fd < 0) return;
  write_all(state_->fd, state_->blocks.front().get(), state_->in_block);
  state_->blocks.clear();
}

void EventStore::start_at(Ticks first) { state_->first = first; }

std::uint64_t EventStore::count(TraceRank rank) const {
  if (rank >= state_->ranks.size()) return 0;
  return state_->ranks[rank].end - state_->ranks[rank].begin;
}

std::uint64_t EventStore::count() const { return state_->count; }

std::unique_ptr<EventCursor> EventStore::cursor(TraceRank rank) const {
  const Range range = rank < state_->ranks.size() ? state_->ranks[rank] : Range{};
  if (state_->fd < 0) return std::make_unique<MemoryCursor>(state_->blocks, range, state_->first);
  return std::make_unique<FileCursor>(state_->fd, range, state_->first);
}

}  // namespace tutti::workloads::traces
