// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/our_parameters.hpp"

#include "algorithms/collective.hpp"
#include "io_models/implementations/implementation.hpp"
#include "io_models/partitioning.hpp"
#include "platforms/parameters/keys.hpp"
#include "platforms/placing/map_words.hpp"
#include "platforms/tunables.hpp"
#include "sim/options/axis.hpp"
#include "sim/params/mca_names.hpp"

namespace tutti::studies::tuning {
namespace {

std::optional<std::string> reason_without_effect(const std::string& mca_name) {
  for (const auto& parameter : platforms::open_mpi_parameters)
    if (parameter.name == mca_name && parameter.key.empty()) return std::string(parameter.reason);
  if (is_mca_name(mca_name)) return "the simulation does not model this parameter";
  return std::nullopt;
}

// Splits "bcast/algorithm" into option and workload; other names are options of all workloads.
KnownParameter split_workload(const std::string& name) {
  const auto slash = name.find('/');
  const std::string group = name.substr(0, slash);
  if (slash == name.npos || algorithms::find_collective(group) == nullptr) return {name, "", ""};
  return {name.substr(slash + 1), group, ""};
}

Result<std::string> algorithm_name(const std::string& collective, const std::string& value) {
  const auto number = parse_integer(value);
  if (!number) return value;
  if (*number == 0) return std::string(own_choice);
  for (const auto* algorithm : algorithms::algorithms_of(collective))
    if (algorithm->id == *number) return std::string(algorithm->name);
  return usage_error(
      "",
      fmt::format("unknown algorithm number {} for Open MPI's {}", in_quotes(value), collective),
      "`sim list algorithms` shows the numbers");
}

}  // namespace

KnownParameter known_parameter(const std::string& name) {
  const std::string mca_name = whole_mca_name(name);
  if (const auto ours = our_name(mca_name)) return split_workload(*ours);
  if (auto reason = reason_without_effect(mca_name)) return {"", "", *std::move(reason)};
  return split_workload(name);
}

Result<std::string> our_value(const std::string& mca_name, const std::string& value) {
  const auto ours = our_name(whole_mca_name(mca_name));
  if (!ours) return value;
  if (*ours == "map")
    return value == "slot" || value == "core" ? "block" : value == "node" ? "round-robin" : value;
  const auto slash = ours->find('/');
  if (ours->substr(slash + 1) == "algorithm") return algorithm_name(ours->substr(0, slash), value);
  return value;
}

std::optional<double> mca_number(const std::string& mca_name, const Cell& value) {
  const auto ours = our_name(whole_mca_name(mca_name));
  const auto slash = ours ? ours->find('/') : std::string::npos;
  if (slash == std::string::npos || ours->substr(slash + 1) != "algorithm") return number_of(value);
  const auto text = to_text(value);
  if (text == own_choice) return 0;
  const auto* algorithm = algorithms::find_algorithm(ours->substr(0, slash), text);
  return algorithm == nullptr ? number_of(value) : std::optional<double>(algorithm->id);
}

namespace {

// In the order of Category.
constexpr std::string_view category_words[] = {"network", "collective", "io", "placement"};

}  // namespace

std::vector<std::string> category_names() {
  return {std::begin(category_words), std::end(category_words)};
}

std::string_view category_name(Category category) {
  return category_words[static_cast<std::size_t>(category)];
}

std::optional<Category> parse_category(std::string_view name) {
  const auto* const word = std::ranges::find(category_words, name);
  if (word == std::end(category_words)) return std::nullopt;
  return static_cast<Category>(word - std::begin(category_words));
}

namespace {

std::optional<Error> wrong(const store::NamedText& parameter, std::string message,
                           std::string hint = "") {
  return usage_error(parameter.name, std::move(message), std::move(hint));
}

std::optional<Error> check_algorithm(const store::NamedText& parameter,
                                     const std::string& collective) {
  if (parameter.value == own_choice) return std::nullopt;
  if (algorithms::find_algorithm(collective, parameter.value) != nullptr) return std::nullopt;
  const auto names =
      collect_names(algorithms::algorithms_of(collective), &algorithms::Algorithm::name);
  return wrong(parameter,
               fmt::format("unknown algorithm {} for {}", in_quotes(parameter.value), collective),
               did_you_mean(parameter.value, names, "`sim list algorithms` lists all algorithms"));
}

std::optional<Error> check_implementation(const store::NamedText& parameter, const std::string&) {
  if (io_models::find_implementation(parameter.value) != nullptr) return std::nullopt;
  const auto names =
      collect_names(io_models::collective_implementations(), &io_models::Implementation::name);
  return wrong(parameter, fmt::format("unknown implementation {}", in_quotes(parameter.value)),
               did_you_mean(parameter.value, names,
                            fmt::format("expected one of: {}", fmt::join(names, ", "))));
}

template <const options::AxisKind& axis>
std::optional<Error> check_number(const store::NamedText& parameter, const std::string&) {
  const auto values = options::parse_axis(parameter.value, axis);
  if (!values) return wrong(parameter, values.error().message, values.error().hint);
  if (values->size() > 1) return wrong(parameter, "must be a single value");
  return std::nullopt;
}

// Checks a word by the function that parses it.
template <auto parse>
std::optional<Error> check_word(const store::NamedText& parameter, const std::string&) {
  if (const auto parsed = parse(parameter.value); !parsed)
    return wrong(parameter, parsed.error().message, parsed.error().hint);
  return std::nullopt;
}

struct OurParameter {
  std::string_view name;
  Category category;
  // Checks the value as `sim run` does. The second argument is the collective of the parameter;
  // empty for a parameter of all collectives.
  std::optional<Error> (*check)(const store::NamedText&, const std::string&);
};
constexpr OurParameter collective_parameters[] = {
    {"algorithm", Category::collective, check_algorithm},
    {"segment_size", Category::collective, check_number<options::bytes_axis>},
    {"fanout", Category::collective, check_number<options::count_axis>},
    {"max_requests", Category::collective, check_number<options::limit_axis>}};
// Under the names that `sim sweep` uses.
constexpr OurParameter words[] = {
    {"aggregators", Category::io, check_number<options::count_axis>},
    {"buffer_size", Category::io, check_number<options::some_bytes_axis>},
    {"implementation", Category::io, check_implementation},
    {"partitioning", Category::io, check_word<io_models::parse_partitioning>},
    {"aggregator_placement", Category::io, check_word<io_models::parse_aggregator_placement>},
    {"stripe_size", Category::io, check_number<options::some_bytes_axis>},
    {"map", Category::placement, check_word<platforms::parse_map_policy>},
    {"ppn", Category::placement, check_number<options::count_axis>}};

template <class Table>
const OurParameter* find(const Table& table, std::string_view name) {
  const auto* parameter = std::ranges::find(table, name, &OurParameter::name);
  return parameter == std::end(table) ? nullptr : parameter;
}

std::vector<std::string> names_without_collective() {
  auto names = collect_names(words, &OurParameter::name);
  names.insert(names.end(), {"mpi/eager_limit", "mpi/intra_eager_limit"});
  return names;
}

// Checks a key of --set as `sim run` does for a machine.
std::optional<Error> check_key(const store::NamedText& parameter) {
  platforms::Settings settings;
  settings.add_override({parameter.name, parameter.value, usage_error(parameter.name, "")});
  ErrorList errors;
  platforms::check_settings(settings, errors);
  if (errors.empty()) return std::nullopt;
  Error error = errors.errors().front();
  const std::string prefix = parameter.name + ": ";  // the place already contains the name
  if (error.message.starts_with(prefix)) error.message.erase(0, prefix.size());
  return error;
}

// One of Tutti's names without a '/': "aggregators", "segment_size".
const OurParameter* find_word(std::string_view name) {
  const auto* word = find(words, name);
  return word == nullptr ? find(collective_parameters, name) : word;
}

// The category of "mpi/eager_limit", "bcast/algorithm", "algorithm", "aggregators"; nothing if the
// name is not one of Tutti's parameters.
std::optional<Category> our_category(std::string_view name) {
  const auto slash = name.find('/');
  if (slash == name.npos) {
    const auto* word = find_word(name);
    return word == nullptr ? std::nullopt : std::optional(word->category);
  }
  if (algorithms::find_collective(std::string(name.substr(0, slash))) != nullptr) {
    const auto* known = find(collective_parameters, name.substr(slash + 1));
    return known == nullptr ? std::nullopt : std::optional(known->category);
  }
  if (!platforms::is_known_key(name)) return std::nullopt;
  return Category::network;  // keys of --set: messages, links
}

}  // namespace

bool looks_like_mca(std::string_view name) {
  if (name.find('/') != name.npos || find_word(name) != nullptr) return false;
  return name.find('_') != name.npos || is_mca_name(name);
}

std::optional<Category> parameter_category(std::string_view parameter) {
  return looks_like_mca(parameter) ? mca_category(parameter) : our_category(parameter);
}

std::string full_name(std::string_view name, std::string_view collective) {
  if (collective.empty() || find(collective_parameters, name) == nullptr) return std::string(name);
  return fmt::format("{}/{}", collective, name);
}

std::optional<Error> check_kept_parameter(const store::NamedText& parameter) {
  constexpr std::string_view in_names =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/-.";
  const auto& [name, value] = parameter;
  if (name.empty() || name.find_first_not_of(in_names) != std::string::npos)
    return usage_error("", fmt::format("invalid parameter name {}", in_quotes(name)),
                       "expected letters, digits, '_', '/', '-' and '.'");
  if (printable(value) != value || first_not_utf8(value) || value.find('#') != std::string::npos)
    return wrong(parameter, fmt::format("invalid parameter value {}", in_quotes(value)),
                 "expected one line of printable text without '#'");
  return looks_like_mca(name) ? std::nullopt : check_parameter(parameter);
}

std::optional<Error> check_parameter(const store::NamedText& parameter) {
  if (const auto* word = find(words, parameter.name)) return word->check(parameter, "");
  const auto slash = parameter.name.find('/');
  const std::string group = parameter.name.substr(0, slash);
  if (slash == std::string::npos)
    return find(collective_parameters, group) != nullptr
               ? wrong(parameter, "the parameter needs a collective",
                       fmt::format("use for example bcast/{}, or --collective", group))
               : wrong(parameter, "unknown parameter",
                       did_you_mean(parameter.name, names_without_collective(),
                                    "`sim params names` lists the parameters"));
  if (algorithms::find_collective(group) == nullptr) return check_key(parameter);
  if (const auto* known = find(collective_parameters, parameter.name.substr(slash + 1)))
    return known->check(parameter, group);
  return wrong(parameter, "unknown parameter of a collective",
               "expected one of: algorithm, segment_size, fanout, max_requests");
}

}  // namespace tutti::studies::tuning
