// SPDX-License-Identifier: BSD-3-Clause
// Does a job depend on picoseconds of its start? Ranks that start at exactly one time can follow a
// symmetric course that no machine takes: flows in step share links and cores evenly, until
// rounding, or the least delay, makes one of them the first. So the job is simulated again with
// ranks that start up to 10 ps late, and once more up to 1 ps late if it has at most 2^15 messages:
// one late start may break a tie as the common one does. Where no rank's end moves by more than
// 1e-7 of the job's time (and 100 ps), the job is stable, and its time is that of the common start.
// Otherwise several starts are simulated, up to 1, 10 and 100 ps late, and the median one is the
// job's.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"

namespace tutti::studies {

struct Point;

struct StartChoice {
  static constexpr int least = 3;
  static constexpr int most = 1000;
  int runs = 7;  // starts of a job that depends on them, an odd number; 0: all ranks at once
  bool are_given = false;  // then large jobs are examined as well
  bool operator==(const StartChoice&) const = default;
};

// When the ranks start: each at a time of its own, evenly distributed from 0 to `latest_s`.
struct Start {
  Seconds latest_s = 0;  // 0: all at once
  std::uint64_t seed = 0;
};

struct ExaminedStart {
  Start start;  // the one to report
  int simulated = 1;
  // Where the job depends on its start: half the width, as a part of its time, of an interval that
  // holds the times of 99 of 100 further starts: the range of the N simulated times (1/2 + 10/N).
  // The factor is that of normally distributed times, by trial: of 3 starts 4 % of further ones are
  // outside, of 7 0.3 %.
  std::optional<double> spread = {};
  // Of `start`, by engine `flow` and without observers; unset where the job was not examined.
  std::optional<engines::Outcome> outcome = {};
};

// True: the ranks wait for each other (not all messages are posted at once); the job has at most
// 2^20 messages, with one rank a node 2^17, or the number of starts is given; and its ranks neither
// arrive late nor vary by request.
bool may_depend_on_start(const Point& point, const platforms::Placement& placement);

// `job` as the point has it, its observers left out.
ExaminedStart examine_start(const StartChoice& choice, engines::Job job);

runtime::Program starting(runtime::Program program, const Start& start);

}  // namespace tutti::studies
