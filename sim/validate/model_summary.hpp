// SPDX-License-Identifier: BSD-3-Clause
// Compares the times of collective calls by formulas with simulations, and summarizes the
// comparison: the errors of each formula, their places and causes, and whether it ranks the
// algorithms correctly.
#pragma once

#include "sim/base/common.hpp"
#include "sim/jobs/point.hpp"
#include "sim/studies/study_runner.hpp"
#include "sim/studies/sweep.hpp"
#include "sim/validate/model_parameters.hpp"

namespace tutti::studies {

// The error of a formula, divided into the effects that the formula neglects. The effects are
// switched off in turn, each in addition to those before it, so that the parts add up to the error:
//   links     links between the ends of routes are shared    contention on   -> off
//   nics      the ends of routes are shared: the NIC of a    contention off  -> private (or pooled)
//             node by its ranks; on a torus, where these are
//             links of the network, also by others' messages
//   nodes     messages inside a node use another path        private, and the network everywhere
//   protocol  eager limits, handshakes, copies               the same, and all messages eager
//   formula   everything else that the formula neglects      that            -> formula, with
//             parameters derived from the message protocol (platforms/parameters/models.hpp)
//   parameters  the given parameters instead                 that            -> formula

// The simulations to run for each point.
struct ModelCheckOptions {
  bool with_contention = true;
  bool without_contention = true;
  bool parts = true;  // needs both
};

struct ModelTimes {
  std::optional<Seconds> time_s{};             // all links are shared
  std::optional<Seconds> contention_free_s{};  // --contention off
  // The other simulations of the list above; unset without `parts`.
  std::optional<Seconds> private_s{};
  std::optional<Seconds> one_rank_nodes_s{};
  std::optional<Seconds> eager_s{};
};

struct ModelError {
  std::optional<double> error;                  // (formula - time_s) / time_s
  std::optional<double> contention_free_error;  // the same against contention_free_s
  // The signed contribution of each effect to `error`.
  std::optional<double> links, nics, nodes, protocol, formula, parameters;
};

// Simulates with engine `flow`, in this process. `apart` and `eager` are the machine without nodes,
// and without nodes and protocol (platforms/changed_machine.hpp).
struct SimplifiedMachines {
  explicit SimplifiedMachines(const platforms::Machine& machine);
  const platforms::Machine& full;
  platforms::Machine apart;
  platforms::Machine eager;
};
Result<ModelTimes> model_times(const Point& point, const SimplifiedMachines& machines,
                               const ModelCheckOptions& options);

struct FormulaTimes {
  Seconds given_s = 0;    // with the parameters that are checked
  Seconds derived_s = 0;  // with those derived from the message protocol
};
// Errors are unset for a simulated time of 0.
ModelError model_error(const ModelTimes& times, const FormulaTimes& formula);

struct Formula {
  std::string model;  // "hockney", "loggp"
  std::string set;    // name of the parameter set
  FormulaTimes times;

  Seconds time_s() const { return times.given_s; }
};

struct CheckedCall {
  std::string collective;
  std::string algorithm;  // with its segment size or fan-out if these are not the default
  std::int64_t procs = 0;
  std::int64_t nodes = 0;
  std::int64_t ppn = 0;
  std::string map;
  Bytes message_bytes = 0;
  ModelTimes times;
  std::vector<Formula> formulas;

  // The time that formulas are compared with: with contention if that was simulated, else without.
  Seconds simulated_s() const {
    return times.time_s ? *times.time_s : times.contention_free_s.value_or(0);
  }
};

// Fills everything but the simulated times. `models` contains "hockney", "loggp". The algorithm
// must have a formula, and the job must fit on the machine.
CheckedCall make_checked_call(const Point& point, const platforms::Machine& machine,
                              const std::vector<std::string>& models,
                              const ModelParameters& parameters);

// Conversion to and from the row that a child process returns.
Row make_row(const ModelTimes& times);
ModelTimes read_times(const Row& row);

// The number of formulas whose absolute error exceeds `most_error`, and the worst one. Errors are
// relative to the simulation with contention, or without if only that was run.
struct FarOff {
  std::size_t above = 0;
  std::size_t all = 0;
  const CheckedCall* worst = nullptr;
  std::string worst_model;
  double worst_error = 0;
};
FarOff far_off(const std::vector<CheckedCall>& calls, double most_error);

// The summary.

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
