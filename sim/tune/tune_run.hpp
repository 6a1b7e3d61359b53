// SPDX-License-Identifier: BSD-3-Clause
// The searches of a study, one after the other with shared simulations, and their results.
#pragma once

#include "algorithms/selection/write_rules.hpp"
#include "sim/base/common.hpp"
#include "sim/params/parameter_set.hpp"
#include "sim/tune/search.hpp"
#include "sim/tune/tune_stage.hpp"

namespace tutti::studies::tuning {

// Algorithms chosen by collective, processes and message size, like the rules of `sim select
// rules`, from the times that a search has simulated.

struct RulesBySize {
  std::vector<algorithms::selection::WrittenCollective> collectives;
  std::vector<std::optional<Seconds>> times_s;  // by point, with the choice of the rules
  std::vector<std::string> chosen;  // by point: "chain, segments 8 KiB"; empty: no choice
  // Weighted sum over all points: with the rules, and with a single choice for all points of each
  // collective.
  double value = 0;
  std::optional<double> value_of_one_choice;
};

// Whether rules can select a point's parameters: not knomial's radix, nor an algorithm without a
// number.
bool rules_can_choose(const Row& parameters, algorithms::selection::RulesFormat format);

// `points`: of TuneStage::choices, with the other values at their best. Rules lose at most 1 % if
// Open MPI distinguishes the sizes, and leave a size to Open MPI if its own choice is best.
RulesBySize rules_by_size(const std::vector<std::vector<TunedPoint>>& points,
                          algorithms::selection::RulesFormat format);

// Text of the rules file; `collectives` may be empty.
std::string tuned_rules_text(const RulesBySize& rules, algorithms::selection::RulesFormat format,
                             const std::string& command);

struct TuneSearch {
  Method method = {};
  std::size_t evaluations = 0;
  double cost = 0;  // in evaluations of the whole problem
  std::optional<Evaluated> best = {};
  SearchOutcome outcome = {};
  std::optional<std::size_t> predicted = {};  // evaluations predicted for the factorial search
  // Evaluations of the whole problem, in order; with several stages, of the first stage.
  std::vector<Evaluated> history = {};

  std::string_view name() const { return method_name(method); }
  std::optional<double> best_s() const { return best ? best->value : std::nullopt; }
  // The number of the evaluation that found the best; 0: none did.
  std::size_t best_after() const;
};

// One time of the weighted sum.
struct PointGain {
  std::string choice = {};  // of the algorithm, by rules; empty: none
  std::string name;
  std::optional<Bytes> message_bytes;
  double weight = 1;
  std::optional<Seconds> default_s;
  std::optional<Seconds> best_s;
  std::optional<Seconds> least_s;  // least time of all evaluated combinations
};

struct TuneFindings {
  std::string name;
  std::string description;
  Space space = Space({});
  std::optional<double> default_value = {};  // value of the objective with the default values
  std::vector<TuneSearch> searches = {};
  std::vector<Sensitivity> sensitivities = {};
  std::size_t evaluated = 0;            // distinct combinations, by all searches
  std::size_t failed_combinations = 0;  // evaluated, but without a value as a simulation failed
  std::vector<PointGain> points = {};
  // By parameter: why no simulation models it; empty: simulations model it.
  std::vector<std::string> without_effect = {};
  std::vector<bool> is_by_size = {};      // by parameter, if rules choose; otherwise empty
  std::vector<std::string> remarks = {};  // omissions and their reasons
  std::size_t simulations = 0;
  std::size_t failed_simulations = 0;

  // The search that found the best; null if all combinations failed.
  const TuneSearch* best_search() const;
  const Evaluated* best() const;
  // The best value of brute force, if it was run and no simulation failed.
  std::optional<double> true_best() const;
};

class TuneRun {
 public:
  // `file` must outlive this object. `rules`: choose algorithms by message size, for this format.
  TuneRun(const TuneFile& file, RunPoints run,
          std::optional<algorithms::selection::RulesFormat> rules = {});

  // Errors of the file: points that are impossible with the default values.
  std::vector<Error> prepare();
  // Error: a search could not continue, or was interrupted.
  Result<TuneFindings> run();

  // Values of the last stage, whether the searches evaluated them or not.
  Result<std::vector<std::optional<double>>> values(const std::vector<Combination>& combinations);
  // The largest sampling error of their points.
  Result<double> sampling_error(const Combination& combination) {
    return stages_.back().sampling_error(whole(combination));
  }
  // Points of all stages with these values; parameters chosen by message size have their defaults.
  Result<std::vector<TunedPoint>> points(const Combination& combination);
  // The choices by message size; empty: not requested.
  const std::optional<RulesBySize>& rules() const { return rules_; }

 private:
  Result<TuneSearch> search(Method method);
  // Converts a combination of `space_` to one of the file's space.
  Combination whole(const Combination& combination) const;
  std::vector<Combination> whole(std::vector<Combination> combinations) const;
  std::optional<Error> make_rules();
  // Combinations that reach the next stage.
  std::vector<Combination> survivors(std::vector<Evaluated> evaluated) const;
  std::optional<Error> settle(Evaluations& evaluations, TuneSearch& search) const;
  std::optional<Error> compare();
  void report_parameters();
  void report_memory(const std::vector<Evaluated>& all);

  const TuneFile& file_;
  Space whole_space_;  // of the file
  Space space_;        // the same, or without the choices that rules make by message size
  PointTimes times_;
  std::vector<TuneStage> stages_;  // not empty
  std::optional<algorithms::selection::RulesFormat> rules_format_;
  std::optional<RulesBySize> rules_;
  TuneFindings findings_;
};

// Tunes every objective of a study separately.
struct TunedObjective {
  std::string name;
  TuneFindings findings;
};
Result<std::vector<TunedObjective>> tune_each(const TuneFile& file, const RunPoints& run);

// The best values of a search, for `sim params put`. `points` have these values. Omits
// parameters that the best combination does not use, that no simulation models, or that
// omitted_parameters returns.
store::ParameterSet tuned_set(const TuneFile& file, const TuneFindings& findings,
                              const std::vector<TunedPoint>& points);
// Names, in the file, of parameters at their default without an effect in the evaluated
// combinations.
std::vector<std::string> omitted_parameters(const TuneFile& file, const TuneFindings& findings);

}  // namespace tutti::studies::tuning
