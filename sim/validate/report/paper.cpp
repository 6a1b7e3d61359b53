// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/common.hpp"
#include "sim/validate/report/reports.hpp"

namespace tutti::reports {
namespace {

using studies::papers::CheckedValue;
using studies::papers::Verdict;

std::int64_t count_of(const CheckedTable& table, Verdict verdict) {
  return std::ranges::count(table.values, verdict, &CheckedValue::verdict);
}

// Why values are not recomputed; each reason once.
std::vector<std::string> reasons_of_measured(const std::vector<CheckedTable>& tables) {
  std::vector<std::string> reasons;
  for (const auto& table : tables)
    for (const auto& value : table.values)
      if (value.verdict == Verdict::not_recomputable &&
          std::ranges::find(reasons, value.why) == reasons.end())
        reasons.push_back(value.why);
  for (auto& reason : reasons) reason = "not recomputable: " + reason;
  return reasons;
}

using Tables = std::vector<CheckedTable>;

struct ValueOfTable {
  const CheckedTable& table;
  const CheckedValue& value;
};

DocumentTable values_table(const Tables& tables) {
  std::vector<ValueOfTable> values;
  for (const auto& table : tables)
    for (const auto& value : table.values) values.push_back({table, value});
  constexpr std::size_t few = 100;
  TableOf table(values, {.title = "Each printed value",
                         .notes = reasons_of_measured(tables),
                         .only_on_request = values.size() > few});
  table.add("paper", [](auto& row) { return row.table.paper->name; });
  table.group("table", {"Table"}, [](auto& row) { return row.table.table->id; });
  table.add("item", {"Item", Shown::name}, [](auto& row) { return row.value.item; });
  table.add("printed", {"Printed", Shown::plain, 1},
            [](auto& row) { return text_cell(row.value.printed); });
  table.add("computed", {"Computed", Shown::plain, 2},
            [](auto& row) { return text_cell(row.value.computed); });
  table.add("verdict", {"Verdict"}, [](auto& row) { return name_of(row.value.verdict); });
  table.add("why", [](auto& row) { return text_cell(row.value.why); });
  return table.take();
}

// Adds spaces around the sums of a long formula, where a line may break.
std::string breakable(const std::string& text) {
  constexpr std::size_t long_formula = 40;
  if (text.size() < long_formula) return text;
  std::string spaced;
  for (const char c : text) spaced += c == '+' ? " + " : std::string(1, c);
  return spaced;
}

// "jha 4.2, alltoall pairwise, loggp by G: sign (erratum): printed <, is < and >; 1.09 at ...".
std::string finding(const CheckedTable& table, const CheckedValue& value) {
  std::string text = fmt::format("{} {}, {} ({}): ", table.paper->name, table.table->id, value.item,
                                 name_of(value.verdict));
  if (value.printed != value.computed)
    text += fmt::format("printed {}, is {}; ",
                        value.printed.empty() ? "nothing" : breakable(value.printed),
                        value.computed.empty() ? "unknown" : breakable(value.computed));
  return text + (value.why.empty() ? "reason unknown" : value.why);
}

std::vector<std::string> findings(const Tables& tables) {
  std::vector<std::string> notes{
      "Recount: statements that the table's own entries confirm; Measured: not recomputable"};
  for (const auto& table : tables)
    for (const auto& value : table.values)
      if (value.verdict == Verdict::erratum || value.verdict == Verdict::differs)
        notes.push_back(finding(table, value));
  return notes;
}

DocumentTable summary_table(const Tables& tables) {
  TableOf table(
      tables, {.title = "Verdicts on the printed values of each table", .notes = findings(tables)});
  table.group("paper", {"Paper"}, [](auto& each) { return each.paper->name; });
  table.add("table", {"Table"}, [](auto& each) { return each.table->id; });
  table.add("title", {"Title", Shown::plain, 1}, [](auto& each) { return each.table->title; });
  table.add("values", [](auto& each) { return each.values.size(); });
  const auto add = [&](const char* name, const char* head, Verdict verdict) {
    table.add(name, {head}, [=](auto& each) { return count_of(each, verdict); });
  };
  add("equal", "Equal", Verdict::equal);
  add("recounted", "Recount", Verdict::recounted);
  add("errata", "Erratum", Verdict::erratum);
  add("differ", "Differ", Verdict::differs);
  add("not_recomputable", "Measured", Verdict::not_recomputable);
  return table.take();
}

// ---- predictions of replays ----

using studies::silas::Prediction;

std::vector<const Prediction*> predictions_in(const Tables& tables) {
  std::vector<const Prediction*> all;
  for (const auto& table : tables)
    for (const auto& each : table.predictions) all.push_back(&each);
  return all;
}

bool has_predictions(const Tables& tables) { return !predictions_in(tables).empty(); }

DocumentTable predictions_table(const Tables& tables) {
  TableOf table(predictions_in(tables),
                {.title = "Predicted times, compared with the really changed program",
                 .only_on_request = true});
  table.group("figure", {"Figure"}, &Prediction::figure);
  table.add("program", {"Program"}, &Prediction::program);
  table.add("mode", {"Mode"}, &Prediction::mode);
  table.add("nodes", {"Nodes"}, &Prediction::nodes);
  table.add("procs", &Prediction::procs);
  table.add("change", {"Change"}, &Prediction::change);
  table.add("model", {"Model"}, &Prediction::model);
  table.add("what", {"Time of", Shown::name}, &Prediction::what);
  table.add("recorded_s", {"Recorded (ms)", Shown::ms}, &Prediction::recorded_s);
  table.add("predicted_s", {"Predicted", Shown::ms}, &Prediction::predicted_s);
  table.add("changed_s", {"Changed", Shown::ms}, &Prediction::changed_s);
  table.add("deviation", {"Deviation", Shown::significant}, &Prediction::deviation);
  return table.take();
}

// The call tree of Figures 5.7 and 5.8: what the really changed program saves, and what is
// predicted.
struct Gain {
  const Prediction* recorded = nullptr;
  const Prediction* simulated = nullptr;
};

std::vector<Gain> gains_in(const Tables& tables) {
  std::map<std::string, Gain> by_path;
  for (const auto* each : predictions_in(tables))
    if (each->change == "cut" && each->what.starts_with("main"))
      (each->model == "recorded" ? by_path[each->what].recorded : by_path[each->what].simulated) =
          each;
  std::vector<Gain> gains;
  for (const auto& [path, gain] : by_path) gains.push_back(gain);
  return gains;
}

bool has_gains(const Tables& tables) { return !gains_in(tables).empty(); }

DocumentTable gains_table(const Tables& tables) {
  TableOf table(
      gains_in(tables),
      {.title = "Time that the optimized XNS saves, sum over the ranks, in ms",
       .notes = {"Saved: by the really optimized program (Figure 5.7); then as predicted by "
                 "the models recorded and platform (Figure 5.8)"}});
  table.add("call_path", {"Call path", Shown::name}, [](auto& row) { return row.recorded->what; });
  table.add("recorded_s", {"Original", Shown::ms},
            [](auto& row) { return row.recorded->recorded_s; });
  table.add("saved_s", {"Saved", Shown::ms}, [](auto& row) { return row.recorded->gain_s(); });
  table.add("predicted_s", {"By recorded", Shown::ms},
            [](auto& row) { return row.recorded->predicted_gain_s(); });
  table.add("simulated_s", {"By platform", Shown::ms},
            [](auto& row) { return row.simulated->predicted_gain_s(); });
  return table.take();
}

constexpr Part<Tables> paper_table_parts[] = {{"values", values_table},
                                              {"summary", summary_table},
                                              {"gains", gains_table, has_gains},
                                              {"predictions", predictions_table, has_predictions}};

}  // namespace

std::vector<std::string> paper_parts() { return names_of(paper_table_parts); }

Document paper_document(const std::vector<CheckedTable>& tables) {
  Document document;
  document.schema = "sim.validate.paper/2";
  document.about = {"Recomputed tables of papers"};
  const studies::papers::Paper* last = nullptr;
  for (const auto& table : tables) {
    if (table.paper != last)
      document.about.push_back(fmt::format("{}: {}", table.paper->name, table.paper->title));
    last = table.paper;
  }
  document.tables = tables_of(paper_table_parts, tables);
  return document;
}

}  // namespace tutti::reports
