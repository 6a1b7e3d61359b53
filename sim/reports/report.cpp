// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/report.hpp"

#include <array>
#include <filesystem>

#include "sim/base/check.hpp"
#include "sim/engines/version.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/version.hpp"

namespace tutti::reports {
namespace {

struct FormatEntry {
  std::string_view name;
  std::string_view extension;
  Format format;
  std::string (*render)(const Report&);  // none: the text, which also takes a width
};
constexpr std::array formats = {
    FormatEntry{"text", ".txt", Format::text, nullptr},
    FormatEntry{"csv", ".csv", Format::csv, render_csv},
    FormatEntry{"json", ".json", Format::json, render_json},
    FormatEntry{"jsonl", ".jsonl", Format::jsonl, render_jsonl},
    FormatEntry{"osu", ".osu", Format::osu, render_osu},
    FormatEntry{"md", ".md", Format::md, render_markdown},
};

}  // namespace

Provenance provenance_of(const platforms::Machine& machine, const std::string& given_name,
                         const std::vector<platforms::Override>& overrides,
                         const std::string& command) {
  return {.version = version(),
          .commit = commit(),
          .simgrid_version = engines::simgrid_version(),
          .command = command,
          .platform_name = machine.name,
          .platform_file = given_name,
          // A file is read by the name given; the catalog knows where it keeps its own.
          .from_catalog = machine.file != given_name,
          .platform_hash = machine.content_hash,
          .size = platforms::size_of(machine),
          .overrides = overrides};
}

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const auto& entry : formats) names.emplace_back(entry.name);
  return names;
}

std::optional<Format> format_of(std::string_view name) {
  for (const auto& entry : formats)
    if (entry.name == name) return entry.format;
  return std::nullopt;
}

std::optional<Format> format_of_file(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension();
  for (const auto& entry : formats)
    if (entry.extension == extension) return entry.format;
  return std::nullopt;
}

std::string render(const Report& report, Format format, std::optional<std::size_t> width) {
  if (format == Format::text) return render_text(report, width);
  for (const auto& entry : formats)
    if (entry.format == format) return entry.render(report);
  TUTTI_CHECK(false, "a format without a renderer");
  return {};
}

}  // namespace tutti::reports
