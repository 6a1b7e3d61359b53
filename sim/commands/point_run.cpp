// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/point_run.hpp"

#include <thread>

#include "sim/jobs/accelerators.hpp"

namespace tutti::commands {
namespace {

using jobs::StudyPoint;
using studies::StudyRunner;

constexpr std::int64_t most_jobs = 4096;

// Warns once per machine.
void warn_of_device_buffers(const StudyPoint& point, const Diagnostics& diagnostics) {
  static std::set<std::string> warned;
  if (!point.machine) return;
  const auto* algorithm =
      algorithms::find_algorithm(to_text(cell_in(point.parameters, "collective")),
                                 to_text(cell_in(point.parameters, "algorithm")));
  if (algorithm != nullptr && algorithm->device_protocol) return;
  const auto bytes = number_of(cell_in(point.parameters, "message_bytes")).value_or(0);
  const auto warning = jobs::device_buffer_warning(*point.machine, static_cast<Bytes>(bytes));
  if (warning && warned.insert(point.machine->name).second) diagnostics.warning(*warning);
}

constexpr Seconds least_watched_s = 0.5;  // a point's pace is unreliable before

bool has_pace(const RunningWork& point) {
  return point.done > 0 && point.done < 1 && point.running_s >= least_watched_s;
}

// Adds the finished parts of running points.
jobs::FinishedWork finished_parts(const WorkLeft& work) {
  jobs::FinishedWork finished = work.finished;
  for (const auto& point : work.running)
    if (has_pace(point)) finished.add(point.done * point.estimated_s, point.running_s);
  return finished;
}

// The point's own pace alone is too optimistic for a point that simulates several starts of its
// job, and for exchanges whose messages are all sent at their beginning.
Seconds remaining_s(const RunningWork& point, double ratio) {
  const Seconds estimated_s = point.estimated_s * ratio - point.running_s;
  if (!has_pace(point)) return estimated_s;
  return std::max(estimated_s, point.running_s * (1 - point.done) / point.done);
}

}  // namespace

int default_jobs() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

Result<int> read_jobs(const OptionValues& values) {
  const auto jobs = TUTTI_TRY(read_count(values, "--jobs", most_jobs));
  return jobs ? static_cast<int>(*jobs) : default_jobs();
}

void FailedPoints::add(const std::string& name, const std::vector<Error>& errors) {
  for (Error error : errors) {
    if (error.kind == ErrorKind::internal || error.kind == ErrorKind::io)
      code_ = std::max<int>(code_, commands::exit_code(error.kind));
    if (errors_reported_ == most_errors_reported) break;
    // A file that cannot be written is the place.
    if (error.line == 0 && (error.kind != ErrorKind::io || error.place.empty())) error.place = name;
    diagnostics_.error(error);
    ++errors_reported_;
    points_reported_ = lines_.size() + 1;
  }
  lines_.push_back(fmt::format("{}: {}", name, errors.front().message));
}

int FailedPoints::finish() const {
  if (lines_.size() > points_reported_)
    diagnostics_.note(
        fmt::format("... and {} more points failed", lines_.size() - points_reported_));
  return lines_.empty() ? exit_done : code_;
}

std::optional<Error> PointRun::run(const studies::RunnerLimits& limits, const Caller& caller) {
  const StudyRunner::Caller callbacks{
      .next =
          [&] {
            auto point = caller.next();
            if (point) warn_of_device_buffers(*point, diagnostics_);
            return point;
          },
      .take =
          [&](const studies::FinishedPoint& point) {
            ++done_;
            if (!point.answer) ++failed_;
            note_time(point);
            progress_.clear();
            return caller.take(point);
          },
      .stop = [&] { return stop(); },
      .tick = [&](const auto& running) { show(running, caller, limits.jobs); }};
  auto error = StudyRunner(limits, callbacks).run();
  if (own_progress_) progress_.clear();
  return error;
}

StudyRunner::Stop PointRun::stop() {
  if (signals_.insists()) return StudyRunner::Stop::now;
  if (!signals_.asks()) return StudyRunner::Stop::no;
  if (!reported_) {
    progress_.clear();
    diagnostics_.note(fmt::format(
        "waiting for running {} to finish; press Ctrl-C again to stop immediately", noun_));
  }
  reported_ = true;
  return StudyRunner::Stop::after_running;
}

void PointRun::show(const Running& running, const Caller& caller, int jobs) {
  watch(running);
  std::string names;
  for (const auto* point : running) names += (names.empty() ? "" : "; ") + point->name;
  progress_.show(done_, failed_, names,
                 running.size() == 1 ? live_state(*running.front()) : std::nullopt,
                 left_s(running, caller, jobs));
}

void PointRun::watch(const Running& running) {
  const auto now = std::chrono::steady_clock::now();
  std::map<std::string, std::chrono::steady_clock::time_point> since;
  for (const auto* point : running) {
    const auto known = since_.find(point->key);
    since.emplace(point->key, known == since_.end() ? now : known->second);
  }
  since_ = std::move(since);
}

Seconds PointRun::running_s(const StudyPoint& point) const {
  const std::chrono::duration<Seconds> passed =
      std::chrono::steady_clock::now() - since_.at(point.key);
  return passed.count();
}

void PointRun::note_time(const studies::FinishedPoint& point) {
  const Seconds estimated_s = point.point.estimated_s;
  done_s_ += estimated_s;
  const auto took_s = point.answer ? number_of(cell_in(*point.answer, "wall_s")) : std::nullopt;
  if (took_s) finished_.add(estimated_s, *took_s);
}

std::optional<Seconds> PointRun::left_s(const Running& running, const Caller& caller,
                                        int jobs) const {
  WorkLeft work{.estimated_s = caller.estimated_s - done_s_, .jobs = jobs, .finished = finished_};
  work.finished.add(caller.finished.estimated_s, caller.finished.took_s);
  for (const auto* point : running) {
    const bool counts = point->live && !point->messages_compete();
    const double sent = counts ? static_cast<double>(point->live->messages()) : 0;
    work.running.push_back({.estimated_s = point->estimated_s,
                            .done = point->messages > 0 ? sent / point->messages : 0,
                            .running_s = running_s(*point)});
  }
  return time_left(work);
}

// Returns the progress of the only running point; unset if it is not known.
std::optional<LiveState> PointRun::live_state(const StudyPoint& point) const {
  const Seconds passed_s = running_s(point);
  if (!point.live || passed_s <= 0) return std::nullopt;
  const std::int64_t messages = point.live->messages();
  return LiveState{.messages = messages,
                   .expected_messages = static_cast<std::int64_t>(point.messages),
                   .messages_per_s = static_cast<double>(messages) / passed_s,
                   .simulated_s = point.live->simulated_s()};
}

void warn_of_skipped(const jobs::Skipped& skipped, const Diagnostics& diagnostics) {
  if (skipped.count > 0) diagnostics.warning(jobs::skipped_text(skipped));
}

studies::PointsRun run_check(const std::vector<StudyPoint>& points, int jobs,
                             const Diagnostics& diagnostics, SearchProgress* search) {
  studies::PointsRun result;
  result.answers.resize(points.size());
  FailedPoints failed(diagnostics, result.failed);
  std::optional<SearchProgress> alone;
  if (search == nullptr) search = &alone.emplace(points.size(), diagnostics.quiet());
  search->progress.expect(std::max(search->progress.expected(), search->done + points.size()));
  PointRun run(search->progress, search->done, "simulations", diagnostics);
  result.not_run = points.size();
  const auto error =
      run.run({.jobs = jobs},
              {.next = studies::numbered(points.size(), [&](std::size_t i) { return points[i]; }),
               .take = [&](const studies::FinishedPoint& finished) -> std::optional<Error> {
                 --result.not_run;
                 if (finished.answer)
                   result.answers[finished.number()] = *finished.answer;
                 else
                   failed.add(finished.point.name, finished.answer.errors());
                 return std::nullopt;
               }});
  search->done += points.size();
  if (error) result.failed.push_back(error->message);
  result.is_stopped = run.was_stopped();
  result.code = failed.finish();
  if (result.is_stopped) result.code = run.exit_code();
  return result;
}

Result<int> code_of_search(Result<int> code, const studies::PointsRun& done) {
  const bool is_of_search = code ? *code != exit_done : done.not_run == 0;
  return is_of_search ? code : done.code;
}

studies::RunPoints runner(int jobs, const Diagnostics& diagnostics) {
  return [jobs, &diagnostics](const auto& points) { return run_check(points, jobs, diagnostics); };
}

std::optional<Seconds> time_left(const WorkLeft& work) {
  if (work.estimated_s <= 0) return std::nullopt;
  const double ratio = finished_parts(work).ratio(work.estimated_s);
  Seconds waiting_s = work.estimated_s, sum_s = 0, longest_s = 0;
  for (const auto& point : work.running) {
    const Seconds left_s = remaining_s(point, ratio);
    if (left_s <= 0) return std::nullopt;
    waiting_s -= point.estimated_s;
    sum_s += left_s;
    longest_s = std::max(longest_s, left_s);
  }
  sum_s += std::max(0.0, waiting_s) * ratio;
  return std::max(longest_s, sum_s / work.jobs);
}

}  // namespace tutti::commands
