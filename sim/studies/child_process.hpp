// SPDX-License-Identifier: BSD-3-Clause
// Work in a forked child, for what may be done once per process or may abort it (SimGrid). Its
// answer comes back as bytes.
#pragma once

#include <new>

#include "sim/base/common.hpp"
#include "sim/base/forked_process.hpp"

namespace tutti::studies {

class ChildProcess {
 public:
  // Runs in the child and gives the answer's bytes; does not throw (see `guarded`).
  using Work = std::function<std::string()>;

  static Result<ChildProcess> start(const Work& work);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&&) = delete;
  ~ChildProcess();  // a child that was not collected is killed

  // Waits for at most that time: true once the child answers, or has ended without an answer.
  bool wait_for(Seconds time_s) const;
  // Readable once the child answers, or has ended.
  int answer_fd() const { return result_fd_; }
  // Resident now, with its own children; 0 where the system does not tell.
  Bytes memory() const;
  void kill();
  // Waits for the child's end and gives its bytes; fewer than it meant to give if it died.
  std::string collect();
  // After `collect`: whether the child ended as it should, and if it did not, why: an error of kind
  // run where memory or a signal from outside ended it, else of kind internal.
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

// Exceptions of libraries and broken invariants end here.
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
