// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/command/fit_models_request.hpp"

#include "algorithms/selection/selection.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/fit/command/model_jobs.hpp"
#include "sim/fit/report/reports.hpp"
#include "sim/studies/workloads/collective_options.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view fitting = "The models";
// Those among which `sim select` chooses.
constexpr const char* fitted_segments = "0,1KiB,4KiB,8KiB,16KiB,64KiB";

class FitModelsOptionReader {
 public:
  FitModelsOptionReader(OptionReader& reader, FitModelsRequest& request)
      : reader_(reader), request_(request) {}

  void read() {
    read_model_job(reader_, fitted_segments, job_);
    if (values_.has("--times"))
      read_times();
    else
      read_collectives();
    if (request_.gamma_procs < 2) reader_.wrong("--gamma-procs", "is at least 2");
    request_.measured.gamma_bytes = request_.gamma_bytes;
  }

 private:
  void read_times() {
    for (const char* option : {"--procs", "--ppn", "--map", "--oversubscribe", "--message-size",
                               "--segment-size", "--fanout", "--noise", "--experiment"})
      if (values_.has(option))
        reader_.wrong(option, "has no effect with --times: the file has what was measured",
                      "--only chooses among its rows");
    request_.measured.collectives =
        reader_.names_of("--collective", "all", studies::collective_names(), true);
    request_.measured.algorithms =
        reader_.names_of("--algorithm", "all", studies::algorithm_names(), true);
    if (auto only = only_rows(values_))
      request_.only = *std::move(only);
    else
      reader_.add(only.errors());
  }

  void read_collectives() {
    if (values_.has("--only"))
      reader_.wrong("--only", "has no effect without --times", "leave it out");
    if (!values_.has("--collective"))
      return reader_.wrong("--collective", "is required", "a list of names, or all");
    const auto wanted = reader_.names_of("--algorithm", "all", studies::algorithm_names(), true);
    request_.names_algorithms =
        values_.has("--algorithm") && values_.value("--algorithm") != workloads::all_name;
    for (const auto& name : reader_.names_of("--collective", "", studies::collective_names(), true))
      add_collective(name, wanted);
    if (reader_.errors().empty() && request_.sweeps.empty())
      reader_.wrong(values_.has("--algorithm") ? "--algorithm" : "--collective",
                    "leaves no algorithm that has a model",
                    "`sim list algorithms` names those of each");
  }

