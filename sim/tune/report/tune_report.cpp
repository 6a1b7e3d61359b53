// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/report/tune_report.hpp"

namespace tutti::reports {
namespace {

using studies::tuning::Evaluated;
using studies::tuning::PointGain;
using studies::tuning::TuneSearch;

// Why there is no number of how much a parameter matters; empty: there is one.
std::string effect_of(const TuneReport& report, std::size_t parameter) {
  if (!report.is_by_size.empty() && report.is_by_size[parameter]) return "by size";
  const auto& sensitivity = report.sensitivities[parameter];
  if (!report.without_effect[parameter].empty()) return "not simulated";
  if (sensitivity.values.size() < 2) return "one value seen";
  if (sensitivity.compared == 0) return "not compared";
  if (!sensitivity.differs) return "none seen";
  return sensitivity.spread ? "" : "seen, sampled";
}

// Nothing where the parameter is not set: its condition does not hold.
Cell value_in(const studies::tuning::Space& space, const studies::tuning::Combination& combination,
              std::size_t parameter) {
  if (!space.applies(combination, parameter)) return {};
  return space.parameters()[parameter].values[combination[parameter]];
}

// One parameter, and what all combinations say of it.
struct TunedParameter {
  const TuneReport& report;
  std::size_t number;

  const auto& of() const { return report.space.parameters()[number]; }
  std::string effect() const { return effect_of(report, number); }
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
       .notes = {"Matters: how much longer the worst value of this parameter takes "
                 "than the best one, the others chosen well; only where all combinations were "
                 "evaluated (brute-force); seen, sampled: it has an effect, and samples do not say "
                 "how large; not compared: no two combinations differ in it alone; - as a best "
                 "value: its condition does not hold"}});
  table.add("parameter", {"Parameter"}, [](auto& each) { return each.of().name; });
  table.add("default", {"Default"}, &TunedParameter::default_value);
  table.add("best", {"Best"}, &TunedParameter::best);
  table.add("changed", &TunedParameter::is_changed);
  table.add("spread", {"Matters %", Shown::percent}, &TunedParameter::spread);
  table.add("effect", {"Effect"}, &TunedParameter::effect);
  return table.take();
}

std::vector<std::string> search_notes(const TuneReport& report) {
  std::vector<std::string> notes{
      "Cost: in evaluations of the whole problem; Gain: less time than with the default values; "
      "Above best: of brute force, where that was run"};
  for (const auto& each : report.searches)
    for (const auto& remark : each.outcome.remarks)
      notes.push_back(fmt::format("{}: {}", studies::tuning::method_name(each.method), remark));
  return notes;
}

DocumentTable searches_table(const TuneReport& report) {
  TableOf table(report.searches, {.title = "What the searches cost, and how good they are",
                                  .notes = search_notes(report)});
  table.add("search", {"Search"}, &TuneSearch::name);
  table.add("evaluations", {"Evaluations"}, &TuneSearch::evaluations);
  table.add("predicted", &TuneSearch::predicted);
  table.add("cost", {"Cost", Shown::decimals}, &TuneSearch::cost);
  table.add("best_s", {"Best us", Shown::us}, &TuneSearch::best_s);
  table.add("gain", {"Gain %", Shown::percent},
            [&](auto& each) { return gain_of(report.default_value, each.best_s()); });
  table.add("above_best", {"Above best %", Shown::percent},
            [&](auto& each) { return above(each.best_s(), report.true_best()); });
  table.add("best_after", &TuneSearch::best_after);
  return table.take();
}

DocumentTable gains_table(const TuneReport& report) {
  TableOf table(
      report.points,
      {.title = "Each time, with the default values and with the best",
       .notes = {"Alone: the gain of the values that are best for this time alone, among what was "
                 "evaluated; Loses: how much longer it takes than with those"}});
  table.add("point", {"Of"}, &PointGain::name);
  table.add("message_bytes", &PointGain::message_bytes);
  table.add("weight", {"Weight", Shown::significant, 1}, &PointGain::weight);
  table.add("default_s", {"Default us", Shown::us}, &PointGain::default_s);
  table.add("tuned_s", {"Tuned us", Shown::us}, &PointGain::best_s);
  table.add("gain", {"Gain %", Shown::signed_percent},
            [](auto& each) { return gain_of(each.default_s, each.best_s); });
  table.add("alone_s", &PointGain::least_s);
  table.add("alone_gain", {"Alone %", Shown::signed_percent},
            [](auto& each) { return gain_of(each.default_s, each.least_s); });
  table.add("loss", {"Loses %", Shown::percent},
            [](auto& each) { return above(each.best_s, each.least_s); });
  table.add("choice", shown_if(!report.is_by_size.empty(), {"Chosen by size", Shown::name, 1}),
            [](auto& each) { return text_cell(each.choice); });
  return table.take();
}

