// SPDX-License-Identifier: BSD-3-Clause
#include "sim/jobs/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "sim/jobs/memory_estimate.hpp"

namespace tutti::jobs {
namespace {

Error child_problem(ErrorKind kind, std::string message, std::string hint = "") {
  return make_error(kind, "", std::move(message), std::move(hint));
}

Error no_child(const char* what) {
  return child_problem(
      ErrorKind::run, fmt::format("cannot start a simulation: {}: {}", what, std::strerror(errno)));
}

// Runs in the child; returns its exit status.
int write_answers(const ChildProcess::Writer& work, int result_fd, int output_fd) {
  ::dup2(output_fd, STDOUT_FILENO);
  ::dup2(output_fd, STDERR_FILENO);
  return work(result_fd) ? 0 : 1;
}

// Resident memory of the process and its children, in bytes.
Bytes resident(pid_t process) {
  std::ifstream status(fmt::format("/proc/{}/status", process));
  Bytes bytes = proc_bytes(status, "VmRSS:").value_or(0);
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", process));
  for (pid_t child = 0; children >> child;) bytes += resident(child);
  return bytes;
}

std::string last_line(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  const auto start = text.rfind('\n');
  return std::string(start == std::string_view::npos ? text : text.substr(start + 1));
}

// True if the last output of the child is an out-of-memory message of C++ or a library.
bool mentions_memory(std::string_view output) {
  constexpr std::size_t last_words = 4096;
  if (output.size() > last_words) output.remove_prefix(output.size() - last_words);
  for (const auto* sign : {"bad_alloc", "allocation", "Cannot allocate memory"})
    if (output.find(sign) != std::string_view::npos) return true;
  return false;
}

// Signals from outside (a user, the system, a limit) do not indicate a bug.
bool comes_from_outside(int signal) {
  return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGXCPU;
}

}  // namespace

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

Result<ChildProcess> ChildProcess::start(const Work& work) {
  return start_writer([&](int result_fd) {
    const std::string bytes = work();
    std::fflush(nullptr);
    return write_all(result_fd, bytes);
  });
}

Result<ChildProcess> ChildProcess::start_writer(const Writer& work) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return no_child("pipe");
  const int output_fd = ::memfd_create("tutti-output", MFD_CLOEXEC);
  auto child = output_fd < 0 ? std::nullopt : ForkedProcess::start([&] {
    ::close(ends[0]);
    return write_answers(work, ends[1], output_fd);
  });
  if (!child) {
    const Error error = no_child(output_fd < 0 ? "memfd_create" : "fork");
    for (const int fd : {ends[0], ends[1], output_fd})
      if (fd >= 0) ::close(fd);
    return error;
  }
  ::close(ends[1]);
  return ChildProcess(*std::move(child), ends[0], output_fd);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : child_(std::move(other.child_)),
      result_fd_(std::exchange(other.result_fd_, -1)),
      output_fd_(std::exchange(other.output_fd_, -1)),
      status_(other.status_),
      output_(std::move(other.output_)) {}

ChildProcess::~ChildProcess() {
  for (const int fd : {result_fd_, output_fd_})
    if (fd >= 0) ::close(fd);
}

bool ChildProcess::wait_for(Seconds time_s) const {
  pollfd waited{.fd = result_fd_, .events = POLLIN, .revents = 0};
  return ::poll(&waited, 1, static_cast<int>(1e3 * time_s)) != 0;
}

Bytes ChildProcess::memory() const { return resident(child_.id()); }

void ChildProcess::kill() { child_.kill(); }

std::string ChildProcess::read_some() const { return read_all(result_fd_, 1); }

std::string ChildProcess::output_between(std::size_t begin, std::size_t end) const {
  if (end > begin + most_output) begin = end - most_output;
  std::string text(end > begin ? end - begin : 0, '\0');
  const ssize_t got = ::pread(output_fd_, text.data(), text.size(), static_cast<off_t>(begin));
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

std::string ChildProcess::collect() {
  std::string bytes = read_all(result_fd_);
  status_ = child_.wait();
  ::lseek(output_fd_, 0, SEEK_SET);
  output_ = read_all(output_fd_);
  return bytes;
}

Error ChildProcess::death() const {
  std::string hint = printable(last_line(output_));
  if (!hint.empty()) hint = fmt::format("its last output: {}", hint);
  if (mentions_memory(output_))
    return child_problem(ErrorKind::run, "the simulation ran out of memory", hint);
  if (!WIFSIGNALED(status_))
    return child_problem(ErrorKind::internal,
                         fmt::format("the simulation ended with status {}", WEXITSTATUS(status_)),
                         hint);
  const int signal = WTERMSIG(status_);
  const char* name = ::strsignal(signal);
  if (output_.find(name) != std::string_view::npos)
    hint.clear();  // SimGrid only prints the signal's name
  if (signal == SIGKILL) hint = "the system kills processes when memory runs out";
  return child_problem(comes_from_outside(signal) ? ErrorKind::run : ErrorKind::internal,
                       fmt::format("the simulation was killed by signal {} ({})", signal, name),
                       hint);
}

}  // namespace tutti::jobs
