// SPDX-License-Identifier: BSD-3-Clause
// Which points of a study are to be run: those that the store does not have. A point takes some
// bytes here; it is made again when its turn comes.
#pragma once

#include "sim/base/common.hpp"
#include "sim/store/store.hpp"
#include "sim/studies/study_point.hpp"
#include "sim/studies/study_points.hpp"

namespace tutti::studies {

// What points will cost, from what others did: the rate at which messages were simulated, and the
// memory of the largest jobs.

class StudyCost {
 public:
  static constexpr Seconds start_s = 0.003;  // a child's start and end

  // A stored point: its columns engine, procs, messages, wall_s, peak_rss_bytes.
  void learn(const Row& row);
  bool has_learnt() const { return runs_ > 0; }

  // Seconds of one core, without the start; 0 where nothing was learnt.
  Seconds time_of(double messages) const;
  // Of a job with so many processes; nothing where none was run.
  std::optional<Bytes> memory_of(std::int64_t procs) const;

 private:
  std::size_t runs_ = 0;
  double messages_ = 0;
  Seconds wall_s_ = 0;
  std::map<std::int64_t, Bytes> memory_of_procs_;  // the most
};

// Why a point is run, or is not.
enum class PointState : unsigned char {
  done,       // stored
  fresh,      // not stored, in no version
  outdated,   // stored for another content of the platform or version of the model
  failed,     // stored as failed; not run again unless that is asked for
  run_again,  // stored; asked for again
};

struct PlanRequest {
  enum class Rerun : unsigned char { none, failed, all } rerun = Rerun::none;
  std::optional<Condition> where;
  std::int64_t shard = 0;  // of `shards`, from 0: the points whose keys fall to it
  std::int64_t shards = 1;
};

// What a store has of the points.
class StoredStates {
 public:
  // Errors of reading. `cost` learns what the points took.
  std::optional<Error> read(const store::Store& store, StudyCost& cost);

  // Nothing: it is not stored.
  std::optional<store::Status> status_of(const std::string& key) const;
  // What is stored of the same description: "its content was 0123..., is 4567...".
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
  // All outlive it.
  StudyPlan(const StudyFile& study, const StudyMatrix& matrix, const StoredStates& stored,
            const StoredStates& also, const PlanRequest& request)
      : matrix_(matrix), stored_(stored), also_(also), request_(request), points_(study) {}

  // Looks at all points; `see`, if any, is shown each.
  using See = std::function<void(const SweptPoint&, PointState)>;
  std::vector<Error> make(const See& see);

  std::size_t points() const { return keys_.size(); }
  std::size_t count(PointState state) const { return counts_[static_cast<std::size_t>(state)]; }
  std::size_t pending() const { return pending_.size(); }
  // Combinations that came out the same as others.
  std::size_t repeated() const { return repeated_; }
  const std::vector<std::string>& keys() const { return keys_; }
  // Combinations that cannot run.
  const Skipped& skipped() const { return points_.skipped(); }
  // Of what is pending.
  double messages() const { return messages_; }
  std::int64_t most_procs() const { return most_procs_; }

  // The next pending point, made anew.
  std::optional<StudyPoint> next();
  // Pending points that could not be made again: a file that they name has changed meanwhile.
  std::size_t vanished() const { return vanished_; }

 private:
  struct Pending {
    std::uint32_t combination = 0;
    std::uint32_t point = 0;  // of it
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
