// SPDX-License-Identifier: BSD-3-Clause
#include "sim/rules/command/rules.hpp"

#include "sim/base/text_file.hpp"
#include "sim/rules/report/reports.hpp"

namespace tutti::commands {
namespace {

using algorithms::rules_files::Format;
using algorithms::rules_files::Library;

constexpr std::string_view file_group = "The file";

const Subcommand* const rules_subcommands[] = {&rules_lint, &rules_convert, &rules_diff};

std::vector<options::Choice<std::optional<Format>>> format_choices() {
  std::vector<options::Choice<std::optional<Format>>> choices;
  for (const auto& each : algorithms::rules_files::formats())
    choices.push_back({each.name, each.format});
  return choices;
}

std::vector<options::Choice<std::optional<Library>>> library_choices() {
  std::vector<options::Choice<std::optional<Library>>> choices;
  for (const auto& each : algorithms::rules_files::libraries())
    choices.push_back({each.name, each.library});
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
  const auto& facts = facts_of(*request.format);
  if (!request.library) request.library = facts.libraries.front();
  if (std::ranges::find(facts.libraries, *request.library) == facts.libraries.end()) {
    std::vector<std::string> names;
    for (const auto each : facts.libraries) names.emplace_back(title_of(each));
    return reader.wrong("--library",
                        fmt::format("{} does not read the format {} of {}",
                                    title_of(*request.library), facts.name, request.path),
                        fmt::format("it is read by {}", fmt::join(names, ", ")));
  }
  request.rules = read_rules(*text, *request.format, *request.library);
}

}  // namespace

options::OptionTable<RulesFileRequest> rules_file_options() {
  using Table = options::OptionTable<RulesFileRequest>;
  return Table{{file_group, "--file-format", "NAME",
                "Format of the file: ompi-classic, ompi-classic-2, ompi-json, han, mpich-json, "
                "nccl; default: recognized"
                "\nFormat of the file: `ompi-classic` (Open MPI's dynamic rules), "
                "`ompi-classic-2` (the same with `rule-file-version-2` and limits of requests), "
                "`ompi-json` (those of Open MPI 6), `han` (rules of Open MPI's component han), "
                "`mpich-json` (MPICH's selection tree), `nccl` (CSV of NCCL's example tuner "
                "plugin). By default the content decides.",
                options::choice(format_choices(), &RulesFileRequest::format)},
               {file_group, "--library", "NAME",
                "Version that reads the file: ompi-3.1, ompi-4.1, ompi-5.0, ompi-6, mpich-4, nccl"
                "\nThe library whose numbers, names and reader apply: `ompi-3.1`, `ompi-4.1` "
                "(default for ompi-classic), `ompi-5.0` (for ompi-classic-2 and han), `ompi-6` "
                "(for ompi-json), `mpich-4`, `nccl`.",
                options::choice(library_choices(), &RulesFileRequest::library)}}
      .then(read_rules_file);
}

extern const Command rules_command{
    .name = "rules",
    .summary = "check, convert and compare rules files of MPI libraries",
    .help =
        "Reports what a rules file really does, writes its rules in another format, and "
        "simulates what changes between two sets of rules.",
    .subcommands = rules_subcommands};

}  // namespace tutti::commands
