// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/run_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "algorithms/hardware/hardware.hpp"
#include "platforms/placement.hpp"
#include "sim/base/counted.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/split.hpp"
#include "sim/base/suggest.hpp"
#include "sim/base/text_file.hpp"
#include "sim/commands/job_options.hpp"
#include "sim/studies/axis.hpp"
#include "workloads/hierarchical_spec.hpp"

namespace tutti::commands {
namespace {

using studies::AxisKind;

constexpr Bytes last_default_size = 1024 * 1024;

constexpr AxisKind root_axis{parse_integer, 0, platforms::most_procs - 1};
constexpr AxisKind element_axis{parse_bytes, 1, most_bytes, units_hint};

class RunReading : private JobReading {
 public:
  explicit RunReading(const Parsed& parsed) : JobReading(parsed) {}

  Result<RunRequest> read() {
    read_collective();
    read_machine(request_);
    read_axes();
    read_sizes();
    read_algorithms();
    read_profiles();
    read_call();
    read_measurement(request_.sweep.common.benchmark);
    read_placement(request_.sweep.common.placement);
    read_engine();
    read_starts();
    read_model_only();
    read_output();
    if (!errors_.empty()) return errors_.errors();
    warn();
    request_.command = fmt::format("sim run {}{}", request_.sweep.collective,
                                   reproducing_options(run_specs(), parsed_));
    return std::move(request_);
  }

 private:
  void read_collective() {
    const auto names = collective_names();
    const auto& words = parsed_.arguments;
    if (words.empty()) {
      wrong("", "which collective?", fmt::format("for example: sim run {} ...", names.front()));
      return;
    }
    request_.sweep.collective = words.front();
    if (std::find(names.begin(), names.end(), words.front()) == names.end()) {
      const auto others = other_workload_names();
      if (std::ranges::find(others, words.front()) != others.end())
        return wrong("", fmt::format("{} is no collective", in_quotes(words.front())),
                     fmt::format("put it before all options: sim run {} ...", words.front()));
      auto workloads = names;
      workloads.insert(workloads.end(), others.begin(), others.end());
      wrong("", fmt::format("unknown collective {}", in_quotes(words.front())),
            did_you_mean(words.front(), workloads,
                         fmt::format("there are: {}", fmt::join(workloads, ", "))));
    }
    if (words.size() > 1)
      wrong("", fmt::format("one collective at a time: what is {}?", in_quotes(words[1])));
  }

  void read_axes() {
    auto& sweep = request_.sweep;
    sweep.skips_impossible = true;
    if (!parsed_.has("--procs")) wrong("--procs", "is required", "the number of processes");
    read_axis("--procs", count_axis, sweep.procs);
    read_axis("--ppn", count_axis, sweep.ppn);
    read_axis("--root", root_axis, sweep.roots);
    read_axis("--fanout", count_axis, sweep.fanouts);
    read_axis("--segment-size", bytes_axis, sweep.segment_bytes);
    read_axis("--max-requests", limit_axis, sweep.max_requests);
    read_axis("--message-size", bytes_axis, sweep.message_bytes);
  }

  void read_sizes() {
    auto& sweep = request_.sweep;
    std::vector<std::int64_t> element{1};
    read_axis("--element-bytes", element_axis, element);
    if (element.size() > 1) wrong("--element-bytes", "takes one value");
    sweep.element_bytes = element.front();
    const auto* collective = algorithms::find_collective(sweep.collective);
    if (collective != nullptr && !collective->has_message) {
      if (parsed_.has("--message-size"))
        wrong("--message-size", fmt::format("{} has no message", collective->name), "leave it out");
      sweep.message_bytes = {0};
      return;
    }
    if (parsed_.has("--message-size")) return;
    sweep.message_bytes = {sweep.element_bytes};
    while (sweep.message_bytes.back() <= last_default_size / 2)
      sweep.message_bytes.push_back(2 * sweep.message_bytes.back());
  }

