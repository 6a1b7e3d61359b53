// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/report/reports.hpp"

namespace tutti::reports {
namespace {

using studies::tuning::Evaluated;
using studies::tuning::PointGain;
using studies::tuning::TuneSearch;

// a / b - 1; nothing if a value is missing or the divisor is 0.
std::optional<double> above(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b || *b <= 0) return std::nullopt;
  return *a / *b - 1;
}

// The time saved, as a fraction of the time with the default values; nothing if a time is missing
// or that with the default values is 0.
std::optional<double> time_saved(const std::optional<double>& default_s,
                                 const std::optional<double>& value_s) {
  if (!default_s || !value_s || *default_s <= 0) return std::nullopt;
  return (*default_s - *value_s) / *default_s;
}

// Why the sensitivity to a parameter has no number; empty: it has one.
std::string effect_text(const TuneReport& report, std::size_t parameter) {
  if (!report.is_by_size.empty() && report.is_by_size[parameter]) return "by size";
  const auto& sensitivity = report.sensitivities[parameter];
  if (!report.without_effect[parameter].empty()) return "not simulated";
  if (sensitivity.values.size() < 2) return "one value seen";
  if (sensitivity.compared == 0) return "not compared";
  if (!sensitivity.differs) return "none seen";
  if (sensitivity.spread) return "";
  return report.failed_combinations > 0 ? "seen, some failed" : "seen, sampled";
}

// The value of a parameter; no value if the parameter is not set because its condition is false.
Cell value_in(const studies::tuning::Space& space, const studies::tuning::Combination& combination,
              std::size_t parameter) {
  if (!space.applies(combination, parameter)) return {};
  return space.parameters()[parameter].values[combination[parameter]];
}

// One parameter, with its effect over all evaluated combinations.
struct TunedParameter {
  const TuneReport& report;
  std::size_t number;

