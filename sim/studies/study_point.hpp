// SPDX-License-Identifier: BSD-3-Clause
// One point of a study: what it is, the key that its result is stored under, and how it is run.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platforms/machine.hpp"
#include "sim/base/cell.hpp"
#include "sim/base/result.hpp"
#include "sim/studies/io_point.hpp"
#include "sim/studies/live_progress.hpp"
#include "sim/studies/ping_pong_record.hpp"
#include "sim/studies/point.hpp"

namespace tutti::studies {

// Where a point comes from.
struct PointOrigin {
  std::string platform;                                        // as given
  std::vector<std::pair<std::string, std::string>> overrides;  // of --set
  std::string command;                                         // that simulates it alone
  std::shared_ptr<const platforms::Machine> machine = {};
};

struct StudyPoint {
  std::string key;          // 32 hex digits: description, platform's content, model's version
  std::string description;  // 16 hex digits: all that was asked for, in normal form
  std::string name;         // for people
  // platform, platform_hash, the overrides by their keys, command, model_version, description, and
  // the columns of the report that say what is simulated.
  Row parameters;
  // Simulates it and gives the columns of the report. Once in a process; may fork.
  std::function<Result<Row>()> simulate;
  std::shared_ptr<const platforms::Machine> machine = {};
  // Counts in the child what `simulate` does, where somebody watches; null: nobody does.
  std::shared_ptr<LiveProgress> live = {};
  double messages = 0;     // about so many are simulated
  Bytes memory_bytes = 0;  // about so much is needed; 0: not known
};

// `rivals`: one point, or those of a contest, of which the fastest is the answer.
Result<StudyPoint> study_point(const std::vector<Point>& rivals, const PointOrigin& origin,
                               const std::string& name);
Result<StudyPoint> study_point(const IoPoint& point, const PointOrigin& origin,
                               const std::string& name);
StudyPoint study_point(const PingPongPoint& point, const PointOrigin& origin,
                       const std::string& name);

// A point of another kind, without `simulate`. `content`: what the parameters do not say.
StudyPoint study_point(Row parameters, const std::string& content, const PointOrigin& origin,
                       const std::string& name);

// Names of the columns that say what is simulated, of all workloads.
std::vector<std::string> parameter_names();

}  // namespace tutti::studies
