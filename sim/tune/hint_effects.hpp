// SPDX-License-Identifier: BSD-3-Clause
// The search of `sim tune hints`, and which of the hints matter.
#pragma once

#include "sim/base/common.hpp"
#include "sim/tune/tune_run.hpp"

namespace tutti::studies::tuning {

// Effect of one hint at the values after, the others unchanged.
struct HintEffect {
  std::string name;
  std::string before;
  std::string after;  // empty: not set, since it does not apply
  bool is_changed = false;
  // Relative change of the time if it alone is set back to the value before; unset: it is not
  // changed, or that cannot be simulated.
  std::optional<double> set_back;
  // Largest relative change of the time by another of its values.
  std::optional<double> worst;
  bool matters = false;  // one of these exceeds HintFindings::least
};

struct HintFindings : TuneFindings {
  Combination after;  // changes nothing that does not matter
  Seconds before_s = 0;
  Seconds after_s = 0;
  // Smaller relative changes do not matter: 1 %, or the sampling error of the time after.
  double least = 0.01;
  std::vector<HintEffect> effects;  // largest change by setting back first

  double factor() const { return before_s / after_s; }
};

// `keeps_all`: also keeps the changed values of the best combination that do not matter.
Result<HintFindings> tune_hints(TuneRun& run, const TuneFile& file, bool keeps_all);

}  // namespace tutti::studies::tuning