DocumentTable mca_table(const TuneReport& report) {
  TableOf table(report.mca->settings,
                {.title = fmt::format("What Open MPI {} is told", report.mca->version),
                 .notes = report.mca->remarks});
  table.add("name", {"Name"}, [](auto& each) { return each.first; });
  table.add("value", {"Value"}, [](auto& each) { return each.second; });
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
  const auto parameter_of = [&](const Effect& each) -> const auto& {
    return report.space.parameters()[each.parameter];
  };
  TableOf table(effects_in(report),
                {.title = "Main effects of the 2^k factorial",
                 .notes = {"Effect: half of the mean change from the first value to the last; "
                           "its square over the largest one's"}});
  table.add("parameter", {"Parameter"}, [&](auto& each) { return parameter_of(each).name; });
  table.add("effect_s", {"Effect us", Shown::us}, &Effect::effect);
  table.add("part", {"Of the largest %", Shown::percent}, &Effect::part);
  table.add("frozen_at", {"Frozen at"}, [&](auto& each) {
    return each.is_frozen ? cell_of(parameter_of(each).values[each.frozen_at]) : Cell{};
  });
  return table.take();
}

struct TriedValue {
  std::string parameter, value;
  studies::tuning::ValueEffect effect;
};

DocumentTable values_table(const TuneReport& report) {
  std::vector<TriedValue> values;
  for (const auto& each : report.sensitivities) {
    const auto& parameter = report.space.parameters()[each.parameter];
    for (const auto& value : each.values)
      values.push_back({parameter.name, parameter.values[value.value], value});
  }
  TableOf table(values, {.title = "Each value of each parameter", .only_on_request = true});
  table.group("parameter", &TriedValue::parameter);
  table.add("value", {"Value"}, &TriedValue::value);
  table.add("evaluations", {"Evaluations"}, [](auto& each) { return each.effect.evaluations; });
  table.add("best_s", {"Best us", Shown::us}, [](auto& each) { return each.effect.best; });
  table.add("mean_s", {"Mean us", Shown::us}, [](auto& each) { return each.effect.mean; });
  return table.take();
}

struct Evaluation {
  std::string_view search;
  std::size_t number;
  const Evaluated& of;
  std::optional<double> best_so_far_s;
};

std::vector<Evaluation> evaluations_of(const TuneReport& report) {
  std::vector<Evaluation> all;
  for (const auto& search : report.searches) {
    std::optional<double> best;
    std::size_t number = 0;
    for (const auto& each : search.history) {
      if (each.value && (!best || *each.value < *best)) best = each.value;
      all.push_back({search.name(), ++number, each, best});
    }
  }
  return all;
}

DocumentTable evaluations_table(const TuneReport& report) {
  TableOf table(evaluations_of(report),
                {.title = "Each combination that was evaluated on the whole problem",
                 .only_on_request = true});
  table.add("search", &Evaluation::search);
  table.add("evaluation", &Evaluation::number);
  for (std::size_t i = 0; i < report.space.parameters().size(); ++i)
    table.add(report.space.parameters()[i].name,
              [&](auto& each) { return value_in(report.space, each.of.combination, i); });
  table.add("time_s", [](auto& each) { return each.of.value; });
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

std::optional<double> above(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b || *b <= 0) return std::nullopt;
  return *a / *b - 1;
}

std::optional<double> gain_of(const std::optional<double>& default_s,
                              const std::optional<double>& value_s) {
  if (!default_s || !value_s || *default_s <= 0) return std::nullopt;
  return (*default_s - *value_s) / *default_s;
}

Document tune_document(const TuneReport& report) {
  Document document{report, "sim.tune/2"};
  document.about = {fmt::format("{}: {} of {}", report.name,
                                counted(report.space.size(), "combination"),
                                counted(report.space.dimensions(), "parameter"))};
  if (!report.description.empty()) document.about.push_back(report.description);
  document.about.push_back(fmt::format("{} combinations evaluated by {} simulations",
                                       report.evaluated, report.simulations));
  for (const auto& remark : report.remarks) document.about.push_back(remark);
  document.tables = tables_of(tune_parts, report);
  document.plots = {{{"x", "evaluation"},
                     {"y", "best_so_far_s"},
                     {"series", "search"},
                     {"log", "x"},
                     {"title", "the best so far"}}};
  return document;
}

std::vector<std::string> tune_document_parts() { return names_of(tune_parts); }

}  // namespace tutti::reports
