// SPDX-License-Identifier: BSD-3-Clause
// The words of a request for algorithms other than names: "auto:...", "all@SET".
#include "algorithms/selection/algorithm_sets.hpp"
#include "workloads/collective_call.hpp"

namespace tutti::workloads {

bool is_automatic(std::string_view algorithm) {
  return algorithm == "auto" || algorithm.starts_with("auto:");
}

namespace {

// True for NAME and NAME@SET.
bool is_with_set(std::string_view algorithm, std::string_view name) {
  return algorithm.substr(0, algorithm.find('@')) == name;
}

}  // namespace

bool is_best(std::string_view algorithm) { return is_with_set(algorithm, best_name); }

bool is_all(std::string_view algorithm) { return is_with_set(algorithm, all_name); }

std::string_view set_of(std::string_view algorithm) {
  const auto at = algorithm.find('@');
  return at == std::string_view::npos ? std::string_view() : algorithm.substr(at + 1);
}

std::optional<Error> check_set(std::string_view algorithm) {
  const bool is_named = algorithm.find('@') != std::string_view::npos;
  if (!is_named) return std::nullopt;  // without reading the rules, as most runs do
  const std::string_view set = set_of(algorithm);
  const auto known = algorithms::selection::algorithm_sets();
  if (std::ranges::find(known, set) != known.end()) return std::nullopt;
  return usage_error("--algorithm", fmt::format("unknown set of algorithms {}", in_quotes(set)),
                     did_you_mean(std::string(set), {known.begin(), known.end()},
                                  fmt::format("expected one of {}", fmt::join(known, ", "))));
}

std::optional<std::string_view> rules_file_of(std::string_view algorithm) {
  constexpr std::string_view prefix = "auto:rules=";
  if (!algorithm.starts_with(prefix)) return std::nullopt;
  return algorithm.substr(prefix.size());
}

}  // namespace tutti::workloads
