// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/silas_runs.hpp"

#include "platforms/reader.hpp"
#include "sim/replay/on_platform.hpp"
#include "sim/replay/replay.hpp"
#include "sim/studies/traced_run.hpp"
#include "workloads/selection_spec.hpp"

namespace tutti::studies::silas {
namespace {

using replay::Hypothesis;
using replay::ReplayResult;
using workloads::applications::ApplicationArgs;
using workloads::traces::Trace;

// JUBL with the collectives of its tree network, as on BlueGene/L.
struct Jubl {
  platforms::Machine machine;
  workloads::SelectionSpec selection;
};

Result<Jubl> load_jubl() {
  auto machine = TUTTI_TRY(platforms::load_machine("jubl"));
  auto selection = TUTTI_TRY(workloads::parse_selection("auto,hardware", machine));
  return Jubl{std::move(machine), std::move(selection)};
}

// Times by name, in seconds: see Prediction::what.
using Times = std::map<std::string, Seconds>;

class TimesOf {
 public:
  TimesOf(const Trace& trace, const ReplayResult& result)
      : definitions_(trace.definitions), paths_(result.paths) {}

  Times of(const replay::MetricTable& table, replay::Ticks end) const {
    Times times{{"end", seconds(end)}, {"communication", 0}, {"computation", 0}};
    for (replay::PathId path = 1; path < paths_.size(); ++path) {
      const auto ticks = table.of_path(path)[static_cast<std::size_t>(replay::Metric::time)];
      const bool is_mpi = definitions_.regions[paths_.region(path)].is_mpi;
      times["all"] += seconds(ticks);
      times[is_mpi ? "communication" : "computation"] += seconds(ticks);
      for (auto each = path; each != replay::root_path; each = paths_.parent(each))
        times[paths_.name(each, definitions_.regions)] += seconds(ticks);
    }
    return times;
  }

 private:
  Seconds seconds(replay::Ticks ticks) const {
    return static_cast<Seconds>(ticks) / definitions_.ticks_per_s;
  }
  const workloads::traces::TraceDefinitions& definitions_;
  const replay::CallPaths& paths_;
};

struct Experiment {
  std::string_view figure;
  std::string_view program;
  std::string_view change;
  Hypothesis hypothesis = {};                          // what the prediction changes
  std::function<void(ApplicationArgs&)> changes = {};  // what the really changed program changes
  std::function<void(ApplicationArgs&)> sets = {};     // of both programs
};

// A program on a number of nodes.
class Runs {
 public:
  Runs(const Jubl& jubl, const Experiment& experiment, std::int64_t nodes, int ppn)
      : jubl_(jubl), experiment_(experiment) {
    job_.application = workloads::applications::find_application(experiment.program);
    job_.args = job_.application->defaults;
    job_.args.selection = jubl.selection.selection;
    if (experiment.sets) experiment.sets(job_.args);
    job_.placement.procs = static_cast<int>(nodes) * ppn;
    job_.placement.ppn = ppn;
    like_.figure = experiment.figure;
    like_.program = experiment.program;
    like_.change = experiment.change;
    like_.mode = ppn == 1 ? "CO" : "VN";
    like_.nodes = nodes;
    like_.procs = job_.placement.procs;
  }

  std::optional<Error> add_to(Predictions& all) {
    const auto original = TUTTI_TRY(record_run(job_, jubl_.machine));
    TracedJob changed = job_;
    if (experiment_.changes) experiment_.changes(changed.args);
    const Times truth = experiment_.changes
                            ? recorded(TUTTI_TRY(record_run(changed, jubl_.machine)).trace)
                            : recorded(original.trace);
    const replay::ReplayArgs args{.hypothesis = experiment_.hypothesis};
    add(original.trace, replay::replay(original.trace, args), "recorded", truth, all);
    const auto placement = TUTTI_TRY(platforms::place(jubl_.machine, job_.placement));
    const auto simulated = TUTTI_TRY(replay::replay_on_platform(
        original.trace, args,
        {.machine = jubl_.machine,
         .placement = placement,
         .selection = {.text = {}, .rules = jubl_.selection.selection}}));
    add(original.trace, simulated, "platform", truth, all);
    return std::nullopt;
  }

 private:
  static Times recorded(const Trace& trace) {
    const auto result = replay::replay(trace, {});
    return TimesOf(trace, result).of(result.before, result.end_before);
  }

  void add(const Trace& trace, const ReplayResult& result, std::string_view model,
           const Times& truth, Predictions& all) const {
    const TimesOf times(trace, result);
    const Times before = times.of(result.before, result.end_before);
    const Times after = times.of(result.after, result.end_after);
    const auto in = [](const Times& of, const std::string& what) {
      const auto found = of.find(what);
      return found == of.end() ? 0 : found->second;
    };
    for (const auto& [what, recorded_s] : before) {
      Prediction each = like_;
      each.model = model;
      each.what = what;
      each.recorded_s = recorded_s;
      each.predicted_s = in(after, what);
      each.changed_s = in(truth, what);
      all.push_back(std::move(each));
    }
  }

  const Jubl& jubl_;
  const Experiment& experiment_;
  TracedJob job_;
  Prediction like_;
};

void balance(ApplicationArgs& args) { args.load.is_balanced = true; }
void cut_empty(ApplicationArgs& args) { args.cuts_empty = true; }
// The time of the imbalanced region differs between instances, as in measured programs.
void add_noise(ApplicationArgs& args) { args.load.noise = 0.05; }

// The figures whose programs run in both modes on 32 to 512 nodes.
std::vector<Experiment> experiments_of(std::string_view figure) {
  const Hypothesis balanced{.balances = {{.region = "foo"}}};
  const Hypothesis cut{.cuts = {{.message_bytes = 0}}};
  if (figure == "5.5") return {{"5.5", "sweep3d", "identity"}};
  if (figure == "5.6-5.8")
    return {{"5.6", "xns", "identity"}, {"5.7-5.8", "xns", "cut", cut, cut_empty}};
  const std::string_view program = figure == "5.2" ? "lb-coll" : "lb-p2p";
  return {{figure, program, "identity", {}, {}, add_noise},
          {figure, program, "balanced", balanced, balance, add_noise}};
}

Result<Predictions> simulated(std::string_view figure) {
  const auto jubl = TUTTI_TRY(load_jubl());
  const bool is_xns = figure == "5.6-5.8";  // on 128 nodes in co-processor mode
  const std::vector<std::int64_t> nodes =
      is_xns ? std::vector<std::int64_t>{128} : std::vector<std::int64_t>{32, 64, 128, 256, 512};
  Predictions all;
  for (const Experiment& experiment : experiments_of(figure))
    for (const int ppn : {1, 2})
      for (const auto each : nodes) {
        if (is_xns && ppn == 2) continue;
        if (auto error = Runs(jubl, experiment, each, ppn).add_to(all)) return *std::move(error);
      }
  return all;
}

}  // namespace

std::optional<double> Prediction::deviation() const {
  if (changed_s <= 0) return std::nullopt;
  return (predicted_s - changed_s) / changed_s;
}

const Result<Predictions>& predictions_of(std::string_view figure) {
  static std::map<std::string, Result<Predictions>, std::less<>> known;
  const auto found = known.find(figure);
  if (found != known.end()) return found->second;
  return known.emplace(figure, simulated(figure)).first->second;
}

}  // namespace tutti::studies::silas
