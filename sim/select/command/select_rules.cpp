// SPDX-License-Identifier: BSD-3-Clause
// sim select rules: the best algorithms by simulation, as few rules.

#include "sim/base/common.hpp"
#include "sim/base/quantile.hpp"
#include "sim/base/random.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/fit/command/model_jobs.hpp"
#include "sim/fit/model_choice.hpp"
#include "sim/select/command/select.hpp"
#include "sim/select/command/select_times.hpp"
#include "sim/select/open_mpi.hpp"
#include "sim/select/report/rules_report.hpp"
#include "sim/select/rules.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "sim/studies/point.hpp"
#include "sim/studies/run_point.hpp"

namespace tutti::commands {
namespace {

// What rules made of predictions are worth: the calls that they choose are simulated in every cell,
// and in a random tenth of the cells all that competed.

// Rules of one collective, from predicted times.
struct PredictedRules {
  const studies::select::TimeTable& table;
  const studies::select::RuleSet& rules;
  const studies::select::RuleWish& wish;
};

struct ModelTrial {
  std::size_t cells = 0;       // whose chosen call was simulated
  double median_error = 0;     // |predicted / simulated - 1| of these calls
  double largest_error = 0;    // the same
  std::size_t full_cells = 0;  // in which all that competed were simulated
  double mean_loss = 0;        // of the chosen call against the best there
  double largest_loss = 0;
  std::string worst_at = {};  // "bcast, 40 processes, 48 KiB"; empty: nothing is lost

  // Sentences for reports and for the heads of files.
  std::vector<std::string> lines(const std::string& models) const;
};

// The seed by which the tenth is drawn.
inline constexpr std::uint64_t trial_seed = 1;

// The calls of a cell, by candidate; none where it does not run.
using CallsOfCell = std::function<Result<std::vector<std::optional<studies::Point>>>(
    const std::string& collective, const studies::select::TimedCell& cell)>;

using studies::select::TimedCell;

struct TriedCell {
  const PredictedRules* rules = nullptr;
  const TimedCell* cell = nullptr;
  std::size_t choice = 0;
  bool is_full = false;  // all that compete are simulated
};

std::vector<TriedCell> cells_with_choice(const std::vector<PredictedRules>& all) {
  std::vector<TriedCell> tried;
  for (const auto& each : all)
    for (const auto& cell : each.table.cells) {
      const auto seen = each.wish.seen(cell.procs, cell.message_bytes);
      const auto choice = studies::select::choice_of(each.rules, cell.procs, seen);
      if (choice && cell.times_s[*choice]) tried.push_back({&each, &cell, *choice, false});
    }
  return tried;
}

// A tenth, rounded up.
void draw_full_cells(std::vector<TriedCell>& tried) {
  std::vector<std::size_t> order(tried.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [](std::size_t i) { return random_uniform(trial_seed, 0, i); });
  for (std::size_t i = 0; i < (tried.size() + 9) / 10; ++i) tried[order[i]].is_full = true;
}

bool is_tried(const TriedCell& tried, std::size_t candidate) {
  if (candidate == tried.choice) return true;
  const auto& each = *tried.rules;
  return tried.is_full && is_rival(each.table.candidates[candidate], each.wish.rivals);
}

std::string column_of(std::size_t candidate) { return fmt::format("time_{}_s", candidate); }

studies::StudyPoint trial_of(const TriedCell& tried, const CallsOfCell& calls_of,
                             const platforms::Machine& machine) {
  const auto& collective = tried.rules->table.collective;
  const auto simulate = [&tried, &calls_of, &machine]() -> Result<Row> {
    const auto calls = TUTTI_TRY(calls_of(tried.rules->table.collective, *tried.cell));
    Row row;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (!(calls)[i] || !is_tried(tried, i)) continue;
      const auto answer = TUTTI_TRY(studies::run_point(*(calls)[i], machine));
      row.push_back({column_of(i), answer.record.time_s.value_or(0)});
    }
    return row;
  };
  Bytes memory_bytes = 0;
  if (const auto calls = calls_of(collective, *tried.cell))
    for (std::size_t i = 0; i < calls->size(); ++i)
      if ((*calls)[i] && is_tried(tried, i))
        memory_bytes = std::max(memory_bytes, studies::memory_estimate(*(*calls)[i]));
  return {.name = fmt::format("{}, {} processes, {}", collective, tried.cell->procs,
                              format_bytes(tried.cell->message_bytes)),
          .simulate = simulate,
          .memory_bytes = memory_bytes};
}

// Of a cell whose rivals were all simulated.
double loss_in(const TriedCell& tried, const Row& answer, Seconds chosen_s) {
  Seconds best_s = chosen_s;
  for (std::size_t i = 0; i < tried.rules->table.candidates.size(); ++i)
    if (const auto time_s = number_of(cell_in(answer, column_of(i))))
      best_s = std::min(best_s, *time_s);
  return studies::select::loss_of(chosen_s, best_s);
}

std::vector<std::string> ModelTrial::lines(const std::string& models) const {
  std::vector<std::string> lines{
      fmt::format("Predicted by {}; simulated: the chosen call of each of {}, off by {:.1f} % in "
                  "the median, {:.0f} % at most",
                  models, counted(cells, "cell"), median_error * 100, largest_error * 100),
      fmt::format(
          "In a random tenth ({}, seed {}) all were simulated: the choice loses {:.1f} % in "
          "the mean, {:.0f} % at most{}",
          counted(full_cells, "cell"), trial_seed, mean_loss * 100, largest_loss * 100,
          worst_at.empty() ? "" : " (" + worst_at + ")")};
  return lines;
}

// The exit code of the simulations goes to `run`, with what failed.
ModelTrial try_rules(const std::vector<PredictedRules>& all, const CallsOfCell& calls_of,
                     const platforms::Machine& machine, int jobs, const Diagnostics& diagnostics,
                     studies::PointsRun& run) {
  auto tried = cells_with_choice(all);
  draw_full_cells(tried);
  std::vector<studies::StudyPoint> points;
  for (const auto& each : tried) points.push_back(trial_of(each, calls_of, machine));
  run = run_check(points, jobs, diagnostics);
  ModelTrial trial;
  std::vector<double> errors, losses;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    if (!run.answers[i]) continue;
    const auto time_s = number_of(cell_in(*run.answers[i], column_of(tried[i].choice)));
    if (!time_s || *time_s <= 0) continue;
    errors.push_back(std::fabs(*tried[i].cell->times_s[tried[i].choice] / *time_s - 1));
    if (!tried[i].is_full) continue;
    losses.push_back(loss_in(tried[i], *run.answers[i], *time_s));
    if (losses.back() <= trial.largest_loss) continue;
    trial.largest_loss = losses.back();
    trial.worst_at = points[i].name;
  }
  trial.cells = errors.size();
  trial.full_cells = losses.size();
  for (const double loss : losses) trial.mean_loss += loss / static_cast<double>(losses.size());
  if (errors.empty()) return trial;
  trial.median_error = median_of(errors);
  trial.largest_error = *std::ranges::max_element(errors);
  return trial;
}

