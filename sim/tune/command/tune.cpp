// SPDX-License-Identifier: BSD-3-Clause
// sim tune STUDY.toml: the values of parameters by which a workload takes least time.

#include "sim/base/text_file.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/commands/result_argument.hpp"
#include "sim/commands/shapes.hpp"
#include "sim/params/command/params.hpp"
#include "sim/params/our_parameters.hpp"
#include "sim/params/settings_file.hpp"
#include "sim/replay/replay_workload.hpp"
#include "sim/studies/toml.hpp"
#include "sim/tune/report/tune_report.hpp"
#include "sim/tune/tune_sources.hpp"

namespace tutti::commands {
namespace {

using studies::tuning::TuneFile;

constexpr std::string_view searching = "The search";
constexpr std::string_view for_others = "What was found";

constexpr OptionSpec tune_specs[] = {
    {searching, "--method", "NAMES",
     "in place of the file's: brute-force, attribute, factorial, halving, model, or all"},
    {searching, "--seed", "N", "in place of the file's"},
    {searching, "--budget", "N", "evaluations of halving and model; in place of the file's"},
    {searching, "--parameters", "NAMES",
     "only those of these categories: network, collective, io, placement; others keep their "
     "defaults"
     "\nSearches parameters of these categories alone (`network`, `collective`, `io`, "
     "`placement`); the others keep their defaults and are omitted from the settings."},
    {searching, "--each", "", "tunes each objective alone, and compares the searches over them"},
    written({for_others, "--settings", "FILE", "writes the best values for `sim params put FILE`",
             false, false}),
    written({for_others, "--rules", "FILE",
             "chooses algorithms by message size, and writes them as Open MPI's rules"
             "\nOpen MPI can choose by size: algorithms, their segments, fan-outs and limits of "
             "requests are chosen for each collective, number of processes and message size, "
             "jointly with the other parameters, and written as a file of dynamic rules, as `sim "
             "select rules` does. Open MPI's own choice competes, too. The table gains says what "
             "each time loses by the rules.",
             false, false}),
    {for_others, "--open-mpi", "VERSION",
     "tells what Open MPI 1.8, 4.1 or 5.0 calls them"
     "\nTells what Open MPI 1.8, 4.1 or 5.0 calls them; the component between nodes."},
    {for_others, "--network", params_option::network.value, params_option::network.help},
    jobs_option,
    job_option::output_file,
    document_format,
    part_option,
    job_option::color,
    job_option::quiet,
    job_option::help,
};

// Why the algorithms of the study cannot be chosen by rules; none: they can.
std::vector<Error> check_choices(const TuneFile& file) {
  std::vector<Error> errors;
  const auto workload_of = [](const auto& objective) -> const std::string& {
    return std::ranges::find(objective.base, studies::workload_key, &studies::StudyAxis::name)
        ->values.front()
        .text;
  };
  bool has_choices = false;
  for (const auto& parameter : file.parameters) {
    if (!parameter.is_choice()) continue;
    has_choices = true;
    for (const auto& objective : file.objectives) {
      const auto& workload = workload_of(objective);
      if ((!parameter.workload.empty() && parameter.workload != workload) ||
          !studies::has_study_option(workload, parameter.axis.name) ||
          algorithms::selection::obeys_rules_file(workload))
        continue;
      errors.push_back(
          error_at(file, parameter.axis.spot,
                   fmt::format("Open MPI's rules do not choose the algorithm of {}", workload),
                   fmt::format("\"bcast/{}\" is that of one collective", parameter.axis.name)));
    }
  }
  for (const auto& objective : file.objectives) {
    if (objective.stage > 1)
      errors.push_back(error_at(file, objective.spot, "--rules takes a study of one stage"));
    if (workload_of(objective) == studies::replay_word)
      errors.push_back(error_at(file, objective.spot, "--rules does not go with workload replay",
                                "its calls have many sizes; tune \"allreduce/algorithm\" for all"));
  }
  if (!has_choices)
    errors.push_back(error_at(file, {1, 0}, "--rules: no algorithm is tuned",
                              "[[parameter]] name = \"bcast/algorithm\", values = [...]"));
  return errors;
}

class TuneReading : private OptionReader {
 public:
  explicit TuneReading(const OptionValues& parsed) : OptionReader(parsed) {}

  struct Request {
    TuneFile file;
    bool is_each = false;
    int jobs = 1;
    std::optional<std::string> settings_path;
    std::optional<std::string> rules_path;
    std::optional<ExportTarget> target;  // Open MPI's version
    DocumentOutput document;
    std::string command;
  };

