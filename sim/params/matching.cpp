// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/matching.hpp"

#include "sim/params/our_parameters.hpp"

namespace tutti::studies::params {
namespace {

using algorithms::selection::WrittenRule;
using store::ParameterSet;

constexpr std::string_view ending = "/algorithm";
// A job of one process sends no messages.
constexpr int fewest_procs = 2;

// Rules by collective, number of processes, and message size in the rules file.
using Rules = std::map<std::string, std::map<int, std::map<Bytes, WrittenRule>>>;

// 0 if the set does not have the parameter.
Bytes parameter_bytes(const ParameterSet& set, const std::string& name) {
  const auto* text = store::find_text(set.parameters, name);
  return text == nullptr ? 0 : parse_bytes(*text).value();
}

class SetsRulesMaker {
 public:
  void add(const ParameterSet& set) {
    for (const auto& [name, value] : set.parameters)
      if (name.ends_with(ending)) add(set, name.substr(0, name.size() - ending.size()), value);
  }

  SetsRules make() {
    for (const auto& [collective, sizes] : rules_) {
      algorithms::selection::WrittenCollective written{collective, {}};
      // Open MPI would apply the rules of the first size to smaller communicators, too.
      if (sizes.begin()->first > fewest_procs)
        written.sizes.push_back({fewest_procs, {own_rules()}});
      for (const auto& [procs, rules] : sizes) written.sizes.push_back({procs, in_order(rules)});
      result_.collectives.push_back(std::move(written));
    }
    return std::move(result_);
  }

 private:
  static WrittenRule own_rules() {
    WrittenRule rule;
    rule.comment = "Open MPI's own rules";
    return rule;
  }
  static std::vector<WrittenRule> in_order(const std::map<Bytes, WrittenRule>& rules) {
    std::vector<WrittenRule> all;
    if (rules.begin()->first > 0) all.push_back(own_rules());
    for (const auto& [bytes, rule] : rules) all.push_back(rule);
    return all;
  }

  void omit(const ParameterSet& set, const std::string& collective, const char* why) {
    result_.omitted.push_back({fmt::format("set {}: {}{}", set.number, collective, ending), why});
  }

  // A database may have been written by another version.
  static bool has_good_values(const ParameterSet& set, const std::string& collective) {
    return std::ranges::none_of(set.parameters, [&](const auto& parameter) {
      return parameter.name.starts_with(collective + '/') && tuning::check_parameter(parameter);
    });
  }

  void add(const ParameterSet& set, const std::string& collective, const std::string& name) {
    if (!has_good_values(set, collective))
      return omit(set, collective, "a parameter has an invalid value");
    const auto& use = set.key.use;
    const auto* algorithm = algorithms::find_algorithm(collective, name);
    if (algorithm == nullptr || algorithm->id <= 0 || !algorithm->set.empty())
      return omit(set, collective, "not an algorithm of Open MPI 4.1");
    if (!algorithms::selection::applies_rules_file(collective))
      return omit(set, collective, "rules files do not support this collective");
    if (!use.collective.empty() && use.collective != collective)
      return omit(set, collective, "the set was found for another collective");
    const int procs = static_cast<int>(
        std::min<std::int64_t>(use.procs.value_or(fewest_procs), std::numeric_limits<int>::max()));
    const Bytes bytes = use.message_bytes.value_or(0);
    WrittenRule rule;
    rule.from_bytes = algorithms::selection::rules_file_bytes(
        {.collective = collective, .procs = procs, .message_bytes = bytes, .elements = bytes});
    rule.algorithm = algorithm->id;
    // Open MPI treats a fan-out of 0 as 1, not as its default.
    const auto fanout = static_cast<int>(parameter_bytes(set, collective + "/fanout"));
    if (name != "knomial")
      rule.fanout = fanout > 0 ? fanout : algorithm->default_fanout;
    else if (store::find_text(set.parameters, collective + "/fanout") != nullptr)
      result_.omitted.push_back({fmt::format("set {}: {}/fanout", set.number, collective),
                                 "rules files cannot set the radix; use --export mca"});
    rule.segment_bytes = parameter_bytes(set, collective + "/segment_size");
    rule.max_requests = static_cast<int>(parameter_bytes(set, collective + "/max_requests"));
    rule.comment = fmt::format("{}: set {}", name, set.number);
    rules_[collective][procs].try_emplace(rule.from_bytes, std::move(rule));
  }

