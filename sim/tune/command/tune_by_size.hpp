// SPDX-License-Identifier: BSD-3-Clause
// sim tune --rules: algorithms chosen by collective, processes and message size, as `sim select
// rules` makes its rules, of the times that a search has simulated.
#pragma once

#include <vector>

#include "sim/select/open_mpi.hpp"
#include "sim/tune/command/tune_stage.hpp"
#include "sim/tune/report/tune_report.hpp"

namespace tutti::commands {

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

}  // namespace tutti::commands
