// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/select/rules.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "sim/base/check.hpp"

namespace tutti::studies::select {
namespace {

constexpr double refused = std::numeric_limits<double>::infinity();

// Cells that the reader of the rules takes for one size.
struct Step {
  Bytes seen_bytes = 0;
  // By candidate: the sum of its losses; `refused` where it is farther off than it may be.
  std::vector<double> cost;
};

class Compression {
 public:
  Compression(const TimeTable& table, const RuleWish& wish) : table_(table), wish_(wish) {}

  RuleSet run() {
    RuleSet rules{{1, {Rule{}}}};
    for (auto first = table_.cells.begin(); first != table_.cells.end();) {
      const auto last = std::find_if(first, table_.cells.end(),
                                     [&](const auto& cell) { return cell.procs != first->procs; });
      add_procs(rules, {first, last});
      first = last;
    }
    close(rules, std::numeric_limits<int>::max());
    return rules;
  }

 private:
  using Cells = std::span<const TimedCell>;

  void add_procs(RuleSet& rules, Cells cells) {
    const int procs = cells.front().procs;
    close(rules, procs);
    const auto steps = steps_of(cells);
    if (steps.empty()) return;
    // Whatever is smaller than all that was timed is not decided, unless it looks the same.
    const bool is_open = wish_.seen(procs, 1) < steps.front().seen_bytes;
    const auto below = is_open ? steps.front().seen_bytes - 1 : 0;
    const auto& last = rules.back().rules;
    if (serve(last, steps) && is_open != rule_at(last, below).choice.has_value()) return;
    auto added = fewest(steps);
    if (is_open)
      added.insert(added.begin(), Rule{});
    else
      added.front().from_bytes = 0;
    if (rules.back().from_procs == procs) rules.pop_back();
    rules.push_back({procs, std::move(added)});
  }

  // What runs with these processes only must not reach the next ones.
  void close(RuleSet& rules, int next_procs) const {
    const auto& last = rules.back();
    const bool reaches = std::ranges::any_of(last.rules, [&](const Rule& rule) {
      return rule.choice && !table_.candidates[*rule.choice].runs_beyond;
    });
    if (reaches && last.from_procs + 1 < next_procs)
      rules.push_back({last.from_procs + 1, {Rule{}}});
  }

  std::vector<Step> steps_of(Cells cells) const {
    std::vector<Step> steps;
    for (auto first = cells.begin(); first != cells.end();) {
      const Bytes seen = wish_.seen(first->procs, first->message_bytes);
      const auto last = std::find_if(first, cells.end(), [&](const TimedCell& cell) {
        return wish_.seen(cell.procs, cell.message_bytes) != seen;
      });
      if (auto step = step_of({first, last})) {
        step->seen_bytes = seen;
        steps.push_back(*std::move(step));
      }
      first = last;
    }
    return steps;
  }

  std::optional<Step> step_of(Cells cells) const {
    const std::size_t candidates = table_.candidates.size();
    std::vector<double> worst(candidates, 0);
    Step step{.cost = std::vector<double>(candidates, 0)};
    for (const auto& cell : cells) {
      const auto best = best_of(table_, cell, wish_.rivals);
      if (!best) continue;
      for (std::size_t i = 0; i < candidates; ++i) {
        const double loss = is_rival(table_.candidates[i], wish_.rivals) && cell.times_s[i]
                                ? loss_of(*cell.times_s[i], *cell.times_s[*best])
                                : refused;
        worst[i] = std::max(worst[i], loss);
        step.cost[i] += loss;
      }
    }
    const double least = *std::ranges::min_element(worst);
    if (least == refused) return std::nullopt;
    const double most = std::max(wish_.most_loss, least);
    for (std::size_t i = 0; i < candidates; ++i)
      if (worst[i] > most) step.cost[i] = refused;
    return step;
  }

  static bool serve(const std::vector<Rule>& rules, const std::vector<Step>& steps) {
    return std::ranges::all_of(steps, [&](const Step& step) {
      const auto choice = rule_at(rules, step.seen_bytes).choice;
      return choice && step.cost[*choice] < refused;
    });
  }

