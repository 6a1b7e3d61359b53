// SPDX-License-Identifier: BSD-3-Clause
// Output of results to stdout or files. Every failed write is an error.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output_format.hpp"
#include "sim/options/option_table.hpp"
#include "sim/reports/document/document.hpp"
#include "sim/reports/sidecar.hpp"

namespace tutti::commands {

// Writes all of `text`, or returns an error of kind io.
std::optional<Error> write_stdout(std::string_view text);

// True if both names refer to the same file, also through links, whether it exists or not. Devices,
// pipes and descriptors under different names count as different files.
bool same_file(const std::string& a, const std::string& b);

// True for devices and descriptors without an extension that could choose a format: /dev/stdout,
// but not /dev/shm/x.csv.
bool names_device(const std::string& path);

// Returns an error if `path` cannot be written. Called before a long run.
std::optional<Error> check_writable(const std::string& path);

// The folder that the option names for a trace. Adds an error if it is neither new nor empty, or
// has the name of a report.
std::string new_folder_of(OptionReader& read, std::string_view option);

// Replaces the file atomically: writes a temporary file in the same folder, then renames it. The
// permissions are kept, and a write-protected file is an error. A symbolic link is kept, and its
// target replaced. A file that is not regular (a device, a pipe) is written directly; output to a
// descriptor of this process (/dev/stdout) is appended.
std::optional<Error> write_file(const std::string& path, std::string_view text);

// A file that is written in pieces, since it may be larger than memory, in the same way.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();  // removes the temporary file if the output was not closed
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Text after the first failure is discarded.
  void write(std::string_view text);
  // Completes the file. Returns the first failure.
  std::optional<Error> close();

 private:
  void flush();

  std::string path_;
  std::filesystem::path target_;
  std::string temporary_;       // empty: written directly
  int fd_ = -1;                 // -1: closed or failed
  bool is_descriptor_ = false;  // of this process, which stays open
  int code_ = 0;                // errno of the first failure
  std::optional<Error> refused_;
  std::string buffer_;
};

// Options of the output of documents.
inline constexpr OptionSpec part_option = job_option::output_row(
    "--part", "NAME", "Print only this table of the report; default for CSV: the first");

// Format and destination of a document.
struct DocumentOutput {
  reports::Format format = reports::Format::text;
  std::string part;
  std::optional<std::string> path;  // unset: standard output
  bool is_own_format = false;       // then `format` is not used
  reports::CsvProvenance provenance = reports::CsvProvenance::sidecar;
};
// `parts`: the valid names of --part. Errors: unknown names.
Result<DocumentOutput> document_output(const OptionValues& parsed,
                                       const std::vector<std::string>& parts,
                                       const OptionSpec& format = document_format);

// The options of a document and those of every command, to end the table of a command.
struct DocumentKind {
  std::vector<std::string> (*parts)();
  OptionSpec part = part_option;
  OptionSpec format = document_format;
};
options::OptionTable<DocumentOutput> document_options(const DocumentKind& kind);
void read_document(OptionReader& read, const DocumentKind& kind, DocumentOutput& output);

// The path of --output; unset: standard output.
std::optional<std::string> output_path(const OptionValues& parsed);

// Writes the report to the file, or to standard output if the path is unset. If the file cannot be
// written, prints the report so that it is not lost.
std::optional<Error> write_report(const std::optional<std::string>& path, const std::string& text);

// The provenance of a CSV, and where to write it.
struct CsvSource {
  const reports::ReportHead& head;
  reports::CsvProvenance provenance = reports::CsvProvenance::sidecar;
  std::vector<std::string> notes = {};
};
// Writes a CSV as a report, and its provenance next to it if it goes to a regular file. Errors: a
// file at the path of the sidecar that was not written as one; it is not replaced.
std::optional<Error> write_csv(const std::optional<std::string>& path, const std::string& csv,
                               const CsvSource& source);
// The value of --provenance.
Result<reports::CsvProvenance> csv_provenance_of(const OptionValues& parsed);

// Returns the exit code.
Result<int> write_document(const reports::Document& document, const DocumentOutput& output);
// The same, with the options of `listing_specs`.
Result<int> write_document(const reports::Document& document, const OptionValues& parsed);

// The options of a command that prints a listing: its own options, then those of the output.
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
