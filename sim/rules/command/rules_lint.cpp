// SPDX-License-Identifier: BSD-3-Clause
// sim rules lint FILE: what the library makes of a rules file, and how to correct it.
#include "sim/rules/command/rules.hpp"
#include "sim/rules/report/reports.hpp"

namespace tutti::commands {
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
