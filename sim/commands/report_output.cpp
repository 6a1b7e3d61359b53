// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/report_output.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/commands/output.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view page_extension = ".html";

Result<std::string> text_of(const reports::Document& document, const ReportOutputs& outputs,
                            std::vector<reports::TimelinePicture> timelines) {
  if (outputs.has_page()) return reports::document_page(document, std::move(timelines));
  return reports::render_document(document, *outputs.file->format, outputs.shown.part);
}

}  // namespace

Result<std::optional<ReportOutput>> report_of(const Parsed& parsed) {
  if (!parsed.has("--report")) return std::optional<ReportOutput>();
  const std::string place = parsed.typed("--report");
  ReportOutput output{.path = parsed.value("--report"), .format = {}};
  if (std::filesystem::path(output.path).extension() != page_extension) {
    output.format = reports::format_of_file(output.path);
    if (!output.format || output.format == reports::Format::osu)
      return usage_error(place,
                         fmt::format("{} has no extension of a report", in_quotes(output.path)),
                         "there are: .html, .csv, .json, .jsonl, .md, .txt");
  }
  return std::optional(output);
}

Result<ReportOutputs> report_outputs(const Parsed& parsed, const std::vector<std::string>& parts) {
  Parsed printed = parsed;
  printed.options.erase("--output");
  auto shown = document_output(printed, parts);
  if (!shown) return shown.errors();
  auto file = report_of(parsed);
  if (!file) return file.errors();
  return ReportOutputs{*std::move(shown), *std::move(file)};
}

int write_report_file(const reports::Document& document, const ReportOutputs& outputs,
                      const Diagnostics& diagnostics,
                      std::vector<reports::TimelinePicture> timelines) {
  if (!outputs.file) return exit_done;
  const auto text = text_of(document, outputs, std::move(timelines));
  if (!text) return diagnostics.fail(text.errors());
  if (const auto error = write_file(outputs.file->path, *text)) return diagnostics.fail({*error});
  return exit_done;
}

int write_reports(const reports::Document& document, const ReportOutputs& outputs,
                  const Diagnostics& diagnostics, std::vector<reports::TimelinePicture> timelines) {
  const int code = write_report_file(document, outputs, diagnostics, std::move(timelines));
  if (code != exit_done) return code;
  return write_document(document, outputs.shown, diagnostics);
}

}  // namespace tutti::commands
