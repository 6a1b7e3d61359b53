// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/picture_output.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/commands/gnuplot.hpp"
#include "sim/commands/named_files.hpp"
#include "sim/commands/output.hpp"

namespace tutti::commands {
namespace {

using reports::Medium;

struct MediumName {
  std::string_view extension;
  Medium medium;
};
constexpr MediumName media[] = {
    {".svg", Medium::svg}, {".png", Medium::png}, {".pdf", Medium::pdf}};
constexpr std::string_view program_extension = ".gp";

// It writes an SVG beside itself.
std::string program_file(const reports::Drawing& drawing,
                         const std::vector<std::string>& provenance, const std::string& path) {
  const std::filesystem::path svg =
      std::filesystem::path(path).filename().replace_extension(".svg");
  std::string text = fmt::format("# gnuplot {}   writes {}\n",
                                 printable(std::filesystem::path(path).filename().string()),
                                 printable(svg.string()));
  for (const auto& line : provenance) text += "# " + printable(line) + '\n';
  return text + reports::gnuplot_program(drawing, Medium::svg, svg);
}

}  // namespace

std::optional<PictureOutput> picture_output(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension();
  if (extension == program_extension) return PictureOutput{path, std::nullopt};
  for (const auto& each : media)
    if (each.extension == extension) return PictureOutput{path, each.medium};
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
  return usage_error(place, fmt::format("{} has no extension of a picture", in_quotes(path)),
                     fmt::format("there are: {}", picture_endings));
}

Result<std::string> picture_of(const reports::Drawing& drawing,
                               const std::vector<std::string>& provenance,
                               const PictureOutput& output) {
  if (!output.medium) return program_file(drawing, provenance, output.path);
  return run_gnuplot(reports::gnuplot_program(drawing, *output.medium));
}

Result<std::optional<PictureOutput>> plot_of(const OptionValues& parsed) {
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
  const auto picture = TUTTI_TRY(picture_of(drawing, reports::provenance_lines(report), output));
  const auto error = write_file(output.path, picture);
  if (error) return *error;
  return exit_done;
}

}  // namespace tutti::commands
