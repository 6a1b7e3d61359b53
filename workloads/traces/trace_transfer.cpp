// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/trace_transfer.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "workloads/traces/event_record.hpp"

namespace tutti::workloads::traces {
namespace {

class Writer {
 public:
  template <class T>
  void plain(const T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class List>
  void plains(const List& list) {
    plain(list.size());
    bytes_.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof *list.data());
  }
  template <class List, class Each>
  void list(const List& list, const Each& each) {
    plain(list.size());
    for (const auto& item : list) each(item);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Makes no list larger than what came. After what makes no sense all is zero and empty.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}

  template <class T>
  void plain(T& value) {
    take(&value, sizeof value);
  }
  void plain(bool& value) {
    unsigned char byte = 0;
    plain(byte);
    value = byte != 0;
  }
  template <class List>
  void plains(List& list) {
    list.resize(count(sizeof *list.data()));
    take(list.data(), list.size() * sizeof *list.data());
  }
  template <class List, class Each>
  void list(List& list, const Each& each) {
    list.resize(count(sizeof(std::size_t)));  // of the item's first list
    for (auto& item : list) each(item);
  }
  bool is_well() const { return is_well_ && left_.empty(); }

 private:
  std::size_t count(std::size_t item_bytes) {
    std::size_t count = 0;
    plain(count);
    if (count <= left_.size() / item_bytes) return count;
    is_well_ = false;
    left_ = {};
    return 0;
  }
  void take(void* to, std::size_t bytes) {
    is_well_ = is_well_ && bytes <= left_.size();
    if (!is_well_) left_ = {};
    if (!is_well_ || bytes == 0) return;
    std::memcpy(to, left_.data(), bytes);
    left_.remove_prefix(bytes);
  }

  std::string_view left_;
  bool is_well_ = true;
};

// What is said of each thing, once: for the writer (of const things) and for the reader.
template <class Io, class Errors>
void errors(Io& io, Errors& of) {
  io.list(of, [&](auto& each) {
    io.plain(each.kind);
    io.plains(each.place);
    io.plain(each.line);
    io.plain(each.column);
    io.plains(each.message);
    io.plains(each.hint);
    io.plains(each.source);
  });
}

template <class Io, class Definitions>
void definitions(Io& io, Definitions& of) {
  io.plain(of.ticks_per_s);
  io.list(of.ranks, [&](auto& name) { io.plains(name); });
  io.list(of.regions, [&](auto& each) {
    io.plains(each.name);
    io.plain(each.is_mpi);
  });
  io.list(of.communicators, [&](auto& each) {
    io.plains(each.name);
    io.plains(each.members);
  });
  io.plains(of.creator);
}

// All of a trace but its events, and how these can be told to be well.
template <class Io, class OfTrace, class Stored>
void trace(Io& io, OfTrace& of, Stored& stored) {
  definitions(io, of.definitions);
  io.plain(of.first);
  io.list(of.notes, [&](auto& note) { io.plains(note); });
  io.plain(stored.is_in_memory);
  io.plains(stored.ranks);
  io.plain(stored.bounds);
}

bool has_sound_communicators(const TraceDefinitions& definitions) {
  return std::all_of(
      definitions.communicators.begin(), definitions.communicators.end(), [&](const auto& each) {
        return std::all_of(each.members.begin(), each.members.end(),
                           [&](TraceRank member) { return member < definitions.ranks.size(); });
      });
}

bool can_hold(const EventRange& range) {
  if (range.end < range.begin) return false;
  const std::uint64_t bytes = range.end - range.begin;
  return range.count <= bytes / EventRecord::least_bytes &&
         bytes <= range.count * EventRecord::most_bytes;
}

// Each rank has a part of the file, and all of it is theirs.
bool fill(std::uint64_t file_bytes, std::vector<EventRange> ranges) {
  std::erase_if(ranges, [](const EventRange& each) { return each.begin == each.end; });
  std::sort(ranges.begin(), ranges.end(),
            [](const EventRange& a, const EventRange& b) { return a.begin < b.begin; });
  std::uint64_t end = 0;
  for (const EventRange& each : ranges)
    if (each.begin != std::exchange(end, each.end)) return false;
  return end == file_bytes;
}

bool have_sound_ranges(const StoredEvents& stored) {
  return std::all_of(stored.ranks.begin(), stored.ranks.end(), can_hold) &&
         fill(stored.file ? stored.file->size() : 0, stored.ranks);
}

std::optional<std::vector<Error>> read_errors(Reader& from) {
  std::vector<Error> read;
  errors(from, read);
  const bool is_sound =
      from.is_well() && !read.empty() && std::all_of(read.begin(), read.end(), [](const Error& e) {
        return e.kind >= ErrorKind::usage && e.kind <= ErrorKind::internal;
      });
  return is_sound ? std::optional(std::move(read)) : std::nullopt;
}

std::optional<Trace> read_trace(Reader& from, std::optional<UnnamedFile> file) {
  Trace read{.definitions = {}, .events = EventStore(0), .notes = {}};
  StoredEvents stored;
  stored.file = std::move(file);
  trace(from, read, stored);
  const bool is_sound = from.is_well() && has_sound_communicators(read.definitions) &&
                        stored.ranks.size() <= read.definitions.ranks.size() &&
                        read.definitions.ticks_per_s > 0 && have_sound_ranges(stored) &&
                        read.first >= 0 && read.first <= stored.bounds.first &&
                        stored.bounds.fit(read.definitions);
  if (!is_sound) return std::nullopt;
  read.events = EventStore(std::move(stored));
  read.events.start_at(read.first);
  return read;
}

}  // namespace

Transfer hand_over(Result<Trace> read) {
  Writer to;
  to.plain(static_cast<bool>(read));
  if (!read) {
    errors(to, read.errors());
    return {.bytes = to.take(), .events = std::nullopt};
  }
  StoredEvents stored = read->events.release();
  trace(to, *read, stored);
  return {.bytes = to.take(), .events = std::move(stored.file)};
}

std::optional<Result<Trace>> take_over(Transfer transfer) {
  Reader from(transfer.bytes);
  bool is_trace = false;
  from.plain(is_trace);
  if (is_trace) {
    auto trace = read_trace(from, std::move(transfer.events));
    return trace ? std::optional<Result<Trace>>(*std::move(trace)) : std::nullopt;
  }
  auto errors = read_errors(from);
  return errors ? std::optional<Result<Trace>>(*std::move(errors)) : std::nullopt;
}

}  // namespace tutti::workloads::traces
