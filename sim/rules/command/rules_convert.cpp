// SPDX-License-Identifier: BSD-3-Clause
// sim rules convert FILE --to FORMAT -o OUT: the rules in another format.
#include "sim/rules/command/rules.hpp"
#include "sim/rules/report/reports.hpp"

namespace tutti::commands {
namespace {

using algorithms::rules_files::Format;

struct ConvertRequest : JobRequest {
  RulesFileRequest file;
  std::optional<Format> to;
  std::optional<reports::Format> format;  // of the report; unset: text
};

constexpr std::string_view written_group = "The conversion";

std::vector<options::Choice<std::optional<Format>>> written_choices() {
  std::vector<options::Choice<std::optional<Format>>> choices;
  for (const auto& each : algorithms::rules_files::formats())
    if (algorithms::rules_files::is_convertible(each.format))
      choices.push_back({each.name, each.format});
  return choices;
}

std::vector<options::Choice<std::optional<reports::Format>>> report_formats() {
  using enum reports::Format;
  return {{"text", text}, {"csv", csv}, {"json", json}, {"jsonl", jsonl}, {"md", md}};
}

void check_conversion(OptionReader& reader, ConvertRequest& request) {
  const auto& file = request.file;
  if (!file.format || !reader.errors().empty()) return;
  if (!algorithms::rules_files::is_convertible(*file.format))
    return reader.wrong(file.path, "a selection tree of MPICH cannot be converted",
                        "its conditions are not rules for sizes; `sim rules lint` checks it");
  if (const auto* reason = file.rules.discarded()) {
    Error error = make_error(ErrorKind::input, file.path, reason->message, reason->fix);
    error.line = reason->line;
    error.column = reason->column;
    reader.add({std::move(error)});
  }
}

const options::OptionTable<ConvertRequest> rules_convert_options =
    rules_file_options().of(&ConvertRequest::file) +
    options::OptionTable<ConvertRequest>{
        {OptionSpec{written_group, "--to", "FORMAT",
                    "Format to write: ompi-classic, ompi-classic-2, ompi-json, han, nccl "
                    "(required)"},
         options::required("expected one of: ompi-classic, ompi-classic-2, ompi-json, han, nccl"),
         options::choice(written_choices(), &ConvertRequest::to)},
        {written(job_option::output_row(
            "-o,--output", "FILE",
            "Write the rules to this file; default: standard output, with omissions as warnings"
            "\nWrite the rules to this file, and the report to standard output. Without it the "
            "rules are printed, and omissions are warnings."))},
        {document_format, options::choice(report_formats(), &ConvertRequest::format)},
        {job_option::color},
        {job_option::quiet},
        {job_option::help}}
        .then(check_conversion);

void warn_of(const algorithms::rules_files::Conversion& conversion,
             const Diagnostics& diagnostics) {
  constexpr std::size_t most_warnings = 10;
  const auto& all = conversion.omissions;
  for (std::size_t i = 0; i < std::min(all.size(), most_warnings); ++i)
    diagnostics.warning(fmt::format("line {}: {} of {} is omitted: {}", all[i].line, all[i].what,
                                    all[i].collective, all[i].why));
  if (all.size() > most_warnings)
    diagnostics.warning(
        fmt::format("{} more are omitted; -o FILE reports all", all.size() - most_warnings));
}

Result<int> run_rules_convert(const OptionValues& parsed, const Diagnostics& diagnostics) {
  auto request =
      TUTTI_TRY(request_of(parsed, rules_convert_options, "rules convert", Words::files));
  reports::ConversionReport report;
  report.provenance = reports::plain_provenance(request.command);
  report.file = request.file.path;
  report.from = *request.file.format;
  report.to = *request.to;
  report.conversion =
      convert(request.file.rules, report.to,
              {fmt::format("{}, from {}", request.command, facts_of(report.from).title)});
  const auto path = output_path(parsed);
  if (const auto error = write_report(path, report.conversion.text)) return *error;
  if (path) {
    DocumentOutput output;
    output.format = request.format.value_or(reports::Format::text);
    return write_document(reports::conversion_document(report), output);
  }
  warn_of(report.conversion, diagnostics);
  return exit_done;
}

}  // namespace

const Subcommand rules_convert{
    .usage = "convert FILE",
    .summary = "write the rules in another format",
    .help =
        "Reads a rules file as its library does, and writes what it does in another format. "
        "Rules that the other format cannot express are listed.",
    .specs = rules_convert_options,
    .run = run_rules_convert};

}  // namespace tutti::commands
