// SPDX-License-Identifier: BSD-3-Clause
#include "sim/commands/job_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "platforms/map_file.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/split.hpp"
#include "sim/base/suggest.hpp"
#include "sim/commands/output.hpp"
#include "sim/commands/overrides.hpp"
#include "sim/commands/rank_list.hpp"

namespace tutti::commands {
namespace {

constexpr runtime::RankId first_traced = 64;  // the first so many, unless others are named

}  // namespace

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (const auto word : split(text, ',')) words.emplace_back(word);
  return words;
}

void JobReading::refuse_arguments() {
  if (auto error = unexpected_argument(parsed_, "everything is said by options"))
    errors_.add(*std::move(error));
}

std::vector<std::string> JobReading::names_of(std::string_view option, std::string otherwise,
                                              const std::vector<std::string>& names, bool has_all) {
  std::vector<std::string> found;
  for (const auto& word : words_of(value_of(option, std::move(otherwise)))) {
    if (has_all && word == "all") return names;
    if (std::ranges::find(names, word) == names.end())
      wrong(std::string(option), fmt::format("{} is none of these", in_quotes(word)),
            did_you_mean(word, names, fmt::format("there are: {}", fmt::join(names, ", "))));
    else if (std::ranges::find(found, word) == found.end())
      found.push_back(word);
  }
  return found;
}

Result<const workloads::Harness*> harness_of(const Parsed& parsed) {
  const workloads::Harness* harness = nullptr;
  if (!parsed.has("--benchmark")) return harness;
  const std::string& name = parsed.value("--benchmark");
  harness = workloads::find_harness(name);
  if (harness != nullptr || name == "none") return harness;
  std::vector<std::string> names;
  for (const auto& each : workloads::harnesses()) names.emplace_back(each.name);
  return usage_error(
      parsed.typed("--benchmark"), fmt::format("unknown benchmark {}", in_quotes(name)),
      did_you_mean(name, names, fmt::format("there are: {}", fmt::join(names, ", "))));
}

void JobReading::add(std::string_view option, std::vector<Error> errors) {
  for (Error& error : errors) {
    error.place = parsed_.typed(option);
    errors_.add(std::move(error));
  }
}

void JobReading::read_machine(JobRequest& request) {
  request.platform = parsed_.has("--platform") ? parsed_.value("--platform") : "";
  if (parsed_.has("--platform") && request.platform.empty())
    wrong("--platform", "needs the name of a platform", "`sim list platforms` names them");
  else if (!parsed_.has("--platform"))
    wrong("--platform", "is required", "a SimGrid XML file, or a name of `sim list platforms`");
  auto read = read_overrides(parsed_);
  if (read)
    request.overrides = *std::move(read);
  else
    add(read.errors());
}

void JobReading::read_axis(std::string_view name, const studies::AxisKind& kind,
                           std::vector<std::int64_t>& axis) {
  if (!parsed_.has(name)) return;
  auto values = studies::parse_axis(parsed_.value(name), kind);
  if (values)
    axis = std::move(*values);
  else
    add(name, values.errors());
}

std::optional<std::pair<Bytes, Bytes>> JobReading::pair_of(std::string_view option, Bytes least,
                                                           Bytes most) {
  const std::string& text = parsed_.value(option);
  const auto parts = split(text, 'x');
  const auto number = [&](std::string_view part) -> std::optional<Bytes> {
    const bool negative = least < 0 && part.starts_with('-');
    const auto value = parse_bytes(negative ? part.substr(1) : part);
    if (!value) return std::nullopt;
    const Bytes signed_value = negative ? -*value : *value;
    return signed_value >= least && signed_value <= most ? std::optional(signed_value)
                                                         : std::nullopt;
  };
  if (parts.size() == 2) {
    const auto first = number(parts[0]);
    const auto second = number(parts[1]);
    if (first && second) return std::pair(*first, *second);
  }
  wrong(std::string(option), fmt::format("{} are no rows and columns", in_quotes(text)),
        fmt::format("ROWSxCOLS, each from {} to {}, as 12x48", least, most));
  return std::nullopt;
}