  Result<Request> read() {
    if (parsed_.arguments.size() != 1)
      wrong("", parsed_.arguments.empty() ? "no study" : "more than one study",
            "sim tune STUDY.toml; `man sim`, SIM TUNE, describes it");
    else
      read_file(parsed_.arguments.front());
    read_search();
    read_target();
    if (const auto jobs = jobs_of(parsed_))
      request_.jobs = *jobs;
    else
      add(jobs.errors());
    request_.is_each = parsed_.has("--each");
    if (request_.is_each &&
        (parsed_.has("--settings") || parsed_.has("--rules") || parsed_.has("--open-mpi")))
      wrong("--each", "does not go with --settings, --rules and --open-mpi",
            "each objective has other best values");
    auto parts =
        request_.is_each ? reports::tune_each_document_parts() : reports::tune_document_parts();
    if (!parsed_.has("--open-mpi")) std::erase(parts, "open_mpi");
    if (auto output = document_output(parsed_, parts))
      request_.document = *std::move(output);
    else
      add(output.errors());
    if (!errors_.empty()) return errors_.errors();
    request_.command = "sim tune " + shell_quoted(parsed_.arguments.front()) +
                       reproducing_options(tune_specs, parsed_);
    return std::move(request_);
  }

 private:
  using OptionReader::add;

  void read_file(const std::string& path) {
    const auto text = read_text_file(path);
    if (!text) return add(text.errors());
    const auto options = studies::study_options();
    auto file = studies::tuning::read_tune_file(*text, path, options);
    if (!file) return add(file.errors());
    request_.file = *std::move(file);
    add_named(request_.file.profile_file, studies::tuning::add_profile, options);
    add_named(request_.file.otpo_file, studies::tuning::add_otpo_parameters, options);
    if (const auto wanted = categories_of(parsed_); !wanted)
      add(wanted.errors());
    else if (errors_.empty())
      add(studies::tuning::complete(request_.file, *wanted));
  }

  // A file that the study names, from its own folder on.
  template <class Add>
  void add_named(const std::optional<studies::StudyValue>& named, const Add& add_file,
                 const std::vector<studies::StudyOption>& options) {
    if (!named) return;
    const auto& study = request_.file.sources.front();
    const auto path = beside_study(named->text);
    const auto text = read_text_file(path);
    if (text) return add(add_file(request_.file, *text, path, options));
    for (const auto& error : text.errors())
      errors_.add(error.kind == ErrorKind::usage
                      ? error
                      : studies::TomlText(study.text, study.path)
                            .error_at(named->spot, error.message, error.hint));
  }

  std::string beside_study(const std::string& path) const {
    return (std::filesystem::path(request_.file.sources.front().path).parent_path() / path)
        .string();
  }

  std::optional<std::string> read_written(const char* option) {
    if (!parsed_.has(option)) return std::nullopt;
    if (parsed_.value(option) == "-")
      wrong(option, "is a file's name", "standard output has the report");
    return parsed_.value(option);
  }

  void read_target() {
    request_.settings_path = read_written("--settings");
    request_.rules_path = read_written("--rules");
    if (request_.rules_path && errors_.empty()) add(check_choices(request_.file));
    if (!parsed_.has("--open-mpi") && parsed_.has("--network"))
      return wrong("--network", "goes with --open-mpi");
    if (!parsed_.has("--open-mpi")) return;
    auto target = commands::read_target(parsed_);
    if (!target) return add(target.errors());
    // A study that names parameters of btl/tcp means that network.
    const auto is_tcp = [](const studies::tuning::TuneParameter& each) {
      return each.given.starts_with("btl_tcp_");
    };
    if (!parsed_.has("--network") && std::ranges::any_of(request_.file.parameters, is_tcp))
      target->network = "tcp";
    request_.target = *std::move(target);
  }

  void read_search() {
    TuneFile& file = request_.file;
    if (parsed_.has("--method")) {
      file.methods.clear();
      for (const auto& name : names_of("--method", "", studies::tuning::method_names(), true))
        file.methods.push_back(*studies::tuning::method_of(name));
    }
    const auto count = [&](std::string_view option, std::int64_t most, const auto& take) {
      const auto value = count_of(parsed_, option, most);
      if (!value) return add(value.errors());
      if (*value) take(**value);
    };
    count("--seed", INT64_MAX,
          [&](std::int64_t seed) { file.search.seed = static_cast<std::uint64_t>(seed); });
    count("--budget", 1'000'000,
          [&](std::int64_t most) { file.search.budget = static_cast<std::size_t>(most); });
  }

