// SPDX-License-Identifier: BSD-3-Clause
// A picture by the ending of its file's name: .svg, .png, .pdf, or .gp: gnuplot's program.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/result.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/options/shared_options.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/plots/gnuplot.hpp"

namespace tutti::commands {

struct PictureOutput {
  std::string path;
  std::optional<reports::Medium> medium;  // none: the program
};

inline constexpr std::string_view picture_endings =
    ".svg, .png, .pdf, and .gp for gnuplot's program";

// Nothing for any other ending.
std::optional<PictureOutput> picture_output(const std::string& path);
// Of one of several pictures: "map.svg" is then "map-bcast.svg".
std::string picture_path(const std::string& path, const std::string& name, bool is_only);
// Claims a picture for each name, where there are several (named_files.hpp).
std::vector<Error> claim_pictures(const std::string& path, const std::vector<std::string>& names,
                                  const std::string& where);
// An error of kind usage for any other ending; `place`: the option as it was typed.
Result<PictureOutput> wanted_picture(const std::string& place, const std::string& path);
// Runs gnuplot, but for its program. `provenance`: comment lines of the program.
Result<std::string> picture_of(const reports::Drawing& drawing,
                               const std::vector<std::string>& provenance,
                               const PictureOutput& output);

// The option of commands that print a report and draw it, too.
inline constexpr OptionSpec plot_option = written(job_option::output_row(
    "--plot", "FILE", "draws it there: .svg, .png, .pdf, or .gp: gnuplot's program"));
// Nothing where it is not given.
Result<std::optional<PictureOutput>> plot_of(const OptionValues& parsed);
// Draws, where there is an output. Returns the exit code.
Result<int> write_plot(const std::function<reports::Drawing()>& drawing,
                       const reports::ReportHead& report,
                       const std::optional<PictureOutput>& output);
Result<int> write_plot(const reports::Drawing& drawing, const reports::ReportHead& report,
                       const PictureOutput& output);

}  // namespace tutti::commands
