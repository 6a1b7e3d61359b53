// SPDX-License-Identifier: BSD-3-Clause
// What combinations of parameters take: the weighted sums of their points' times, each point
// simulated once.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/commands/diagnostics.hpp"
#include "sim/commands/tune_job.hpp"
#include "sim/studies/tuning/evaluations.hpp"

namespace tutti::commands {

// Times of points by their keys.
class PointTimes {
 public:
  PointTimes(int jobs, const Diagnostics& diagnostics) : jobs_(jobs), diagnostics_(diagnostics) {}

  // Simulates those that are not known, side by side. An error: it was interrupted.
  std::optional<Error> find(const std::vector<studies::StudyPoint>& points);
  // Nothing: it failed, or was not simulated.
  std::optional<Seconds> of(const std::string& key) const {
    const auto found = times_.find(key);
    return found == times_.end() ? std::nullopt : found->second;
  }

  std::size_t simulated() const { return times_.size(); }
  // Exit code of an interrupted run; 0: it was none.
  int code() const { return code_; }

 private:
  int jobs_;
  const Diagnostics& diagnostics_;
  std::map<std::string, std::optional<Seconds>> times_;
  int code_ = 0;
};

// One time among those that add up.
struct TunedPoint {
  std::string name;  // "bcast, 64 KiB"
  Row parameters;
  double weight = 1;
  std::optional<Seconds> time_s;
  std::optional<Seconds> least_s;  // of all combinations that were evaluated
};

// Objectives of one stage, on levels: the numbers of processes of the file that are below theirs,
// then the whole.
class TuneStage {
 public:
  // All outlive it. `jobs`: of the stage.
  TuneStage(const studies::tuning::TuneFile& file, std::vector<TuneJob> jobs, PointTimes& times);

  // Levels and their costs, by messages with the default values. Errors: of points that cannot be.
  std::vector<Error> prepare(const studies::tuning::Space& space);
  const studies::tuning::Levels& levels() const { return levels_; }
  // Whether an objective has the parameter of that number.
  bool has(std::size_t parameter) const;

  Result<std::vector<std::optional<double>>> evaluate(
      const std::vector<studies::tuning::Combination>& combinations, std::size_t level);

  // Of a combination that was evaluated on the whole problem.
  Result<std::vector<TunedPoint>> points(const studies::tuning::Combination& combination);

 private:
  struct Weighed {
    TunePoint made;
    double weight = 1;
  };
  std::vector<Error> check_values(const studies::tuning::Space& space);
  std::optional<Error> check_memory(const std::vector<Weighed>& points) const;
  bool fits(const std::vector<Weighed>& points) const;
  std::optional<double> value_of(const std::vector<Weighed>& points) const;
  void keep_least(const std::vector<Weighed>& points);
  Result<std::vector<Weighed>> weighed(const studies::tuning::Combination& combination,
                                       std::size_t level);

  const studies::tuning::TuneFile& file_;
  std::vector<TuneJob> jobs_;
  PointTimes& times_;
  std::vector<studies::StudyAxis> level_procs_;
  studies::tuning::Levels levels_;
  std::vector<std::optional<Seconds>> least_s_;  // of the whole problem's points
};

}  // namespace tutti::commands
