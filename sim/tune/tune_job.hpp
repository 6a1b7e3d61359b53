// SPDX-License-Identifier: BSD-3-Clause
// One objective of `sim tune`: the points of a combination of parameters.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/study_points.hpp"
#include "sim/tune/space.hpp"
#include "sim/tune/tune_file.hpp"

namespace tutti::studies::tuning {

// A point, and its name. The name does not depend on tuned parameters: "bcast, 64KiB".
struct TunePoint {
  StudyPoint point;
  std::string name;
};

// Who chooses the algorithms and their segments, fan-outs and limits: the combination, or the
// library regardless of the combination.
enum class Chooser : unsigned char { combination, library };

class TuneJob {
 public:
  // Both must outlive this object.
  TuneJob(const TuneFile& file, const TuneObjective& objective);

  double weight() const { return objective_->weight; }
  const std::string& workload() const;
  // Name of the objective, or of its points: "bcast, 1 KiB to 64 KiB".
  std::string name() const;
  // The number of processes, if there is only one.
  std::optional<std::int64_t> procs() const;
  // Whether the workload has the parameter with that index.
  bool has(std::size_t parameter) const { return has_[parameter]; }
  // Whether points may differ by it: the workload has it, or other parameters depend on it.
  bool depends_on(std::size_t parameter) const { return depends_on_[parameter]; }

  // The points of all combinations of the objective's lists, in their order. `procs`: replaces the
  // objective's. Errors are at the position of the value in the file.
  Result<std::vector<TunePoint>> points(const Combination& combination,
                                        const std::optional<StudyAxis>& procs = {},
                                        Chooser chooser = Chooser::combination);

 private:
  StudySettings make_settings(const Combination& combination, const StudyAxis* procs,
                              Chooser chooser) const;
  const std::string& objective_name() const;
  const StudyAxis* find(std::string_view name) const;
  // Whether this is its workload; an empty name represents all.
  bool has_workload(const std::string& name) const;
  bool chooses_algorithm(const TuneParameter& parameter) const;
  std::optional<StudyAxis> selection(const Combination& combination) const;
  std::vector<StudyAxis> aggregates(const Combination& combination) const;
  Result<std::optional<StudyAxis>> hints(const Combination& combination) const;

  const TuneFile* file_;
  const TuneObjective* objective_;
  std::vector<bool> has_;             // by parameter
  std::vector<bool> depends_on_;      // by parameter
  std::unique_ptr<StudyFile> study_;  // for positions; excludes nothing
  std::unique_ptr<StudyPoints> points_;
  std::vector<StudySettings> products_;  // of the lists
};

}  // namespace tutti::studies::tuning
