// SPDX-License-Identifier: BSD-3-Clause
// Determines whether a job depends on picoseconds of its start. Ranks that start at exactly the
// same time can follow a symmetric course that does not occur on real machines: simultaneous flows
// share links and cores evenly, until rounding or a tiny delay makes one of them the first.
// Therefore the job is simulated again with ranks that start up to 10 ps late, and once more up to
// 1 ps late if it has at most 2^15 messages, since one late start may break a tie as the common one
// does. If no rank's end moves by more than 1e-7 of the job's time (and 100 ps), the job is stable,
// and the time of the common start is used. Otherwise several starts are simulated, up to 1, 10 and
// 100 ps late, and the median one is used. Of a benchmark, or with skew or noise, the measured
// latencies are compared, and 2^12 messages are the limit for a second late start.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/engine.hpp"
#include "sim/jobs/jobs.hpp"
#include "workloads/benchmark.hpp"

namespace tutti::jobs {

struct Point;

struct StartChoice {
  static constexpr int least = 3;
  static constexpr int most = 1000;
  int runs = 7;  // number of starts of a job that depends on them, odd; 0: all ranks at once
  bool are_given = false;  // by the user; then large jobs are examined as well
  bool operator==(const StartChoice&) const = default;
};

// Start times of the ranks: independent, uniformly distributed from 0 to `latest_s`. In a benchmark
// each of the calls starts late, by its share of this limit.
struct Start {
  Seconds latest_s = 0;  // 0: all ranks at once
  std::uint64_t seed = 0;
};

struct ExaminedStart {
  Start start;  // the one to report
  int simulated = 1;
  // Half-width, relative to the time, of an interval that contains the times of 99 of 100 further
  // starts; set if the job depends on its start. It is the range of the N simulated times,
  // multiplied by 1/2 + 10/N, a factor that was determined for normally distributed times: with 3
  // starts 4 % of further times are outside, with 7 starts 0.3 %.
  std::optional<double> spread = {};
  // Outcome of `start` in engine `flow`, without observers; unset if the job was not examined.
  std::optional<engines::Outcome> outcome = {};
  workloads::Measurement measured = {};  // of the same run, unless the benchmark is plain
};

// Limits of the number of messages: of jobs with several ranks per node, whose messages share its
// cores, and of others, which rarely depend on their start and whose simulation slows down most if
// ranks start late.
inline constexpr std::int64_t most_messages_shared = std::int64_t{1} << 20;
inline constexpr std::int64_t most_messages_apart = std::int64_t{1} << 17;
// Jobs with at most this number of messages are simulated with two late starts if they are stable,
// others with one: the first may break a tie as the common start does.
inline constexpr std::int64_t most_messages_twice = std::int64_t{1} << 15;

// True if the ranks wait for each other (not all messages are posted at once), and the job has at
// most 2^20 messages (2^17 with one rank per node) or the number of starts is given.
bool may_depend_on_start(const Point& point, const platforms::Placement& placement);

// Examines the job of `point`, without its observers.
ExaminedStart examine_start(const Point& point, engines::Job job);

// Returns the program of the ranks: the point's call, or its benchmark, which fills `measured`,
// with late starts as in `start`. `point` and `measured` must outlive the job.
runtime::Program make_program(const Point& point, const Start& start,
                              workloads::Measurement& measured);

}  // namespace tutti::jobs
