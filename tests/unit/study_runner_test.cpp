// SPDX-License-Identifier: BSD-3-Clause
// Points whose workers are signalled or killed while a study runs.
#include "sim/studies/study_runner.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <csignal>

using namespace tutti;
using studies::FinishedPoint;
using studies::StudyPoint;
using studies::StudyRunner;
using Stop = StudyRunner::Stop;

namespace {

StudyPoint point_of(std::function<Result<Row>()> simulate) {
  StudyPoint point;
  point.name = "point";
  point.simulate = std::move(simulate);
  return point;
}

struct Counts {
  int done = 0;
  int failed = 0;
};

// Runs the points one at a time; `stop` is the caller's reply once a point has started.
Counts counts_of(std::vector<StudyPoint> points, Stop stop) {
  Counts counts;
  bool has_started = false;
  const StudyRunner::Caller caller{
      .next = [&]() -> std::optional<StudyPoint> {
        has_started = true;
        if (points.empty()) return std::nullopt;
        StudyPoint point = std::move(points.back());
        points.pop_back();
        return point;
      },
      .take = [&](const FinishedPoint& finished) -> std::optional<Error> {
        ++(finished.answer ? counts.done : counts.failed);
        return std::nullopt;
      },
      .stop = [&] { return has_started ? stop : Stop::no; },
      .tick = [](const auto&) {}};
  CHECK_FALSE(StudyRunner({.jobs = 1, .timeout_s = {}, .memory_bytes = {}}, caller).run());
  return counts;
}

Result<Row> answer() { return Row{{"time_s", 1.0}}; }

Result<Row> die() {
  ::raise(SIGKILL);
  return answer();
}

}  // namespace

TEST_CASE("a worker survives the signals that end a process group") {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    CAPTURE(signal);
    const Counts counts = counts_of({point_of([signal] {
                                      ::kill(::getpid(), signal);
                                      return answer();
                                    })},
                                    Stop::no);
    CHECK(counts.done == 1);
    CHECK(counts.failed == 0);
  }
}

TEST_CASE("a worker's death is a failure, but not of a point while the run is being stopped") {
  CHECK(counts_of({point_of(die)}, Stop::no).failed == 1);
  const Counts stopped = counts_of({point_of(die)}, Stop::after_running);
  CHECK(stopped.failed == 0);
  CHECK(stopped.done == 0);
  CHECK(counts_of({point_of(answer)}, Stop::after_running).done == 1);
}
