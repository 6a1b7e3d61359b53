// SPDX-License-Identifier: BSD-3-Clause
#include "sim/params/matching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace tutti::studies::params {
namespace {

std::string number_text(std::int64_t number) { return fmt::format("{}", number); }
std::string number_text(double number) { return fmt::format("{}", number); }

// How far a set is from a wish, in characteristics and build.
class Comparison {
 public:
  Comparison(const Wish& wish, const ParameterSet& set) {
    const auto& asked = wish.key.use;
    const auto& use = set.key.use;
    compare("procs", asked.procs, use.procs);
    compare("nodes", asked.nodes, use.nodes);
    compare("message size", asked.message_bytes, use.message_bytes,
            [](Bytes bytes) { return format_bytes(bytes); });
    compare("problem size", asked.problem_size, use.problem_size);
    if (!asked.collective.empty() && use.collective.empty()) differ("for no collective alone", 1);
    if (asked.collective.empty() && !use.collective.empty()) ++unasked;
    if (!wish.key.build.empty() && wish.key.build != set.key.build)
      differ(set.key.build.empty() ? "of no certain build" : "of another build of the program", 1);
    if (wish.key.build.empty() && !set.key.build.empty()) ++unasked;
  }

  double distance = 0;
  std::vector<std::string> differences;
  int unasked = 0;  // what the set tells, and nobody asked for

 private:
  void differ(std::string how, double how_far) {
    differences.push_back(std::move(how));
    distance += how_far;
  }

  template <class T>
  void compare(const char* name, const std::optional<T>& asked, const std::optional<T>& has) {
    compare(name, asked, has, [](T number) { return number_text(number); });
  }
  template <class T, class Text>
  void compare(const char* name, const std::optional<T>& asked, const std::optional<T>& has,
               const Text& text) {
    if (!asked) {
      unasked += has ? 1 : 0;
      return;
    }
    if (!has) return differ(fmt::format("{} not told", name), 1);
    if (*asked == *has) return;
    // An empty message is as far as half a byte would be.
    const auto log = [](T number) {
      return number > 0 ? std::log2(static_cast<double>(number)) : -1.0;
    };
    differ(fmt::format("{} {}, not {}", name, text(*has), text(*asked)),
           std::abs(log(*asked) - log(*has)));
  }
};

// What the database says of the application.
std::string category_of(const std::vector<ParameterSet>& sets, const std::string& application) {
  for (auto set = sets.rbegin(); set != sets.rend(); ++set)
    if (set->key.application == application && !set->category.empty()) return set->category;
  return {};
}

class Search {
 public:
  Search(const std::vector<ParameterSet>& sets, const Wish& wish)
      : sets_(sets), wish_(wish), category_(wish.category) {
    if (category_.empty()) category_ = category_of(sets, wish.key.application);
  }

  std::optional<Match> run() {
    for (const auto tier : {Tier::application, Tier::category, Tier::host})
      if (auto match = best_of(tier)) return match;
    return std::nullopt;
  }

 private:
  bool is_of(const ParameterSet& set, Tier tier) const {
    const auto& asked = wish_.key;
    if (!set.is_current || set.key.host != asked.host) return false;
    if (!wish_.category.empty() && set.category != wish_.category) return false;
    // A choice for one collective says nothing of another one.
    const auto& collective = set.key.use.collective;
    if (!asked.use.collective.empty() && !collective.empty() && collective != asked.use.collective)
      return false;
    if (tier == Tier::application)
      return asked.application.empty() || set.key.application == asked.application;
    if (tier == Tier::category) return !category_.empty() && set.category == category_;
    return !asked.use.collective.empty() && collective == asked.use.collective;
  }

  std::optional<Match> best_of(Tier tier) const {
    std::optional<Match> best;
    std::tuple<double, int> best_rank;
    for (const auto& set : sets_) {
      if (!is_of(set, tier)) continue;
      Comparison found(wish_, set);
      const std::tuple rank{found.distance, found.unasked};
      const bool equal = best && rank == best_rank;
      if (best && !equal && rank > best_rank) continue;
      const std::size_t equals = equal ? best->equals + 1 : 0;
      best_rank = rank;
      best = Match{set, tier, found.distance, std::move(found.differences), equals};
    }
    if (best && tier == Tier::application && best->differences.empty()) best->tier = Tier::exact;
    return best;
  }

  const std::vector<ParameterSet>& sets_;
  const Wish& wish_;
  std::string category_;
};

}  // namespace

std::optional<Match> find_match(const std::vector<ParameterSet>& sets, const Wish& wish) {
  return Search(sets, wish).run();
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
