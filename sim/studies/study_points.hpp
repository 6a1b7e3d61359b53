// SPDX-License-Identifier: BSD-3-Clause
// Makes the points of a study, one combination at a time: the workload reads the values of the
// options, with their places in the file.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/point.hpp"
#include "sim/jobs/study_point.hpp"
#include "sim/studies/condition.hpp"
#include "sim/studies/study_file.hpp"
#include "sim/studies/workloads/workload.hpp"

namespace tutti::studies {

inline constexpr std::size_t most_study_points = 1'000'000;

// One option of a combination and its value, which belong to the StudyFile.
struct StudySetting {
  const StudyAxis* axis = nullptr;
  const StudyValue* value = nullptr;

  std::string_view name() const { return axis->name; }
  // The place of the value in the file.
  TextSpot spot() const { return value->spot; }
};
using StudySettings = std::vector<StudySetting>;

// The combinations of values of a study, made one at a time; none are stored.
class StudyMatrix {
 public:
  // Returns an error if there are more than most_study_points combinations. `study` must outlive
  // the result.
  static Result<StudyMatrix> of(const StudyFile& study);

  std::size_t size() const { return size_; }
  // Makes the combination of this number, below size(). Combinations of the matrix are first, in
  // which options that change the machine vary slowest; then those of each [[include]].
  StudySettings at(std::size_t index) const;

 private:
  // A Cartesian product of groups, with the options of the base.
  struct Block {
    std::vector<const StudyGroup*> groups;
    std::vector<StudyGroup> singles;  // the axes of an [[include]], one group for each
    std::size_t size = 1;
  };

  explicit StudyMatrix(const StudyFile& study) : study_(&study) {}
  StudySettings at(const Block& block, std::size_t index) const;

  const StudyFile* study_;
  std::vector<Block> blocks_;
  std::size_t size_ = 0;
};

// The options of all workloads that a study may set, and "workload".
std::vector<StudyOption> study_options();

// Whether `sim run WORKLOAD` has the option, or it is a key of --set.
bool has_study_option(std::string_view workload, std::string_view name);

// A point and the combination from which it was made.
struct SweptPoint {
  StudyPoint point;
  StudySettings settings;
};

// Returns the values that a name has in conditions (--where): the study's setting and the columns.
std::vector<Cell> cells_of(const SweptPoint& swept, const std::string& name);

// Makes points of combinations. It keeps the machine and the other inputs of the last combinations,
// so consecutive ones should share them.
class StudyPoints {
 public:
  // `study` must outlive this object. `inputs` are the inputs that are already read.
  explicit StudyPoints(const StudyFile& study, PointInputs inputs = {});

  // Makes the points of a combination that are not excluded, by Workload::points. Errors have the
  // place of the value in the study. Points that cannot run are not errors; they are counted in
  // skipped().
  Result<std::vector<SweptPoint>> of(const StudySettings& settings);

  // Skipped points of all combinations so far.
  const Skipped& skipped() const { return skipped_; }
  // Returns the skipped points so far, and forgets them.
  Skipped take_skipped() { return std::exchange(skipped_, {}); }

 private:
  Result<options::OptionValues> option_values(const StudySettings& settings) const;
  template <class CellsOf>
  bool is_excluded_by(const CellsOf& cells_of) const;
  bool is_excluded(const StudySettings& settings) const;
  bool is_excluded(const SweptPoint& swept) const;
  static std::string also_varies(const StudySettings& settings);

  const StudyFile& study_;
  Skipped skipped_;
  PointInputs inputs_;
  struct ExcludedAxis {
    std::string_view name;
    std::vector<Cell> values;
  };
  std::vector<std::vector<ExcludedAxis>> excludes_;  // read once
};

}  // namespace tutti::studies
