// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/model_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "sim/base/quantile.hpp"
#include "sim/studies/column.hpp"

namespace tutti::studies {
namespace {

struct PartOf {
  const char* name;
  std::optional<double> ModelError::*member;
};
constexpr std::array parts{
    PartOf{"links", &ModelError::links},     PartOf{"cards", &ModelError::cards},
    PartOf{"nodes", &ModelError::nodes},     PartOf{"protocol", &ModelError::protocol},
    PartOf{"formula", &ModelError::formula}, PartOf{"parameters", &ModelError::parameters}};

// One call beside one formula.
struct Entry {
  const CheckedCall* call;
  const Formula* formula;
  ModelError error;

  std::optional<double> relevant() const {
    return error.error ? error.error : error.contention_free_error;
  }
};

std::vector<Entry> entries_of(const std::vector<CheckedCall>& calls) {
  std::vector<Entry> entries;
  for (const auto& call : calls)
    for (const auto& formula : call.formulas)
      entries.push_back({&call, &formula, model_error(call.times, formula.times)});
  return entries;
}

std::string place_of(const CheckedCall& call, bool with_ppn) {
  return fmt::format("{}{} x {}", call.procs, with_ppn ? fmt::format("/{}", call.ppn) : "",
                     format_bytes(call.message_bytes));
}

// Values of one key together, in the order of their first ones.
template <class Value, class KeyOf>
std::vector<std::vector<const Value*>> grouped(const std::vector<Value>& values,
                                               const KeyOf& key_of) {
  std::vector<std::vector<const Value*>> groups;
  std::map<decltype(key_of(values.front())), std::size_t> numbers;
  for (const Value& value : values) {
    const auto [found, is_new] = numbers.try_emplace(key_of(value), groups.size());
    if (is_new) groups.emplace_back();
    groups[found->second].push_back(&value);
  }
  return groups;
}

struct Shares {
  std::array<double, parts.size()> of{};
  double sum = 0;
};

Shares shares_of(const std::vector<const Entry*>& group) {
  Shares shares;
  for (const auto* entry : group)
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const double part = std::fabs((entry->error.*parts[i].member).value_or(0));
      shares.of[i] += part;
      shares.sum += part;
    }
  return shares;
}

void add_shares(const std::vector<const Entry*>& group, std::vector<Cell>& row) {
  const Shares shares = shares_of(group);
  const bool known = shares.sum > 0;
  for (const double each : shares.of) row.push_back(known ? Cell(each / shares.sum) : Cell());
  const auto greatest = std::ranges::max_element(shares.of);
  row.push_back(known ? Cell(parts[static_cast<std::size_t>(greatest - shares.of.begin())].name)
                      : Cell());
}

// By which factor the two are apart, whichever is greater.
double apart(const Entry& entry) {
  const double ratio = entry.call->simulated_s() / entry.formula->time_s();
  return std::max(ratio, 1 / ratio);
}

std::vector<Cell> row_of_errors(const std::vector<const Entry*>& group, bool with_ppn) {
  std::vector<double> sizes, factors;
  const Entry* worst = nullptr;
  for (const auto* entry : group) {
    if (!entry->relevant() || entry->formula->time_s() <= 0) continue;
    sizes.push_back(std::fabs(*entry->relevant()));
    factors.push_back(entry->call->simulated_s() / entry->formula->time_s());
    if (worst == nullptr || apart(*entry) > apart(*worst)) worst = entry;
  }
  const Entry& first = *group.front();
  std::vector<Cell> row{first.call->collective, first.call->algorithm, first.formula->model,
                        static_cast<std::int64_t>(sizes.size())};
  if (worst == nullptr)
    row.insert(row.end(), 6, Cell());
  else
    row.insert(row.end(), {median_of(sizes), quantile_of(sizes, 0.9), *worst->relevant(),
                           worst->call->simulated_s() / worst->formula->time_s(),
                           place_of(*worst->call, with_ppn), median_of(factors)});
  add_shares(group, row);
  return row;
}

// ---- ranking ----

constexpr double least_difference = 0.01;        // of simulated times
constexpr double least_model_difference = 1e-9;  // below it formulas are equal: rounding

bool is_below(double a, double b, double difference) { return a < b * (1 - difference); }

struct Setting {
  std::vector<const Entry*> rivals;  // one model
  std::int64_t pairs = 0;
  std::int64_t right = 0;
  const Entry* best = nullptr;
  const Entry* choice = nullptr;

