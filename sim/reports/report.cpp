// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/report.hpp"

#include <array>
#include <filesystem>

#include "sim/engines/version.hpp"
#include "sim/reports/formats.hpp"
#include "sim/reports/record_pages.hpp"
#include "sim/reports/version.hpp"

namespace tutti::reports {
namespace {

struct FormatEntry {
  std::string_view name;
  std::string_view extension;
  Format format;
};
constexpr std::array formats = {
    FormatEntry{"text", ".txt", Format::text},  FormatEntry{"csv", ".csv", Format::csv},
    FormatEntry{"json", ".json", Format::json}, FormatEntry{"jsonl", ".jsonl", Format::jsonl},
    FormatEntry{"osu", ".osu", Format::osu},    FormatEntry{"md", ".md", Format::md},
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
  if (format == Format::osu) return render_osu(report);
  return render_records(report, format, width, [&] {
    return format == Format::text ? people_table(report, width) : people_table(report);
  });
}

}  // namespace tutti::reports
