// SPDX-License-Identifier: BSD-3-Clause
// Plans the points of a study that must be run because the store does not contain them. A pending
// point takes a few bytes; it is made again when its turn comes.
#pragma once

#include "sim/base/common.hpp"
#include "sim/store/store.hpp"
#include "sim/studies/study_point.hpp"
#include "sim/studies/study_points.hpp"

namespace tutti::studies {

// Estimates the cost of points from stored ones: the rate of simulated messages, and the memory of
// the largest jobs.

class StudyCost {
 public:
  static constexpr Seconds start_s = 0.003;  // a child's start and end

  // Adds a stored point with columns procs, messages, wall_s, peak_rss_bytes.
  void learn(const Row& row);
  bool has_learnt() const { return runs_ > 0; }

  // Estimated seconds of one core, without the start; 0 if there are no stored points.
  Seconds time_of(double messages) const;
  // Estimated memory of a job with `procs` processes; unset if there are no stored points.
  std::optional<Bytes> memory_of(std::int64_t procs) const;

 private:
  std::size_t runs_ = 0;
  double messages_ = 0;
  Seconds wall_s_ = 0;
  std::map<std::int64_t, Bytes> memory_of_procs_;  // maximum for each number of processes
};

// The state of a point, which determines whether it is run.
enum class PointState : unsigned char {
  done,       // stored
  fresh,      // not stored in any version
  outdated,   // stored for another platform content or model version
  failed,     // stored as failed; run again on request only
  run_again,  // stored; run again on request
};

struct PlanRequest {
  enum class Rerun : unsigned char { none, failed, all } rerun = Rerun::none;
  std::optional<Condition> where;
  std::int64_t shard = 0;  // index of the shard, 0 to shards - 1; keys assign points to shards
  std::int64_t shards = 1;
};

// The states of the points in a store.
class StoredStates {
 public:
  // Reads the store and adds the costs of its points to `cost`. Returns read errors.
  std::optional<Error> read(const store::Store& store, StudyCost& cost);

  // Unset if the point is not stored.
  std::optional<store::Status> status_of(const std::string& key) const;
  // Why a stored point with the same description is outdated: "the platform's content has changed
  // from 0123... to 4567..."; unset if there is none.
  std::optional<std::string> outdated(const StudyPoint& point) const;

 private:
  struct Version {
    std::string platform_hash;
    std::int64_t model_version = 0;
  };
  std::unordered_map<std::string, store::Status> by_key_;
  std::unordered_map<std::string, Version> by_description_;
};

class StudyPlan {
 public:
  // All arguments must outlive the plan.
  StudyPlan(const StudyFile& study, const StudyMatrix& matrix, const StoredStates& stored,
            const StoredStates& also, const PlanRequest& request)
      : matrix_(matrix), stored_(stored), also_(also), request_(request), points_(study) {}

  // Examines all points and calls `see`, if set, for each.
  using See = std::function<void(const SweptPoint&, PointState)>;
  std::vector<Error> make(const See& see);

  std::size_t points() const { return keys_.size(); }
  std::size_t count(PointState state) const { return counts_[static_cast<std::size_t>(state)]; }
  std::size_t pending() const { return pending_.size(); }
  // Number of points equal to earlier ones.
  std::size_t repeated() const { return repeated_; }
  const std::vector<std::string>& keys() const { return keys_; }
  // Combinations that cannot run.
  const Skipped& skipped() const { return points_.skipped(); }
  // Estimated messages of the pending points.
  double messages() const { return messages_; }
  std::int64_t most_procs() const { return most_procs_; }

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
  PointState state_of(const StudyPoint& point) const;
  bool is_run(PointState state) const;

  const StudyMatrix& matrix_;
  const StoredStates& stored_;
  const StoredStates& also_;
  const PlanRequest& request_;
  StudyPoints points_;
  std::vector<std::string> keys_;
  std::vector<Pending> pending_;
  std::array<std::size_t, 5> counts_{};
  std::size_t repeated_ = 0;
  double messages_ = 0;
  std::int64_t most_procs_ = 0;
  std::size_t next_ = 0;
  std::size_t vanished_ = 0;
  std::optional<std::uint32_t> current_;  // the combination of `made_`
  std::vector<SweptPoint> made_;
};

}  // namespace tutti::studies
