// SPDX-License-Identifier: BSD-3-Clause
// The searches of a study, one after the other on the same simulations, and what they found.
#pragma once

#include "algorithms/selection/write_rules.hpp"
#include "sim/base/common.hpp"
#include "sim/params/parameter_set.hpp"
#include "sim/tune/search.hpp"
#include "sim/tune/tune_stage.hpp"

namespace tutti::studies::tuning {

// Algorithms chosen by collective, processes and message size, as `sim select rules` makes its
// rules, of the times that a search has simulated.

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

struct TuneSearch {
  Method method = {};
  std::size_t evaluations = 0;
  double cost = 0;  // in evaluations of the whole problem
  std::optional<Evaluated> best = {};
  SearchOutcome outcome = {};
  std::optional<std::size_t> predicted = {};  // evaluations, of the factorial search
  // Of the whole problem, in order; where there are stages, of the first one, which is searched.
  std::vector<Evaluated> history = {};

  std::string_view name() const { return method_name(method); }
  std::optional<double> best_s() const { return best ? best->value : std::nullopt; }
  // The number of the evaluation that found the best; 0: none did.
  std::size_t best_after() const;
};

// One time that adds up to the value.
struct PointGain {
  std::string choice = {};  // of its algorithm, by rules; empty: it has none
  std::string name;
  std::optional<Bytes> message_bytes;
  double weight = 1;
  std::optional<Seconds> default_s;
  std::optional<Seconds> best_s;
  std::optional<Seconds> least_s;  // of all combinations that were evaluated
};

struct TuneFindings {
  std::string name;
  std::string description;
  Space space = Space({});
  std::optional<double> default_value = {};  // of the objective, with the default values
  std::vector<TuneSearch> searches = {};
  std::vector<Sensitivity> sensitivities = {};
  std::size_t evaluated = 0;  // different combinations, by all searches
  std::vector<PointGain> points = {};
  std::vector<std::string> without_effect = {};  // by parameter: why; empty: simulations know it
  std::vector<bool> is_by_size = {};             // by parameter, where rules choose; else empty
  std::vector<std::string> remarks = {};         // what was left out, and why
  std::size_t simulations = 0;

  // The search that found the best; null where all combinations failed.
  const TuneSearch* best_search() const;
  const Evaluated* best() const;
  // The best of brute force, where that was run.
  std::optional<double> true_best() const;
};

class TuneRun {
 public:
  // `file` outlives it. `rules`: algorithms are chosen by message size, for such a file.
  TuneRun(const TuneFile& file, RunPoints run,
          std::optional<algorithms::selection::RulesFormat> rules = {});

  // Errors of the file: points that cannot be with the default values.
  std::vector<Error> prepare();
  // An error: a search could not go on, or was stopped.
  Result<TuneFindings> run();

  // Of all stages, with these values; what is chosen by message size is at its default.
  Result<std::vector<TunedPoint>> points(const Combination& combination);
  // What was chosen by message size; nothing: it was not to be.
  const std::optional<RulesBySize>& rules() const { return rules_; }

 private:
  Result<TuneSearch> search(Method method);
  // Of a combination of `space_` among those of the file.
  Combination whole(const Combination& combination) const;
  std::optional<Error> make_rules();
  // Those that go on from a stage.
  std::vector<Combination> survivors(std::vector<Evaluated> evaluated) const;
  std::optional<Error> settle(Evaluations& evaluations, TuneSearch& found) const;
  std::optional<Error> compare();
  void report_parameters();
  void report_memory(const std::vector<Evaluated>& all);

  const TuneFile& file_;
  Space whole_space_;  // of the file
  Space space_;        // the same, or without choices, which are then made by message size
  PointTimes times_;
  std::vector<TuneStage> stages_;  // not empty
  std::optional<algorithms::selection::RulesFormat> rules_format_;
  std::optional<RulesBySize> rules_;
  TuneFindings found_;
};

// Every objective of a study alone.
struct TunedObjective {
  std::string name;
  TuneFindings found;
};
Result<std::vector<TunedObjective>> tune_each(const TuneFile& file, const RunPoints& run);

// The best values of a search, for `sim params put`. `points`: with them. Parameters that the best
// combination does not use, those that no simulation knows, and those of omitted_of_set are left
// out.
store::ParameterSet tuned_set(const TuneFile& file, const TuneFindings& found,
                              const std::vector<TunedPoint>& points);
// Parameters at their default, by the names of the file, of which no value that was evaluated has
// an effect.
std::vector<std::string> omitted_of_set(const TuneFile& file, const TuneFindings& found);

}  // namespace tutti::studies::tuning
