// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/traces/otf2_child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

#include "sim/base/check.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/forked_process.hpp"

namespace tutti::workloads::traces {
namespace {

// How the process exits: with what it sends.
enum class Sent { transfer, nothing, no_memory, broken_invariant };

constexpr std::size_t most_bytes = std::size_t{1} << 31;  // of one whose memory is damaged

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

// A byte, and with it the descriptor if there is one.
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

// Of this process: 0 where the system does not tell.
std::uint64_t mapped_bytes() {
  std::array<char, 32> text{};
  const Descriptor file(::open("/proc/self/statm", O_RDONLY | O_CLOEXEC));
  if (::read(file.get(), text.data(), text.size() - 1) <= 0) return 0;
  return std::strtoull(text.data(), nullptr, 10) *
         static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void obey(const ChildLimits& limits) {
  const auto cpu_s = static_cast<rlim_t>(limits.cpu_s);
  const rlimit cpu{cpu_s, cpu_s + 1};
  ::setrlimit(RLIMIT_CPU, &cpu);
  const std::uint64_t mapped = mapped_bytes();
  if (mapped == 0) return;
  const rlim_t most = mapped + static_cast<rlim_t>(limits.memory_bytes);
  const rlimit memory{most, most};
  ::setrlimit(RLIMIT_AS, &memory);
}

// In the child. Its exit status.
int read_in_limits(const std::function<Transfer()>& read, const ChildLimits& limits, int to) {
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTERM, SIGINT, SIGHUP})
    ::signal(signal, SIG_DFL);
  obey(limits);
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDERR_FILENO);  // the C library's last words
  return static_cast<int>(read_and_send(read, to));
}

Error no_child(const std::string& path, const char* what) {
  return make_error(ErrorKind::run, path,
                    fmt::format("cannot start a process that reads the archive: {}: {}", what,
                                std::strerror(errno)));
}

// Signals that come from outside (a person, the system) tell nothing of the archive.
bool comes_from_outside(int signal) {
  return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
}

std::optional<Error> death(const std::string& path, int status) {
  if (WIFEXITED(status)) {
    for (const Sent sent : {Sent::transfer, Sent::no_memory, Sent::broken_invariant})
      if (WEXITSTATUS(status) == static_cast<int>(sent)) return std::nullopt;
    return make_error(ErrorKind::run, path, "what was read of the archive did not come through");
  }
  const int signal = WTERMSIG(status);
  if (comes_from_outside(signal))
    return make_error(ErrorKind::run, path,
                      fmt::format("the process that reads the archive was ended by signal {} ({})",
                                  signal, ::strsignal(signal)),
                      signal == SIGKILL ? "the system kills processes when memory runs out" : "");
  return make_error(ErrorKind::input, path,
                    "the library for OTF2 crashes on the archive, or does not end",
                    "the archive is damaged or not complete; otf2-print tells more");
}

}  // namespace

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
  from.close();  // nobody may wait for us to read more
  const int status = child->wait();
  if (auto error = death(path, status)) return *error;
  const auto sent = static_cast<Sent>(WEXITSTATUS(status));
  if (sent == Sent::no_memory) throw std::bad_alloc();
  if (sent == Sent::broken_invariant) throw BrokenInvariant(transfer.bytes);
  return transfer;
}

}  // namespace tutti::workloads::traces
