// SPDX-License-Identifier: BSD-3-Clause
// The searches of `sim tune`, one after the other on the same simulations.
#pragma once

#include "sim/commands/tune_stage.hpp"
#include "sim/reports/tune_report.hpp"

namespace tutti::commands {

class TuneRun {
 public:
  // All outlive it.
  TuneRun(const studies::tuning::TuneFile& file, const studies::tuning::Space& space, int jobs,
          const Diagnostics& diagnostics);

  // Errors of the file: points that cannot be with the default values.
  std::vector<Error> prepare();
  // The report's part of the searches. An error: one could not go on.
  std::optional<Error> run(reports::TuneReport& report);
  // Exit code of what was interrupted; 0: nothing was.
  int code() const { return times_.code(); }

  // Of all stages, with these values.
  Result<std::vector<TunedPoint>> points(const studies::tuning::Combination& combination);

 private:
  Result<reports::TuneSearch> search(studies::tuning::Method method);
  // Those that go on from a stage.
  std::vector<studies::tuning::Combination> survivors(
      std::vector<studies::tuning::Evaluated> evaluated) const;
  std::optional<Error> settle(studies::tuning::Evaluations& evaluations,
                              studies::tuning::Method method) const;
  std::optional<Error> compare(reports::TuneReport& report);
  void tell_parameters(reports::TuneReport& report) const;
  void tell_memory(const std::vector<studies::tuning::Evaluated>& all,
                   reports::TuneReport& report) const;

  const studies::tuning::TuneFile& file_;
  const studies::tuning::Space& space_;
  PointTimes times_;
  std::vector<TuneStage> stages_;  // not empty
};

}  // namespace tutti::commands
