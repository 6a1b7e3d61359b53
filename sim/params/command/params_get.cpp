// SPDX-License-Identifier: BSD-3-Clause
// sim params get: finds the parameter set for a use, and writes it as text or as a file for Open
// MPI.

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "sim/base/common.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/process.hpp"
#include "sim/commands/store.hpp"
#include "sim/params/command/params.hpp"
#include "sim/params/matching.hpp"
#include "sim/params/mca_names.hpp"
#include "sim/params/otpo_result.hpp"
#include "sim/params/report/reports.hpp"
#include "sim/params/settings_file.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::commands {
namespace {

// Exports of a parameter set for other programs.

using studies::params::Match;
using studies::tuning::McaExport;

// Comment lines for users: the set, its use, and how it was found.
std::vector<std::string> head_lines(const Match& match) {
  const auto& set = match.set;
  std::vector<std::string> lines = reports::wrap(match_text(match), reports::page_width - 2);
  const auto add = [&](const std::string& text) {
    for (auto& line : reports::wrap(text, reports::page_width - 2))
      lines.push_back(std::move(line));
  };
  if (const auto use = use_text(set.key.use); !use.empty()) add("for: " + use);
  std::string stored = fmt::format("stored {}", set.stored);
  if (set.metric_value) stored += fmt::format(", {} {}", set.metric, *set.metric_value);
  add(stored);
  for (const auto& [name, value] : set.about) add(fmt::format("{}: {}", name, value));
  return lines;
}

std::string shell_lines(const McaExport& mca, const Match& match) {
  std::string text;
  for (const auto& line : head_lines(match)) text += fmt::format("# {}\n", line);
  for (const auto& [name, value] : mca.settings)
    text += fmt::format("export {}={}\n", studies::params::mca_variable(name), shell_quoted(value));
  return text;
}

Result<std::string> rules_text(const MatchedSet& matched, const ExportTarget& target,
                               const Diagnostics& diagnostics) {
  const Match& match = matched.match;
  const auto rules = studies::params::make_application_rules(match.set, matched.sets);
  for (const auto& omission : rules.omitted)
    diagnostics.warning(studies::tuning::omission_text(omission));
  if (rules.collectives.empty())
    return make_error(ErrorKind::run, key_text(match.set.key),
                      "no parameter set of the application chooses an algorithm",
                      "put one with --set bcast/algorithm=binomial, for example");
  using algorithms::selection::RulesFormat;
  const bool is_new = target.version == studies::tuning::OpenMpi::v5_0;
  if (is_new) diagnostics.note(std::string(algorithms::selection::han_goes_first));
  auto head = head_lines(match);
  head.push_back(fmt::format("and all other sets of {}", key_text(match.set.key)));
  return algorithms::selection::rules_file_text(
      rules.collectives, is_new ? RulesFormat::open_mpi_5_0 : RulesFormat::open_mpi_4_1, head);
}

// The values of --export, the default first.
std::vector<std::string> export_names() {
  return {"text", "mca", "rules", "env", "otpo", "toml", "json"};
}

// Whether the exported text itself identifies the set.
bool reports_match(const std::string& format) { return format != "otpo" && format != "json"; }

// "rules" exports all current sets of the application; the other formats export the matched set.
Result<std::string> export_text(const MatchedSet& matched, const std::string& format,
                                const ExportTarget& target, const Diagnostics& diagnostics) {
  const Match& match = matched.match;
  if (format == "text")
    return studies::params::mca_file_text(match.set.parameters, head_lines(match));
  if (format == "toml") return studies::params::settings_file_text(match.set, head_lines(match));
  if (format == "json") return reports::set_json(match.set) + '\n';
  if (format == "rules") return rules_text(matched, target, diagnostics);
  const auto mca = export_settings(match.set, target, diagnostics);
  const auto version = studies::tuning::version_name(target.version);
  if (mca.settings.empty())
    return make_error(
        ErrorKind::run, key_text(match.set.key),
        fmt::format("Open MPI {} supports no parameter of set {}", version, match.set.number));
  if (format == "env") return shell_lines(mca, match);
  // OTPO's files require a value, lower is better; a set without a metric gets 0.
  if (format == "otpo")
    return studies::params::otpo_result_text({{match.set.metric_value.value_or(0), mca.settings}});
  auto head = head_lines(match);
  head.push_back(fmt::format("parameter names of Open MPI {}", version));
  return studies::params::mca_file_text(mca.settings, head);
}

constexpr auto params_get_specs =
    joined(params_option::of_use,
           std::to_array<OptionSpec>(
               {params_option::exact, params_option::parameters,
                taking(export_names, {option_group, "--export", "WHAT", texts::params["--export"]}),
                params_option::open_mpi, params_option::network, params_option::output}),
           params_option::of_all);

// --open-mpi affects only some formats, and --network fewer.
std::optional<Error> idle_export_option(const OptionValues& parsed, const std::string& format) {
  const bool has_mca = format == "mca" || format == "env" || format == "otpo";
  const auto idle = [&](const char* option, bool is_used, std::string_view formats) {
    return parsed.has(option) && !is_used
               ? std::optional(usage_error(parsed.typed(option),
                                           fmt::format("has no effect on --export {}", format),
                                           fmt::format("it applies to --export {}", formats)))
               : std::nullopt;
  };
  if (auto error = idle("--open-mpi", has_mca || format == "rules", "mca, rules, env or otpo"))
    return error;
  return idle("--network", has_mca, "mca, env or otpo");
}

Result<int> run_params_get(const OptionValues& parsed, const Diagnostics& diagnostics) {
  if (auto error = unexpected_argument(parsed)) return *error;
  const auto format = TUTTI_TRY(read_choice(parsed, "--export", export_names()));
  const auto target = TUTTI_TRY(read_target(parsed));
  if (const auto error = idle_export_option(parsed, format)) return *error;
  const auto matched = TUTTI_TRY(find_set(parsed, diagnostics));
  const auto text = TUTTI_TRY(export_text(matched, format, target, diagnostics));
  const bool to_file = parsed.has("--output") && parsed.value("--output") != "-";
  if (to_file || !reports_match(format)) diagnostics.note(match_text(matched.match));
  return write_result(parsed, text);
}

}  // namespace

