// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/job_run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/terminal.hpp"

namespace tutti::commands {
namespace {

std::optional<Error> check_inputs_stay(const OutputFile& output,
                                       const std::vector<InputFile>& inputs) {
  for (const auto& [what, input] : inputs)
    if (!input.empty() && same_file(input, *output.path))
      return usage_error(output.option, fmt::format("{} is {}", in_quotes(*output.path), what),
                         "give each output a file of its own");
  return std::nullopt;
}

}  // namespace

std::vector<Error> check_outputs(const std::vector<OutputFile>& outputs,
                                 const std::vector<InputFile>& inputs) {
  std::vector<Error> errors;
  for (const OutputFile& output : outputs) {
    if (!output.path) continue;
    auto error = check_inputs_stay(output, inputs);
    if (!error) error = check_writable(*output.path);
    if (error) errors.push_back(*std::move(error));
  }
  return errors;
}

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
