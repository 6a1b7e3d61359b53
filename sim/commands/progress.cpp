// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "sim/base/units.hpp"

namespace tutti::commands {
namespace {

constexpr double first_drawn_s = 1;  // shorter runs need no progress
constexpr double first_told_s = 5;   // in a log
constexpr std::size_t line_width = 79;

}  // namespace

Progress::Progress(std::size_t points, bool quiet)
    : start_(std::chrono::steady_clock::now()),
      points_(points),
      quiet_(quiet),
      terminal_(::isatty(STDERR_FILENO) == 1) {}

double Progress::elapsed_s() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::string Progress::line(std::size_t done, std::size_t failed, const std::string& current) const {
  std::string text = fmt::format("{} of {} points ({} %)", done, points_, 100 * done / points_);
  if (failed > 0) text += fmt::format(", {} failed", failed);
  if (done > 0)
    text +=
        fmt::format(", {} to go", format_seconds(elapsed_s() * static_cast<double>(points_ - done) /
                                                 static_cast<double>(done)));
  return fmt::format("{}: {}", text, current).substr(0, line_width);
}

void Progress::show(std::size_t done, std::size_t failed, const std::string& current) {
  if (quiet_ || elapsed_s() < (terminal_ ? first_drawn_s : first_told_s)) return;
  if (terminal_) {
    fmt::print(stderr, "\r\x1b[K{}", line(done, failed, current));
    drawn_ = true;
    return;
  }
  const std::size_t tenths = 10 * done / points_;
  if (tenths > tenths_told_) fmt::print(stderr, "{}\n", line(done, failed, current));
  tenths_told_ = tenths;
}

void Progress::clear() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
  drawn_ = false;
}

}  // namespace tutti::commands
