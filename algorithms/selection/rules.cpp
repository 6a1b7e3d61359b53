// SPDX-License-Identifier: BSD-3-Clause
// Reads the built-in rules. An error in them is a bug: a broken invariant.
#include "algorithms/selection/rules.hpp"

#include <toml++/toml.h>

namespace tutti::algorithms::selection {
namespace {

template <class T>
T read(const toml::node& node, const std::string& key) {
  const auto value = node.value<T>();
  TUTTI_CHECK(value.has_value(), "decision rules: wrong type of " + key);
  return *value;
}

int read_int(const toml::node& node, const std::string& key) {
  return static_cast<int>(read<std::int64_t>(node, key));
}

// -1 means no limit.
template <class T>
T limit(std::int64_t value) {
  return value == -1 ? std::numeric_limits<T>::max() : static_cast<T>(value);
}

void add_line(Rule& rule, Line::Side side, const toml::node& node, const std::string& key) {
  const toml::array* pair = node.as_array();
  TUTTI_CHECK(pair != nullptr && pair->size() == 2, "decision rules: expected a pair in " + key);
  rule.lines.push_back({side, read<double>((*pair)[0], key), read<double>((*pair)[1], key)});
}

using Setter = void (*)(Rule& rule, const toml::node& node, const std::string& key);

// All keys of a rule.
const std::map<std::string, Setter, std::less<>>& setters() {
  using N = const toml::node&;
  using K = const std::string&;
  static const std::map<std::string, Setter, std::less<>> table{
      {"min_procs", [](Rule& r, N n, K k) { r.procs.min = read_int(n, k); }},
      {"max_procs", [](Rule& r, N n, K k) { r.procs.max = limit<int>(read<std::int64_t>(n, k)); }},
      {"procs_eq",
       [](Rule& r, N n, K k) {
         r.procs = {read_int(n, k), read_int(n, k)};
       }},
      {"procs_lt", [](Rule& r, N n, K k) { r.procs.max = read_int(n, k) - 1; }},
      {"procs_gt", [](Rule& r, N n, K k) { r.procs.min = read_int(n, k) + 1; }},
      {"procs_pow2", [](Rule& r, N n, K k) { r.procs_power_of_two = read<bool>(n, k); }},
      {"procs_odd", [](Rule& r, N n, K k) { r.procs_odd = read<bool>(n, k); }},
      {"min_bytes", [](Rule& r, N n, K k) { r.bytes.min = read<std::int64_t>(n, k); }},
      {"max_bytes",
       [](Rule& r, N n, K k) { r.bytes.max = limit<Bytes>(read<std::int64_t>(n, k)); }},
      {"bytes_lt", [](Rule& r, N n, K k) { r.bytes.max = read<std::int64_t>(n, k) - 1; }},
      {"bytes_le", [](Rule& r, N n, K k) { r.bytes.max = read<std::int64_t>(n, k); }},
      {"bytes_gt", [](Rule& r, N n, K k) { r.bytes.min = read<std::int64_t>(n, k) + 1; }},
      {"elements_le", [](Rule& r, N n, K k) { r.elements.max = read<std::int64_t>(n, k); }},
      {"elements_gt_procs",
       [](Rule& r, N n, K k) { r.more_elements_than_procs = read<bool>(n, k); }},
      {"elements_lt_pow2",
       [](Rule& r, N n, K k) { r.fewer_elements_than_pow2 = read<bool>(n, k); }},
      {"equal_blocks", [](Rule& r, N n, K k) { r.equal_blocks = read<bool>(n, k); }},
      {"bytes_le_procs_times",
       [](Rule& r, N n, K k) { r.most_bytes_per_proc = read<std::int64_t>(n, k); }},
      {"procs_lt_lin", [](Rule& r, N n, K k) { add_line(r, Line::Side::below, n, k); }},
      {"procs_gt_lin", [](Rule& r, N n, K k) { add_line(r, Line::Side::above, n, k); }},
      {"procs_ge_lin", [](Rule& r, N n, K k) { add_line(r, Line::Side::above_or_on, n, k); }},
      {"alg_id", [](Rule& r, N n, K k) { r.id = read_int(n, k); }},
      {"algorithm", [](Rule& r, N n, K k) { r.algorithm = read<std::string>(n, k); }},
      {"mpich", [](Rule&, N, K) {}},  // the library's name of the algorithm
      {"segsize", [](Rule& r, N n, K k) { r.segment_bytes = read<std::int64_t>(n, k); }},
      {"fanout", [](Rule& r, N n, K k) { r.fanout = read_int(n, k); }},
  };
  return table;
}

Rule read_rule(const toml::node& node) {
  const toml::table* table = node.as_table();
  TUTTI_CHECK(table != nullptr, "decision rules: a rule must be a table");
  Rule rule;
  for (const auto& [key, value] : *table) {
    const std::string name(key.str());
    const auto setter = setters().find(name);
    TUTTI_CHECK(setter != setters().end(), "decision rules: unknown key " + name);
    setter->second(rule, value, name);
  }
  TUTTI_CHECK(!rule.algorithm.empty(), "decision rules: a rule has no algorithm");
  return rule;
}

RuleTable read_table(std::string_view collective, const toml::table& content) {
  RuleTable table{std::string(collective), content["whole_result"].value_or(false), {}};
  const toml::array* rules = content["rules"].as_array();
  TUTTI_CHECK(rules != nullptr && !rules->empty(), "no decision rules for " + table.collective);
  for (const toml::node& rule : *rules) table.rules.push_back(read_rule(rule));
  return table;
}

RuleSet read_rule_set(const RuleText& text) {
  RuleSet set{text.name, {}};
  const toml::table content = toml::parse(text.toml);
  for (const auto& [key, value] : content)
    if (const toml::table* collective = value.as_table())
      set.tables.push_back(read_table(key.str(), *collective));
  return set;
}

bool holds(const Line& line, const Query& query) {
  const double border = line.slope * static_cast<double>(query.message_bytes) + line.intercept;
  switch (line.side) {
    case Line::Side::below:
      return query.procs < border;
    case Line::Side::above:
      return query.procs > border;
    case Line::Side::above_or_on:
      return query.procs >= border;
  }
  TUTTI_CHECK(false, "unknown side of a line");
}

bool is_power_of_two(int procs) { return std::has_single_bit(static_cast<unsigned>(procs)); }

bool has_fewer_elements_than_pow2(const Query& query) {
  return query.elements < Bytes{std::bit_floor(static_cast<unsigned>(query.procs))};
}

bool has_equal_blocks(const Query& query) {
  return !query.has_counts && query.elements % query.procs == 0;
}

}  // namespace

bool Rule::holds(const Query& query) const {
  return procs.holds(query.procs) && bytes.holds(query.message_bytes) &&
         elements.holds(query.elements) && (!procs_power_of_two || is_power_of_two(query.procs)) &&
         (!procs_odd || query.procs % 2 == 1) &&
         (!more_elements_than_procs || query.elements > query.procs) &&
         (!fewer_elements_than_pow2 || has_fewer_elements_than_pow2(query)) &&
         (!equal_blocks || has_equal_blocks(query)) &&
         (!most_bytes_per_proc || query.message_bytes <= query.procs * *most_bytes_per_proc) &&
         std::ranges::all_of(lines,
                             [&](const Line& line) { return selection::holds(line, query); });
}

const std::vector<RuleSet>& all_rule_sets() {
  static const std::vector<RuleSet> sets = [] {
    std::vector<RuleSet> read;
    for (const RuleText& text : rule_texts()) read.push_back(read_rule_set(text));
    return read;
  }();
  return sets;
}

}  // namespace tutti::algorithms::selection
