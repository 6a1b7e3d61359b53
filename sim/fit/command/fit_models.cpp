// SPDX-License-Identifier: BSD-3-Clause
// sim fit models: the parameters of implementation-derived models, from experiments on a simulated
// machine.

#include "sim/base/common.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/platform.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/fit/command/fit.hpp"
#include "sim/fit/command/fit_data.hpp"
#include "sim/fit/command/fit_models_request.hpp"
#include "sim/fit/command/model_jobs.hpp"
#include "sim/fit/report/model_fit_report.hpp"
#include "sim/studies/memory_estimate.hpp"

namespace tutti::commands {
namespace {

using studies::ModelExperiment;
using studies::ModelTerms;

constexpr std::int64_t usual_procs[] = {4, 8, 16, 40, 90};

// At least one, however small the machine is.
std::vector<std::int64_t> usual_procs_on(const platforms::Machine& machine,
                                         const studies::Sweep& sweep) {
  std::vector<std::int64_t> procs;
  for (const auto each : usual_procs) {
    auto placement = sweep.common.placement;
    placement.procs = static_cast<int>(each);
    if (!sweep.ppn.empty()) placement.ppn = static_cast<int>(sweep.ppn.front());
    if (procs.empty() || platforms::place(machine, placement)) procs.push_back(each);
  }
  return procs;
}

// Numbers of processes that were not given, and the ends of the eager protocols, where times jump.
void complete_axes(FitModelsRequest& request, const platforms::Machine& machine, bool has_sizes) {
  for (auto& sweep : request.sweeps) {
    if (sweep.procs.empty()) sweep.procs = usual_procs_on(machine, sweep);
    if (has_sizes || sweep.message_bytes.size() < 2) continue;
    auto& sizes = sweep.message_bytes;
    const auto range = std::ranges::minmax(sizes);
    for (const Bytes limit : {machine.inter.eager_max, machine.intra.eager_max})
      for (const Bytes size : {limit, limit + 1})
        if (size > range.min && size < range.max) sizes.push_back(size);
    std::ranges::sort(sizes);
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  }
}

// The sizes of a gather that are small beside most broadcasts, and no segment size.
Bytes gather_bytes_of(std::size_t index, Bytes segment_bytes) {
  constexpr Bytes sizes[] = {256, 1024, 4096, 16384};
  const Bytes size = sizes[index % std::size(sizes)];
  return size == segment_bytes ? size / 2 : size;
}

// Of a root that sends: others' ends it does not see.
bool ends_elsewhere(const algorithms::Algorithm& algorithm) {
  return algorithm.collective == "bcast" || algorithm.collective.starts_with("scatter");
}

// An algorithm that was named must run; of all of them those do that can.
Result<std::vector<studies::Point>> calls_of(const FitModelsRequest& request, studies::Sweep sweep,
                                             const std::string& algorithm,
                                             const platforms::Machine& machine) {
  if (!request.names_algorithms)
    return studies::calls_that_run(std::move(sweep), algorithm, machine);
  sweep.algorithms = {algorithm};
  auto points = TUTTI_TRY(studies::points_of(sweep, machine));
  return std::move(points.all);
}

// A segment that holds the whole message, where calls in one piece are made, too.
bool is_repeated(const studies::Point& point, const studies::Sweep& sweep) {
  const auto& args = point.call.args;
  return args.segment_bytes > 0 && args.segment_bytes >= args.message_bytes &&
         std::ranges::find(sweep.segment_bytes, 0) != sweep.segment_bytes.end();
}

// The smallest message that is not eager any more is no multiple of a segment: its last one would
// be charged as a whole one.
bool is_cut_unevenly(const studies::Point& point, const platforms::Machine& machine) {
  const auto& args = point.call.args;
  return args.segment_bytes > 0 && (args.message_bytes == machine.inter.eager_max + 1 ||
                                    args.message_bytes == machine.intra.eager_max + 1);
}

// A call of so many segments takes long, and shows no more than one of fewer.
bool is_too_long(const studies::Point& point, const platforms::Machine& machine) {
  constexpr std::int64_t most_messages = 50'000;
  const auto* algorithm = point.call.algorithm;
  return point.call.args.segment_bytes > 0 && algorithm->messages != nullptr &&
         algorithm->messages(studies::model_args(point, machine)) > most_messages;
}

// Calls that run as the algorithm they name.
Result<std::vector<ModelExperiment>> experiments_of(const FitModelsRequest& request,
                                                    const platforms::Machine& machine) {
  std::vector<ModelExperiment> experiments;
  for (const auto& sweep : request.sweeps)
    for (const auto& algorithm : sweep.algorithms) {
      auto points = TUTTI_TRY(calls_of(request, sweep, algorithm, machine));
      for (auto& point : points) {
        if (!workloads::runs_as(point.call, point.placement.procs).empty()) continue;
        if (is_repeated(point, sweep) || is_too_long(point, machine) ||
            is_cut_unevenly(point, machine))
          continue;
        ModelExperiment experiment{std::move(point), {}};
        if (request.with_gather && ends_elsewhere(*experiment.point.call.algorithm))
          experiment.gather_bytes =
              gather_bytes_of(experiments.size(), experiment.point.call.args.segment_bytes);
        experiments.push_back(std::move(experiment));
      }
    }
  if (experiments.empty())
    return usage_error("--algorithm", "none of these runs as itself with such messages",
                       "larger messages, or another number of processes");
  return experiments;
}

struct ModelKey {
  const algorithms::Algorithm* algorithm;
  int fanout;
  auto operator<=>(const ModelKey&) const = default;
};

ModelKey key_of(const studies::Point& point) {
  return {point.call.algorithm, point.call.args.fanout};
}

studies::ModelObservation observation_of(const ModelExperiment& experiment, Seconds time_s,
                                         const platforms::Machine& machine,
                                         const algorithms::models::Gamma& gamma) {
  const auto& point = experiment.point;
  return {.form = algorithms::models::stage_form(*point.call.algorithm,
                                                 studies::model_args(point, machine), gamma),
          .gather_messages = experiment.gather_bytes ? point.placement.procs - 1.0 : 0.0,
          .gather_bytes = experiment.gather_bytes.value_or(0),
          .time_s = time_s};
}

// What the model predicts for a whole experiment.
Seconds predicted(const studies::ProcsModel& model, const studies::ModelObservation& of) {
  const auto size = static_cast<double>(of.gather_bytes);
  const auto& own = model.class_of(of.gather_bytes);
  const Seconds alpha_s =
      model.gather_beta_s_per_B ? model.gather_alpha_s.value_or(0) : own.alpha_s;
  return studies::predicted_time(model, of.form) +
         of.gather_messages *
             (alpha_s + model.gather_beta_s_per_B.value_or(own.beta_s_per_B) * size);
}

// Answers of the experiments, as far as they have one.
class Fitting {
 public:
  Fitting(const FitModelsRequest& request, const platforms::Machine& machine,
          const std::vector<ModelExperiment>& experiments)
      : request_(request), machine_(machine), experiments_(experiments) {}

