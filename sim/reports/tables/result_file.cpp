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
                   jobs::cell_of_text(std::string(pair.substr(equals + 3))));
  }
}

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

// True if the first line is a complete object and other lines follow.
bool is_jsonl(std::string_view text) {
  const auto end = text.find('\n');
  if (end == std::string_view::npos || !text.starts_with('{')) return false;
  const auto rest = text.substr(end);
  return trim(text.substr(0, end)).ends_with('}') &&
         rest.find_first_not_of(" \t\r\n") != std::string_view::npos;
}

// True if the text begins like JSON, and not with "[1,0]<stdout>:" or "[node1:1234]".
bool begins_like_json(std::string_view body) {
  if (body.starts_with('{')) return true;
  if (!body.starts_with('[')) return false;
  const auto next = body.find_first_not_of(" \t\r\n", 1);
  return next == std::string_view::npos ||
         std::string_view("{[]\"").find(body[next]) != std::string_view::npos;
}

// A reader and what it reads, for messages.
struct BenchmarkFormat {
  Reader read = nullptr;
  std::string_view name = {};
};

// All formats of benchmarks whose marks the text contains.
std::vector<BenchmarkFormat> benchmark_formats(std::string_view text, std::string_view body) {
  const auto comments = first_comments(text);
  std::vector<BenchmarkFormat> formats;
  // The heads of ReproMPI's columns may also be those of a table without a title.
  const bool is_reprompi = any_begins(comments, "#@operation") ||
                           any_begins(comments, "#@reproMPI") ||
                           any_begins(comments, "#MPI calls:");
  const bool is_nccl = is_nccl_tests(text);
  if (is_nccl) formats.push_back({read_nccl_tests, "nccl-tests' output"});
  if (!is_reprompi && !is_nccl && has_benchmark_table(text))
    formats.push_back({read_benchmarks, "a table of OSU, Intel or Julia"});
  if (any_begins(comments, "# size n PRTT"))
    formats.push_back({read_netgauge, "Netgauge's output"});
  if (is_reprompi) formats.push_back({read_reprompi, "ReproMPI's output"});
  const bool is_alone = formats.empty();
  if (text.find("times -->") != std::string_view::npos || (is_alone && is_netpipe(body)))
    formats.push_back({read_netpipe, "NetPIPE's output"});
  if (is_ior(body)) formats.push_back({read_ior, "IOR's output"});
  if (is_obdfilter_survey(body))
    formats.push_back({read_obdfilter_survey, "obdfilter-survey's output"});
  return formats;
}

// True if the first line that is not a comment may be the header of a CSV.
bool begins_like_csv(std::string_view text) {
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto content = trim(line);
    if (content.empty() || content.starts_with('#')) continue;
    return content.find_first_of(",;\t\"") != std::string_view::npos ||
           content.find(' ') == std::string_view::npos;
  }
  return true;
}

Result<Reader> reader_of(std::string_view text, const std::string& path) {
  const auto body = text.substr(text.find_first_not_of(" \t\r\n"));
  if (begins_like_json(body)) {
    const Reader json = is_jsonl(body) ? read_jsonl : read_json;
    return !has_benchmark_table(text) || json(text, path) ? json : read_benchmarks;
  }
  const auto formats = benchmark_formats(text, body);
  if (formats.size() > 1)
    return make_error(
        ErrorKind::input, path,
        fmt::format("two readings: the file contains {} and {}", formats[0].name, formats[1].name),
        "save each in a file of its own");
  if (!formats.empty()) return formats.front().read;
  if (any_begins(first_comments(text), "# Size (B)") || body.starts_with('|'))
    return make_error(ErrorKind::input, path, "text and Markdown reports cannot be read",
                      "write the report again with --format csv or --format json");
  return begins_like_csv(text) || has_csv_table(text) ? read_csv : read_benchmarks;
}

// True if the file begins like an SQLite file. A pipe is not looked at: it can be read once.
bool is_store(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return false;
  constexpr std::string_view start("SQLite format 3\0", 16);
  std::string begin(start.size(), ' ');
  std::ifstream file(path, std::ios::binary);
  return file.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == start;
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
  const bool by_program = reader == &read_netgauge || reader == &read_reprompi ||
                          text.starts_with("# Tutti ") || text.starts_with("key,status,") ||
                          text.starts_with("platform,platform_hash,");
  return by_program && reader != &read_benchmarks && !text.ends_with('\n');
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

Result<ResultFile> read_result_text(std::string_view text, const std::string& path,
                                    std::string_view expected) {
  text = without_byte_order_mark(text);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    return make_error(ErrorKind::input, path, "the file is empty", std::string(expected));
  constexpr std::size_t bytes_looked_at = 4096;
  if (text.substr(0, bytes_looked_at).find('\0') != std::string_view::npos) {
    const bool is_utf16 = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
    return make_error(ErrorKind::input, path, "not a result file: it contains binary data",
                      is_utf16 ? "the text is in UTF-16; convert it with `iconv -f UTF-16 -t UTF-8`"
                               : std::string(expected));
  }
  const auto reader = reader_of(text, path);
  if (!reader) return reader.errors();
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
