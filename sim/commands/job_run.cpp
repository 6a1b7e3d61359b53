// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/job_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "sim/commands/output.hpp"
#include "sim/commands/terminal.hpp"

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
