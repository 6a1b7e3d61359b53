// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/decision.hpp"

#include "algorithms/selection/rules.hpp"
#include "algorithms/selection/selection.hpp"

namespace tutti::algorithms::selection {
namespace {

Decided decide(std::string_view collective, int procs, const CollectiveArgs& args) {
  static const Selection by_default;
  const Selection& selection = args.selection == nullptr ? by_default : *args.selection;
  const Query query{.collective = collective,
                    .procs = procs,
                    .message_bytes = args.message_bytes,
                    .elements = args.message_bytes / args.element_bytes,
                    .commutative = args.commutative,
                    .has_counts = args.counts != nullptr,
                    .nodes = args.nodes};
  Decided decided{nullptr, args};
  if (const auto* replacements = selection.replacements) {
    if (const auto replacement = replacements->find(query)) {
      decided.algorithm = replacement->algorithm;
      decided.args.selection = replacement->inside;
      return decided;
    }
    decided.args.selection = &replacements->of_mpi();
  }
  const Choice choice = selection.choose(query);
  decided.algorithm = choice.algorithm;
  decided.args.segment_bytes = choice.segment_bytes;
  decided.args.fanout = choice.fanout;
  if (choice.max_requests > 0) decided.args.max_requests = choice.max_requests;
  return decided;
}

}  // namespace

Decided decided(std::string_view collective, int procs, const CollectiveArgs& args) {
  // Not cached: a different selection may have the same address later.
  if (args.selection != nullptr) return decide(collective, procs, args);
  // All ranks of a job make the same query, so the last answer is cached.
  struct Last {
    std::string_view collective;
    std::tuple<int, Bytes, Bytes, bool> requested;
    Decided decided;
  };
  thread_local Last last;
  const std::tuple requested{procs, args.message_bytes, args.element_bytes, args.commutative};
  if (last.collective != collective || last.requested != requested)
    last = {collective, requested, decide(collective, procs, args)};
  Decided call{last.decided.algorithm, args};
  call.args.segment_bytes = last.decided.args.segment_bytes;
  call.args.fanout = last.decided.args.fanout;
  return call;
}

Task run_decided(std::string_view collective, Rank& me, const CollectiveArgs& args) {
  const Decided call = decided(collective, me.size(), args);
  return call.algorithm->program(me, call.args);
}

std::string name_of_decided(std::string_view collective, const ModelArgs& args) {
  const Decided call = decided(collective, args.procs, args.call);
  const std::string other = runs_as(*call.algorithm, {args.procs, call.args});
  return other.empty() ? std::string(call.algorithm->name) : other;
}

std::int64_t messages_of_decided(std::string_view collective, const ModelArgs& args) {
  const Decided call = decided(collective, args.procs, args.call);
  return call.algorithm->messages({args.procs, call.args, args.combine_Bps});
}

Seconds cost_of_decided(std::string_view collective, const ModelArgs& args,
                        const models::MessageCost& cost) {
  if (args.procs == 1) return 0;
  const Decided call = decided(collective, args.procs, args.call);
  if (call.algorithm->cost == nullptr) return std::numeric_limits<double>::quiet_NaN();
  return call.algorithm->cost({args.procs, call.args, args.combine_Bps}, cost);
}

namespace {

Error unknown_rule_set(std::string_view name) {
  std::string known;
  std::vector<std::string> names;
  for (const std::string_view set : rule_sets()) {
    names.emplace_back(set);
    known += (known.empty() ? "" : ", ") + names.back();
  }
  return usage_error("", "unknown decision rules '" + std::string(name) + "'",
                     did_you_mean(name, names, "expected one of " + known));
}

Error no_table(std::string_view rule_set, std::string_view collective) {
  return usage_error("",
                     "the decision rules " + std::string(rule_set) + " have no table for " +
                         std::string(collective),
                     "name an algorithm, or 'all'");
}

// A library may have separate rules for non-commutative operations.
const RuleTable* table_for(const RuleSet& set, const Query& query) {
  if (query.commutative) return set.find_table(query.collective);
  const RuleTable* own = set.find_table(std::string(query.collective) + "_noncommutative");
  return own != nullptr ? own : set.find_table(query.collective);
}

// Tables with these names are for some distributions of the ranks: they apply before the table for
// any distribution, where they have a rule.
struct Distribution {
  std::string_view suffix;
  bool (NodeShape::*holds)() const;
};
constexpr std::string_view on_nodes = "_on_nodes";  // of MPICH
constexpr Distribution distributions[] = {{"_single_node", &NodeShape::is_one_node},
                                          {"_disjoint", &NodeShape::is_disjoint},
                                          {on_nodes, &NodeShape::are_shared}};
// What a rule of such a table names if the table for any distribution decides.
constexpr std::string_view flat = "flat";

const Rule* matching_rule(const RuleTable& table, Query query) {
  if (table.whole_result()) query.message_bytes *= query.procs;
  const auto rule = std::ranges::find_if(
      table.rules(), [&](const Rule& candidate) { return candidate.holds(query); });
  return rule == table.rules().end() ? nullptr : &*rule;
}

Choice choice_of(const RuleSet& set, const RuleTable& table, const Rule& rule, const Query& query) {
  const Algorithm* algorithm = find_algorithm(query.collective, rule.algorithm);
  TUTTI_CHECK(algorithm != nullptr,
              "the decision rules choose an unknown algorithm: " + rule.algorithm);
  return Choice{.algorithm = algorithm,
                .segment_bytes = rule.segment_bytes,
                .fanout = rule.fanout,
                .component = set.component,
                .table = table.collective};
}

// The choice of the table for this distribution of the ranks, if there is one.
std::optional<Choice> choose_by_distribution(const RuleSet& set, const RuleTable& any,
                                             const Query& query) {
  for (const Distribution& distribution : distributions) {
    if (!(query.nodes.*distribution.holds)()) continue;
    const RuleTable* table = set.find_table(any.collective + std::string(distribution.suffix));
    const Rule* rule = table == nullptr ? nullptr : matching_rule(*table, query);
    if (rule != nullptr && rule->algorithm != flat) return choice_of(set, *table, *rule, query);
  }
  return std::nullopt;
}

std::optional<Choice> choose_han(const RuleSet& set, const Query& query) {
  const auto rule = std::ranges::find_if(
      set.han, [&](const HanRule& candidate) { return candidate.holds(query); });
  if (rule == set.han.end()) return std::nullopt;
  const Algorithm* algorithm = find_algorithm(query.collective, rule->algorithm);
  TUTTI_CHECK(algorithm != nullptr, "han has no algorithm " + rule->algorithm);
  return Choice{.algorithm = algorithm, .segment_bytes = rule->segment_bytes, .component = "han"};
}

}  // namespace

std::optional<std::string_view> find_rule_set(std::string_view name) {
  const RuleSet* set = rule_set_named(name);
  return set == nullptr ? std::nullopt : std::optional(set->name);
}

bool depends_on_nodes(std::string_view rule_set, std::string_view collective) {
  const RuleSet* set = rule_set_named(rule_set);
  return set != nullptr &&
         set->find_table(std::string(collective) + std::string(on_nodes)) != nullptr;
}

bool has_han(std::string_view rule_set) {
  const RuleSet* set = rule_set_named(rule_set);
  return set != nullptr && !set->han.empty();
}

Result<Choice> choose(std::string_view rule_set, const Query& query) {
  TUTTI_CHECK(query.procs >= 1, "decision rules need at least one process");
  const RuleSet* set = rule_set_named(rule_set);
  if (set == nullptr) return unknown_rule_set(rule_set);
  const RuleTable* table = table_for(*set, query);
  if (table == nullptr) return no_table(rule_set, query.collective);
  if (const auto han = choose_han(*set, query)) return *han;
  if (const auto choice = choose_by_distribution(*set, *table, query)) return *choice;
  const Rule* rule = matching_rule(*table, query);
  TUTTI_CHECK(rule != nullptr, "the decision rules have a gap: " + table->collective);
  return choice_of(*set, *table, *rule, query);
}

CollectiveArgs inner_args(const CollectiveArgs& outer, Bytes message_bytes) {
  return {.message_bytes = message_bytes,
          .element_bytes = outer.element_bytes,
          .commutative = outer.commutative,
          .hierarchy = outer.hierarchy,
          .selection = outer.selection,
          .nodes = outer.nodes};
}

Decided decided(const InnerCall& call, int procs) {
  if (call.algorithm != nullptr) return {call.algorithm, call.args};
  return decided(call.collective, call.ranks(procs), call.args);
}

Task run_decided(const InnerCall& call, Rank& me) {
  const Decided run = decided(call, me.size());
  return run.algorithm->program(me, run.args);
}

std::string name_of_decided(const InnerCall& call, const ModelArgs& outer) {
  const int procs = call.ranks(outer.procs);
  // A call on parts of one rank each is only a copy.
  if (call.procs == 1 && outer.procs > 1) return {};
  const Decided run = decided(call, outer.procs);
  const std::string other = runs_as(*run.algorithm, {procs, run.args});
  return other.empty() ? std::string(run.algorithm->name) : other;
}

std::int64_t messages_of_decided(const InnerCall& call, const ModelArgs& outer) {
  if (call.parts == 0 || call.procs == 1) return 0;
  const Decided run = decided(call, outer.procs);
  return call.parts *
         run.algorithm->messages({call.ranks(outer.procs), run.args, outer.combine_Bps});
}

Seconds cost_of_decided(const InnerCall& call, const ModelArgs& outer,
                        const models::MessageCost& cost) {
  const int procs = call.ranks(outer.procs);
  if (procs == 1 || call.parts == 0) return 0;
  const Decided run = decided(call, outer.procs);
  if (run.algorithm->cost == nullptr) return std::numeric_limits<double>::quiet_NaN();
  return run.algorithm->cost({procs, run.args, outer.combine_Bps}, cost);
}

std::string join_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (name.empty()) continue;
    if (!text.empty()) text += " + ";
    text += name;
  }
  return text;
}

Task run_calls(Rank& me, InnerCalls calls) {
  for (const InnerCall& call : calls) co_await run_decided(call, me);
}

}  // namespace tutti::algorithms::selection
