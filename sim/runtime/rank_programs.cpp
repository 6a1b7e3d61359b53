// SPDX-License-Identifier: BSD-3-Clause
#include "sim/runtime/rank_programs.hpp"

namespace tutti::runtime {

RankPrograms::RankPrograms(ProtocolCore& core, const Program& program, const RankClasses* classes)
    : core_(core), program_(program), tasks_(core.size()), running_(core.size()) {
  if (classes != nullptr) {
    views_.reserve(core.size());
    for (const RankId rank : classes->representatives)
      views_.emplace_back(nullptr, Group(0, classes->procs), rank, Binding{});
  }
  ranks_.reserve(core.size());
  for (RankId rank = 0; rank < core.size(); ++rank)
    ranks_.emplace_back(core, rank, views_.empty() ? nullptr : &views_[rank]);
}

void RankPrograms::start(RankId rank) {
  try {
    tasks_[rank] = program_(ranks_[rank]);
  } catch (...) {  // a program may throw before its coroutine starts
    --running_;
    if (!failure_) failure_ = std::current_exception();
    return;
  }
  tasks_[rank].start(trampoline_);
  run(rank);
}

void RankPrograms::resume(RankId rank) {
  trampoline_.next = core_.take_parked(rank);
  run(rank);
}

void RankPrograms::run(RankId rank) {
  if (!trampoline_.run()) return;
  --running_;
  if (!failure_) failure_ = tasks_[rank].exception();
  tasks_[rank].release_frame();
}

void RankPrograms::rethrow_failure() const {
  if (failure_) std::rethrow_exception(failure_);
}

std::vector<Seconds> RankPrograms::end_times() const {
  std::vector<Seconds> end_s(ranks_.size());
  for (RankId rank = 0; rank < core_.size(); ++rank) end_s[rank] = core_.clock(rank);
  return end_s;
}

}  // namespace tutti::runtime