std::int64_t JobReading::single(std::string_view option, const studies::AxisKind& kind,
                                std::int64_t otherwise) {
  std::vector<std::int64_t> values{otherwise};
  read_axis(option, kind, values);
  if (values.size() > 1) wrong(std::string(option), "takes one value");
  return values.front();
}

void JobReading::read_placement(platforms::PlacementRequest& placement) {
  read_placement(placement, value_of("--map", "block"));
}

void JobReading::read_placement(platforms::PlacementRequest& placement, const std::string& map) {
  placement.oversubscribe = parsed_.has("--oversubscribe");
  const auto policy = platforms::parse_map_policy(map);
  if (!policy) return add("--map", policy.errors());
  placement.policy = *policy;
  if (*policy != platforms::MapPolicy::file) return;
  placement.file = map.substr(platforms::map_file_prefix.size());
  // Once for all points: a pipe has nothing more to say the second time.
  auto text = platforms::read_map_file(placement.file);
  if (!text) return add(text.errors());
  placement.map_text = std::make_shared<const std::string>(*std::move(text));
}

void JobReading::read_contention(engines::Contention& contention) {
  if (!parsed_.has("--contention")) return;
  const std::string& word = parsed_.value("--contention");
  const auto named = engines::contention_of(word);
  if (!named)
    return wrong("--contention",
                 fmt::format("{} is none of on, off, private, pooled", in_quotes(word)),
                 did_you_mean(word, {"on", "off", "private", "pooled"}));
  contention = *named;
}

std::optional<engines::EngineKind> JobReading::read_engine_name() {
  const std::string name = parsed_.has("--engine") ? parsed_.value("--engine") : "auto";
  if (name == "auto") return std::nullopt;
  const auto kind = engines::engine_kind(name);
  auto names = engines::engine_names();
  names.emplace_back("auto");
  if (!kind)
    wrong("--engine", fmt::format("unknown engine {}", in_quotes(name)),
          did_you_mean(name, names, fmt::format("there are: {}", fmt::join(names, ", "))));
  return kind;
}

double JobReading::read_merge_window() {
  if (!parsed_.has("--merge-window")) return 0;
  constexpr double most = 0.01;
  const auto part = parse_number(parsed_.value("--merge-window"));
  if (part && *part >= 0 && *part <= most) return *part;
  wrong("--merge-window",
        fmt::format("{} is no part of a transfer", in_quotes(parsed_.value("--merge-window"))),
        fmt::format("a number from 0 to {}, as 1e-4", most));
  return 0;
}

void JobReading::refuse_what_only_flow_does(engines::EngineKind engine,
                                            engines::Contention contention, double merge_window) {
  if (engine == engines::EngineKind::flow) return;
  const auto name = engines::engine_name(engine);
  if (contention != engines::Contention::on)
    wrong("--contention", fmt::format("engine {} does not do without", name), "take engine flow");
  if (merge_window > 0)
    wrong("--merge-window", fmt::format("engine {} merges nothing", name), "take engine flow");
}

bool JobReading::model_only(std::initializer_list<const char*> of_simulations) {
  if (!parsed_.has("--model-only")) return false;
  refuse(of_simulations, "has no effect with --model-only: nothing is simulated", "leave it out");
  return true;
}

void JobReading::refuse(std::initializer_list<const char*> options, const std::string& why,
                        const std::string& hint) {
  for (const char* option : options)
    if (parsed_.has(option)) wrong(option, why, hint);
}

