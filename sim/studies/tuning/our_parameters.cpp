// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/tuning/our_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "algorithms/collective.hpp"
#include "io_models/implementations/implementation.hpp"
#include "platforms/parameters/keys.hpp"
#include "sim/base/quote.hpp"
#include "sim/base/suggest.hpp"
#include "sim/base/utf8.hpp"
#include "sim/studies/tuning/mca_names.hpp"

namespace tutti::studies::tuning {
namespace {

enum class Takes : unsigned char { bytes, count, algorithm, implementation, word };
struct OurParameter {
  std::string_view name;
  Takes takes;
};
constexpr OurParameter of_collectives[] = {{"algorithm", Takes::algorithm},
                                           {"segment_size", Takes::bytes},
                                           {"fanout", Takes::count},
                                           {"max_requests", Takes::count}};
// As `sim sweep` names them.
constexpr OurParameter words[] = {{"aggregators", Takes::count},
                                  {"buffer_size", Takes::bytes},
                                  {"implementation", Takes::implementation},
                                  {"partitioning", Takes::word},
                                  {"aggregator_placement", Takes::word},
                                  {"stripe_size", Takes::bytes},
                                  {"map", Takes::word},
                                  {"ppn", Takes::count}};

template <class Table>
const OurParameter* find(const Table& table, std::string_view name) {
  const auto* found = std::ranges::find(table, name, &OurParameter::name);
  return found == std::end(table) ? nullptr : found;
}

std::vector<std::string> names_of_parameters() {
  std::vector<std::string> names;
  for (const auto& each : words) names.emplace_back(each.name);
  for (const auto* name : {"eager_limit", "intra_eager_limit"})
    names.push_back(fmt::format("mpi/{}", name));
  return names;
}

std::optional<Error> wrong(const store::NamedText& parameter, std::string message,
                           std::string hint = "") {
  return usage_error(parameter.name, std::move(message), std::move(hint));
}

std::optional<Error> check_algorithm(const store::NamedText& parameter,
                                     const std::string& collective) {
  if (algorithms::find_algorithm(collective, parameter.value) != nullptr) return std::nullopt;
  std::vector<std::string> names;
  for (const auto* each : algorithms::algorithms_of(collective)) names.emplace_back(each->name);
  return wrong(parameter,
               fmt::format("{} is no algorithm of {}", in_quotes(parameter.value), collective),
               did_you_mean(parameter.value, names, "`sim list algorithms` names them all"));
}

std::optional<Error> check_implementation(const store::NamedText& parameter) {
  if (io_models::find_implementation(parameter.value) != nullptr) return std::nullopt;
  std::vector<std::string> names;
  for (const auto* each : io_models::all_implementations()) names.emplace_back(each->name);
  return wrong(parameter, fmt::format("there is no implementation {}", in_quotes(parameter.value)),
               did_you_mean(parameter.value, names));
}

std::optional<Error> check_value(const store::NamedText& parameter, Takes takes,
                                 const std::string& collective) {
  switch (takes) {
    case Takes::bytes:
      if (const auto bytes = parse_bytes(parameter.value); !bytes)
        return wrong(parameter, bytes.error().message, bytes.error().hint);
      return std::nullopt;
    case Takes::count: {
      constexpr std::int64_t most = std::numeric_limits<int>::max();
      const auto count = parse_integer(parameter.value);
      if (count && *count >= 0 && *count <= most) return std::nullopt;
      return wrong(parameter,
                   fmt::format("{} is no number from 0 to {}", in_quotes(parameter.value), most));
    }
    case Takes::algorithm:
      return check_algorithm(parameter, collective);
    case Takes::implementation:
      return check_implementation(parameter);
    case Takes::word:
      break;
  }
  if (parameter.value.empty()) return wrong(parameter, "needs a value");
  return std::nullopt;
}

// A key of --set, as for a machine.
std::optional<Error> check_key(const store::NamedText& parameter) {
  platforms::Settings settings;
  settings.add_override({parameter.name, parameter.value, usage_error(parameter.name, "")});
  ErrorList errors;
  platforms::check_settings(settings, errors);
  if (errors.empty()) return std::nullopt;
  return errors.errors().front();
}

}  // namespace

bool is_our_word(std::string_view name) {
  return find(words, name) != nullptr || find(of_collectives, name) != nullptr;
}

std::string full_name(std::string_view name, std::string_view collective) {
  if (collective.empty() || find(of_collectives, name) == nullptr) return std::string(name);
  return fmt::format("{}/{}", collective, name);
}

std::optional<Error> check_kept_parameter(const store::NamedText& parameter) {
  constexpr std::string_view in_names =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/-.";
  const auto& [name, value] = parameter;
  if (name.empty() || name.find_first_not_of(in_names) != std::string::npos)
    return usage_error("", fmt::format("{} is no parameter's name", in_quotes(name)));
  if (printable(value) != value || first_not_utf8(value) || value.find('#') != std::string::npos)
    return wrong(parameter, fmt::format("{} is no value of a parameter", in_quotes(value)));
  return looks_like_mca(name) ? std::nullopt : check_parameter(parameter);
}

std::optional<Error> check_parameter(const store::NamedText& parameter) {
  if (const auto* word = find(words, parameter.name))
    return check_value(parameter, word->takes, "");
  const auto slash = parameter.name.find('/');
  const std::string group = parameter.name.substr(0, slash);
  if (slash == std::string::npos)
    return find(of_collectives, group) != nullptr
               ? wrong(parameter, "of which collective?",
                       fmt::format("bcast/{}, or give --collective", group))
               : wrong(parameter, "there is no such parameter",
                       did_you_mean(parameter.name, names_of_parameters(),
                                    "`sim params names` tells which there are"));
  if (algorithms::find_collective(group) == nullptr) return check_key(parameter);
  if (const auto* known = find(of_collectives, parameter.name.substr(slash + 1)))
    return check_value(parameter, known->takes, group);
  return wrong(parameter, fmt::format("a collective has no such parameter"),
               "there are: algorithm, segment_size, fanout, max_requests");
}

}  // namespace tutti::studies::tuning
