// SPDX-License-Identifier: BSD-3-Clause
// From a byte offset in a text to what a person looks for: line, column, the line itself.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tutti {

// A position in a text file, from 1, in bytes; column 0: the whole line; line 0: no file, but the
// command line.
struct TextSpot {
  int line = 0;
  int column = 0;
  std::size_t source = 0;  // which file, where several make a study
};

struct TextPosition {
  int line = 0;        // from 1
  int column = 0;      // in bytes, from 1
  std::string source;  // the line, control characters blanked; empty if longer than 240 bytes
};

// Finds lines in O(log lines). Keeps a view: the text must outlive it.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);
  // An offset past the end is taken as the end.
  TextPosition at(std::size_t offset) const;
  // A line from 1 on, without its end; empty past the last one.
  std::string_view line(int number) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

}  // namespace tutti
