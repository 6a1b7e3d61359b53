// SPDX-License-Identifier: BSD-3-Clause
// Summarizes the comparison of collective calls with their formulas: the errors of each formula,
// their places and causes, and whether it ranks the algorithms correctly.
#pragma once

#include "sim/base/common.hpp"
#include "sim/studies/study_runner.hpp"
#include "sim/studies/sweep.hpp"
#include "sim/validate/checked_call.hpp"

namespace tutti::studies {

// True if one number of processes runs with different numbers per node; places then show both:
// "64/16 x 1 KiB".
bool ppn_varies(const std::vector<CheckedCall>& calls);

// The parts of a formula's error, in the order in which they are switched off.
struct ErrorPart {
  const char* name;
  std::optional<double> ModelError::*member;
};
inline constexpr std::array error_parts{
    ErrorPart{"links", &ModelError::links},     ErrorPart{"nics", &ModelError::nics},
    ErrorPart{"nodes", &ModelError::nodes},     ErrorPart{"protocol", &ModelError::protocol},
    ErrorPart{"formula", &ModelError::formula}, ErrorPart{"parameters", &ModelError::parameters}};

// A call and one of its formulas.
struct ModelEntry {
  const CheckedCall* call;
  const Formula* formula;
  ModelError error;

  // `error`, or `contention_free_error` if contention was not simulated.
  std::optional<double> relevant() const {
    return error.error ? error.error : error.contention_free_error;
  }
  // Simulated time divided by the formula's; unset if the latter is 0.
  std::optional<double> simulated_over_model() const;
};
std::vector<ModelEntry> model_entries(const std::vector<CheckedCall>& calls);

// Errors of one collective, algorithm and model; numbers are unset if no call has an error.
struct ModelErrors {
  ModelEntry first;
  std::int64_t calls = 0;
  std::optional<double> median = {};  // of the absolute errors
  std::optional<double> p90 = {};
  // The call whose ratio of simulated time and formula is farthest from 1: its signed error,
  // simulated over formula, and its place, "8 x 4 B".
  std::optional<double> worst = {};
  std::optional<double> worst_ratio = {};
  std::optional<std::string> worst_at = {};
  std::optional<double> median_ratio = {};  // simulated over formula
  // Each part's share of the sum of the absolute values of all parts, and the name of the largest;
  // unset if the parts were not simulated.
  std::array<std::optional<double>, error_parts.size()> shares = {};
  std::optional<std::string> mostly = {};
};
std::vector<ModelErrors> model_errors(const std::vector<CheckedCall>& calls);

// How one model ranks the algorithms of a setting (collective, processes, placement, size). Pairs
// of algorithms count if their simulated times differ by more than 1 %; equal formulas rank no pair
// correctly.
// Among equal formulas the slowest algorithm counts as the model's choice, since the model does not
// distinguish them.
struct ModelSetting {
  std::int64_t pairs = 0;
  std::int64_t right = 0;
  const CheckedCall* best = nullptr;    // by simulation
  const CheckedCall* choice = nullptr;  // of the model
  const Formula* formula = nullptr;     // of the choice

  // Simulated time of the choice divided by that of the best algorithm, minus 1.
  double regret() const { return choice->simulated_s() / best->simulated_s() - 1; }
};
std::vector<ModelSetting> model_settings(const std::vector<CheckedCall>& calls);

// Ranking by one model over all settings of a collective.
struct ModelRanking {
  ModelSetting worst;  // the setting with the largest regret
  std::string worst_at;
  std::int64_t settings = 0;
  std::int64_t pairs = 0;
  std::int64_t right = 0;
  std::int64_t best = 0;  // choices within 1 % of the best
  double median_regret = 0;
  double p90_regret = 0;

  std::optional<double> correct_fraction() const;
};
std::vector<ModelRanking> model_rankings(const std::vector<CheckedCall>& calls);

// Plans and runs the comparison.

struct ModelCheckSpec {
  std::vector<Sweep> sweeps;            // one per collective
  std::vector<std::string> models;      // "hockney", "loggp"
  std::string parameters = "platform";  // see find_parameters
  ModelCheckOptions options;
};
struct ModelCheckPlan {
  std::vector<Point> points;  // calls that have a formula, at least one
  ModelParameters parameters;
};
// The places of errors are options.
Result<ModelCheckPlan> plan_model_check(const ModelCheckSpec& spec,
                                        const platforms::Machine& machine, bool force);

struct CheckedCalls {
  std::vector<CheckedCall> calls;  // calls that were simulated
  PointsRun run;
};
CheckedCalls simulate_calls(const ModelCheckSpec& spec, const ModelCheckPlan& plan,
                            const platforms::Machine& machine, const RunPoints& run);

}  // namespace tutti::studies
