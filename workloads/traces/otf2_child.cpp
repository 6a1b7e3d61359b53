// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/otf2_child.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>

#include "sim/base/forked_process.hpp"
#include "workloads/traces/event.hpp"

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
  template <class List, class Visit>
  void list(const List& list, const Visit& visit) {
    plain(list.size());
    for (const auto& item : list) visit(item);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Never creates a list larger than the received data. After invalid data all values are zero or
// empty.
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
  template <class List, class Visit>
  void list(List& list, const Visit& visit) {
    list.resize(count(sizeof(std::size_t)));  // size of the item's first list
    for (auto& item : list) visit(item);
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

// The fields of each type, listed once for the writer (const objects) and the reader.
template <class Io, class Errors>
void errors(Io& io, Errors& of) {
  io.list(of, [&](auto& error) {
    io.plain(error.kind);
    io.plains(error.place);
    io.plain(error.line);
    io.plain(error.column);
    io.plains(error.message);
    io.plains(error.hint);
    io.plains(error.source);
  });
}

template <class Io, class Definitions>
void definitions(Io& io, Definitions& of) {
  io.plain(of.ticks_per_s);
  io.list(of.ranks, [&](auto& name) { io.plains(name); });
  io.list(of.nodes, [&](auto& name) { io.plains(name); });
  io.list(of.regions, [&](auto& region) {
    io.plains(region.name);
    io.plain(region.is_mpi);
    io.plain(region.role);
  });
  io.list(of.communicators, [&](auto& communicator) {
    io.plains(communicator.name);
    io.plains(communicator.members);
    io.plain(communicator.kind);
    io.list(communicator.neighbors, [&](auto& list) { io.plains(list); });
  });
  io.plains(of.creator);
  io.list(of.others, [&](auto& location) {
    io.plains(location.name);
    io.plain(location.rank);
    io.plain(location.kind);
  });
  io.list(of.groups, [&](auto& list) { io.plains(list); });
}

// A trace without its events, plus the data to validate the events.
template <class Io, class OfTrace, class Stored>
void trace(Io& io, OfTrace& of, Stored& stored) {
  definitions(io, of.definitions);
  io.plain(of.first);
  io.list(of.notes, [&](auto& note) { io.plains(note); });
  io.plain(stored.is_in_memory);
  io.plains(stored.ranks);
  io.plain(stored.bounds);
}

bool are_below(const std::vector<std::uint32_t>& values, std::size_t limit) {
  return std::ranges::all_of(values, [&](std::uint32_t value) { return value < limit; });
}

bool is_sound(const TraceCommunicator& communicator, std::size_t locations) {
  const auto& [name, members, kind, neighbors] = communicator;
  return are_below(members, locations) && kind <= TraceCommunicator::Kind::team &&
         (neighbors.empty() || neighbors.size() == members.size()) &&
         std::ranges::all_of(neighbors,
                             [&](const auto& list) { return are_below(list, members.size()); });
}

bool is_sound(const TraceDefinitions& definitions) {
  const std::size_t ranks = definitions.ranks.size();
  return std::ranges::all_of(definitions.communicators,
                             [&](const auto& communicator) {
                               return is_sound(communicator, definitions.locations());
                             }) &&
         std::ranges::all_of(
             definitions.regions,
             [](const auto& region) { return region.role <= RegionRole::device_order; }) &&
         std::ranges::all_of(definitions.groups,
                             [&](const auto& group) { return are_below(group, ranks); }) &&
         std::ranges::all_of(definitions.others, [&](const auto& location) {
           return location.rank < ranks && location.kind <= TraceLocation::Kind::stream;
         });
}

bool can_hold(const EventRange& range) {
  if (range.end < range.begin) return false;
  const std::uint64_t bytes = range.end - range.begin;
  return range.count <= bytes / EventRecord::least_bytes &&
         bytes <= range.count * EventRecord::most_bytes;
}

// Whether the ranks' ranges cover the file exactly and without overlap.
bool fill(std::uint64_t file_bytes, std::vector<EventRange> ranges) {
  std::erase_if(ranges, [](const EventRange& range) { return range.begin == range.end; });
  std::sort(ranges.begin(), ranges.end(),
            [](const EventRange& a, const EventRange& b) { return a.begin < b.begin; });
  std::uint64_t end = 0;
  for (const EventRange& range : ranges)
    if (range.begin != std::exchange(end, range.end)) return false;
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
  const bool fits = from.is_well() && is_sound(read.definitions) &&
                    stored.ranks.size() <= read.definitions.locations() &&
                    read.definitions.ticks_per_s > 0 && have_sound_ranges(stored) &&
                    read.first >= 0 && read.first <= stored.bounds.first &&
                    stored.bounds.fit(read.definitions);
  if (!fits) return std::nullopt;
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

namespace {

// The exit status of the child process.
enum class Sent { transfer, nothing, no_memory, broken_invariant };

constexpr std::size_t most_bytes = std::size_t{1} << 31;  // for a child whose memory is corrupted

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  void close() {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

union DescriptorMessage {
  cmsghdr header;
  std::array<char, CMSG_SPACE(sizeof(int))> bytes;
};

// Sends one byte, together with the descriptor if there is one.
bool send_descriptor(int to, const std::optional<UnnamedFile>& file) {
  char byte = 0;
  iovec data{.iov_base = &byte, .iov_len = 1};
  DescriptorMessage descriptor{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (file) {
    const int fd = file->descriptor();
    message.msg_control = &descriptor;
    message.msg_controllen = sizeof descriptor;
    descriptor.header = {
        .cmsg_len = CMSG_LEN(sizeof fd), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    std::memcpy(CMSG_DATA(&descriptor.header), &fd, sizeof fd);
  }
  return ::sendmsg(to, &message, MSG_NOSIGNAL) == 1;
}

std::optional<UnnamedFile> receive_descriptor(int from) {
  char byte = 0;
  iovec data{.iov_base = &byte, .iov_len = 1};
  DescriptorMessage descriptor{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = &descriptor;
  message.msg_controllen = sizeof descriptor;
  ssize_t got = 0;
  while ((got = ::recvmsg(from, &message, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) {
  }
  const cmsghdr* header = got == 1 ? CMSG_FIRSTHDR(&message) : nullptr;
  if (header == nullptr || header->cmsg_type != SCM_RIGHTS) return std::nullopt;
  int fd = -1;
  std::memcpy(&fd, CMSG_DATA(header), sizeof fd);
  return UnnamedFile(fd);
}

bool send(int to, const Transfer& transfer) {
  if (!send_descriptor(to, transfer.events)) return false;
  for (std::size_t at = 0; at < transfer.bytes.size();) {
    const ssize_t sent =
        ::send(to, transfer.bytes.data() + at, transfer.bytes.size() - at, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return false;
    at += static_cast<std::size_t>(sent);
  }
  return true;
}

Transfer receive(int from) {
  Transfer transfer;
  transfer.events = receive_descriptor(from);
  transfer.bytes = read_all(from, most_bytes);
  return transfer;
}

Sent read_and_send(const std::function<Transfer()>& read, int to) {
  try {
    return send(to, read()) ? Sent::transfer : Sent::nothing;
  } catch (const std::bad_alloc&) {
    return Sent::no_memory;
  } catch (const std::exception& exception) {
    return send(to, {.bytes = exception.what(), .events = {}}) ? Sent::broken_invariant
                                                               : Sent::nothing;
  }
}

// Mapped memory of this process; 0 if unknown.
std::uint64_t mapped_bytes() {
  std::array<char, 32> text{};
  const Descriptor file(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC));
  if (::read(file.get(), text.data(), text.size() - 1) <= 0) return 0;
  return std::strtoull(text.data(), nullptr, 10) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void apply(const ChildLimits& limits) {
  const auto cpu_s = static_cast<rlim_t>(limits.cpu_s);
  const rlimit cpu{cpu_s, cpu_s + 1};
  ::setrlimit(RLIMIT_CPU, &cpu);
  const std::uint64_t mapped = mapped_bytes();
  if (mapped == 0) return;
  const rlim_t most = mapped + static_cast<rlim_t>(limits.memory_bytes);
  const rlimit memory{most, most};
  ::setrlimit(RLIMIT_AS, &memory);
}

// Runs in the child; returns its exit status.
int read_in_limits(const std::function<Transfer()>& read, const ChildLimits& limits, int to) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGINT, SIGHUP})
    ::signal(signal, SIG_DFL);
  apply(limits);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDERR_FILENO);  // hides the C library's abort messages
  return static_cast<int>(read_and_send(read, to));
}

Error no_child(const std::string& path, const char* what) {
  return make_error(ErrorKind::run, path,
                    fmt::format("cannot start the process that reads the archive: {}: {}", what,
                                std::strerror(errno)));
}

// Signals from outside (a user, the system) are unrelated to the archive.
bool comes_from_outside(int signal) {
  return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
}

std::optional<Error> death(const std::string& path, int status) {
  if (WIFEXITED(status)) {
    for (const Sent sent : {Sent::transfer, Sent::no_memory, Sent::broken_invariant})
      if (WEXITSTATUS(status) == static_cast<int>(sent)) return std::nullopt;
    return make_error(ErrorKind::run, path,
                      "the process that reads the archive did not return its result");
  }
  const int signal = WTERMSIG(status);
  if (comes_from_outside(signal))
    return make_error(
        ErrorKind::run, path,
        fmt::format("the process that reads the archive was terminated by signal {} ({})", signal,
                    ::strsignal(signal)),
        signal == SIGKILL ? "the system kills processes when memory runs out" : "");
  return make_error(ErrorKind::input, path,
                    "the OTF2 library crashes or does not terminate on this archive",
                    "the archive is damaged or incomplete; otf2-print shows details");
}

// Number and total size of all files of the archive.
struct ArchiveSize {
  double files = 0;
  double bytes = 0;
};

ArchiveSize archive_size(const std::string& path) {
  std::filesystem::path folder = path;
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) folder.replace_extension();
  ArchiveSize size;
  for (std::filesystem::recursive_directory_iterator entry(folder, error), end;
       !error && entry != end; entry.increment(error)) {
    if (!entry->is_regular_file(error)) continue;
    const std::uintmax_t bytes = entry->file_size(error);
    if (error) break;
    ++size.files;
    size.bytes += static_cast<double>(bytes);
  }
  return size;
}

}  // namespace

ChildLimits limits_of_archive(const std::string& path) {
  const ArchiveSize size = archive_size(path);
  return {.cpu_s = 5 + 0.05 * size.files + size.bytes / 1e7,
          .memory_bytes = 0x1p31 + 40 * size.bytes};
}

Result<Transfer> in_child(const std::string& path, const ChildLimits& limits,
                          const std::function<Transfer()>& read) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return no_child(path, "socketpair");
  Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  auto child = ForkedProcess::start([&] { return read_in_limits(read, limits, to.get()); });
  if (!child) return no_child(path, "fork");
  to.close();
  Transfer transfer = receive(from.get());
  from.close();  // the child must not wait for further reads
  const int status = child->wait();
  if (auto error = death(path, status)) return *error;
  const auto sent = static_cast<Sent>(WEXITSTATUS(status));
  if (sent == Sent::no_memory) throw std::bad_alloc();
  if (sent == Sent::broken_invariant) throw BrokenInvariant(transfer.bytes);
  return transfer;
}

}  // namespace tutti::workloads::traces