  Rules rules_;
  SetsRules result_;
};

}  // namespace

SetsRules make_rules(const std::vector<ParameterSet>& sets) {
  SetsRulesMaker maker;
  for (const auto& set : sets) maker.add(set);
  return maker.make();
}

SetsRules make_application_rules(const ParameterSet& chosen, const std::vector<ParameterSet>& all) {
  std::vector<ParameterSet> sets{chosen};
  const auto program = [](const SetKey& key) {
    return std::tie(key.host, key.application, key.build);
  };
  for (const auto& set : all)
    if (set.is_current && set.number != chosen.number && program(set.key) == program(chosen.key))
      sets.push_back(set);
  return make_rules(sets);
}

namespace {

// Distance of a set from a request, in characteristics and build.
class Comparison {
 public:
  Comparison(const Spec& spec, const ParameterSet& set) {
    const auto& requested = spec.key.use;
    const auto& use = set.key.use;
    compare("procs", requested.procs, use.procs);
    compare("nodes", requested.nodes, use.nodes);
    compare("message size", requested.message_bytes, use.message_bytes,
            [](Bytes bytes) { return format_bytes(bytes); });
    compare("problem size", requested.problem_size, use.problem_size);
    if (!requested.collective.empty() && use.collective.empty())
      differ("not specific to a collective", 1);
    if (requested.collective.empty() && !use.collective.empty()) ++unrequested;
    if (!spec.key.build.empty() && spec.key.build != set.key.build)
      differ(set.key.build.empty() ? "not specific to a build" : "for another build of the program",
             1);
    if (spec.key.build.empty() && !set.key.build.empty()) ++unrequested;
  }

  double distance = 0;
  std::vector<std::string> differences;
  int unrequested = 0;  // number of characteristics of the set that were not requested

 private:
  void differ(std::string how, double how_far) {
    differences.push_back(std::move(how));
    distance += how_far;
  }

  template <class T>
  void compare(const char* name, const std::optional<T>& requested, const std::optional<T>& has) {
    compare(name, requested, has, [](T number) { return fmt::format("{}", number); });
  }
  template <class T, class Text>
  void compare(const char* name, const std::optional<T>& requested, const std::optional<T>& has,
               const Text& text) {
    if (!requested) {
      unrequested += has ? 1 : 0;
      return;
    }
    if (!has) return differ(fmt::format("{} not specified", name), 1);
    if (*requested == *has) return;
    // An empty message counts as half a byte.
    const auto log = [](T number) {
      return number > 0 ? std::log2(static_cast<double>(number)) : -1.0;
    };
    differ(fmt::format("{} {}, not {}", name, text(*has), text(*requested)),
           std::abs(log(*requested) - log(*has)));
  }
};

// The newest category stored for the application.
std::string stored_category(const std::vector<ParameterSet>& sets, const std::string& application) {
  for (auto set = sets.rbegin(); set != sets.rend(); ++set)
    if (set->key.application == application && !set->category.empty()) return set->category;
  return {};
}

class Search {
 public:
  Search(const std::vector<ParameterSet>& sets, const Spec& spec)
      : sets_(sets), spec_(spec), category_(spec.category) {
    if (category_.empty()) category_ = stored_category(sets, spec.key.application);
  }

  std::optional<Match> run() {
    for (const auto tier : {Tier::application, Tier::category, Tier::host})
      if (auto match = find_best(tier)) return match;
    return std::nullopt;
  }

 private:
  bool matches(const ParameterSet& set, Tier tier) const {
    const auto& requested = spec_.key;
    if (!set.is_current || set.key.host != requested.host) return false;
    if (!spec_.category.empty() && set.category != spec_.category) return false;
    // A choice for one collective does not apply to another one.
    const auto& collective = set.key.use.collective;
    if (!requested.use.collective.empty() && !collective.empty() &&
        collective != requested.use.collective)
      return false;
    if (tier == Tier::application)
      return requested.application.empty() || set.key.application == requested.application;
    if (tier == Tier::category) return !category_.empty() && set.category == category_;
    return !requested.use.collective.empty() && collective == requested.use.collective;
  }

  std::optional<Match> find_best(Tier tier) const {
    std::optional<Match> best;
    std::tuple<double, int> best_rank;
    for (const auto& set : sets_) {
      if (!matches(set, tier)) continue;
      Comparison comparison(spec_, set);
      const std::tuple rank{comparison.distance, comparison.unrequested};
      const bool equal = best && rank == best_rank;
      if (best && !equal && rank > best_rank) continue;
      const std::size_t equals = equal ? best->equals + 1 : 0;
      best_rank = rank;
      best = Match{set, tier, comparison.distance, std::move(comparison.differences), equals};
    }
    if (best && tier == Tier::application && best->differences.empty()) best->tier = Tier::exact;
    return best;
  }

  const std::vector<ParameterSet>& sets_;
  const Spec& spec_;
  std::string category_;
};

}  // namespace

std::optional<Match> find_match(const std::vector<ParameterSet>& sets, const Spec& spec) {
  return Search(sets, spec).run();
}

std::string tier_words(const Match& match) {
  switch (match.tier) {
    case Tier::exact:
      return "exactly";
    case Tier::application:
      return "by application";
    case Tier::category:
      return "by category " + match.set.category;
    case Tier::host:
      break;
  }
  return "by collective";
}

}  // namespace tutti::studies::params