  // The first answers are those of gamma's experiments.
  void fit(const studies::PointsRun& run, std::size_t gamma_count,
           reports::ModelFitReport& report) {
    std::vector<Seconds> gamma_times;
    for (std::size_t i = 0; i < gamma_count; ++i)
      gamma_times.push_back(studies::precise_time_in(*run.answers[i]).mean_s);
    const auto gamma = studies::gamma_of(gamma_times);
    report.gamma_residual = gamma.largest_residual;
    describe(report.file);
    report.file.gamma = gamma.gamma;
    for (std::size_t i = gamma_count; i < experiments_.size(); ++i)
      if (run.answers[i])
        observe(experiments_[i], studies::precise_time_in(*run.answers[i]), gamma.gamma);
    for (const auto& key : order_) add_model(key, report);
  }

 private:
  struct Observed {
    std::vector<const ModelExperiment*> experiments;
    std::vector<studies::PreciseTime> times;
    std::vector<studies::ModelObservation> observations;
  };

  void describe(studies::ModelFile& file) const {
    const auto& first = experiments_.back();  // one of those of the models, as all are placed
    file.platform = request_.platform;
    file.platform_hash = machine_.content_hash;
    file.ppn = first.point.placement.ppn.value_or(0);
    file.map = studies::map_name(first.point.placement);
    file.terms = request_.terms == ModelTerms::extended ? "extended" : "published";
    file.experiment =
        std::ranges::any_of(experiments_,
                            [](const auto& each) { return each.gather_bytes.has_value(); })
            ? "gather"
            : "alone";
    if (!request_.times.empty()) file.source = fmt::format("{}", fmt::join(request_.times, ", "));
    file.gamma_segment_bytes = request_.gamma_bytes;
  }

