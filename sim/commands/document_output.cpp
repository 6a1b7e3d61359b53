// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/document_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/terminal.hpp"

namespace tutti::commands {
namespace {

std::optional<reports::Format> chosen_format(const OptionValues& parsed,
                                             const DocumentOutput& output) {
  auto format = reports::format_of("text");
  if (output.is_own_format) return format;
  if (parsed.has("--format"))
    format = reports::format_of(parsed.value("--format"));
  else if (output.path && !names_device(*output.path))
    format = reports::format_of_file(*output.path);
  return format == reports::Format::osu ? std::nullopt : format;
}

Error no_such_format(const OptionValues& parsed, std::string_view own_format) {
  const std::string option = parsed.has("--format") ? "--format" : "--output";
  std::vector<std::string> names{"text", "csv", "json", "jsonl", "md"};
  if (!own_format.empty()) names.emplace_back(own_format);
  return usage_error(
      parsed.typed(option), "there is no such format here",
      did_you_mean(parsed.has("--format") ? parsed.value("--format") : "", names,
                   fmt::format("text, csv, json, jsonl and md (.txt, ...){}{}",
                               own_format.empty() ? "" : ", --format ", own_format)));
}

}  // namespace

std::optional<Error> write_report(const std::optional<std::string>& path, const std::string& text) {
  if (!path) return write_stdout(text);
  auto error = write_file(*path, text);
  if (error && !write_stdout(text)) error->hint = "the result went to standard output instead";
  return error;
}

Result<DocumentOutput> document_output(const OptionValues& parsed,
                                       const std::vector<std::string>& parts,
                                       std::string_view own_format) {
  DocumentOutput output;
  if (parsed.has("--output") && parsed.value("--output") != "-")
    output.path = parsed.value("--output");
  output.is_own_format = parsed.has("--format") && parsed.value("--format") == own_format;
  if (const auto format = chosen_format(parsed, output))
    output.format = *format;
  else
    return no_such_format(parsed, own_format);
  if (!parsed.has("--part")) return output;
  output.part = parsed.value("--part");
  if (std::ranges::find(parts, output.part) != parts.end()) return output;
  return usage_error(
      "--part", fmt::format("there is no table {}", in_quotes(output.part)),
      did_you_mean(output.part, parts, fmt::format("there are: {}", fmt::join(parts, ", "))));
}

void read_document(OptionReader& read, const DocumentKind& kind, DocumentOutput& output) {
  auto wanted = document_output(read.values(), kind.parts(), kind.own_format);
  if (!wanted) return read.add(wanted.errors());
  output = *std::move(wanted);
}

options::OptionTable<DocumentOutput> document_options(const DocumentKind& kind) {
  using Table = options::OptionTable<DocumentOutput>;
  return Table{{kind.part},         {kind.format},       {job_option::output_file},
               {job_option::color}, {job_option::quiet}, {job_option::help}}
      .then([kind](OptionReader& read, DocumentOutput& output) {
        read_document(read, kind, output);
      });
}

Result<int> write_document(const reports::Document& document, const DocumentOutput& output) {
  const auto width = output.path ? std::nullopt : terminal_width(STDOUT_FILENO);
  const std::string text = render_document(document, output.format, output.part, width);
  if (const auto error = write_report(output.path, text)) return *error;
  return exit_done;
}

}  // namespace tutti::commands
