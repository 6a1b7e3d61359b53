// SPDX-License-Identifier: BSD-3-Clause
#include "sim/options/option_reader.hpp"

#include "platforms/parameters/keys.hpp"
#include "platforms/placing/map_words.hpp"
#include "sim/base/text_file.hpp"

namespace tutti::options {

Result<std::vector<platforms::Override>> read_overrides(const OptionValues& parsed) {
  std::vector<platforms::Override> overrides;
  std::vector<Error> errors;
  std::set<std::string> keys;
  for (const auto& text : parsed.values("--set")) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      errors.push_back(usage_error("--set", fmt::format("{} is not KEY=VALUE", in_quotes(text)),
                                   "for example --set mpi/eager_limit=12KiB"));
      continue;
    }
    const std::string key = text.substr(0, equals);
    if (!keys.insert(key).second)
      errors.push_back(usage_error("--set", fmt::format("{} is given twice", in_quotes(key)),
                                   "give each key once"));
    overrides.push_back({key, text.substr(equals + 1)});
  }
  if (parsed.has("--background")) {
    if (!keys.insert("mpi/background").second)
      errors.push_back(usage_error("--background", "'mpi/background' is given twice",
                                   "omit --background or --set mpi/background"));
    overrides.push_back({"mpi/background", parsed.value("--background")});
  }
  if (!errors.empty()) return errors;
  return overrides;
}

std::vector<std::string> platform_names() {
  const auto entries = platforms::catalog();
  return entries ? collect_names(*entries, [](const auto& entry) { return entry.name; })
                 : std::vector<std::string>{};
}

std::vector<std::string> assigned_keys() {
  auto keys = platforms::all_keys();
  for (auto& key : keys) key += '=';
  return keys;
}

void OptionReader::reject_arguments() {
  if (auto error = unexpected_argument(parsed_, "this command takes only options"))
    errors_.add(*std::move(error));
}

void OptionReader::reject_more_words() {
  if (parsed_.arguments.size() > 1)
    wrong("", fmt::format("unexpected argument {}", in_quotes(parsed_.arguments[1])),
          "name one workload only");
}

std::vector<std::string> OptionReader::names_of(std::string_view option, std::string otherwise,
                                                const std::vector<std::string>& names,
                                                bool has_all) {
  std::vector<std::string> chosen;
  for (const auto& word : split_words(parsed_.value_or(option, std::move(otherwise)), ',')) {
    if (has_all && word == "all") return names;
    if (std::ranges::find(names, word) == names.end())
      errors_.add(unknown_name(parsed_.typed(option), "name", word, names));
    else if (std::ranges::find(chosen, word) == chosen.end())
      chosen.push_back(word);
  }
  return chosen;
}

Result<const workloads::Harness*> read_harness(const OptionValues& parsed) {
  const workloads::Harness* harness = nullptr;
  if (!parsed.has("--benchmark")) return harness;
  const std::string& name = parsed.value("--benchmark");
  harness = workloads::find_harness(name);
  if (harness != nullptr || name == "none") return harness;
  return unknown_name(parsed.typed("--benchmark"), "benchmark", name,
                      collect_names(workloads::harnesses(), &workloads::Harness::name));
}

void OptionReader::add(std::string_view option, std::vector<Error> errors) {
  for (Error& error : errors) {
    if (error.place.empty()) error.place = parsed_.typed(option);
    errors_.add(std::move(error));
  }
}

std::optional<std::string> OptionReader::file_of(std::string_view option) {
  if (!parsed_.has(option)) return std::nullopt;
  if (parsed_.value(option) == "-")
    wrong(option, "cannot write to standard output, which is used by the report",
          "name a file; a file called '-' is ./-");
  return parsed_.value(option);
}

void OptionReader::read_machine(MachineRequest& request) {
  request.platform = parsed_.value_or("--platform", "");
  if (parsed_.has("--platform") && request.platform.empty())
    wrong("--platform", "needs the name of a platform", "`sim list platforms` lists the catalog");
  else if (!parsed_.has("--platform"))
    wrong("--platform", "is required", "a SimGrid XML file, or a name from `sim list platforms`");
  take("", read_overrides(parsed_), request.overrides);
}

void OptionReader::read_axis(std::string_view name, const AxisKind& kind,
                             std::vector<std::int64_t>& axis) {
  if (parsed_.has(name)) take(name, parse_axis(parsed_.value(name), kind), axis);
}

std::optional<std::pair<Bytes, Bytes>> OptionReader::pair_of(std::string_view option, Bytes least,
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
  wrong(std::string(option), fmt::format("invalid ROWSxCOLS {}", in_quotes(text)),
        fmt::format("expected two numbers from {} to {}, for example 12x48", least, most));
  return std::nullopt;
}

std::optional<std::int64_t> OptionReader::single(std::string_view option, const AxisKind& kind) {
  std::vector<std::int64_t> values;
  read_axis(option, kind, values);
  if (values.size() > 1)
    wrong(std::string(option), "takes one value",
          fmt::format("use one of {}", fmt::join(values, ", ")));
  return values.empty() ? std::nullopt : std::optional(values.front());
}

Result<platforms::Allocation> read_allocation(const std::string& value) {
  std::optional<std::string> content;
  if (const auto file = platforms::file_of_nodes(value); !file.empty())
    content = TUTTI_TRY(read_text_file(file));
  return platforms::named_nodes(value, content);
}

