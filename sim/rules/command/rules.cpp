// SPDX-License-Identifier: BSD-3-Clause
#include "sim/rules/command/rules.hpp"

#include "sim/base/text_file.hpp"
#include "sim/rules/command/rules.help.hpp"
#include "sim/rules/report/reports.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view file_group = "The file";

const Subcommand* const rules_subcommands[] = {&rules_lint, &rules_convert, &rules_diff};

// The choices of an option, from rows with a name and the value that it represents.
template <class Rows, class Row, class Value>
std::vector<options::Choice<std::optional<Value>>> make_choices(const Rows& rows,
                                                                Value Row::*value) {
  std::vector<options::Choice<std::optional<Value>>> choices;
  for (const auto& row : rows) choices.push_back({row.name, row.*value});
  return choices;
}

void read_rules_file(OptionReader& reader, RulesFileRequest& request) {
  const auto& arguments = reader.values().arguments;
  if (arguments.size() != 1 || arguments.front().empty())
    return reader.wrong("", "expected one rules file",
                        "for example one that `sim select rules -o` wrote");
  request.path = arguments.front();
  const auto text = read_text_file(request.path);
  if (!text) return reader.add(text.errors());
  if (text->find_first_not_of(" \t\r\n") == std::string::npos)
    return reader.wrong(request.path, "is empty", "expected the rules file of an MPI library");
  if (!request.format) request.format = algorithms::rules_files::recognize(*text);
  if (!request.format)
    return reader.wrong(request.path, "is not a rules file of a known format",
                        "--file-format names the format");
  const auto& facts = format_facts(*request.format);
  if (!request.library) request.library = facts.libraries.front();
  if (std::ranges::find(facts.libraries, *request.library) == facts.libraries.end()) {
    std::vector<std::string> names;
    for (const auto library : facts.libraries) names.emplace_back(library_title(library));
    return reader.wrong("--library",
                        fmt::format("{} does not read the format {} of {}",
                                    library_title(*request.library), facts.name, request.path),
                        fmt::format("it is read by {}", fmt::join(names, ", ")));
  }
  request.rules = read_rules(*text, *request.format, *request.library);
}

}  // namespace

options::OptionTable<RulesFileRequest> rules_file_options() {
  using namespace algorithms::rules_files;
  using Table = options::OptionTable<RulesFileRequest>;
  return Table{
      {file_group, "--file-format", "NAME", texts::rules["--file-format"],
       options::choice(make_choices(formats(), &FormatFacts::format), &RulesFileRequest::format)},
      {file_group, "--library", "NAME", texts::rules["--library"],
       options::choice(make_choices(libraries(), &LibraryFacts::library),
                       &RulesFileRequest::library)}}
      .then(read_rules_file);
}

extern const Command rules_command{
    .name = "rules",
    .summary = "check, convert and compare rules files of MPI libraries",
    .help = texts::rules["rules"],
    .subcommands = rules_subcommands};

// sim rules lint FILE: what the library makes of a rules file, and how to correct it.

namespace {

using algorithms::rules_files::Severity;

struct LintRequest : JobRequest {
  RulesFileRequest file;
  DocumentOutput document;
};

const options::OptionTable<LintRequest> rules_lint_options =
    rules_file_options().of(&LintRequest::file) +
    document_options({.parts = reports::lint_parts}).of(&LintRequest::document);

Result<int> run_rules_lint(const OptionValues& parsed, const Diagnostics&) {
  auto request = TUTTI_TRY(read_request(parsed, rules_lint_options, "rules lint", Words::files));
  reports::LintReport report;
  report.provenance = reports::plain_provenance(request.command);
  report.file = request.file.path;
  report.rules = std::move(request.file.rules);
  TUTTI_TRY(write_document(reports::lint_document(report), request.document));
  const auto errors = std::ranges::count(report.rules.findings, Severity::error,
                                         &algorithms::rules_files::Finding::severity);
  if (errors == 0) return exit_done;
  return make_error(ErrorKind::check, report.file, counted(errors, "error"),
                    "the report shows their lines and remedies");
}

}  // namespace

const Subcommand rules_lint{
    .usage = "lint FILE",
    .summary = "report problems of a rules file, and what it does",
    .help =
        "Reads a rules file as the MPI library does, which reports nothing: parts that are "
        "ignored, that abort a job, or that most likely do something else than meant, with "
        "line and remedy; then the rules as they apply. Exit code 1 if there are errors.",
    .specs = rules_lint_options,
    .run = run_rules_lint};

}  // namespace tutti::commands
