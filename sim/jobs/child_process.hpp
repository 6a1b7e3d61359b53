// SPDX-License-Identifier: BSD-3-Clause
// Runs work in a forked child, for libraries that may be used only once per process or may abort it
// (SimGrid). The child returns its result as bytes.
#pragma once

#include <sys/mman.h>

#include <new>

#include "sim/base/common.hpp"
#include "sim/base/forked_process.hpp"
#include "sim/jobs/jobs.hpp"

namespace tutti::jobs {

class ChildProcess {
 public:
  // Runs in the child and returns the bytes of its result; must not throw (see `guarded`).
  using Work = std::function<std::string()>;

  static Result<ChildProcess> start(const Work& work);
  // Runs in the child, writes results to the descriptor while it runs, and returns whether all were
  // written; must not throw.
  using Writer = std::function<bool(int result_fd)>;
  static Result<ChildProcess> start_writer(const Writer& work);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();  // kills a child that was not collected

  // Waits for at most `time_s`: true once the child returns its result, or has ended without one.
  bool wait_for(Seconds time_s) const;
  // Readable once the child returns its result, or has ended.
  int answer_fd() const { return result_fd_; }
  // Current resident memory, including its own children, in bytes; 0 if unknown.
  Bytes memory() const;
  void kill();
  // The bytes that the child has written since the last call, at least one: blocks if there are
  // none. Empty at the end.
  std::string read_some() const;
  // What the child wrote to stdout and stderr from the byte `begin` to `end`; the last part of it
  // if it is long. Before `collect`.
  std::string output_between(std::size_t begin, std::size_t end) const;
  // Waits for the child's end and returns its bytes, which are incomplete if it died.
  std::string collect();
  // After `collect`: whether the child ended normally, and the error if it did not: of kind run if
  // it ran out of memory or was killed by a signal from outside, else of kind internal.
  bool ended_well() const { return status_ == 0; }
  Error death() const;
  // What the child wrote to stdout and stderr (messages of libraries); after `collect`.
  const std::string& output() const { return output_; }

 private:
  ChildProcess(ForkedProcess child, int result_fd, int output_fd)
      : child_(std::move(child)), result_fd_(result_fd), output_fd_(output_fd) {}

  ForkedProcess child_;
  int result_fd_;  // read end of the pipe
  int output_fd_;  // a file in memory
  int status_ = 0;
  std::string output_;
};

// An object in memory that a process shares with its later children.
template <class T>
struct Unmap {
  void operator()(T* object) const { ::munmap(object, sizeof(T)); }
};
template <class T>
using SharedMemory = std::unique_ptr<T, Unmap<T>>;
// Null, with errno set, if no memory can be shared.
template <class T>
SharedMemory<T> share_memory() {
  void* memory =
      ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return SharedMemory<T>(memory == MAP_FAILED ? nullptr : new (memory) T{});
}

// Writes all bytes, and retries after signals; false on an error.
bool write_all(int fd, std::string_view bytes);

// Longest output of a point that is stored.
inline constexpr std::size_t most_output = 64 * 1024;

// Converts exceptions of libraries and broken invariants to errors.
template <class Work>
auto guarded(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return make_error(ErrorKind::run, "", "the simulation ran out of memory");
  } catch (const ThrownError& thrown) {
    return thrown.error;
  } catch (const std::exception& exception) {
    return make_error(ErrorKind::internal, "", exception.what());
  }
}

}  // namespace tutti::jobs
