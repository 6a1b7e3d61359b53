// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/study_export.hpp"

#include "sim/reports/cell_json.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/tables/columns.hpp"

namespace tutti::reports {
namespace {

// The JSON on one line, without the newline.
std::string text_of(const Json& json) {
  std::string text = dumped(json);
  text.pop_back();
  return text;
}

Json export_head(const std::vector<store::StoredStudy>& studies) {
  Json list = Json::array();
  for (const auto& study : studies)
    list.push_back({{"name", study.name}, {"description", study.description}});
  return {{"schema", "sim.study/1"}, {"studies", list}};
}

std::string line_of(const Table& table, const std::vector<Cell>& row) {
  return text_of(row_json(table, row));
}

// Writes the points line by line, to avoid a JSON tree of all of them.
std::string json_of(const Table& table, const std::vector<store::StoredStudy>& studies) {
  std::string text = text_of(export_head(studies));
  text.back() = ',';  // the object continues
  text += "\n\"points\":[";
  for (const auto& row : table.rows)
    text += (&row == table.rows.data() ? "\n" : ",\n") + line_of(table, row);
  return text + "\n]}\n";
}

std::string jsonl_of(const Table& table, const std::vector<store::StoredStudy>& studies) {
  std::string text = dumped(export_head(studies));
  for (const auto& row : table.rows) text += dumped(row_json(table, row));
  return text;
}

// How text and Markdown show a column; unset if they do not.
std::optional<ShownAs> shown_as(const Table& table, std::size_t at) {
  const std::string& column = table.columns[at];
  if (column == "error" || column == "status")
    return shown_if(varies(table, at), {words_of(column), Shown::name});
  if (column == "time_s") return ShownAs{"time", Shown::time};
  if (!describes(column) || !varies(table, at)) return std::nullopt;
  const bool is_chosen = role_of(column) == Role::chosen;
  const auto quantity = quantity_of(column);
  return ShownAs{.head = words_of(column),
                 .how = quantity == Quantity::bytes     ? Shown::bytes
                        : quantity == Quantity::seconds ? Shown::time
                                                        : Shown::name,
                 .spare = is_chosen ? 2 : 1};
}

// The parameters that all points have in common: "platform crill, bcast, 16 processes".
std::string common_words(const Table& table) {
  std::string words;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto& column = table.columns[i];
    const Cell& value = table.rows.front()[i];
    if (role_of(column) != Role::parameter || value == Cell() || varies(table, i)) continue;
    words += (words.empty() ? "" : ", ") + label_of(column, value);
  }
  return words;
}

Document listing_of_study(const Table& table, const std::vector<store::StoredStudy>& studies) {
  DocumentTable points{.name = "points", .table = {.columns = table.columns, .rows = {}}};
  for (const std::size_t at : in_order(table)) points.table.rows.push_back(table.rows[at]);
  for (std::size_t i = 0; i < table.columns.size() && !table.rows.empty(); ++i)
    if (auto shown = shown_as(table, i))
      points.shown.push_back({table.columns[i], *std::move(shown)});
  points.all_columns = "--format csv";
  auto about = study_sentences(studies);
  if (!table.rows.empty()) about.push_back("all points: " + common_words(table));
  return listing_of("sim.study/1", {std::move(points)}, std::move(about));
}

}  // namespace

std::vector<std::string> study_sentences(const std::vector<store::StoredStudy>& studies) {
  std::vector<std::string> sentences;
  for (const auto& study : studies)
    sentences.push_back(fmt::format("study {}{}{}", study.name,
                                    study.description.empty() ? "" : ": ", study.description));
  return sentences;
}

std::string render_study(const Table& table, const std::vector<store::StoredStudy>& studies,
                         Format format, std::optional<std::size_t> width) {
  if (format == Format::json) return json_of(table, studies);
  if (format == Format::jsonl) return jsonl_of(table, studies);
  if (format == Format::csv) return csv_table(table);
  return render_document(listing_of_study(table, studies), format, {}, width);
}

}  // namespace tutti::reports
