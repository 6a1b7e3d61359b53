// SPDX-License-Identifier: BSD-3-Clause
// Describes algorithms with about as many steps as ranks, in each of which every rank sends and
// receives one message, and allows running only a sample of the steps and recording their times.
// The omitted steps are extrapolated from these times (sim/jobs/extrapolation).
#pragma once

#include "algorithms/rank_program.hpp"

namespace tutti::algorithms {

// One loop over steps 1, 2, ..., count.
struct StepPhase {
  using Peer = RankId (*)(RankId rank, std::int64_t step, RankId procs);

  std::int64_t count = 0;
  int period = 0;           // number of steps after which the peers repeat; 0: never
  Bytes message_bytes = 0;  // size of each message, or of the longest one
  Peer to = nullptr;
  Peer from = nullptr;
  // Sizes of blocks, if they differ; must not increase with the block number. In a ring, a rank
  // sends block (rank + ahead + 1 - s) mod P in step s; without a period, that of the receiver.
  std::function<Bytes(std::int64_t block)> block_bytes = nullptr;
  std::int64_t ahead = 0;

  Bytes bytes_of(std::int64_t block) const {
    return block_bytes ? block_bytes(block) : message_bytes;
  }
};

inline RankId right_of(RankId rank, std::int64_t /*step*/, RankId procs) {
  return rank + 1 == procs ? 0 : rank + 1;
}
inline RankId left_of(RankId rank, std::int64_t /*step*/, RankId procs) {
  return rank == 0 ? procs - 1 : rank - 1;
}
// The ranks `step` above and below, around the ring.
inline RankId steps_above(RankId rank, std::int64_t step, RankId procs) {
  return static_cast<RankId>((rank + step) % procs);
}
inline RankId steps_below(RankId rank, std::int64_t step, RankId procs) {
  return static_cast<RankId>((rank + procs - step) % procs);
}
// Every rank repeatedly sends to its right neighbor.
inline StepPhase around_a_ring(std::int64_t count, Bytes message_bytes) {
  return {
      .count = count, .period = 1, .message_bytes = message_bytes, .to = right_of, .from = left_of};
}
// Every block travels around the ring once, as above.
inline StepPhase around_a_ring(RankId procs, std::int64_t ahead,
                               std::function<Bytes(std::int64_t block)> block_bytes) {
  StepPhase phase = around_a_ring(procs - 1, block_bytes(0));
  if (block_bytes(procs - 1) == phase.message_bytes) return phase;
  phase.block_bytes = std::move(block_bytes);
  phase.ahead = ahead;
  return phase;
}

// The steps of a call that are run, and the times at which each rank ended them.
class StepSample {
 public:
  struct Chosen {
    std::vector<std::int64_t> steps;  // ascending
    std::size_t dated_from = 1;       // row 0 and the rows from this one on are kept
  };

  // Called during the run when all ranks have ended the step of a row; false stops it.
  using GoesOn = std::function<bool(const StepSample& sample, std::size_t row)>;

  // Once `goes_on` returns false, no rank begins a step that none has begun. It is for one phase
  // without a last step of its own (StepLoop::is_last).
  StepSample(RankId procs, std::vector<Chosen> phases, GoesOn goes_on = nullptr)
      : procs_(procs), goes_on_(std::move(goes_on)) {
    TUTTI_CHECK(!goes_on_ || phases.size() == 1, "expected one phase");
    if (goes_on_) ended_.resize(phases.front().steps.size() + 1);
    for (Chosen& chosen : phases) {
      const std::size_t rows = chosen.steps.size() + 2 - chosen.dated_from;
      phases_.push_back({std::move(chosen), std::vector<Seconds>(rows * size())});
    }
  }

  std::span<const std::int64_t> steps(std::size_t phase) const {
    return phases_[phase].chosen.steps;
  }
  // Row 0 contains the times at which the ranks begin the phase, row i those at which they end its
  // i-th step. first_row is the first row after row 0 that is kept.
  std::size_t first_row(std::size_t phase) const { return phases_[phase].chosen.dated_from; }
  std::span<const Seconds> row(std::size_t phase, std::size_t number) const {
    TUTTI_CHECK(number == 0 || number >= first_row(phase), "the time was not kept");
    return std::span(phases_[phase].dates).subspan(place_of(phase, number) * size(), size());
  }
  void date(std::size_t phase, std::size_t row, RankId rank, Seconds now_s) {
    if (row > 0 && row < first_row(phase)) return;
    phases_[phase].dates[place_of(phase, row) * size() + static_cast<std::size_t>(rank)] = now_s;
  }
  // Whether a rank that has ended the step of a row begins the next one.
  bool continues_after(std::size_t phase, std::size_t row) {
    const bool is_last = row == steps(phase).size();
    if (!goes_on_) return !is_last;
    if (++ended_[row] == procs_ && !is_stopped_) is_stopped_ = !goes_on_(*this, row);
    if (is_last || (is_stopped_ && row == begun_)) return false;
    begun_ = std::max(begun_, row + 1);
    return true;
  }

 private:
  struct Dated {
    Chosen chosen;
    std::vector<Seconds> dates;  // times by row and rank
  };
  std::size_t place_of(std::size_t phase, std::size_t row) const {
    return row == 0 ? 0 : row - first_row(phase) + 1;
  }
  std::size_t size() const { return static_cast<std::size_t>(procs_); }

  RankId procs_;
  std::vector<Dated> phases_;
  GoesOn goes_on_;
  std::vector<RankId> ended_;  // number of ranks that have ended a step, by row
  std::size_t begun_ = 0;      // the last row whose step a rank has begun
  bool is_stopped_ = false;
};

// The loop over steps in a rank's program:
//   for (StepLoop steps(me, args.sample, 0, procs - 1); steps.next();) ... steps.step() ...
class StepLoop {
 public:
  // Visits steps 1 to `count` of the phase, or those of the sample.
  StepLoop(const Rank& me, StepSample* sample, std::size_t phase, std::int64_t count)
      : me_(&me),
        sample_(sample),
        phase_(phase),
        runs_(sample == nullptr ? count : static_cast<std::int64_t>(sample->steps(phase).size())) {}

  // Records the end of the previous step. False if it was the last one.
  bool next() {
    const std::int64_t row = ended_++;
    if (sample_ == nullptr) return row < runs_;
    sample_->date(phase_, static_cast<std::size_t>(row), me_->id(), me_->now());
    return sample_->continues_after(phase_, static_cast<std::size_t>(row));
  }
  std::int64_t step() const {
    return sample_ == nullptr ? ended_ : sample_->steps(phase_)[ended_ - 1];
  }
  bool is_last() const { return ended_ == runs_; }

 private:
  const Rank* me_;
  StepSample* sample_;
  std::size_t phase_;
  std::int64_t runs_;
  std::int64_t ended_ = 0;  // within the loop's body: number of steps begun
};

}  // namespace tutti::algorithms
