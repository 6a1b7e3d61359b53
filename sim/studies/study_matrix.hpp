// SPDX-License-Identifier: BSD-3-Clause
// The combinations of values that a study asks for, made one at a time: none are kept.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "sim/studies/study_file.hpp"

namespace tutti::studies {

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

}  // namespace tutti::studies