using algorithms::selection::RulesFormat;
using reports::RulesReport;
using OutputKind = RulesOutput::Kind;

// Where the rules come from, for files that are no reports.
std::vector<std::string> head_of(const RulesReport& report) {
  const auto& provenance = report.provenance;
  std::vector<std::string> head{
      fmt::format("{}, Tutti {} (platform {}, hash {})", provenance.command, provenance.version,
                  provenance.platform_name, provenance.platform_hash),
      fmt::format("These rules {}, where {}; see the report.", reports::bound_of(report),
                  report.models.empty() ? "simulated" : "predicted")};
  for (auto& line : reports::scope_of(report)) head.push_back(std::move(line));
  head.insert(head.end(), report.trial.begin(), report.trial.end());
  return head;
}

std::string rules_file(const RulesReport& report, RulesFormat format) {
  std::vector<algorithms::selection::WrittenCollective> written;
  for (const auto& each : report.collectives)
    for (const auto& selected : each.rules)
      if (selected.wish.rivals == studies::select::Rivals::in_rules_file)
        written.push_back(studies::select::written(each.table, selected.rules));
  auto head = head_of(report);
  head.emplace_back("mpirun --mca coll_tuned_use_dynamic_rules 1 \\");
  head.emplace_back("  --mca coll_tuned_dynamic_rules_filename THIS_FILE");
  head.emplace_back(fmt::format("A rule: bytes, algorithm (0: Open MPI's own), fan-out, segment{}",
                                format == RulesFormat::open_mpi_5_0 ? ", requests" : ""));
  return rules_file_text(written, format, head);
}

std::string functions(const RulesReport& report) {
  std::vector<reports::DecidedCollective> decided;
  for (const auto& each : report.collectives)
    for (const auto& selected : each.rules)
      if (selected.wish.rivals == studies::select::Rivals::all)
        decided.push_back({&each.table, selected.rules});
  return reports::decision_functions(decided, head_of(report));
}

std::optional<Error> draw_rules(const RulesReport& report, const PictureOutput& output) {
  for (const auto& each : report.collectives) {
    if (!algorithms::find_collective(each.table.collective)->has_message) continue;
    reports::ResultFile file;
    file.table = reports::winner_table(each.table);
    const auto grid = reports::grid_of(
        file, {.x = "message_bytes", .series = {{"algorithm"}}, .facet = {{"procs"}}});
    if (!grid) return grid.error();
    const auto picture = reports::winner_picture(
        *grid, fmt::format("{} on {}", each.table.collective, report.provenance.platform_name));
    if (!picture) return picture.error();
    PictureOutput one = output;
    one.path = picture_path(output.path, each.table.collective, report.collectives.size() == 1);
    const auto text = picture_of(reports::draw(*picture), head_of(report), one);
    if (!text) return text.error();
    if (auto error = write_file(one.path, *text)) return error;
  }
  return std::nullopt;
}

