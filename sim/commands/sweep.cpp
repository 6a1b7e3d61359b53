// SPDX-License-Identifier: BSD-3-Clause
// sim sweep: runs the points of a study that are not yet in its store. `read_sweep` reads the study
// file, StudyMatrix combines its values, StudyPlan makes the points and compares their keys with
// those in the store, PointRun runs the pending ones, and `Sweep::take` puts each result into the
// store.

#include <malloc.h>
#include <unistd.h>

#include <cstring>
#include <iterator>

#include "sim/base/common.hpp"
#include "sim/base/text_file.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/diagnostics.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/pages.texts.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/commands/process.hpp"
#include "sim/commands/progress.hpp"
#include "sim/commands/sweep_request.help.hpp"
#include "sim/commands/sweep_request.hpp"
#include "sim/engines/engine.hpp"
#include "sim/engines/simgrid_module.hpp"
#include "sim/reports/version.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::commands {
namespace {

// A study as a Slurm job array: each task runs a part into a store of its own, and a job merges
// these stores.

std::string absolute(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

std::string program() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? "sim" : path.string();
}

// Options of this command that are passed to each task.
std::string options_of_tasks(const OptionValues& parsed) {
  std::string line;
  for (const char* option : {"--override", "--where", "--rerun", "--timeout", "--memory-limit"})
    for (const std::string& value : parsed.values(option))
      line += fmt::format(" {} {}", option, shell_quoted(value));
  return line;
}

struct Script {
  std::string path;
  std::string text;
};

// Names of Slurm jobs have no blanks.
std::string job_name(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '-');
  return name;
}

// The script of the job array, and that of the job that merges the stores.
std::array<Script, 2> make_scripts(const SweepRequest& request, const OptionValues& parsed) {
  const std::string store = absolute(request.store_path);
  const std::string name = job_name(request.study.name);
  const std::string jobs =
      parsed.has("--jobs") ? parsed.value("--jobs") : "${SLURM_CPUS_PER_TASK:-1}";
  return {{{store + ".array.sh",
            fmt::format(fmt::runtime(texts::pages["array"]), request.array, name, store,
                        shell_quoted(program()), shell_quoted(absolute(request.study_path)),
                        shell_quoted(store), jobs, options_of_tasks(parsed))},
           {store + ".merge.sh",
            fmt::format(fmt::runtime(texts::pages["merge"]), name, store, request.array,
                        shell_quoted(store), shell_quoted(program()))}}};
}

