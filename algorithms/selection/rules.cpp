// SPDX-License-Identifier: BSD-3-Clause
// Reads the built-in rules. An error in them is a bug: a broken invariant.
#include "algorithms/selection/rules.hpp"

#include <toml++/toml.h>

#include "algorithms/selection/rule_sets.texts.hpp"

namespace tutti::algorithms::selection {
namespace {

// The position of a rule set in lists. Each start of the program lists the names of the sets, so
// the compiler finds their order.
constexpr int position_in(std::string_view text) {
  constexpr std::string_view key = "\nposition = ";
  const auto at = text.find(key);
  if (at == text.npos) throw "a rule set has no position";
  int position = 0;
  for (const char digit : text.substr(at + key.size())) {
    if (digit < '0' || digit > '9') break;
    position = 10 * position + (digit - '0');
  }
  return position;
}

constexpr auto texts_in_order = [] {
  auto sorted = std::to_array(texts::rule_sets.all);
  std::ranges::sort(sorted, {}, [](const HelpText& text) { return position_in(text.text); });
  return sorted;
}();

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
      {"procs_even", [](Rule& r, N n, K k) { r.procs_even = read<bool>(n, k); }},
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
      {"bytes_ge_procs_times",
       [](Rule& r, N n, K k) { r.least_bytes_per_proc = read<std::int64_t>(n, k); }},
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

HanRule read_han_rule(std::string_view collective, const toml::node& node) {
  const toml::table* table = node.as_table();
  TUTTI_CHECK(table != nullptr, "decision rules: a rule of han must be a table");
  const auto& content = *table;
  HanRule rule{.collective = std::string(collective),
               .algorithm = content["algorithm"].value_or(std::string()),
               .segment_bytes = content["segsize"].value_or(Bytes{0}),
               .balanced = content["balanced"].value_or(false),
               .commutative = content["commutative"].value_or(false)};
  TUTTI_CHECK(!rule.algorithm.empty(), "decision rules: a rule of han has no algorithm");
  return rule;
}

// Adds what the set does not have itself.
void extend(RuleSet& set, const RuleSet& base) {
  if (set.component.empty()) set.component = base.component;
  for (const RuleTable& table : base.tables)
    if (set.find_table(table.collective) == nullptr) set.tables.push_back(table);
  for (const HanRule& rule : base.han)
    if (std::ranges::find(set.han, rule.collective, &HanRule::collective) == set.han.end())
      set.han.push_back(rule);
}

// The texts of the sections, from one header at the start of a line to the next; the first one is
// what precedes all headers.
std::vector<std::string_view> sections_of(std::string_view toml) {
  std::vector<std::string_view> sections;
  for (;;) {
    const auto next = toml.find("\n[");
    if (next == toml.npos) break;
    sections.push_back(toml.substr(0, next + 1));
    toml.remove_prefix(next + 1);
  }
  sections.push_back(toml);
  return sections;
}

std::string_view name_of_section(std::string_view section) {
  const auto end = section.find(']');
  TUTTI_CHECK(section.starts_with('[') && end != section.npos, "decision rules: expected a header");
  return section.substr(1, end - 1);
}

void set_fanouts(RuleSet& set, const toml::table& fanouts) {
  for (const auto& [collective, fanout] : fanouts)
    for (RuleTable& table : set.tables)
      if (table.collective == collective.str()) table.set_fanout(read_int(fanout, "fanouts"));
}

// "allreduce" and tables such as "allreduce_disjoint".
void replace_algorithms(RuleSet& set, const toml::table& replaced) {
  for (const auto& [collective, algorithms] : replaced)
    for (RuleTable& table : set.tables) {
      const bool is_of_it = table.collective == collective.str() ||
                            table.collective.starts_with(std::string(collective.str()) + '_');
      if (!is_of_it) continue;
      for (const auto& [algorithm, by] : *algorithms.as_table())
        table.replace(std::string(algorithm.str()), read<std::string>(by, "replaced"));
    }
}

const RuleSet* base_named(std::string_view name, const std::deque<RuleSet>& sets) {
  const auto base = std::ranges::find(sets, name, &RuleSet::name);
  TUTTI_CHECK(base != sets.end(), "decision rules are based on a set that does not precede them");
  return &*base;
}

RuleSet read_rule_set(const HelpText& text, const toml::table& head,
                      const std::deque<RuleSet>& others) {
  RuleSet set{.name = text.key,
              .title = head["title"].value_or(std::string(text.key)),
              .component = head["component"].value_or(std::string())};
  if (const toml::array* aliases = head["aliases"].as_array())
    for (const toml::node& alias : *aliases)
      set.aliases.push_back(read<std::string>(alias, "aliases"));
  if (const toml::table* last_ids = head["last_id"].as_table())
    for (const auto& [collective, id] : *last_ids)
      set.last_ids.emplace(collective.str(), read_int(id, "last_id"));
  const auto sections = sections_of(text.text);
  for (const std::string_view section : std::span(sections).subspan(1)) {
    const std::string_view name = name_of_section(section);
    if (name != "han") {
      set.tables.emplace_back(name, section);
      continue;
    }
    const toml::table content = toml::parse(section);
    for (const auto& [collective, rule] : *content[name].as_table())
      set.han.push_back(read_han_rule(collective.str(), rule));
  }
  if (const auto base = head["extends"].value<std::string_view>()) {
    set.base = base_named(*base, others);
    extend(set, *set.base);
  } else if (const auto other = head["algorithms_of"].value<std::string_view>()) {
    set.base = base_named(*other, others);
  }
  if (const toml::table* fanouts = head["fanouts"].as_table()) set_fanouts(set, *fanouts);
  if (const toml::table* replaced = head["replaced"].as_table()) replace_algorithms(set, *replaced);
  return set;
}

std::deque<RuleSet> read_rule_sets() {
  std::deque<RuleSet> sets;
  for (const HelpText& text : texts_in_order)
    sets.push_back(read_rule_set(text, toml::parse(sections_of(text.text).front()), sets));
  return sets;
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

RuleTable::Content RuleTable::read() const {
  const toml::table all = toml::parse(text_);
  const auto content = all[name_of_section(text_)];
  Content read{content["whole_result"].value_or(false), {}};
  const toml::array* rules = content["rules"].as_array();
  TUTTI_CHECK(rules != nullptr && !rules->empty(), "no decision rules for " + collective);
  for (const toml::node& rule : *rules) {
    Rule& last = read.rules.emplace_back(read_rule(rule));
    if (fanout_ && last.fanout > 0) last.fanout = *fanout_;
    if (const auto by = replaced_.find(last.algorithm); by != replaced_.end())
      last.algorithm = by->second;
  }
  return read;
}

const RuleTable::Content& RuleTable::content() const {
  if (!content_) content_ = read();
  return *content_;
}

bool Rule::holds(const Query& query) const {
  return procs.holds(query.procs) && bytes.holds(query.message_bytes) &&
         elements.holds(query.elements) && (!procs_power_of_two || is_power_of_two(query.procs)) &&
         (!procs_odd || query.procs % 2 == 1) && (!procs_even || query.procs % 2 == 0) &&
         (!more_elements_than_procs || query.elements > query.procs) &&
         (!fewer_elements_than_pow2 || has_fewer_elements_than_pow2(query)) &&
         (!equal_blocks || has_equal_blocks(query)) &&
         (!most_bytes_per_proc || query.message_bytes <= query.procs * *most_bytes_per_proc) &&
         (!least_bytes_per_proc || query.message_bytes >= query.procs * *least_bytes_per_proc) &&
         std::ranges::all_of(lines,
                             [&](const Line& line) { return selection::holds(line, query); });
}

bool HanRule::holds(const Query& query) const {
  const NodeShape& nodes = query.nodes;
  return collective == query.collective && nodes.nodes > 1 && nodes.most > 1 &&
         (!balanced || nodes.is_balanced()) && (!commutative || query.commutative);
}

const RuleTable* RuleSet::find_table(std::string_view collective) const {
  const auto table = std::ranges::find(tables, collective, &RuleTable::collective);
  return table == tables.end() ? nullptr : &*table;
}

std::vector<std::string_view> rule_sets() {
  std::vector<std::string_view> names;
  for (const HelpText& text : texts_in_order) names.push_back(text.key);
  return names;
}

std::string_view default_rule_set() { return texts_in_order.front().key; }

const std::deque<RuleSet>& all_rule_sets() {
  static const std::deque<RuleSet> sets = read_rule_sets();
  return sets;
}

const RuleSet* rule_set_named(std::string_view name) {
  for (const RuleSet& set : all_rule_sets())
    if (set.name == name || std::ranges::find(set.aliases, name) != set.aliases.end()) return &set;
  return nullptr;
}

}  // namespace tutti::algorithms::selection
