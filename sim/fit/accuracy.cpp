// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/accuracy.hpp"

#include <iterator>

#include "sim/base/quantile.hpp"

namespace tutti::studies {
namespace {

constexpr Bytes ranges[] = {0, 1024, 32 * 1024, 1024 * 1024};
constexpr std::size_t enough = 5;
constexpr double nine_of_ten = 0.9;

using LogsBySize = std::map<Bytes, std::vector<double>>;

void append(std::vector<double>& logs, const std::vector<double>& more) {
  logs.insert(logs.end(), more.begin(), more.end());
}

// Keyed by the lower end of each range; ranges with few times join the one below, the first one the
// one above.
LogsBySize by_range(const LogsBySize& by_size) {
  LogsBySize ranged;
  for (const auto& [bytes, logs] : by_size)
    append(ranged[*std::prev(std::lower_bound(ranges + 1, std::end(ranges), bytes))], logs);
  LogsBySize found;
  for (const auto& [above, logs] : ranged) {
    if (found.empty())
      found[0] = logs;
    else if (logs.size() < enough || found.rbegin()->second.size() < enough)
      append(found.rbegin()->second, logs);
    else
      found[above] = logs;
  }
  return found;
}

AccuracyParameter parameter_of(const std::string& collective, const LogsBySize& by_size) {
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
  std::map<std::string, LogsBySize> collectives;
  LogsBySize all;
  for (const auto& each : times) {
    const double log = std::abs(std::log(each.simulated_over_measured));
    collectives[each.collective][each.message_bytes].push_back(log);
    all[each.message_bytes].push_back(log);
  }
  std::vector<AccuracyParameter> found;
  for (const auto& [name, by_size] : collectives) found.push_back(parameter_of(name, by_size));
  // One collective does not represent the others.
  if (collectives.size() > 1) found.push_back(parameter_of("all", all));
  return found;
}

}  // namespace tutti::studies
