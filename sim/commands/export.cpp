// SPDX-License-Identifier: BSD-3-Clause
// sim export: writes the points of a store as a table for other programs.

#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/store.help.hpp"
#include "sim/commands/store.hpp"
#include "sim/reports/study_export.hpp"
#include "sim/studies/study_table.hpp"

namespace tutti::commands {
namespace {

constexpr OptionSpec export_specs[] = {
    export_format,
    job_option::output_file,
    job_option::provenance,
    spreadsheet_option,
    job_option::output_row("--no-cost", "",
                           "Omit wall time, memory and timestamps: the same study gives the same "
                           "output byte for byte"),
    job_option::color,
    job_option::quiet,
    job_option::help};

Result<int> run_export(const OptionValues& parsed, const Diagnostics&) {
  const auto path = TUTTI_TRY(store_argument(parsed));
  DocumentOutput output{.path = output_path(parsed),
                        .for_spreadsheets = parsed.has("--spreadsheet")};
  output.format = *reports::format_of(TUTTI_TRY(chosen_format(parsed, export_format)));
  output.provenance = TUTTI_TRY(read_csv_provenance(parsed));
  const auto store = TUTTI_TRY(store::Store::open(path, store::Store::Access::read));
  const auto studies = TUTTI_TRY(store.studies());
  const auto table = TUTTI_TRY(studies::study_table(store, !parsed.has("--no-cost")));
  const auto text = reports::render_study(table, studies, output.format, output.width());
  if (output.format != reports::Format::csv) return write_result(parsed, text);
  const reports::ReportHead head{
      .provenance = reports::plain_provenance("sim export " + shell_quoted(path)), .failed = {}};
  return done_unless(write_report(output, head, text, reports::study_sentences(studies)));
}

}  // namespace

const Subcommand store_export{.usage = "export STORE",
                              .summary = "write the points as CSV or JSON",
                              .help = texts::store["export"],
                              .specs = export_specs,
                              .run = run_export};

extern const Command export_command{
    .name = "export", .summary = "write a store as CSV or JSON", .alone = &store_export};

}  // namespace tutti::commands