  // Commas stand between names, and between the parameters of one.
  void read_algorithms() {
    const std::string text = parsed_.has("--algorithm") ? parsed_.value("--algorithm") : "auto";
    std::vector<std::string> names;
    for (const std::string_view part : split(text, ',')) {
      const bool goes_on = !names.empty() && workloads::is_hierarchical(names.back()) &&
                           part.find('=') < part.find(':');
      if (goes_on)
        names.back().append(",").append(part);
      else
        names.emplace_back(part);
    }
    for (const auto& name : names) add_algorithm(name);
  }

  void add_algorithm(const std::string& name) {
    auto& names = request_.sweep.algorithms;
    if (const auto file = workloads::rules_file_of(name); file && !file->empty())
      read_rules(std::string(*file));
    all_algorithms_ |= name == workloads::all_name;
    names.push_back(name);
  }

  void read_rules(const std::string& file) {
    auto text = read_text_file(file);
    if (!text) return add(text.errors());
    auto rules = std::make_shared<const algorithms::selection::DynamicRules>(*text, file);
    if (const auto& ignored = rules->ignored()) request_.warnings.push_back(warning_of(*ignored));
    for (const auto& warning : rules->warnings()) request_.warnings.push_back(warning_of(warning));
    request_.sweep.rules.emplace(file, std::move(rules));
  }

  void read_profiles() {
    constexpr std::array buffers{"--message-buffer", "--int-buffer"};
    for (const char* option : buffers)
      if (parsed_.has(option) && !parsed_.has("--profile"))
        wrong(option, "has no effect without --profile", "leave it out");
    if (!parsed_.has("--profile")) return;
    if (std::ranges::none_of(request_.sweep.algorithms, is_by_rules))
      return wrong("--profile", "has no effect: it replaces what rules choose",
                   "add auto to --algorithm");
    auto profiles = studies::guidelines::read_profiles(parsed_.value("--profile"));
    if (!profiles) return add(profiles.errors());
    read_one("--message-buffer", profiles->limits.message_bytes);
    read_one("--int-buffer", profiles->limits.int_bytes);
    request_.sweep.profiles =
        std::make_shared<const studies::guidelines::Profiles>(*std::move(profiles));
  }

  static bool is_by_rules(const std::string& algorithm) {
    return workloads::is_automatic(algorithm) && algorithm != workloads::best_name;
  }

  void read_one(std::string_view option, Bytes& bytes) {
    std::vector<std::int64_t> values{bytes};
    read_axis(option, bytes_axis, values);
    if (values.size() > 1) wrong(std::string(option), "takes one value");
    bytes = values.front();
  }

  static std::string warning_of(const Error& error) {
    return fmt::format("{}:{}: {}: {}", printable(error.place), error.line, error.message,
                       error.hint);
  }

  void read_call() {
    auto& sweep = request_.sweep;
    sweep.commutative = !parsed_.has("--non-commutative");
    if (!parsed_.has("--counts")) return;
    if (auto counts = workloads::parse_counts(parsed_.value("--counts")))
      sweep.counts = *std::move(counts);
    else
      add(counts.errors());
    const auto* collective = algorithms::find_collective(sweep.collective);
    const bool has_counts = collective != nullptr && collective->has_counts;
    if (sweep.counts.kind != workloads::CountsSpec::Kind::file || !has_counts) return;
    if (parsed_.has("--message-size"))
      wrong("--message-size", "has no effect: the file of --counts says the bytes", "leave it out");
    sweep.message_bytes = {0};
  }

  void read_engine() {
    read_contention(request_.sweep.common.contention);
    auto& common = request_.sweep.common;
    common.merge_window = read_merge_window();
    const auto engine = read_engine_name();
    const auto extrapolate = choice_of(parsed_, "--extrapolate", {"auto", "off"});
    if (!extrapolate) add(extrapolate.errors());
    common.extrapolates = extrapolate && *extrapolate == "auto";
    common.engine_is_chosen = !parsed_.has("--engine") || parsed_.value("--engine") == "auto";
    if (!engine) return;
    common.engine = *engine;
    refuse_what_only_flow_does(*engine, common.contention, common.merge_window);
  }

