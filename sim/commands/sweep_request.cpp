// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/sweep_request.hpp"

#include "sim/base/text_file.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/commands/process.hpp"
#include "sim/commands/subcommand.hpp"
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

const SweepOptions sweep_options{
    {points_group, "--store", "FILE", "where results are kept; default: the study's file with .db"},
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
     "units; texts may stand in quotes."},
    {points_group, "--rerun", "WHICH",
     "failed: run failed points again; all: those that are done too"
     "\nA failed point stays failed until it is run again.",
     options::choice<Rerun>({{"none", Rerun::none}, {"failed", Rerun::failed}, {"all", Rerun::all}},
                            options::within(&SweepRequest::plan, &studies::PlanRequest::rerun))},
    {points_group, "--shard", "I/N",
     "only the I-th of N parts, 1/4 to 4/4, the same in each run"
     "\nOne of N parts, by the keys: the same in each run. `--also-in` FILE names a store whose "
     "points are not run."},
    {points_group, "--also-in", "FILE", "points that this store has are not run",
     options::text(&SweepRequest::also_in)},
    {running, "-j,--jobs", "N", "points at a time; default: as many as there are cores",
     options::made(jobs_of, options::within(&SweepRequest::limits, &studies::RunnerLimits::jobs))},
    {running, "--timeout", "TIME",
     "a point that takes longer is killed and counts as failed"
     "\nA point that takes more is killed and counts as failed, as one does that crashes. What it "
     "said is kept."},
    {running, "--memory-limit", "SIZE", "a point that takes more is killed and counts as failed"},
    {looking, "--dry-run", "",
     "how many points there are, what they will take; runs none"
     "\nHow many points there are and what they will take, by what stored ones took; each point "
     "and its state; each point that would run, and why. None of them runs anything."},
    {looking, "--list", "", "each point and what is stored of it; runs none"},
    {looking, "--explain", "", "each point that would run, and why; runs none"},
    {slurm, "--slurm", "",
     "writes a job array and a job that merges its results, beside the store, and submits them; "
     "with --dry-run it prints them"
     "\nWrites a job array with a part in each task, and a job that merges the parts' stores when "
     "all have ended; submits both. With `--dry-run` it prints them.",
     options::flag(&SweepRequest::slurm)},
    {slurm, "--array", "N", "parts of the study, an array task each; default: 4"},
    {slurm, "--sbatch-args", "ARGS",
     "for sbatch, as in '--partition=short --time=60'; no shell evaluates them"},
    {color_option},
    {quiet_option},
    {help_option},
};

class SweepReading : private OptionReader {
 public:
  explicit SweepReading(const OptionValues& parsed) : OptionReader(parsed) {}

  Result<SweepRequest> read() {
    request_.limits.jobs = default_jobs();
    read_study_file();
    sweep_options.read(*this, request_);
    read_points();
    read_limits();
    read_view();
    read_slurm();
    if (!errors_.empty()) return errors_.errors();
    request_.command = fmt::format("sim sweep {}{}", request_.study_path,
                                   reproducing_options(sweep_options, parsed_));
    return std::move(request_);
  }

 private:
  void read_study_file() {
    if (parsed_.arguments.size() != 1)
      return errors_.add(
          usage_error("", parsed_.arguments.empty() ? "which study?" : "one study at a time",
                      "for example: sim sweep study.toml"));
    request_.study_path = parsed_.arguments.front();
    const auto text = read_text_file(request_.study_path);
    if (!text) return add(text.errors());
    const auto options = studies::study_options();
    auto study = studies::read_study(*text, request_.study_path, options);
    if (!study) return add(study.errors());
    request_.study = *std::move(study);
    if (const auto plots = wanted_plots(request_.study); !plots) add(plots.errors());
    for (const std::string& assignment : parsed_.values("--set"))
      if (auto error = studies::set_option(request_.study, assignment, options))
        errors_.add(*error);
  }

  void read_points() {
    std::filesystem::path store(request_.study_path);
    request_.store_path =
        parsed_.has("--store") ? parsed_.value("--store") : store.replace_extension(".db").string();
    if (same_file(request_.store_path, request_.study_path))
      wrong("--store", "is the study itself", "give the results a file of their own");
    if (parsed_.has("--where")) read_condition();
    if (parsed_.has("--shard")) read_shard();
    request_.selects = parsed_.has("--where") || parsed_.has("--set") || parsed_.has("--shard");
  }

