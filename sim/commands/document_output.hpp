// SPDX-License-Identifier: BSD-3-Clause
// The options of commands that hand out a document: --format, --output, --part.
#pragma once

#include <string>
#include <vector>

#include "sim/commands/diagnostics.hpp"
#include "sim/commands/job_options.hpp"
#include "sim/commands/job_specs.hpp"
#include "sim/reports/document/document.hpp"

namespace tutti::commands {

namespace document_option {

inline constexpr OptionSpec format =
    job_option::output_row("--format", "FORMAT", "text (default), csv, json, jsonl, md");
inline constexpr OptionSpec part = job_option::output_row(
    "--part", "NAME", "one of the tables alone; csv and jsonl have one only: the first");

}  // namespace document_option

struct DocumentRequest : JobRequest {
  std::string part;  // empty: all
};

// Reads these options, and those that the derived class adds.
class DocumentReading : protected JobReading {
 protected:
  using JobReading::JobReading;

  // `parts` are the names of the tables that there will be.
  void read_document(DocumentRequest& request, const std::vector<std::string>& parts);
  // No words beside the options.
  void refuse_arguments(const std::string& hint = {});
};

// For commands that have these options alone. Errors: also of words beside the options.
Result<DocumentRequest> read_document(const Parsed& parsed, const std::vector<std::string>& parts);

// Where the request says; the exit code.
int write_document(const DocumentRequest& request, const reports::Document& document,
                   const Diagnostics& diagnostics);

}  // namespace tutti::commands
