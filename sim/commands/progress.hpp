// SPDX-License-Identifier: BSD-3-Clause
// Progress of a run on stderr: a line that is redrawn on a terminal, else a line per 10 % and, for
// a long point, after 10 s, 20 s, 40 s and then each minute; nothing for short runs. Shows the
// elapsed time, and the remaining time if the caller can estimate it.
#pragma once

#include <chrono>

#include "sim/base/common.hpp"

namespace tutti::commands {

// Width in columns of the terminal `fd`: COLUMNS if it is a number above 0, else the width that the
// terminal reports, else 80. Unset if `fd` is a file or a pipe.
std::optional<std::size_t> terminal_width(int fd);

// Progress of the running point.
struct LiveState {
  std::int64_t messages = 0;
  std::int64_t expected_messages = 0;  // 0: not known
  double messages_per_s = 0;           // per second of wall time
  Seconds simulated_s = 0;             // 0: untimed
};

struct ProgressState {
  std::size_t done = 0;  // finished points, including failed ones
  std::size_t failed = 0;
  std::size_t points = 0;
  Seconds elapsed_s = 0;
  std::string current;  // the running point
  const char* noun = "points";
  std::optional<LiveState> live{};
  std::optional<Seconds> left_s{};  // estimate
};

// "7 of 21 points (33 %), 1 failed, 8.10 s so far: bcast chain, ...". With
// live progress, "25 % of 13.6 M messages, 420 k/s, at 12.0 ms" comes before the colon, and the
// number of points is omitted if there is only one. Truncated to `width`, if given.
std::string progress_line(const ProgressState& state, std::optional<std::size_t> width);

// Time of the next log line about a running point, after one at `elapsed_s`: twice that, but at
// most a minute later.
Seconds next_log_line_s(Seconds elapsed_s);

class Progress {
 public:
  // `noun`: the name of what is counted.
  Progress(std::size_t points, bool quiet, const char* noun = "points");
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  // Updates the progress: `done` points are finished, and `failed` of them failed.
  void show(std::size_t done, std::size_t failed, const std::string& current,
            std::optional<LiveState> live = {}, std::optional<Seconds> left_s = {});
  // Changes the total number of points.
  void expect(std::size_t points) { points_ = points; }
  std::size_t expected() const { return points_; }
  // Whether progress is shown at all.
  bool is_shown() const { return !quiet_; }
  // Erases the line from the terminal. Call before other text is printed.
  void clear();

 private:
  std::chrono::steady_clock::time_point start_;
  std::size_t points_;
  std::size_t tenths_reported_ = 0;
  Seconds next_live_s_ = 10;  // time of the next log line about the running point
  bool quiet_;
  const char* noun_;
  bool drawn_ = false;
};

}  // namespace tutti::commands
