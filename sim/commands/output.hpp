// SPDX-License-Identifier: BSD-3-Clause
// Where results go: stdout or files. Nothing is lost silently: every failed write is an error.
#pragma once

#include "sim/base/common.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/commands/options.hpp"
#include "sim/options/option_table.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::commands {

// All of `text`, or an error of kind io.
std::optional<Error> write_stdout(std::string_view text);

// True if both names lead to one file, through links too, whether it exists or not. Devices, pipes
// and descriptors under different names are taken for different files.
bool same_file(const std::string& a, const std::string& b);

// Of the names of devices and descriptors no extension tells a format: /dev/stdout, but not
// /dev/shm/x.csv.
bool names_device(const std::string& path);

// Before a long run: an error if `path` cannot be written later.
std::optional<Error> check_writable(const std::string& path);

// Replaces the file in one step: written beside it, then renamed, so that a file is never half
// there. Its permissions stay, and those that forbid writing are obeyed. A link stays, and its file
// is replaced. What is no regular file (a device, a pipe) is written directly, and so is a
// descriptor of this process (/dev/stdout): what is in its file stays.
std::optional<Error> write_file(const std::string& path, std::string_view text);

// How and where documents are written.

// The options by which documents are written.
inline constexpr OptionSpec part_option = job_option::output_row(
    "--part", "NAME", "one table of the report alone; CSV has the first one otherwise");
inline constexpr OptionSpec document_format =
    taking("text csv json jsonl md",
           job_option::output_row("--format", "FORMAT", "text (default), csv, json, jsonl, md"));

// How and where a document goes.
struct DocumentOutput {
  reports::Format format = reports::Format::text;
  std::string part;
  std::optional<std::string> path;  // unset: standard output
  bool is_own_format = false;       // then `format` says nothing
};
// `parts`: the names that --part may have; `own_format`: that --format may have, too. Errors:
// unknown ones.
Result<DocumentOutput> document_output(const OptionValues& parsed,
                                       const std::vector<std::string>& parts,
                                       std::string_view own_format = {});

// The options of a document and those of every command; they end the table of a command.
struct DocumentKind {
  std::vector<std::string> (*parts)();
  std::string_view own_format = {};
  OptionSpec part = part_option;
  OptionSpec format = document_format;
};
options::OptionTable<DocumentOutput> document_options(const DocumentKind& kind);
void read_document(OptionReader& read, const DocumentKind& kind, DocumentOutput& output);

// A result that cost time is not thrown away because of its file: it is printed then.
// Unset path: standard output.
std::optional<Error> write_report(const std::optional<std::string>& path, const std::string& text);

// Returns the exit code of writing.
Result<int> write_document(const reports::Document& document, const DocumentOutput& output);
// By the options of `listing_specs`.
Result<int> write_document(const reports::Document& document, const OptionValues& parsed);

// The options of a command that prints a listing: `own` ones, then how and where it goes.
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
