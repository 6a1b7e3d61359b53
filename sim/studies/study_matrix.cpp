// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/study_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::studies {
namespace {

// Combinations that share a machine come one after the other: it is read once.
bool changes_machine(const StudyGroup* group) {
  return std::ranges::any_of(*group, [](const StudyAxis& axis) {
    return axis.name == "platform" || axis.name.find('/') != axis.name.npos;
  });
}

std::size_t length(const StudyGroup& group) { return group.front().values.size(); }

Error too_many(const StudyFile& study, double points) {
  const TextSpot spot = study.matrix.empty() ? TextSpot{1, 0} : study.matrix.front().front().spot;
  return error_at(study, spot,
                  fmt::format("the axes make {:.3g} combinations; at most {} can be run", points,
                              most_study_points),
                  "take fewer values, larger steps (\"1KiB:1MiB:*4\"), or [[zip]]");
}

}  // namespace

Result<StudyMatrix> StudyMatrix::of(const StudyFile& study) {
  StudyMatrix matrix(study);
  if (!study.matrix.empty() || study.includes.empty()) {
    Block& block = matrix.blocks_.emplace_back();
    for (const StudyGroup& group : study.matrix) block.groups.push_back(&group);
    std::stable_partition(block.groups.begin(), block.groups.end(), changes_machine);
  }
  for (const StudyGroup& include : study.includes) {
    Block& block = matrix.blocks_.emplace_back();
    for (const StudyAxis& axis : include) block.singles.push_back({axis});
  }
  double points = 0;
  for (Block& block : matrix.blocks_) {
    // The blocks stay where they are from here on.
    for (const StudyGroup& single : block.singles) block.groups.push_back(&single);
    double product = 1;
    for (const StudyGroup* group : block.groups) product *= static_cast<double>(length(*group));
    points += product;
    if (points > static_cast<double>(most_study_points)) return too_many(study, points);
    block.size = static_cast<std::size_t>(product);
    matrix.size_ += block.size;
  }
  return matrix;
}

StudySettings StudyMatrix::at(std::size_t index) const {
  for (const Block& block : blocks_) {
    if (index < block.size) return at(block, index);
    index -= block.size;
  }
  TUTTI_CHECK(false, "a combination that is there");
  return {};
}

StudySettings StudyMatrix::at(const Block& block, std::size_t index) const {
  StudySettings settings;
  for (auto group = block.groups.rbegin(); group != block.groups.rend(); ++group) {
    for (const StudyAxis& axis : **group)
      settings.push_back({&axis, &axis.values[index % length(**group)]});
    index /= length(**group);
  }
  const auto is_set = [&](const StudyAxis& axis) {
    return std::ranges::any_of(settings,
                               [&](const auto& setting) { return setting.name() == axis.name; });
  };
  for (const StudyAxis& axis : study_->base)
    if (!is_set(axis)) settings.push_back({&axis, &axis.values.front()});
  return settings;
}

}  // namespace tutti::studies
