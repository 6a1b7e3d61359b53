// SPDX-License-Identifier: BSD-3-Clause
// sim tune hints: searches for the hints of MPI-IO with which a job's accesses take the least time.

#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/job_run.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/jobs/io_limits.hpp"
#include "sim/jobs/memory_estimate.hpp"
#include "sim/studies/background_jobs.hpp"
#include "sim/studies/workloads/io_options.hpp"
#include "sim/tune/command/tune_hints.help.hpp"
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
    request.methods.push_back(*studies::tuning::parse_method(name));
}

void read_hint_output(OptionReader& read, HintRequest& request) {
  read_document(read, {.parts = reports::hint_document_parts}, request.document);
}

constexpr auto in_hint_search = options::under(&HintRequest::search);

const options::OptionTable<HintRequest>& hint_search_options() {
  static const auto table =
      options::OptionTable<HintRequest>{
          {OptionSpec{hint_search, "--hint", "NAME[=VALUES]", texts::tune_hints["--hint"], true},
           read_wanted},
          {hint_search, "--method", "NAMES", texts::tune_hints["--method"],
           options::takes("brute-force attribute factorial halving model all"), read_hint_methods},
          {hint_search, "--seed", "N", "Seed of the searches; default: 1",
           options::count(INT64_MAX, in_hint_search(&studies::tuning::SearchOptions::seed))},
          {hint_search, "--budget", "N", "Number of evaluations of halving and model",
           options::count(1'000'000, in_hint_search(&studies::tuning::SearchOptions::budget))},
          {hint_search, "--keep-all", "",
           "Keep changed hints that do not matter, too, instead of setting them back",
           options::flag(&HintRequest::keeps_all)},
          {written({hint_results, "-o,--write-hints", "FILE",
                    "Write the hints for ROMIO_HINTS, or as MCA parameters of Open MPI", false,
                    false}),
           options::file(&HintRequest::hints_path)},
          {jobs_option, options::value_from(read_jobs, &HintRequest::jobs)},
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

// The options of `sim run write`, except that --implementation is one library, and the search
// varies the options that hints represent.
constexpr std::string_view library_words =
    "romio romio_lustre vulcan dynamic_gen2 two_phase independent";
constexpr const char* varied_options[] = {"--aggregators", "--aggregator-placement",
                                          "--buffer-size", "--node-leaders"};
constexpr const char* idle_options[] = {"--model-only", "--partitioning", "--verify"};

std::span<const OptionSpec> hint_specs() {
  static const auto specs = [] {
    auto all = joined_specs({studies::io_options(), hint_search_options()});
    for (OptionSpec& spec : all) {
      if (spec.name() == "--implementation") {
        spec.value = "NAME";
        spec.help = texts::tune_hints["--implementation"];
        spec.words = library_words;
      }
      if (std::ranges::count(varied_options, spec.name()) > 0)
        spec.help = "Rejected: the search varies it, see --hint and --hints";
      if (std::ranges::count(idle_options, spec.name()) > 0) spec.help = "Rejected: has no effect";
    }
    return all;
  }();
  return specs;
}

// ---- the job ----

struct ReadJob {
  OptionValues values;  // of `sim run`, with the hints before
  IoRequest io;
  std::string library;
  std::vector<Hint> before;
  std::vector<std::string> warnings;
  std::vector<std::string> notes;
};

// Options that represent hints, and what to use instead.
void reject_hinted_options(OptionReader& read) {
  for (const char* option : varied_options)
    read.reject({option}, "is what the search varies",
                "--hint restricts the values, --hints has those before: --hints cb_nodes=4");
  for (const char* option : idle_options)
    read.reject({option}, "does not apply to sim tune hints", "remove the option");
  if (!read.values().has("--storage"))
    read.wrong("--storage", "is required: without it, accesses to the file take no time",
               "give --storage NAME; `sim list storage` lists the names");
}

// Moves the hints of --hints and of IOR's -U from the job's options to its hints.
void take_given_hints(OptionReader& read, ReadJob& job) {
  IoRequest given;
  studies::read_ior_command(read.values(), given);
  job.before = studies::given_hints(read, given);
  job.values.erase("--hints");
  const auto& ior = given.sweep.accesses.ior;
  if (!ior || ior->hints_file.empty()) return;
  job.values.set("--ior", {io_models::without_hints_file(read.values().value("--ior"))});
  job.notes.push_back(
      fmt::format("the hints before include those of IOR's -U {}", ior->hints_file));
}

// Whether the job has a hint of this meaning, under any name.
bool has_hint(const ReadJob& job, std::string_view name) {
  const auto& wanted = *io_models::find_hint(name);
  return std::ranges::any_of(job.before, [&](const Hint& hint) {
    const auto* spec = io_models::find_hint(hint.name);
    return spec != nullptr && spec->sets == wanted.sets && spec->writes == wanted.writes;
  });
}

// Adds the stripes of the logged file as hints, unless hints set them. Open MPI has such hints only
// for Lustre; for other storage, the stripes become a part of the option --storage.
void add_logged_stripes(const IoRequest& io, ReadJob& job) {
  const auto& calls = io.sweep.accesses.darshan;
  if (!calls) return;
  const auto& files = io.log->log.files;
  const auto file = std::ranges::find(files, calls->file, &io_models::DarshanFile::name);
  if (file == files.end()) return;
  const auto& library = *io_models::find_implementation(job.library);
  const bool is_mca = io_models::is_of_open_mpi(library);
  const std::int64_t targets = io.sweep.common.storage.targets;
  const auto add = [&](const char* key, std::string_view hint, std::int64_t value) {
    const std::string text = fmt::format("{}", value);
    const auto storage = studies::with_storage_key(job.values.value("--storage"), key, text);
    if (!io_models::parse_storage(storage)) return;
    if (is_mca && studies::tuning::is_on_lustre(storage, library) == false)
      job.values.set("--storage", {storage});
    else
      job.before.push_back({io_models::name_in_library(hint, is_mca), text, "--darshan"});
  };
  if (file->stripes && *file->stripes > 0 && !has_hint(job, "striping_factor")) {
    if (*file->stripes > targets)
      job.notes.push_back(fmt::format("the logged file has {} stripes, the storage {} targets",
                                      *file->stripes, targets));
    add("stripe_count", "striping_factor", std::min(targets, *file->stripes));
  }
  if (file->stripe_bytes && *file->stripe_bytes > 0 && !has_hint(job, "striping_unit"))
    add("stripe", "striping_unit", *file->stripe_bytes);
}

// The library is --implementation; by default ROMIO, Open MPI's if a hint is of it, or independent
// accesses if the job's calls are. A hint names the component of Open MPI.
void choose_library(OptionReader& read, const IoRequest& without_hints, ReadJob& job) {
  const auto& names = without_hints.sweep.implementations;
  if (names.size() != 1)
    return read.wrong("--implementation", "more than one library", "tune each of them separately");
  job.library = names.front();
  if (!read.values().has("--implementation")) {
    if (std::ranges::any_of(job.before, io_models::is_mca_hint, &Hint::name))
      job.library = "vulcan";
    else if (io_models::find_implementation(job.library)->is_collective)
      job.library = "romio";
  }
  const auto component =
      std::ranges::find(job.before.rbegin(), job.before.rend(), "fcoll", &Hint::name);
  if (component == job.before.rend() ||
      !io_models::is_of_open_mpi(*io_models::find_implementation(job.library)))
    return;
  const auto& fcoll = *io_models::find_hint("fcoll");
  if (!io_models::is_simulated_word(fcoll, component->value))
    return read.wrong("--hints",
                      fmt::format("fcoll: {} is not simulated", in_quotes(component->value)),
                      fmt::format("expected one of: {}", fcoll.words));
  job.library = component->value;
}

// Hints of the other library count by their meaning, under the names of this one, or not at all.
void rename_hints(ReadJob& job) {
  const bool is_mca = io_models::is_of_open_mpi(*io_models::find_implementation(job.library));
  std::vector<Hint> renamed;
  std::map<std::string, Hint> given;  // by the new name
  for (const Hint& hint : job.before) {
    const auto name = io_models::name_in_library(hint.name, is_mca);
    const auto* spec = io_models::find_hint(name);
    if (hint.name == "io") continue;  // in each file for Open MPI
    if (spec != nullptr && io_models::is_mca_hint(name) != is_mca) continue;
    const auto [at, is_first] = given.emplace(name, hint);
    if (!is_first && !io_models::replaces_earlier(at->second, hint)) continue;
    if (name != hint.name) job.notes.push_back(fmt::format("{} counts as {}", hint.name, name));
    std::erase_if(renamed, [&](const Hint& earlier) { return earlier.name == name; });
    const auto value = spec == nullptr ? hint.value : io_models::normal_value(*spec, hint.value);
    renamed.push_back({name, value, hint.place, hint.line});
  }
  job.before = std::move(renamed);
}

// Makes ROMIO's own choices hints, since the effect of other hints depends on them: collective
// buffering is automatic, or as in `sim run` if --implementation names the library.
void add_default_buffering(const std::string& operation, bool is_named, ReadJob& job) {
  const std::string sieving = "romio_ds_" + operation;
  const std::string buffering = "romio_cb_" + operation;
  const auto* library = io_models::find_implementation(job.library);
  if (io_models::is_of_open_mpi(*library)) return;
  if (library == &io_models::independent && !has_hint(job, sieving))
    job.before.insert(job.before.begin(), {sieving, "disable", ""});
  const bool is_automatic = library == &io_models::romio && !is_named;
  const char* value = !library->is_collective ? "disable" : (is_automatic ? "automatic" : "enable");
  if (!has_hint(job, buffering)) job.before.insert(job.before.begin(), {buffering, value, ""});
}

// `log`: kept from one reading to the next.
Result<IoRequest> read_plain(const OptionValues& values,
                             const std::shared_ptr<studies::LoadedLog>& log) {
  IoRequest request;
  request.log = log;
  OptionReader reader(values);
  studies::read_io(reader, request);
  if (!reader.errors().empty()) return reader.errors().errors();
  return request;
}

// Reads the job without its hints, and sets the operation: a log, or IOR, may only read.
Result<IoRequest> read_operation(const std::vector<std::string>& words, OptionValues& values) {
  const auto log = std::make_shared<studies::LoadedLog>();
  values.arguments = {words.empty() ? "write" : words[0]};
  auto first = read_plain(values, log);
  if (first) return first;
  OptionValues other = values;
  other.arguments = {values.arguments[0] == "write" ? "read" : "write"};
  auto second = read_plain(other, log);
  if (second && words.empty()) {
    values.arguments = other.arguments;
    return second;
  }
  auto errors = first.errors();
  if (second)
    for (Error& error : errors)
      error.hint = fmt::format("use `sim tune hints {}`", other.arguments[0]);
  return errors;
}

Result<ReadJob> read_job(const OptionValues& parsed) {
  OptionReader read(parsed);
  reject_hinted_options(read);
  ReadJob job{.values = parsed, .io = {}, .library = {}, .before = {}, .warnings = {}, .notes = {}};
  const auto& words = parsed.arguments;
  if (words.size() > 1 || (words.size() == 1 && words[0] != "write" && words[0] != "read"))
    read.wrong("", fmt::format("unexpected argument {}", in_quotes(words.back())),
               "sim tune hints [write|read]");
  if (!read.errors().empty()) return read.errors().errors();
  take_given_hints(read, job);
  auto without_hints = TUTTI_TRY(read_operation(words, job.values));
  choose_library(read, without_hints, job);
  if (!read.errors().empty()) return read.errors().errors();
  job.values.set("--implementation", {job.library});
  // Reads the hints as they are given once more, for warnings that name their places.
  OptionValues given = parsed;
  given.arguments = job.values.arguments;
  given.set("--implementation", {job.library});
  job.warnings = TUTTI_TRY(read_plain(given, without_hints.log)).warnings;
  rename_hints(job);
  add_default_buffering(job.values.arguments.front(), parsed.has("--implementation"), job);
  add_logged_stripes(without_hints, job);
  if (!job.before.empty()) job.values.set("--hints", {io_models::hint_list(job.before)});
  job.io = TUTTI_TRY(read_plain(job.values, without_hints.log));
  return job;
}

// The options of the job as options of a study, without hints.
studies::StudyGroup study_options(const OptionValues& values) {
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

Result<jobs::IoPoint> only_point(const ReadJob& job, const platforms::Machine& machine) {
  auto points = TUTTI_TRY(studies::make_io_points(job.io.sweep, machine));
  if (points.all.empty()) return points.skipped.reasons;
  if (points.all.size() > 1)
    return usage_error("", fmt::format("the options describe {} jobs", points.all.size()),
                       "give one value for each option");
  if (job.io.force) return points.all.front();
  if (auto error = jobs::check_io_limits({points.all.front(), machine}, jobs::free_memory()))
    return *std::move(error);
  return points.all.front();
}

void choose_methods(const HintRequest& request, studies::tuning::TuneFile& file) {
  using studies::tuning::Method;
  constexpr std::size_t most_exhaustive = 100;
  file.search = request.search;
  file.methods = request.methods;
  if (!file.methods.empty()) return;
  const bool is_small = studies::tuning::make_space(file).count() <= most_exhaustive;
  file.methods = {is_small ? Method::brute_force : Method::model};
}

// Errors of values that the job cannot use name the option.
std::vector<Error> name_hint_option(std::vector<Error> errors) {
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

std::vector<std::string> advice_lines(const HintRequest& request, const ReadJob& job,
                                      const reports::HintReport& report) {
  std::vector<std::string> lines = job.notes;
  std::string idle;
  double limit = 0;
  for (const auto& effect : report.effects)
    if (!effect.is_sensitive && !effect.is_changed && effect.applies) {
      idle += fmt::format("{}{}", idle.empty() ? "" : ", ", effect.name);
      limit = std::max(limit, effect.limit);
    }
  if (!idle.empty())
    lines.push_back(
        fmt::format("these hints do not matter (at most {:.1f} %) and keep their values: {}",
                    limit * 100, idle));
  if (!report.idle_alone.empty())
    lines.push_back(
        fmt::format("one by one these hints do not matter, but together, so {} changed: {}",
                    report.kept_together.size() == report.idle_alone.size()
                        ? "all stay"
                        : fmt::format("{} stay{}", fmt::join(report.kept_together, ", "),
                                      report.kept_together.size() == 1 ? "s" : ""),
                    fmt::join(report.idle_alone, ", ")));
  if (!request.hints_path) return lines;
  OptionValues values = job.values;
  values.set("--hints", {*request.hints_path});
  lines.push_back(fmt::format("simulate them with: sim run {}{}", values.arguments.front(),
                              reproducing_options(studies::io_options(), values)));
  return lines;
}

Result<int> run_search(const HintRequest& request, const ReadJob& read, const HintJob& job,
                       const Diagnostics& diagnostics, studies::PointsRun& done) {
  auto [file, warnings] = TUTTI_TRY(studies::tuning::hint_study(job));
  for (const auto& warning : warnings) diagnostics.warning(warning);
  choose_methods(request, file);
  SearchProgress search(studies::tuning::expected_simulations(file), diagnostics.quiet());
  const auto run = [&](const std::vector<jobs::StudyPoint>& points) {
    auto part = run_check(points, request.jobs, diagnostics, &search);
    done.add(part);
    return part;
  };
  if (auto errors = studies::tuning::complete(file); !errors.empty())
    return name_hint_option(std::move(errors));
  studies::tuning::TuneRun tuning(file, run);
  if (auto errors = tuning.prepare(); !errors.empty()) return name_hint_option(std::move(errors));
  reports::HintReport report;
  static_cast<studies::tuning::HintFindings&>(report) =
      TUTTI_TRY(studies::tuning::tune_hints(tuning, file, request.keeps_all));
  search.progress.clear();
  report.failed = done.failed;
  report.job = job_text(job, read);
  report.logged_s = job.point.logged_s;
  report.advice = advice_lines(request, read, report);
  report.provenance = reports::plain_provenance(fmt::format(
      "sim tune hints {}{}", job.operation, reproducing_options(hint_specs(), read.values)));
  if (request.hints_path)
    if (auto error = write_file(
            *request.hints_path,
            io_models::hints_file_text(studies::tuning::combination_hints(job, file, report.after),
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
  for (const auto& warning : read->warnings) diagnostics.warning(warning);
  studies::PointInputs inputs;
  inputs.log = read->io.log;
  const HintJob job{.operation = read->values.arguments.front(),
                    .library = io_models::find_implementation(read->library),
                    .point = point,
                    .nodes = placement.nodes,
                    .storage = read->values.value("--storage"),
                    .base = study_options(read->values),
                    .before = read->before,
                    .wanted = request.wanted,
                    .inputs = inputs};
  studies::PointsRun done;  // all parts of the search, without answers
  return code_of_search(run_search(request, *read, job, diagnostics, done), done);
}

}  // namespace

extern const Subcommand tune_hints_command{
    .usage = "hints [write|read]",
    .summary = "search for hints of MPI-IO (ROMIO, Open MPI) for a job's accesses",
    .help = texts::tune_hints["hints"],
    .specs = hint_specs,
    .run = run_tune_hints,
    .operands = Operands::names,
    .words = hint_operations};

}  // namespace tutti::commands