void OptionReader::read_placement(platforms::PlacementRequest& placement) {
  read_placement(placement, parsed_.value_or("--map", "block"));
}

void OptionReader::read_placement(platforms::PlacementRequest& placement, const std::string& map) {
  placement.oversubscribe = parsed_.has("--oversubscribe");
  read_nodes(placement);
  auto mapped = platforms::with_map(placement, map);
  if (!mapped) return add("--map", mapped.errors());
  placement = *std::move(mapped);
  if (placement.file.empty()) return;
  // The file is read once for all points: a pipe cannot be read twice.
  auto text = platforms::read_map_file(placement.file);
  if (!text) return add(text.errors());
  placement.map_text = std::make_shared<const std::string>(*std::move(text));
}

void OptionReader::read_nodes(platforms::PlacementRequest& placement) {
  if (parsed_.has("--allocation"))
    take("--allocation", platforms::parse_fragmentation(parsed_.value("--allocation")),
         placement.fragmentation);
  if (!parsed_.has("--nodes")) return;
  auto nodes = read_allocation(parsed_.value("--nodes"));
  if (!nodes) return add("--nodes", nodes.errors());
  placement.allocation = std::make_shared<const platforms::Allocation>(*std::move(nodes));
}

void OptionReader::read_contention(engines::Contention& contention) {
  const auto word = read_choice(parsed_, "--contention", {"on", "off", "private", "pooled"});
  if (!word) return add(word.errors());
  contention = *engines::contention_of(*word);
}

std::optional<engines::EngineKind> OptionReader::read_engine_name() {
  if (!parsed_.has("--engine")) return std::nullopt;
  auto names = engines::engine_names();
  names.emplace_back("auto");
  const auto name = read_choice(parsed_, "--engine", names);
  if (!name) add(name.errors());
  return name ? engines::engine_kind(*name) : std::nullopt;
}

void OptionReader::reject_what_only_flow_does(engines::EngineKind engine,
                                              engines::Contention contention) {
  const auto name = engines::engine_name(engine);
  const bool verifies = parsed_.has("--verify");
  if (verifies && engine != engines::EngineKind::flow)
    wrong("--verify",
          fmt::format("compares engine flow with SimGrid, so it does not apply to engine {}", name),
          "omit --engine or --verify");
  if (engine == engines::EngineKind::flow && !verifies) return;
  const std::string who = verifies ? "SimGrid" : fmt::format("engine {}", name);
  const std::string hint = verifies ? "omit --verify" : "use --engine flow";
  if (contention != engines::Contention::on)
    wrong("--contention", who + " always simulates contention", hint);
}

bool OptionReader::model_only(std::span<const OptionSpec> options) {
  if (!parsed_.has("--model-only")) return false;
  reject(options, &OptionNeeds::simulation, "has no effect with --model-only: nothing is simulated",
         "omit it");
  return true;
}

void OptionReader::reject_untimed(std::span<const OptionSpec> options) {
  if (parsed_.value_or("--engine", "") != engines::engine_name(engines::EngineKind::ideal)) return;
  reject(options, &OptionNeeds::times, "needs times, but engine ideal is untimed",
         "use --engine flow");
}

void OptionReader::reject(std::span<const OptionSpec> options, bool OptionNeeds::*need,
                          const std::string& why, const std::string& hint) {
  for (const OptionSpec& option : options)
    if (option.needs.*need && parsed_.has(option.name()))
      errors_.add_new({usage_error(parsed_.typed(option.name()), why, hint)});
}

void OptionReader::reject(std::initializer_list<std::string_view> options, const std::string& why,
                          const std::string& hint) {
  for (const auto option : options)
    if (parsed_.has(option)) wrong(option, why, hint);
}

void OptionReader::read_measurement(workloads::Benchmark& benchmark) {
  benchmark.repetitions = static_cast<int>(single("--repetitions", count_axis, 1));
  benchmark.repetitions_are_given = parsed_.has("--repetitions");
  benchmark.skew_is_given = parsed_.has("--skew");
  take("", read_harness(parsed_), benchmark.harness);
  if (parsed_.has("--skew"))
    take("", workloads::parse_skew(parsed_.value("--skew")), benchmark.skew);
  const auto* harness = benchmark.harness;
  if (harness != nullptr && !harness->before_each_call &&
      benchmark.skew.kind != workloads::SkewSpec::Kind::none)
    wrong("--skew", fmt::format("has no effect with --benchmark {}", harness->name),
          "it runs its calls back to back, without a barrier before each");
  if (parsed_.has("--noise"))
    take("", workloads::parse_noise(parsed_.value("--noise")), benchmark.noise);
}

void OptionReader::reject_repetitions(const workloads::Benchmark& benchmark,
                                      std::span<const OptionSpec> options) {
  if (benchmark.harness != nullptr)
    return reject(options, &OptionNeeds::one_call,
                  "shows a single call, but a benchmark makes several",
                  "omit --benchmark to run a single call");
  const int repetitions = benchmark.repetitions_run();
  if (repetitions == 1) return;
  reject(options, &OptionNeeds::one_call,
         fmt::format("shows a single call, but {} repetitions are run", repetitions),
         "omit --repetitions to run a single call with the same skew and noise");
}

}  // namespace tutti::options
