// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/study_runner.hpp"

#include <poll.h>

#include "sim/jobs/memory_estimate.hpp"
#include "sim/jobs/wire.hpp"

namespace tutti::studies {
namespace {

constexpr int pause_ms = 200;
constexpr Seconds tick_s = 0.05;   // between calls of `tick`
constexpr Seconds watch_s = 0.02;  // between checks of limits

// Larger points have a process of their own, so that their memory is returned at its end.
constexpr Bytes most_shared_bytes = Bytes{64} << 20;
// Whether the progress of the point is displayed. Points with fewer messages take less than a
// second or two, or are simulated several times, unless their messages compete with each other.
bool is_displayed(const StudyPoint& point) {
  constexpr double fewest_messages = 1 << 20;
  return point.messages == 0 || point.messages >= fewest_messages || point.messages_compete();
}

std::string too_much_memory(Bytes limit) {
  return fmt::format("exceeded the memory limit of {}", format_bytes(limit));
}

bool may_share(const StudyPoint& point) {
  return point.shares_process && point.memory_bytes <= most_shared_bytes;
}

}  // namespace

std::optional<Error> StudyRunner::run() {
  for (;;) {
    const Stop stop = caller_.stop();
    if (stop == Stop::now) break;
    while (stop == Stop::no && !error_ && start_next()) {
    }
    if (workers_.empty() || error_) break;
    if (stop == Stop::no)
      prepare();
    else
      for (const Worker& worker : workers_) worker.batch->cancel();
    show();
    wait();
    watch();
  }
  workers_.clear();  // kills remaining children
  return std::move(error_);
}

std::optional<StudyPoint> StudyRunner::next_point() {
  if (waiting_) return std::exchange(waiting_, std::nullopt);
  auto point = is_exhausted_ ? std::nullopt : caller_.next();
  if (!point) is_exhausted_ = true;
  return point;
}

// Gets the points of the next batch from the caller; empty if there are no more.
std::vector<StudyPoint> StudyRunner::collect() {
  std::vector<StudyPoint> points;
  while (points.size() < PointBatch::most_points) {
    auto point = next_point();
    if (!point) break;
    // All points of a batch have the same machine, since a machine may be large.
    const bool fits = points.empty() || (may_share(*point) && point->machine == points[0].machine);
    if (!fits) {
      waiting_ = std::move(point);
      break;
    }
    points.push_back(*std::move(point));
    if (!may_share(points.back())) break;
  }
  return points;
}

// Makes the next points while children simulate.
void StudyRunner::prepare() {
  if (prepared_.empty()) prepared_ = collect();
}

// Opens the next batch, if there is one. Points that cannot be started fail.
std::optional<Error> StudyRunner::open_next() {
  open_ = nullptr;
  while (!open_) {
    std::vector<StudyPoint> points;
    if (again_.empty()) {
      prepare();
      points = std::exchange(prepared_, {});
    } else {
      points.push_back(std::move(again_.front()));
      again_.pop_front();
    }
    if (points.empty()) return std::nullopt;
    for (const StudyPoint& point : points)
      if (point.live && is_displayed(point)) point.live->share();
    auto batch = PointBatch::of(points);
    if (batch) open_ = *std::move(batch);
    for (const StudyPoint& point : points)
      if (!batch)
        if (auto error = caller_.take({point, batch.errors(), {}})) return error;
  }
  return std::nullopt;
}

// Starts a worker, if possible; true if another one may be started.
bool StudyRunner::start_next() {
  if (workers_.size() >= static_cast<std::size_t>(limits_.jobs)) return false;
  if (!open_ || !open_->needs_worker()) error_ = open_next();
  if (!open_ || error_) return false;
  if (!workers_.empty() && !fits_in_memory(*open_)) return false;
  error_ = start_worker();
  return !error_;
}

// True if a point of the batch fits into memory in addition to the running ones. A single point is
// always started.
bool StudyRunner::fits_in_memory(const PointBatch& batch) const {
  const auto free_bytes = free_memory();
  if (!free_bytes) return true;
  Bytes still_to_come = 0;
  for (const Worker& worker : workers_)
    still_to_come += std::max<Bytes>(0, worker.batch->memory_bytes() - worker.child.memory());
  return batch.memory_bytes() + still_to_come <= *free_bytes;
}

std::optional<Error> StudyRunner::start_worker() {
  const BatchRef batch = open_;
  const auto first = batch->claim();
  if (!first) return std::nullopt;
  const std::size_t number = batch->add_worker();
  auto child = batch->start(number, *first);
  if (child) {
    workers_.push_back({.batch = batch, .number = number, .child = *std::move(child)});
    return std::nullopt;
  }
  auto error = take(*batch, *first, child.errors(), {});
  close(batch);
  return error;
}

// Called when a worker of the batch has ended. If it was the last one, points without an answer are
// run again, each in a child of its own.
void StudyRunner::close(const BatchRef& batch) {
  if (batch->needs_worker() || batch->size() == 1) return;
  if (std::ranges::any_of(workers_, [&](const Worker& worker) { return worker.batch == batch; }))
    return;
  for (std::size_t i = 0; i < batch->size(); ++i)
    if (!batch->is_answered(i)) again_.push_back(batch->point(i));
}

void StudyRunner::show() {
  if (batch_clock_s() - shown_s_ < tick_s) return;
  std::vector<const StudyPoint*> points;
  for (const Worker& worker : workers_) points.push_back(&worker.batch->point(worker.current()));
  caller_.tick(points);
  shown_s_ = batch_clock_s();
}

// Waits until children return answers or the polling interval has passed, and takes the answers. A
// signal ends the wait.
void StudyRunner::wait() {
  std::vector<pollfd> waited;
  for (const Worker& worker : workers_)
    waited.push_back({.fd = worker.child.answer_fd(), .events = POLLIN, .revents = 0});
  if (::poll(waited.data(), waited.size(), pause_ms) <= 0) return;
  std::size_t i = 0;
  for (Worker& worker : workers_)
    if (waited[i++].revents != 0 && !error_) receive(worker);
}

// Reads what the worker has written, and takes each complete answer.
void StudyRunner::receive(Worker& worker) {
  const std::string bytes = worker.child.read_some();
  worker.has_ended = bytes.empty();
  worker.received += bytes;
  while (!error_) {
    const auto frame = PointBatch::take_frame(worker.received);
    if (!frame) break;
    error_ = finish(worker, *frame);
  }
}

// Removes workers that have ended, and kills those that exceed a limit.
void StudyRunner::watch() {
  const bool is_due = batch_clock_s() - watched_s_ >= watch_s;
  if (is_due) watched_s_ = batch_clock_s();
  for (auto worker = workers_.begin(); worker != workers_.end() && !error_;) {
    if (!worker->has_ended) {
      if (is_due) check_limits(*worker);
      ++worker;
      continue;
    }
    error_ = end(*worker);
    const BatchRef batch = worker->batch;
    worker = workers_.erase(worker);
    close(batch);
  }
}

// Kills the worker if its current point exceeds a limit.
void StudyRunner::check_limits(Worker& worker) const {
  if (!worker.killed_for.empty()) return;
  const std::size_t point = worker.current();
  const bool is_late =
      limits_.timeout_s &&
      batch_clock_s() - worker.batch->started_s(worker.number) > *limits_.timeout_s;
  const bool is_too_large = limits_.memory_bytes && worker.child.memory() > *limits_.memory_bytes;
  if (!is_late && !is_too_large) return;
  worker.killed_at = point;
  worker.killed_for =
      is_late ? fmt::format("exceeded the time limit of {}", format_seconds(*limits_.timeout_s))
              : too_much_memory(*limits_.memory_bytes);
  worker.is_late = is_late;
  worker.child.kill();
}

std::optional<Error> StudyRunner::take(PointBatch& batch, std::size_t index, Result<Row> answer,
                                       std::string output) {
  batch.set_answered(index);
  return caller_.take({batch.point(index), std::move(answer), std::move(output)});
}

// Takes the answer in the frame. A point that has exceeded the memory limit is run again alone, or
// has failed if it was alone.
std::optional<Error> StudyRunner::finish(Worker& worker, const PointBatch::Frame& frame) {
  PointBatch& batch = *worker.batch;
  std::string output = worker.child.output_between(worker.output_begin, frame.output_end);
  worker.output_begin = frame.output_end;
  auto answer = wire::unpack<Row>(frame.answer, wire::row_fields);
  TUTTI_CHECK(answer, "expected a packed row");
  // A short point may finish before its memory was checked.
  if (*answer && limits_.memory_bytes &&
      number_of(cell_in(**answer, "peak_rss_bytes")).value_or(0) >
          static_cast<double>(*limits_.memory_bytes)) {
    if (batch.size() > 1) return std::nullopt;  // run again alone
    answer = make_error(ErrorKind::run, "", too_much_memory(*limits_.memory_bytes));
  }
  return take(batch, frame.point, *std::move(answer), std::move(output));
}

// Called for a worker that has ended. If it died at its current point, and that was alone in its
// batch or exceeded the time limit, the point fails.
std::optional<Error> StudyRunner::end(Worker& worker) {
  PointBatch& batch = *worker.batch;
  ChildProcess& child = worker.child;
  child.collect();
  const std::size_t point = worker.current();
  const bool is_alone = batch.size() == 1;
  if (batch.is_answered(point) || (!is_alone && child.ended_well())) return std::nullopt;
  std::string output = child.output().substr(std::min(worker.output_begin, child.output().size()));
  if (output.size() > most_output) output.erase(0, output.size() - most_output);
  const bool is_reason = !worker.killed_for.empty() && worker.killed_at == point;
  if (is_reason && (worker.is_late || is_alone))
    return take(batch, point, make_error(ErrorKind::run, "", std::move(worker.killed_for)),
                std::move(output));
  // A child that dies while the run is being stopped was probably killed as well: its point is
  // unfinished, not failed.
  if (!is_alone || caller_.stop() != Stop::no) return std::nullopt;
  return take(batch, point, child.death(), std::move(output));
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
