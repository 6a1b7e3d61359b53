// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/job_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "sim/base/error_list.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/rank_list.hpp"
#include "sim/commands/terminal.hpp"
#include "sim/reports/trace_json.hpp"

namespace tutti::commands {
void FailedPoints::add(const std::string& name, const std::vector<Error>& errors) {
  for (Error error : errors) {
    has_bug_ |= error.kind == ErrorKind::internal;
    if (errors_told_ == most_errors_told) break;
    if (error.line == 0) error.place = name;
    diagnostics_.error(error);
    ++errors_told_;
    points_told_ = lines_.size() + 1;
  }
  lines_.push_back(fmt::format("{}: {}", name, errors.front().message));
}

int FailedPoints::finish() const {
  if (lines_.size() > points_told_)
    diagnostics_.note(fmt::format("... and {} more points failed", lines_.size() - points_told_));
  return lines_.empty() ? exit_done : has_bug_ ? exit_bug : exit_points_failed;
}

void warn_of_skipped(const studies::Skipped& skipped, const Diagnostics& diagnostics) {
  if (skipped.count > 0) diagnostics.warning(studies::skipped_text(skipped));
}

std::vector<Error> single_point_only(const char* option, std::size_t points) {
  return {usage_error(option, fmt::format("is for a single point; these are {}", points),
                      "give one value each, not lists")};
}

std::optional<Error> write_trace(const JobRequest& request, const reports::ReportHead& head,
                                 const TracedPoint& point, const Diagnostics& diagnostics) {
  constexpr auto most = engines::RankTrace::most_events;
  const auto procs = point.job.procs();
  auto ranks = below(point.asked, procs);
  if (!request.names_trace_ranks && ranks.back().last + 1 < procs)
    diagnostics.note(fmt::format("the trace shows ranks {} of {}; --trace-ranks takes others",
                                 reports::ranges_text(ranks), procs));
  if (point.job.inside.trace_is_cut)
    diagnostics.warning(
        fmt::format("the trace ends early: it holds at most {} slices and {} "
                    "messages; take fewer ranks (--trace-ranks)",
                    most, most));
  if (point.job.first_target)
    ranks.push_back({procs, static_cast<runtime::RankId>(point.job.host_of.size()) - 1});
  return write_file(*request.trace, reports::trace_json(head, point.job, ranks, point.machine));
}

std::optional<std::size_t> report_width(const JobRequest& request) {
  return request.output ? std::nullopt : terminal_width(STDOUT_FILENO);
}

std::optional<Error> write_report(const std::optional<std::string>& path, const std::string& text) {
  if (!path) return write_stdout(text);
  auto error = write_file(*path, text);
  if (error && !write_stdout(text)) error->hint = "the result went to standard output instead";
  return error;
}

}  // namespace tutti::commands