  static const Rule& rule_at(const std::vector<Rule>& rules, Bytes seen_bytes) {
    const auto above = std::ranges::upper_bound(rules, seen_bytes, {}, &Rule::from_bytes);
    return above == rules.begin() ? rules.front() : *std::prev(above);
  }

  struct Cover {
    std::size_t rules = 0;
    double cost = 0;
    std::size_t from = 0;    // the first step of its last rule
    std::size_t choice = 0;  // of that rule

    bool is_better_than(const Cover& other) const {
      return rules != other.rules ? rules < other.rules : cost < other.cost;
    }
  };

  // By dynamic programming over the end of the last rule: the fewest rules (as many as the greedy
  // furthest reach takes, which is optimal for intervals), and of these the least sum of losses.
  static std::vector<Rule> fewest(const std::vector<Step>& steps) {
    std::vector<std::optional<Cover>> covers(steps.size() + 1);
    covers[0] = Cover{};
    for (std::size_t from = 0; from < steps.size(); ++from) {
      std::vector<double> cost(steps.front().cost.size(), 0);
      for (std::size_t to = from; to < steps.size(); ++to) {
        for (std::size_t i = 0; i < cost.size(); ++i) cost[i] += steps[to].cost[i];
        const auto least = std::ranges::min_element(cost);
        if (*least == refused) break;
        const Cover cover{covers[from]->rules + 1, covers[from]->cost + *least, from,
                          static_cast<std::size_t>(least - cost.begin())};
        auto& best = covers[to + 1];
        if (!best || cover.is_better_than(*best)) best = cover;
      }
    }
    std::vector<Rule> rules;
    for (std::size_t end = steps.size(); end > 0; end = covers[end]->from)
      rules.push_back({steps[covers[end]->from].seen_bytes, covers[end]->choice});
    std::ranges::reverse(rules);
    return rules;
  }

  const TimeTable& table_;
  const RuleWish& wish_;
};

}  // namespace

RuleSet rules_of(const TimeTable& table, const RuleWish& wish) {
  return Compression(table, wish).run();
}

std::optional<std::size_t> choice_of(const RuleSet& rules, int procs, Bytes bytes) {
  const auto above = std::ranges::upper_bound(rules, procs, {}, &ProcsRules::from_procs);
  if (above == rules.begin()) return std::nullopt;
  const auto& of_procs = std::prev(above)->rules;
  return std::prev(std::ranges::upper_bound(of_procs, bytes, {}, &Rule::from_bytes))->choice;
}

Losses losses_of(const TimeTable& table, const RuleWish& wish,
                 const std::function<std::optional<std::size_t>(const TimedCell&)>& choice) {
  Losses losses;
  double sum = 0;
  for (const auto& cell : table.cells) {
    const auto chosen = choice(cell);
    const auto best = best_of(table, cell, wish.rivals);
    if (!chosen || !best || !cell.times_s[*chosen]) continue;
    const double loss = loss_of(*cell.times_s[*chosen], *cell.times_s[*best]);
    ++losses.cells;
    // Products and quotients round differently.
    losses.above += loss > wish.most_loss + 1e-12;
    sum += loss;
    if (losses.worst != nullptr && loss <= losses.max) continue;
    losses.max = loss;
    losses.worst = &cell;
  }
  if (losses.cells > 0) losses.mean = sum / static_cast<double>(losses.cells);
  return losses;
}

Losses losses_of(const TimeTable& table, const RuleSet& rules, const RuleWish& wish) {
  return losses_of(table, wish, [&](const TimedCell& cell) {
    return choice_of(rules, cell.procs, wish.seen(cell.procs, cell.message_bytes));
  });
}

std::size_t rule_count(const RuleSet& rules) {
  std::size_t count = 0;
  for (const auto& each : rules)
    count += static_cast<std::size_t>(std::ranges::count_if(
        each.rules, [](const Rule& rule) { return rule.choice.has_value(); }));
  return count;
}

}  // namespace tutti::studies::select
