// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/decision.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "algorithms/selection/rules.hpp"
#include "sim/base/check.hpp"
#include "sim/base/error_list.hpp"
#include "sim/base/suggest.hpp"
#include "sim/base/units.hpp"

namespace tutti::algorithms::selection {
namespace {

Error unknown_rule_set(std::string_view name) {
  std::string known;
  std::vector<std::string> names;
  for (const std::string_view set : rule_sets()) {
    names.emplace_back(set);
    known += (known.empty() ? "" : ", ") + names.back();
  }
  return usage_error("", "unknown decision rules '" + std::string(name) + "'",
                     did_you_mean(name, names, "known are: " + known));
}

Error no_table(std::string_view rule_set, std::string_view collective) {
  return usage_error("",
                     "the decision rules " + std::string(rule_set) + " have no table for " +
                         std::string(collective),
                     "name an algorithm, or 'all'");
}

// For operations that are not commutative Open MPI may have rules of their own.
const RuleTable* table_for(const RuleSet& set, const Query& query) {
  const auto find = [&](const std::string& name) {
    const auto table = std::ranges::find(set.tables, name, &RuleTable::collective);
    return table == set.tables.end() ? nullptr : &*table;
  };
  const std::string name(query.collective);
  if (query.commutative) return find(name);
  const RuleTable* own = find(name + "_noncommutative");
  return own != nullptr ? own : find(name);
}

const Rule& matching_rule(const RuleTable& table, Query query) {
  if (table.whole_result) query.message_bytes *= query.procs;
  const auto rule = std::ranges::find_if(
      table.rules, [&](const Rule& candidate) { return candidate.holds(query); });
  TUTTI_CHECK(rule != table.rules.end(), "decision rules with a gap: " + table.collective);
  return *rule;
}

}  // namespace

std::vector<std::string_view> rule_sets() {
  std::vector<std::string_view> names;
  for (const RuleSet& set : all_rule_sets()) names.push_back(set.name);
  return names;
}

Result<Choice> choose(std::string_view rule_set, const Query& query) {
  TUTTI_CHECK(query.procs >= 1, "decision rules need at least one process");
  const auto set = std::ranges::find(all_rule_sets(), rule_set, &RuleSet::name);
  if (set == all_rule_sets().end()) return unknown_rule_set(rule_set);
  const RuleTable* table = table_for(*set, query);
  if (table == nullptr) return no_table(rule_set, query.collective);
  const Rule& rule = matching_rule(*table, query);
  const Algorithm* algorithm = find_algorithm(query.collective, rule.algorithm);
  TUTTI_CHECK(algorithm != nullptr, "rules choose what is not there: " + rule.algorithm);
  return Choice{algorithm, rule.segment_bytes, rule.fanout};
}

}  // namespace tutti::algorithms::selection
