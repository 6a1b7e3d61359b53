// SPDX-License-Identifier: BSD-3-Clause
// Points that forked workers take one at a time, so that short points do not need a process each.
#pragma once

#include <atomic>

#include "sim/base/common.hpp"
#include "sim/jobs/child_process.hpp"
#include "sim/jobs/study_point.hpp"

namespace tutti::studies {

// The points are in the memory of the parent at the fork. Which worker simulates which one is in
// shared memory, so the parent knows it at any time, also after the death of a worker.
class PointBatch {
 public:
  static constexpr std::size_t most_points = 128;
  static constexpr std::size_t most_workers = most_points;  // each takes at least one

  // Makes a batch of at least one point; of several only if all share a process. Returns an error
  // if no memory can be shared.
  static Result<std::shared_ptr<PointBatch>> of(std::vector<StudyPoint> points);
  PointBatch(const PointBatch&) = delete;
  PointBatch& operator=(const PointBatch&) = delete;

  std::size_t size() const { return points_.size(); }
  const StudyPoint& point(std::size_t index) const { return points_[index]; }
  // The maximum of the points' memory estimates.
  Bytes memory_bytes() const;

  // The parent calls the functions below; workers call only claim().

  // Takes the next point that no worker has taken, and returns its index; unset if there is none.
  std::optional<std::size_t> claim() const;
  // Returns whether there are points that no worker has taken.
  bool needs_worker() const { return shared_->next.load() < size(); }
  // The number of a new worker.
  std::size_t add_worker() { return workers_++; }
  // Workers end after the point that they simulate.
  void cancel() const { shared_->next.store(size()); }

  // Forks a worker that starts with the claimed point `first`. It writes a frame for each point.
  Result<ChildProcess> start(std::size_t worker, std::size_t first) const;

  // The index of the point that a worker has claimed last, and the time at which it did
  // (batch_clock_s).
  std::size_t current(std::size_t worker) const { return shared_->slots[worker].point.load(); }
  Seconds started_s(std::size_t worker) const { return shared_->slots[worker].started_s.load(); }

  struct Frame {
    std::size_t point = 0;
    std::size_t output_end = 0;  // bytes that the worker has written to stdout and stderr
    std::string answer;          // a packed Result<Row>
  };
  // Removes a whole frame from the front of the bytes of a worker; unset if there is none.
  static std::optional<Frame> take_frame(std::string& bytes);

  // Whether the answer to a point was received.
  bool is_answered(std::size_t index) const { return answered_[index]; }
  void set_answered(std::size_t index) { answered_[index] = true; }

 private:
  struct Slot {
    std::atomic<std::size_t> point = 0;
    std::atomic<Seconds> started_s = 0;
  };
  struct Shared {
    std::atomic<std::size_t> next = 0;
    Slot slots[most_workers];
  };

  PointBatch(std::vector<StudyPoint> points, SharedMemory<Shared> shared)
      : points_(std::move(points)), answered_(points_.size()), shared_(std::move(shared)) {}
  void note_start(std::size_t worker, std::size_t index) const;
  bool work(std::size_t worker, std::size_t first, int result_fd) const;

  std::vector<StudyPoint> points_;
  std::vector<bool> answered_;
  std::size_t workers_ = 0;
  SharedMemory<Shared> shared_;
};

// Seconds of the clock of PointBatch::started_s.
Seconds batch_clock_s();

}  // namespace tutti::studies
