// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/command/fit_models_request.hpp"

#include <algorithm>

#include "algorithms/selection/versions.hpp"
#include "sim/commands/document_output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/commands/run_workload.hpp"
#include "sim/fit/command/model_jobs.hpp"
#include "sim/fit/report/model_fit_report.hpp"
#include "sim/studies/workloads/collective_options.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view fitting = "The models";
// Those among which `sim select` chooses.
constexpr const char* fitted_segments = "0,1KiB,4KiB,8KiB,16KiB,64KiB";

constexpr OptionSpec all_fit_models_specs[] = {
    job_option::platform,
    job_option::set,
    {job_option::machine, "--procs", "N",
     "processes of the experiments, between which predictions are interpolated; default: "
     "4,8,16,40,90, as far as the machine has room for them"},
    job_option::ppn,
    model_option::map,
    job_option::oversubscribe,
    model_option::force,
    {model_option::calls, "--collective", "NAMES", "a list, or all (required)"},
    {model_option::calls, "--algorithm", "NAMES",
     "of these collectives, or all; default: those that Open MPI 3.1 has"},
    {model_option::calls, "--message-size", "SIZES",
     "default: 8KiB:4MiB, doubling, and where the machine's eager messages end"},
    {model_option::calls, "--segment-size", "SIZES",
     "0: unsegmented; default: 0,1KiB,4KiB,8KiB,16KiB,64KiB; one alone cannot tell alpha from "
     "beta; calls of more than 50,000 messages in segments are left out"},
    {model_option::calls, "--fanout", "N",
     "or radix, a model for each; default: that of the algorithm"},
    model_option::noise,
    {fitting, "--experiment", "HOW",
     "alone (default): a call, until its last rank ends; gather: a linear gather behind it, until "
     "the root has all, as on a real machine"},
    {fitting, "--terms", "WHICH",
     "extended (default): alpha and beta for classes of message sizes, and lambda; published: "
     "alpha and beta alone"},
    {fitting, "--times", "FILES",
     "fit to these measured times in place of simulated ones, separated by commas: ReproMPI (with "
     "--params=algorithm:NAME,segment_bytes:N), or CSV with columns collective, algorithm, procs, "
     "message_bytes, segment_bytes, time_s, maybe ppn, fanout, gather_bytes"},
    {fitting, "--only", "COLUMN=TEXT", "of the measured times these rows; may be repeated", true},
    {fitting, "--gamma-procs", "N", "gamma is measured up to there; default: 8"},
    {fitting, "--gamma-size", "SIZE", "of its messages; default: 8KiB"},
    jobs_option,
    written(job_option::output_row(
        "-o,--output", "FILE",
        "writes the models (TOML) there, and tells what they are; default: to standard output")),
    written(job_option::output_row(
        "--report", "FILE",
        "writes parameters, gamma and experiments there: .html, .csv, .json, "
        ".jsonl, .md, .txt; `sim plot` draws it")),
    document_format,
    part_option,
    job_option::color,
    job_option::quiet,
    job_option::help,
};

class FitModelsReading : private ModelJobReading {
 public:
  explicit FitModelsReading(const OptionValues& parsed) : ModelJobReading(parsed) {}

  Result<FitModelsRequest> read() {
    read_machine(request_);
    read_job(job_, fitted_segments);
    if (parsed_.has("--times"))
      read_times();
    else
      read_collectives();
    read_fit();
    read_output();
    if (!errors_.empty()) return errors_.errors();
    request_.force = parsed_.has("--force");
    request_.command = "sim fit models" + reproducing_options(all_fit_models_specs, parsed_);
    return std::move(request_);
  }