  const auto& of() const { return report.space.parameters()[number]; }
  std::string effect() const { return effect_text(report, number); }
  std::string default_value() const { return of().values[of().default_value]; }
  Cell best() const {
    const Evaluated* best = report.best();
    if (best == nullptr || effect() == "by size") return {};
    return value_in(report.space, best->combination, number);
  }
  bool is_changed() const {
    const Evaluated* best = report.best();
    return best != nullptr && best->combination[number] != of().default_value;
  }
  Cell spread() const {
    return effect().empty() ? cell_of(report.sensitivities[number].spread) : Cell{};
  }
};

DocumentTable best_table(const TuneReport& report) {
  std::vector<TunedParameter> parameters;
  for (std::size_t i = 0; i < report.space.parameters().size(); ++i)
    parameters.push_back({report, i});
  TableOf table(
      parameters,
      {.title = "The best values",
       .notes = {"Sensitivity: how much longer the worst value of this parameter takes than the "
                 "best one, with the other parameters chosen well; only if all combinations were "
                 "evaluated (brute-force); seen, sampled: it has an effect of unknown size, since "
                 "only samples were evaluated (some failed: or since simulations failed); not "
                 "compared: no two combinations differ only in it; - as best value: its condition "
                 "is false"}});
  table.add("parameter", {"Parameter"}, [](auto& row) { return row.of().name; });
  table.add("default", {"Default"}, &TunedParameter::default_value);
  table.add("best", {"Best"}, &TunedParameter::best);
  table.add("changed", &TunedParameter::is_changed);
  table.add("spread", {"Sensitivity (%)", Shown::percent}, &TunedParameter::spread);
  table.add("effect", {"Effect"}, &TunedParameter::effect);
  return table.take();
}

std::vector<std::string> search_notes(const TuneReport& report) {
  std::vector<std::string> notes{
      "Cost: in evaluations of the whole problem; Gain: time saved compared with the default "
      "values; Regret: compared with the best of brute force, if it was run"};
  for (const auto& search : report.searches)
    for (const auto& remark : search.outcome.remarks)
      notes.push_back(fmt::format("{}: {}", studies::tuning::method_name(search.method), remark));
  return notes;
}

DocumentTable searches_table(const TuneReport& report) {
  TableOf table(report.searches,
                {.title = "Cost and quality of the searches", .notes = search_notes(report)});
  table.add("search", {"Search"}, &TuneSearch::name);
  table.add("evaluations", {"Evaluations"}, &TuneSearch::evaluations);
  table.add("predicted", &TuneSearch::predicted);
  table.add("cost", {"Cost", Shown::decimals}, &TuneSearch::cost);
  table.add("best_s", {"Best (us)", Shown::us}, &TuneSearch::best_s);
  table.add("gain", {"Gain (%)", Shown::percent},
            [&](auto& row) { return time_saved(report.default_value, row.best_s()); });
  table.add("above_best", {"Regret (%)", Shown::percent},
            [&](auto& row) { return above(row.best_s(), report.true_best()); });
  table.add("best_after", &TuneSearch::best_after);
  return table.take();
}

DocumentTable gains_table(const TuneReport& report) {
  TableOf table(report.points,
                {.title = "Times with the default values and with the best",
                 .notes = {"Alone: the gain with the evaluated values that are best for this time "
                           "alone; Loss: how much longer it takes than with those"}});
  table.add("point", {"Point"}, &PointGain::name);
  table.add("message_bytes", &PointGain::message_bytes);
  table.add("weight", {"Weight", Shown::significant, 1}, &PointGain::weight);
  table.add("default_s", {"Default (us)", Shown::us}, &PointGain::default_s);
  table.add("tuned_s", {"Tuned (us)", Shown::us}, &PointGain::best_s);
  table.add("gain", {"Gain (%)", Shown::signed_percent},
            [](auto& row) { return time_saved(row.default_s, row.best_s); });
  table.add("alone_s", &PointGain::least_s);
  table.add("alone_gain", {"Alone (%)", Shown::signed_percent},
            [](auto& row) { return time_saved(row.default_s, row.least_s); });
  table.add("loss", {"Loss (%)", Shown::percent},
            [](auto& row) { return above(row.best_s, row.least_s); });
  table.add("choice", shown_if(!report.is_by_size.empty(), {"Chosen by size", Shown::name, 1}),
            [](auto& row) { return text_cell(row.choice); });
  return table.take();
}

DocumentTable mca_table(const TuneReport& report) {
  using store::NamedText;
  auto notes = report.mca->notes;
  for (const auto& omission : report.mca->omitted)
    notes.push_back(studies::tuning::omission_text(omission));
  TableOf table(report.mca->settings,
                {.title = fmt::format("Settings for Open MPI {}", report.mca_version),
                 .notes = std::move(notes)});
  table.add("name", {"Name"}, &NamedText::name);
  table.add("value", {"Value"}, &NamedText::value);
  return table.take();
}

std::vector<studies::tuning::MainEffect> effects_in(const TuneReport& report) {
  std::vector<studies::tuning::MainEffect> all;
  for (const auto& search : report.searches)
    all.insert(all.end(), search.outcome.effects.begin(), search.outcome.effects.end());
  return all;
}

DocumentTable effects_table(const TuneReport& report) {
  using Effect = studies::tuning::MainEffect;
  const auto tuned_parameter = [&](const Effect& effect) -> const auto& {
    return report.space.parameters()[effect.parameter];
  };
  TableOf table(effects_in(report),
                {.title = "Main effects of the 2^k factorial",
                 .notes = {"Effect: half of the mean change from the first value to the last, over "
                           "corners that have a time with each value (-: none); Relative: its "
                           "square over the largest effect's, interactions included"}});
  table.add("parameter", {"Parameter"}, [&](auto& row) { return tuned_parameter(row).name; });
  table.add("effect_s", {"Effect (us)", Shown::us}, &Effect::effect);
  table.add("part", {"Relative (%)", Shown::percent}, &Effect::part);
  table.add("frozen_at", {"Frozen at"}, [&](auto& row) {
    return row.is_frozen ? cell_of(tuned_parameter(row).values[row.frozen_at]) : Cell{};
  });
  return table.take();
}

struct TriedValue {
  std::string parameter, value;
  studies::tuning::ValueEffect effect;
};

DocumentTable values_table(const TuneReport& report) {
  std::vector<TriedValue> values;
  for (const auto& sensitivity : report.sensitivities) {
    const auto& parameter = report.space.parameters()[sensitivity.parameter];
    for (const auto& value : sensitivity.values)
      values.push_back({parameter.name, parameter.values[value.value], value});
  }
  TableOf table(values, {.title = "All values of each parameter", .only_on_request = true});
  table.group("parameter", &TriedValue::parameter);
  table.add("value", {"Value"}, &TriedValue::value);
  table.add("evaluations", {"Evaluations"}, [](auto& row) { return row.effect.evaluations; });
  table.add("best_s", {"Best (us)", Shown::us}, [](auto& row) { return row.effect.best; });
  table.add("mean_s", {"Mean (us)", Shown::us}, [](auto& row) { return row.effect.mean; });
  return table.take();
}

struct Evaluation {
  std::string_view search;
  std::size_t number;
  const Evaluated& of;
  std::optional<double> best_so_far_s;
};

std::vector<Evaluation> list_evaluations(const TuneReport& report) {
  std::vector<Evaluation> all;
  for (const auto& search : report.searches) {
    std::optional<double> best;
    std::size_t number = 0;
    for (const auto& evaluated : search.history) {
      if (evaluated.value && (!best || *evaluated.value < *best)) best = evaluated.value;
      all.push_back({search.name(), ++number, evaluated, best});
    }
  }
  return all;
}

DocumentTable evaluations_table(const TuneReport& report) {
  TableOf table(
      list_evaluations(report),
      {.title = "All combinations evaluated on the whole problem", .only_on_request = true});
  table.add("search", &Evaluation::search);
  table.add("evaluation", &Evaluation::number);
  for (std::size_t i = 0; i < report.space.parameters().size(); ++i)
    table.add(report.space.parameters()[i].name,
              [&](auto& row) { return value_in(report.space, row.of.combination, i); });
  table.add("time_s", [](auto& row) { return row.of.value; });
  table.add("best_so_far_s", &Evaluation::best_so_far_s);
  return table.take();
}

constexpr Part<TuneReport> tune_parts[] = {
    {"best", best_table},
    {"searches", searches_table},
    {"gains", gains_table},
    {"effects", effects_table, [](auto& report) { return !effects_in(report).empty(); }},
    {"open_mpi", mca_table, [](auto& report) { return report.mca.has_value(); }},
    {"values", values_table},
    {.name = "evaluations", .table = evaluations_table, .is_first = true}};

}  // namespace

