// SPDX-License-Identifier: BSD-3-Clause

#include "sim/base/common.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/tables/columns.hpp"
#include "sim/reports/tables/readers.hpp"
#include "sim/studies/study_table.hpp"

namespace tutti::reports {
namespace {

// What failed points said on stderr, which the table of an export leaves out.
std::optional<Error> add_what_was_said(const store::Store& store, Table& table) {
  std::map<std::string, Cell> said;
  const auto take = [&](const store::StoredPoint& point) {
    if (point.status != store::Status::failed) return;
    for (const auto& [name, value] : point.values)
      if (name == "said") said[point.key] = value;
  };
  if (auto error = store.visit(take)) return error;
  const auto key = find_column(table, "key");
  if (said.empty() || !key) return std::nullopt;
  table.columns.emplace_back("said");
  for (auto& row : table.rows) {
    const auto found = said.find(to_text(row[*key]));
    row.push_back(found == said.end() ? Cell{} : found->second);
  }
  return std::nullopt;
}

void add_origin(ResultFile& file) {
  for (const auto& study : file.studies) {
    file.study += (file.study.empty() ? "" : ", ") + study.name;
    file.provenance.push_back(fmt::format("{}: {}, Tutti {}, SimGrid {}", study.name, study.command,
                                          study.version, study.simgrid_version));
  }
}

}  // namespace

Result<ResultFile> read_store(const std::string& path) {
  const auto store = TUTTI_TRY(store::Store::open(path, store::Store::Access::read));
  auto table = TUTTI_TRY(studies::study_table(store, true));
  auto studies = TUTTI_TRY(store.studies());
  ResultFile file;
  file.path = path;
  file.table = std::move(table);
  file.studies = std::move(studies);
  if (auto error = add_what_was_said(store, file.table)) return *std::move(error);
  if (file.table.rows.empty())
    return make_error(ErrorKind::input, path, "the store has no points of a study");
  add_origin(file);
  return file;
}

}  // namespace tutti::reports
