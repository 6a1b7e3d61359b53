// SPDX-License-Identifier: BSD-3-Clause
#include "platforms/reader.hpp"
#include "sim/base/common.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/fit/command/fit_data.hpp"
#include "sim/fit/report/reports.hpp"
#include "sim/studies/background_jobs.hpp"

namespace tutti::commands {

extern const Subcommand fit_platform, fit_models, fit_storage;

namespace {

const Subcommand* const fit_subcommands[] = {&fit_platform, &fit_models, &fit_storage};

}  // namespace

extern const Command fit_command{
    .name = "fit",
    .summary = "fit platform files, models and storage to measurements",
    .help = "Estimates the parameters of simulations from measurements.",
    .subcommands = fit_subcommands};

// sim fit platform --check: measured times compared with those that a machine simulates.

namespace {

using studies::CheckedTime;

void report_omitted(const std::string& file, const std::vector<studies::PairMeasurement>& measured,
                    const Diagnostics& diagnostics) {
  const auto compared = std::ranges::count_if(measured, studies::is_comparable);
  const auto others = static_cast<std::int64_t>(measured.size()) - compared;
  if (others == 0) return;
  diagnostics.note(fmt::format("{}: {} of overheads and intervals {} not compared", printable(file),
                               counted(others, "time"), others == 1 ? "is" : "are"));
}

Result<studies::MissingValues> missing_values(const OptionValues& parsed) {
  studies::MissingValues missing;
  OptionReader reader(parsed);
  missing_value_options({}).read(reader, missing);
  if (parsed.has("--map")) read_mapping(reader, "--map", missing);
  if (!reader.errors().empty()) return reader.errors().errors();
  return missing;
}

// A file may contain times of collectives, of messages, of messages of many pairs, or several of
// these.
Result<std::vector<CheckedTime>> checked_file(const std::string& file, const FitData& data,
                                              const platforms::Machine& machine,
                                              const Diagnostics& diagnostics) {
  std::vector<CheckedTime> all;
  std::vector<Error> errors;
  const auto add = [&](const auto& measured, const auto& checked) {
    if (!measured || !errors.empty()) return;
    const auto times = checked(*measured, machine);
    if (times)
      all.insert(all.end(), times->begin(), times->end());
    else
      errors = studies::in_file(times.errors(), file);
  };
  const auto collectives = data.collectives({file});
  add(collectives, studies::checked_collectives);
  const auto pairs = data.pairs({file});
  add(pairs, studies::checked_pairs);
  if (pairs) report_omitted(file, *pairs, diagnostics);
  const auto shared = data.shared({file});
  add(shared, studies::checked_shared);
  if (!errors.empty()) return errors;
  if (collectives || pairs || shared) return all;
  const bool knows_a_row = pairs.error().line > 0;
  return knows_a_row ? pairs.errors() : collectives.errors();
}

// Treats the times as measured inside a node, whatever column `path` contains.
Result<std::vector<CheckedTime>> checked_inside(const std::string& file, const FitData& data,
                                                const platforms::Machine& machine,
                                                const Diagnostics& diagnostics) {
  auto pairs = TUTTI_TRY(data.pairs({file}));
  for (auto& measurement : pairs) measurement.inside_node = true;
  auto times = studies::checked_pairs(pairs, machine);
  if (!times) return studies::in_file(times.errors(), file);
  report_omitted(file, pairs, diagnostics);
  return times;
}

std::optional<Error> misuse(const OptionValues& parsed) {
  if (!parsed.arguments.empty())
    return usage_error("--check", "does not fit anything and takes no FILE arguments",
                       "--check FILE --platform NAME");
  for (const std::string_view option :
       {"--collectives", "--sharing", "--eager-limit", "--name", "--nodes", "--cores", "--like",
        "--class", "--topology", "--report"})
    if (parsed.has(option))
      return usage_error(std::string(option), "has no effect with --check",
                         "--check FILE --platform NAME");
  if (!parsed.has("--platform"))
    return usage_error("--platform", "is required: the platform to simulate",
                       "`sim list platforms` lists the catalog");
  return std::nullopt;
}

}  // namespace

Result<int> run_fit_check(const OptionValues& parsed, const Diagnostics& diagnostics) {
  if (const auto error = misuse(parsed)) return *error;
  const auto only = TUTTI_TRY(only_rows(parsed));
  const auto output = TUTTI_TRY(document_output(parsed, reports::fit_check_document_parts()));
  const std::string& name = parsed.value("--platform");
  const auto machine = TUTTI_TRY(studies::load_machine({name, {}}));
  const FitData data(only, diagnostics, TUTTI_TRY(missing_values(parsed)));
  reports::FitCheckReport report;
  std::string command = "sim fit platform --platform " + shell_quoted(name);
  for (const auto& [option, check] :
       {std::pair("--check", &checked_file), std::pair("--intra", &checked_inside)}) {
    if (!parsed.has(option)) continue;
    for (const auto& file : parsed.values(option)) {
      const auto times = TUTTI_TRY(check(file, data, machine, diagnostics));
      report.times.insert(report.times.end(), times.begin(), times.end());
      command += fmt::format(" {} {}", option, shell_quoted(file));
    }
  }
  if (report.times.empty())
    return make_error(
        ErrorKind::input, "--check",
        "nothing to compare: the files contain only overheads and intervals",
        "expected times of messages one way, of streams, of many pairs or of collectives");
  for (const auto& [column, text] : only)
    command += " --only " + shell_quoted(fmt::format("{}={}", column, text));
  for (const std::string option : {"--procs", "--ppn", "--map", "--algorithm", "--benchmark"})
    if (parsed.has(option))
      command += fmt::format(" {} {}", option, shell_quoted(parsed.value(option)));
  report.provenance = reports::provenance_of(machine, name, {}, command);
  return write_document(reports::fit_check_document(report), output);
}

}  // namespace tutti::commands
