// SPDX-License-Identifier: BSD-3-Clause
// Output of results to stdout or files. Every failed write is an error.
#pragma once

#include "sim/base/common.hpp"
#include "sim/base/output_file.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/commands/options.hpp"
#include "sim/options/option_table.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/reports/report.hpp"
#include "sim/reports/sidecar.hpp"

namespace tutti::commands {

// The words of the option --format are the formats of a command; the first word is the default.

// Formats of every report. Some commands support more: osu, nccl-tests, Open
// MPI's rules.
inline constexpr OptionSpec document_format = taking(
    "text csv json jsonl md",
    job_option::output_row("--format", "FORMAT", "Format: text (default), csv, json, jsonl, md"));
inline constexpr OptionSpec osu_format =
    taking("text csv json jsonl md osu",
           job_option::output_row("--format", "FORMAT",
                                  "Format: text (default), csv, json, jsonl, md, osu"));
inline constexpr OptionSpec collective_format =
    taking("text csv json jsonl md osu nccl-tests",
           job_option::output_row("--format", "FORMAT",
                                  "Format: text (default), csv, json, jsonl, md, osu, nccl-tests"));
// Formats of commands that write data for other programs.
inline constexpr OptionSpec export_format = taking(
    "csv text json jsonl md",
    job_option::output_row("--format", "FORMAT", "Format: csv (default), text, json, jsonl, md"));

// The format given by --format, otherwise by the extension of --output, otherwise the default.
// Errors: a format that the row does not contain.
Result<std::string> chosen_format(const OptionValues& parsed, const OptionSpec& row);

// The folder that the option names for a trace. Adds an error if it is neither new nor empty, or
// has the name of a report.
std::string read_new_folder(OptionReader& read, std::string_view option);

// The options of the output of documents.
inline constexpr OptionSpec part_option = job_option::output_row(
    "--part", "NAME", "Print only this table of the report; default for CSV: the first");

inline constexpr OptionSpec spreadsheet_option = job_option::output_row(
    "--spreadsheet", "",
    "Mark CSV text that a spreadsheet would compute by an apostrophe: '=A1"
    "\nPut an apostrophe before text in a CSV that begins with `=`, `+`, `-`, `@` or a tab, unless "
    "it is a number: spreadsheets would compute it as a formula.");

// Format and destination of a document.
struct DocumentOutput {
  reports::Format format = reports::Format::text;
  std::string part = {};
  std::optional<std::string> path;  // unset: standard output
  bool is_own_format = false;       // then `format` is not used
  reports::CsvProvenance provenance = reports::CsvProvenance::sidecar;
  bool for_spreadsheets = false;

  // Width of the terminal on which the document is printed; unset for a file or a pipe.
  std::optional<std::size_t> width() const;
};
// The output that the options request. `parts` are the valid names of --part. Errors: unknown
// names.
Result<DocumentOutput> document_output(const OptionValues& parsed,
                                       const std::vector<std::string>& parts,
                                       const OptionSpec& format = document_format);

// The last rows of a command's option table: the options of a document, and the options that every
// command has.
struct DocumentKind {
  std::vector<std::string> (*parts)();
  OptionSpec part = part_option;
  OptionSpec format = document_format;
};
options::OptionTable<DocumentOutput> document_options(const DocumentKind& kind);
void read_document(OptionReader& read, const DocumentKind& kind, DocumentOutput& output);

// The path of --output; unset for standard output.
std::optional<std::string> output_path(const OptionValues& parsed);

// Writes the report to the file, or to standard output if the path is unset. If the file cannot be
// written, prints the report so that it is not lost.
std::optional<Error> write_report(const std::optional<std::string>& path, const std::string& text);

// Writes a report in the output's format. A CSV that goes to a regular file gets its provenance
// next to it: the head and the notes. Errors: a file at the path of the sidecar that was not
// written as one; it is not replaced.
std::optional<Error> write_report(const DocumentOutput& output, const reports::ReportHead& head,
                                  const std::string& text,
                                  const std::vector<std::string>& notes = {});
// The value of --provenance.
Result<reports::CsvProvenance> read_csv_provenance(const OptionValues& parsed);

// Writes the document, or the part that the output selects. Returns the exit code.
Result<int> write_document(const reports::Document& document, const DocumentOutput& output);
// The same, with the options of `listing_specs`.
Result<int> write_document(const reports::Document& document, const OptionValues& parsed);

// The options of a command that prints a listing: its own options, then the options of the output.
template <std::same_as<OptionSpec>... Own>
constexpr auto listing_specs(const Own&... own) {
  return std::array{own...,
                    part_option,
                    document_format,
                    job_option::output_file,
                    job_option::color,
                    job_option::quiet,
                    job_option::help};
}

}  // namespace tutti::commands
