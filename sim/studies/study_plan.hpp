// SPDX-License-Identifier: BSD-3-Clause
// Plans the points of a study that must be run because the store does not contain them. A pending
// point takes a few bytes; it is made again when its turn comes.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/study_point.hpp"
#include "sim/jobs/time_estimate.hpp"
#include "sim/store/store.hpp"
#include "sim/studies/study_points.hpp"

namespace tutti::studies {

// The state of a point, which determines whether it is run.
enum class PointState : unsigned char {
  done,       // stored; not run
  fresh,      // not stored in any version; run
  outdated,   // stored for another platform content, model or SimGrid version; run
  failed,     // stored as failed; not run
  run_again,  // stored, but the request wants it again (--rerun); run
};

// Which points of a study to run.
struct PlanRequest {
  enum class Rerun : unsigned char { none, failed, all } rerun = Rerun::none;
  std::optional<Condition> where;  // only points that satisfy it; unset: all
  std::int64_t shard = 0;  // index of the shard, 0 to shards - 1; keys assign points to shards
  std::int64_t shards = 1;
};

// The states of the points in a store.
class StoredStates {
 public:
  // Reads the store. Returns read errors.
  std::optional<Error> read(const store::Store& store);

  // The status of a stored point; unset if the point is not stored.
  std::optional<store::Status> status(const std::string& key) const;
  // The time that its simulation took, in seconds; 0: unknown.
  Seconds wall_s(const std::string& key) const;
  // Returns why a stored point with the same description is outdated: "the platform's content has
  // changed from 0123... to 4567..."; unset if no stored point has the description.
  std::optional<std::string> outdated(const StudyPoint& point) const;

 private:
  struct Version {
    std::string platform_hash;
    std::int64_t model_version = 0;
  };
  struct Stored {
    store::Status status;
    Seconds wall_s = 0;
  };
  std::unordered_map<std::string, Stored> by_key_;
  std::unordered_map<std::string, Version> by_description_;
};

class StudyPlan {
 public:
  // `stored` has the states of the study's store, `also` those of another store, whose points are
  // not run either (--also-in). All arguments must outlive the plan.
  StudyPlan(const StudyFile& study, const StudyMatrix& matrix, const StoredStates& stored,
            const StoredStates& also, const PlanRequest& request)
      : matrix_(matrix), stored_(stored), also_(also), request_(request), points_(study) {}

  // Makes all points once to determine their states, and calls `see`, if set, for each. Call it
  // before all other functions. Returns the errors of the study.
  using See = std::function<void(const SweptPoint&, PointState)>;
  std::vector<Error> make(const See& see);

  // Number of different points, in any state.
  std::size_t points() const { return keys_.size(); }
  std::size_t count(PointState state) const { return counts_[static_cast<std::size_t>(state)]; }
  std::size_t pending() const { return pending_.size(); }
  // Number of points equal to earlier ones.
  std::size_t repeated() const { return repeated_; }
  const std::vector<std::string>& keys() const { return keys_; }
  // Combinations that cannot run.
  const Skipped& skipped() const { return points_.skipped(); }
  // The estimated time of the pending points on one core, in seconds, and the estimates and times
  // of stored points, which correct it.
  Seconds estimated_s() const { return estimated_s_; }
  const FinishedWork& finished() const { return finished_; }
  // Estimated memory of the largest pending point; 0: unknown.
  Bytes memory_bytes() const { return memory_bytes_; }

  // Makes the next pending point; unset after the last one.
  std::optional<StudyPoint> next();
  // Number of pending points that could not be made again because a file that they name has
  // changed.
  std::size_t vanished() const { return vanished_; }

 private:
  struct Pending {
    std::uint32_t combination = 0;
    std::uint32_t point = 0;  // index in the combination
    std::uint32_t key = 0;    // in keys_
  };

  void take(const SweptPoint& swept, Pending where, const See& see);
  bool is_wanted(const SweptPoint& swept) const;
  PointState point_state(const StudyPoint& point) const;
  bool is_run(PointState state) const;

  const StudyMatrix& matrix_;
  const StoredStates& stored_;
  const StoredStates& also_;
  const PlanRequest& request_;
  StudyPoints points_;
  std::vector<std::string> keys_;
  std::vector<Pending> pending_;
  std::array<std::size_t, 5> counts_{};  // number of points by PointState
  std::size_t repeated_ = 0;
  Seconds estimated_s_ = 0;
  FinishedWork finished_;
  Bytes memory_bytes_ = 0;
  std::size_t next_ = 0;
  std::size_t vanished_ = 0;
  std::optional<std::uint32_t> current_;  // the combination that next() has made last
  std::vector<SweptPoint> made_;          // its points
};

}  // namespace tutti::studies
