// SPDX-License-Identifier: BSD-3-Clause
// How far a run is, on stderr: a line that is redrawn on a terminal, else a line per 10 % and, of a
// long point, after 10 s, 20 s, 40 s and then each minute; nothing for short runs. It tells the
// time that has passed, and that which is left where the caller knows it from what others took.
#pragma once

#include <chrono>

#include "sim/base/common.hpp"

namespace tutti::commands {

// How wide the terminal is that a person looks at.

// Columns of the terminal behind `fd`: COLUMNS if it is a number above 0, else what the terminal
// says, else 80. Nothing where `fd` is no terminal: a file or a pipe has no width.
std::optional<std::size_t> terminal_width(int fd);

// Of the point that runs.
struct LiveState {
  std::int64_t messages = 0;
  std::int64_t expected_messages = 0;  // 0: not known
  double messages_per_s = 0;           // of real time
  Seconds simulated_s = 0;             // 0: untimed
};

struct ProgressState {
  std::size_t done = 0;  // points that are through, failed ones too
  std::size_t failed = 0;
  std::size_t points = 0;
  Seconds elapsed_s = 0;
  std::string current;  // the point that runs
  const char* noun = "points";
  std::optional<LiveState> live{};
  std::optional<Seconds> left_s{};  // an estimate
};

// "7 of 21 points (33 %), 1 failed, 8.10 s so far: bcast chain, ...". If the point is watched, with
// "25 % of 13.6 M messages, 420 k/s, at 12.0 ms" before the colon, and without the points if it is
// the only one. With the width of a terminal it is cut to one line of it.
std::string progress_line(const ProgressState& state, std::optional<std::size_t> width);

// When a log gets the next line about a point that runs, after one at `elapsed_s`: twice as late,
// but a minute later at most.
Seconds next_log_line_s(Seconds elapsed_s);

class Progress {
 public:
  // `noun` names what is counted.
  Progress(std::size_t points, bool quiet, const char* noun = "points");
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  // Before a point starts: `done` are through, `failed` of them failed.
  void show(std::size_t done, std::size_t failed, const std::string& current,
            std::optional<LiveState> live = {}, std::optional<Seconds> left_s = {});
  // A point that runs long is worth watching.
  bool is_shown() const { return !quiet_; }
  // Takes the line off the terminal, before other text is printed.
  void clear();

 private:
  std::chrono::steady_clock::time_point start_;
  std::size_t points_;
  std::size_t tenths_reported_ = 0;
  Seconds next_live_s_ = 10;  // when a log gets the next line about the point that runs
  bool quiet_;
  const char* noun_;
  bool drawn_ = false;
};

}  // namespace tutti::commands
