// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/measured/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/base/quantile.hpp"

namespace tutti::studies {
namespace {

constexpr Bytes ranges[] = {0, 1024, 32 * 1024, 1024 * 1024};
constexpr std::size_t enough = 5;
constexpr double nine_of_ten = 0.9;

// By the range's lower end; ranges with few times join the one below, the first the one above.
std::map<Bytes, std::vector<double>> by_range(const std::map<Bytes, std::vector<double>>& by_size) {
  std::map<Bytes, std::vector<double>> found;
  for (const Bytes above : ranges) {
    std::vector<double> logs;
    for (const auto& [bytes, of_size] : by_size) {
      const bool is_first = above == 0;
      const Bytes* next = std::ranges::upper_bound(ranges, above);
      const bool is_below = next == std::end(ranges) || bytes <= *next;
      if (is_below && (is_first || bytes > above))
        logs.insert(logs.end(), of_size.begin(), of_size.end());
    }
    if (logs.empty()) continue;
    const bool joins =
        !found.empty() && (logs.size() < enough || found.rbegin()->second.size() < enough);
    auto& into = joins ? found.rbegin()->second : found[found.empty() ? 0 : above];
    into.insert(into.end(), logs.begin(), logs.end());
  }
  return found;
}

AccuracyParameter parameter_of(const std::string& collective,
                               const std::map<Bytes, std::vector<double>>& by_size) {
  AccuracyParameter made{.key = "accuracy/" + collective, .value = {}};
  for (const auto& [above, logs] : by_range(by_size)) {
    const double factor = std::ceil(1000 * std::exp(quantile_of(logs, nine_of_ten))) / 1000;
    made.value += fmt::format("{}{}:{:.3f}", made.value.empty() ? "" : ";", above, factor);
    made.rows += static_cast<std::int64_t>(logs.size());
  }
  return made;
}

}  // namespace

std::vector<AccuracyParameter> accuracy_parameters(const std::vector<ComparedTime>& times) {
  using BySize = std::map<Bytes, std::vector<double>>;
  std::map<std::string, BySize> collectives;
  BySize all;
  for (const auto& each : times) {
    const double log = std::abs(std::log(each.simulated_over_measured));
    collectives[each.collective][each.message_bytes].push_back(log);
    all[each.message_bytes].push_back(log);
  }
  std::vector<AccuracyParameter> found;
  for (const auto& [name, by_size] : collectives) found.push_back(parameter_of(name, by_size));
  if (!times.empty()) found.push_back(parameter_of("all", all));
  return found;
}

}  // namespace tutti::studies