  Request request_;
};

Error none_found(const TuneFile& file) {
  if (!file.memory_bytes)
    return make_error(ErrorKind::run, "", "no combination could be simulated",
                      "`sim run` with the default values tells why; the engine ideal has no times");
  return make_error(ErrorKind::run, "",
                    fmt::format("no combination that was tried needs at most {} of buffers",
                                format_bytes(*file.memory_bytes)),
                    "a larger [constraint] memory, or smaller eager limits and fewer credits");
}

reports::TuneMca tuned_mca(const store::ParameterSet& set, const ExportTarget& target) {
  const auto made = studies::tuning::mca_settings(set.parameters, target.version, target.network);
  reports::TuneMca mca{.version = std::string(studies::tuning::version_name(target.version)),
                       .settings = {},
                       .remarks = made.notes};
  for (const auto& each : made.settings) mca.settings.emplace_back(each.name, each.value);
  for (const auto& each : made.left_out)
    mca.remarks.push_back(fmt::format("{} is left out: {}", each.name, each.value));
  return mca;
}

algorithms::selection::RulesFormat rules_format(const TuneReading::Request& request) {
  using algorithms::selection::RulesFormat;
  const bool is_new = request.target && request.target->version == studies::tuning::OpenMpi::v5_0;
  return is_new ? RulesFormat::open_mpi_5_0 : RulesFormat::open_mpi_4_1;
}

// Open MPI finds the rules from wherever it is started.
void add_rules(const std::string& path, store::ParameterSet& set) {
  set.parameters.push_back({"coll_tuned_use_dynamic_rules", "1"});
  set.parameters.push_back(
      {"coll_tuned_dynamic_rules_filename", std::filesystem::absolute(path).string()});
}

// The files of rules and settings, and what Open MPI is told.
std::optional<Error> hand_out(const TuneReading::Request& request, studies::tuning::TuneRun& tuning,
                              reports::TuneReport& report) {
  if (request.rules_path)
    if (auto error =
            write_file(*request.rules_path,
                       rules_file_of(*tuning.rules(), rules_format(request), request.command)))
      return error;
  if (!request.settings_path && !request.target) return std::nullopt;
  const auto points = tuning.points(report.best()->combination);
  if (!points) return points.error();
  auto set = tuned_set(request.file, report, *points);
  if (request.rules_path) add_rules(*request.rules_path, set);
  if (const auto left_out = left_out_of_set(request.file, report); !left_out.empty())
    report.remarks.push_back(fmt::format("omitted from the settings, no effect was seen: {}",
                                         fmt::join(left_out, ", ")));
  if (request.target) report.mca = tuned_mca(set, *request.target);
  if (!request.settings_path) return std::nullopt;
  if (set.parameters.empty()) {
    report.remarks.emplace_back("no settings are written: the defaults are as good as any others");
    return std::nullopt;
  }
  return write_file(*request.settings_path,
                    studies::params::settings_file_text(set, {request.command}));
}

Result<int> tune_whole(const TuneReading::Request& request, const studies::RunPoints& run) {
  studies::tuning::TuneRun tuning(
      request.file, run, request.rules_path ? std::optional(rules_format(request)) : std::nullopt);
  if (const auto errors = tuning.prepare(); !errors.empty()) return errors;
  reports::TuneReport report;
  static_cast<studies::tuning::TuneFindings&>(report) = TUTTI_TRY(tuning.run());
  report.provenance = reports::plain_provenance(request.command);
  if (report.best() == nullptr) return none_found(request.file);
  if (const auto error = hand_out(request, tuning, report)) return *error;
  return write_document(reports::tune_document(report), request.document);
}

Result<int> tune_each(const TuneReading::Request& request, const studies::RunPoints& run) {
  reports::TuneEachReport report;
  report.objectives = TUTTI_TRY(studies::tuning::tune_each(request.file, run));
  report.provenance = reports::plain_provenance(request.command);
  report.name = request.file.name;
  report.description = request.file.description;
  if (!report.objectives.empty()) report.remarks = report.objectives.front().found.remarks;
  return write_document(reports::tune_each_document(report), request.document);
}

Result<int> run_tune(const OptionValues& parsed, Diagnostics& diagnostics) {
  const auto request = TuneReading(parsed).read();
  if (!request) return parsed.placed(request.errors());
  int stopped_by = exit_done;
  const auto run = [&](const std::vector<studies::StudyPoint>& points) {
    auto done = run_check(points, request->jobs, diagnostics);
    if (done.not_run > 0) stopped_by = done.code;
    return done;
  };
  auto code = request->is_each ? tune_each(*request, run) : tune_whole(*request, run);
  if (!code && stopped_by != exit_done) return stopped_by;
  return code;
}

}  // namespace

std::string tune_help() {
  return R"(Usage: sim tune STUDY.toml [OPTION]...

Searches for the values of parameters by which the study's workload takes least
time on the simulated machine. `man sim`, SIM TUNE, describes the file.
)" + options_help(tune_specs);
}

Result<int> run_tune_command(const Arguments& arguments, Diagnostics& diagnostics) {
  return run_simple(tune_specs, tune_help, run_tune, arguments, diagnostics);
}

extern const Command tune_command{.name = "tune",
                                  .summary = "search for the best parameters",
                                  .specs = [] { return std::span<const OptionSpec>(tune_specs); },
                                  .help = tune_help,
                                  .run = run_tune_command};

}  // namespace tutti::commands
