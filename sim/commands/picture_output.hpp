// SPDX-License-Identifier: BSD-3-Clause
// A picture by the ending of its file's name: .svg, .png, .pdf, or .gp: gnuplot's program.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/result.hpp"
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
// Runs gnuplot, but for its program. `provenance`: comment lines of the program.
Result<std::string> picture_of(const reports::Drawing& drawing,
                               const std::vector<std::string>& provenance,
                               const PictureOutput& output);

}  // namespace tutti::commands
