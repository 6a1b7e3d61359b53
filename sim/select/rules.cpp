// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/rules.hpp"

namespace tutti::studies::select {
namespace {

constexpr double rejected = std::numeric_limits<double>::infinity();
constexpr Bytes endless = std::numeric_limits<Bytes>::max();
// Products and quotients are rounded differently.
constexpr double rounding = 1e-12;

using CellList = std::vector<const TimedCell*>;

// Cells that the reader of the rules does not distinguish by size.
struct Step {
  Bytes seen_bytes = 0;
  CellList cells;
  // Sum of losses by candidate, followed by the library's own choice; `rejected` if a loss exceeds
  // the bound.
  std::vector<double> cost;
};

// Numbers of processes that share rules; `cells`: those timed for them.
struct Range {
  int from = 0;
  int to = 0;
  bool is_between = false;
  std::span<const TimedCell> cells;
};

std::vector<Range> find_ranges(const TimeTable& table, const std::set<int>& between) {
  std::vector<Range> ranges;
  for (auto first = table.cells.begin(); first != table.cells.end();) {
    const int procs = first->procs;
    const auto last = std::find_if(first, table.cells.end(),
                                   [&](const TimedCell& cell) { return cell.procs != procs; });
    const bool is_between = between.contains(procs) && !ranges.empty();
    if (is_between && ranges.back().is_between)
      ranges.back().cells = {ranges.back().cells.data(),
                             ranges.back().cells.size() + static_cast<std::size_t>(last - first)};
    else
      ranges.push_back({is_between ? ranges.back().to + 1 : procs, procs, is_between,
                        std::span<const TimedCell>(first, last)});
    first = last;
  }
  for (std::size_t i = 0; i + 1 < ranges.size(); ++i)
    if (ranges[i].is_between || !ranges[i + 1].is_between) ranges[i].to = ranges[i + 1].from - 1;
  return ranges;
}

// Whether a rule from `from_bytes` up to `to_bytes` may get one of the message sizes that a timed
// size represents (all between its neighbors), for any number of processes of the range.
class Reach {
 public:
  Reach(const Range& range, const SeenBytes& seen) : range_(range), seen_(seen) {
    for (const auto& cell : range.cells) timed_[cell.procs].insert(cell.message_bytes);
  }

  bool holds(const TimedCell& cell, Bytes from_bytes, Bytes to_bytes) const {
    const auto& sizes = timed_.at(cell.procs);
    const auto at = sizes.find(cell.message_bytes);
    const Bytes least = at == sizes.begin() ? *at : *std::prev(at) + 1;
    const Bytes most = std::next(at) == sizes.end() ? *at : *std::next(at) - 1;
    return seen_(std::max(range_.to, cell.procs), most) >= from_bytes &&
           seen_(std::min(range_.from, cell.procs), least) < to_bytes;
  }

 private:
  const Range& range_;
  const SeenBytes& seen_;
  std::map<int, std::set<Bytes>> timed_;  // by processes
};

class Compression {
 public:
  Compression(const TimeTable& table, const RuleSpec& spec)
      : table_(table), spec_(spec), own_(table.candidates.size()) {}

  RuleSet run() {
    RuleSet rules{{1, {Rule{}}}};
    const auto ranges = find_ranges(table_, spec_.between);
    for (const auto& range : ranges) add_range(rules, range);
    if (!ranges.empty()) {
      close(rules, std::numeric_limits<int>::max());
      leave_to_library(rules, ranges.back().to + 1);
    }
    return rules;
  }

 private:
  void add_range(RuleSet& rules, const Range& range) {
    close(rules, range.from);
    auto steps = make_steps(range);
    // Sizes below all timed ones are not decided, unless the reader does not distinguish them.
    const bool is_open = spec_.seen(range.cells.front().procs, 1) < steps.front().seen_bytes;
    if (!is_open) steps.front().seen_bytes = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) set_costs(steps, i, range);
    const auto& last = rules.back().rules;
    const bool leaves_below = !is_open || !rule_at(last, steps.front().seen_bytes - 1).choice;
    if (leaves_below && serve(last, steps)) return;
    auto added = fewest(steps);
    if (is_open) added.insert(added.begin(), Rule{});
    if (added.size() > 1 && !added[0].choice && !added[1].choice) added.erase(added.begin() + 1);
    if (rules.back().from_procs == range.from) rules.pop_back();
    rules.push_back({range.from, std::move(added)});
  }

  static void leave_to_library(RuleSet& rules, int from_procs) {
    const std::vector<Rule> own{Rule{}};
    if (rules.back().rules != own) rules.push_back({from_procs, own});
  }

