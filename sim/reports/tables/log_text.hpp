// SPDX-License-Identifier: BSD-3-Clause
// The lines of a saved output without what terminals, launchers and loggers add: escape sequences,
// time stamps, and the label of the rank that printed a line.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::reports {

struct LogLine {
  int number = 0;                 // from 1
  std::string_view content = {};  // trimmed
  std::string_view rank = {};     // number of the rank in the label; empty: the line has no label
};

// Labels of `mpirun --tag-output`, `--timestamp-output` and `--xml` (Open MPI), `mpiexec -l`
// (MPICH, Intel MPI) and `srun --label`; time stamps of loggers; "> " of quoted text.
class LogText {
 public:
  // `text` must outlive this object.
  explicit LogText(std::string_view text);
  LogText(const LogText&) = delete;
  LogText& operator=(const LogText&) = delete;

  // The next line, which may be empty. Unset at the end.
  std::optional<LogLine> next();
  // Position in the text of a part of a line.
  std::size_t offset(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - text_.data());
  }
  std::string_view all() const { return text_; }

 private:
  std::string copy_;  // only of texts with characters that are replaced by blanks
  std::string_view text_;
  std::string_view rest_;
  int number_ = 0;
};

}  // namespace tutti::reports
