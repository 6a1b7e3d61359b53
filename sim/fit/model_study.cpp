// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/model_study.hpp"

#include "sim/jobs/memory_estimate.hpp"
#include "sim/jobs/run_point.hpp"

namespace tutti::studies {
namespace {

constexpr std::int64_t usual_procs[] = {4, 8, 16, 40, 90};

// At least one, even on a small machine.
std::vector<std::int64_t> usual_procs_on(const platforms::Machine& machine, const Sweep& sweep) {
  std::vector<std::int64_t> procs;
  for (const auto count : usual_procs) {
    auto placement = sweep.common.placement;
    placement.procs = static_cast<int>(count);
    if (!sweep.ppn.empty()) placement.ppn = static_cast<int>(sweep.ppn.front());
    if (procs.empty() || platforms::place(machine, placement)) procs.push_back(count);
  }
  return procs;
}

// The blocks of the gather are together a quarter of the message at most, so that the call
// dominates the experiment (section 4.2), vary from one experiment to the next, and are not a
// segment's size.
Bytes gather_bytes_of(std::size_t index, const Point& point) {
  const auto& args = point.call.args;
  const Bytes most = args.message_bytes / std::max(point.placement.procs - 1, 1) / 4;
  const Bytes size = std::max<Bytes>(most >> index % 4, 1);
  return size == args.segment_bytes ? size + 1 : size;
}

// True if the root sends: it does not observe the end of the other ranks.
bool ends_elsewhere(const algorithms::Algorithm& algorithm) {
  return algorithm.collective == "bcast" || algorithm.collective.starts_with("scatter");
}

// An algorithm that was named must run; of all algorithms, those that can run are used.
Result<std::vector<Point>> calls_of(const ModelSpec& spec, Sweep sweep,
                                    const std::string& algorithm,
                                    const platforms::Machine& machine) {
  if (!spec.names_algorithms) return calls_that_run(std::move(sweep), algorithm, machine);
  sweep.algorithms = {algorithm};
  auto points = TUTTI_TRY(make_points(sweep, machine));
  return std::move(points.all);
}

// True if one segment contains the whole message and unsegmented calls are simulated as well.
bool is_repeated(const Point& point, const Sweep& sweep) {
  const auto& args = point.call.args;
  return args.segment_bytes > 0 && args.segment_bytes >= args.message_bytes &&
         std::ranges::find(sweep.segment_bytes, 0) != sweep.segment_bytes.end();
}

// The smallest message that is no longer eager is not a multiple of a segment: its last segment
// would be counted as a full one.
bool is_cut_unevenly(const Point& point, const platforms::Machine& machine) {
  const auto& args = point.call.args;
  return args.segment_bytes > 0 && (args.message_bytes == machine.inter.eager_max + 1 ||
                                    args.message_bytes == machine.intra.eager_max + 1);
}

// A call of so large a number of segments takes long and shows no more than one with fewer.
bool is_too_long(const Point& point, const platforms::Machine& machine) {
  constexpr std::int64_t most_messages = 50'000;
  const auto* algorithm = point.call.algorithm;
  return point.call.args.segment_bytes > 0 && algorithm->messages != nullptr &&
         algorithm->messages(model_args(point, machine)) > most_messages;
}

// Calls that run the algorithm that they name.
Result<std::vector<ModelExperiment>> experiments_of(const ModelSpec& spec,
                                                    const platforms::Machine& machine) {
  std::vector<ModelExperiment> experiments;
  for (const auto& sweep : spec.sweeps)
    for (const auto& algorithm : sweep.algorithms) {
      auto points = TUTTI_TRY(calls_of(spec, sweep, algorithm, machine));
      for (auto& point : points) {
        if (!workloads::runs_as(point.call, point.placement.procs).empty()) continue;
        if (is_repeated(point, sweep) || is_too_long(point, machine) ||
            is_cut_unevenly(point, machine))
          continue;
        ModelExperiment experiment{std::move(point), {}};
        if (spec.with_gather && ends_elsewhere(*experiment.point.call.algorithm))
          experiment.gather_bytes = gather_bytes_of(experiments.size(), experiment.point);
        experiments.push_back(std::move(experiment));
      }
    }
  if (experiments.empty())
    return usage_error("--algorithm",
                       "none of these algorithms runs with such messages without falling back",
                       "use larger messages, or another number of processes");
  return experiments;
}

struct ModelKey {
  const algorithms::Algorithm* algorithm;
  int fanout;
  auto operator<=>(const ModelKey&) const = default;
};

ModelKey key_of(const Point& point) { return {point.call.algorithm, point.call.args.fanout}; }

ModelObservation observation_of(const ModelExperiment& experiment, Seconds time_s,
                                const platforms::Machine& machine,
                                const algorithms::models::Gamma& gamma) {
  const auto& point = experiment.point;
  return {.form = algorithms::models::stage_form(*point.call.algorithm, model_args(point, machine),
                                                 gamma),
          .gather_messages = experiment.gather_bytes ? point.placement.procs - 1.0 : 0.0,
          .gather_bytes = experiment.gather_bytes.value_or(0),
          .time_s = time_s};
}

// The time that the model predicts for a whole experiment.
Seconds predicted(const ProcsModel& model, const ModelObservation& of) {
  const auto size = static_cast<double>(of.gather_bytes);
  const auto& own = model.class_of(of.gather_bytes);
  const Seconds alpha_s =
      model.gather_beta_s_per_B ? model.gather_alpha_s.value_or(0) : own.alpha_s;
  return predicted_time(model, of.form) +
         of.gather_messages *
             (alpha_s + model.gather_beta_s_per_B.value_or(own.beta_s_per_B) * size);
}

// Fits the experiments that have an answer.
class Fitting {
 public:
  Fitting(const ModelSpec& spec, const platforms::Machine& machine,
          const std::vector<ModelExperiment>& experiments)
      : spec_(spec), machine_(machine), experiments_(experiments) {}

