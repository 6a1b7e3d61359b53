// SPDX-License-Identifier: BSD-3-Clause
// Converts a byte offset in a text to line, column and the text of the line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tutti {

// A position in a text file. Lines and columns count from 1, columns in bytes. Column 0 means the
// whole line; line 0 means the command line instead of a file.
struct TextSpot {
  int line = 0;
  int column = 0;
  std::size_t source = 0;  // index of the file, if a study consists of several
};

struct TextPosition {
  int line = 0;        // from 1
  int column = 0;      // in bytes, from 1
  std::string source;  // as source_line() returns it
};

// Finds lines in O(log lines). The text must outlive this object.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);
  // The position of an offset; offsets past the end are treated as the end. O(length of the line).
  TextPosition at(std::size_t offset) const;
  // The position of an offset without the text of the line.
  TextSpot spot(std::size_t offset) const;
  // Line `number`, counted from 1, without its line break; empty past the last line.
  std::string_view line(int number) const;

 private:
  std::string_view text_;
  std::vector<std::size_t> starts_;
};

}  // namespace tutti