  // A call that takes no time has nothing to tell.
  void observe(const ModelExperiment& experiment, const studies::PreciseTime& time,
               const algorithms::models::Gamma& gamma) {
    if (time.mean_s <= 0) return;
    const ModelKey key = key_of(experiment.point);
    if (!observed_.contains(key)) order_.push_back(key);
    const auto& args = experiment.point.call.args;
    const bool segmented = !studies::is_in_one_piece(args.message_bytes, args.segment_bytes);
    auto& observed = observed_[key][{segmented, experiment.point.placement.procs}];
    observed.experiments.push_back(&experiment);
    observed.times.push_back(time);
    observed.observations.push_back(observation_of(experiment, time.mean_s, machine_, gamma));
  }

  void add_model(const ModelKey& key, reports::ModelFitReport& report) const {
    studies::AlgorithmModel model{.collective = std::string(key.algorithm->collective),
                                  .algorithm = std::string(key.algorithm->name)};
    if (key.algorithm->default_fanout > 0) model.fanout = key.fanout;
    for (const auto& [kind, observed] : observed_.at(key)) {
      model.of_procs.push_back(fitted(kind.second, observed));
      for (std::size_t i = 0; i < observed.times.size(); ++i)
        report.calls.push_back(fitted_call(observed, i, model.of_procs.back()));
    }
    report.file.models.push_back(std::move(model));
  }

  studies::ProcsModel fitted(int procs, const Observed& observed) const {
    auto model = studies::fit_model(observed.observations, request_.terms);
    model.procs = procs;
    for (const auto* each : observed.experiments)
      model.range.add(each->point.call.args.message_bytes, each->point.call.args.segment_bytes);
    return model;
  }

  static reports::FittedCall fitted_call(const Observed& observed, std::size_t index,
                                         const studies::ProcsModel& model) {
    const auto& call = observed.experiments[index]->point.call;
    return {.collective = std::string(call.algorithm->collective),
            .algorithm = std::string(call.algorithm->name),
            .procs = model.procs,
            .message_bytes = call.args.message_bytes,
            .segment_bytes = call.args.segment_bytes,
            .observed = observed.times[index],
            .predicted_s = predicted(model, observed.observations[index])};
  }