void add_failures(const studies::tuning::TuneFindings& findings, Document& document) {
  if (findings.failed_simulations == 0) return;
  document.about.push_back(
      fmt::format("{} of {} failed: {} of {} have no time and are not compared",
                  findings.failed_simulations, counted(findings.simulations, "simulation"),
                  findings.failed_combinations, counted(findings.evaluated, "combination")));
}

Document tune_document(const TuneReport& report) {
  Document document{report, "sim.tune/2"};
  document.about = {fmt::format("{}: {} of {}", report.name,
                                counted(report.space.size(), "combination"),
                                counted(report.space.dimensions(), "parameter"))};
  if (!report.description.empty()) document.about.push_back(report.description);
  document.about.push_back(fmt::format("{} evaluated by {}",
                                       counted(report.evaluated, "combination"),
                                       counted(report.simulations, "simulation")));
  add_failures(report, document);
  for (const auto& remark : report.remarks) document.about.push_back(remark);
  document.tables = tables_of(tune_parts, report);
  document.plots = {{{"x", "evaluation"},
                     {"y", "best_so_far_s"},
                     {"series", "search"},
                     {"log", "x"},
                     {"title", "The best so far"}}};
  return document;
}

std::vector<std::string> tune_document_parts() { return names_of(tune_parts); }

namespace {

using studies::tuning::Method;
using studies::tuning::TuneFindings;

constexpr double near_the_best = 0.02;

const TuneSearch* find(const TuneFindings& report, Method method) {
  const auto search = std::ranges::find(report.searches, method, &TuneSearch::method);
  return search == report.searches.end() ? nullptr : &*search;
}

struct ObjectiveSearch {
  const std::string& objective;
  const TuneFindings& of;
  const TuneSearch& search;
};

DocumentTable objectives_table(const TuneEachReport& report) {
  std::vector<ObjectiveSearch> searches;
  for (const auto& [name, findings] : report.objectives)
    for (const auto& search : findings.searches) searches.push_back({name, findings, search});
  TableOf table(searches,
                {.title = "Each objective alone: cost and quality of the searches",
                 .notes = {"Predicted: by the rule of the 2^k factorial; Cost: in evaluations of "
                           "the whole problem; Gain: time saved compared with the default values; "
                           "Regret: compared with the best of brute force, if it was run"}});
  table.group("objective", [](auto& row) { return row.objective; });
  table.add("search", {"Search"}, [](auto& row) { return row.search.name(); });
  table.add("combinations", [](auto& row) { return row.of.space.size(); });
  table.add("evaluations", {"Evaluations"}, [](auto& row) { return row.search.evaluations; });
  table.add("predicted", {"Predicted"}, [](auto& row) { return row.search.predicted; });
  table.add("cost", {"Cost", Shown::decimals}, [](auto& row) { return row.search.cost; });
  table.add("default_s", [](auto& row) { return row.of.default_value; });
  table.add("best_s", {"Best (us)", Shown::us}, [](auto& row) { return row.search.best_s(); });
  table.add("gain", {"Gain (%)", Shown::percent},
            [](auto& row) { return time_saved(row.of.default_value, row.search.best_s()); });
  table.add("above_best", {"Regret (%)", Shown::percent},
            [](auto& row) { return above(row.search.best_s(), row.of.true_best()); });
  return table.take();
}

// Results of a search over all objectives.
struct Sum {
  std::string search;
  std::size_t objectives = 0;
  std::size_t near = 0;  // within near_the_best of brute force
  std::optional<double> worst = {};
  double dearest = 0;  // largest cost relative to brute force
  double cost = 0;

