// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/sidecar.hpp"

#include "sim/base/hash.hpp"
#include "sim/reports/cell_json.hpp"
#include "sim/reports/formats.hpp"
#include "sim/studies/study_table.hpp"

namespace tutti::reports {

std::string sidecar_path(const std::string& csv_path) { return csv_path + ".json"; }

std::string sidecar_text(const ReportHead& head, const std::vector<std::string>& notes,
                         std::string_view csv) {
  Json all = head_json(head, sidecar_schema);
  all["csv"] = {{"bytes", csv.size()}, {"hash", content_key(csv)}};
  if (!notes.empty()) all["notes"] = notes;
  return dumped(all, 2);
}

bool begins_sidecar(std::string_view text) {
  return text.starts_with(fmt::format("{{\n  \"schema\": \"{}\"", sidecar_schema));
}

std::string comments(const ReportHead& head, const std::vector<std::string>& notes) {
  std::string text;
  for (const auto& line : provenance_lines(head)) text += "# " + line + '\n';
  for (const auto& note : notes) text += "# " + printable(note) + '\n';
  return text;
}

Table with_platform(const ReportHead& head, Table table) {
  const Provenance& from = head.provenance;
  if (from.platforms.empty()) return table;
  // Rows of several platforms have these columns already.
  Row constants{{"platform", from.platforms.front().name},
                {"platform_hash", from.platforms.front().hash}};
  for (const auto& [key, value] : from.overrides)
    constants.push_back({key, jobs::cell_of_text(value)});
  std::erase_if(constants, [&](const auto& constant) {
    return std::ranges::find(table.columns, constant.name) != table.columns.end();
  });
  const bool has_both = constants.size() == from.overrides.size();
  for (std::size_t i = 0; i < constants.size(); ++i) {
    const auto at = static_cast<std::ptrdiff_t>(has_both ? i + 2 : i);
    table.columns.insert(table.columns.begin() + at, constants[i].name);
    for (auto& row : table.rows) row.insert(row.begin() + at, constants[i].value);
  }
  return table;
}

}  // namespace tutti::reports
