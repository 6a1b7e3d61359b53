// SPDX-License-Identifier: BSD-3-Clause
// The ranks' clocks and local work: overheads, copies, operations, computation. Every rank has its
// own clock, which may run ahead of the engine's time.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/job_state.hpp"

namespace tutti::runtime {

class LocalWork {
 public:
  // `job` must outlive the object.
  explicit LocalWork(JobState& job) : job_(job) {}

  void set_noise(const Noise& noise) { noise_ = noise; }
  bool has_noise() const { return noise_.kind != Noise::Kind::none; }
  void set_working_set(WorkingSet set) { working_set_ = std::move(set); }

  // The operations of Rank with these names.
  void compute(RankId rank, Seconds duration_s);
  void launch(RankId rank);
  void sleep(RankId rank, Seconds duration_s);
  void allocate(RankId rank, Bytes bytes);
  void copy(RankId rank, Slice into, Slice from);
  void copy(RankId rank, const Strided& into, const Strided& from);
  void clear(RankId rank, Slice into);
  void combine(RankId rank, Slice into, Slice from, Operand from_is);

  // Advances the rank's clock by the duration, with noise.
  void work(RankId rank, Work kind, Seconds duration_s);
  // Advances the rank's clock by exactly the duration.
  void pass(RankId rank, Work kind, Seconds duration_s) {
    if (job_.pattern != nullptr)
      return job_.pattern->work(static_cast<std::uint64_t>(kind), duration_s);
    Seconds& clock_s = job_.ranks[rank].clock_s;
    const Seconds begin_s = clock_s;
    clock_s += duration_s;
    for (TimestampObserver* observer : job_.timestamp_observers)
      observer->on_work(rank, kind, begin_s, clock_s);
  }

 private:
  void charge(RankId rank, Work kind, Seconds duration_s);
  // `pieces`: of data with gaps.
  void charge_copy(RankId rank, Bytes bytes, std::int64_t pieces = 0);
  Bytes working_set(RankId rank, Bytes piece) const {
    const auto& sets = working_set_.of_ranks;
    return std::max(sets.empty() ? working_set_.of_all : sets[static_cast<std::size_t>(rank)],
                    piece);
  }

  JobState& job_;
  Noise noise_;
  WorkingSet working_set_;
};

}  // namespace tutti::runtime
