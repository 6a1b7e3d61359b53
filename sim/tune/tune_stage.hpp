// SPDX-License-Identifier: BSD-3-Clause
// Values of combinations of parameters: the weighted sums of their points' times, with each point
// simulated once.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/study_runner.hpp"
#include "sim/tune/evaluations.hpp"
#include "sim/tune/tune_job.hpp"

namespace tutti::studies::tuning {

struct PointTime {
  std::optional<Seconds> time_s = {};  // empty: the point failed, or was not simulated
  double sampling_error = 0;           // relative; 0: neither cycles nor calls were sampled
};

// Times of points by their keys.
class PointTimes {
 public:
  explicit PointTimes(RunPoints run) : run_(std::move(run)) {}

  // Simulates the unknown points in parallel. Error: the user interrupted it.
  std::optional<Error> find(const std::vector<StudyPoint>& points);
  PointTime time(const std::string& key) const {
    const auto entry = times_.find(key);
    return entry == times_.end() ? PointTime{} : entry->second;
  }

  bool knows(const std::string& key) const { return times_.contains(key); }

  std::size_t simulated() const { return times_.size(); }
  std::size_t failed() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(times_, [](const auto& entry) { return !entry.second.time_s; }));
  }

 private:
  RunPoints run_;
  std::map<std::string, PointTime> times_;
};

// One time of the weighted sum.
struct TunedPoint {
  std::string name;  // "bcast, 64 KiB"
  Row parameters;
  double weight = 1;
  std::optional<Seconds> time_s;
  std::optional<Seconds> least_s;  // least time of all evaluated combinations
  double sampling_error = 0;       // of time_s, relative
};

// The objectives of one stage on several levels, the whole problem last. The levels are the file's
// numbers of processes below the objectives' own; by default a sixteenth and a quarter of the
// processes, or of the points if the objective has many of them and no number of processes.
class TuneStage {
 public:
  // All must outlive this object. `jobs`: of the stage.
  TuneStage(const TuneFile& file, std::vector<TuneJob> jobs, PointTimes& times);

  // Determines levels and their costs, by messages with the default values. Errors: impossible
  // points.
  std::vector<Error> prepare(const Space& space);
  const Levels& levels() const { return levels_; }
  // Whether an objective has the parameter with that index.
  bool has(std::size_t parameter) const;

  // From now on each point uses its fastest choice (TuneParameter::is_choice), or the library's
  // own, regardless of these parameters in the combination. `space`: of the file. `can_choose`:
  // whether a point with these parameters may be chosen.
  void choose_by_point(const Space& space, std::function<bool(const Row&)> can_choose) {
    choice_space_ = &space;
    can_choose_ = std::move(can_choose);
  }

  Result<std::vector<std::optional<double>>> evaluate(const std::vector<Combination>& combinations,
                                                      std::size_t level);

  // Whether a simulation of an evaluated combination failed.
  bool has_failed(const Combination& combination, std::size_t level);

  // Points of a combination evaluated on the whole problem, without choices by point.
  Result<std::vector<TunedPoint>> points(const Combination& combination);
  // The largest sampling error of these points.
  Result<double> sampling_error(const Combination& combination);
  // The choices of each point, the library's own first.
  Result<std::vector<std::vector<TunedPoint>>> choices(const Combination& combination);

 private:
  struct Way {
    Combination combination;
    Chooser chooser = Chooser::combination;
    bool is_choice = false;
  };
  // Reduction of one objective on a level.
  struct Smaller {
    std::optional<StudyAxis> procs;  // replaces the objective's own
    std::size_t every = 1;           // use every `every`-th point
  };
  using Level = std::vector<Smaller>;  // by objective
  // Points of one objective.
  struct JobPoints {
    std::vector<std::string> keys;
    bool fits = true;  // the points fit into the memory, and may be chosen
  };
  using JobWays = std::vector<const JobPoints*>;  // empty: none is possible

  // `whole`: number of messages of the whole problem.
  std::optional<Error> add_default_levels(const Combination& defaults, double whole);
  Result<Smaller> smaller(TuneJob& job, const Combination& defaults, std::int64_t one_of);
  bool excludes_values(const Combination& defaults, const Level& level);
  void add_file_levels();
  Result<double> messages(const Combination& combination, const Level& level);
  Result<std::vector<TunePoint>> make_points(TuneJob& job, const Combination& combination,
                                             const Smaller& smaller,
                                             Chooser chooser = Chooser::combination);
  // The points of an objective that runs in one way, or in all. Appends unknown points to
  // `unknown`.
  Result<const JobPoints*> find_points(std::size_t job, const Way& way, std::size_t level,
                                       std::vector<StudyPoint>& unknown);
  Result<JobWays> find_ways(std::size_t job, const Combination& combination, std::size_t level,
                            std::vector<StudyPoint>& unknown);
  // The ways in which an objective may run a combination.
  std::vector<Way> ways(std::size_t job, const Combination& combination) const;
  std::optional<Seconds> fastest(const JobWays& ways, std::size_t point) const;
  TunedPoint tuned_point(const TuneJob& job, TunePoint point, std::size_t number) const;
  std::vector<Error> check_values(const Space& space);
  void check_memory(const std::vector<TunePoint>& points, ErrorList& errors) const;
  bool fits(const StudyPoint& point) const;
  std::optional<double> weighted_sum(std::span<const JobWays> jobs) const;
  void keep_least(std::span<const JobWays> jobs);

  const TuneFile& file_;
  std::vector<TuneJob> jobs_;
  PointTimes& times_;
  std::vector<Level> smaller_levels_;
  const Space* choice_space_ = nullptr;  // null: the combination chooses
  std::function<bool(const Row&)> can_choose_;
  // By objective, level, chooser, and the part of the combination that the objective has: most
  // combinations share simulations.
  std::map<std::tuple<std::size_t, std::size_t, Chooser, Combination>, JobPoints> points_;
  Levels levels_;
  std::vector<std::optional<Seconds>> least_s_;  // of the whole problem's points
};

}  // namespace tutti::studies::tuning
