// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/concurrent.hpp"

namespace tutti::runtime {

class ConcurrentPrograms {
 public:
  struct Running {
    Running(const Rank& me, const Binding& binding, int position)
        : view(me.view_, Group(0, me.size()), me.id(), binding, position),
          rank(*me.core_, me.world_id_, &view, &strand) {}

    bool can_continue(Waits& waits) const { return !task.done() && strand.is_ready(waits); }

    View view;
    Strand strand;
    Rank rank;
    Task task;
  };

  // Starts a program, or continues one that waits, until it waits again or ends.
  class Advance {
   public:
    explicit Advance(Running& running) : running_(running) {}
    bool await_ready() const { return false; }
    void await_suspend(Task::Handle self) const {
      running_.strand.scheduler_ = self;
      if (running_.strand.parked_)
        self.promise().trampoline->next = std::exchange(running_.strand.parked_, nullptr);
      else
        running_.task.operator co_await().await_suspend(self);
    }
    void await_resume() const {
      if (!running_.task.done()) return;
      if (const auto exception = running_.task.exception()) std::rethrow_exception(exception);
    }

   private:
    Running& running_;
  };

  // Suspends the rank until one of the requests is complete.
  class AnyDone : public detail::WaitBase {
   public:
    AnyDone(Rank& me, std::span<const Request> requests) : WaitBase(me), requests_(requests) {}
    bool await_ready() const { return start_wait_any(requests_); }
    void await_resume() const {
      if (strand() == nullptr) core().waits().end_any(rank());
    }

   private:
    std::span<const Request> requests_;
  };

  static Task run(Rank& me, std::vector<ConcurrentProgram> programs) {
    TUTTI_CHECK(programs.size() <= most_programs, "too many programs run concurrently");
    std::vector<std::unique_ptr<Running>> all;
    for (const ConcurrentProgram& program : programs) {
      all.push_back(std::make_unique<Running>(me, program.binding, static_cast<int>(all.size())));
      all.back()->task = program.program(all.back()->rank);
      co_await Advance(*all.back());
    }
    while (true) {
      const auto next = std::ranges::find_if(
          all, [&](const auto& running) { return running->can_continue(me.core_->waits()); });
      if (next != all.end()) {
        co_await Advance(**next);
        continue;
      }
      const auto awaited = list_incomplete(me.core_->waits(), all);
      if (awaited.empty()) break;
      co_await AnyDone(me, awaited);
    }
  }

 private:
  static constexpr std::size_t most_programs = 60;  // of 2048 views with their own tags

  static std::vector<Request> list_incomplete(Waits& waits,
                                              const std::vector<std::unique_ptr<Running>>& all) {
    std::vector<Request> requests;
    for (const auto& running : all) {
      if (running->task.done()) continue;
      for (const Request& request : running->strand.awaited_)
        if (!waits.is_done(request)) requests.push_back(request);
    }
    return requests;
  }
};

Task run_concurrently(Rank& me, std::vector<ConcurrentProgram> programs) {
  return ConcurrentPrograms::run(me, std::move(programs));
}

Task run_concurrently(Rank& me, std::vector<Program> programs) {
  std::vector<ConcurrentProgram> unbound;
  for (Program& program : programs) unbound.push_back({std::move(program)});
  return run_concurrently(me, std::move(unbound));
}

}  // namespace tutti::runtime
