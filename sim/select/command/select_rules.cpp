// SPDX-License-Identifier: BSD-3-Clause
// sim select rules: finds the best algorithms by simulation and compresses them to few rules.

#include "algorithms/rules_files/conversion.hpp"
#include "sim/fit/command/model_jobs.hpp"
#include "sim/reports/wrap.hpp"
#include "sim/select/cell_times.hpp"
#include "sim/select/command/select_request.help.hpp"
#include "sim/select/command/select_request.hpp"
#include "sim/select/model_choice.hpp"
#include "sim/select/nccl_rules.hpp"
#include "sim/select/open_mpi.hpp"
#include "sim/select/report/reports.hpp"
#include "sim/studies/background_jobs.hpp"

namespace tutti::commands {
namespace {

using algorithms::selection::han_path;
using algorithms::selection::use_of;
using reports::RulesReport;
using OutputKind = RulesOutput::Kind;

constexpr std::string_view open_mpi_50 = "ompi-5.0";

// Describes the origin of the rules in files other than reports.
std::vector<std::string> file_head(const RulesReport& report) {
  const auto& provenance = report.provenance;
  std::vector<std::string> head{
      fmt::format("{}, Tutti {} (platform {}, hash {})", provenance.command, provenance.version,
                  provenance.platform_name(), provenance.platforms.front().hash),
      fmt::format("These rules {}, where {}; see the report.", reports::bound_text(report),
                  report.models.empty() ? "simulated" : "predicted")};
  for (auto& line : reports::scope_lines(report)) head.push_back(std::move(line));
  head.insert(head.end(), report.trial.begin(), report.trial.end());
  return head;
}

// `path`: of the file; unset: standard output. For Open MPI 5.0, a file is one of a pair: the other
// is for coll/han.
std::optional<Error> write_rules_file(const RulesReport& report,
                                      const std::optional<std::string>& path) {
  const bool is_new = report.library() == open_mpi_50;
  const bool is_of_pair = is_new && path;
  const auto use = is_of_pair
                       ? use_of({*path, han_path(*path)})
                       : std::vector<std::string>{"mpirun --mca coll_tuned_use_dynamic_rules 1 \\",
                                                  "  --mca coll_tuned_dynamic_rules_filename "
                                                  "THIS_FILE"};
  auto head = file_head(report);
  head.insert(head.end(), use.begin(), use.end());
  const auto han_head = head;
  head.emplace_back(fmt::format("A rule: bytes, algorithm (0: Open MPI's own), fan-out, segment{}",
                                is_new ? ", requests" : ""));
  const auto text =
      studies::select::open_mpi_file(report.collectives, report.library(), head, is_of_pair);
  if (auto error = write_report(path, text)) return error;
  if (!is_of_pair) return std::nullopt;
  return write_file(han_path(*path), algorithms::rules_files::han_of_pair(text, han_head).text);
}

std::string functions(const RulesReport& report) {
  std::vector<reports::DecidedCollective> decided;
  for (const auto& collective : report.collectives) {
    auto& rules = decided.emplace_back(reports::DecidedCollective{&collective.table}).rules;
    for (const auto& selected : collective.rules)
      if (selected.spec.rivals == studies::select::Rivals::all) rules.push_back(&selected);
  }
  return reports::decision_functions(decided, file_head(report));
}

std::optional<Error> draw_rules(const RulesReport& report, const PictureOutput& output) {
  for (const auto& selected : report.collectives) {
    if (!algorithms::find_collective(selected.table.collective)->has_message) continue;
    reports::ResultFile file;
    file.table = reports::winner_table(selected.table);
    const auto grid = TUTTI_TRY(reports::grid_of(
        file, {.x = "message_bytes", .series = {{"algorithm"}}, .facet = {{"procs"}}}));
    auto picture = TUTTI_TRY(reports::winner_picture(grid, ""));
    picture.title = reports::picture_text(
        fmt::format("{} on {}", selected.table.collective, report.provenance.platform_name()));
    PictureOutput map = output;
    map.path = picture_path(output.path, selected.table.collective, report.collectives.size() == 1);
    const auto text = TUTTI_TRY(render_picture(reports::draw(picture), file_head(report), map));
    if (auto error = write_file(map.path, text)) return error;
  }
  return std::nullopt;
}

std::optional<Error> write_output(const RulesReport& report, const RulesOutput& output) {
  if (output.kind == OutputKind::rules_file) return write_rules_file(report, output.path);
  if (output.kind == OutputKind::function) return write_report(output.path, functions(report));
  return draw_rules(report, *output.picture);
}

// Warns about rules that exceed the bound, whatever part of the report is printed.
void warn(const RulesReport& report, const Diagnostics& diagnostics) {
  if (report.study.objective == studies::select::Objective::mean)
    return;  // single cells may lose more
  for (const auto& collective : report.collectives)
    for (const auto& selected : collective.rules) {
      const auto losses = measure_losses(collective.table, selected.rules, selected.spec);
      if (losses.above == 0) continue;
      diagnostics.warning(fmt::format(
          "{}: {} of {} cells lose more than {:.4g} %, {:.4g} % at most: no rule that Open MPI's "
          "file supports does better there without being slower than Open MPI's own choice",
          collective.table.collective, losses.above, losses.cells, report.study.most_loss * 100,
          losses.max * 100));
    }
}

Result<int> write_rules(const RulesReport& report, const RulesRequest& request) {
  for (const auto& output : request.outputs) {
    if (output.kind == OutputKind::document) {
      TUTTI_TRY(write_document(rules_document(report), output.document));
    } else if (const auto error = write_output(report, output)) {
      return *error;
    }
  }
  return exit_done;
}

// Removes allocations with nodes that the machine does not have.
std::optional<Error> keep_known(RulesRequest& request, const platforms::Machine& machine,
                                const Diagnostics& diagnostics) {
  auto& all = request.study.axes.allocations;
  if (all.empty()) return std::nullopt;
  std::string unknown;
  const auto removed = std::erase_if(all, [&](const auto& allocation) {
    const auto missing = std::ranges::find_if(
        allocation->nodes, [&](const auto& node) { return !machine.topology->find_host(node); });
    if (missing == allocation->nodes.end()) return false;
    if (unknown.empty()) unknown = fmt::format("{} of {}", in_quotes(*missing), allocation->name);
    return true;
  });
  if (removed == 0) return std::nullopt;
  const auto problem = fmt::format("{} has no node {}", machine.name, unknown);
  if (all.empty())
    return make_error(
        ErrorKind::input, request.allocations_path, problem,
        fmt::format("its first node is {}: the names of the platform file (prefix, radical) must "
                    "be those of the allocations",
                    machine.topology->host_name(0)));
  diagnostics.warning(fmt::format("{}: {} omitted: {}", request.allocations_path,
                                  counted(removed, "allocation"), problem));
  return std::nullopt;
}

// Writes a tuner CSV of NCCL.
Result<int> run_nccl_rules(const RulesRequest& request, const platforms::Machine& machine,
                           const Diagnostics& diagnostics) {
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  const auto trials = TUTTI_TRY(studies::select::make_nccl_trials(request.study, machine));
  const auto timed =
      studies::select::time_trials(trials, machine, runner(request.jobs, diagnostics));
  if (timed.run.code != exit_done || timed.run.not_run > 0) return timed.run.code;
  const auto from =
      reports::provenance_of(machine, request.platform, request.overrides, request.command);
  const std::vector<std::string> head{
      fmt::format("Tutti {} (platform {}, hash {})", from.version, from.platform_name(),
                  from.platforms.front().hash),
      from.command, "NCCL_TUNER_PLUGIN=EXAMPLE_PLUGIN NCCL_TUNER_CONFIG_FILE=THIS_FILE"};
  const auto text = studies::select::nccl_tuner_file(trials, timed.times_s, head);
  if (auto error = write_report(request.outputs.front().path, text)) return *error;
  return exit_done;
}

Result<int> run_select_rules(const OptionValues& parsed, const Diagnostics& diagnostics) {
  auto request = TUTTI_TRY(read_request(parsed, select_rules_options(), "select rules"));
  const auto machine = TUTTI_TRY(studies::load_machine(request));
  if (request.is_for_nccl) return run_nccl_rules(request, machine, diagnostics);
  if (auto error = keep_known(request, machine, diagnostics)) return *error;
  if (const auto errors = check_cells(request.study, machine, request.force); !errors.empty())
    return parsed.placed(errors);
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  if (request.models) {
    for (const auto& placement : request.study.axes.placements)
      if (const auto outside =
              studies::select::placement_outside(*request.models, placement, machine);
          !outside.empty())
        return usage_error(parsed.typed(outside.starts_with("--map") ? "--map" : "--ppn"),
                           "is outside the range that the models were fitted to: " + outside,
                           "fit the models to it");
    warn_of_models(*request.models, request.models_path, machine, diagnostics);
  }
  const auto run = runner(request.jobs, diagnostics);
  RulesReport report{
      {},
      time_cells(request.study, request.models ? &*request.models : nullptr, machine, run),
      request.study,
      request.allocations_path,
      request.models_path,
      count_unplaceable(request.study.axes, machine)};
  begin_report(report, request, machine, report.run);
  // Rules from only some of the cells would look like rules from all of them.
  if (report.run.code != exit_done || report.run.not_run > 0) return report.run.code;
  if (request.models) {
    const auto trial = try_rules(request.study, report.collectives, machine, run);
    if (trial.run.code != exit_done) return trial.run.code;
    report.trial = trial.lines(request.models_path);
  }
  warn(report, diagnostics);
  const bool is_printed = std::ranges::any_of(request.outputs, [](const RulesOutput& output) {
    return output.kind == OutputKind::rules_file && !output.path;
  });
  if (report.library() == open_mpi_50 && is_printed)
    diagnostics.note(std::string(algorithms::selection::han_goes_first));
  return write_rules(report, request);
}

}  // namespace

const Subcommand select_rules{
    .usage = "rules",
    .summary = "write the best algorithms as a rules file of Open MPI or NCCL",
    .help = texts::select_request["rules"],
    .specs = select_rules_options(),
    .run = run_select_rules};

}  // namespace tutti::commands
