// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "sim/commands/terminal.hpp"

namespace tutti::commands {
namespace {

constexpr Seconds first_drawn_s = 1;  // shorter runs need no progress
constexpr Seconds first_told_s = 5;   // in a log

}  // namespace

std::string progress_line(const ProgressState& state, std::optional<std::size_t> width) {
  std::string text = fmt::format("{} of {} {} ({} %)", state.done, state.points, state.noun,
                                 100 * state.done / state.points);
  if (state.failed > 0) text += fmt::format(", {} failed", state.failed);
  text += fmt::format(", {} so far: {}", format_seconds(state.elapsed_s), state.current);
  // The last column stays free: some terminals begin a new line there.
  if (width) text.resize(std::min(text.size(), *width - 1));
  return text;
}

Progress::Progress(std::size_t points, bool quiet, const char* noun)
    : start_(std::chrono::steady_clock::now()), points_(points), quiet_(quiet), noun_(noun) {}

void Progress::show(std::size_t done, std::size_t failed, const std::string& current) {
  if (quiet_) return;
  const auto passed = std::chrono::steady_clock::now() - start_;
  const ProgressState state{.done = done,
                            .failed = failed,
                            .points = points_,
                            .elapsed_s = std::chrono::duration<Seconds>(passed).count(),
                            .current = current,
                            .noun = noun_};
  const auto width = terminal_width(STDERR_FILENO);
  if (state.elapsed_s < (width ? first_drawn_s : first_told_s)) return;
  if (width) {
    fmt::print(stderr, "\r\x1b[K{}", progress_line(state, width));
    drawn_ = true;
    return;
  }
  const std::size_t tenths = 10 * done / points_;
  if (tenths > tenths_told_) fmt::print(stderr, "{}\n", progress_line(state, width));
  tenths_told_ = tenths;
}

void Progress::clear() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
  drawn_ = false;
}

}  // namespace tutti::commands
