// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/formats.hpp"

#include <charconv>

#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

constexpr std::size_t most_failures_reported = 20;

void add_failures(const std::vector<std::string>& failed, std::vector<std::string>& lines) {
  for (const auto& failure : failed) {
    if (&failure == failed.data() + most_failures_reported) {
      lines.push_back(
          fmt::format("failed: {} more points", failed.size() - most_failures_reported));
      return;
    }
    lines.push_back("failed: " + failure);
  }
}

std::string platform_line(const PlatformSource& platform,
                          const std::vector<platforms::Override>& overrides) {
  std::string line = fmt::format("platform {} ({}), hash {}: {}", platform.name,
                                 platform.from_catalog ? "catalog" : platform.file, platform.hash,
                                 platforms::describe(platform.size));
  if (!platform.routing.empty()) line += ", " + platform.routing;
  for (const auto& [key, value] : overrides) line += fmt::format(", {} = {}", key, value);
  return line;
}

// Names the platforms only if their backgrounds differ.
void add_backgrounds(const std::vector<PlatformSource>& platforms,
                     std::vector<std::string>& lines) {
  const auto text_of = [](const PlatformSource& platform) {
    return fmt::format("{}: {}", platform.background, platform.background_about);
  };
  const bool are_equal = std::ranges::all_of(platforms, [&](const PlatformSource& platform) {
    return text_of(platform) == text_of(platforms.front());
  });
  for (const auto& platform : platforms) {
    if (platform.background.empty()) continue;
    lines.push_back(are_equal
                        ? "background " + text_of(platform)
                        : fmt::format("background on {}: {}", platform.name, text_of(platform)));
    if (are_equal) return;
  }
}

// Whether a spreadsheet would compute the text, given with the quotes of CSV.
bool is_formula(std::string_view field) {
  if (field.starts_with('"')) field.remove_prefix(1);
  if (field.empty() || std::string_view("=+-@\t\r").find(field.front()) == std::string_view::npos)
    return false;
  double number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  return error != std::errc() || end != field.data() + field.size();
}

std::string quantity_words(std::string_view value, bool is_factor) {
  if (is_factor) return std::string(value);
  if (const auto time_s = parse_seconds(value)) return format_seconds(*time_s);
  if (const auto rate_Bps = parse_rate(value)) return format_rate(*rate_Bps);
  return std::string(value);
}

// "16KiB:2us:0.5ns": the size, the value, and the time per byte, which may be missing.
std::optional<std::string> step_words(std::string_view step, bool is_factor) {
  const auto parts = split(step, ':');
  if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
  const auto from = parse_bytes(parts[0]);
  if (!from) return std::nullopt;
  std::string words = *from == 0 ? "" : fmt::format("from {}: ", format_bytes(*from));
  words += quantity_words(parts[1], is_factor);
  const auto per_byte_s = parts.size() == 3 ? parse_seconds(parts[2]) : Result<Seconds>(0);
  if (per_byte_s && *per_byte_s > 0) words += fmt::format(" + {:.3g} ns/B", *per_byte_s * 1e9);
  return words;
}

}  // namespace

std::vector<std::string> provenance_lines(const ReportHead& report) {
  const Provenance& from = report.provenance;
  std::vector<std::string> lines{
      fmt::format("Tutti {} ({}), SimGrid {}", from.version, from.commit, from.simgrid_version),
      from.command};
  for (const auto& platform : from.platforms)
    lines.push_back(platform_line(platform, from.overrides));
  for (const auto& platform : from.platforms)
    if (!platform.ranks.empty()) lines.push_back(platform.ranks);
  add_backgrounds(from.platforms, lines);
  add_failures(report.failed, lines);
  // File names may contain newlines.
  for (auto& line : lines) line = printable(line);
  return lines;
}

std::string mpi_name(std::string_view collective) {
  if (collective == "schedule") return "Schedule";
  return "MPI_" + capitalized(std::string(collective));
}

std::string contention_words(std::string_view contention) {
  if (contention == "off") return ", contention off: NICs only";
  if (contention == "private") return ", contention private: one NIC per rank";
  if (contention == "pooled") return ", contention pooled: a pool of one NIC per rank on each node";
  return {};
}

std::string processes(std::int64_t count) { return counted(count, "process"); }

std::string per_node(const jobs::Record& record) {
  const bool all_similar = record.procs == record.nodes * record.ppn;
  return fmt::format("{}{} per node", all_similar ? "" : "at most ", record.ppn);
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string field = "\"";
  for (const char c : text) {
    field += c;
    if (c == '"') field += c;
  }
  return field + '"';
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const auto& field : fields) {
    if (&field != &fields.front()) line += ',';
    line += csv_field(field);
  }
  return line + '\n';
}

std::string csv_table(const Table& table) {
  std::string csv = csv_line(table.columns);
  std::vector<std::string> fields(table.columns.size());
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) fields[i] = to_text(row[i]);
    csv += csv_line(fields);
  }
  return csv;
}

std::string spreadsheet_csv(std::string_view csv) {
  std::string safe;
  bool is_quoted = false;
  std::size_t begin = 0;  // of the field
  for (std::size_t i = 0; i <= csv.size(); ++i) {
    const bool is_end = i == csv.size();
    if (!is_end && csv[i] == '"') is_quoted = !is_quoted;
    if (!is_end && (is_quoted || (csv[i] != ',' && csv[i] != '\n'))) continue;
    const auto field = csv.substr(begin, i - begin);
    const bool has_quote = field.starts_with('"');
    if (is_formula(field))
      safe.append(has_quote ? "\"'" : "'").append(field.substr(has_quote ? 1 : 0));
    else
      safe.append(field);
    if (!is_end) safe += csv[i];
    begin = i + 1;
  }
  return safe;
}

bool is_by_size(std::string_view value) { return value.find(';') != std::string_view::npos; }

std::string by_size_text(const std::string& value, bool is_factor) {
  if (value.find(':') == std::string::npos) return value;
  std::string text;
  for (const auto& step : split(value, ';')) {
    const auto words = step_words(step, is_factor);
    if (!words) return value;
    text += (text.empty() ? "" : "; ") + *words;
  }
  return text;
}

}  // namespace tutti::reports
