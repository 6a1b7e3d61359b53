// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/tables/result_file.hpp"

#include <fstream>

#include "sim/base/text_file.hpp"
#include "sim/reports/sidecar.hpp"
#include "sim/reports/tables/readers.hpp"
#include "sim/studies/study_table.hpp"

namespace tutti::reports {
namespace {

// Adds the values in "platform NAME (FILE), hash HASH: SIZE, KEY = VALUE, ..." as columns. Ignores
// other sentences.
void add_platform(std::string_view sentence, Table& table) {
  constexpr std::string_view start = "platform ";
  constexpr std::string_view hash_mark = "), hash ";
  const auto name_end = sentence.find(" (");
  const auto hash = sentence.find(hash_mark);
  if (!sentence.starts_with(start) || hash == std::string_view::npos || name_end > hash) return;
  const auto hash_start = hash + hash_mark.size();
  const auto hash_end = sentence.find(':', hash_start);
  if (hash_end == std::string_view::npos) return;
  add_constant(table, "platform",
               std::string(sentence.substr(start.size(), name_end - start.size())));
  add_constant(table, "platform_hash",
               std::string(sentence.substr(hash_start, hash_end - hash_start)));
  auto rest = sentence.substr(hash_end);
  for (std::size_t at; (at = rest.find(", ")) != std::string_view::npos;) {
    rest.remove_prefix(at + 2);
    const auto pair = rest.substr(0, rest.find(", "));
    const auto equals = pair.find(" = ");
    if (equals != std::string_view::npos)
      add_constant(table, std::string(pair.substr(0, equals)),
                   studies::cell_of_text(std::string(pair.substr(equals + 3))));
  }
}

}  // namespace

void take_comment(std::string_view comment, ResultFile& file) {
  constexpr std::string_view failed = "failed: ";
  comment = trim(comment);
  if (comment.starts_with(failed))
    file.failed.emplace_back(comment.substr(failed.size()));
  else if (!comment.empty())
    file.provenance.emplace_back(comment);
}

void finish_comments(ResultFile& file) {
  for (const auto& sentence : file.provenance) add_platform(sentence, file.table);
}

namespace {

using Reader = Result<ResultFile> (*)(std::string_view, const std::string&);

constexpr std::size_t lines_looked_at = 60;

// The first lines that begin with '#'.
std::vector<std::string_view> first_comments(std::string_view text) {
  std::vector<std::string_view> comments;
  for (std::size_t i = 0; i < lines_looked_at && !text.empty(); ++i) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = trim(text.substr(0, end));
    if (line.starts_with('#')) comments.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return comments;
}

bool any_begins(const std::vector<std::string_view>& lines, std::string_view start) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](std::string_view line) { return line.starts_with(start); });
}

bool any_mentions(const std::vector<std::string_view>& lines, std::string_view part) {
  return std::any_of(lines.begin(), lines.end(), [&](std::string_view line) {
    return line.find(part) != std::string_view::npos;
  });
}

// True if the first line is a complete object and other lines follow.
bool is_jsonl(std::string_view text) {
  const auto end = text.find('\n');
  if (end == std::string_view::npos || !text.starts_with('{')) return false;
  const auto rest = text.substr(end);
  return trim(text.substr(0, end)).ends_with('}') &&
         rest.find_first_not_of(" \t\r\n") != std::string_view::npos;
}

std::optional<Reader> reader_of(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return std::nullopt;
  const auto body = text.substr(first);
  if (body.starts_with('[')) return read_json;
  if (body.starts_with('{')) return is_jsonl(body) ? read_jsonl : read_json;
  const auto comments = first_comments(text);
  if (any_mentions(comments, "Avg Latency(us)") || any_begins(comments, "# OSU ") ||
      any_begins(comments, "# Size  "))
    return read_osu;
  if (any_begins(comments, "# Benchmarking") || any_mentions(comments, "Intel(R) MPI Benchmarks"))
    return read_imb;
  if (any_begins(comments, "# size n PRTT")) return read_netgauge;
  if (any_begins(comments, "#@operation") || any_begins(comments, "#@reproMPI") ||
      any_begins(comments, "#MPI calls:"))
    return read_reprompi;
  if (is_netpipe(body)) return read_netpipe;
  if (is_ior(body)) return read_ior;
  if (is_obdfilter_survey(body)) return read_obdfilter_survey;
  if (any_begins(comments, "# Size (B)") || body.starts_with('|')) return std::nullopt;
  return read_csv;
}

// True if the file begins like an SQLite file. A pipe is not looked at: it can be read once.
bool is_store(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return false;
  constexpr std::string_view start("SQLite format 3\0", 16);
  std::string found(start.size(), ' ');
  std::ifstream file(path, std::ios::binary);
  return file.read(found.data(), static_cast<std::streamsize>(found.size())) && found == start;
}

// Adds the sidecar of a CSV, if there is one.
void add_sidecar(std::string_view csv, ResultFile& file) {
  const std::string path = sidecar_path(file.path);
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return;
  const auto text = read_text_file(path, longest_result_file);
  if (text)
    read_sidecar(*text, csv, file);
  else
    file.warnings.push_back(fmt::format("{}: {}; the provenance of {} is unknown", path,
                                        text.error().message, file.path));
}

// Programs end the last line with a newline: without it, the last number may be incomplete.
bool was_cut(std::string_view text, Reader reader) {
  const bool by_program = reader == &read_osu || reader == &read_imb || reader == &read_netgauge ||
                          reader == &read_reprompi || text.starts_with("# Tutti ") ||
                          text.starts_with("key,status,") ||
                          text.starts_with("platform,platform_hash,");
  return by_program && !text.ends_with('\n');
}

}  // namespace

Result<ResultFile> read_result_text(std::string_view text, const std::string& path,
                                    std::string_view expected) {
  text = without_byte_order_mark(text);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return make_error(ErrorKind::input, path, "the file is empty", std::string(expected));
  constexpr std::size_t bytes_looked_at = 4096;
  if (text.substr(0, bytes_looked_at).find('\0') != std::string_view::npos)
    return make_error(ErrorKind::input, path, "not a result file: it contains binary data",
                      std::string(expected));
  const auto reader = reader_of(text);
  if (!reader)
    return make_error(ErrorKind::input, path, "text and Markdown reports cannot be read",
                      "write the report again with --format csv or --format json");
  if (was_cut(text, *reader))
    return error_at(text, text.size(), path, "the last line has no newline: the file is truncated");
  auto file = (*reader)(text, path);
  if (!file) return file;
  file->path = path;
  if (file->table.rows.empty())
    return make_error(ErrorKind::input, path, "the file contains no results",
                      file->failed.empty() ? std::string(expected)
                                           : "all points failed, the first: " + file->failed[0]);
  return file;
}

Result<ResultFile> read_result_file(const std::string& path, std::string_view expected) {
  if (path == "-") {
    const auto text = TUTTI_TRY(read_standard_input(longest_result_file));
    return read_result_text(text, std::string(standard_input), expected);
  }
  if (is_store(path)) return read_store(path);
  const auto text = TUTTI_TRY(read_text_file(path, longest_result_file));
  auto file = read_result_text(text, path, expected);
  if (file) add_sidecar(text, *file);
  return file;
}

}  // namespace tutti::reports
