// SPDX-License-Identifier: BSD-3-Clause
// sim tune STUDY.toml: the values of parameters by which a workload takes least time.

#include "algorithms/collective.hpp"
#include "sim/base/common.hpp"
#include "sim/base/text_file.hpp"
#include "sim/commands/commands.hpp"
#include "sim/commands/job_request.hpp"
#include "sim/commands/options.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/commands/result_argument.hpp"
#include "sim/commands/shapes.hpp"
#include "sim/params/command/params.hpp"
#include "sim/params/our_parameters.hpp"
#include "sim/params/parameter_set.hpp"
#include "sim/params/settings_file.hpp"
#include "sim/replay/trace_options.hpp"
#include "sim/studies/study_points.hpp"
#include "sim/studies/toml.hpp"
#include "sim/tune/command/tune_each.hpp"
#include "sim/tune/command/tune_run.hpp"
#include "sim/tune/command/tune_stage.hpp"
#include "sim/tune/report/tune_report.hpp"
#include "sim/tune/tune_file.hpp"
#include "sim/tune/tune_sources.hpp"

namespace tutti::commands {
namespace {

// The best values of a search as a set of parameters, for `sim params put`.

using store::NamedText;

using store::ParameterSet;

using studies::tuning::Combination;

using studies::tuning::TuneFile;

// The value that all points share; those without the column do not count.
std::optional<Cell> common(const std::vector<TunedPoint>& points, std::string_view column) {
  std::optional<Cell> value;
  for (const auto& each : points) {
    const Cell cell = cell_in(each.parameters, column);
    if (cell.index() == 0) continue;
    if (value && to_text(*value) != to_text(cell)) return std::nullopt;
    value = cell;
  }
  return value;
}

bool is_in_all(const std::vector<TunedPoint>& points, std::string_view column) {
  return std::ranges::all_of(points, [&](const TunedPoint& each) {
    return cell_in(each.parameters, column).index() != 0;
  });
}

std::optional<std::int64_t> common_number(const std::vector<TunedPoint>& points,
                                          std::string_view column) {
  const auto cell = common(points, column);
  const auto number = cell ? number_of(*cell) : std::nullopt;
  return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
}

store::Characteristics use_of_points(const TuneFile& file, const std::vector<TunedPoint>& points) {
  // A ping-pong beside one collective is another use than that collective's.
  const auto collective =
      is_in_all(points, "collective") ? common(points, "collective") : std::nullopt;
  return {.collective = collective ? to_text(*collective) : std::string(),
          .procs = common_number(points, "procs"),
          .nodes = common_number(points, "nodes"),
          .message_bytes = common_number(points, "message_bytes"),
          .problem_size = file.problem_size};
}

// The collectives among the points, each once.
std::vector<std::string> collectives_of(const std::vector<TunedPoint>& points) {
  std::vector<std::string> names;
  for (const auto& each : points) {
    const auto name = to_text(cell_in(each.parameters, "collective"));
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

// An option of all collectives is a parameter of each.
void add(const std::string& name, const std::string& value,
         const std::vector<std::string>& collectives, std::vector<NamedText>& into) {
  if (studies::tuning::full_name(name, "bcast") == name) return into.push_back({name, value});
  for (const auto& collective : collectives)
    into.push_back({studies::tuning::full_name(name, collective), value});
}

// At its default, and no other value takes another time: nobody has to set it.
bool is_left_out(const reports::TuneReport& report, std::size_t parameter) {
  const auto& values = report.space->parameters()[parameter];
  return report.best()->combination[parameter] == values.default_value &&
         values.values.size() > 1 && report.sensitivities[parameter].is_without_effect();
}

std::vector<NamedText> parameters_of(const TuneFile& file, const reports::TuneReport& report,
                                     const std::vector<TunedPoint>& points) {
  const Combination best = report.is_by_size.empty() ? report.best()->combination
                                                     : studies::tuning::with_default_choices(
                                                           file, report.best()->combination);
  const auto collectives = collectives_of(points);
  std::vector<NamedText> all;
  for (std::size_t i = 0; i < file.parameters.size(); ++i) {
    const auto& each = file.parameters[i];
    if (!report.is_by_size.empty() && report.is_by_size[i]) continue;
    if (each.is_simulated() && !each.is_left && studies::tuning::applies(file, i, best) &&
        !is_left_out(report, i))
      add(each.full, each.axis.values[best[i]].text, collectives, all);
  }
  for (const auto& each : file.aggregates)
    add(each.full, studies::tuning::text_of(file, each, best), collectives, all);
  std::erase_if(all, [](const NamedText& each) {
    return studies::tuning::check_kept_parameter(each).has_value();
  });
  return all;
}

// Parameters at their default, by the names of the file, of which no value that was evaluated has
// an effect.
std::vector<std::string> left_out_of_set(const TuneFile& file, const reports::TuneReport& report) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < file.parameters.size(); ++i)
    if (file.parameters[i].is_simulated() && is_left_out(report, i))
      names.push_back(file.parameters[i].given);
  return names;
}

// `points`: with the best values. Parameters that the best combination does not use, those that no
// simulation knows, and those of left_out_of_set are left out.
ParameterSet tuned_set(const TuneFile& file, const reports::TuneReport& report,
                       const std::vector<TunedPoint>& points) {
  const auto& search = *report.best_search();
  ParameterSet set;
  if (const auto platform = common(points, "platform"))
    set.key.host = std::filesystem::path(to_text(*platform)).stem();
  set.key.application = file.application.empty() ? file.name : file.application;
  set.category = file.category;
  set.key.use = use_of_points(file, points);
  set.parameters = parameters_of(file, report, points);
  set.metric = "time_s";
  set.metric_value = search.best->value;
  set.about = {{"found_by", "sim tune, by simulation"},
               {"study", file.name},
               {"search", std::string(studies::tuning::method_name(search.method))},
               {"evaluations", fmt::format("{}", search.evaluations)},
               {"combinations", fmt::format("{}", report.space->size())},
               {"seed", fmt::format("{}", file.search.seed)}};
  if (report.default_value)
    set.about.push_back({"default_time_s", fmt::format("{}", *report.default_value)});
  return set;
}

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
    written({for_others, "--settings", "FILE",
             "writes the best values for `sim params put FILE`"
             "\nWrites the best values for `sim params put`.",
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
std::optional<Error> hand_out(const TuneReading::Request& request, TuneRun& tuning,
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

Result<int> run_whole(const TuneReading::Request& request, Diagnostics& diagnostics) {
  const auto space = request.rules_path ? studies::tuning::space_without_choices(request.file)
                                        : studies::tuning::space_of(request.file);
  TuneRun tuning(request.file, space, request.jobs, diagnostics);
  if (request.rules_path) tuning.choose_by_size(rules_format(request));
  if (const auto errors = tuning.prepare(); !errors.empty()) return errors;
  reports::TuneReport report;
  report.name = request.file.name;
  report.description = request.file.description;
  report.provenance = reports::plain_provenance(request.command);
  if (const auto error = tuning.run(report)) {
    if (tuning.code() != exit_done) return tuning.code();
    return *error;
  }
  if (report.best() == nullptr) return none_found(request.file);
  if (const auto error = hand_out(request, tuning, report)) return *error;
  return write_document(reports::tune_document(report), request.document);
}

Result<int> run_each(const TuneReading::Request& request, Diagnostics& diagnostics) {
  TuneEach tuning(request.file, request.jobs, diagnostics);
  if (const auto errors = tuning.prepare(); !errors.empty()) return errors;
  reports::TuneEachReport report;
  report.provenance = reports::plain_provenance(request.command);
  if (const auto error = tuning.run(report)) {
    if (tuning.code() != exit_done) return tuning.code();
    return *error;
  }
  return write_document(reports::tune_each_document(report), request.document);
}

Result<int> run_tune(const OptionValues& parsed, Diagnostics& diagnostics) {
  const auto request = TuneReading(parsed).read();
  if (!request) return parsed.placed(request.errors());
  return request->is_each ? run_each(*request, diagnostics) : run_whole(*request, diagnostics);
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