// Submits a job and returns the job ID that sbatch prints. --sbatch-args are passed unchanged.
Result<std::string> sbatch(const SweepRequest& request, std::vector<std::string> more) {
  std::vector<std::string> words{"sbatch", "--parsable"};
  words.insert(words.end(), request.sbatch_args.begin(), request.sbatch_args.end());
  words.insert(words.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  const auto run = run_words(std::move(words));
  if (run.succeeded()) return std::string(trim(run.out.substr(0, run.out.find(';'))));
  const std::string reason(trim(run.start_error != 0 ? std::strerror(run.start_error) : run.err));
  return make_error(
      ErrorKind::run, "sbatch", reason.empty() ? "failed" : reason,
      "the scripts are written: submit them by hand, or run `sim sweep` without --slurm on this "
      "machine");
}

// An existing script may have been edited, or be an unrelated file.
std::optional<Error> check_script(const Script& script) {
  if (!exists(script.path)) return std::nullopt;
  const auto existing = read_text_file(script.path);
  if (existing && *existing == script.text) return std::nullopt;
  return make_error(ErrorKind::usage, script.path, "already exists with different contents",
                    "remove it, or choose another --store, whose folder gets the script");
}

// Errors for existing scripts with different contents: they are not overwritten.
std::vector<Error> check_scripts(const SweepRequest& request, const OptionValues& parsed) {
  std::vector<Error> errors;
  for (const Script& script : make_scripts(request, parsed))
    if (auto error = check_script(script)) errors.push_back(*std::move(error));
  return errors;
}

// Writes and submits STORE.array.sh and STORE.merge.sh; with `dry_run` prints them instead. Returns
// the exit code.
Result<int> submit_sweep(const SweepRequest& request, const OptionValues& parsed, bool dry_run) {
  const auto [array_script, merge_script] = make_scripts(request, parsed);
  if (dry_run)
    return print(fmt::format("# {}\n{}\n# {}\n{}", array_script.path, array_script.text,
                             merge_script.path, merge_script.text));
  for (const Script& script : {array_script, merge_script})
    if (!exists(script.path))
      if (auto error = write_file(script.path, script.text)) return *error;
  const auto array = TUTTI_TRY(sbatch(request, {array_script.path}));
  const auto merge = TUTTI_TRY(
      sbatch(request, {fmt::format("--dependency=afterany:{}", array), merge_script.path}));
  return print(fmt::format("job array {} with {} tasks; job {} merges their results into {}\n",
                           array, request.array, merge, request.store_path));
}

using SweepView = SweepRequest::View;

std::string_view state_name(studies::PointState state) {
  constexpr std::string_view names[] = {"done", "new", "outdated", "failed", "again"};
  return names[static_cast<std::size_t>(state)];
}

// Returns why a point in this state would run; empty if it would not.
std::string why(const studies::SweptPoint& swept, studies::PointState state,
                const studies::StoredStates& stored) {
  if (state == studies::PointState::fresh) return "never run";
  if (state == studies::PointState::run_again) return "requested by --rerun";
  return state == studies::PointState::outdated ? stored.outdated(swept.point).value_or("") : "";
}

// Estimated time on `jobs` cores and memory per point: "about 12.3 s on 4 cores, ...".
std::string cost_text(const studies::StudyPlan& plan, int jobs) {
  constexpr Seconds start_s = 0.003;  // a child's start and end
  const Seconds estimated_s = plan.estimated_s() + static_cast<double>(plan.pending()) * start_s;
  const Seconds time_s = estimated_s * plan.finished().ratio(estimated_s);
  std::string text =
      fmt::format("about {} on {}", format_seconds(time_s / jobs), counted(jobs, "core"));
  if (plan.memory_bytes() > 0)
    text += fmt::format(", at most {} of memory each", format_bytes(plan.memory_bytes()));
  return text;
}

// Runs the pending points, stores their results and reports progress and failures.
class Sweep {
 public:
  Sweep(const SweepRequest& request, studies::StudyPlan& plan, const studies::StoredStates& stored,
        store::Store& store, const Diagnostics& diagnostics)
      : request_(request),
        plan_(plan),
        stored_(stored),
        store_(store),
        diagnostics_(diagnostics),
        run_(plan.points(), plan.points() - plan.pending(), "points", diagnostics) {}

  // Returns the exit code.
  Result<int> run() {
    const auto error =
        run_.run(request_.limits, {.next = [&] { return plan_.next(); },
                                   .take = [&](const auto& point) { return take(point); },
                                   .estimated_s = plan_.estimated_s(),
                                   .finished = plan_.finished()});
    if (error) return give_up(*error);
    if (run_.was_stopped()) return interrupted();
    return report_outcome();
  }

 private:
  // Stores a finished point: the parameters, then the answer or the error.
  std::optional<Error> take(const studies::FinishedPoint& finished) {
    store::StoredPoint stored{
        .key = finished.point.key,
        .status = finished.answer ? store::Status::done : store::Status::failed,
        .values = finished.point.parameters};
    if (finished.answer) {
      add(*finished.answer, stored.values);
    } else {
      const Error& error = finished.answer.error();
      stored.values.push_back(
          {"error", error.hint.empty() ? error.message : error.message + "; " + error.hint});
      report_failure(finished.point, finished.answer.errors());
    }
    if (!finished.answer && was_done(finished.point.key)) {
      ++failed_;  // the stored result is kept
      return std::nullopt;
    }
    if (!finished.output.empty()) stored.values.push_back({"output", finished.output});
    stored.values.push_back({"finished", utc_now()});
    if (auto error = store_.put(stored)) return error;
    (finished.answer ? done_ : failed_) += 1;
    return std::nullopt;
  }

  bool was_done(const std::string& key) const { return stored_.status(key) == store::Status::done; }

  // Adds the columns of the answer; they replace values that were known before the run.
  static void add(const Row& answer, Row& values) {
    for (const NamedCell& cell : answer) {
      const auto old = std::ranges::find(values, cell.name, &NamedCell::name);
      if (old == values.end())
        values.push_back(cell);
      else
        old->value = cell.value;
    }
  }

  void report_failure(const jobs::StudyPoint& point, const std::vector<Error>& errors) {
    if (failed_ < most_errors_reported) {
      Error error = errors.front();
      error.place = point.name;
      error.line = 0;
      has_bug_ |= error.kind == ErrorKind::internal;
      diagnostics_.error(error);
    }
  }

  std::size_t stored() const {
    return plan_.count(studies::PointState::done) + plan_.count(studies::PointState::failed) +
           done_ + failed_;
  }

  std::string stored_summary() const {
    return fmt::format("{} of {} are stored in {}; run again to continue", stored(),
                       counted(plan_.points(), "point"), printable(request_.store_path));
  }

  int give_up(const Error& error) const {
    const int code = diagnostics_.fail({error});
    diagnostics_.note(stored_summary());
    return code;
  }

  int interrupted() const {
    diagnostics_.note(stored_summary());
    return run_.exit_code();
  }

  Result<int> report_outcome() const {
    const std::size_t failed = failed_ + plan_.count(studies::PointState::failed);
    if (failed_ > most_errors_reported)
      diagnostics_.note(
          fmt::format("... and {} more points failed", failed_ - most_errors_reported));
    if (plan_.vanished() > 0)
      diagnostics_.warning(fmt::format("{} points were not run: a file that they use has changed",
                                       plan_.vanished()));
    if (plan_.count(studies::PointState::failed) > 0)
      diagnostics_.note(
          fmt::format("{} points failed in an earlier run; use --rerun failed to run them again",
                      plan_.count(studies::PointState::failed)));
    TUTTI_TRY(print(fmt::format("{}: {}, {} run, {} failed; in {}\n",
                                printable(request_.study.name), counted(plan_.points(), "point"),
                                done_ + failed_, failed, printable(request_.store_path))));
    return failed == 0 && plan_.vanished() == 0 ? exit_done
           : has_bug_                           ? exit_bug
                                                : exit_points_failed;
  }

  const SweepRequest& request_;
  studies::StudyPlan& plan_;
  const studies::StoredStates& stored_;  // before the run
  store::Store& store_;
  const Diagnostics& diagnostics_;
  PointRun run_;
  std::size_t done_ = 0;
  std::size_t failed_ = 0;
  bool has_bug_ = false;
};

// Reads the states of the points in a store. A missing store has no points, unless `must_be`.
std::vector<Error> read_states(const std::string& path, bool must_be,
                               studies::StoredStates& states) {
  if (!must_be && ::access(path.c_str(), F_OK) != 0) return {};
  const auto store = TUTTI_TRY(store::Store::open(path, store::Store::Access::read));
  if (auto error = states.read(store)) return {*error};
  return {};
}

store::StoredStudy stored_study(const SweepRequest& request) {
  return {.name = request.study.name,
          .description = request.study.description,
          .toml = request.study.text,
          .command = request.command,
          .version = fmt::format("{} ({})", reports::version(), reports::commit()),
          .simgrid_version = engines::simgrid_version(),
          .started = utc_now()};
}

std::string summary(const SweepRequest& request, const studies::StudyPlan& plan) {
  std::string text =
      fmt::format("{}: {}", printable(request.study.name), counted(plan.points(), "point"));
  for (const auto state :
       {studies::PointState::done, studies::PointState::failed, studies::PointState::fresh,
        studies::PointState::outdated, studies::PointState::run_again})
    if (plan.count(state) > 0) text += fmt::format(", {} {}", plan.count(state), state_name(state));
  text += '\n';
  if (plan.repeated() > 0)
    text += fmt::format("{} more are equal to others and skipped\n", plan.repeated());
  if (plan.pending() > 0)
    text += reports::paragraph(
        fmt::format("{} would run: {}", plan.pending(), cost_text(plan, request.limits.jobs)), 0);
  return text;
}

// The line of a point, wrapped on a terminal.
std::string list_line(studies::PointState state, const std::string& name) {
  constexpr std::size_t indent = 10;
  return terminal_width(STDOUT_FILENO) ? reports::paragraph(name, indent, state_name(state))
                                       : fmt::format("{:<{}}{}\n", state_name(state), indent, name);
}

// Prints the points and their state without running any.
Result<int> preview_sweep(const SweepRequest& request, const studies::StudyMatrix& matrix,
                          const Diagnostics& diagnostics) {
  studies::StoredStates stored, also;
  if (const auto errors = read_states(request.store_path, false, stored); !errors.empty())
    return errors;
  if (request.also_in)
    if (const auto errors = read_states(*request.also_in, true, also); !errors.empty())
      return errors;
  std::string lines;
  const auto see = [&](const studies::SweptPoint& swept, studies::PointState state) {
    if (request.view == SweepView::list) lines += list_line(state, printable(swept.point.name));
    const std::string reason = why(swept, state, stored);
    if (request.view == SweepView::explain && !reason.empty())
      lines += fmt::format("{}\n  {}\n", printable(swept.point.name), reason);
  };
  studies::StudyPlan plan(request.study, matrix, stored, also, request.plan);
  if (const auto errors = plan.make(see); !errors.empty()) return errors;
  warn_of_skipped(plan.skipped(), diagnostics);
  return print(lines + summary(request, plan));
}

// Runs the pending points of the study in this process and its children.
Result<int> run_sweep(const SweepRequest& request, const studies::StudyMatrix& matrix,
                      const Diagnostics& diagnostics) {
  auto store = TUTTI_TRY(store::Store::open(request.store_path, store::Store::Access::write));
  studies::StoredStates stored, also;
  if (const auto error = stored.read(store)) return *error;
  if (request.also_in)
    if (const auto errors = read_states(*request.also_in, true, also); !errors.empty())
      return errors;
  studies::StudyPlan plan(request.study, matrix, stored, also, request.plan);
  if (const auto errors = plan.make({}); !errors.empty()) return errors;
  warn_of_skipped(plan.skipped(), diagnostics);
  if (plan.points() == 0) diagnostics.warning("no point of the study is selected");
  if (const auto error = store.set_members(stored_study(request), plan.keys(), !request.selects))
    return *error;
  // SimGrid is loaded once, instead of by each child.
  if (plan.pending() > 0)
    if (const auto error = engines::load_simgrid()) return *error;
  return Sweep(request, plan, stored, store, diagnostics).run();
}

// Submits the study as a Slurm job array. The members of the whole study are stored first, so that
// the merged store has them.
Result<int> submit(const SweepRequest& request, const OptionValues& parsed,
                   const studies::StudyMatrix& matrix, const Diagnostics& diagnostics) {
  const bool dry_run = request.view != SweepView::run;
  if (!dry_run) {
    if (const auto errors = check_scripts(request, parsed); !errors.empty()) return errors;
    auto store = TUTTI_TRY(store::Store::open(request.store_path, store::Store::Access::write));
    studies::StoredStates stored, also;
    studies::StudyPlan plan(request.study, matrix, stored, also, request.plan);
    if (const auto errors = plan.make({}); !errors.empty()) return errors;
    warn_of_skipped(plan.skipped(), diagnostics);
    if (const auto error = store.set_members(stored_study(request), plan.keys(), !request.selects))
      return *error;
  }
  return submit_sweep(request, parsed, dry_run);
}

Result<int> run_sweep(const OptionValues& parsed, const Diagnostics& diagnostics) {
  // A child copies each page of the heap that it writes to. Without fast bins, freed chunks are
  // coalesced, so fewer pages have holes.
  mallopt(M_MXFAST, 0);
  const auto request = TUTTI_TRY(read_sweep(parsed));
  const auto matrix = TUTTI_TRY(studies::StudyMatrix::of(request.study));
  if (request.slurm) return submit(request, parsed, matrix, diagnostics);
  if (request.view != SweepView::run) return preview_sweep(request, matrix, diagnostics);
  return run_sweep(request, matrix, diagnostics);
}

const Subcommand sweep_alone{.usage = "sweep STUDY.toml",
                             .help = texts::sweep_request["sweep"],
                             .specs = sweep_specs,
                             .run = run_sweep};

}  // namespace

extern const Command sweep_command{.name = "sweep",
                                   .summary = "run a study: many points, stored in a file",
                                   .alone = &sweep_alone};

}  // namespace tutti::commands
