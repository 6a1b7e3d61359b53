// SPDX-License-Identifier: BSD-3-Clause
// Runs work in a forked child, for libraries that may be used only once per process or may abort it
// (SimGrid). The child returns its result as bytes.
#pragma once

#include <new>

#include "sim/base/common.hpp"
#include "sim/base/forked_process.hpp"

namespace tutti::studies {

class ChildProcess {
 public:
  // Runs in the child and returns the bytes of its result; must not throw (see `guarded`).
  using Work = std::function<std::string()>;

  static Result<ChildProcess> start(const Work& work);
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

}  // namespace tutti::studies