  // A rule for an algorithm that runs only with these processes must not apply to the next ones.
  void close(RuleSet& rules, int next_procs) const {
    const auto& last = rules.back();
    const bool reaches = std::ranges::any_of(last.rules, [&](const Rule& rule) {
      return rule.choice && !table_.candidates[*rule.choice].runs_beyond;
    });
    if (reaches && last.from_procs + 1 < next_procs) leave_to_library(rules, last.from_procs + 1);
  }

  std::vector<Step> make_steps(const Range& range) const {
    std::map<Bytes, CellList> by_size;
    for (const auto& cell : range.cells)
      by_size[spec_.seen(cell.procs, cell.message_bytes)].push_back(&cell);
    std::vector<Step> steps;
    for (auto& [seen_bytes, cells] : by_size)
      steps.push_back({.seen_bytes = seen_bytes, .cells = std::move(cells), .cost = {}});
    return steps;
  }

  static Bytes step_end(const std::vector<Step>& steps, std::size_t i) {
    return i + 1 < steps.size() ? steps[i + 1].seen_bytes : endless;
  }

  void set_costs(std::vector<Step>& steps, std::size_t i, const Range& range) const {
    Step& step = steps[i];
    auto off = losses_in(step.cells);
    const Reach reach(range, spec_.seen);
    for (const auto& cell : range.cells)
      if (reach.holds(cell, step.seen_bytes, step_end(steps, i))) reject_slow(cell, off);
    const double least = *std::ranges::min_element(off);
    const double most = std::max(spec_.most_loss, least);
    step.cost.assign(own_ + 1, rejected);
    const auto count = static_cast<double>(step.cells.size());
    for (std::size_t c = 0; c < own_; ++c)
      if (off[c] < rejected && off[c] <= most) step.cost[c] = sum_of_losses(step.cells, c);
    if (least == rejected) step.cost[own_] = spec_.most_loss * count;
  }

  // Losses of the candidates, as compared with the bound.
  std::vector<double> losses_in(const CellList& cells) const {
    std::vector<double> off(own_, 0);
    for (std::size_t c = 0; c < own_; ++c)
      if (!is_rival(table_.candidates[c], spec_.rivals))
        off[c] = rejected;
      else if (spec_.objective == Objective::mean)
        off[c] = sum_of_losses(cells, c) / static_cast<double>(cells.size());
      else
        for (const auto* cell : cells) off[c] = std::max(off[c], loss_in(*cell, c));
    return off;
  }

  double sum_of_losses(const CellList& cells, std::size_t candidate) const {
    return std::accumulate(cells.begin(), cells.end(), 0.0, [&](double sum, const TimedCell* cell) {
      return sum + loss_in(*cell, candidate);
    });
  }

  double loss_in(const TimedCell& cell, std::size_t candidate) const {
    if (!cell.times_s[candidate]) return rejected;
    const auto best = find_best(table_, cell, spec_.rivals);
    return best ? relative_loss(*cell.times_s[candidate], *cell.times_s[*best]) : rejected;
  }

  // Rejects candidates that are slower than the library's own choice.
  void reject_slow(const TimedCell& cell, std::vector<double>& off) const {
    const auto own_s = least_own(cell);
    for (std::size_t c = 0; c < own_; ++c)
      if (!cell.times_s[c] ||
          (own_s && relative_loss(*cell.times_s[c], *own_s) > spec_.most_loss + rounding))
        off[c] = rejected;
  }

  // True if each rule keeps the bounds in all steps that it may get.
  bool serve(const std::vector<Rule>& rules, const std::vector<Step>& steps) const {
    for (std::size_t i = 0; i < steps.size(); ++i)
      for (std::size_t r = 0; r < rules.size(); ++r) {
        const Bytes rule_end = r + 1 < rules.size() ? rules[r + 1].from_bytes : endless;
        if (rule_end <= steps[i].seen_bytes || rules[r].from_bytes >= step_end(steps, i)) continue;
        if (steps[i].cost[rules[r].choice.value_or(own_)] == rejected) return false;
      }
    return true;
  }

  static const Rule& rule_at(const std::vector<Rule>& rules, Bytes seen_bytes) {
    const auto above = std::ranges::upper_bound(rules, seen_bytes, {}, &Rule::from_bytes);
    return above == rules.begin() ? rules.front() : *std::prev(above);
  }

  struct Cover {
    std::size_t rules = 0;
    double cost = 0;
    std::size_t from = 0;    // first step of its last rule
    std::size_t choice = 0;  // choice of that rule

    bool is_better_than(const Cover& other) const {
      return rules != other.rules ? rules < other.rules : cost < other.cost;
    }
  };

