// SPDX-License-Identifier: BSD-3-Clause
// sim tune hints: searches for the hints of MPI-IO with which a job's accesses take the least time.

#include "io_models/darshan/darshan_log.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/job_run.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/studies/background_jobs.hpp"
#include "sim/studies/io_limits.hpp"
#include "sim/studies/memory_estimate.hpp"
#include "sim/studies/workloads/io_options.hpp"
#include "sim/tune/hint_space.hpp"
#include "sim/tune/report/reports.hpp"

namespace tutti::commands {
namespace {

using io_models::Hint;
using studies::IoRequest;
using studies::tuning::HintJob;
using studies::tuning::WantedHint;

constexpr std::string_view hint_search = "The search";
constexpr std::string_view hint_results = "Results";

struct HintRequest {
  std::vector<WantedHint> wanted;
  std::vector<studies::tuning::Method> methods;  // empty: by the number of combinations
  studies::tuning::SearchOptions search;
  bool keeps_all = false;
  std::optional<std::string> hints_path;
  int jobs = default_jobs();
  DocumentOutput document;
};

// ---- options ----

void read_wanted(OptionReader& read, std::string_view option, HintRequest& request) {
  for (const auto& text : read.values().values(option)) {
    auto hint = studies::tuning::parse_wanted_hint(text);
    if (std::ranges::count(request.wanted, hint.name, &WantedHint::name) > 0)
      read.wrong(option, fmt::format("{} is given twice", hint.name),
                 "list all of its values once");
    if (std::ranges::count(hint.values, "") > 0)
      read.wrong(option, fmt::format("{}: empty value", hint.name), "for example cb_nodes=1,2,4");
    request.wanted.push_back(std::move(hint));
  }
}

void read_hint_methods(OptionReader& read, std::string_view option, HintRequest& request) {
  for (const auto& name : read.names_of(option, "", studies::tuning::method_names(), true))
    request.methods.push_back(*studies::tuning::method_of(name));
}

void read_hint_output(OptionReader& read, HintRequest& request) {
  read_document(read, {.parts = reports::hint_document_parts}, request.document);
}

constexpr auto hint_searched = options::under(&HintRequest::search);

const options::OptionTable<HintRequest>& hint_search_options() {
  static const auto table =
      options::OptionTable<HintRequest>{
          {OptionSpec{hint_search, "--hint", "NAME[=VALUES]",
                      "Search only the named hints, with these values: cb_nodes=1,2,4"
                      "\nSearch only the named hints (may be given several times), with these "
                      "values (`default`: not set) or without values with the default ones. "
                      "Default: all hints of the library that have an effect in the simulation.",
                      true},
           read_wanted},
          {hint_search, "--method", "NAMES",
           "Search methods: brute-force (default, up to 100 combinations), attribute, factorial, "
           "halving, model (default above), or all",
           options::takes("brute-force attribute factorial halving model all"), read_hint_methods},
          {hint_search, "--seed", "N", "Seed of the searches; default: 1",
           options::count(INT64_MAX, hint_searched(&studies::tuning::SearchOptions::seed))},
          {hint_search, "--budget", "N", "Number of evaluations of halving and model",
           options::count(1'000'000, hint_searched(&studies::tuning::SearchOptions::budget))},
          {hint_search, "--keep-all", "",
           "Keep changed hints that do not matter, too, instead of setting them back",
           options::flag(&HintRequest::keeps_all)},
          {written({hint_results, "-o,--write-hints", "FILE",
                    "Write the hints for ROMIO_HINTS, or as MCA parameters of Open MPI", false,
                    false}),
           options::file(&HintRequest::hints_path)},
          {jobs_option, options::made(jobs_of, &HintRequest::jobs)},
          {written(job_option::output_row("--output", "FILE",
                                          "Write the report to FILE, in the format of its name"))},
          {job_option::provenance},
          {document_format},
          {taking(reports::hint_document_parts, part_option)},
          {job_option::color},
          {job_option::quiet},
          {job_option::help},
      }
          .then(read_hint_output);
  return table;
}

std::span<const OptionSpec> hint_specs() {
  static const auto specs = joined_specs({studies::io_options(), hint_search_options()});
  return specs;
}

// ---- the job ----

struct ReadJob {
  OptionValues values;  // of `sim run`, with the hints before
  IoRequest io;
  std::string library;
  std::vector<Hint> before;
  std::vector<std::string> notes;
};

// Options that represent hints, and what to use instead.
void reject_hinted_options(OptionReader& read) {
  read.reject({"--aggregators", "--aggregator-placement", "--buffer-size", "--node-leaders"},
              "is what the search varies",
              "--hint restricts the values, --hints has those before: --hints cb_nodes=4");
  read.reject({"--model-only", "--partitioning", "--verify"}, "does not apply to sim tune hints",
              "remove the option");
  if (!read.values().has("--storage"))
    read.wrong("--storage", "is required: without it, accesses to the file take no time",
               "give --storage NAME; `sim list storage` lists the names");
}

// Hints of --hints and of IOR's -U.
void read_given_hints(OptionReader& read, const IoRequest& io, ReadJob& job) {
  const auto add = [&](const Result<std::vector<Hint>>& hints) {
    if (!hints) return read.add(hints.errors());
    job.before.insert(job.before.end(), hints->begin(), hints->end());
  };
  if (const auto given = read.values().value_or("--hints", ""); !given.empty())
    add(io_models::read_hints(given, "--hints"));
  const auto& ior = io.sweep.accesses.ior;
  if (ior && !ior->hints_file.empty()) add(io_models::read_hint_file(ior->hints_file));
}

bool has_hint(const ReadJob& job, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(job.before, [&](const Hint& hint) {
    return std::ranges::count(names, std::string_view(hint.name)) > 0;
  });
}

// The stripes of the logged file, unless hints set them.
void add_logged_stripes(OptionReader& read, const IoRequest& io, ReadJob& job) {
  const auto& calls = io.sweep.accesses.darshan;
  if (!calls) return;
  const auto log = io_models::read_darshan_log(read.values().value("--darshan"));
  if (!log) return read.add(log.errors());
  const auto file = std::ranges::find(log->files, calls->file, &io_models::DarshanFile::name);
  if (file == log->files.end()) return;
  const bool is_mca = io_models::is_of_open_mpi(*io_models::find_implementation(job.library));
  const std::int64_t targets = io.sweep.common.storage.targets;
  const char* count_name = is_mca ? "fs_lustre_stripe_width" : "striping_factor";
  const char* size_name = is_mca ? "fs_lustre_stripe_size" : "striping_unit";
  if (file->stripes && *file->stripes > 0 &&
      !has_hint(job, {"striping_factor", "fs_lustre_stripe_width"})) {
    if (*file->stripes > targets)
      job.notes.push_back(fmt::format("the logged file has {} stripes, the storage {} targets",
                                      *file->stripes, targets));
    job.before.push_back(
        {count_name, fmt::format("{}", std::min(targets, *file->stripes)), "--darshan"});
  }
  if (file->stripe_bytes && *file->stripe_bytes > 0 &&
      !has_hint(job, {"striping_unit", "fs_lustre_stripe_size"}) &&
      io_models::parse_storage(studies::with_storage_key(read.values().value("--storage"), "stripe",
                                                         fmt::format("{}", *file->stripe_bytes))))
    job.before.push_back({size_name, fmt::format("{}", *file->stripe_bytes), "--darshan"});
}

// The library is --implementation; by default ROMIO, Open MPI's if a hint is of it, or independent
// accesses if the job's calls are.
void choose_library(OptionReader& read, const IoRequest& without_hints, ReadJob& job) {
  const auto& names = without_hints.sweep.implementations;
  if (names.size() != 1)
    return read.wrong("--implementation", "more than one library", "tune each of them separately");
  job.library = names.front();
  if (read.values().has("--implementation")) return;
  const auto is_mca = [](const Hint& hint) { return io_models::is_mca_hint(hint.name); };
  if (std::ranges::any_of(job.before, is_mca))
    job.library = "vulcan";
  else if (io_models::find_implementation(job.library)->is_collective)
    job.library = "romio";
}

// Hints of the other library count by their meaning, under the names of this one. Of several hints
// of one name, the first one counts.
void rename_hints(ReadJob& job) {
  const bool is_for_open_mpi =
      io_models::is_of_open_mpi(*io_models::find_implementation(job.library));
  std::vector<Hint> renamed;
  for (Hint& hint : job.before) {
    auto name = io_models::name_in_library(hint.name, is_for_open_mpi);
    if (name != hint.name) job.notes.push_back(fmt::format("{} counts as {}", hint.name, name));
    hint.name = std::move(name);
    if (std::ranges::find(renamed, hint.name, &Hint::name) == renamed.end())
      renamed.push_back(std::move(hint));
  }
  job.before = std::move(renamed);
}

// The accesses ROMIO makes by itself must be a hint, since only then its other hints apply.
void add_independent(const std::string& operation, ReadJob& job) {
  const std::string name = "romio_cb_" + operation;
  if (!io_models::find_implementation(job.library)->is_collective && !has_hint(job, {name}))
    job.before.insert(job.before.begin(), {name, "disable", ""});
}

Result<IoRequest> read_plain(const OptionValues& values) {
  IoRequest request;
  OptionReader reader(values);
  studies::read_io(reader, request);
  if (!reader.errors().empty()) return reader.errors().errors();
  return request;
}

Result<ReadJob> read_job(const OptionValues& parsed) {
  OptionReader read(parsed);
  reject_hinted_options(read);
  ReadJob job{.values = parsed, .io = {}, .library = {}, .before = {}, .notes = {}};
  const auto& words = parsed.arguments;
  if (words.size() > 1 || (words.size() == 1 && words[0] != "write" && words[0] != "read"))
    read.wrong("", fmt::format("unexpected argument {}", in_quotes(words.back())),
               "sim tune hints [write|read]");
  if (!read.errors().empty()) return read.errors().errors();
  if (words.empty()) job.values.arguments = {"write"};
  OptionValues plain = job.values;
  plain.erase("--hints");
  auto without_hints = read_plain(plain);
  // A log, or IOR, may only read.
  if (!without_hints && words.empty()) {
    plain.arguments = {"read"};
    if (auto reads = read_plain(plain)) {
      job.values.arguments = plain.arguments;
      without_hints = std::move(reads);
    }
  }
  if (!without_hints) return without_hints.errors();
  read_given_hints(read, *without_hints, job);
  choose_library(read, *without_hints, job);
  if (!read.errors().empty()) return read.errors().errors();
  rename_hints(job);
  add_independent(job.values.arguments.front(), job);
  add_logged_stripes(read, *without_hints, job);
  job.values.set("--implementation", {job.library});
  job.values.erase("--hints");
  if (!job.before.empty()) job.values.set("--hints", {io_models::hint_list(job.before)});
  OptionReader second(job.values);
  studies::read_io(second, job.io);
  read.add(second.errors().errors());
  if (!read.errors().empty()) return read.errors().errors();
  return job;
}

// The options of the job as those of a study, without hints.
studies::StudyGroup base_of(const OptionValues& values) {
  constexpr TextSpot spot{1, 0};
  studies::StudyGroup base;
  for (const OptionSpec& spec : studies::io_options().specs()) {
    const auto name = spec.name();
    if (!values.has(name) || name == "--hints" || name == "--force") continue;
    for (const auto& text : values.values(name)) {
      const auto equals = text.find('=');
      if (name == "--set")
        base.push_back({text.substr(0, equals), spot, {{text.substr(equals + 1), spot}}});
      else
        base.push_back({options::key_of(name), spot, {{spec.value.empty() ? "true" : text, spot}}});
    }
  }
  return base;
}

std::vector<std::string> hint_operations() { return {"write", "read"}; }

// ---- the run ----

Result<studies::IoPoint> only_point(const ReadJob& job, const platforms::Machine& machine) {
  auto points = TUTTI_TRY(studies::io_points_of(job.io.sweep, machine));
  if (points.all.empty()) return points.skipped.reasons;
  if (points.all.size() > 1)
    return usage_error("", fmt::format("the options describe {} jobs", points.all.size()),
                       "give one value for each option");
  if (job.io.force) return points.all.front();
  if (auto error = studies::check_io_limits({points.all.front(), machine}, studies::free_memory()))
    return *std::move(error);
  return points.all.front();
}

void choose_methods(const HintRequest& request, studies::tuning::TuneFile& file) {
  using studies::tuning::Method;
  constexpr std::size_t most_exhaustive = 100;
  file.search = request.search;
  file.methods = request.methods;
  if (!file.methods.empty()) return;
  const bool is_small = studies::tuning::space_of(file).count() <= most_exhaustive;
  file.methods = {is_small ? Method::brute_force : Method::model};
}

// Errors of values that the job cannot use name the option.
std::vector<Error> of_hint_option(std::vector<Error> errors) {
  for (Error& error : errors)
    if (error.place == "--hint") {
      error.kind = ErrorKind::usage;
      error.line = error.column = 0;
      error.source.clear();
      constexpr std::string_view option = "hints: ";  // of the study
      if (error.message.starts_with(option)) error.message.erase(0, option.size());
    }
  return errors;
}

std::string job_text(const HintJob& job, const ReadJob& read) {
  const auto& calls = read.io.sweep.accesses.darshan;
  const auto& point = job.point;
  return fmt::format("{}{}, {} on {}, {}", job.operation, calls ? " of " + calls->file : "",
                     counted(point.placement.procs, "process"), counted(job.nodes, "node"),
                     job.library->name);
}

std::vector<std::string> advice_of(const HintRequest& request, const ReadJob& job,
                                   const reports::HintReport& report) {
  std::vector<std::string> lines = job.notes;
  std::string idle;
  for (const auto& each : report.effects)
    if (!each.matters && !each.is_changed)
      idle += fmt::format("{}{}", idle.empty() ? "" : ", ", each.name);
  if (!idle.empty())
    lines.push_back(
        fmt::format("these hints do not matter (at most {:.1f} %) and keep their values: {}",
                    report.least * 100, idle));
  if (!request.hints_path) return lines;
  OptionValues values = job.values;
  values.set("--hints", {*request.hints_path});
  lines.push_back(fmt::format("simulate them with: sim run {}{}", values.arguments.front(),
                              reproducing_options(studies::io_options(), values)));
  return lines;
}

Result<int> run_search(const HintRequest& request, const ReadJob& read, const HintJob& job,
                       const studies::RunPoints& run) {
  auto file = TUTTI_TRY(studies::tuning::hint_study(job));
  choose_methods(request, file);
  if (auto errors = studies::tuning::complete(file); !errors.empty())
    return of_hint_option(std::move(errors));
  studies::tuning::TuneRun tuning(file, run);
  if (auto errors = tuning.prepare(); !errors.empty()) return of_hint_option(std::move(errors));
  reports::HintReport report;
  static_cast<studies::tuning::HintFindings&>(report) =
      TUTTI_TRY(studies::tuning::tune_hints(tuning, file, request.keeps_all));
  report.job = job_text(job, read);
  report.logged_s = job.point.logged_s;
  report.advice = advice_of(request, read, report);
  report.provenance = reports::plain_provenance(fmt::format(
      "sim tune hints {}{}", job.operation, reproducing_options(hint_specs(), read.values)));
  if (request.hints_path)
    if (auto error = write_file(
            *request.hints_path,
            io_models::hints_file_text(studies::tuning::hints_of(job, file, report.after),
                                       io_models::is_of_open_mpi(*job.library))))
      return *std::move(error);
  return write_document(reports::hint_document(report), request.document);
}

Result<int> run_tune_hints(const OptionValues& parsed, const Diagnostics& diagnostics) {
  OptionReader reader(parsed);
  HintRequest request;
  hint_search_options().read(reader, request);
  auto read = read_job(parsed);
  if (!read) reader.add(read.errors());
  if (!reader.errors().empty()) return reader.errors().errors();
  const auto machines = TUTTI_TRY(load_machines(read->io));
  if (machines.size() != 1)
    return usage_error("--platform", "more than one platform", "tune each of them separately");
  const auto point = TUTTI_TRY(only_point(*read, machines.front()));
  const auto placement = TUTTI_TRY(platforms::place(machines.front(), point.placement));
  for (const auto& warning : read->io.warnings) diagnostics.warning(warning);
  const HintJob job{.operation = read->values.arguments.front(),
                    .library = io_models::find_implementation(read->library),
                    .point = point,
                    .nodes = placement.nodes,
                    .storage = read->values.value("--storage"),
                    .base = base_of(read->values),
                    .before = read->before,
                    .wanted = request.wanted};
  int stopped_by = exit_done;
  const auto run = [&](const std::vector<studies::StudyPoint>& points) {
    auto done = run_check(points, request.jobs, diagnostics);
    if (done.not_run > 0) stopped_by = done.code;
    return done;
  };
  auto code = run_search(request, *read, job, run);
  if (!code && stopped_by != exit_done) return stopped_by;
  return code;
}

}  // namespace

extern const Subcommand tune_hints_command{
    .usage = "hints [read]",
    .summary = "search for hints of MPI-IO (ROMIO, Open MPI) for a job's accesses",
    .help =
        "Searches for the hints with which the accesses of a job (--darshan, --ior, or any "
        "decomposition of `sim run write`) take the least time, and shows which of them matter. "
        "--implementation names the library: romio (default), romio_lustre, or a component of "
        "Open MPI. --hints has the hints that the job used; a log has its stripes.",
    .specs = hint_specs,
    .run = run_tune_hints,
    .operands = Operands::names,
    .words = hint_operations};

}  // namespace tutti::commands
