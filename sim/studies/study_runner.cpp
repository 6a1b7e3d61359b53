// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/study_runner.hpp"

#include <poll.h>

#include <chrono>
#include <csignal>

#include "sim/studies/memory_estimate.hpp"
#include "sim/studies/wire.hpp"

namespace tutti::studies {
namespace {

constexpr int pause_ms = 200;
constexpr std::size_t most_output = 64 * 1024;

Seconds now_s() {
  return std::chrono::duration<Seconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string too_much_memory(Bytes limit) {
  return fmt::format("exceeded the memory limit of {}", format_bytes(limit));
}

// Runs in the child. Ignores signals to the process group (Ctrl-C, coreutils' `timeout`, batch
// systems): only the parent decides whether running points may finish.
std::string simulate(const StudyPoint& point) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  return wire::pack(guarded(point.simulate), wire::row_fields);
}

}  // namespace

std::optional<Error> StudyRunner::run() {
  for (;;) {
    const Stop stop = caller_.stop();
    if (stop == Stop::now) break;
    while (stop == Stop::no && !error_ && start_next()) {
    }
    if (running_.empty() || error_) break;
    caller_.tick([&] {
      std::vector<const StudyPoint*> points;
      for (const Running& each : running_) points.push_back(&each.point);
      return points;
    }());
    wait();
    watch();
  }
  running_.clear();  // kills remaining children
  return std::move(error_);
}

// Starts the next point, if possible; true if another one may be started.
bool StudyRunner::start_next() {
  if (running_.size() >= static_cast<std::size_t>(limits_.jobs)) return false;
  std::optional<StudyPoint> point = std::exchange(waiting_, std::nullopt);
  if (!point && !is_exhausted_) point = caller_.next();
  if (!point) {
    is_exhausted_ = true;
    return false;
  }
  if (!running_.empty() && !has_room(*point)) {
    waiting_ = std::move(point);
    return false;
  }
  error_ = start(*std::move(point));
  return !error_;
}

// True if the point fits into memory in addition to the running ones. A single point is always
// started.
bool StudyRunner::has_room(const StudyPoint& point) const {
  const auto free_bytes = free_memory();
  if (!free_bytes) return true;
  Bytes still_to_come = 0;
  for (const Running& each : running_)
    still_to_come += std::max<Bytes>(0, each.point.memory_bytes - each.child.memory());
  return point.memory_bytes + still_to_come <= *free_bytes;
}

std::optional<Error> StudyRunner::start(StudyPoint point) {
  if (point.live) point.live->share();
  auto child = ChildProcess::start([&] { return simulate(point); });
  if (!child) return fail(point, child.errors());
  running_.push_back({std::move(point), *std::move(child), now_s()});
  return std::nullopt;
}

// Waits until a child returns its result or the polling interval has passed. A signal ends the
// wait.
void StudyRunner::wait() const {
  std::vector<pollfd> waited;
  for (const Running& each : running_)
    waited.push_back({.fd = each.child.answer_fd(), .events = POLLIN, .revents = 0});
  ::poll(waited.data(), waited.size(), pause_ms);
}

void StudyRunner::watch() {
  for (auto each = running_.begin(); each != running_.end();) {
    if (each->child.wait_for(0)) {
      if (!error_) error_ = finish(*each);
      each = running_.erase(each);
      continue;
    }
    const bool is_late = limits_.timeout_s && now_s() - each->started_s > *limits_.timeout_s;
    const bool is_fat = limits_.memory_bytes && each->child.memory() > *limits_.memory_bytes;
    if (each->killed_for.empty() && (is_late || is_fat)) {
      each->killed_for =
          is_late ? fmt::format("exceeded the time limit of {}", format_seconds(*limits_.timeout_s))
                  : too_much_memory(*limits_.memory_bytes);
      each->child.kill();
    }
    ++each;
  }
}

std::optional<Error> StudyRunner::finish(Running& running) {
  ChildProcess& child = running.child;
  auto answer = wire::unpack<Row>(child.collect(), wire::row_fields);
  std::string output = child.output();
  if (output.size() > most_output) output.erase(0, output.size() - most_output);
  if (!running.killed_for.empty())
    return caller_.take({running.point,
                         make_error(ErrorKind::run, "", std::move(running.killed_for)),
                         std::move(output)});
  if (!child.ended_well() || !answer) {
    // Probably killed together with the whole run: the point is unfinished, not failed.
    if (caller_.stop() != Stop::no) return std::nullopt;
    return caller_.take({running.point, child.death(), std::move(output)});
  }
  // A short point may finish before its memory was checked.
  if (*answer && limits_.memory_bytes &&
      number_of(cell_in(**answer, "peak_rss_bytes")).value_or(0) >
          static_cast<double>(*limits_.memory_bytes))
    answer = make_error(ErrorKind::run, "", too_much_memory(*limits_.memory_bytes));
  return caller_.take({running.point, *std::move(answer), std::move(output)});
}

std::optional<Error> StudyRunner::fail(const StudyPoint& point, const std::vector<Error>& errors) {
  return caller_.take({point, errors, {}});
}

std::function<std::optional<StudyPoint>()> numbered(std::size_t count,
                                                    std::function<StudyPoint(std::size_t)> make) {
  return [count, make = std::move(make), next = std::size_t{0}]() mutable {
    std::optional<StudyPoint> point;
    if (next < count) (point = make(next))->key = std::to_string(next);
    ++next;
    return point;
  };
}

std::vector<Result<Row>> run_points(const std::vector<StudyPoint>& points,
                                    const RunnerLimits& limits) {
  std::vector<Result<Row>> answers(points.size(), make_error(ErrorKind::run, "", "was not run"));
  StudyRunner(limits, {.next = numbered(points.size(), [&](std::size_t i) { return points[i]; }),
                       .take = [&](const FinishedPoint& finished) -> std::optional<Error> {
                         answers[finished.number()] = finished.answer;
                         return std::nullopt;
                       }})
      .run();
  return answers;
}

RunPoints quiet_runner(const RunnerLimits& limits) {
  return [limits](const std::vector<StudyPoint>& points) {
    PointsRun run;
    run.answers.resize(points.size());
    const auto answers = run_points(points, limits);
    for (std::size_t i = 0; i < points.size(); ++i)
      if (answers[i])
        run.answers[i] = *answers[i];
      else
        run.failed.push_back(fmt::format("{}: {}", points[i].name, answers[i].error().message));
    run.code = run.failed.empty() ? 0 : 1;
    return run;
  };
}

void PointsRun::add(const PointsRun& other) {
  failed.insert(failed.end(), other.failed.begin(), other.failed.end());
  not_run += other.not_run;
  is_stopped |= other.is_stopped;
  code = std::max(code, other.code);
}

StudyPoint timed_point(std::string name, std::function<Result<Seconds>()> time_of) {
  return {.name = std::move(name), .simulate = [time_of = std::move(time_of)]() -> Result<Row> {
            const auto time_s = TUTTI_TRY(time_of());
            return Row{{"time_s", time_s}};
          }};
}

Seconds time_in(const Row& answer) { return number_of(cell_in(answer, "time_s")).value(); }

}  // namespace tutti::studies
