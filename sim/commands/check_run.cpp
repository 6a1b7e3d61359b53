// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/check_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <thread>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"
#include "sim/commands/job_run.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/progress.hpp"
#include "sim/commands/stop_signals.hpp"
#include "sim/commands/terminal.hpp"
#include "sim/studies/study_runner.hpp"

namespace tutti::commands {
namespace {

using studies::StudyPoint;
using studies::StudyRunner;

constexpr std::int64_t most_jobs = 4096;

class Checking {
 public:
  Checking(const std::vector<StudyPoint>& points, const Diagnostics& diagnostics)
      : points_(points),
        diagnostics_(diagnostics),
        failed_(diagnostics, result_.failed),
        progress_(points.size(), diagnostics.quiet(), "simulations") {
    result_.answers.resize(points.size());
  }

  CheckRun run(int jobs) {
    const StudyRunner::Caller caller{
        .next = [&] { return next(); },
        .take = [&](const studies::FinishedPoint& point) { return take(point); },
        .stop = [&] { return stop(); },
        .tick = [&](const auto& running) { show(running); }};
    const auto error =
        StudyRunner({.jobs = jobs, .timeout_s = {}, .memory_bytes = {}}, caller).run();
    progress_.clear();
    if (error) result_.failed.push_back(error->message);
    result_.code = failed_.finish();
    result_.not_run = points_.size() - through_;
    if (signals_.asks()) result_.code = signals_.exit_code();
    return std::move(result_);
  }

 private:
  // The key is the point's number.
  std::optional<StudyPoint> next() {
    if (started_ == points_.size()) return std::nullopt;
    StudyPoint point = points_[started_];
    point.key = fmt::format("{}", started_++);
    return point;
  }

  std::optional<Error> take(const studies::FinishedPoint& finished) {
    ++through_;
    if (finished.answer) {
      result_.answers[std::stoul(finished.point.key)] = *finished.answer;
      return std::nullopt;
    }
    progress_.clear();
    failed_.add(finished.point.name, finished.answer.errors());
    return std::nullopt;
  }

  StudyRunner::Stop stop() {
    if (signals_.insists()) return StudyRunner::Stop::now;
    if (!signals_.asks()) return StudyRunner::Stop::no;
    if (!told_) diagnostics_.note("running simulations may finish; Ctrl-C again stops at once");
    told_ = true;
    return StudyRunner::Stop::after_running;
  }

  void show(const std::vector<const StudyPoint*>& running) {
    std::string names;
    for (const auto* point : running) names += (names.empty() ? "" : "; ") + point->name;
    progress_.show(through_, result_.failed.size(), names);
  }

  const std::vector<StudyPoint>& points_;
  const Diagnostics& diagnostics_;
  CheckRun result_;
  FailedPoints failed_;
  Progress progress_;
  StopSignals signals_;
  std::size_t started_ = 0;
  std::size_t through_ = 0;
  bool told_ = false;
};

}  // namespace

Result<int> jobs_of(const Parsed& parsed) {
  if (!parsed.has("--jobs"))
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const auto jobs = TUTTI_TRY(count_of(parsed, "--jobs", most_jobs));
  return static_cast<int>(*jobs);
}

CheckRun run_check(const std::vector<StudyPoint>& points, int jobs,
                   const Diagnostics& diagnostics) {
  return Checking(points, diagnostics).run(jobs);
}

studies::StudyPoint timed_point(std::string name, std::function<Result<Seconds>()> time_of) {
  studies::StudyPoint point;
  point.name = std::move(name);
  point.simulate = [time_of = std::move(time_of)]() -> Result<Row> {
    const auto time_s = TUTTI_TRY(time_of());
    return Row{{"time_s", time_s}};
  };
  return point;
}

Seconds time_in(const Row& answer) { return number_of(cell_in(answer, "time_s")).value(); }

namespace {

std::optional<reports::Format> chosen_format(const Parsed& parsed, const DocumentOutput& output) {
  auto format = reports::format_of("text");
  if (output.is_own_format) return format;
  if (parsed.has("--format"))
    format = reports::format_of(parsed.value("--format"));
  else if (output.path && !names_device(*output.path))
    format = reports::format_of_file(*output.path);
  return format == reports::Format::osu ? std::nullopt : format;
}

Error no_such_format(const Parsed& parsed, std::string_view own_format) {
  const std::string option = parsed.has("--format") ? "--format" : "--output";
  std::vector<std::string> names{"text", "csv", "json", "jsonl", "md"};
  if (!own_format.empty()) names.emplace_back(own_format);
  return usage_error(
      parsed.typed(option), "there is no such format here",
      did_you_mean(parsed.has("--format") ? parsed.value("--format") : "", names,
                   fmt::format("text, csv, json, jsonl and md (.txt, ...){}{}",
                               own_format.empty() ? "" : ", --format ", own_format)));
}

}  // namespace

Result<DocumentOutput> document_output(const Parsed& parsed, const std::vector<std::string>& parts,
                                       std::string_view own_format) {
  DocumentOutput output;
  if (parsed.has("--output") && parsed.value("--output") != "-")
    output.path = parsed.value("--output");
  output.is_own_format = parsed.has("--format") && parsed.value("--format") == own_format;
  if (const auto format = chosen_format(parsed, output))
    output.format = *format;
  else
    return no_such_format(parsed, own_format);
  if (!parsed.has("--part")) return output;
  output.part = parsed.value("--part");
  if (std::ranges::find(parts, output.part) != parts.end()) return output;
  return usage_error(
      "--part", fmt::format("there is no table {}", in_quotes(output.part)),
      did_you_mean(output.part, parts, fmt::format("there are: {}", fmt::join(parts, ", "))));
}

Result<int> write_document(const reports::Document& document, const DocumentOutput& output) {
  const auto width = output.path ? std::nullopt : terminal_width(STDOUT_FILENO);
  const std::string text = render_document(document, output.format, output.part, width);
  const auto error = write_report(output.path, text);
  if (error) return *error;
  return exit_done;
}

}  // namespace tutti::commands
