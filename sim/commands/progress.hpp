// SPDX-License-Identifier: BSD-3-Clause
// How far a run is, on stderr: a line that is redrawn on a terminal, else a line per 10 %; nothing
// for short runs.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace tutti::commands {

class Progress {
 public:
  Progress(std::size_t points, bool quiet);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { clear(); }

  // Before a point starts: `done` are through, `failed` of them failed.
  void show(std::size_t done, std::size_t failed, const std::string& current);
  // Takes the line off the terminal, before other text is printed.
  void clear();

 private:
  std::string line(std::size_t done, std::size_t failed, const std::string& current) const;
  double elapsed_s() const;

  std::chrono::steady_clock::time_point start_;
  std::size_t points_;
  std::size_t tenths_told_ = 0;
  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
};

}  // namespace tutti::commands
