// SPDX-License-Identifier: BSD-3-Clause
// sim help [TOPIC], sim help columns, and the texts of --help. No line is longer than 80 columns.

#include "algorithms/collective.hpp"
#include "io_models/storage/storage_spec.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/command_list.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/pages.texts.hpp"
#include "sim/reports/dictionary/dictionary.hpp"
#include "sim/reports/wrap.hpp"
#include "workloads/collective_call.hpp"

namespace tutti::commands {
namespace {

std::string storage_help() {
  std::string text =
      "--storage NAME[,KEY=VALUE...]  a system of `sim list storage`, with other values\n"
      "--storage KEY=VALUE[,...]      targets=16,bandwidth=500MBps,request=0.5ms\n"
      "--storage none                 file accesses take no time (default)\n\n";
  text += fmt::format("{:<15} {:<6} {:<11} {}\n", "Key", "Value", "Default", "Meaning");
  for (const auto& [name, unit, meaning, otherwise] : io_models::storage_keys())
    text += fmt::format("{:<15} {:<6} {:<11} {}\n", name, unit, otherwise, meaning);
  return text +
         "\n`sim fit storage` fits them to measured bandwidths. The model is described in\n"
         "io_models/README.md, section \"Storage\".\n";
}

constexpr OptionSpec columns_specs[] = {document_format, job_option::output_file, color_option,
                                        help_option};

std::vector<std::string> column_names() {
  std::vector<std::string> names;
  for (const auto& group : reports::column_groups())
    for (const auto& column : group.columns) names.emplace_back(column.name);
  return names;
}

Result<int> run_columns(const OptionValues& values, const Diagnostics&) {
  return write_document(TUTTI_TRY(reports::columns_listing(values.arguments)), values);
}

const Subcommand help_columns{
    .usage = "columns [NAME]...",
    .summary = "print name, type, unit and meaning of the columns of results",
    .help =
        "Prints the name, type, unit and meaning of columns in CSV, JSON and JSON lines, by "
        "default of all, grouped by the commands that write them.",
    .specs = columns_specs,
    .run = run_columns,
    .operands = Operands::names,
    .words = column_names};
constexpr const Subcommand* help_subcommands[] = {&help_columns};

struct Topic {
  std::string name;
  std::string (*text)(const std::string& name);  // null: a subcommand
};

std::string command_help(const std::string& name) {
  return help_text(*std::ranges::find(all_commands(), name, &Command::name));
}

// Units and exit codes, the workloads of `sim run`, and the other commands.
std::vector<Topic> topics() {
  std::vector<Topic> all{
      {"units", [](const std::string&) { return std::string(texts::pages["units"]); }},
      {"exit-codes", [](const std::string&) { return std::string(texts::pages["exit-codes"]); }},
      {"storage", [](const std::string&) { return storage_help(); }},
      {"columns", nullptr},
      {"run",
       [](const std::string&) { return run_help(studies::collective_workload.names().front()); }}};
  for (auto& name : studies::other_workload_names(true)) all.push_back({std::move(name), run_help});
  for (const auto& command : all_commands())
    if (command.own_help != nullptr || command.run == nullptr)
      all.push_back({std::string(command.name), command_help});
  return all;
}

Result<std::string> topic_help(const std::string& word) {
  std::vector<std::string> names;
  for (const auto& topic : topics()) {
    if (topic.name == word) return topic.text(word);
    names.emplace_back(topic.name);
  }
  for (auto& collective : studies::collective_workload.names()) {
    if (collective == word) return run_help(collective);
    names.push_back(std::move(collective));
  }
  return usage_error("", fmt::format("unknown help topic {}", in_quotes(word)),
                     did_you_mean(word, names,
                                  algorithm_hint(word, fmt::format("expected one of: {}",
                                                                   fmt::join(names, ", ")))));
}

// The names of the applications, as `sim --help` lists them.
std::string applications() {
#define TUTTI_NAMED(name) #name,
  constexpr const char* names[] = {TUTTI_APPLICATIONS(TUTTI_NAMED)};
#undef TUTTI_NAMED
  std::string text;
  for (const auto& line : reports::wrap(fmt::format("{}", fmt::join(names, ", ")), 78))
    text += "  " + line + '\n';
  return text;
}

}  // namespace

std::string algorithm_hint(const std::string& name, const std::string& otherwise) {
  const auto algorithms = workloads::algorithms_like(name);
  if (algorithms.empty()) return otherwise;
  return fmt::format("algorithms: {}; `sim list algorithms` describes them",
                     fmt::join(algorithms, ", "));
}

std::string main_help() { return fmt::format(fmt::runtime(texts::pages["main"]), applications()); }

std::vector<std::string> help_topics() { return collect_names(topics(), &Topic::name); }

// `sim help COMMAND SUBCOMMAND`.
Result<int> subcommand_help(const Arguments& arguments, Diagnostics& diagnostics) {
  constexpr std::size_t most = 2;
  const auto command = std::ranges::find(all_commands(), arguments.front(), &Command::name);
  if (command == all_commands().end() || arguments.size() > most)
    return usage_error("", fmt::format("unexpected argument {}", in_quotes(arguments.back())),
                       "expected `sim help TOPIC` or `sim help COMMAND SUBCOMMAND`");
  return run(*command, {arguments.back(), "--help"}, diagnostics);
}

Result<int> run_help_command(const Arguments& arguments, Diagnostics& diagnostics) {
  const bool on_topic =
      !arguments.empty() && arguments.front() != "--help" && arguments.front() != "-h";
  if (on_topic && arguments.front() == help_columns.name())
    return run(Command{.name = "help", .subcommands = help_subcommands}, arguments, diagnostics);
  if (on_topic && arguments.size() > 1) return subcommand_help(arguments, diagnostics);
  const auto text =
      TUTTI_TRY(on_topic ? topic_help(arguments.front()) : Result<std::string>(main_help()));
  return print(text);
}

extern const Command help_command{.name = "help",
                                  .summary = "explain a command, a topic or the columns of results",
                                  .subcommands = help_subcommands,
                                  .run = run_help_command};

}  // namespace tutti::commands
