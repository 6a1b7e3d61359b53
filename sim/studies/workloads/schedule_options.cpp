// SPDX-License-Identifier: BSD-3-Clause
// The workload `schedule`: `sim run schedule FILE`.
#include "sim/options/shared_options.hpp"
#include "sim/studies/workloads/collective_options.hpp"
#include "sim/studies/workloads/workload.hpp"
#include "workloads/schedules/schedule_call.hpp"

namespace tutti::studies {

using options::OptionValues;
using workloads::schedules::schedule_word;

namespace {

constexpr std::string_view schedule_hint = "for example: sim run schedule FILE.goal ...";

std::optional<Error> take_file(OptionValues& values) {
  if (values.arguments.size() > 2)
    return usage_error("", fmt::format("unexpected argument {}", in_quotes(values.arguments[2])),
                       "name one file only");
  if (values.arguments.size() < 2) return std::nullopt;
  if (values.has("--algorithm"))
    return usage_error("--algorithm", "does not apply to a schedule that is named as an argument",
                       "name files either way: --algorithm goal:A.goal,goal:B.goal");
  values.set("--algorithm", {"goal:" + values.arguments[1]});
  values.arguments.pop_back();
  return std::nullopt;
}

}  // namespace

std::span<const options::OptionSpec> schedule_options() {
  static const auto specs = [] {
    std::vector<options::OptionSpec> all;
    for (const options::OptionSpec& spec : collective_options().specs()) {
      const auto name = spec.name();
      if (name == "--procs")
        all.push_back(
            options::shared::with_help("Number of processes; default: that of the file", spec));
      else if (name == "--algorithm")
        all.push_back({spec.group, "--algorithm", "NAMES",
                       "Schedules, instead of FILE: goal:A.goal,goal:B-{procs}.goal"});
      else if (spec.group != collective_group && !spec.needs.own_call)
        all.push_back(spec);
    }
    return all;
  }();
  return specs;
}

Result<OptionValues> with_schedule(OptionValues values) {
  if (values.arguments.empty() || values.arguments.front() != schedule_word) return values;
  if (auto error = take_file(values)) return *std::move(error);
  if (!values.has("--algorithm"))
    return usage_error("", "no file given", std::string(schedule_hint));
  std::optional<int> procs;
  for (const std::string_view name : split(values.value("--algorithm"), ',')) {
    const auto file = workloads::schedules::schedule_file_of(name, 0, 0);
    if (!file)
      return usage_error("--algorithm", fmt::format("{} is not a schedule", in_quotes(name)),
                         "expected goal:FILE");
    if (values.has("--procs") || procs) continue;
    if (name.find("{procs}") != name.npos)
      return usage_error("--procs", "is required for a name of a file with {procs}");
    procs = TUTTI_TRY(workloads::schedules::shared_schedule(*file))->procs();
  }
  if (procs) values.set("--procs", {std::to_string(*procs)});
  return values;
}

}  // namespace tutti::studies
