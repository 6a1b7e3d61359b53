// SPDX-License-Identifier: BSD-3-Clause
// One point of a study: its description, the key of its stored result, and how to run it.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/io_record.hpp"
#include "sim/jobs/live_progress.hpp"
#include "sim/jobs/ping_pong_record.hpp"
#include "sim/jobs/point.hpp"
#include "sim/jobs/run_io.hpp"
#include "sim/jobs/run_point.hpp"
#include "sim/jobs/time_estimate.hpp"

namespace tutti::jobs {

// Version of everything that determines simulated numbers. Each change that CHANGELOG.md lists
// under "Changed results" must increment it, so that points stored by older versions are simulated
// again.
inline constexpr int model_version = 16;

// Origin of a point.
struct PointOrigin {
  std::string platform;                                        // as given
  std::vector<std::pair<std::string, std::string>> overrides;  // of --set
  std::string command;                                         // simulates only this point
  std::shared_ptr<const platforms::Machine> machine = {};
};

// Workloads and commands make points; studies::StudyRunner runs each in a child. `description` and
// `parameters` are for points whose results are stored; others may leave them empty.
struct StudyPoint {
  // 32 hex digits: hash of description, platform content and versions. If the result is not stored
  // (`sim run`, applications), `studies::numbered` sets it to the number of the point instead.
  std::string key = {};
  std::string description = {};  // 16 hex digits: hash of the whole request in normal form
  std::string name = {};         // for messages
  // platform, platform_hash, the overrides by their keys, command, model_version, description, and
  // the columns of the report that describe the simulation.
  Row parameters = {};
  // Simulates the point and returns the columns of the report. It may fork. Call it once per
  // process, unless `shares_process`.
  std::function<Result<Row>()> simulate = {};
  // Other points may be simulated before and after in the same process: SimGrid is not used there.
  bool shares_process = false;
  std::shared_ptr<const platforms::Machine> machine = {};
  // Counts the messages of `simulate` in the child; null if progress is not displayed.
  std::shared_ptr<LiveProgress> live = {};
  double messages = 0;      // estimated number of simulated messages
  Seconds estimated_s = 0;  // estimated time on one core; 0: unknown
  Bytes memory_bytes = 0;   // estimated memory; 0: unknown

  // Whether its messages compete with each other; then most of the time passes after most are sent.
  bool messages_compete() const { return estimated_s >= 10 * message_cost_s * messages; }
};

// These functions make the point that simulates a Point, an IoPoint or a PingPongPoint. `rivals` is
// one point, or several rival points (auto:best); the result is that of the fastest.
Result<StudyPoint> study_point(const std::vector<Point>& rivals, const PointOrigin& origin,
                               const std::string& name);
Result<StudyPoint> study_point(const IoPoint& point, const PointOrigin& origin,
                               const std::string& name);
StudyPoint study_point(const PingPongPoint& point, const PointOrigin& origin,
                       const std::string& name);

// Makes a point of another kind, without `simulate`, which the caller sets. `content` contains
// details that the parameters do not; it is part of the key.
StudyPoint study_point(Row parameters, const std::string& content, const PointOrigin& origin,
                       const std::string& name);

// Makes a point of a study that stores nothing. It has the name and the memory estimate of `point`;
// `simulate` must use the engine of `point`.
StudyPoint simulation_of(const Point& point, std::function<Result<Row>()> simulate);

// Names of the columns that describe simulations, for all workloads.
std::vector<std::string> parameter_names();

}  // namespace tutti::jobs
