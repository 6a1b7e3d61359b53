// SPDX-License-Identifier: BSD-3-Clause
// sim rules diff A B: where two sets of rules choose differently, and what that changes.
#include "platforms/reader.hpp"
#include "sim/base/text_file.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/explain/command/compared_calls.hpp"
#include "sim/rules/command/rules.hpp"
#include "sim/rules/report/reports.hpp"
#include "sim/studies/background_jobs.hpp"
#include "sim/studies/workloads/collective_options.hpp"
#include "sim/studies/workloads/workload.hpp"

namespace tutti::commands {
namespace {

using algorithms::selection::DynamicRules;

struct DiffOutput {
  std::vector<std::string> collectives;
  int jobs = default_jobs();
  DocumentOutput document;
};

constexpr std::string_view compared_group = "The calls";
constexpr const char* default_sizes = "1:1MiB:*4";
constexpr int least_default_procs = 4;
constexpr int most_default_procs = 64;

const options::OptionTable<DiffOutput>& diff_output() {
  static const auto table =
      options::OptionTable<DiffOutput>{
          {options::taking(studies::collective_names, {compared_group, "--collective", "NAMES",
                                                       "Collectives to compare; default: all"}),
           [](OptionReader& reader, std::string_view option, DiffOutput& output) {
             output.collectives = reader.names_of(option, "all", studies::collective_names(), true);
           }},
          {jobs_option, options::value_from(read_jobs, &DiffOutput::jobs)}} +
      document_options({reports::rules_diff_parts}).of(&DiffOutput::document);
  return table;
}

// The processes and sizes have defaults here.
std::span<const OptionSpec> diff_specs() {
  static const auto all = [] {
    auto specs = options_of_compared_calls();
    for (OptionSpec& spec : specs)
      if (spec.name() == "--procs")
        spec.help = "Numbers of processes; default: powers of two from 4 to 64 that fit";
      else if (spec.name() == "--message-size")
        spec.help =
            "Message sizes in bytes; default: 1 B to 1 MiB, times 4"
            "\nMessage sizes in bytes: the block of one rank or the whole vector, as in `sim run`. "
            "Default: 1 B to 1 MiB, times 4. Other sizes are not compared.";
    return joined_specs({specs, diff_output().specs()});
  }();
  return all;
}

// One of the two arguments.
struct RulesWord {
  std::string request;  // what follows "auto:"
  std::shared_ptr<const DynamicRules> file = {};
};

bool is_file(const std::string& word) {
  std::error_code error;
  return std::filesystem::exists(word, error);
}

// An existing file takes precedence over a name.
std::optional<RulesWord> rules_word(OptionReader& reader, const std::string& word,
                                    const Diagnostics& diagnostics) {
  if (is_file(word)) {
    const auto text = read_text_file(word);
    if (!text) {
      reader.add(text.errors());
      return std::nullopt;
    }
    RulesWord rules{"rules=" + word, std::make_shared<const DynamicRules>(*text, word)};
    if (const auto& ignored = rules.file->ignored()) {
      reader.add({*ignored});
      return std::nullopt;
    }
    for (const Error& warning : rules.file->warnings())
      diagnostics.warning(algorithms::selection::one_line(warning));
    return rules;
  }
  if (const auto set = algorithms::selection::find_rule_set(word))
    return RulesWord{std::string(*set)};
  const auto sets = algorithms::selection::rule_sets();
  const std::vector<std::string> names(sets.begin(), sets.end());
  reader.wrong(
      "", fmt::format("unknown rules {} (no such file, no rule set)", in_quotes(word)),
      did_you_mean(word, names,
                   fmt::format("expected a rules file, or one of: {}", fmt::join(names, ", "))));
  return std::nullopt;
}

// Powers of two that fit on the machine.
std::vector<std::string> default_procs(OptionReader& reader, const platforms::Machine& machine) {
  std::vector<std::int64_t> ppn;
  reader.read_axis("--ppn", options::count_axis, ppn);
  std::vector<std::string> procs;
  for (int count = least_default_procs; count <= most_default_procs; count *= 2) {
    platforms::PlacementRequest request{.procs = count};
    if (!ppn.empty()) request.ppn = static_cast<int>(std::ranges::max(ppn));
    request.oversubscribe = reader.values().has("--oversubscribe");
    if (platforms::place(machine, request)) procs.push_back(fmt::format("{}", count));
  }
  if (procs.empty()) procs.push_back(fmt::format("{}", least_default_procs));
  return {fmt::format("{}", fmt::join(procs, ","))};
}

// Whether both rules choose an algorithm of the collective.
bool is_decided(const RulesWord& word, const std::string& collective) {
  const auto set = word.file ? word.file->fixed_rules() : std::string_view(word.request);
  return static_cast<bool>(
      algorithms::selection::choose(set, {.collective = collective, .procs = 2}));
}

// The sweep of a collective, read from the same options.
Result<studies::Sweep> read_rules_sweep(OptionValues values, const std::string& collective,
                                        const std::array<RulesWord, 2>& words) {
  values.arguments = {collective};
  if (!algorithms::find_collective(collective)->has_message)
    values.erase("--message-size");
  else if (!values.has("--message-size"))
    values.set("--message-size", {default_sizes});
  OptionReader reader(values);
  studies::CollectiveRequest request;
  read_collective(reader, {}, request);
  if (!reader.errors().empty()) return reader.errors().errors();
  for (const RulesWord& word : words)
    if (word.file) request.sweep.rules.emplace(word.file->file(), word.file);
  return std::move(request.sweep);
}

Result<std::vector<studies::Sweep>> read_rules_sweeps(const OptionValues& values,
                                                      const std::vector<std::string>& collectives,
                                                      const std::array<RulesWord, 2>& words) {
  const bool is_named = values.has("--collective");
  std::vector<studies::Sweep> sweeps;
  for (const auto& collective : collectives)
    if (is_named || (is_decided(words[0], collective) && is_decided(words[1], collective)))
      sweeps.push_back(TUTTI_TRY(read_rules_sweep(values, collective, words)));
  return sweeps;
}

Result<int> run_rules_diff(const OptionValues& parsed, const Diagnostics& diagnostics) {
  OptionReader reader(parsed);
  DiffOutput output;
  JobRequest job;
  diff_output().read(reader, output);
  reader.read_machine(job);
  if (parsed.arguments.size() != 2) {
    reader.wrong("", "expected two sets of rules",
                 "for example: sim rules diff ompi-4.1 my.rules --platform crill");
    return reader.errors().errors();
  }
  std::array<RulesWord, 2> words;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (auto word = rules_word(reader, parsed.arguments[i], diagnostics))
      words[i] = *std::move(word);
  if (!reader.errors().empty()) return reader.errors().errors();
  const auto machine = TUTTI_TRY(studies::load_machine(job));
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  auto values = parsed;
  if (!values.has("--procs")) values.set("--procs", default_procs(reader, machine));
  if (!reader.errors().empty()) return reader.errors().errors();
  auto collectives = output.collectives;
  if (collectives.empty()) collectives = studies::collective_names();
  const auto sweeps = TUTTI_TRY(read_rules_sweeps(values, collectives, words));

  reports::RulesDiffReport report{
      {},
      TUTTI_TRY(studies::rules::compare_rules(sweeps, {words[0].request, words[1].request}, machine,
                                              runner(output.jobs, diagnostics))),
      parsed.arguments[0],
      parsed.arguments[1]};
  warn_of_skipped(report.skipped, diagnostics);
  job.command =
      fmt::format("sim rules diff {} {}{}", shell_quoted(parsed.arguments[0]),
                  shell_quoted(parsed.arguments[1]), reproducing_options(diff_specs(), parsed));
  begin_report(report, job, machine, report.run);
  TUTTI_TRY(write_document(rules_diff_document(report), output.document));
  return report.run.code;
}

}  // namespace

const std::string diff_help = fmt::format(
    "Finds the cells (collective, processes, message size) in which two sets of rules choose "
    "differently, and simulates them with both: times, ratio and algorithms, worst first, and "
    "a summary. A and B are rules files, as for --algorithm auto:rules=FILE of `sim run`, or "
    "names of rule sets: {}. An existing file takes precedence over a name.",
    fmt::join(algorithms::selection::rule_sets(), ", "));

const Subcommand rules_diff{.usage = "diff A B",
                            .summary = "simulate what changes between two sets of rules",
                            .help = diff_help,
                            .specs = diff_specs,
                            .run = run_rules_diff};

}  // namespace tutti::commands
