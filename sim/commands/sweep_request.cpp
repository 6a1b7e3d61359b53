// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/sweep_request.hpp"

#include "sim/base/text_file.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/commands/process.hpp"
#include "sim/options/option_table.hpp"
#include "sim/studies/study_points.hpp"
#include "sim/studies/study_table.hpp"

namespace tutti::commands {
namespace {

constexpr std::string_view points_group = "Which points";
constexpr std::string_view running = "How they are run";
constexpr std::string_view looking = "Looking without running";
constexpr std::string_view slurm = "On a cluster with Slurm";

using SweepOptions = options::OptionTable<SweepRequest>;
using Rerun = studies::PlanRequest::Rerun;

constexpr auto planned = options::under(&SweepRequest::plan);
constexpr auto limited = options::under(&SweepRequest::limits);

template <class Number, class Place>
auto above_zero(Result<Number> (*parse)(std::string_view), const char* noun, const char* example,
                Place place) {
  return [=](OptionReader& read, std::string_view option, SweepRequest& request) {
    const std::string& text = read.values().value(option);
    const auto value = parse(text);
    if (value && *value > 0)
      std::invoke(place, request) = *value;
    else
      read.wrong(option, fmt::format("{} is no {}", in_quotes(text), noun),
                 fmt::format("as in {}; see `sim help units`", example));
  };
}

// Of several the first of the table.
auto show(SweepRequest::View view) {
  return [view](OptionReader&, std::string_view, SweepRequest& request) {
    if (request.view == SweepRequest::View::run) request.view = view;
  };
}

void read_shard(OptionReader& read, std::string_view option, SweepRequest& request) {
  const std::string& text = read.values().value(option);
  const auto slash = text.find('/');
  const auto part = parse_integer(text.substr(0, slash));
  const auto parts = parse_integer(slash == text.npos ? std::string() : text.substr(slash + 1));
  if (!part || !parts || *part < 1 || *part > *parts)
    return read.wrong(option, fmt::format("{} is no part", in_quotes(text)),
                      "I/N, from 1/N to N/N: 2/4");
  request.plan.shard = *part - 1;
  request.plan.shards = *parts;
}

void read_sbatch_args(OptionReader& read, std::string_view option, SweepRequest& request) {
  if (auto words = shell_words(read.values().value(option)))
    request.sbatch_args = *std::move(words);
  else
    read.wrong(option, "a quote has no end", "as in '--partition=short --comment=\"a b\"'");
}

const SweepOptions sweep_options{
    {points_group, "--store", "FILE", "where results are kept; default: the study's file with .db",
     options::text(&SweepRequest::store_path)},
    {{points_group, "--set", "KEY=VALUE",
      "an option of the study has this value alone: procs=64, mpi/eager_limit=12KiB"
      "\nThe option has this value alone, wherever the study has it. Points of other values stay "
      "in the store and of the study.",
      true}},
    {points_group, "--where", "CONDITION",
     "only these points: 'procs <= 1024 and algorithm == \"ring\"'; names are the study's keys and "
     "the columns of the result"
     "\nOnly these points: `==`, `!=`, `<`, `<=`, `>`, `>=`, `in (a, b)` of keys of the study or "
     "the columns that describe a point, with `and`, `or`, `not` and parentheses; sizes may have "
     "units; texts may stand in quotes.",
     options::parsed(studies::Condition::parse, planned(&studies::PlanRequest::where))},
    {points_group, "--rerun", "WHICH",
     "failed: run failed points again; all: those that are done too"
     "\nA failed point stays failed until it is run again.",
     options::choice<Rerun>({{"none", Rerun::none}, {"failed", Rerun::failed}, {"all", Rerun::all}},
                            planned(&studies::PlanRequest::rerun))},
    {points_group, "--shard", "I/N",
     "only the I-th of N parts, 1/4 to 4/4, the same in each run"
     "\nOne of N parts, by the keys: the same in each run. `--also-in` FILE names a store whose "
     "points are not run.",
     read_shard},
    {points_group, "--also-in", "FILE", "points that this store has are not run",
     options::text(&SweepRequest::also_in)},
    {running, "-j,--jobs", "N", "points at a time; default: as many as there are cores",
     options::made(jobs_of, limited(&studies::RunnerLimits::jobs))},
    {running, "--timeout", "TIME",
     "a point that takes longer is killed and counts as failed"
     "\nA point that takes more is killed and counts as failed, as one does that crashes. What it "
     "said is kept.",
     above_zero(parse_seconds, "time", "90s", limited(&studies::RunnerLimits::timeout_s))},
    {running, "--memory-limit", "SIZE", "a point that takes more is killed and counts as failed",
     above_zero(parse_bytes, "size", "2GiB", limited(&studies::RunnerLimits::memory_bytes))},
    {looking, "--dry-run", "",
     "how many points there are, what they will take; runs none"
     "\nHow many points there are and what they will take, by what stored ones took; each point "
     "and its state; each point that would run, and why. None of them runs anything.",
     show(SweepRequest::View::dry_run)},
    {looking, "--list", "", "each point and what is stored of it; runs none",
     show(SweepRequest::View::list)},
    {looking, "--explain", "", "each point that would run, and why; runs none",
     show(SweepRequest::View::explain)},
    {slurm, "--slurm", "",
     "writes a job array and a job that merges its results, beside the store, and submits them; "
     "with --dry-run it prints them"
     "\nWrites a job array with a part in each task, and a job that merges the parts' stores when "
     "all have ended; submits both. With `--dry-run` it prints them.",
     options::flag(&SweepRequest::slurm)},
    {slurm, "--array", "N", "parts of the study, an array task each; default: 4",
     options::count(10'000, &SweepRequest::array)},
    {slurm, "--sbatch-args", "ARGS",
     "for sbatch, as in '--partition=short --time=60'; no shell evaluates them", read_sbatch_args},
    {color_option},
    {quiet_option},
    {help_option},
};

void read_study(OptionReader& reader, SweepRequest& request) {
  const auto& values = reader.values();
  if (values.arguments.size() != 1)
    return reader.wrong("", values.arguments.empty() ? "which study?" : "one study at a time",
                        "for example: sim sweep study.toml");
  request.study_path = values.arguments.front();
  const auto text = read_text_file(request.study_path);
  if (!text) return reader.add(text.errors());
  const auto options = studies::study_options();
  auto study = studies::read_study(*text, request.study_path, options);
  if (!study) return reader.add(study.errors());
  request.study = *std::move(study);
  if (const auto plots = wanted_plots(request.study); !plots) reader.add(plots.errors());
  for (const std::string& assignment : values.values("--set"))
    if (const auto error = studies::set_option(request.study, assignment, options))
      reader.add({*error});
}

void check_condition(OptionReader& reader, const SweepRequest& request) {
  if (!request.plan.where) return;
  auto names = studies::KnownOptions(studies::study_options()).keys();
  for (auto& column : studies::parameter_names()) names.push_back(std::move(column));
  for (const auto* groups : {&request.study.matrix, &request.study.includes})
    for (const auto& group : *groups)
      for (const auto& axis : group) names.push_back(axis.name);
  for (const auto& axis : request.study.base) names.push_back(axis.name);
  for (const std::string& name : request.plan.where->names())
    if (std::ranges::find(names, name) == names.end())
      reader.wrong("--where", fmt::format("there is no {}", in_quotes(name)),
                   did_you_mean(name, names, "texts stand in quotes; names are the study's keys"));
}

void check_store(OptionReader& reader, SweepRequest& request) {
  if (!reader.values().has("--store"))
    request.store_path = std::filesystem::path(request.study_path).replace_extension(".db");
  if (same_file(request.store_path, request.study_path))
    reader.wrong("--store", "is the study itself", "give the results a file of their own");
}

void check_slurm(OptionReader& reader, const SweepRequest& request) {
  if (!request.slurm)
    return reader.reject({"--array", "--sbatch-args"}, "is for Slurm", "add --slurm");
  constexpr std::string_view safe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@+=:,./_-";
  const std::string store = std::filesystem::absolute(request.store_path).string();
  if (store.find_first_not_of(safe) != store.npos)
    reader.wrong("--store",
                 fmt::format("sbatch cannot write its output beside {}", in_quotes(store)),
                 "take a path without blanks, quotes and '%'");
  reader.reject({"--shard"}, "is what --slurm does by itself", "--array N says how many");
}

}  // namespace

std::span<const OptionSpec> sweep_specs() { return sweep_options; }

Result<SweepRequest> read_sweep(const OptionValues& parsed) {
  OptionReader reader(parsed);
  SweepRequest request;
  request.limits.jobs = default_jobs();
  read_study(reader, request);
  sweep_options.read(reader, request);
  check_condition(reader, request);
  check_store(reader, request);
  check_slurm(reader, request);
  if (!reader.errors().empty()) return reader.errors().errors();
  request.selects = parsed.has("--where") || parsed.has("--set") || parsed.has("--shard");
  request.command =
      fmt::format("sim sweep {}{}", request.study_path, reproducing_options(sweep_options, parsed));
  return request;
}

}  // namespace tutti::commands