  double regret() const { return choice->call->simulated_s() / best->call->simulated_s() - 1; }
};

void count_pair(const Entry& a, const Entry& b, Setting& setting) {
  const auto [faster, slower] =
      a.call->simulated_s() < b.call->simulated_s() ? std::pair(&a, &b) : std::pair(&b, &a);
  if (!is_below(faster->call->simulated_s(), slower->call->simulated_s(), least_difference)) return;
  ++setting.pairs;
  setting.right +=
      is_below(faster->formula->time_s(), slower->formula->time_s(), least_model_difference);
}

// Of equal formulas the one that takes longest: nothing in the model speaks against it.
bool is_chosen_before(const Entry& a, const Entry& b) {
  const Seconds a_s = a.formula->time_s(), b_s = b.formula->time_s();
  if (is_below(a_s, b_s, least_model_difference)) return true;
  return !is_below(b_s, a_s, least_model_difference) &&
         a.call->simulated_s() > b.call->simulated_s();
}

Setting setting_of(std::vector<const Entry*> rivals) {
  Setting setting{.rivals = std::move(rivals)};
  for (std::size_t i = 0; i < setting.rivals.size(); ++i) {
    const Entry* entry = setting.rivals[i];
    for (std::size_t j = 0; j < i; ++j) count_pair(*setting.rivals[j], *entry, setting);
    if (setting.best == nullptr || entry->call->simulated_s() < setting.best->call->simulated_s())
      setting.best = entry;
    if (setting.choice == nullptr || is_chosen_before(*entry, *setting.choice))
      setting.choice = entry;
  }
  return setting;
}

// Those with several algorithms, which take time.
std::vector<Setting> settings_of(const std::vector<Entry>& entries) {
  std::vector<Setting> settings;
  for (auto& rivals : grouped(entries, [](const Entry& entry) {
         const CheckedCall& call = *entry.call;
         return std::tuple(call.collective, call.procs, call.ppn, call.map, call.message_bytes,
                           entry.formula->model);
       })) {
    std::erase_if(rivals, [](const Entry* each) { return each->call->simulated_s() <= 0; });
    if (rivals.size() > 1) settings.push_back(setting_of(std::move(rivals)));
  }
  return settings;
}

std::vector<Cell> row_of_ranking(const std::vector<const Setting*>& group, bool with_ppn) {
  std::vector<double> regrets;
  std::int64_t pairs = 0, right = 0, best = 0;
  const Setting* worst = group.front();
  for (const auto* setting : group) {
    pairs += setting->pairs;
    right += setting->right;
    regrets.push_back(setting->regret());
    best += regrets.back() <= least_difference;
    if (setting->regret() > worst->regret()) worst = setting;
  }
  const Entry& first = *group.front()->choice;
  return {first.call->collective,
          first.formula->model,
          static_cast<std::int64_t>(group.size()),
          pairs,
          right,
          pairs > 0 ? Cell(static_cast<double>(right) / static_cast<double>(pairs)) : Cell(),
          best,
          median_of(regrets),
          quantile_of(regrets, 0.9),
          worst->regret(),
          place_of(*worst->choice->call, with_ppn),
          worst->choice->call->algorithm,
          worst->best->call->algorithm};
}

}  // namespace

bool ppn_varies(const std::vector<CheckedCall>& calls) {
  std::map<std::int64_t, std::int64_t> ppn_of;
  return std::ranges::any_of(calls, [&](const CheckedCall& call) {
    return ppn_of.try_emplace(call.procs, call.ppn).first->second != call.ppn;
  });
}

Table model_points(const std::vector<CheckedCall>& calls) {
  Table table{.columns = {"collective", "algorithm", "procs", "nodes", "ppn", "map",
                          "message_bytes", "model", "model_set", "time_s", "contention_free_s",
                          "own_cards_s", "one_rank_nodes_s", "all_eager_s", "model_s",
                          "simulated_over_model", "relative_error", "contention_free_error"},
              .rows = {}};
  for (const auto& part : parts) table.columns.push_back(fmt::format("{}_part", part.name));
  for (const Entry& entry : entries_of(calls)) {
    const CheckedCall& call = *entry.call;
    const ModelTimes& times = call.times;
    std::vector<Cell> row{
        call.collective, call.algorithm,     call.procs,           call.nodes,        call.ppn,
        call.map,        call.message_bytes, entry.formula->model, entry.formula->set};
    for (const auto& time_s : {times.time_s, times.contention_free_s, times.private_s,
                               times.one_rank_nodes_s, times.eager_s})
      row.push_back(cell(time_s));
    row.push_back(entry.formula->time_s());
    row.push_back(entry.formula->time_s() > 0 ? Cell(call.simulated_s() / entry.formula->time_s())
                                              : Cell());
    row.push_back(cell(entry.error.error));
    row.push_back(cell(entry.error.contention_free_error));
    for (const auto& part : parts) row.push_back(cell(entry.error.*part.member));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table model_errors(const std::vector<CheckedCall>& calls) {
  Table table{.columns = {"collective", "algorithm", "model", "calls", "median_error", "p90_error",
                          "worst_error", "worst_simulated_over_model", "worst_at",
                          "median_simulated_over_model"},
              .rows = {}};
  for (const auto& part : parts) table.columns.push_back(fmt::format("{}_share", part.name));
  table.columns.emplace_back("mostly");
  const auto entries = entries_of(calls);
  for (const auto& group : grouped(entries, [](const Entry& entry) {
         return std::tuple(entry.call->collective, entry.call->algorithm, entry.formula->model);
       }))
    table.rows.push_back(row_of_errors(group, ppn_varies(calls)));
  return table;
}

Table model_ranking(const std::vector<CheckedCall>& calls) {
  Table table{.columns = {"collective", "model", "settings", "pairs", "pairs_right", "right_part",
                          "choice_is_best", "median_regret", "p90_regret", "worst_regret",
                          "worst_at", "worst_choice", "worst_best"},
              .rows = {}};
  const auto entries = entries_of(calls);
  const auto settings = settings_of(entries);
  for (const auto& group : grouped(settings, [](const Setting& setting) {
         return std::pair(setting.choice->call->collective, setting.choice->formula->model);
       }))
    table.rows.push_back(row_of_ranking(group, ppn_varies(calls)));
  return table;
}

Table model_choices(const std::vector<CheckedCall>& calls) {
  Table table{.columns = {"collective", "procs", "ppn", "message_bytes", "model", "best",
                          "best_time_s", "choice", "choice_time_s", "regret"},
              .rows = {}};
  const auto entries = entries_of(calls);
  for (const auto& setting : settings_of(entries)) {
    const CheckedCall& best = *setting.best->call;
    const CheckedCall& choice = *setting.choice->call;
    table.rows.push_back({best.collective, best.procs, best.ppn, best.message_bytes,
                          setting.choice->formula->model, best.algorithm, best.simulated_s(),
                          choice.algorithm, choice.simulated_s(), setting.regret()});
  }
  return table;
}

}  // namespace tutti::studies
