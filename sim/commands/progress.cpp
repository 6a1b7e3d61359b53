// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace tutti::commands {
namespace {

constexpr std::size_t usual_width = 80;

std::optional<std::size_t> width_of_environment() {
  const char* text = std::getenv("COLUMNS");
  if (text == nullptr) return std::nullopt;
  const auto columns = parse_integer(text);
  if (!columns || *columns < 1) return std::nullopt;
  return static_cast<std::size_t>(*columns);
}

constexpr Seconds first_drawn_s = 1;     // on a terminal; shorter runs show no progress
constexpr Seconds first_reported_s = 5;  // in a log
constexpr Seconds longest_silence_s = 60;

// Three digits: "3.40 M".
std::string round_count(double count) {
  constexpr std::pair<double, const char*> units[] = {{1e9, " G"}, {1e6, " M"}, {1e3, " k"}};
  for (const auto& [unit, name] : units)
    if (count >= unit) return fmt::format("{:.3g}{}", count / unit, name);
  return fmt::format("{:.0f}", count);
}

// "40 s", "12 min", "3.4 h".
std::string rough_time(Seconds time_s) {
  if (time_s < 90) return fmt::format("{:.0f} s", time_s);
  if (time_s < 90 * 60) return fmt::format("{:.0f} min", time_s / 60);
  return fmt::format("{:.1f} h", time_s / 3600);
}

std::string live_text(const LiveState& live) {
  const auto messages = static_cast<double>(live.messages);
  const auto expected = static_cast<double>(live.expected_messages);
  // There may be more messages than expected: the estimate does not count messages of set-up and
  // storage.
  std::string text =
      expected >= messages
          ? fmt::format("{:.0f} % of {} messages", 100 * messages / expected, round_count(expected))
          : round_count(messages) + " messages";
  text += fmt::format(", {}/s", round_count(live.messages_per_s));
  if (live.simulated_s > 0) text += fmt::format(", at {}", format_seconds(live.simulated_s));
  return text;
}

}  // namespace

std::optional<std::size_t> terminal_width(int fd) {
  if (::isatty(fd) != 1) return std::nullopt;
  if (const auto columns = width_of_environment()) return columns;
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return usual_width;
}

std::string progress_line(const ProgressState& state, std::optional<std::size_t> width) {
  const bool is_watched = state.live && state.live->messages > 0;
  std::string text;
  if (state.points > 1 || !is_watched)
    text = fmt::format("{} of {} {} ({} %), ", state.done, state.points, state.noun,
                       100 * state.done / state.points);
  if (state.failed > 0) text += fmt::format("{} failed, ", state.failed);
  text += fmt::format("{} so far", format_seconds(state.elapsed_s));
  if (state.left_s) text += fmt::format(", about {} left", rough_time(*state.left_s));
  if (is_watched) text += ", " + live_text(*state.live);
  text += ": " + printable(state.current);
  // The last column stays empty: some terminals wrap there.
  if (width) text.resize(std::min(text.size(), *width - 1));
  return text;
}

Seconds next_log_line_s(Seconds elapsed_s) {
  return elapsed_s + std::min(elapsed_s, longest_silence_s);
}

Progress::Progress(std::size_t points, bool quiet, const char* noun)
    : start_(std::chrono::steady_clock::now()), points_(points), quiet_(quiet), noun_(noun) {}

void Progress::show(std::size_t done, std::size_t failed, const std::string& current,
                    std::optional<LiveState> live, std::optional<Seconds> left_s) {
  if (quiet_) return;
  const auto passed = std::chrono::steady_clock::now() - start_;
  const ProgressState state{.done = done,
                            .failed = failed,
                            .points = points_,
                            .elapsed_s = std::chrono::duration<Seconds>(passed).count(),
                            .current = current,
                            .noun = noun_,
                            .live = live,
                            .left_s = left_s};
  const auto width = terminal_width(STDERR_FILENO);
  if (state.elapsed_s < (width ? first_drawn_s : first_reported_s)) return;
  if (width) {
    fmt::print(stderr, "\r\x1b[K{}", progress_line(state, width));
    drawn_ = true;
    return;
  }
  const std::size_t tenths = 10 * done / points_;
  const bool is_live_due = live && state.elapsed_s >= next_live_s_;
  if (is_live_due || tenths > tenths_reported_)
    fmt::print(stderr, "{}\n", progress_line(state, width));
  if (is_live_due) next_live_s_ = next_log_line_s(state.elapsed_s);
  tenths_reported_ = tenths;
}

void Progress::clear() {
  if (drawn_) fmt::print(stderr, "\r\x1b[K");
  drawn_ = false;
}

}  // namespace tutti::commands