  // Dynamic programming over the end of the last rule: the fewest rules (as many as with the greedy
  // furthest reach, which is optimal for intervals), and of these the least sum of losses.
  std::vector<Rule> fewest(const std::vector<Step>& steps) const {
    std::vector<std::optional<Cover>> covers(steps.size() + 1);
    covers[0] = Cover{};
    for (std::size_t from = 0; from < steps.size(); ++from) {
      std::vector<double> cost(own_ + 1, 0);
      for (std::size_t to = from; to < steps.size(); ++to) {
        for (std::size_t i = 0; i < cost.size(); ++i) cost[i] += steps[to].cost[i];
        const auto least = std::ranges::min_element(cost);
        if (*least == rejected) break;
        const Cover cover{covers[from]->rules + 1, covers[from]->cost + *least, from,
                          static_cast<std::size_t>(least - cost.begin())};
        auto& best = covers[to + 1];
        if (!best || cover.is_better_than(*best)) best = cover;
      }
    }
    std::vector<Rule> rules;
    for (std::size_t end = steps.size(); end > 0; end = covers[end]->from) {
      const std::size_t choice = covers[end]->choice;
      rules.push_back({steps[covers[end]->from].seen_bytes,
                       choice == own_ ? std::nullopt : std::optional(choice)});
    }
    std::ranges::reverse(rules);
    return rules;
  }

  const TimeTable& table_;
  const RuleSpec& spec_;
  const std::size_t own_;  // index of the library's choice, after the candidates
};

// Times of a choice in a cell: a single one, or those of the library's own choice by size of
// elements.
std::vector<Seconds> choice_times(const TimedCell& cell, std::optional<std::size_t> choice) {
  std::vector<Seconds> times_s;
  if (choice) {
    if (cell.times_s[*choice]) times_s.push_back(*cell.times_s[*choice]);
    return times_s;
  }
  for (const auto& own_s : cell.own_s)
    if (own_s) times_s.push_back(*own_s);
  return times_s;
}

template <class Choice>
Losses losses_by(const TimeTable& table, const RuleSpec& spec, const Choice& choice_in) {
  Losses losses;
  double sum = 0;
  std::size_t times = 0;
  for (const auto& cell : table.cells) {
    if (!spec.placement.holds(cell)) continue;
    const auto choice = choice_in(cell);
    const auto best = find_best(table, cell, spec.rivals);
    const auto times_s = choice_times(cell, choice);
    if (!best || times_s.empty()) continue;
    double greatest = 0;
    for (const Seconds time_s : times_s) {
      const double loss = relative_loss(time_s, *cell.times_s[*best]);
      greatest = std::max(greatest, loss);
      sum += loss;
      ++times;
    }
    ++losses.cells;
    losses.above += greatest > spec.most_loss + rounding;
    if (const auto own_s = least_own(cell); own_s && choice)
      losses.above_own = std::max(losses.above_own, relative_loss(times_s.front(), *own_s));
    if (losses.worst != nullptr && greatest <= losses.max) continue;
    losses.max = greatest;
    losses.worst = &cell;
  }
  if (times > 0) losses.mean = sum / static_cast<double>(times);
  return losses;
}

}  // namespace

TimeTable cells_for(const TimeTable& table, const RuleSpec& spec) {
  TimeTable some = table;
  std::erase_if(some.cells, [&](const TimedCell& cell) { return !spec.placement.holds(cell); });
  return some;
}

RuleSet compress_rules(const TimeTable& table, const RuleSpec& spec) {
  return Compression(cells_for(table, spec), spec).run();
}

std::optional<std::size_t> find_choice(const RuleSet& rules, int procs, Bytes bytes) {
  const auto above = std::ranges::upper_bound(rules, procs, {}, &ProcsRules::from_procs);
  if (above == rules.begin()) return std::nullopt;
  const auto& of_procs = std::prev(above)->rules;
  return std::prev(std::ranges::upper_bound(of_procs, bytes, {}, &Rule::from_bytes))->choice;
}

Losses measure_losses(const TimeTable& table, const RuleSet& rules, const RuleSpec& spec) {
  return losses_by(table, spec, [&](const TimedCell& cell) {
    return find_choice(rules, cell.procs, spec.seen(cell.procs, cell.message_bytes));
  });
}

Losses measure_own_losses(const TimeTable& table, const RuleSpec& spec) {
  return losses_by(table, spec,
                   [](const TimedCell&) -> std::optional<std::size_t> { return std::nullopt; });
}

std::size_t rule_count(const RuleSet& rules) {
  std::size_t count = 0;
  for (const auto& of_procs : rules)
    count += static_cast<std::size_t>(std::ranges::count_if(
        of_procs.rules, [](const Rule& rule) { return rule.choice.has_value(); }));
  return count;
}

}  // namespace tutti::studies::select
