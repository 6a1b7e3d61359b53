// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/report/fireworks_check_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/base/quantile.hpp"
#include "sim/fireworks/node_sets.hpp"
#include "sim/fireworks/report/fireworks_predict_report.hpp"
#include "sim/reports/document/columns.hpp"
#include "sim/reports/document/parts.hpp"

namespace tutti::reports {
namespace {

using studies::fireworks::form_names;
using studies::fireworks::Ordering;
using studies::fireworks::PredictedTime;

DocumentTable node_sets_table(const FireworksCheckReport& report) {
  using Set = CheckedNodeSet;
  TableOf table(report.sets, {.title = "Each node set", .only_on_request = true});
  table.group("nodes", [](auto& set) { return set.procs_of_node.size(); });
  table.add("node_set", {"Node set"}, [](auto& set) { return node_set_text(set.procs_of_node); });
  for (std::size_t i = 0; i < form_names.size(); ++i)
    table.add(fmt::format("{}_s", form_names[i]), {std::string(form_names[i]), Shown::ms},
              [i](auto& set) { return set.expected_s[i]; });
  table.add("time_s", {"Simulated", Shown::ms}, &Set::simulated_s);
  return table.take();
}

// Of all sets, or those of so many nodes; nothing where the form has no times.
std::vector<PredictedTime> times_of(const FireworksCheckReport& report, std::size_t form,
                                    std::optional<std::int64_t> nodes) {
  std::vector<PredictedTime> times;
  for (const auto& set : report.sets) {
    const auto of_set = static_cast<std::int64_t>(set.procs_of_node.size());
    if (set.expected_s[form] && nodes.value_or(of_set) == of_set)
      times.push_back({of_set, *set.expected_s[form], set.simulated_s});
  }
  return times;
}

double median_ratio(const std::vector<PredictedTime>& times) {
  std::vector<double> ratios;
  for (const auto& each : times) ratios.push_back(each.predicted_s / each.simulated_s);
  return median_of(ratios);
}

// What one form makes of all node sets, or of those of one number of nodes.
struct OrderedSets {
  std::string_view form;
  Cell nodes;
  std::vector<PredictedTime> times;
  Ordering ordering;

  double median() const { return median_ratio(times); }
  Cell right_part() const { return ordering.pairs > 0 ? Cell{ordering.right_part()} : Cell{}; }
};

std::vector<OrderedSets> ordered_sets(const FireworksCheckReport& report) {
  std::set<std::int64_t> nodes;
  for (const auto& set : report.sets) nodes.insert(std::ssize(set.procs_of_node));
  std::vector<OrderedSets> all;
  for (std::size_t form = 0; form < form_names.size(); ++form) {
    const auto add = [&](Cell label, std::optional<std::int64_t> of) {
      const auto times = times_of(report, form, of);
      if (times.empty()) return;
      const auto ordering = studies::fireworks::ordering_of(times, report.clearly);
      all.push_back({form_names[form], std::move(label), times, ordering});
    };
    for (const auto each : nodes) add(each, each);
    add(std::string("all"), std::nullopt);
  }
  return all;
}

DocumentTable ordering_table(const FireworksCheckReport& report) {
  using Sets = OrderedSets;
  TableOf table(
      ordered_sets(report),
      {.title = "How many pairs of node sets are ordered as simulated",
       .notes = {fmt::format("pairs of one number of nodes whose expected times differ by more "
                             "than {:g} %; the ratio is a median",
                             100 * report.clearly)}});
  table.group("form", &Sets::form);
  table.add("nodes", {"Nodes"}, &Sets::nodes);
  table.add("sets", {"Sets"}, [](auto& sets) { return sets.times.size(); });
  table.add("pairs", {"Pairs"}, [](auto& sets) { return sets.ordering.pairs; });
  table.add("right_part", {"Right %", Shown::percent}, &Sets::right_part);
  table.add("median_expected_ratio", {"Expected / simulated", Shown::fine}, &Sets::median);
  return table.take();
}

constexpr Part<FireworksCheckReport> fireworks_check_parts[] = {{"points", node_sets_table},
                                                                {"ordering", ordering_table}};

}  // namespace

Document fireworks_check_document(const FireworksCheckReport& report) {
  Document document{report, "sim.fireworks.check/1"};
  document.about = {
      fmt::format("Expected and simulated exchanges of {} random node sets on {}",
                  report.sets.size(), report.provenance.platform_name),
      report.form_is_best
          ? fmt::format("The form of cost that fits best is {}: it is what `sim fireworks predict` "
                        "takes",
                        report.form)
          : fmt::format("Expected by the form {} alone", report.form)};
  if (report.not_run > 0)
    document.about.push_back(fmt::format("Interrupted: {} node sets were not run", report.not_run));
  document.tables = tables_of(fireworks_check_parts, report);
  return document;
}

std::vector<std::string> fireworks_check_document_parts() {
  return names_of(fireworks_check_parts);
}

}  // namespace tutti::reports