  void read_starts() {
    auto& starts = request_.sweep.common.starts;
    constexpr AxisKind runs_axis{parse_integer, studies::StartChoice::least,
                                 studies::StartChoice::most};
    starts.are_given = parsed_.has("--runs");
    starts.runs = static_cast<int>(single("--runs", runs_axis, starts.runs));
    if (starts.runs % 2 == 0)
      wrong("--runs", fmt::format("of {} starts none is the median", starts.runs), "an odd number");
    if (!request_.sweep.common.benchmark.is_plain())
      refuse({"--runs", "--exact-start"},
             "has no effect with --benchmark, --skew or --noise: these decide when ranks start",
             "leave it out");
    if (!parsed_.has("--exact-start")) return;
    if (starts.are_given)
      wrong("--runs", "has no effect with --exact-start: there is one start", "leave one out");
    starts.runs = 0;
  }

  void read_model_only() {
    auto& common = request_.sweep.common;
    common.model_only = model_only({"--engine", "--contention", "--merge-window", "--confidence",
                                    "--runs", "--exact-start", "--extrapolate", "--benchmark",
                                    "--repetitions", "--skew", "--noise", "--traffic", "--ranks",
                                    "--links", "--histogram", "--trace", "--critical-path"});
    if (!common.model_only) return;
    common.engine = engines::EngineKind::flow;
    common.engine_is_chosen = false;
    const auto& names = request_.sweep.algorithms;
    if (std::ranges::find(names, workloads::best_name) != names.end())
      wrong("--algorithm", "auto:best needs simulated times, and --model-only has none",
            "--algorithm all has every formula");
  }

  void read_output() {
    read_output_files(request_);
    request_.ranks = file_of("--ranks");
    request_.sweep.common.want_traffic = request_.traffic.has_value();
    request_.sweep.common.want_ranks = request_.ranks.has_value();
    request_.confidence = parsed_.has("--confidence");
    request_.verbose = parsed_.has("--verbose");
    read_inside();
    refuse_repetitions(
        request_.sweep.common.benchmark,
        {"--traffic", "--ranks", "--links", "--histogram", "--trace", "--critical-path"});
    request_.format = read_format(request_.output);
    if (request_.confidence && request_.format == reports::Format::osu)
      wrong("--confidence", "has no effect on --format osu", "take --format csv");
    if (request_.sweep.common.inside.path) check_path_format(request_.format);
    if (request_.format == reports::Format::osu &&
        request_.sweep.common.engine == engines::EngineKind::ideal)
      wrong("--format", "osu prints times, and engine ideal has none", "take --format csv");
    if (request_.format == reports::Format::osu && request_.sweep.common.model_only)
      wrong("--format", "osu prints simulated times, and --model-only has none",
            "take --format csv");
  }

  void read_inside() {
    request_.links = file_of("--links");
    request_.histogram = file_of("--histogram");
    auto& inside = request_.sweep.common.inside;
    inside.links = request_.links.has_value();
    inside.histogram = request_.histogram.has_value();
    read_trace(request_.sweep.procs, request_, inside);
    if (request_.sweep.common.engine != engines::EngineKind::ideal) return;
    const auto& names = request_.sweep.algorithms;
    if (std::find(names.begin(), names.end(), workloads::best_name) != names.end())
      wrong("--algorithm", "auto:best needs times, and engine ideal has none",
            "take --engine flow");
    refuse({"--links", "--trace", "--critical-path", "--confidence", "--runs", "--exact-start",
            "--skew", "--noise", "--repetitions", "--benchmark"},
           "needs times, and engine ideal has none", "take --engine flow");
  }

  // What has no effect is worth a word; of an algorithm only if it did not come with `all`.
  void warn() {
    const auto& collective = request_.sweep.collective;
    if (parsed_.has("--root") && !algorithms::find_collective(collective)->rooted)
      request_.warnings.push_back(
          fmt::format("--root has no effect on {}: no rank is special", collective));
    warn_of_rules();
    warn_of_the_call();
    warn_of_requests();
    warn_of_profiles();
    if (all_algorithms_) return;
    for (const auto& name : request_.sweep.algorithms) {
      const auto* algorithm = algorithms::find_algorithm(collective, name);
      if (algorithm == nullptr) continue;
      if (parsed_.has("--segment-size") && !algorithm->segmented)
        request_.warnings.push_back(
            fmt::format("--segment-size has no effect on {}: it has no segments", name));
      if (parsed_.has("--noise") && algorithm->name == algorithms::hardware::name)
        request_.warnings.push_back("--noise has no effect on hardware: ranks only wait for it");
      if (parsed_.has("--fanout") && algorithm->default_fanout == 0)
        request_.warnings.push_back(fmt::format("{} has no effect on {}: its shape is fixed",
                                                parsed_.typed("--fanout"), name));
    }
  }

