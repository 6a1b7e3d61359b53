// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/report/tune_each_report.hpp"

#include "sim/reports/document/document.hpp"

namespace tutti::reports {
namespace {

using studies::tuning::Method;
using studies::tuning::TuneFindings;
using studies::tuning::TuneSearch;

constexpr double near_the_best = 0.02;

const TuneSearch* find(const TuneFindings& report, Method method) {
  const auto found = std::ranges::find(report.searches, method, &TuneSearch::method);
  return found == report.searches.end() ? nullptr : &*found;
}

struct ObjectiveSearch {
  const std::string& objective;
  const TuneFindings& of;
  const TuneSearch& search;
};

DocumentTable objectives_table(const TuneEachReport& report) {
  std::vector<ObjectiveSearch> searches;
  for (const auto& [name, each] : report.objectives)
    for (const auto& search : each.searches) searches.push_back({name, each, search});
  TableOf table(searches,
                {.title = "Each objective alone: what a search costs, and how good it is",
                 .notes = {"Predicted: by the rule of the 2^k factorial; Cost: in evaluations of "
                           "the whole problem; Gain: less time than with the default values; "
                           "Above best: of brute force, where that was run"}});
  table.group("objective", [](auto& row) { return row.objective; });
  table.add("search", {"Search"}, [](auto& row) { return row.search.name(); });
  table.add("combinations", [](auto& row) { return row.of.space.size(); });
  table.add("evaluations", {"Evaluations"}, [](auto& row) { return row.search.evaluations; });
  table.add("predicted", {"Predicted"}, [](auto& row) { return row.search.predicted; });
  table.add("cost", {"Cost", Shown::decimals}, [](auto& row) { return row.search.cost; });
  table.add("default_s", [](auto& row) { return row.of.default_value; });
  table.add("best_s", {"Best us", Shown::us}, [](auto& row) { return row.search.best_s(); });
  table.add("gain", {"Gain %", Shown::percent},
            [](auto& row) { return gain_of(row.of.default_value, row.search.best_s()); });
  table.add("above_best", {"Above best %", Shown::percent},
            [](auto& row) { return above(row.search.best_s(), row.of.true_best()); });
  return table.take();
}

// How a search does over all objectives.
struct Sum {
  std::string search;
  std::size_t objectives = 0;
  std::size_t near = 0;  // within near_the_best of brute force
  std::optional<double> worst = {};
  double dearest = 0;  // cost beside brute force's
  double cost = 0;

  bool is_compared() const { return dearest > 0; }
};

Sum sum_of(const TuneEachReport& report, Method method) {
  Sum sum{.search = std::string(studies::tuning::method_name(method))};
  for (const auto& [name, each] : report.objectives) {
    const auto* search = find(each, method);
    const auto* brute_force = find(each, Method::brute_force);
    if (search == nullptr) continue;
    ++sum.objectives;
    sum.cost += search->cost;
    if (brute_force == nullptr) continue;
    sum.dearest = std::max(sum.dearest, search->cost / brute_force->cost);
    const auto distance = above(search->best_s(), each.true_best());
    if (!distance) continue;
    sum.near += *distance <= near_the_best ? 1 : 0;
    sum.worst = std::max(sum.worst.value_or(0), *distance);
  }
  return sum;
}

std::vector<Sum> sums_of(const TuneEachReport& report) {
  std::vector<Sum> sums;
  for (const auto& name : studies::tuning::method_names())
    if (auto sum = sum_of(report, *studies::tuning::method_of(name)); sum.objectives > 0)
      sums.push_back(std::move(sum));
  return sums;
}

DocumentTable summary_table(const TuneEachReport& report) {
  TableOf table(sums_of(report),
                {.title = fmt::format("The searches over {} objectives", report.objectives.size()),
                 .notes = {"Cost: of all objectives; Of brute force: where that is most"}});
  table.add("search", {"Search"}, &Sum::search);
  table.add("objectives", &Sum::objectives);
  table.add("cost", {"Cost", Shown::decimals}, &Sum::cost);
  table.add("cost_part_max", {"Of brute force %", Shown::percent},
            [](auto& sum) { return sum.is_compared() ? Cell{sum.dearest} : Cell{}; });
  table.add("within_2_percent", {"Within 2 %"},
            [](auto& sum) { return sum.is_compared() ? cell_of(sum.near) : Cell{}; });
  table.add("above_best_max", {"Farthest above best %", Shown::percent}, &Sum::worst);
  return table.take();
}

// A parameter of an objective whose best value is not the default's.
struct ChangedParameter {
  const std::string& objective;
  std::string name, default_value, best;
  std::optional<double> spread;
};

std::vector<ChangedParameter> changed_parameters(const TuneEachReport& report) {
  std::vector<ChangedParameter> changed;
  for (const auto& [name, each] : report.objectives) {
    const auto* best = each.best();
    if (best == nullptr) continue;
    const auto& parameters = each.space.parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (const auto& of = parameters[i]; best->combination[i] != of.default_value)
        changed.push_back({name, of.name, of.values[of.default_value],
                           of.values[best->combination[i]], each.sensitivities[i].spread});
  }
  return changed;
}

DocumentTable best_of_each_table(const TuneEachReport& report) {
  TableOf table(changed_parameters(report),
                {.title = "The best values of each objective, where not the default's",
                 .only_on_request = true});
  table.group("objective", [](auto& each) { return each.objective; });
  table.add("parameter", {"Parameter"}, &ChangedParameter::name);
  table.add("default", {"Default"}, &ChangedParameter::default_value);
  table.add("best", {"Best"}, &ChangedParameter::best);
  table.add("spread", {"Matters %", Shown::percent}, &ChangedParameter::spread);
  return table.take();
}

constexpr Part<TuneEachReport> tune_each_parts[] = {
    {"objectives", objectives_table}, {"summary", summary_table}, {"best", best_of_each_table}};

}  // namespace

Document tune_each_document(const TuneEachReport& report) {
  Document document{report, "sim.tune.each/1"};
  document.about = {
      fmt::format("{}: {} objectives, each tuned alone", report.name, report.objectives.size())};
  if (!report.description.empty()) document.about.push_back(report.description);
  for (const auto& remark : report.remarks) document.about.push_back(remark);
  document.tables = tables_of(tune_each_parts, report);
  return document;
}

std::vector<std::string> tune_each_document_parts() { return names_of(tune_each_parts); }

}  // namespace tutti::reports