  const FitModelsRequest& request_;
  const platforms::Machine& machine_;
  const std::vector<ModelExperiment>& experiments_;
  std::vector<ModelKey> order_;
  // By whether the calls are segmented, and their number of processes.
  std::map<ModelKey, std::map<std::pair<bool, int>, Observed>> observed_;
};

Result<int> write_models(const FitModelsRequest& request, const reports::ModelFitReport& report) {
  const auto document = reports::model_fit_document(report);
  std::vector<std::string> comments{"Models of collectives, made by Tutti:", request.command,
                                    "time = sum over the messages of the stages (alpha + beta "
                                    "bytes) + hops (lambda + mu bytes)"};
  const std::string text = studies::model_file_text(report.file, comments);
  TUTTI_TRY(write_report_file(document, request.outputs));
  if (!request.output || request.output == "-") return print(text);
  if (const auto error = write_file(*request.output, text)) return *error;
  return write_document(document, request.outputs.shown);
}

// The experiments behind gamma come first.
struct ObservedTimes {
  std::vector<ModelExperiment> experiments;
  std::size_t gamma_count = 0;
  studies::PointsRun run;
};

void add_measured(const std::vector<studies::PreciseTime>& times, studies::PointsRun& run) {
  for (const auto& time : times) run.answers.emplace_back(studies::row_of(time));
}

// Gamma's are simulated where they were not measured.
Result<ObservedTimes> measured_observations(const FitModelsRequest& request,
                                            const platforms::Machine& machine,
                                            const Diagnostics& diagnostics) {
  const auto rows = TUTTI_TRY(FitData(request.only, diagnostics).collectives(request.times));
  auto measured = studies::measured_experiments(rows, request.measured, machine);
  if (!measured) return studies::in_file(measured.errors(), request.times.front());
  const auto& gamma_times = measured->gamma_times;
  const int most =
      gamma_times.empty() ? request.gamma_procs : static_cast<int>(gamma_times.size()) + 1;
  auto gamma = TUTTI_TRY(studies::gamma_experiments(machine, request.gamma_bytes, most, {}));
  ObservedTimes found;
  found.experiments = std::move(gamma);
  found.gamma_count = gamma_times.empty() ? found.experiments.size() : gamma_times.size();
  if (gamma_times.empty()) {
    diagnostics.note(
        fmt::format("gamma is simulated: the files have no bcast basic_linear of {} "
                    "with 2, 3, ... processes",
                    format_bytes(request.gamma_bytes)));
    found.run = run_check(simulations_of(found.experiments, machine), request.jobs, diagnostics);
  }
  for (const Seconds time_s : gamma_times) add_measured({{.mean_s = time_s}}, found.run);
  found.experiments.resize(found.gamma_count, found.experiments.front());
  std::ranges::move(measured->experiments, std::back_inserter(found.experiments));
  add_measured(measured->times, found.run);
  const auto skipped = measured->without_algorithm + measured->other_algorithm;
  if (skipped > 0)
    diagnostics.note(fmt::format(
        "left out: {} whose algorithm is not named, {} that run as another "
        "algorithm or have no model",
        counted(measured->without_algorithm, "row"), counted(measured->other_algorithm, "call")));
  return found;
}

Result<ObservedTimes> simulated_observations(const FitModelsRequest& request,
                                             const platforms::Machine& machine,
                                             const Diagnostics& diagnostics) {
  auto gamma =
      TUTTI_TRY(studies::gamma_experiments(machine, request.gamma_bytes, request.gamma_procs,
                                           request.sweeps.front().common.benchmark.noise));
  ObservedTimes found;
  found.experiments = std::move(gamma);
  found.gamma_count = found.experiments.size();
  auto calls = TUTTI_TRY(experiments_of(request, machine));
  std::ranges::move(calls, std::back_inserter(found.experiments));
  if (auto errors =
          studies::job_errors(found.experiments, machine, request.force, &ModelExperiment::point);
      !errors.empty())
    return errors;
  found.run = run_check(simulations_of(found.experiments, machine), request.jobs, diagnostics);
  return found;
}

Result<int> fit_and_write(const FitModelsRequest& request, const platforms::Machine& machine,
                          const ObservedTimes& of, const Diagnostics& diagnostics) {
  if (of.run.not_run > 0) {
    diagnostics.note(
        fmt::format("nothing is written: {} were not run", counted(of.run.not_run, "simulation")));
    return of.run.code;
  }
  for (std::size_t i = 0; i < of.gamma_count; ++i)
    if (!of.run.answers[i]) return of.run.code;
  reports::ModelFitReport report;
  begin_report(report, request, machine, of.run);
  Fitting(request, machine, of.experiments).fit(of.run, of.gamma_count, report);
  if (report.file.models.empty()) return of.run.code;
  for (const auto& warning : reports::model_fit_warnings(report.file)) diagnostics.warning(warning);
  TUTTI_TRY(write_models(request, report));
  return of.run.code;
}

Result<int> run_fit_models(const OptionValues& parsed, const Diagnostics& diagnostics) {
  auto request = TUTTI_TRY(request_of(parsed, fit_models_options(), "fit models"));
  const auto machine = TUTTI_TRY(platforms::load_machine(request.platform, request.overrides));
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  complete_axes(request, machine, parsed.has("--message-size"));
  const auto observed = request.times.empty()
                            ? simulated_observations(request, machine, diagnostics)
                            : measured_observations(request, machine, diagnostics);
  if (!observed) return parsed.placed(observed.errors());
  return fit_and_write(request, machine, *observed, diagnostics);
}

}  // namespace

const Subcommand fit_models{
    .usage = "models",
    .summary = "models of collectives, from experiments on a simulated machine",
    .help =
        "Finds, for each algorithm, what a message costs in its stages (alpha, beta) by Huber's "
        "regression over simulated experiments, and gamma(P) of the machine, as Nuriyev and "
        "Lastovetsky do; writes them as TOML. --times fits to measured times instead. `sim select` "
        "chooses algorithms by them.",
    .specs = fit_models_options(),
    .run = run_fit_models};

}  // namespace tutti::commands
