// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/gnuplot.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "sim/base/error_list.hpp"
#include "sim/commands/started_program.hpp"

namespace tutti::commands {
namespace {

Error not_started(int code) {
  if (code == ENOENT)
    return usage_error(
        "", "gnuplot, which draws the pictures, is not installed",
        "Debian's package is gnuplot-nox; NAME.gp as the file writes its program without it");
  return make_error(ErrorKind::run, "",
                    fmt::format("gnuplot cannot be started: {}", std::strerror(code)));
}

}  // namespace

Result<std::string> run_gnuplot(const std::string& program) {
  auto run = run_words({"gnuplot", "-d", "-"}, program);
  if (run.start_error != 0) return not_started(run.start_error);
  if (run.succeeded() && !run.out.empty()) return std::move(run.out);
  return make_error(ErrorKind::run, "", fmt::format("gnuplot failed: {}", run.err),
                    "NAME.gp as the file writes its program");
}

}  // namespace tutti::commands
