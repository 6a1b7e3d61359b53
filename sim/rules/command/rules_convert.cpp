// SPDX-License-Identifier: BSD-3-Clause
// sim rules convert FILE --to FORMAT -o OUT: the rules in another format.
#include "algorithms/selection/dynamic_rules.hpp"
#include "algorithms/selection/write_rules.hpp"
#include "sim/base/printable_text.hpp"
#include "sim/commands/named_files.hpp"
#include "sim/rules/command/rules.hpp"
#include "sim/rules/command/rules_convert.help.hpp"
#include "sim/rules/report/reports.hpp"

namespace tutti::commands {
namespace {

using algorithms::rules_files::Format;
using algorithms::selection::FilePair;

// A format, or the pair of files for Open MPI 5.0.
struct WrittenFormat {
  Format format;
  bool is_pair = false;
};
constexpr std::string_view pair_name = "ompi-5.0";

struct ConvertRequest : JobRequest {
  RulesFileRequest file;
  std::optional<WrittenFormat> to;
  std::optional<reports::Format> format;  // of the report; unset: text
};

constexpr std::string_view written_group = "The conversion";

std::vector<options::Choice<std::optional<WrittenFormat>>> written_choices() {
  std::vector<options::Choice<std::optional<WrittenFormat>>> choices;
  for (const auto& format : algorithms::rules_files::formats())
    choices.push_back({format.name, WrittenFormat{format.format}});
  choices.push_back({pair_name, WrittenFormat{Format::ompi_classic_2, true}});
  return choices;
}

std::vector<options::Choice<std::optional<reports::Format>>> report_formats() {
  using enum reports::Format;
  return {{"text", text}, {"csv", csv}, {"json", json}, {"jsonl", jsonl}, {"md", md}};
}

void check_pair(OptionReader& reader) {
  const auto path = output_path(reader.values());
  if (!path)
    return reader.wrong("--to", fmt::format("{} is two files", pair_name),
                        "name the first one: -o FILE; the second one is FILE.han");
  if (auto error =
          claim_output(algorithms::selection::han_path(*path), reader.values().typed("--output")))
    reader.add({*std::move(error)});
}

void check_conversion(OptionReader& reader, ConvertRequest& request) {
  const auto& file = request.file;
  if (!file.format || !reader.errors().empty()) return;
  if (file.format == Format::mpich_json && request.to && request.to->format == Format::mpich_json)
    return reader.wrong("--to", fmt::format("{} is a selection tree of MPICH already", file.path),
                        "`sim rules lint` checks it");
  if (request.to && request.to->is_pair) check_pair(reader);
  // Rules that the library ignores or misreads would be lost silently.
  reader.add(file.rules.errors(file.path));
}

const options::OptionTable<ConvertRequest> rules_convert_options =
    rules_file_options().of(&ConvertRequest::file) +
    options::OptionTable<ConvertRequest>{
        {OptionSpec{written_group, "--to", "FORMAT", texts::rules_convert["--to"]},
         options::required("expected one of: ompi-classic, ompi-classic-2, ompi-json, han, "
                           "mpich-json, nccl, ompi-5.0"),
         options::choice(written_choices(), &ConvertRequest::to)},
        {written(job_option::output_row("-o,--output", "FILE", texts::rules_convert["--output"]))},
        {document_format, options::choice(report_formats(), &ConvertRequest::format)},
        {job_option::color},
        {job_option::quiet},
        {job_option::help}}
        .then(check_conversion);

void warn_omissions(const algorithms::rules_files::Conversion& conversion,
                    const Diagnostics& diagnostics) {
  constexpr std::size_t most_warnings = 10;
  const auto& all = conversion.omissions;
  for (std::size_t i = 0; i < std::min(all.size(), most_warnings); ++i) {
    const auto& [collective, procs, bytes, subject, why, line] = all[i];
    const bool is_plural = subject.starts_with("all rules") || subject.starts_with("rules for") ||
                           subject.starts_with("segments");
    diagnostics.warning(fmt::format("{}{} of {} {} omitted: {}",
                                    line > 0 ? fmt::format("line {}: ", line) : "", subject,
                                    collective, is_plural ? "are" : "is", why));
  }
  if (all.size() > most_warnings)
    diagnostics.warning(
        fmt::format("{} more are omitted; -o FILE reports all", all.size() - most_warnings));
}

Result<int> run_rules_convert(const OptionValues& parsed, const Diagnostics& diagnostics) {
  auto request =
      TUTTI_TRY(read_request(parsed, rules_convert_options, "rules convert", Words::files));
  reports::ConversionReport report;
  report.provenance = reports::plain_provenance(request.command);
  report.file = request.file.path;
  report.from = *request.file.format;
  report.to = request.to->format;
  for (const auto& finding : request.file.rules.findings)
    if (finding.effect == algorithms::rules_files::Effect::absent)
      diagnostics.warning(algorithms::selection::one_line(
          algorithms::rules_files::finding_error(finding, request.file.path)));
  const auto path = output_path(parsed);
  std::vector<std::string> head{
      fmt::format("{}, from {}", request.command, format_facts(report.from).title)};
  if (request.to->is_pair) {
    const FilePair files{*path, algorithms::selection::han_path(*path)};
    report.han_file = files.han;
    for (auto& line : use_of(files)) head.push_back(std::move(line));
  }
  report.conversion = convert(request.file.rules, report.to, head, request.to->is_pair);
  // Names of the file may contain control characters.
  report.conversion.text = printable_lines(report.conversion.text);
  if (request.to->is_pair) {
    auto han = algorithms::rules_files::han_of_pair(report.conversion.text, head);
    if (const auto error = write_file(report.han_file, printable_lines(han.text))) return *error;
    auto& omissions = report.conversion.omissions;
    omissions.insert(omissions.end(), han.omissions.begin(), han.omissions.end());
  }
  if (const auto error = write_report(path, report.conversion.text)) return *error;
  if (path) {
    DocumentOutput output;
    output.format = request.format.value_or(reports::Format::text);
    return write_document(reports::conversion_document(report), output);
  }
  warn_omissions(report.conversion, diagnostics);
  return exit_done;
}

}  // namespace

const Subcommand rules_convert{.usage = "convert FILE",
                               .summary = "write the rules in another format",
                               .help = texts::rules_convert["convert"],
                               .specs = rules_convert_options,
                               .run = run_rules_convert};

}  // namespace tutti::commands
