// SPDX-License-Identifier: BSD-3-Clause
// From what a study says, a combination at a time, to points: each goes the way of a command line
// of `sim run`, read by the same readers.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "platforms/reader.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/replay_points.hpp"
#include "sim/studies/condition.hpp"
#include "sim/studies/skipped.hpp"
#include "sim/studies/study_matrix.hpp"
#include "sim/studies/study_point.hpp"

namespace tutti::commands {

// The options of all workloads that a study may set, and "workload".
std::vector<studies::StudyOption> study_options();

// Whether `sim run WORKLOAD` has the option, or it is a key of --set.
bool has_study_option(std::string_view workload, std::string_view name);

// A point and the combination that it comes from.
struct SweptPoint {
  studies::StudyPoint point;
  studies::StudySettings settings;
};

// The values that go by a name in conditions: what the study sets, and the columns.
std::vector<Cell> cells_of(const SweptPoint& swept, const std::string& name);

class StudyPoints {
 public:
  // `study` outlives it.
  explicit StudyPoints(const studies::StudyFile& study);

  // Those of a combination but the excluded. Errors stand where the study has the value.
  // What cannot run is no error: it is counted.
  Result<std::vector<SweptPoint>> of(const studies::StudySettings& settings);

  // Of all that were looked at.
  const studies::Skipped& skipped() const { return skipped_; }

 private:
  using Machine = std::shared_ptr<const platforms::Machine>;

  Result<Parsed> parsed(const studies::StudySettings& settings) const;
  Result<Machine> machine_of(const std::string& platform,
                             const std::vector<platforms::Override>& overrides);
  Result<std::vector<studies::StudyPoint>> points_of(const Parsed& parsed);
  Result<std::vector<studies::StudyPoint>> collective_points(const Parsed& parsed);
  Result<std::vector<studies::StudyPoint>> io_points(const Parsed& parsed);
  Result<std::vector<studies::StudyPoint>> ping_pong_points(const Parsed& parsed);
  Result<std::vector<studies::StudyPoint>> replay_points(const Parsed& parsed);
  template <class CellsOf>
  bool is_excluded_by(const CellsOf& cells_of) const;
  bool is_excluded(const studies::StudySettings& settings) const;
  bool is_excluded(const SweptPoint& swept) const;
  static std::string also_varies(const studies::StudySettings& settings);
  static std::optional<studies::StudySpot> spot_of(const std::string& place,
                                                   std::string_view message,
                                                   const studies::StudySettings& settings);
  std::vector<Error> placed(const std::vector<Error>& errors,
                            const studies::StudySettings& settings) const;

  const studies::StudyFile& study_;
  studies::Skipped skipped_;
  studies::Skipped impossible_;  // of the current combination
  struct Loaded {
    std::string name;
    std::vector<platforms::Override> overrides;
    Machine machine;
  };
  std::list<Loaded> machines_;                // those used last
  std::shared_ptr<const LoadedTrace> trace_;  // the same
  struct ExcludedAxis {
    std::string_view name;
    std::vector<Cell> values;
  };
  std::vector<std::vector<ExcludedAxis>> excludes_;  // read once
};

}  // namespace tutti::commands
