// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/picture_output.hpp"

#include <cerrno>
#include <cstring>

#include "sim/commands/named_files.hpp"
#include "sim/commands/process.hpp"

namespace tutti::commands {
namespace {

// Programs that draw, and their Debian packages.
constexpr std::string_view node = "node", rsvg = "rsvg-convert";

Error not_started(std::string_view program, int code) {
  if (code == ENOENT)
    return usage_error(
        "", fmt::format("{}, which draws the figures, is not installed", program),
        "install it (Debian: nodejs, librsvg2-bin), or write the Vega specification with a file "
        "name ending in .vg");
  return make_error(ErrorKind::run, "",
                    fmt::format("{} cannot be started: {}", program, std::strerror(code)));
}

// What the program writes to standard output.
Result<std::string> capture_output(const std::vector<std::string>& words,
                                   const std::string& input) {
  auto run = run_words(words, input);
  if (run.start_error != 0) return not_started(words.front(), run.start_error);
  if (run.succeeded() && !run.out.empty()) return std::move(run.out);
  const auto reason = run.err.rfind("Error");  // node prints the line of the program before it
  return make_error(ErrorKind::run, "",
                    fmt::format("{} failed: {}", words.front(),
                                run.err.substr(reason == run.err.npos ? 0 : reason)),
                    "a file name ending in .vg writes the Vega specification");
}

struct MediumName {
  std::string_view extension;
  Medium medium;
};
constexpr MediumName media[] = {
    {".svg", Medium::svg}, {".png", Medium::png}, {".pdf", Medium::pdf}};
constexpr std::string_view specification_extension = ".vg";

constexpr std::string_view page_extension = ".html";

Result<std::string> render_report(const reports::Document& document, const ReportOutputs& outputs,
                                  std::vector<reports::TimelinePicture> timelines) {
  if (outputs.has_page()) return reports::document_page(document, std::move(timelines));
  return reports::render_document(document, *outputs.file->format, outputs.shown.part);
}

bool takes_standard_output(const OptionValues& parsed) {
  return !parsed.has("--output") || parsed.value("--output") == "-";
}

std::optional<Error> idle_option(const OptionValues& parsed, const ReportOutputs& outputs,
                                 std::string_view other_result) {
  if (other_result.empty() || !takes_standard_output(parsed)) return std::nullopt;
  const bool uses_part = outputs.file && outputs.file->format;
  for (const char* option : {"--format", "--part"})
    if (parsed.has(option) && !(uses_part && std::string_view(option) == "--part"))
      return usage_error(
          parsed.typed(option),
          fmt::format("has no effect: standard output has {}, not the report", other_result),
          fmt::format("-o FILE writes {} there and prints the report; --report FILE.csv writes "
                      "the report",
                      other_result));
  return std::nullopt;
}

// Unset if --report is not given. Errors: unknown extensions.
Result<std::optional<ReportOutput>> read_report_output(const OptionValues& parsed) {
  if (!parsed.has("--report")) return std::optional<ReportOutput>();
  const std::string place = parsed.typed("--report");
  ReportOutput output{.path = parsed.value("--report"), .format = {}};
  if (std::filesystem::path(output.path).extension() != page_extension) {
    output.format = reports::format_of_file(output.path);
    if (!output.format || reports::is_of_benchmark(*output.format))
      return usage_error(place,
                         fmt::format("unknown report extension of {}", in_quotes(output.path)),
                         "expected .html, .csv, .json, .jsonl, .md or .txt");
  }
  return std::optional(output);
}

Result<ReportOutputs> report_outputs(const OptionValues& parsed,
                                     const std::vector<std::string>& parts,
                                     std::string_view other_result) {
  OptionValues printed = parsed;
  printed.erase("--output");
  auto shown = TUTTI_TRY(document_output(printed, parts));
  auto file = TUTTI_TRY(read_report_output(parsed));
  ReportOutputs outputs{std::move(shown), std::move(file)};
  if (auto error = idle_option(parsed, outputs, other_result)) return *std::move(error);
  return outputs;
}

}  // namespace

std::optional<PictureOutput> picture_output(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension();
  if (extension == specification_extension) return PictureOutput{path, std::nullopt};
  for (const auto& medium : media)
    if (medium.extension == extension) return PictureOutput{path, medium.medium};
  return std::nullopt;
}

std::string picture_path(const std::string& path, const std::string& name, bool is_only) {
  if (is_only) return path;
  const std::filesystem::path file(path);
  return file.parent_path() /
         fmt::format("{}-{}{}", file.stem().string(), name, file.extension().string());
}

std::vector<Error> claim_pictures(const std::string& path, const std::vector<std::string>& names,
                                  const std::string& where) {
  std::vector<Error> errors;
  if (names.size() < 2) return errors;
  for (const auto& name : names)
    if (auto error = claim_output(picture_path(path, name, false), where))
      errors.push_back(*std::move(error));
  return errors;
}

Result<PictureOutput> wanted_picture(const std::string& place, const std::string& path) {
  if (const auto output = picture_output(path)) return *output;
  return usage_error(place, fmt::format("unknown picture extension of {}", in_quotes(path)),
                     fmt::format("expected {}", picture_endings));
}

Result<std::string> render_picture(const reports::Drawing& drawing,
                                   const std::vector<std::string>& provenance,
                                   const PictureOutput& output) {
  if (!output.medium) return reports::specification_file(drawing, provenance);
  auto svg = TUTTI_TRY(capture_output({std::string(node), "-"}, reports::svg_program(drawing)));
  if (*output.medium == Medium::svg) return svg;
  // A PNG has twice as many pixels in each direction.
  if (*output.medium == Medium::png)
    return capture_output({std::string(rsvg), "--format=png", "--zoom=2", "--unlimited"}, svg);
  return capture_output({std::string(rsvg), "--format=pdf", "--unlimited"}, svg);
}

Result<std::optional<PictureOutput>> read_plot(const OptionValues& parsed) {
  if (!parsed.has("--plot")) return std::optional<PictureOutput>();
  const auto output = TUTTI_TRY(wanted_picture(parsed.typed("--plot"), parsed.value("--plot")));
  return std::optional(output);
}

Result<int> write_plot(const std::function<reports::Drawing()>& drawing,
                       const reports::ReportHead& report,
                       const std::optional<PictureOutput>& output) {
  return output ? write_plot(drawing(), report, *output) : exit_done;
}

Result<int> write_plot(const reports::Drawing& drawing, const reports::ReportHead& report,
                       const PictureOutput& output) {
  const auto picture =
      TUTTI_TRY(render_picture(drawing, reports::provenance_lines(report), output));
  return done_unless(write_file(output.path, picture));
}

Result<std::vector<reports::PlotSpec>> wanted_plots(const studies::StudyFile& study) {
  std::vector<reports::PlotSpec> plots;
  ErrorList errors;
  for (const studies::StudyPlot& wanted : study.plots) {
    auto plot = reports::plot_spec(wanted.options);
    if (plot)
      plots.push_back(*std::move(plot));
    else
      for (const Error& error : plot.errors())
        errors.add(error_at(study, wanted.spot, error.message, error.hint));
  }
  if (!errors.empty()) return errors.errors();
  return plots;
}

options::OptionTable<ReportOutputs> report_options(std::vector<std::string> (*parts)(),
                                                   std::string_view other_result,
                                                   const OptionSpec& report) {
  using Table = options::OptionTable<ReportOutputs>;
  return Table{{report},
               {taking(parts, part_option)},
               {document_format},
               {job_option::provenance},
               {job_option::color},
               {job_option::quiet},
               {job_option::help}}
      .then(options::together(
          [=](const OptionValues& values) { return report_outputs(values, parts(), other_result); },
          [](ReportOutputs& outputs) -> ReportOutputs& { return outputs; }));
}

Result<int> write_report_file(const reports::Document& document, const ReportOutputs& outputs,
                              std::vector<reports::TimelinePicture> timelines) {
  if (!outputs.file) return exit_done;
  const auto text = TUTTI_TRY(render_report(document, outputs, std::move(timelines)));
  const std::string& path = outputs.file->path;
  if (outputs.file->format != reports::Format::csv) return done_unless(write_file(path, text));
  return done_unless(write_report(
      {.format = reports::Format::csv, .path = path, .provenance = outputs.shown.provenance},
      document, text, document.about));
}

Result<int> write_reports(const reports::Document& document, const ReportOutputs& outputs,
                          std::vector<reports::TimelinePicture> timelines) {
  TUTTI_TRY(write_report_file(document, outputs, std::move(timelines)));
  return write_document(document, outputs.shown);
}

}  // namespace tutti::commands
