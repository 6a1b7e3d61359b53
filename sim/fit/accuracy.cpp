// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/accuracy.hpp"

#include <iterator>

#include "sim/base/quantile.hpp"

namespace tutti::studies {
namespace {

constexpr Bytes size_ranges[] = {0, 1024, 32 * 1024, 1024 * 1024};
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
    append(ranged[*std::prev(std::lower_bound(size_ranges + 1, std::end(size_ranges), bytes))],
           logs);
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

// `alternatives` are predictions of the same times: the least accurate of them counts in each
// range.
AccuracyParameter parameter_of(const std::string& collective,
                               const std::vector<LogsBySize>& alternatives) {
  AccuracyParameter made{.key = "accuracy/" + collective, .value = {}};
  std::map<Bytes, double> factors;
  for (const auto& by_size : alternatives) {
    made.rows = 0;
    for (const auto& [above, logs] : by_range(by_size)) {
      auto& factor = factors.try_emplace(above, 1).first->second;
      factor = std::max(factor, std::exp(quantile_of(logs, nine_of_ten)));
      made.rows += static_cast<std::int64_t>(logs.size());
    }
  }
  for (const auto& [above, factor] : factors)
    made.value += fmt::format("{}{}:{:.3f}", made.value.empty() ? "" : ";", above,
                              std::ceil(1000 * factor) / 1000);
  return made;
}

template <class Member>
auto largest(const std::vector<ComparedTime>& times, Member member) {
  return std::invoke(member, *std::ranges::max_element(times, {}, member));
}

std::size_t least_runs(const std::vector<ComparedTime>& times) {
  std::map<std::string, std::set<std::string>> runs;
  for (const auto& time : times) runs[time.collective].insert(time.run);
  const auto count = [](const auto& of_collective) { return of_collective.second.size(); };
  return count(*std::ranges::min_element(runs, {}, count));
}

// The jobs for which the factors are valid.
void add_jobs(const std::vector<ComparedTime>& times, std::vector<AccuracyParameter>& parameters) {
  const auto add = [&](const char* key, auto value) {
    parameters.push_back({key, fmt::format("{}", value), static_cast<std::int64_t>(times.size())});
  };
  add("accuracy/nodes", largest(times, &ComparedTime::nodes));
  add("accuracy/ppn", largest(times, &ComparedTime::ppn));
  add("accuracy/message_size", largest(times, &ComparedTime::message_bytes));
  add("accuracy/runs", least_runs(times));
}

}  // namespace

ComparedTime compared_time(const MeasuredCollective& row, double simulated_over_measured) {
  return {row.collective, row.message_bytes, simulated_over_measured,
          row.nodes(),    row.ppn,           row.run};
}

std::vector<AccuracyParameter> accuracy_parameters(
    const std::vector<std::vector<ComparedTime>>& alternatives) {
  std::map<std::string, std::vector<LogsBySize>> collectives;
  std::vector<LogsBySize> all(alternatives.size());
  for (std::size_t i = 0; i < alternatives.size(); ++i)
    for (const auto& time : alternatives[i]) {
      const double log = std::abs(std::log(time.simulated_over_measured));
      auto& of_collective = collectives[time.collective];
      of_collective.resize(alternatives.size());
      of_collective[i][time.message_bytes].push_back(log);
      all[i][time.message_bytes].push_back(log);
    }
  std::vector<AccuracyParameter> found;
  for (const auto& [name, by_size] : collectives) found.push_back(parameter_of(name, by_size));
  // One collective does not represent the others.
  if (collectives.size() > 1) found.push_back(parameter_of("all", all));
  if (!found.empty()) add_jobs(alternatives.front(), found);
  return found;
}

Ranking ranking_of(const std::vector<RankedTime>& times, double clearly) {
  constexpr double near_best = 1.02;
  const auto median = [](const std::vector<RankedTime>& repeated, Seconds RankedTime::*member) {
    std::vector<Seconds> values;
    for (const auto& time : repeated) values.push_back(time.*member);
    return median_of(std::move(values));
  };
  std::map<std::pair<RankedCall, std::string>, std::vector<RankedTime>> repetitions;
  for (const auto& time : times) repetitions[{time.call, time.algorithm}].push_back(time);
  std::map<RankedCall, std::vector<RankedTime>> calls;
  for (const auto& [key, repeated] : repetitions)
    calls[key.first].push_back({key.first, key.second, median(repeated, &RankedTime::measured_s),
                                median(repeated, &RankedTime::predicted_s)});
  Ranking ranking;
  for (const auto& [call, algorithms] : calls) {
    if (algorithms.size() < 2) continue;
    for (const auto& slow : algorithms)
      for (const auto& fast : algorithms) {
        if (slow.measured_s <= clearly * fast.measured_s) continue;
        ++ranking.pairs;
        ranking.right_pairs += slow.predicted_s > fast.predicted_s;
      }
    const auto best = std::ranges::min_element(algorithms, {}, &RankedTime::measured_s);
    const auto chosen = std::ranges::min_element(algorithms, {}, &RankedTime::predicted_s);
    const double ratio = chosen->measured_s / best->measured_s;
    ++ranking.settings;
    ranking.best_found += ratio <= near_best;
    ranking.mean_regret += ratio - 1;
    ranking.largest_regret = std::max(ranking.largest_regret, ratio - 1);
  }
  if (ranking.settings > 0) ranking.mean_regret /= static_cast<double>(ranking.settings);
  return ranking;
}

}  // namespace tutti::studies
