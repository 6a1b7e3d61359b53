// SPDX-License-Identifier: BSD-3-Clause
// The state of one of several programs that a rank runs concurrently (concurrent.hpp).
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/task.hpp"
#include "sim/runtime/waits.hpp"

namespace tutti::runtime {

class Strand {
 public:
  enum class For : std::uint8_t { all, any };

  // Returns whether all or any (`what`) of the requests are complete; otherwise the program parks
  // next.
  bool wait(Waits& waits, std::span<const Request> requests, For what) {
    awaited_ = requests;
    for_ = what;
    return is_ready(waits);
  }
  bool is_ready(Waits& waits) const {
    const auto is_done = [&](const Request& request) { return waits.is_done(request); };
    return for_ == For::all ? std::ranges::all_of(awaited_, is_done)
                            : std::ranges::any_of(awaited_, is_done);
  }
  // Parks the program, and continues the program that runs it.
  void park(Task::Handle self) {
    parked_ = self;
    self.promise().trampoline->next = scheduler_;
  }

 private:
  friend class ConcurrentPrograms;

  std::coroutine_handle<> scheduler_;
  std::coroutine_handle<> parked_;
  std::span<const Request> awaited_;
  For for_ = For::all;
};

}  // namespace tutti::runtime
