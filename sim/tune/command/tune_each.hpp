// SPDX-License-Identifier: BSD-3-Clause
// sim tune --each: every objective of a study alone.
#pragma once

#include <deque>

#include "sim/tune/command/tune_run.hpp"
#include "sim/tune/report/tune_each_report.hpp"

namespace tutti::commands {

class TuneEach {
 public:
  // Both outlive it.
  TuneEach(const studies::tuning::TuneFile& file, int jobs, const Diagnostics& diagnostics);

  std::vector<Error> prepare();
  // An error: a search could not go on.
  std::optional<Error> run(reports::TuneEachReport& report);
  // Exit code of what was interrupted; 0: nothing was.
  int code() const { return code_; }

 private:
  const studies::tuning::TuneFile& file_;
  std::deque<studies::tuning::TuneFile> files_;  // of one objective each
  std::deque<studies::tuning::Space> spaces_;
  std::deque<TuneRun> runs_;
  int code_ = 0;
};

}  // namespace tutti::commands