  FittedModels fit(const ObservedTimes& of) {
    std::vector<Seconds> gamma_times;
    for (std::size_t i = 0; i < of.gamma_count; ++i)
      gamma_times.push_back(precise_time_in(*of.run.answers[i]).mean_s);
    const auto gamma = gamma_of(gamma_times);
    FittedModels found{.gamma_residual = gamma.largest_residual};
    describe(found.file);
    found.file.gamma = gamma.gamma;
    for (std::size_t i = of.gamma_count; i < experiments_.size(); ++i)
      if (of.run.answers[i])
        observe(experiments_[i], precise_time_in(*of.run.answers[i]), gamma.gamma);
    for (const auto& key : order_) add_model(key, found);
    return found;
  }

 private:
  struct Observed {
    std::vector<const ModelExperiment*> experiments;
    std::vector<PreciseTime> times;
    std::vector<ModelObservation> observations;
  };

  void describe(ModelFile& file) const {
    // An experiment of the models; all have the same placement.
    const auto& first = experiments_.back();
    file.platform_hash = machine_.content_hash;
    file.ppn = first.point.placement.ppn.value_or(0);
    file.map = map_name(first.point.placement);
    file.terms = spec_.terms == ModelTerms::extended ? "extended" : "published";
    file.experiment = std::ranges::any_of(experiments_,
                                          [](const auto& experiment) {
                                            return experiment.gather_bytes.has_value();
                                          })
                          ? "gather"
                          : "alone";
    file.gamma_segment_bytes = spec_.gamma_bytes;
  }

  // A call that takes no time is ignored.
  void observe(const ModelExperiment& experiment, const PreciseTime& time,
               const algorithms::models::Gamma& gamma) {
    if (time.mean_s <= 0) return;
    const ModelKey key = key_of(experiment.point);
    if (!observed_.contains(key)) order_.push_back(key);
    const auto& args = experiment.point.call.args;
    const bool segmented = spec_.terms == ModelTerms::extended &&
                           !is_in_one_piece(args.message_bytes, args.segment_bytes);
    auto& observed = observed_[key][{segmented, experiment.point.placement.procs}];
    observed.experiments.push_back(&experiment);
    observed.times.push_back(time);
    observed.observations.push_back(observation_of(experiment, time.mean_s, machine_, gamma));
  }

  void add_model(const ModelKey& key, FittedModels& found) const {
    AlgorithmModel model{.collective = std::string(key.algorithm->collective),
                         .algorithm = std::string(key.algorithm->name)};
    if (key.algorithm->default_fanout > 0) model.fanout = key.fanout;
    for (const auto& [kind, observed] : observed_.at(key)) {
      model.of_procs.push_back(fitted(kind.second, observed));
      for (std::size_t i = 0; i < observed.times.size(); ++i)
        found.calls.push_back(fitted_call(observed, i, model.of_procs.back()));
    }
    std::ranges::sort(model.of_procs, {},
                      [](const auto& fit) { return std::pair(!fit.range.unsegmented, fit.procs); });
    found.file.models.push_back(std::move(model));
  }

  ProcsModel fitted(int procs, const Observed& observed) const {
    auto model = fit_model(observed.observations, spec_.terms);
    model.procs = procs;
    for (const auto* experiment : observed.experiments)
      model.range.add(experiment->point.call.args.message_bytes,
                      experiment->point.call.args.segment_bytes);
    return model;
  }

  static FittedCall fitted_call(const Observed& observed, std::size_t index,
                                const ProcsModel& model) {
    const auto& call = observed.experiments[index]->point.call;
    return {.collective = std::string(call.algorithm->collective),
            .algorithm = std::string(call.algorithm->name),
            .procs = model.procs,
            .message_bytes = call.args.message_bytes,
            .segment_bytes = call.args.segment_bytes,
            .observed = observed.times[index],
            .predicted_s = predicted(model, observed.observations[index])};
  }

  const ModelSpec& spec_;
  const platforms::Machine& machine_;
  const std::vector<ModelExperiment>& experiments_;
  std::vector<ModelKey> order_;
  // Keyed by whether the calls are segmented (the published terms do not distinguish them), and by
  // their number of processes.
  std::map<ModelKey, std::map<std::pair<bool, int>, Observed>> observed_;
};

}  // namespace

void complete_axes(ModelSpec& spec, const platforms::Machine& machine, bool has_sizes) {
  for (auto& sweep : spec.sweeps) {
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

Result<ObservedTimes> simulated_observations(const ModelSpec& spec,
                                             const platforms::Machine& machine, bool force,
                                             const RunPoints& run) {
  auto gamma = TUTTI_TRY(gamma_experiments(machine, spec.gamma_bytes, spec.gamma_procs,
                                           spec.sweeps.front().common.benchmark.noise));
  ObservedTimes found;
  found.experiments = std::move(gamma);
  found.gamma_count = found.experiments.size();
  auto calls = TUTTI_TRY(experiments_of(spec, machine));
  std::ranges::move(calls, std::back_inserter(found.experiments));
  if (auto errors = job_errors(found.experiments, machine, force, &ModelExperiment::point);
      !errors.empty())
    return errors;
  found.run = run(simulations_of(found.experiments, machine));
  return found;
}

FittedModels fitted_models(const ModelSpec& spec, const platforms::Machine& machine,
                           const ObservedTimes& of) {
  return Fitting(spec, machine, of.experiments).fit(of);
}

}  // namespace tutti::studies