void JobReading::read_measurement(workloads::Benchmark& benchmark) {
  benchmark.repetitions = static_cast<int>(single("--repetitions", count_axis, 1));
  benchmark.repetitions_are_given = parsed_.has("--repetitions");
  benchmark.skew_is_given = parsed_.has("--skew");
  if (const auto harness = harness_of(parsed_))
    benchmark.harness = *harness;
  else
    add(harness.errors());
  if (parsed_.has("--skew")) {
    if (auto skew = workloads::parse_skew(parsed_.value("--skew")))
      benchmark.skew = *std::move(skew);
    else
      add(skew.errors());
  }
  const auto* harness = benchmark.harness;
  if (harness != nullptr && !harness->before_each_call &&
      benchmark.skew.kind != workloads::SkewSpec::Kind::none)
    wrong("--skew", fmt::format("has no effect as {} measures", harness->name),
          "its calls follow each other: no barrier comes before each");
  if (!parsed_.has("--noise")) return;
  if (const auto noise = workloads::parse_noise(parsed_.value("--noise")))
    benchmark.noise = *noise;
  else
    add(noise.errors());
}

void JobReading::refuse_repetitions(const workloads::Benchmark& benchmark,
                                    std::initializer_list<const char*> options) {
  if (benchmark.harness != nullptr)
    return refuse(options, "shows one call; a benchmark makes several",
                  "leave out --benchmark: one call is run");
  const int repetitions = benchmark.repetitions_run();
  if (repetitions == 1) return;
  refuse(options, fmt::format("shows one call; these are {} repetitions", repetitions),
         "leave out --repetitions: one call is run, with the same skew and noise");
}

void JobReading::read_trace(const std::vector<std::int64_t>& procs, JobRequest& request,
                            studies::InsideRequest& inside) {
  request.trace = file_of("--trace");
  inside.path = parsed_.has("--critical-path");
  if (request.trace) inside.trace = {{0, first_traced - 1}};
  if (!parsed_.has("--trace-ranks")) return;
  if (!request.trace) wrong("--trace-ranks", "says which ranks --trace shows", "add --trace FILE");
  auto ranks = parse_ranks(parsed_.value("--trace-ranks"));
  if (!ranks) return wrong("--trace-ranks", ranks.error().message, ranks.error().hint);
  // More than one number of processes is refused later.
  if (!procs.empty() && ranks->back().last >= procs.front())
    wrong("--trace-ranks",
          fmt::format("there is no rank {}: the job has {} processes", ranks->back().last,
                      procs.front()),
          fmt::format("the last one is {}", procs.front() - 1));
  inside.trace = *std::move(ranks);
  request.names_trace_ranks = true;
}

void JobReading::check_path_format(reports::Format format) {
  if (format != reports::Format::text && format != reports::Format::json &&
      format != reports::Format::jsonl)
    wrong("--critical-path", "has no place in this format", "take --format text, json or jsonl");
}

std::optional<std::string> JobReading::file_of(std::string_view name) {
  if (!parsed_.has(name)) return std::nullopt;
  const std::string& path = parsed_.value(name);
  if (path == "-")
    wrong(std::string(name), "'-' is no file", "standard output is for the report; ./- is a file");
  return path;
}

void JobReading::read_output_files(JobRequest& request) {
  // "-" is standard output, where the report goes anyway.
  if (parsed_.has("--output") && parsed_.value("--output") != "-")
    request.output = file_of("--output");
  request.traffic = file_of("--traffic");
  request.with_cost = !parsed_.has("--no-cost");
  request.force = parsed_.has("--force");
}

reports::Format JobReading::read_format(const std::optional<std::string>& output) {
  const auto names = reports::format_names();
  std::optional<reports::Format> format;
  if (parsed_.has("--format")) {
    const std::string& name = parsed_.value("--format");
    format = reports::format_of(name);
    if (!format)
      wrong("--format", fmt::format("unknown format {}", in_quotes(name)),
            did_you_mean(name, names, fmt::format("there are: {}", fmt::join(names, ", "))));
  } else if (output) {
    format = names_device(*output) ? reports::Format::text : reports::format_of_file(*output);
    if (!format)
      wrong("--output", fmt::format("no format goes by the extension of {}", in_quotes(*output)),
            "use .txt .csv .json .jsonl .osu .md, or say --format");
  }
  return format.value_or(reports::Format::text);
}

}  // namespace tutti::commands
