// SPDX-License-Identifier: BSD-3-Clause
// The search of `sim tune hints`, and which of the hints matter.
#pragma once

#include "sim/base/common.hpp"
#include "sim/tune/tune_run.hpp"

namespace tutti::studies::tuning {

// Effect of one hint if the other hints keep their values after the search.
struct HintEffect {
  std::string name;
  std::string before;
  std::string after;
  bool applies = true;  // false: the other hints leave it without effect after the search
  bool is_changed = false;
  // Relative change of the time if only this hint is set back to its value before the search;
  // unset: the hint is not changed, or that simulation failed.
  std::optional<double> set_back;
  // Largest relative change of the time by another of its values.
  std::optional<double> worst;
  // Smaller relative changes do not matter. The limit of a comparison is 1 %, or the sum of the
  // sampling errors of both times if that is more; this is the largest one.
  double limit = 0.01;
  std::size_t failed = 0;     // number of other values whose simulations failed
  bool matters = false;       // set_back exceeds the limit
  bool is_sensitive = false;  // worst exceeds the limit

  // Whether failed simulations leave the effect open.
  bool is_unknown() const { return is_changed ? !set_back : failed > 0 && !is_sensitive; }
};

struct HintFindings : TuneFindings {
  Combination after;  // changes nothing that does not matter
  Seconds before_s = 0;
  Seconds after_s = 0;
  double before_error = 0;  // relative sampling errors
  double after_error = 0;
  std::vector<HintEffect> effects;  // largest change by setting back first
  // Hints that do not matter one by one, but together, and the ones that keep their values.
  std::vector<std::string> idle_alone;
  std::vector<std::string> kept_together;

  double factor() const { return before_s / after_s; }
};

// `keeps_all`: also keeps the changed values of the best combination that do not matter.
Result<HintFindings> tune_hints(TuneRun& run, const TuneFile& file, bool keeps_all);

}  // namespace tutti::studies::tuning
