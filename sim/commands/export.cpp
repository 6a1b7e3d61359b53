// SPDX-License-Identifier: BSD-3-Clause
// sim export: writes the points of a store as a table for other programs.

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/store.hpp"
#include "sim/reports/study_export.hpp"
#include "sim/reports/wrap.hpp"
#include "sim/studies/study_table.hpp"

namespace tutti::commands {
namespace {

using reports::Format;

const std::vector<std::string> formats = {"csv", "json", "jsonl"};

constexpr OptionSpec export_specs[] = {
    written({option_group, "-o,--output", "FILE",
             "Write to this file; the extension chooses the format; - is standard output"}),
    taking("csv json jsonl",
           {option_group, "--format", "FORMAT", "Format: csv (default), json, jsonl"}),
    {option_group, "--no-cost", "",
     "Omit wall time, memory and timestamps: the same study gives the same output byte for byte"},
    color_option,
    quiet_option,
    help_option};

Result<Format> format_of(const OptionValues& parsed) {
  const bool by_extension = !parsed.has("--format") && parsed.has("--output") &&
                            parsed.value("--output") != "-" &&
                            !names_device(parsed.value("--output"));
  if (by_extension) {
    const auto format = reports::format_of_file(parsed.value("--output"));
    if (format == Format::csv || format == Format::json || format == Format::jsonl) return *format;
    return usage_error(parsed.typed("--output"),
                       fmt::format("unknown extension of {}", in_quotes(parsed.value("--output"))),
                       "expected .csv, .json or .jsonl, or give --format");
  }
  const auto name = TUTTI_TRY(choice_of(parsed, "--format", formats));
  return *reports::format_of(name);
}

Result<std::string> exported_store(const std::string& path, Format format, bool with_cost) {
  const auto store = TUTTI_TRY(store::Store::open(path, store::Store::Access::read));
  const auto studies = store.studies();
  if (!studies) return studies.errors();
  const auto table = TUTTI_TRY(studies::study_table(store, with_cost));
  return reports::render_study(table, *studies, format);
}

Result<int> run_export(const OptionValues& parsed, const Diagnostics&) {
  const auto path = TUTTI_TRY(store_argument(parsed));
  const auto format = TUTTI_TRY(format_of(parsed));
  const auto text = TUTTI_TRY(exported_store(path, format, !parsed.has("--no-cost")));
  return write_result(parsed, text);
}

}  // namespace

const Subcommand store_export{
    .usage = "export STORE",
    .summary = "write the points as CSV or JSON",
    .help =
        "Writes the points of a store as a table for other programs: one row per point that "
        "belongs to a study, ordered by key, with the columns of `sim run`, the values of --set, "
        "and whether and why a point failed. `man sim` describes the columns. `sim export STORE` "
        "is the same command.",
    .specs = export_specs,
    .run = run_export};

extern const Command export_command{
    .name = "export", .summary = "write a store as CSV or JSON", .alone = &store_export};

}  // namespace tutti::commands
