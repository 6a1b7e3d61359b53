// SPDX-License-Identifier: BSD-3-Clause
// The searches of `sim tune`, one after the other on the same simulations.
#pragma once

#include "sim/base/common.hpp"
#include "sim/select/open_mpi.hpp"
#include "sim/tune/command/tune_stage.hpp"
#include "sim/tune/report/tune_report.hpp"

namespace tutti::commands {

// sim tune --rules: algorithms chosen by collective, processes and message size, as `sim select
// rules` makes its rules, of the times that a search has simulated.

struct RulesBySize {
  std::vector<algorithms::selection::WrittenCollective> collectives;
  std::vector<std::optional<Seconds>> times_s;  // by point, as the rules choose
  std::vector<std::string> chosen;  // by point: "chain, segments 8 KiB"; empty: no choice
  // Of all points, weighted: by the rules, and with one choice of each collective for all its
  // points.
  double value = 0;
  std::optional<double> value_of_one_choice;
};

// Whether rules can say what a point's parameters do. Not knomial's radix, nor without a number.
bool rules_can_choose(const Row& parameters, algorithms::selection::RulesFormat format);

// `points`: of TuneStage::choices, with the other values at their best. Rules lose at most 1 %
// where Open MPI sees what tells the sizes apart, and leave to Open MPI what its own choice is best
// for.
RulesBySize rules_by_size(const std::vector<std::vector<TunedPoint>>& points,
                          algorithms::selection::RulesFormat format);

// The file, without its end: `collectives` may be empty.
std::string rules_file_of(const RulesBySize& rules, algorithms::selection::RulesFormat format,
                          const std::string& command);

// Why the algorithms of the study cannot be chosen by rules; none: they can.
std::vector<Error> check_choices(const studies::tuning::TuneFile& file);

class TuneRun {
 public:
  // All outlive it. `space`: of the file; or without choices, which are then made by message size.
  TuneRun(const studies::tuning::TuneFile& file, const studies::tuning::Space& space, int jobs,
          const Diagnostics& diagnostics);
  void choose_by_size(algorithms::selection::RulesFormat format) { rules_format_ = format; }

  // Errors of the file: points that cannot be with the default values.
  std::vector<Error> prepare();
  // The report's part of the searches. An error: one could not go on.
  std::optional<Error> run(reports::TuneReport& report);
  // Exit code of what was interrupted; 0: nothing was.
  int code() const { return times_.code(); }

  // Of all stages, with these values; what is chosen by message size is at its default.
  Result<std::vector<TunedPoint>> points(const studies::tuning::Combination& combination);
  // What was chosen by message size; nothing: it was not to be.
  const std::optional<RulesBySize>& rules() const { return rules_; }

 private:
  Result<reports::TuneSearch> search(studies::tuning::Method method);
  // Of a combination of `space` among those of the file.
  studies::tuning::Combination whole(const studies::tuning::Combination& combination) const;
  std::optional<Error> make_rules(reports::TuneReport& report);
  // Those that go on from a stage.
  std::vector<studies::tuning::Combination> survivors(
      std::vector<studies::tuning::Evaluated> evaluated) const;
  std::optional<Error> settle(studies::tuning::Evaluations& evaluations,
                              reports::TuneSearch& found) const;
  std::optional<Error> compare(reports::TuneReport& report);
  void tell_parameters(reports::TuneReport& report) const;
  void tell_memory(const std::vector<studies::tuning::Evaluated>& all,
                   reports::TuneReport& report) const;

  const studies::tuning::TuneFile& file_;
  const studies::tuning::Space& space_;
  studies::tuning::Space whole_space_;  // of the file
  PointTimes times_;
  std::vector<TuneStage> stages_;  // not empty
  std::optional<algorithms::selection::RulesFormat> rules_format_;
  std::optional<RulesBySize> rules_;
};

}  // namespace tutti::commands
