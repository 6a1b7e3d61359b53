// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/document_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"
#include "sim/commands/job_run.hpp"
#include "sim/commands/output.hpp"

namespace tutti::commands {
namespace {

class PlainReading : DocumentReading {
 public:
  explicit PlainReading(const Parsed& parsed) : DocumentReading(parsed) {}

  Result<DocumentRequest> read(const std::vector<std::string>& parts) {
    DocumentRequest request;
    refuse_arguments();
    read_document(request, parts);
    if (!errors_.empty()) return errors_.errors();
    return request;
  }
};

}  // namespace

void DocumentReading::read_document(DocumentRequest& request,
                                    const std::vector<std::string>& parts) {
  read_output_files(request);
  request.format = read_format(request.output);
  if (request.format == reports::Format::osu)
    wrong("--format", "osu prints latencies of messages", "take --format csv");
  if (request.output)
    if (const auto error = check_writable(*request.output)) errors_.add(*error);
  if (!parsed_.has("--part")) return;
  request.part = parsed_.value("--part");
  if (std::ranges::find(parts, request.part) == parts.end())
    wrong("--part", fmt::format("there is no table {}", in_quotes(request.part)),
          did_you_mean(request.part, parts, fmt::format("there are: {}", fmt::join(parts, ", "))));
}

void DocumentReading::refuse_arguments(const std::string& hint) {
  if (!parsed_.arguments.empty())
    wrong("", fmt::format("unexpected argument {}", in_quotes(parsed_.arguments.front())), hint);
}

Result<DocumentRequest> read_document(const Parsed& parsed, const std::vector<std::string>& parts) {
  return PlainReading(parsed).read(parts);
}

int write_document(const DocumentRequest& request, const reports::Document& document,
                   const Diagnostics& diagnostics) {
  const auto error = write_report(
      request, render_document(document, request.format, request.part, report_width(request)));
  return error ? diagnostics.fail({*error}) : exit_done;
}

}  // namespace tutti::commands
