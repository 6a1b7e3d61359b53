// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/output.hpp"

#include <unistd.h>

#include <fstream>

#include "sim/commands/progress.hpp"
#include "sim/reports/formats.hpp"

namespace tutti::commands {

std::string read_new_folder(OptionReader& read, std::string_view option) {
  const std::string folder = read.file_of(option).value_or("");
  std::error_code failed;
  if (std::filesystem::path(folder).extension() == ".html" || reports::format_of_file(folder))
    read.wrong(option, fmt::format("{} is the name of a report", in_quotes(folder)),
               "give a new or empty folder for the trace; reports are printed");
  else if (std::filesystem::exists(folder, failed) &&
           (!std::filesystem::is_empty(folder, failed) || failed))
    read.wrong(option, fmt::format("{} is not an empty folder", in_quotes(folder)),
               "give a new or empty folder for the trace");
  return folder;
}

std::optional<Error> write_report(const std::optional<std::string>& path, const std::string& text) {
  if (!path) return write_stdout(text);
  auto error = write_file(*path, text);
  if (error && !write_stdout(text))
    error->hint = "the result was printed to standard output instead";
  return error;
}

namespace {

Error not_offered(const OptionValues& parsed, const std::string& word,
                  const std::vector<std::string>& words) {
  if (!reports::format_of(word))
    return unknown_name(parsed.typed("--format"), "format", word, words);
  return usage_error(parsed.typed("--format"),
                     fmt::format("format {} is not available for this report", word),
                     fmt::format("expected one of: {}", fmt::join(words, ", ")));
}

std::string list_extensions(const std::vector<std::string>& words) {
  std::string all;
  for (const auto& word : words)
    if (reports::format_of(word)) all += word == "text" ? ".txt " : fmt::format(".{} ", word);
  return all;
}

// True for a regular file whose name is short enough for the suffix of a sidecar.
bool may_have_sidecar(const std::string& path) {
  constexpr std::size_t longest_name = 255;
  const auto name = std::filesystem::path(reports::sidecar_path(path)).filename().string();
  return name.size() <= longest_name && is_plain_file(path);
}

// True if the file exists, but was not written as a sidecar.
bool is_of_others(const std::string& path) {
  if (!exists(path)) return false;
  std::string start(reports::sidecar_start, ' ');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return !reports::begins_sidecar(start);
}

std::optional<Error> write_sidecar(const std::string& path, const std::string& text) {
  if (is_of_others(path))
    return make_error(ErrorKind::io, path,
                      "exists and was not written by sim, so the provenance was not written",
                      "choose another name for the CSV, or add --provenance none");
  return write_file(path, text);
}

}  // namespace

Result<std::string> chosen_format(const OptionValues& parsed, const OptionSpec& row) {
  const auto words = split_words(row.words, ' ');
  const auto offers = [&](const std::string& word) { return std::ranges::count(words, word) > 0; };
  if (parsed.has("--format")) {
    const std::string& word = parsed.value("--format");
    if (!offers(word)) return not_offered(parsed, word, words);
    return word;
  }
  if (!parsed.has("--output")) return words.front();
  const std::string& path = parsed.value("--output");
  if (path == "-" || names_device(path)) return words.front();
  const auto format = reports::format_of_file(path);
  const std::string word = format ? reports::name_of(*format) : "";
  if (!offers(word))
    return usage_error(parsed.typed("--output"),
                       fmt::format("unknown extension of {}", in_quotes(path)),
                       fmt::format("expected {}or give --format", list_extensions(words)));
  return word;
}

std::optional<std::size_t> DocumentOutput::width() const {
  return path ? std::nullopt : terminal_width(STDOUT_FILENO);
}

std::optional<Error> write_report(const DocumentOutput& output, const reports::ReportHead& head,
                                  const std::string& text, const std::vector<std::string>& notes) {
  using enum reports::CsvProvenance;
  const auto& path = output.path;
  if (output.format != reports::Format::csv) return write_report(path, text);
  const std::string csv = output.for_spreadsheets ? reports::spreadsheet_csv(text) : text;
  if (output.provenance == comments)
    return write_report(path, reports::comments(head, notes) + csv);
  if (auto error = write_report(path, csv)) return error;
  if (!path || output.provenance == none || !may_have_sidecar(*path)) return std::nullopt;
  return write_sidecar(reports::sidecar_path(*path), reports::sidecar_text(head, notes, csv));
}

std::optional<std::string> output_path(const OptionValues& parsed) {
  if (!parsed.has("--output") || parsed.value("--output") == "-") return std::nullopt;
  return parsed.value("--output");
}

Result<reports::CsvProvenance> read_csv_provenance(const OptionValues& parsed) {
  const std::vector<std::string> names(reports::csv_provenances.begin(),
                                       reports::csv_provenances.end());
  const auto name = TUTTI_TRY(read_choice(parsed, "--provenance", names));
  return static_cast<reports::CsvProvenance>(std::ranges::find(names, name) - names.begin());
}

Result<DocumentOutput> document_output(const OptionValues& parsed,
                                       const std::vector<std::string>& parts,
                                       const OptionSpec& format) {
  DocumentOutput output;
  output.provenance = TUTTI_TRY(read_csv_provenance(parsed));
  output.for_spreadsheets = parsed.has("--spreadsheet");
  output.path = output_path(parsed);
  const auto shown = reports::format_of(TUTTI_TRY(chosen_format(parsed, format)));
  output.is_own_format = !shown;
  if (shown) output.format = *shown;
  if (!parsed.has("--part")) return output;
  output.part = parsed.value("--part");
  if (std::ranges::find(parts, output.part) != parts.end()) return output;
  return unknown_name("--part", "table", output.part, parts);
}

void read_document(OptionReader& read, const DocumentKind& kind, DocumentOutput& output) {
  read.take("", document_output(read.values(), kind.parts(), kind.format), output);
}

options::OptionTable<DocumentOutput> document_options(const DocumentKind& kind) {
  using Table = options::OptionTable<DocumentOutput>;
  return Table{{taking(kind.parts, kind.part)},
               {kind.format},
               {job_option::output_file},
               {job_option::provenance},
               {spreadsheet_option},
               {job_option::color},
               {job_option::quiet},
               {job_option::help}}
      .then([kind](OptionReader& read, DocumentOutput& output) {
        read_document(read, kind, output);
      });
}

Result<int> write_document(const reports::Document& document, const DocumentOutput& output) {
  const auto is_named = [&](const auto& table) { return table.name == output.part; };
  if (!output.part.empty() && std::ranges::none_of(document.tables, is_named))
    return usage_error(
        "--part", fmt::format("this report has no table {}", output.part),
        fmt::format("it has: {}", fmt::join(reports::parts_of(document.tables), ", ")));
  const std::string text = render_document(document, output.format, output.part, output.width());
  return done_unless(document.is_listing() ? write_report(output.path, text)
                                           : write_report(output, document, text, document.about));
}

Result<int> write_document(const reports::Document& document, const OptionValues& parsed) {
  const auto output = TUTTI_TRY(document_output(parsed, reports::parts_of(document.tables)));
  return write_document(document, output);
}

}  // namespace tutti::commands
