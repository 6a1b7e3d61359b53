// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/report.hpp"

#include "sim/reports/formats.hpp"
#include "sim/reports/record_table.hpp"
#include "sim/reports/text_table.hpp"
#include "workloads/collective_call.hpp"

namespace tutti::reports {
namespace {

struct FormatEntry {
  std::string_view name;
  std::string_view extension;
  Format format;
};
constexpr std::array formats = {
    FormatEntry{"text", ".txt", Format::text},
    FormatEntry{"csv", ".csv", Format::csv},
    FormatEntry{"json", ".json", Format::json},
    FormatEntry{"jsonl", ".jsonl", Format::jsonl},
    FormatEntry{"osu", ".osu", Format::osu},
    FormatEntry{"md", ".md", Format::md},
    FormatEntry{"nccl-tests", ".nccl-tests", Format::nccl_tests},
};

using jobs::Record;

// The series of a record: all parameters except the size and values that rules chose. Each series
// is one OSU table.
auto series_of(const Record& record) {
  const bool automatic = workloads::is_automatic(record.requested_algorithm);
  return std::tuple(record.requested_algorithm, record.procs, record.ppn, record.root,
                    automatic ? 0 : record.fanout.value_or(0),
                    automatic ? 0 : record.segment_bytes);
}

std::pair<std::string, const char*> osu_head(const Record& record) {
  const auto [algorithm, procs, ppn, root, fanout, segment] = series_of(record);
  std::string head =
      fmt::format("{}, {}, {}{}, algorithm {}", mpi_name(record.collective), processes(procs),
                  per_node(record), root ? fmt::format(", root {}", *root) : "", algorithm);
  if (segment > 0) head += fmt::format(", segment {}", format_bytes(segment));
  if (fanout > 0) head += fmt::format(", fan-out {}", fanout);
  return {head, "Avg Latency(us)"};
}

}  // namespace

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

std::string name_of(Format format) {
  return std::string(std::ranges::find(formats, format, &FormatEntry::format)->name);
}

std::optional<Format> format_of_file(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension();
  for (const auto& entry : formats)
    if (entry.extension == extension) return entry.format;
  return std::nullopt;
}

std::string render(const Report& report, Format format, std::optional<std::size_t> width) {
  if (format == Format::osu) return render_osu(report);
  if (format == Format::nccl_tests) return render_nccl_tests(report);
  return render_records(report, format, width, [&] {
    return format == Format::text ? text_table(report, width) : text_table(report);
  });
}

// Columns as wide as those of the OSU benchmarks (10 and 18 characters).
std::string render_osu(const Report& report) {
  return osu_page(
      report, 18, [](auto& record) { return series_of(record); }, osu_head,
      [](const Record& record) {
        TUTTI_CHECK(record.time_mean_s, "OSU's format needs times");
        return *record.time_mean_s * 1e6;
      });
}

}  // namespace tutti::reports
