// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/sweep_request.hpp"

#include "sim/base/shell_words.hpp"
#include "sim/base/text_file.hpp"
#include "sim/commands/command.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/picture_output.hpp"
#include "sim/commands/point_run.hpp"
#include "sim/commands/sweep_request.help.hpp"
#include "sim/options/option_table.hpp"
#include "sim/studies/study_points.hpp"
#include "sim/studies/study_table.hpp"

namespace tutti::commands {
namespace {

constexpr options::OptionGroup points_group{"Which points", texts::sweep_request.all};
constexpr options::OptionGroup running{"How they are run", texts::sweep_request.all};
constexpr options::OptionGroup looking{"Inspection without running", texts::sweep_request.all};
constexpr options::OptionGroup slurm{"On a cluster with Slurm", texts::sweep_request.all};

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
      read.wrong(
          option, fmt::format("invalid {} {}", noun, in_quotes(text)),
          fmt::format("expected a value above 0, for example {}; see `sim help units`", example));
  };
}

// If several views are requested, the first one of the table is used.
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
    return read.wrong(option, fmt::format("invalid part {}", in_quotes(text)),
                      "expected I/N with I from 1 to N, for example 2/4");
  request.plan.shard = *part - 1;
  request.plan.shards = *parts;
}

void read_sbatch_args(OptionReader& read, std::string_view option, SweepRequest& request) {
  if (auto words = shell_words(read.values().value(option)))
    request.sbatch_args = *std::move(words);
  else
    read.wrong(option, "missing closing quote",
               "for example '--partition=short --comment=\"a b\"'");
}

const SweepOptions sweep_options{
    {points_group("--store", "FILE"), options::text(&SweepRequest::store_path)},
    {{points_group.heading, "--override", "KEY=VALUE", texts::sweep_request["--override"], true}},
    {points_group("--where", "CONDITION"),
     options::parse_with(studies::Condition::parse, planned(&studies::PlanRequest::where))},
    {points_group("--rerun", "WHICH"),
     options::choice<Rerun>({{"none", Rerun::none}, {"failed", Rerun::failed}, {"all", Rerun::all}},
                            planned(&studies::PlanRequest::rerun))},
    {points_group("--shard", "I/N"), read_shard},
    {points_group("--also-in", "FILE"), options::text(&SweepRequest::also_in)},
    {running("-j,--jobs", "N"),
     options::value_from(read_jobs, limited(&studies::RunnerLimits::jobs))},
    {running("--timeout", "TIME"),
     above_zero(parse_seconds, "time", "90s", limited(&studies::RunnerLimits::timeout_s))},
    {running("--memory-limit", "SIZE"),
     above_zero(parse_bytes, "size", "2GiB", limited(&studies::RunnerLimits::memory_bytes))},
    {looking("--dry-run", ""), show(SweepRequest::View::dry_run)},
    {looking("--list", ""), show(SweepRequest::View::list)},
    {looking("--explain", ""), show(SweepRequest::View::explain)},
    {slurm("--slurm", ""), options::flag(&SweepRequest::slurm)},
    {slurm("--array", "N"), options::count(10'000, &SweepRequest::array)},
    {slurm("--sbatch-args", "ARGS"), read_sbatch_args},
    {color_option},
    {quiet_option},
    {help_option},
};

void read_study(OptionReader& reader, SweepRequest& request) {
  const auto& values = reader.values();
  if (values.arguments.size() != 1)
    return reader.wrong("", values.arguments.empty() ? "a study is required" : "expected one study",
                        "for example: sim sweep study.toml");
  request.study_path = values.arguments.front();
  const auto text = read_text_file(request.study_path);
  if (!text) return reader.add(text.errors());
  const auto options = studies::study_options();
  auto study = studies::read_study(*text, request.study_path, options);
  if (!study) return reader.add(study.errors());
  request.study = *std::move(study);
  if (const auto plots = wanted_plots(request.study); !plots) reader.add(plots.errors());
  for (const std::string& assignment : values.values("--override"))
    if (const auto error = studies::set_option(request.study, assignment, options))
      reader.add({*error});
}

void check_condition(OptionReader& reader, const SweepRequest& request) {
  if (!request.plan.where) return;
  auto names = studies::KnownOptions(studies::study_options()).keys();
  for (auto& column : jobs::parameter_names()) names.push_back(std::move(column));
  for (const auto* groups : {&request.study.matrix, &request.study.includes})
    for (const auto& group : *groups)
      for (const auto& axis : group) names.push_back(axis.name);
  for (const auto& axis : request.study.base) names.push_back(axis.name);
  for (const std::string& name : request.plan.where->names())
    if (std::ranges::find(names, name) == names.end())
      reader.wrong(
          "--where", fmt::format("unknown name {}", in_quotes(name)),
          did_you_mean(name, names, "use keys of the study, and enclose text values in quotes"));
}

void check_store(OptionReader& reader, SweepRequest& request) {
  if (!reader.values().has("--store"))
    request.store_path = std::filesystem::path(request.study_path).replace_extension(".db");
  if (same_file(request.store_path, request.study_path))
    reader.wrong("--store", "is the study itself", "choose another file for the results");
}

void check_slurm(OptionReader& reader, const SweepRequest& request) {
  if (!request.slurm)
    return reader.reject({"--array", "--sbatch-args"}, "has no effect without --slurm",
                         "add --slurm");
  constexpr std::string_view safe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@+=:,./_-";
  const std::string store = std::filesystem::absolute(request.store_path).string();
  if (store.find_first_not_of(safe) != store.npos)
    reader.wrong(
        "--store",
        fmt::format("sbatch cannot write its output into the folder of {}", in_quotes(store)),
        "use a path without blanks, quotes and '%'");
  reader.reject({"--shard"}, "cannot be combined with --slurm, which sets it for each task",
                "use --array N to set the number of parts");
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
  request.selects = parsed.has("--where") || parsed.has("--override") || parsed.has("--shard");
  request.command =
      fmt::format("sim sweep {}{}", request.study_path, reproducing_options(sweep_options, parsed));
  return request;
}

}  // namespace tutti::commands