  bool is_wanted(const algorithms::Algorithm& algorithm, const std::vector<std::string>& wanted) {
    if (algorithm.cost == nullptr) return false;
    if (!values_.has("--algorithm")) return algorithms::selection::is_in_ompi_31(algorithm);
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

  OptionReader& reader_;
  const OptionValues& values_ = reader_.values();
  FitModelsRequest& request_;
  studies::Sweep job_;
};

using FitModelsOptions = options::OptionTable<FitModelsRequest>;

FitModelsOptions fitted_call_options() {
  return FitModelsOptions({}) + machine_options() +
         FitModelsOptions{
             {job_option::machine, "-n,--procs", "N",
              "processes of the experiments, between which predictions are interpolated; default: "
              "4,8,16,40,90, as far as the machine has room for them"
              "\nProcesses of the experiments, or a list; default: 4,8,16,40,90, as far as the "
              "machine has room for them."},
             {job_option::ppn},
             {model_option::map},
             {job_option::oversubscribe},
             {model_option::force, options::flag(&FitModelsRequest::force)},
             {taking("all",
                     taking(studies::collective_names, {model_option::calls, "--collective",
                                                        "NAMES", "a list, or all (required)"}))},
             {model_option::calls, "--algorithm", "NAMES",
              "of these collectives, or all; default: those that Open MPI 3.1 has",
              options::takes("all")},
             {model_option::calls, "--message-size", "SIZES",
              "default: 8KiB:4MiB, doubling, and where the machine's eager messages end"
              "\nOf the experiments; a model for each fan-out. Default: 8KiB:4MiB and where the "
              "machine's eager messages end; 0,1KiB,4KiB,8KiB,16KiB,64KiB. One segment size alone "
              "cannot tell alpha from beta. Segmented calls of more than 50,000 messages are left "
              "out."},
             {model_option::calls, "--segment-size", "SIZES",
              "0: unsegmented; default: 0,1KiB,4KiB,8KiB,16KiB,64KiB; one alone cannot tell alpha "
              "from beta; calls of more than 50,000 messages in segments are left out"},
             {model_option::calls, "--fanout", "N",
              "or radix, a model for each; default: that of the algorithm"},
             {model_option::noise},
         };
}

FitModelsOptions fitting_options() {
  return {
      {fitting, "--experiment", "HOW",
       "alone (default): a call, until its last rank ends; gather: a linear gather behind it, "
       "until the root has all, as on a real machine"
       "\n`alone` (default): a call until its last rank ends. `gather`: a linear gather follows, "
       "and the root's clock counts, as it must on a real machine; of collectives whose root "
       "sends.",
       options::choice<bool>({{"alone", false}, {"gather", true}}, &FitModelsRequest::with_gather)},
      {fitting, "--terms", "WHICH",
       "extended (default): alpha and beta for classes of message sizes, and lambda; published: "
       "alpha and beta alone"
       "\n`extended` (default), or `published`: alpha and beta alone, for all sizes, the gather's "
       "being the same.",
       options::choice<studies::ModelTerms>({{"extended", studies::ModelTerms::extended},
                                             {"published", studies::ModelTerms::published}},
                                            &FitModelsRequest::terms)},
      {fitting, "--times", "FILES",
       "fit to these measured times in place of simulated ones, separated by commas: ReproMPI "
       "(with --params=algorithm:NAME,segment_bytes:N), or CSV with columns collective, algorithm, "
       "procs, message_bytes, segment_bytes, time_s, maybe ppn, fanout, gather_bytes"
       "\nFits to measured times in place of simulated ones: files of ReproMPI, run with "
       "`--params=algorithm:NAME,segment_bytes:N`, or CSV with columns collective, algorithm, "
       "procs, message_bytes, segment_bytes, time_s, maybe ppn, fanout, gather_bytes (a linear "
       "gather followed, and the root's clock counts). Rows of one call are its repetitions. gamma "
       "comes from linear broadcasts of 2, 3, ... processes where the files have them, else from "
       "simulations.",
       [](OptionReader& reader, std::string_view option, FitModelsRequest& request) {
         request.times = words_of(reader.values().value(option));
       }},
      {{fitting, "--only", "COLUMN=TEXT", "of the measured times these rows; may be repeated",
        true}},
      {fitting, "--gamma-procs", "N",
       "gamma is measured up to there; default: 8"
       "\ngamma is measured for 2 to N nodes with messages of this size; beyond, it is a straight "
       "line.",
       options::count(studies::most_gamma_procs, &FitModelsRequest::gamma_procs)},
      {fitting, "--gamma-size", "SIZE", "of its messages; default: 8KiB",
       options::one(bytes_axis, &FitModelsRequest::gamma_bytes)},
  };
}

FitModelsOptions fit_output_options() {
  return FitModelsOptions{{jobs_option, options::made(jobs_of, &FitModelsRequest::jobs)},
                          {written(job_option::output_row(
                               "-o,--output", "FILE",
                               "writes the models (TOML) there, and tells what they are; default: "
                               "to standard output")),
                           options::file(&FitModelsRequest::output)}} +
         report_options(reports::model_fit_document_parts, "the models",
                        written(job_option::output_row(
                            "--report", "FILE",
                            "writes parameters, gamma and experiments there: .html, .csv, .json, "
                            ".jsonl, .md, .txt; `sim plot` draws it"
                            "\nThe models as TOML, with a summary on standard output; without `-o` "
                            "the TOML is printed. The report, for `sim plot` and programs, in the "
                            "same formats as that of a machine.")))
             .of(&FitModelsRequest::outputs);
}

}  // namespace

const options::OptionTable<FitModelsRequest>& fit_models_options() {
  static const auto table = (fitted_call_options() + fitting_options())
                                .then([](OptionReader& reader, FitModelsRequest& request) {
                                  FitModelsOptionReader(reader, request).read();
                                }) +
                            fit_output_options();
  return table;
}

}  // namespace tutti::commands
