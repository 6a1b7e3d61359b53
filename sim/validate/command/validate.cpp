// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/command/validate.hpp"

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/validate/report/reports.hpp"

namespace tutti::commands {
namespace {

const Subcommand* const validate_subcommands[] = {
    &validate_measured, &validate_models, &validate_improvement, &validate_io, &validate_paper};

}  // namespace

extern const Command validate_command{
    .name = "validate",
    .summary = "compare predictions with measurements, models and papers",
    .help =
        "Compares simulations with measured collectives, with the formulas of collectives and of "
        "collective I/O, and with the tables that papers print.",
    .subcommands = validate_subcommands};

// sim validate paper: recomputes printed tables.

namespace {

using reports::CheckedTable;
using studies::papers::Paper;

std::vector<std::string> table_names() {
  std::vector<std::string> ids;
  for (const auto& paper : studies::papers::all_papers())
    for (const auto& table : paper.tables) ids.emplace_back(table.id);
  return ids;
}

constexpr OptionSpec validate_paper_specs[] = {
    taking(table_names,
           {option_group, "--table", "ID", "Check one table only, for example 4.2 or II"}),
    document_format,
    taking(reports::paper_parts, part_option),
    job_option::output_file,
    job_option::provenance,
    job_option::color,
    job_option::quiet,
    job_option::help};

Error unknown_paper(const std::string& word) {
  std::vector<std::string> names;
  for (const auto& paper : studies::papers::all_papers()) names.emplace_back(paper.name);
  return usage_error(
      "", fmt::format("unknown paper {}", in_quotes(word)),
      did_you_mean(word, names, fmt::format("expected one of: {}", fmt::join(names, ", "))));
}

// The papers named on the command line; all papers if none is named.
Result<std::vector<const Paper*>> papers_of(const OptionValues& parsed) {
  std::vector<const Paper*> found;
  for (const auto& word : parsed.arguments) {
    const Paper* paper = studies::papers::find_paper(word);
    if (paper == nullptr) return unknown_paper(word);
    if (std::ranges::find(found, paper) == found.end()) found.push_back(paper);
  }
  if (found.empty())
    for (const auto& paper : studies::papers::all_papers()) found.push_back(&paper);
  return found;
}

std::vector<std::string> paper_names() {
  std::vector<std::string> names;
  for (const auto& paper : studies::papers::all_papers()) names.emplace_back(paper.name);
  return names;
}

bool is_wanted(const OptionValues& parsed, std::string_view id) {
  return !parsed.has("--table") || parsed.value("--table") == id;
}

Error unknown_table(const OptionValues& parsed, const std::vector<const Paper*>& papers) {
  std::vector<std::string> ids;
  for (const auto* paper : papers)
    for (const auto& table : paper->tables) ids.emplace_back(table.id);
  const auto& word = parsed.value("--table");
  return usage_error(
      parsed.typed("--table"), fmt::format("unknown table {}", in_quotes(word)),
      did_you_mean(word, ids, fmt::format("expected one of: {}", fmt::join(ids, ", "))));
}

Result<std::vector<CheckedTable>> checked_tables(const OptionValues& parsed) {
  const auto papers = TUTTI_TRY(papers_of(parsed));
  std::vector<CheckedTable> tables;
  for (const auto* paper : papers)
    for (const auto& table : paper->tables) {
      if (!is_wanted(parsed, table.id)) continue;
      CheckedTable checked{paper, &table, TUTTI_TRY(table.check()), {}};
      if (!table.figure.empty())
        checked.predictions = TUTTI_TRY(studies::silas::predictions_of(table.figure));
      tables.push_back(std::move(checked));
    }
  if (tables.empty()) return unknown_table(parsed, papers);
  return tables;
}

std::size_t unexplained(const std::vector<CheckedTable>& tables) {
  std::ptrdiff_t count = 0;
  for (const auto& table : tables)
    count += std::ranges::count_if(table.values,
                                   [](const auto& value) { return value.is_unexplained(); });
  return static_cast<std::size_t>(count);
}

Result<int> run_validate_paper(const OptionValues& parsed, const Diagnostics&) {
  const auto output = TUTTI_TRY(document_output(parsed, reports::paper_parts()));
  const auto tables = TUTTI_TRY(checked_tables(parsed));
  auto document = reports::paper_document(tables);
  document.provenance = reports::plain_provenance(fmt::format(
      "sim validate paper{}{}{}", parsed.arguments.empty() ? "" : " ",
      fmt::join(parsed.arguments, " "), reproducing_options(validate_paper_specs, parsed)));
  const int written = TUTTI_TRY(write_document(document, output));
  const auto count = unexplained(tables);
  if (written != exit_done || count == 0) return written;
  return make_error(ErrorKind::check, "",
                    fmt::format("{} differ{} without a known reason", counted(count, "value"),
                                count == 1 ? "s" : ""));
}

}  // namespace

const Subcommand validate_paper{
    .usage = "paper [PAPER]...",
    .summary = "recompute the tables that papers print",
    .help =
        "Recomputes the tables of five papers, as far as possible, and reports for each value: "
        "equal, recounted (confirmed by the table's own entries), erratum (with the "
        "evidence), differs (with the reason), or not recomputable (measured). PAPER is jha (S. "
        "Jha's dissertation), pgmpitunelib (Hunold and Carpen-Amarie), nuriyev (Nuriyev and "
        "Lastovetsky), cfireworks or silas (M.-A. Hermanns' thesis, whose predictions are compared "
        "with simulations of the really changed programs); default: all. The exit code is 1 if a "
        "value differs without a "
        "known reason.",
    .specs = validate_paper_specs,
    .run = run_validate_paper,
    .operands = Operands::names,
    .words = paper_names};

}  // namespace tutti::commands
