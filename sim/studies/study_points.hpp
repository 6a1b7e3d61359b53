// SPDX-License-Identifier: BSD-3-Clause
// From what a study says, a combination at a time, to points: the options' values, with their
// places in the file, read by their workload.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/condition.hpp"
#include "sim/studies/point.hpp"
#include "sim/studies/study_file.hpp"
#include "sim/studies/study_point.hpp"
#include "sim/studies/workloads/workload.hpp"

namespace tutti::studies {

// The combinations of values that a study asks for, made one at a time: none are kept.

inline constexpr std::size_t most_study_points = 1'000'000;

// One option of a combination.
struct StudySetting {
  const StudyAxis* axis = nullptr;
  const StudyValue* value = nullptr;

  std::string_view name() const { return axis->name; }
  // Where it stands; of an option with several values, the one that it has.
  TextSpot spot() const { return value->spot; }
};
using StudySettings = std::vector<StudySetting>;

class StudyMatrix {
 public:
  // An error if there are more than most_study_points. `study` outlives it.
  static Result<StudyMatrix> of(const StudyFile& study);

  std::size_t size() const { return size_; }
  // The matrix first, what changes the machine slowest; then each [[include]].
  StudySettings at(std::size_t index) const;

 private:
  // A product of groups upon the base.
  struct Block {
    std::vector<const StudyGroup*> groups;
    std::vector<StudyGroup> singles;  // of an [[include]]: its axes, a group each
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

// A point and the combination that it comes from.
struct SweptPoint {
  StudyPoint point;
  StudySettings settings;
};

// The values that go by a name in conditions: what the study sets, and the columns.
std::vector<Cell> cells_of(const SweptPoint& swept, const std::string& name);

class StudyPoints {
 public:
  // `study` outlives it.
  explicit StudyPoints(const StudyFile& study);

  // Those of a combination but the excluded. Errors stand where the study has the value.
  // What cannot run is no error: it is counted.
  Result<std::vector<SweptPoint>> of(const StudySettings& settings);

  // Of all that were looked at.
  const Skipped& skipped() const { return skipped_; }

 private:
  Result<options::OptionValues> values_of(const StudySettings& settings) const;
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
