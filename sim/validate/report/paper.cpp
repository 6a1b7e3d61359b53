// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/report/paper.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::reports {
namespace {

using studies::papers::CheckedValue;
using studies::papers::Verdict;

std::int64_t count_of(const CheckedTable& table, Verdict verdict) {
  return std::ranges::count(table.values, verdict, &CheckedValue::verdict);
}

Cell text_cell(const std::string& text) { return text.empty() ? Cell{} : Cell{text}; }

// Why values that were measured are not recomputed, each reason once.
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

DocumentTable values_table(const std::vector<CheckedTable>& tables) {
  DocumentTable made{
      .name = "values",
      .title = "Each printed value",
      .table = {{"paper", "table", "item", "printed", "computed", "verdict", "why"}, {}},
      .shown = {{"table", "Table"},
                {"item", "Item"},
                {"printed", "Printed", Shown::plain, 1},
                {"computed", "Computed", Shown::plain, 2},
                {"verdict", "Verdict"}},
      .group_by = "table",
      .notes = {}};
  for (const auto& table : tables)
    for (const auto& value : table.values)
      made.table.rows.push_back({std::string(table.paper->number), std::string(table.table->id),
                                 value.item, text_cell(value.printed), text_cell(value.computed),
                                 name_of(value.verdict), text_cell(value.why)});
  made.notes = reasons_of_measured(tables);
  constexpr std::size_t few = 100;
  made.only_on_request = made.table.rows.size() > few;
  return made;
}

// "000 4.2, alltoall pairwise, loggp by G: sign (misprint): printed <, is < and >: 1.09 at ...".
std::string finding(const CheckedTable& table, const CheckedValue& value) {
  std::string text = fmt::format("{} {}, {} ({}): ", table.paper->number, table.table->id,
                                 value.item, name_of(value.verdict));
  if (value.printed != value.computed)
    text += fmt::format("printed {}, is {}; ", value.printed.empty() ? "nothing" : value.printed,
                        value.computed.empty() ? "unknown" : value.computed);
  return text + (value.why.empty() ? "nobody knows why" : value.why);
}

DocumentTable summary_table(const std::vector<CheckedTable>& tables) {
  DocumentTable made{.name = "summary",
                     .title = "The tables, and what comes out of what is printed",
                     .table = {{"paper", "table", "title", "values", "equal", "recounted",
                                "misprints", "differ", "not_recomputable"},
                               {}},
                     .shown = {{"paper", "Paper"},
                               {"table", "Table"},
                               {"title", "Title", Shown::plain, 1},
                               {"equal", "Equal"},
                               {"recounted", "Recount"},
                               {"misprints", "Misprint"},
                               {"differ", "Differ"},
                               {"not_recomputable", "Measured"}},
                     .group_by = "paper"};
  for (const auto& table : tables) {
    made.table.rows.push_back(
        {std::string(table.paper->number), std::string(table.table->id),
         std::string(table.table->title), static_cast<std::int64_t>(table.values.size()),
         count_of(table, Verdict::equal), count_of(table, Verdict::recounted),
         count_of(table, Verdict::misprint), count_of(table, Verdict::differs),
         count_of(table, Verdict::not_recomputable)});
    for (const auto& value : table.values)
      if (value.verdict == Verdict::misprint || value.verdict == Verdict::differs)
        made.notes.push_back(finding(table, value));
  }
  made.notes.insert(made.notes.begin(),
                    "Recount: statements that printed entries of the table bear out; Measured: not "
                    "recomputable");
  return made;
}

}  // namespace

std::vector<std::string> paper_parts() { return {"values", "summary"}; }

Document paper_document(const std::vector<CheckedTable>& tables) {
  Document document;
  document.schema = "sim.validate.paper/2";
  document.about = {"Printed tables, recomputed"};
  const studies::papers::Paper* last = nullptr;
  for (const auto& table : tables) {
    if (table.paper != last)
      document.about.push_back(fmt::format("{}: {}", table.paper->number, table.paper->title));
    last = table.paper;
  }
  document.tables = {values_table(tables), summary_table(tables)};
  return document;
}

}  // namespace tutti::reports
