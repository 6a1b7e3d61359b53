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

bool takes_standard_output(const OptionValues& parsed) {
  return !parsed.has("--output") || parsed.value("--output") == "-";
}

std::optional<Error> idle_option(const OptionValues& parsed, const ReportOutputs& outputs,
                                 std::string_view beside) {
  if (beside.empty() || !takes_standard_output(parsed)) return std::nullopt;
  const bool uses_part = outputs.file && outputs.file->format;
  for (const char* option : {"--format", "--part"})
    if (parsed.has(option) && !(uses_part && std::string_view(option) == "--part"))
      return usage_error(
          parsed.typed(option),
          fmt::format("has no effect: standard output has {}, not the report", beside),
          fmt::format("-o FILE writes {} there and prints the report; --report FILE.csv writes "
                      "the report",
                      beside));
  return std::nullopt;
}

}  // namespace

Result<std::optional<ReportOutput>> report_of(const OptionValues& parsed) {
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

Result<ReportOutputs> report_outputs(const OptionValues& parsed,
                                     const std::vector<std::string>& parts,
                                     std::string_view beside) {
  OptionValues printed = parsed;
  printed.erase("--output");
  auto shown = TUTTI_TRY(document_output(printed, parts));
  auto file = TUTTI_TRY(report_of(parsed));
  ReportOutputs outputs{std::move(shown), std::move(file)};
  if (auto error = idle_option(parsed, outputs, beside)) return *std::move(error);
  return outputs;
}

Result<int> write_report_file(const reports::Document& document, const ReportOutputs& outputs,
                              std::vector<reports::TimelinePicture> timelines) {
  if (!outputs.file) return exit_done;
  const auto text = TUTTI_TRY(text_of(document, outputs, std::move(timelines)));
  if (const auto error = write_file(outputs.file->path, text)) return *error;
  return exit_done;
}

Result<int> write_reports(const reports::Document& document, const ReportOutputs& outputs,
                          std::vector<reports::TimelinePicture> timelines) {
  TUTTI_TRY(write_report_file(document, outputs, std::move(timelines)));
  return write_document(document, outputs.shown);
}

}  // namespace tutti::commands