 private:
  void read_times() {
    for (const char* option : {"--procs", "--ppn", "--map", "--oversubscribe", "--message-size",
                               "--segment-size", "--fanout", "--noise", "--experiment"})
      if (parsed_.has(option))
        wrong(option, "has no effect with --times: the file has what was measured",
              "--only chooses among its rows");
    request_.times = words_of(parsed_.value("--times"));
    std::vector<std::string> algorithms;
    for (const auto& each : algorithms::all_algorithms())
      if (std::ranges::find(algorithms, each.name) == algorithms.end())
        algorithms.emplace_back(each.name);
    request_.measured.collectives =
        names_of("--collective", "all", studies::collective_names(), true);
    request_.measured.algorithms = names_of("--algorithm", "all", algorithms, true);
    if (auto only = only_rows(parsed_))
      request_.only = *std::move(only);
    else
      add(only.errors());
  }

  void read_collectives() {
    if (parsed_.has("--only")) wrong("--only", "has no effect without --times", "leave it out");
    if (!parsed_.has("--collective"))
      return wrong("--collective", "is required", "a list of names, or all");
    std::vector<std::string> names;
    for (const auto& each : algorithms::all_algorithms())
      if (std::ranges::find(names, each.name) == names.end()) names.emplace_back(each.name);
    const auto wanted = names_of("--algorithm", "all", names, true);
    request_.names_algorithms =
        parsed_.has("--algorithm") && parsed_.value("--algorithm") != workloads::all_name;
    for (const auto& name : names_of("--collective", "", studies::collective_names(), true))
      add_collective(name, wanted);
    if (errors_.empty() && request_.sweeps.empty())
      wrong(parsed_.has("--algorithm") ? "--algorithm" : "--collective",
            "leaves no algorithm that has a model", "`sim list algorithms` names those of each");
  }

  bool is_wanted(const algorithms::Algorithm& algorithm, const std::vector<std::string>& wanted) {
    if (algorithm.cost == nullptr) return false;
    if (!parsed_.has("--algorithm")) return algorithms::selection::is_in_ompi_31(algorithm);
    return std::ranges::find(wanted, algorithm.name) != wanted.end();
  }

  void add_collective(const std::string& name, const std::vector<std::string>& wanted) {
    studies::Sweep sweep = job_;
    sweep.collective = name;
    if (!algorithms::find_collective(name)->has_message) sweep.message_bytes = {0};
    for (const auto* each : algorithms::algorithms_of(name))
      if (is_wanted(*each, wanted)) sweep.algorithms.emplace_back(each->name);
    if (!sweep.algorithms.empty()) request_.sweeps.push_back(std::move(sweep));
  }

  void read_fit() {
    if (const auto how = choice_of(parsed_, "--experiment", {"alone", "gather"}))
      request_.with_gather = *how == "gather";
    else
      add(how.errors());
    if (const auto which = choice_of(parsed_, "--terms", {"extended", "published"}))
      request_.terms =
          *which == "extended" ? studies::ModelTerms::extended : studies::ModelTerms::published;
    else
      add(which.errors());
    if (const auto procs = count_of(parsed_, "--gamma-procs", studies::most_gamma_procs))
      request_.gamma_procs = static_cast<int>(procs->value_or(request_.gamma_procs));
    else
      add(procs.errors());
    if (request_.gamma_procs < 2) wrong("--gamma-procs", "is at least 2");
    std::vector<std::int64_t> sizes{request_.gamma_bytes};
    read_axis("--gamma-size", bytes_axis, sizes);
    if (sizes.size() > 1) wrong("--gamma-size", "takes one value");
    request_.gamma_bytes = request_.measured.gamma_bytes = sizes.front();
  }

  void read_output() {
    if (const auto jobs = jobs_of(parsed_))
      request_.jobs = *jobs;
    else
      add(jobs.errors());
    request_.output = file_of("--output");
    if (auto outputs = report_outputs(parsed_, reports::model_fit_document_parts(), "the models"))
      request_.outputs = *std::move(outputs);
    else
      add(outputs.errors());
  }

  FitModelsRequest request_;
  studies::Sweep job_;
};

}  // namespace

const std::span<const OptionSpec> fit_models_specs = all_fit_models_specs;

Result<FitModelsRequest> fit_models_request(const OptionValues& parsed) {
  return FitModelsReading(parsed).read();
}

}  // namespace tutti::commands