  // Rules decide segments and fan-out; what is asked for is for the others. Alone it is an error.
  void warn_of_rules() {
    const auto& names = request_.sweep.algorithms;
    if (std::ranges::all_of(names, is_by_rules)) return;
    for (const auto& name : names)
      for (const char* option : {"--segment-size", "--fanout"})
        if (is_by_rules(name) && parsed_.has(option))
          request_.warnings.push_back(fmt::format("{} has no effect on {}: the rules decide it",
                                                  parsed_.typed(option), name));
  }

  // Of an algorithm by its name, or of the collective if none of its algorithms limits them.
  void warn_of_requests() {
    if (!parsed_.has("--max-requests")) return;
    const auto& collective = request_.sweep.collective;
    const auto all = algorithms::algorithms_of(collective);
    if (std::ranges::none_of(all, &algorithms::Algorithm::limits_requests))
      return request_.warnings.push_back(fmt::format(
          "--max-requests has no effect on {}: none of its algorithms limits them", collective));
    if (all_algorithms_) return;
    for (const auto& name : request_.sweep.algorithms) {
      const auto* algorithm = algorithms::find_algorithm(collective, name);
      if (algorithm != nullptr && !algorithm->limits_requests)
        request_.warnings.push_back(
            fmt::format("--max-requests has no effect on {}: it does not limit them", name));
    }
  }

  // The library takes a profile for exactly so many processes as it says.
  void warn_of_profiles() {
    const auto& sweep = request_.sweep;
    if (!sweep.profiles) return;
    for (const auto procs : sweep.procs)
      if (sweep.profiles->find(sweep.collective, static_cast<int>(procs)) == nullptr)
        request_.warnings.push_back(fmt::format(
            "--profile: none is of {} for {}: nothing is replaced",
            studies::guidelines::mpi_name(sweep.collective), counted(procs, "process")));
  }

  void warn_of_the_call() {
    const auto& benchmark = request_.sweep.common.benchmark;
    const auto* collective = algorithms::find_collective(request_.sweep.collective);
    if (parsed_.has("--counts") && !collective->has_counts)
      request_.warnings.push_back(
          fmt::format("--counts has no effect on {}: all its blocks are equal", collective->name));
    if (parsed_.has("--non-commutative") && !collective->reduces)
      request_.warnings.push_back(
          fmt::format("--non-commutative has no effect on {}", collective->name));
    if (benchmark.repetitions > 1 && !benchmark.varies() && benchmark.harness == nullptr)
      request_.warnings.push_back(
          "--repetitions: one call is run, all would be equal without noise or random skew");
  }

  RunRequest request_;
  bool all_algorithms_ = false;
};

}  // namespace

std::vector<std::string> collective_names() {
  std::vector<std::string> names;
  for (const auto& collective : algorithms::all_collectives()) names.emplace_back(collective.name);
  return names;
}

std::vector<std::string> other_workload_names() { return {"write", "read", "pingpong", "loggp"}; }

std::optional<Error> no_accuracy(const RunRequest& request, const platforms::Machine& machine) {
  const std::string& collective = request.sweep.collective;
  if (!request.confidence || machine.accuracy.contains(collective) ||
      machine.accuracy.contains("all"))
    return std::nullopt;
  return usage_error(
      "--confidence",
      fmt::format("the accuracy of {} for {} was never measured", machine.name, collective),
      fmt::format("`sim validate measured FILE --platform ... --part accuracy` "
                  "prints accuracy/{} for its file",
                  collective));
}

Result<RunRequest> read_run(const Parsed& parsed) { return RunReading(parsed).read(); }

}  // namespace tutti::commands
