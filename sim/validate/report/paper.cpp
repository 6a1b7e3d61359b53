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

constexpr Part<Tables> paper_table_parts[] = {{"values", values_table}, {"summary", summary_table}};

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