  void read_condition() {
    auto condition = studies::Condition::parse(parsed_.value("--where"));
    if (!condition) return add(condition.errors());
    auto names = studies::KnownOptions(studies::study_options()).keys();
    for (auto& column : studies::parameter_names()) names.push_back(std::move(column));
    for (const auto* groups : {&request_.study.matrix, &request_.study.includes})
      for (const auto& group : *groups)
        for (const auto& axis : group) names.push_back(axis.name);
    for (const auto& axis : request_.study.base) names.push_back(axis.name);
    for (const std::string& name : condition->names())
      if (std::ranges::find(names, name) == names.end())
        wrong("--where", fmt::format("there is no {}", in_quotes(name)),
              did_you_mean(name, names, "texts stand in quotes; names are the study's keys"));
    request_.plan.where = *std::move(condition);
  }

  void read_shard() {
    const std::string& text = parsed_.value("--shard");
    const auto slash = text.find('/');
    const auto part = parse_integer(text.substr(0, slash));
    const auto parts = parse_integer(slash == text.npos ? std::string() : text.substr(slash + 1));
    if (!part || !parts || *part < 1 || *part > *parts)
      return wrong("--shard", fmt::format("{} is no part", in_quotes(text)),
                   "I/N, from 1/N to N/N: 2/4");
    request_.plan.shard = *part - 1;
    request_.plan.shards = *parts;
  }

  void read_limits() {
    if (parsed_.has("--timeout")) {
      const auto time_s = parse_seconds(parsed_.value("--timeout"));
      if (time_s && *time_s > 0)
        request_.limits.timeout_s = *time_s;
      else
        wrong("--timeout", fmt::format("{} is no time", in_quotes(parsed_.value("--timeout"))),
              "as in 90s; see `sim help units`");
    }
    if (!parsed_.has("--memory-limit")) return;
    const auto bytes = parse_bytes(parsed_.value("--memory-limit"));
    if (bytes && *bytes > 0)
      request_.limits.memory_bytes = *bytes;
    else
      wrong("--memory-limit",
            fmt::format("{} is no size", in_quotes(parsed_.value("--memory-limit"))),
            "as in 2GiB; see `sim help units`");
  }

  void read_view() {
    using View = SweepRequest::View;
    const std::pair<const char*, View> views[] = {
        {"--explain", View::explain}, {"--list", View::list}, {"--dry-run", View::dry_run}};
    for (const auto& [option, view] : views)
      if (parsed_.has(option)) request_.view = view;
  }

  void read_slurm() {
    if (const auto count = count_of(parsed_, "--array", 10000))
      request_.array = static_cast<int>(count->value_or(request_.array));
    else
      add(count.errors());
    if (parsed_.has("--sbatch-args")) read_sbatch_args();
    for (const char* option : {"--array", "--sbatch-args"})
      if (parsed_.has(option) && !request_.slurm) wrong(option, "is for Slurm", "add --slurm");
    constexpr std::string_view safe =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@+=:,./_-";
    const std::string store = std::filesystem::absolute(request_.store_path).string();
    if (request_.slurm && store.find_first_not_of(safe) != store.npos)
      wrong("--store", fmt::format("sbatch cannot write its output beside {}", in_quotes(store)),
            "take a path without blanks, quotes and '%'");
    if (request_.slurm && parsed_.has("--shard"))
      wrong("--shard", "is what --slurm does by itself", "--array N says how many");
  }

  void read_sbatch_args() {
    if (auto words = shell_words(parsed_.value("--sbatch-args")))
      request_.sbatch_args = *std::move(words);
    else
      wrong("--sbatch-args", "a quote has no end", "as in '--partition=short --comment=\"a b\"'");
  }

  SweepRequest request_;
};

}  // namespace

std::span<const OptionSpec> sweep_specs() { return sweep_options; }

Result<SweepRequest> read_sweep(const OptionValues& parsed) { return SweepReading(parsed).read(); }

}  // namespace tutti::commands