const Subcommand params_get{.usage = "get",
                            .summary = "find the best set, write it for Open MPI",
                            .help = texts::params["get"],
                            .specs = params_get_specs,
                            .run = run_params_get};

// sim params exec: starts a program of Open MPI with the parameter set for it.

namespace {

constexpr auto params_exec_specs =
    joined(params_option::of_use,
           std::to_array<OptionSpec>(
               {params_option::exact,
                params_option::parameters,
                {option_group, "--required", "", "Do not start the program if no set matches"},
                params_option::open_mpi,
                params_option::network}),
           params_option::of_all);

// Variables that the user has already set take precedence.
void set_environment(const studies::tuning::McaExport& mca, const Diagnostics& diagnostics) {
  for (const auto& [name, value] : mca.settings) {
    const std::string variable = studies::params::mca_variable(name);
    const char* own = std::getenv(variable.c_str());
    if (own != nullptr && own != value)
      diagnostics.note(
          fmt::format("{}={} is already set in the environment and is kept", variable, own));
    ::setenv(variable.c_str(), value.c_str(), 0);
  }
}

Result<int> start(const std::vector<std::string>& program) {
  std::vector<char*> words;
  for (const auto& word : program) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  restore_for_program();
  ::execvp(words.front(), words.data());
  return usage_error(program.front(), fmt::format("cannot start: {}", std::strerror(errno)));
}

Result<int> run_params_exec(const OptionValues& parsed, const Diagnostics& diagnostics) {
  if (auto error = unexpected_argument(
          parsed, "put the program after --: sim params exec --host crill --app a -- mpirun ./a"))
    return *error;
  if (parsed.program.empty() || parsed.program.front().empty())
    return usage_error("", "a program to start is required",
                       "for example sim params exec --host crill --app a -- mpirun ./a");
  const auto target = TUTTI_TRY(read_target(parsed));
  const auto matched = find_set(parsed, diagnostics);
  if (matched) {
    const auto mca = export_settings(matched->match.set, target, diagnostics);
    set_environment(mca, diagnostics);
    diagnostics.note(fmt::format("{}; {}", match_text(matched->match),
                                 counted(mca.settings.size(), "parameter")));
    return start(parsed.program);
  }
  // The program runs without a set only if none matches, not after a wrong option.
  const auto& error = matched.error();
  const bool is_lacking = error.kind == ErrorKind::run || error.kind == ErrorKind::input;
  if (!is_lacking || parsed.has("--required")) return matched.errors();
  diagnostics.note(fmt::format("{}: {}; {} runs without a parameter set", error.place,
                               error.message, parsed.program.front()));
  return start(parsed.program);
}

}  // namespace

const Subcommand params_exec{.usage = "exec",
                             .summary = "start a program with its parameter set",
                             .help = texts::params["exec"],
                             .specs = params_exec_specs,
                             .run = run_params_exec,
                             .starts_program = true};

}  // namespace tutti::commands