  bool is_compared() const { return dearest > 0; }
};

Sum sum_search(const TuneEachReport& report, Method method) {
  Sum sum{.search = std::string(studies::tuning::method_name(method))};
  for (const auto& [name, findings] : report.objectives) {
    const auto* search = find(findings, method);
    const auto* brute_force = find(findings, Method::brute_force);
    if (search == nullptr) continue;
    ++sum.objectives;
    sum.cost += search->cost;
    if (brute_force == nullptr) continue;
    sum.dearest = std::max(sum.dearest, search->cost / brute_force->cost);
    const auto distance = above(search->best_s(), findings.true_best());
    if (!distance) continue;
    sum.near += *distance <= near_the_best ? 1 : 0;
    sum.worst = std::max(sum.worst.value_or(0), *distance);
  }
  return sum;
}

std::vector<Sum> sum_searches(const TuneEachReport& report) {
  std::vector<Sum> sums;
  for (const auto& name : studies::tuning::method_names())
    if (auto sum = sum_search(report, *studies::tuning::parse_method(name)); sum.objectives > 0)
      sums.push_back(std::move(sum));
  return sums;
}

DocumentTable summary_table(const TuneEachReport& report) {
  TableOf table(
      sum_searches(report),
      {.title = fmt::format("The searches over {} objectives", report.objectives.size()),
       .notes = {
           "Cost: over all objectives; Of brute force: largest cost relative to brute force"}});
  table.add("search", {"Search"}, &Sum::search);
  table.add("objectives", &Sum::objectives);
  table.add("cost", {"Cost", Shown::decimals}, &Sum::cost);
  table.add("cost_part_max", {"Of brute force (%)", Shown::percent},
            [](auto& sum) { return sum.is_compared() ? Cell{sum.dearest} : Cell{}; });
  table.add("within_2_percent", {"Within 2 %"},
            [](auto& sum) { return sum.is_compared() ? cell_of(sum.near) : Cell{}; });
  table.add("above_best_max", {"Max regret (%)", Shown::percent}, &Sum::worst);
  return table.take();
}

// A parameter of an objective with a best value other than the default.
struct ChangedParameter {
  const std::string& objective;
  std::string name, default_value, best;
  std::optional<double> spread;
};

std::vector<ChangedParameter> changed_parameters(const TuneEachReport& report) {
  std::vector<ChangedParameter> changed;
  for (const auto& [name, findings] : report.objectives) {
    const auto* best = findings.best();
    if (best == nullptr) continue;
    const auto& parameters = findings.space.parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (const auto& of = parameters[i]; best->combination[i] != of.default_value)
        changed.push_back({name, of.name, of.values[of.default_value],
                           of.values[best->combination[i]], findings.sensitivities[i].spread});
  }
  return changed;
}

DocumentTable best_of_each_table(const TuneEachReport& report) {
  TableOf table(changed_parameters(report),
                {.title = "Best values of each objective that differ from the default",
                 .only_on_request = true});
  table.group("objective", [](auto& row) { return row.objective; });
  table.add("parameter", {"Parameter"}, &ChangedParameter::name);
  table.add("default", {"Default"}, &ChangedParameter::default_value);
  table.add("best", {"Best"}, &ChangedParameter::best);
  table.add("spread", {"Sensitivity (%)", Shown::percent}, &ChangedParameter::spread);
  return table.take();
}

constexpr Part<TuneEachReport> tune_each_parts[] = {
    {"objectives", objectives_table}, {"summary", summary_table}, {"best", best_of_each_table}};

}  // namespace

Document tune_each_document(const TuneEachReport& report) {
  Document document{report, "sim.tune.each/1"};
  document.about = {fmt::format("{}: {} objectives, each tuned separately", report.name,
                                report.objectives.size())};
  if (!report.description.empty()) document.about.push_back(report.description);
  for (const auto& remark : report.remarks) document.about.push_back(remark);
  for (const auto& [name, findings] : report.objectives)
    if (findings.failed_simulations > 0)
      document.about.push_back(fmt::format("{}: {} of {} failed", name, findings.failed_simulations,
                                           counted(findings.simulations, "simulation")));
  document.tables = tables_of(tune_each_parts, report);
  return document;
}

std::vector<std::string> tune_each_document_parts() { return names_of(tune_each_parts); }

}  // namespace tutti::reports
