// SPDX-License-Identifier: BSD-3-Clause
// How and where documents are written.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/commands/diagnostics.hpp"
#include "sim/commands/options.hpp"
#include "sim/options/option_table.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::commands {

// The options by which documents are written.
inline constexpr OptionSpec part_option = job_option::output_row(
    "--part", "NAME", "one table of the report alone; CSV has the first one otherwise");
inline constexpr OptionSpec document_format =
    job_option::output_row("--format", "FORMAT", "text (default), csv, json, jsonl, md");

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

}  // namespace tutti::commands
