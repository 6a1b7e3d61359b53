// SPDX-License-Identifier: BSD-3-Clause
// sim tune STUDY.toml: searches for the parameter values with which a workload takes the least
// time.

#include "sim/base/text_file.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/commands/result_argument.hpp"
#include "sim/params/command/params.hpp"
#include "sim/params/our_parameters.hpp"
#include "sim/params/settings_file.hpp"
#include "sim/replay/replay_workload.hpp"
#include "sim/studies/toml.hpp"
#include "sim/tune/command/tune.help.hpp"
#include "sim/tune/report/reports.hpp"
#include "sim/tune/tune_file.hpp"

namespace tutti::commands {
namespace {

using studies::tuning::TuneFile;

constexpr std::string_view searching = "The search";
constexpr std::string_view for_others = "Results";

// Reasons why rules cannot choose the algorithms of the study; empty: they can.
std::vector<Error> check_choices(const TuneFile& file) {
  std::vector<Error> errors;
  const auto workload_name = [](const auto& objective) -> const std::string& {
    return std::ranges::find(objective.base, studies::workload_key, &studies::StudyAxis::name)
        ->values.front()
        .text;
  };
  bool has_choices = false;
  for (const auto& parameter : file.parameters) {
    if (!parameter.is_choice()) continue;
    has_choices = true;
    for (const auto& objective : file.objectives) {
      const auto& workload = workload_name(objective);
      if ((!parameter.workload.empty() && parameter.workload != workload) ||
          !studies::has_study_option(workload, parameter.axis.name) ||
          algorithms::selection::applies_rules_file(workload))
        continue;
      errors.push_back(error_at(
          file, parameter.axis.spot,
          fmt::format("Open MPI's rules do not choose the algorithm of {}", workload),
          fmt::format("use \"bcast/{}\", the algorithm of one collective", parameter.axis.name)));
    }
  }
  for (const auto& objective : file.objectives) {
    if (objective.stage > 1)
      errors.push_back(error_at(file, objective.spot, "--rules requires a study with one stage"));
    if (workload_name(objective) == studies::replay_word)
      errors.push_back(
          error_at(file, objective.spot, "--rules cannot be combined with workload replay",
                   "its calls have many sizes; tune \"allreduce/algorithm\" for all of them"));
  }
  if (!has_choices)
    errors.push_back(error_at(file, {1, 0}, "--rules requires a tuned algorithm",
                              "add [[parameter]] name = \"bcast/algorithm\", values = [...]"));
  return errors;
}

struct TuneRequest {
  TuneFile file;
  bool is_each = false;
  int jobs = default_jobs();
  std::optional<std::string> settings_path;
  std::optional<std::string> rules_path;
  std::optional<ExportTarget> target;  // version of Open MPI
  DocumentOutput document;
  std::string command;
};

// Adds a file that the study names; relative paths start at the study's folder.
template <class Add>
void add_named(OptionReader& read, TuneFile& file, const std::optional<studies::StudyValue>& named,
               const Add& add_file, const std::vector<studies::StudyOption>& options) {
  if (!named) return;
  const auto& study = file.sources.front();
  const auto path = (std::filesystem::path(study.path).parent_path() / named->text).string();
  const auto text = read_text_file(path);
  if (text) return read.add(add_file(file, *text, path, options));
  for (const auto& error : text.errors())
    read.add({error.kind == ErrorKind::usage
                  ? error
                  : studies::TomlText(study.text, study.path)
                        .error_at(named->spot, error.message, error.hint)});
}

void read_file(OptionReader& read, TuneFile& file) {
  const auto& words = read.values().arguments;
  if (words.size() != 1)
    return read.wrong("", words.empty() ? "missing study" : "more than one study",
                      "sim tune STUDY.toml; `man sim`, SIM TUNE, describes it");
  const auto text = read_text_file(words.front());
  if (!text) return read.add(text.errors());
  const auto options = studies::study_options();
  auto tune_file = studies::tuning::read_tune_file(*text, words.front(), options);
  if (!tune_file) return read.add(tune_file.errors());
  file = *std::move(tune_file);
  add_named(read, file, file.profile_file, studies::tuning::add_profile, options);
  add_named(read, file, file.otpo_file, studies::tuning::add_otpo_parameters, options);
  if (const auto wanted = read_categories(read.values()); !wanted)
    read.add(wanted.errors());
  else if (read.errors().empty())
    read.add(studies::tuning::complete(file, *wanted));
}

void read_methods(OptionReader& read, std::string_view option, TuneRequest& request) {
  request.file.methods.clear();
  for (const auto& name : read.names_of(option, "", studies::tuning::method_names(), true))
    request.file.methods.push_back(*studies::tuning::parse_method(name));
}

void read_version(OptionReader& read, std::string_view, TuneRequest& request) {
  auto target = read_target(read.values());
  if (!target) return read.add(target.errors());
  // A study that names parameters of btl/tcp implies that network.
  const auto is_tcp = [](const studies::tuning::TuneParameter& parameter) {
    return parameter.given.starts_with("btl_tcp_");
  };
  if (!read.values().has("--network") && std::ranges::any_of(request.file.parameters, is_tcp))
    target->network = "tcp";
  request.target = *std::move(target);
}

std::vector<std::string> parts_without_names() {
  auto parts = reports::tune_document_parts();
  std::erase(parts, "open_mpi");
  return parts;
}

void check_together(OptionReader& read, TuneRequest& request) {
  if (request.rules_path && read.errors().empty()) read.add(check_choices(request.file));
  if (!read.values().has("--open-mpi"))
    read.reject({"--network"}, "has no effect without --open-mpi", "");
  if (request.is_each && (request.settings_path || request.rules_path || request.target))
    read.wrong("--each", "cannot be combined with --settings, --rules or --open-mpi",
               "each objective has its own best values");
  read_document(read,
                {.parts = request.is_each  ? reports::tune_each_document_parts
                          : request.target ? reports::tune_document_parts
                                           : parts_without_names},
                request.document);
}

constexpr auto in_search = options::under(options::within(&TuneRequest::file, &TuneFile::search));

using TuneOptions = options::OptionTable<TuneRequest>;

const TuneOptions tune_options =
    TuneOptions{
        {searching, "--method", "NAMES", texts::tune["--method"],
         options::takes("brute-force attribute factorial halving model all"), read_methods},
        {searching, "--seed", "N", "Seed of the searches instead of the file's",
         options::count(INT64_MAX, in_search(&studies::tuning::SearchOptions::seed))},
        {searching, "--budget", "N", "Evaluations of halving and model instead of the file's",
         options::count(1'000'000, in_search(&studies::tuning::SearchOptions::budget))},
        {taking(studies::tuning::category_names,
                {searching, "--parameters", "NAMES", texts::tune["--parameters"]})},
        {searching, "--each", "",
         "Tune each objective separately, and compare the searches over them",
         options::flag(&TuneRequest::is_each)},
        {written({for_others, "--settings", "FILE",
                  "Write the best values for `sim params put FILE`", false, false}),
         options::file(&TuneRequest::settings_path)},
        {written({for_others, "--rules", "FILE", texts::tune["--rules"], false, false}),
         options::file(&TuneRequest::rules_path)},
        {for_others, "--open-mpi", "VERSION", texts::tune["--open-mpi"],
         options::takes(params_option::open_mpi.words), read_version},
        {for_others, "--network", params_option::network.value, params_option::network.help,
         options::takes(params_option::network.words)},
        {jobs_option, options::value_from(read_jobs, &TuneRequest::jobs)},
        {job_option::output_file},
        {job_option::provenance},
        {document_format},
        {taking(reports::tune_document_parts, part_option)},
        {job_option::color},
        {job_option::quiet},
        {job_option::help},
    }
        .then(check_together);

Result<TuneRequest> read_tune(const OptionValues& parsed) {
  OptionReader read(parsed);
  TuneRequest request;
  read_file(read, request.file);
  tune_options.read(read, request);
  if (!read.errors().empty()) return parsed.placed(read.errors().errors());
  request.command = "sim tune " + shell_quoted(parsed.arguments.front()) +
                    reproducing_options(tune_options, parsed);
  return request;
}

Error none_found(const TuneFile& file) {
  if (!file.memory_bytes)
    return make_error(
        ErrorKind::run, "", "no combination could be simulated",
        "`sim run` with the default values shows the reason; engine ideal has no times");
  return make_error(ErrorKind::run, "",
                    fmt::format("no evaluated combination is within the limit of {} of buffers",
                                format_bytes(*file.memory_bytes)),
                    "increase [constraint] memory, or use smaller eager limits and fewer credits");
}

algorithms::selection::RulesFormat rules_format(const TuneRequest& request) {
  using algorithms::selection::RulesFormat;
  const bool is_new = request.target && request.target->version == studies::tuning::OpenMpi::v5_0;
  return is_new ? RulesFormat::open_mpi_5_0 : RulesFormat::open_mpi_4_1;
}

// An absolute path lets Open MPI find the rules from any working directory.
void add_rules(const std::string& path, store::ParameterSet& set) {
  set.parameters.push_back({"coll_tuned_use_dynamic_rules", "1"});
  set.parameters.push_back(
      {"coll_tuned_dynamic_rules_filename", std::filesystem::absolute(path).string()});
}

// Writes the files of rules and settings, and reports the parameters of Open MPI.
std::optional<Error> hand_out(const TuneRequest& request, studies::tuning::TuneRun& tuning,
                              reports::TuneReport& report) {
  if (request.rules_path)
    if (auto error =
            write_file(*request.rules_path,
                       tuned_rules_text(*tuning.rules(), rules_format(request), request.command)))
      return error;
  if (!request.settings_path && !request.target) return std::nullopt;
  const auto points = TUTTI_TRY(tuning.points(report.best()->combination));
  auto set = tuned_set(request.file, report, points);
  if (request.rules_path) add_rules(*request.rules_path, set);
  if (const auto omitted = omitted_parameters(request.file, report); !omitted.empty())
    report.remarks.push_back(
        fmt::format("omitted from the settings, no effect was seen: {}", fmt::join(omitted, ", ")));
  if (request.target) {
    const auto& [version, network] = *request.target;
    report.mca = studies::tuning::mca_settings(set.parameters, version, network);
    report.mca_version = studies::tuning::version_name(version);
  }
  if (!request.settings_path) return std::nullopt;
  if (set.parameters.empty()) {
    report.remarks.emplace_back("no settings were written: no values are better than the defaults");
    return std::nullopt;
  }
  return write_file(*request.settings_path,
                    studies::params::settings_file_text(set, {request.command}));
}

Result<int> tune_whole(const TuneRequest& request, const studies::RunPoints& run,
                       const studies::PointsRun& done) {
  studies::tuning::TuneRun tuning(
      request.file, run, request.rules_path ? std::optional(rules_format(request)) : std::nullopt);
  if (const auto errors = tuning.prepare(); !errors.empty()) return errors;
  reports::TuneReport report;
  static_cast<studies::tuning::TuneFindings&>(report) = TUTTI_TRY(tuning.run());
  report.failed = done.failed;
  report.provenance = reports::plain_provenance(request.command);
  if (report.best() == nullptr) return none_found(request.file);
  if (const auto error = hand_out(request, tuning, report)) return *error;
  return write_document(reports::tune_document(report), request.document);
}

Result<int> tune_each(const TuneRequest& request, const studies::RunPoints& run,
                      const studies::PointsRun& done) {
  reports::TuneEachReport report;
  report.objectives = TUTTI_TRY(studies::tuning::tune_each(request.file, run));
  report.failed = done.failed;
  report.provenance = reports::plain_provenance(request.command);
  report.name = request.file.name;
  report.description = request.file.description;
  if (!report.objectives.empty()) report.remarks = report.objectives.front().findings.remarks;
  return write_document(reports::tune_each_document(report), request.document);
}

Result<int> run_tune(const OptionValues& parsed, const Diagnostics& diagnostics) {
  const auto request = TUTTI_TRY(read_tune(parsed));
  studies::PointsRun done;  // all parts of the search, without answers
  const auto run = [&](const std::vector<jobs::StudyPoint>& points) {
    auto part = run_check(points, request.jobs, diagnostics);
    done.add(part);
    return part;
  };
  return code_of_search(
      request.is_each ? tune_each(request, run, done) : tune_whole(request, run, done), done);
}

const Subcommand tune_alone{.usage = "tune STUDY.toml",
                            .help = texts::tune["tune"],
                            .specs = tune_options,
                            .run = run_tune};

}  // namespace

extern const Subcommand tune_hints_command;

namespace {
const Subcommand* const tune_subcommands[] = {&tune_hints_command};
}

extern const Command tune_command{.name = "tune",
                                  .summary = "search for the best parameters",
                                  .alone = &tune_alone,
                                  .subcommands = tune_subcommands};

}  // namespace tutti::commands
