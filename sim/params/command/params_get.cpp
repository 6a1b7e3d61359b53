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
#include "sim/params/command/params_get.help.hpp"
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
std::vector<std::string> head_of(const Match& match) {
  const auto& set = match.set;
  std::vector<std::string> lines = reports::wrap(words_of(match), reports::page_width - 2);
  const auto add = [&](const std::string& text) {
    for (auto& line : reports::wrap(text, reports::page_width - 2))
      lines.push_back(std::move(line));
  };
  if (const auto use = use_of(set.key.use); !use.empty()) add("for: " + use);
  std::string found = fmt::format("stored {}", set.stored);
  if (set.metric_value) found += fmt::format(", {} {}", set.metric, *set.metric_value);
  add(found);
  for (const auto& each : set.about) add(fmt::format("{}: {}", each.name, each.value));
  return lines;
}

Error nothing_left(const Match& match, const ExportTarget& target) {
  return make_error(ErrorKind::run, place_of(match.set.key),
                    fmt::format("Open MPI {} supports no parameter of set {}",
                                studies::tuning::version_name(target.version), match.set.number));
}

std::string as_text(const Match& match) {
  return studies::params::mca_file_text(match.set.parameters, head_of(match));
}

std::string as_shell_lines(const McaExport& mca, const Match& match) {
  std::string text;
  for (const auto& line : head_of(match)) text += fmt::format("# {}\n", line);
  for (const auto& each : mca.settings)
    text += fmt::format("export {}={}\n", studies::params::mca_variable(each.name),
                        shell_quoted(each.value));
  return text;
}

// OTPO's files require a value, lower is better; a set without a metric gets 0.
std::string as_otpo(const McaExport& mca, const Match& match) {
  return studies::params::otpo_result_text({{match.set.metric_value.value_or(0), mca.settings}});
}

Result<std::string> as_rules(const Matched& found, const ExportTarget& target,
                             const Diagnostics& diagnostics) {
  const Match& match = found.match;
  const auto rules = studies::params::rules_beside(match.set, found.sets);
  for (const auto& each : rules.omitted)
    diagnostics.warning(fmt::format("{} is omitted: {}", each.name, each.value));
  if (rules.collectives.empty())
    return make_error(ErrorKind::run, place_of(match.set.key),
                      "no parameter set of the application chooses an algorithm",
                      "put one with --set bcast/algorithm=binomial, for example");
  using algorithms::selection::RulesFormat;
  const bool is_new = target.version == studies::tuning::OpenMpi::v5_0;
  if (is_new) diagnostics.note(std::string(algorithms::selection::han_goes_first));
  auto head = head_of(match);
  head.push_back(fmt::format("and all other sets of {}", place_of(match.set.key)));
  return algorithms::selection::rules_file_text(
      rules.collectives, is_new ? RulesFormat::open_mpi_5_0 : RulesFormat::open_mpi_4_1, head);
}

// The values of --export, the default first.
std::vector<std::string> export_names() {
  return {"text", "mca", "rules", "env", "otpo", "toml", "json"};
}

// Whether the exported text itself identifies the set.
bool reports_match(const std::string& what) { return what != "otpo" && what != "json"; }

// "rules" exports all current sets of the application; the other formats export the matched set.
Result<std::string> exported(const Matched& found, const std::string& what,
                             const ExportTarget& target, const Diagnostics& diagnostics) {
  const Match& match = found.match;
  if (what == "text") return as_text(match);
  if (what == "toml") return studies::params::settings_file_text(match.set, head_of(match));
  if (what == "json") return reports::set_json(match.set) + '\n';
  if (what == "rules") return as_rules(found, target, diagnostics);
  const auto mca = mca_of(match.set, target, diagnostics);
  if (mca.settings.empty()) return nothing_left(match, target);
  if (what == "env") return as_shell_lines(mca, match);
  if (what == "otpo") return as_otpo(mca, match);
  auto head = head_of(match);
  head.push_back(
      fmt::format("parameter names of Open MPI {}", studies::tuning::version_name(target.version)));
  return studies::params::mca_file_text(mca.settings, head);
}

constexpr auto params_get_specs = joined(
    params_option::of_use,
    std::to_array<OptionSpec>(
        {params_option::exact, params_option::parameters,
         taking(export_names, {option_group, "--export", "WHAT", texts::params_get["--export"]}),
         params_option::open_mpi, params_option::network, params_option::output}),
    params_option::of_all);

// --open-mpi affects only some formats, and --network fewer.
std::optional<Error> idle_export_option(const OptionValues& parsed, const std::string& what) {
  const bool has_mca = what == "mca" || what == "env" || what == "otpo";
  const auto idle = [&](const char* option, bool is_used, std::string_view of) {
    return parsed.has(option) && !is_used
               ? std::optional(usage_error(parsed.typed(option),
                                           fmt::format("has no effect on --export {}", what),
                                           fmt::format("it applies to --export {}", of)))
               : std::nullopt;
  };
  if (auto error = idle("--open-mpi", has_mca || what == "rules", "mca, rules, env or otpo"))
    return error;
  return idle("--network", has_mca, "mca, env or otpo");
}

Result<int> run_params_get(const OptionValues& parsed, const Diagnostics& diagnostics) {
  if (auto error = unexpected_argument(parsed)) return *error;
  const auto what = TUTTI_TRY(choice_of(parsed, "--export", export_names()));
  const auto target = TUTTI_TRY(read_target(parsed));
  if (const auto error = idle_export_option(parsed, what)) return *error;
  const auto found = TUTTI_TRY(matched(parsed, diagnostics));
  const auto text = TUTTI_TRY(exported(found, what, target, diagnostics));
  const bool to_file = parsed.has("--output") && parsed.value("--output") != "-";
  if (to_file || !reports_match(what)) diagnostics.note(words_of(found.match));
  return write_result(parsed, text);
}

}  // namespace

const Subcommand params_get{.usage = "get",
                            .summary = "find the best set, write it for Open MPI",
                            .help = texts::params_get["get"],
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
  for (const auto& each : mca.settings) {
    const std::string name = studies::params::mca_variable(each.name);
    const char* own = std::getenv(name.c_str());
    if (own != nullptr && own != each.value)
      diagnostics.note(
          fmt::format("{}={} is already set in the environment and is kept", name, own));
    ::setenv(name.c_str(), each.value.c_str(), 0);
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
  const auto found = matched(parsed, diagnostics);
  // The program runs without a set only if none matches, not after a wrong option.
  const bool is_lacking =
      !found && (found.error().kind == ErrorKind::run || found.error().kind == ErrorKind::input);
  if (!found && (!is_lacking || parsed.has("--required"))) return found.errors();
  if (found) {
    const auto mca = mca_of(found->match.set, target, diagnostics);
    set_environment(mca, diagnostics);
    diagnostics.note(
        fmt::format("{}; {}", words_of(found->match), counted(mca.settings.size(), "parameter")));
  } else {
    diagnostics.note(fmt::format("{}: {}; {} runs without a parameter set", found.error().place,
                                 found.error().message, parsed.program.front()));
  }
  return start(parsed.program);
}

}  // namespace

const Subcommand params_exec{.usage = "exec",
                             .summary = "start a program with its parameter set",
                             .help = texts::params_get["exec"],
                             .specs = params_exec_specs,
                             .run = run_params_exec,
                             .starts_program = true};

}  // namespace tutti::commands
