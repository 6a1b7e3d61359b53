// SPDX-License-Identifier: BSD-3-Clause
// Task: the coroutine type of rank programs. `co_await child(...)` runs a sub-program.
//
// Control passes between coroutines through a trampoline: a coroutine that calls or returns stores
// the next handle and returns to `Trampoline::run`. So calls do not nest on the stack at any depth
// of recursion (symmetric transfer does not guarantee this at -O0).
#pragma once

#include <coroutine>
#include <exception>

#include "sim/base/common.hpp"
#include "sim/runtime/frame_memory.hpp"

namespace tutti::runtime {

// The coroutine to resume next; null while the rank waits for messages.
struct Trampoline {
  std::coroutine_handle<> next;
  bool is_over = false;  // the initial task has finished

  // Runs until the rank waits or its program ends; returns true if it has ended.
  bool run() {
    is_over = false;
    while (next) std::exchange(next, nullptr).resume();
    return is_over;
  }
};

class Task;

namespace detail {

struct TaskPromise {
  Trampoline* trampoline = nullptr;
  std::coroutine_handle<> continuation;
  std::exception_ptr exception;

  struct FinalAwaiter {
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<TaskPromise> self) const noexcept {
      Trampoline* trampoline = self.promise().trampoline;
      if (trampoline == nullptr) return;
      trampoline->next = self.promise().continuation;
      trampoline->is_over = !trampoline->next;
    }
    void await_resume() const noexcept {}
  };

  static void* operator new(std::size_t bytes) { return FrameMemory::take(bytes); }
  static void operator delete(void* frame, std::size_t bytes) noexcept {
    FrameMemory::give_back(frame, bytes);
  }

  Task get_return_object() noexcept;
  std::suspend_always initial_suspend() const noexcept { return {}; }
  FinalAwaiter final_suspend() const noexcept { return {}; }
  void return_void() const noexcept {}
  void unhandled_exception() noexcept { exception = std::current_exception(); }
};

}  // namespace detail

// Owns its coroutine. It runs when it is awaited, or when an engine starts it. Move-only.
class [[nodiscard]] Task {
 public:
  using promise_type = detail::TaskPromise;
  using Handle = std::coroutine_handle<promise_type>;

  Task() = default;
  explicit Task(Handle handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  struct Awaiter {
    Handle child;
    bool await_ready() const noexcept { return false; }
    void await_suspend(Handle parent) const noexcept {
      child.promise().trampoline = parent.promise().trampoline;
      child.promise().continuation = parent;
      parent.promise().trampoline->next = child;
    }
    void await_resume() const {
      if (child.promise().exception) std::rethrow_exception(child.promise().exception);
    }
  };
  Awaiter operator co_await() const& noexcept { return {handle_}; }
  Awaiter operator co_await() && noexcept { return {handle_}; }

  // For engines: makes this task the first one of `trampoline`, whose `run` must be called next.
  void start(Trampoline& trampoline) {
    handle_.promise().trampoline = &trampoline;
    trampoline.next = handle_;
  }
  bool done() const { return !handle_ || handle_.done(); }
  // The exception that ended the task, if any.
  std::exception_ptr exception() const { return handle_.promise().exception; }
  // Frees the memory of a finished task.
  void release_frame() {
    if (handle_) std::exchange(handle_, nullptr).destroy();
  }

 private:
  Handle handle_;
};

inline Task detail::TaskPromise::get_return_object() noexcept {
  return Task{Task::Handle::from_promise(*this)};
}

}  // namespace tutti::runtime
