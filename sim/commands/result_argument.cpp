// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/result_argument.hpp"

#include "sim/base/text_file.hpp"
#include "sim/studies/condition.hpp"

namespace tutti::commands {

namespace {

// The columns that a name refers to.
std::vector<std::size_t> find_columns(const Table& table, const std::string& name) {
  const auto names = studies::columns_named(name);
  std::vector<std::size_t> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    if (std::ranges::find(names, table.columns[i]) != names.end()) columns.push_back(i);
  return columns;
}

Result<studies::Condition> read_condition(const OptionValues& parsed,
                                          const reports::ResultFile& file) {
  const Table& table = file.table;
  auto condition = studies::Condition::parse(parsed.value("--where"));
  if (!condition) return condition.errors();
  for (const std::string& name : condition->names())
    if (find_columns(table, name).empty())
      return usage_error("--where",
                         fmt::format("unknown column {} in {}", in_quotes(name), file.path),
                         did_you_mean(name, table.columns, "enclose text values in quotes"));
  return condition;
}

constexpr const char* plot_options[] = {"--x",          "--y",        "--series", "--facet",
                                        "--facet-rows", "--relative", "--log",    "--kind"};

}  // namespace

void print_remarks(const reports::ResultFile& file, const Diagnostics& diagnostics) {
  for (const auto& remark : file.remarks)
    diagnostics.note(fmt::format("{}: {}", printable(file.path), remark));
  for (const auto& warning : file.warnings) diagnostics.warning(warning);
}

Result<reports::ResultFile> read_results(const OptionValues& parsed, const std::string& path,
                                         const Diagnostics& diagnostics) {
  auto file = reports::read_result_file(path);
  if (file) print_remarks(*file, diagnostics);
  if (!file || !parsed.has("--where")) return file;
  const auto condition = TUTTI_TRY(read_condition(parsed, *file));
  keep_rows(file->table, [&](const std::vector<Cell>& row) {
    return condition.holds([&](const std::string& name) {
      std::vector<Cell> cells;
      for (const auto column : find_columns(file->table, name)) cells.push_back(row[column]);
      return cells;
    });
  });
  if (file->table.rows.empty())
    return usage_error("--where", fmt::format("matches no point of {}", path),
                       fmt::format("its columns: {}", fmt::join(file->table.columns, ", ")));
  return file;
}

std::vector<std::string> split_items(const std::string& text) {
  std::vector<std::string> items;
  for (const auto part : split(text, ','))
    if (const auto item = trim(part); !item.empty()) items.emplace_back(item);
  return items;
}

bool asks_for_plot(const OptionValues& parsed) {
  return std::ranges::any_of(plot_options, [&](const char* name) { return parsed.has(name); });
}

Result<reports::PlotSpec> plot_spec(const OptionValues& parsed) {
  reports::PlotWords words;
  for (const char* name : plot_options)
    if (parsed.has(name)) words.emplace_back(options::key_of(name), parsed.value(name));
  return reports::plot_spec(words);
}

Result<std::string> only_argument(const OptionValues& parsed, const std::string& what) {
  if (parsed.arguments.empty()) return usage_error("", fmt::format("expected {}", what));
  if (parsed.arguments.size() > 1)
    return usage_error("", fmt::format("unexpected argument {}", in_quotes(parsed.arguments[1])),
                       "this command reads one file; put names with blanks in quotes");
  return parsed.arguments.front();
}

}  // namespace tutti::commands