std::optional<Error> write_output(const RulesReport& report, const RulesRequest& request,
                                  const RulesOutput& output) {
  switch (output.kind) {
    case OutputKind::rules_file:
      return write_report(output.path, rules_file(report, request.rules_format));
    case OutputKind::function:
      return write_report(output.path, functions(report));
    case OutputKind::picture:
      return draw_rules(report, *output.picture);
    case OutputKind::document:
      break;
  }
  return std::nullopt;
}

// A rule that cannot be as good as was asked for is told, whatever is looked at.
void warn(const RulesReport& report, const Diagnostics& diagnostics) {
  if (report.objective == studies::select::Objective::mean) return;  // single cells may lose more
  for (const auto& each : report.collectives)
    for (const auto& selected : each.rules) {
      const auto losses = losses_of(each.table, selected.rules, selected.wish);
      if (losses.above == 0) continue;
      diagnostics.warning(fmt::format(
          "{}: {} of {} cells lose more than {:.4g} %, {:.4g} % at most: no rule that Open MPI's "
          "file can hold does better there and is not slower than Open MPI's own choice",
          each.table.collective, losses.above, losses.cells, report.most_loss * 100,
          losses.max * 100));
    }
}

// Simulates what rules from predictions choose; the exit code.
Result<int> try_models(RulesReport& report, const RulesRequest& request,
                       const platforms::Machine& machine, const Diagnostics& diagnostics) {
  std::vector<PredictedRules> all;
  for (const auto& each : report.collectives)
    all.push_back({each.table, each.rules.front().rules, each.rules.front().wish});
  const auto calls_of = [&](const std::string& collective, const studies::select::TimedCell& cell)
      -> Result<std::vector<std::optional<studies::Point>>> {
    const auto& names = request.study.collectives;
    studies::select::WantedCell wanted{.collective = static_cast<std::size_t>(
                                           std::ranges::find(names, collective) - names.begin()),
                                       .most_procs = cell.procs,
                                       .message_bytes = cell.message_bytes,
                                       .placement = request.study.axes.placements.front()};
    wanted.placement.procs = cell.procs;
    auto calls = TUTTI_TRY(studies::select::calls_of(request.study, wanted, nullptr, machine));
    return std::move(calls.points);
  };
  studies::PointsRun run;
  const auto trial = try_rules(all, calls_of, machine, request.jobs, diagnostics, run);
  report.trial = trial.lines(request.models_path);
  report.failed.insert(report.failed.end(), run.failed.begin(), run.failed.end());
  report.not_run += run.not_run;
  return run.code;
}

Result<int> write_rules(const RulesReport& report, const RulesRequest& request) {
  for (const auto& output : request.outputs) {
    if (output.kind == OutputKind::document) {
      TUTTI_TRY(write_document(rules_document(report), output.document));
    } else if (const auto error = write_output(report, request, output)) {
      return *error;
    }
  }
  return exit_done;
}

Result<int> run_select_rules(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request = TUTTI_TRY(request_of(parsed, select_rules_options(), "select rules"));
  const auto machine = TUTTI_TRY(platforms::load_machine(request.platform, request.overrides));
  if (const auto errors = check_cells(request, machine); !errors.empty())
    return parsed.placed(errors);
  for (const auto& warning : machine.warnings) diagnostics.warning(warning);
  if (request.models) {
    for (const auto& placement : request.study.axes.placements)
      if (const auto outside = studies::placement_outside(*request.models, placement, machine);
          !outside.empty())
        return usage_error(parsed.typed(outside.starts_with("--map") ? "--map" : "--ppn"),
                           "is outside of what the models were fitted to: " + outside,
                           "fit models to it");
    warn_of_models(*request.models, request.models_path, machine, diagnostics);
  }
  auto times = time_cells(request, machine, diagnostics);
  RulesReport report;
  report.provenance =
      reports::provenance_of(machine, request.platform, request.overrides, request.command);
  report.failed = times.failed;
  report.collectives = std::move(times.collectives);
  report.most_loss = request.study.most_loss;
  report.objective = request.study.objective;
  report.axes = request.study.axes;
  report.models = request.models_path;
  report.hierarchical = request.study.candidates.hierarchical;
  report.not_run = times.not_run;
  // Rules from a part of the cells would look like rules from all.
  if (times.code != exit_done || times.not_run > 0) return times.code;
  if (request.models) {
    const int tried = TUTTI_TRY(try_models(report, request, machine, diagnostics));
    if (tried != exit_done) return tried;
  }
  warn(report, diagnostics);
  if (request.rules_format == RulesFormat::open_mpi_5_0 && request.writes(OutputKind::rules_file))
    diagnostics.note(std::string(algorithms::selection::han_goes_first));
  return write_rules(report, request);
}

}  // namespace

const Subcommand select_rules{
    .usage = "rules",
    .summary = "the best algorithms, as Open MPI's rules file",
    .help =
        "Simulates every algorithm of the collectives over processes and message sizes, and "
        "compresses the best to the fewest rules that lose at most --loss; writes Open MPI's file "
        "of dynamic rules, a C++ function, tables and maps. Other messages and communicators "
        "than asked for are left to Open MPI's own rules.",
    .specs = select_rules_options(),
    .run = run_select_rules};

}  // namespace tutti::commands
