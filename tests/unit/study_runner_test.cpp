// SPDX-License-Identifier: BSD-3-Clause
// Points whose workers are signalled or killed while a study runs, and points that share a worker.
#include "sim/studies/study_runner.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "sim/jobs/wire.hpp"
#include "sim/studies/workloads/workload.hpp"

using namespace tutti;
using jobs::StudyPoint;
using studies::FinishedPoint;
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

namespace {

StudyPoint shared(std::function<Result<Row>()> simulate) {
  StudyPoint point = point_of(std::move(simulate));
  point.shares_process = true;
  return point;
}

// The process, and the number of calls in it.
Result<Row> process() {
  static std::int64_t calls = 0;
  return Row{{"process", std::int64_t{::getpid()}}, {"calls", ++calls}};
}

std::int64_t number_in(const Result<Row>& row, const char* column) {
  REQUIRE(row);
  return static_cast<std::int64_t>(number_of(cell_in(*row, column)).value());
}

Result<Row> sleep_for(Seconds time_s) {
  std::this_thread::sleep_for(std::chrono::duration<Seconds>(time_s));
  return answer();
}

// The points of all algorithms of a collective.
std::vector<StudyPoint> points_of_all(const std::string& collective) {
  options::OptionValues values;
  values.arguments = {collective};
  values.set("--platform", {"crill"});
  values.set("--procs", {"5,16"});
  values.set("--ppn", {"4"});
  values.set("--algorithm", {"all,auto:best"});
  values.set("--message-size", {"64,32KiB"});
  studies::PointInputs inputs;
  auto made = studies::find_workload(collective)->points(values, inputs);
  REQUIRE(made);
  return std::move(made->points);
}

// All bytes of the row but its cost.
std::string bytes_of(Row row) {
  std::erase_if(row, [](const NamedCell& cell) {
    return cell.name == "wall_s" || cell.name == "peak_rss_bytes";
  });
  return jobs::wire::pack(Result<Row>(std::move(row)), jobs::wire::row_fields);
}

}  // namespace

TEST_CASE("points that share a process are simulated in few processes, others in one each") {
  std::vector<StudyPoint> points(100, shared(process));
  points.insert(points.begin() + 50, 2, point_of(process));
  std::map<std::int64_t, int> of_process;
  for (const auto& row : studies::run_points(points, {.jobs = 1}))
    ++of_process[number_in(row, "process")];
  std::vector<int> counts;
  for (const auto& [process, count] : of_process) counts.push_back(count);
  std::ranges::sort(counts);
  CHECK(counts == std::vector{1, 1, 50, 50});
}

TEST_CASE("points in one process have the same results as in processes of their own") {
  for (const char* collective : {"bcast", "allreduce", "alltoall"}) {
    auto points = points_of_all(collective);
    const auto together = studies::run_points(points, {.jobs = 1});
    for (auto& point : points) {
      CHECK(point.shares_process);
      point.shares_process = false;
    }
    const auto alone = studies::run_points(points, {.jobs = 2});
    for (std::size_t i = 0; i < points.size(); ++i) {
      CAPTURE(points[i].name);
      REQUIRE(together[i]);
      REQUIRE(alone[i]);
      CHECK(bytes_of(*together[i]) == bytes_of(*alone[i]));
    }
  }
}

TEST_CASE("a crash in a shared process fails only its point, and others are run again") {
  for (const int jobs : {1, 3}) {
    CAPTURE(jobs);
    std::vector<StudyPoint> points(40, shared(process));
    points[7] = shared([] {
      std::abort();
      return answer();
    });
    // Dies only after another point.
    points[20] = shared([] {
      const auto row = process();
      if (number_in(row, "calls") > 1) ::raise(SIGKILL);
      return row;
    });
    const auto rows = studies::run_points(points, {.jobs = jobs});
    for (std::size_t i = 0; i < points.size(); ++i)
      CHECK_MESSAGE(static_cast<bool>(rows[i]) == (i != 7), i);
    CHECK(rows[7].error().message.find("signal 6") != std::string::npos);
    CHECK(number_in(rows[20], "calls") == 1);
  }
}

TEST_CASE("limits apply to each point of a shared process") {
  std::vector<StudyPoint> points(20, shared([] { return sleep_for(0.02); }));
  points[3] = shared([] { return sleep_for(60); });
  const auto slow = studies::run_points(points, {.jobs = 1, .timeout_s = 1});
  for (std::size_t i = 0; i < points.size(); ++i)
    CHECK_MESSAGE(static_cast<bool>(slow[i]) == (i != 3), i);
  CHECK(slow[3].error().message.starts_with("exceeded the time limit of 1"));

  const auto with_peak = [](Bytes bytes) {
    return shared([bytes]() -> Result<Row> { return Row{{"peak_rss_bytes", bytes}}; });
  };
  const Bytes limit = Bytes{4} << 30;
  const auto fat = studies::run_points({with_peak(1), with_peak(limit + 1), with_peak(limit)},
                                       {.jobs = 1, .timeout_s = {}, .memory_bytes = limit});
  CHECK(fat[0]);
  CHECK(fat[1].error().message == "exceeded the memory limit of 4 GiB");
  CHECK(fat[2]);
}

TEST_CASE("each point of a shared process has its own output") {
  std::size_t next = 0;
  std::vector<std::string> outputs;
  const StudyRunner::Caller caller{
      .next = [&]() -> std::optional<StudyPoint> {
        if (++next > 4) return std::nullopt;
        return shared([next]() -> Result<Row> {
          if (next != 2) std::printf("point %zu\n", next);
          return answer();
        });
      },
      .take = [&](const FinishedPoint& finished) -> std::optional<Error> {
        outputs.push_back(finished.output);
        return std::nullopt;
      }};
  CHECK_FALSE(StudyRunner({.jobs = 1}, caller).run());
  CHECK(outputs == std::vector<std::string>{"point 1\n", "", "point 3\n", "point 4\n"});
}

TEST_CASE("a stop waits for the running points only, not for others of their processes") {
  int done = 0;
  const StudyRunner::Caller caller{
      .next = [] { return std::optional(shared([] { return sleep_for(0.05); })); },
      .take = [&](const FinishedPoint& finished) -> std::optional<Error> {
        CHECK(finished.answer);
        ++done;
        return std::nullopt;
      },
      .stop = [&] { return done > 0 ? Stop::after_running : Stop::no; }};
  CHECK_FALSE(StudyRunner({.jobs = 2}, caller).run());
  CHECK(done >= 2);
  CHECK(done <= 4);
}
