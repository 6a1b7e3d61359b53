// SPDX-License-Identifier: BSD-3-Clause
// What many collective calls beside their formulas say together: where each formula is how far off
// and why, and whether it ranks the algorithms rightly.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/checked_call.hpp"
#include "sim/studies/study_runner.hpp"
#include "sim/studies/sweep.hpp"

namespace tutti::studies {

// One number of processes runs with different numbers on a node: then places tell both, "64/16 x 1
// KiB".
bool ppn_varies(const std::vector<CheckedCall>& calls);

// The parts of a formula's error, in the order in which they are switched off.
struct ErrorPart {
  const char* name;
  std::optional<double> ModelError::*member;
};
inline constexpr std::array error_parts{
    ErrorPart{"links", &ModelError::links},     ErrorPart{"cards", &ModelError::nics},
    ErrorPart{"nodes", &ModelError::nodes},     ErrorPart{"protocol", &ModelError::protocol},
    ErrorPart{"formula", &ModelError::formula}, ErrorPart{"parameters", &ModelError::parameters}};

// One call beside one formula.
struct ModelEntry {
  const CheckedCall* call;
  const Formula* formula;
  ModelError error;

  // `error`, or `contention_free_error` where nothing else was simulated.
  std::optional<double> relevant() const {
    return error.error ? error.error : error.contention_free_error;
  }
  // Nothing where the formula takes no time.
  std::optional<double> simulated_over_model() const;
};
std::vector<ModelEntry> model_entries(const std::vector<CheckedCall>& calls);

// Of a collective, algorithm and model; numbers are missing where no call has an error.
struct ModelErrors {
  ModelEntry first;
  std::int64_t calls = 0;
  std::optional<double> median = {};  // without their signs
  std::optional<double> p90 = {};
  // Where simulated time and formula are farthest apart by a factor: the error with its sign,
  // simulated over formula, and the place, "8 x 4 B".
  std::optional<double> worst = {};
  std::optional<double> worst_ratio = {};
  std::optional<std::string> worst_at = {};
  std::optional<double> median_ratio = {};  // simulated over formula
  // Each part's share of the sum of all parts without their signs, and the greatest one's name;
  // missing where the parts were not simulated.
  std::array<std::optional<double>, error_parts.size()> shares = {};
  std::optional<std::string> mostly = {};
};
std::vector<ModelErrors> model_errors(const std::vector<CheckedCall>& calls);

// The algorithms of a setting (collective, processes, placement, size), of several, for one model.
// Of the pairs whose simulated times differ by more than 1 % how many the model orders so (equal
// formulas order nothing); of equal formulas the slowest algorithm is its choice: nothing in the
// model speaks against it.
struct ModelSetting {
  std::int64_t pairs = 0;
  std::int64_t right = 0;
  const CheckedCall* best = nullptr;    // by simulation
  const CheckedCall* choice = nullptr;  // of the model
  const Formula* formula = nullptr;     // of the choice

  // Simulated time of the choice over the best one's less 1.
  double regret() const { return choice->simulated_s() / best->simulated_s() - 1; }
};
std::vector<ModelSetting> model_settings(const std::vector<CheckedCall>& calls);

// Of a collective and model, over its settings.
struct ModelRanking {
  ModelSetting worst;  // of the largest regret
  std::string worst_at;
  std::int64_t settings = 0;
  std::int64_t pairs = 0;
  std::int64_t right = 0;
  std::int64_t best = 0;  // choices within 1 % of the best
  double median_regret = 0;
  double p90_regret = 0;

  std::optional<double> right_part() const;
};
std::vector<ModelRanking> model_rankings(const std::vector<CheckedCall>& calls);

// From what is asked for to checked calls.

struct ModelCheckSpec {
  std::vector<Sweep> sweeps;            // of each collective
  std::vector<std::string> models;      // of "hockney", "loggp"
  std::string parameters = "platform";  // as parameters_of takes them
  ModelCheckOptions options;
};
struct ModelCheckPlan {
  std::vector<Point> points;  // calls that have a formula, one at least
  ModelParameters parameters;
};
// Errors name options.
Result<ModelCheckPlan> plan_model_check(const ModelCheckSpec& spec,
                                        const platforms::Machine& machine, bool force);

struct CheckedCalls {
  std::vector<CheckedCall> calls;  // that have an answer
  PointsRun run;
};
CheckedCalls checked_calls(const ModelCheckSpec& spec, const ModelCheckPlan& plan,
                           const platforms::Machine& machine, const RunPoints& run);

}  // namespace tutti::studies
