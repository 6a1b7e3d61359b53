// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/suggest.hpp"

#include "sim/replay/event_reader.hpp"
#include "sim/replay/thread_waits.hpp"

namespace tutti::studies::replay {
namespace {

using workloads::traces::Trace;

// The n-th instances of all ranks.
struct Nth {
  Ticks sum = 0;
  Ticks most = 0;
  std::uint32_t ranks = 0;
};

struct OfRegion {
  std::vector<Nth> instances;
  std::vector<std::pair<TraceRank, Ticks>> rank_sums;  // of locations that have it
  std::size_t least_instances = SIZE_MAX;
  // The ranks' numbers of instances before a window.
  std::size_t least_before = SIZE_MAX, most_before = 0;
};

// Names are patterns; returns the pattern that matches only this name.
std::string literal(const std::string& name) {
  std::string pattern;
  for (const char c : name) {
    if (std::string_view("*?[\\").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

// The regions of a trace, and the computation that no region has, by number.
class Regions {
 public:
  explicit Regions(const workloads::traces::TraceDefinitions& definitions)
      : definitions_(definitions) {
    for (const auto& region : definitions.regions) names_.push_back(region.name);
    names_.emplace_back(outside_path);
  }
  std::uint32_t outside() const { return static_cast<std::uint32_t>(definitions_.regions.size()); }
  std::uint32_t between(std::uint32_t from, std::uint32_t to) {
    const auto [entry, is_new] =
        between_.try_emplace({from, to}, static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(between_calls(literal(names_[from]), literal(names_[to])));
    return entry->second;
  }
  const std::string& name(std::uint32_t region) const { return names_[region]; }
  std::size_t count() const { return names_.size(); }

 private:
  const workloads::traces::TraceDefinitions& definitions_;
  std::vector<std::string> names_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> between_;
};

// Reads the regions of a rank.
class RankPass {
 public:
  // The time of the waits is not computation.
  RankPass(const Trace& trace, const ThreadWaits& waits, Regions& names,
           std::vector<OfRegion>& regions, TraceImbalances& result)
      : trace_(trace), waits_(waits), names_(names), regions_(regions), result_(result) {}

  void run(TraceRank rank) {
    EventReader events(trace_.events, rank);
    const Event* event = events.next();
    Ticks last = event == nullptr ? 0 : event->time;
    ThreadWaitCursor waits(waits_, rank);
    for (; event != nullptr; event = events.next()) {
      last = std::max(last, waits.end_before(events.count() - 1).value_or(last));
      piece(*event, event->time - last);
      last = event->time;
      take(*event);
    }
    if (outside_ > 0) add(names_.outside(), outside_);
    if (regions_.size() < mine_.size()) regions_.resize(mine_.size());
    const auto before = instances_before(rank);
    for (std::size_t region = 0; region < mine_.size(); ++region)
      if (mine_[region].instances > 0)
        add_rank(regions_[region], rank, mine_[region],
                 region < before.size() ? before[region] : 0);
    result_.empty_messages_time = std::max(result_.empty_messages_time, empty_time_);
  }

 private:
  struct Open {
    std::uint32_t region;
    Ticks time;
    bool has_empty_message = false;
  };
  struct Mine {
    std::size_t instances = 0;
    Ticks sum = 0;
  };

  bool is_call(std::uint32_t region) const {
    return region != workloads::traces::none && trace_.definitions.regions[region].is_call();
  }

  // The time before an event: in a region, or outside all of them until the next region begins.
  void piece(const Event& next, Ticks time) {
    const std::uint32_t after_call = std::exchange(after_call_, workloads::traces::none);
    const bool enters = next.kind == EventKind::enter;
    if (after_call != workloads::traces::none && enters && is_call(next.id))
      add(names_.between(after_call, next.id), time);
    if (!open_.empty()) {
      open_.back().time += time;
      return;
    }
    result_.outside += time;
    outside_ += time;
    if (enters) add(names_.outside(), std::exchange(outside_, 0));
  }

  void take(const Event& event) {
    if (event.kind == EventKind::enter) open_.push_back({event.id, 0});
    if (event.kind == EventKind::leave && !open_.empty()) leave();
    const bool sends = event.kind == EventKind::send || event.kind == EventKind::isend;
    const bool receives = event.kind == EventKind::recv || event.kind == EventKind::irecv;
    if (!sends && !receives) return;
    result_.messages += sends;
    result_.empty_messages += sends && event.bytes == 0;
    if (!open_.empty()) open_.back().has_empty_message |= event.bytes == 0;
  }

  void leave() {
    const Open over = open_.back();
    open_.pop_back();
    if (over.has_empty_message) empty_time_ += over.time;
    if (is_call(over.region)) {
      after_call_ = over.region;
      return;
    }
    add(over.region, over.time);
  }

  void add(std::uint32_t region, Ticks time) {
    if (region >= mine_.size()) mine_.resize(region + std::size_t{1});
    if (region >= regions_.size()) regions_.resize(region + std::size_t{1});
    Mine& mine = mine_[region];
    auto& instances = regions_[region].instances;
    if (mine.instances == instances.size()) instances.emplace_back();
    Nth& nth = instances[mine.instances++];
    nth.sum += time;
    nth.most = std::max(nth.most, time);
    ++nth.ranks;
    mine.sum += time;
  }

  // By region. An instance that the begin of the window cuts is inside.
  std::vector<std::size_t> instances_before(TraceRank rank) {
    std::vector<std::size_t> counts;
    if (!trace_.before) return counts;
    std::vector<OfRegion> regions;
    TraceImbalances ignored;
    RankPass pass(*trace_.before, {}, names_, regions, ignored);
    pass.run(rank);
    for (const Mine& mine : pass.mine_) counts.push_back(mine.instances);
    if (pass.outside_ > 0) --counts[names_.outside()];
    return counts;
  }

  static void add_rank(OfRegion& region, TraceRank rank, const Mine& mine, std::size_t before) {
    region.least_before = std::min(region.least_before, before);
    region.most_before = std::max(region.most_before, before);
    region.rank_sums.emplace_back(rank, mine.sum);
    region.least_instances = std::min(region.least_instances, mine.instances);
  }

  const Trace& trace_;
  const ThreadWaits& waits_;
  Regions& names_;
  std::vector<OfRegion>& regions_;
  TraceImbalances& result_;
  std::uint32_t after_call_ = workloads::traces::none;
  Ticks outside_ = 0;  // since the last region
  std::vector<Mine> mine_;
  std::vector<Open> open_;
  Ticks empty_time_ = 0;
};

// Requires all other members.
void add_causing_ranks(Imbalance& to, const OfRegion& region,
                       const workloads::traces::TraceDefinitions& definitions) {
  const auto ranks = static_cast<double>(to.ranks);
  const double mean = static_cast<double>(to.time) / ranks;
  constexpr double similar = 0.5;  // excess of the sums, relative to that of the instances
  if (static_cast<double>(to.most) - mean <= similar * static_cast<double>(to.excess)) return;
  std::vector<TraceRank> above, below;
  for (const auto& [location, sum] : region.rank_sums) {
    const double rest = static_cast<double>(sum) - mean;
    if (rest != 0) (rest > 0 ? above : below).push_back(definitions.rank_of(location));
  }
  to.are_above = above.size() <= below.size();
  to.causing_ranks = std::move(to.are_above ? above : below);
  std::ranges::sort(to.causing_ranks);
  const auto repeated = std::ranges::unique(to.causing_ranks);
  to.causing_ranks.erase(repeated.begin(), repeated.end());
}

Imbalance imbalance_of(const std::string& name, const OfRegion& region,
                       const workloads::traces::TraceDefinitions& definitions) {
  Imbalance made{.region = name, .ranks = region.rank_sums.size()};
  for (const auto& [location, sum] : region.rank_sums) {
    made.time += sum;
    made.most = std::max(made.most, sum);
  }
  made.is_regular = region.least_instances == region.instances.size() &&
                    region.least_before == region.most_before;
  for (const Nth& nth : region.instances) {
    made.instances += nth.ranks;
    if (made.is_regular) made.excess += nth.most - nth.sum / nth.ranks;
  }
  if (!made.is_regular) made.excess = made.most - made.time / static_cast<Ticks>(made.ranks);
  add_causing_ranks(made, region, definitions);
  return made;
}

// Smallest fraction of empty messages for which cutting them is suggested.
constexpr double many_empty_messages = 0.05;

Hypothesis joined(Hypothesis all, const Hypothesis& more) {
  all.balances.insert(all.balances.end(), more.balances.begin(), more.balances.end());
  all.cuts.insert(all.cuts.end(), more.cuts.begin(), more.cuts.end());
  return all;
}

// Thrown when a replay fails: then the suggestions fail, too.
struct Failed {
  std::vector<Error> errors;
};

class Suggesting {
 public:
  Suggesting(const Trace& trace, const SuggestArgs& args) : trace_(trace), args_(args) {}

  Suggestions run() {
    const auto as_it_is = replayed({});
    result_.now = outcome_of(as_it_is);
    result_.violations = as_it_is.violations;
    result_.verdict = as_it_is.verdict;
    rules_ = std::make_shared<const WaitRules>(as_it_is.rules);
    if (!args_.forces && result_.verdict.fraction > Verdict::trust_fraction)
      throw Failed{too_uncertain()};
    result_.found = imbalances(trace_);
    propose();
    for (auto& suggestion : result_.suggestions)
      suggestion.outcome = outcome_of(replayed(suggestion.change));
    std::ranges::stable_sort(result_.suggestions, {},
                             [](const Suggestion& suggestion) { return suggestion.outcome.end; });
    while (const auto step = next_step()) {
      result_.together = with(step->suggestions);
      result_.steps.push_back(*step);
    }
    return std::move(result_);
  }

 private:
  ReplayResult replayed(Hypothesis hypothesis) {
    const ReplayArgs args{.hypothesis = std::move(hypothesis), .rules = rules_};
    auto result = args_.replay ? args_.replay(args, nullptr) : replay(trace_, args);
    if (!result) throw Failed{result.errors()};
    args_.reported(++result_.replays);
    return *std::move(result);
  }

  std::vector<Error> too_uncertain() const {
    const auto& largest = result_.verdict.regions.front();
    return {make_error(
        ErrorKind::run, "",
        fmt::format("{} of the time is in calls whose causes are not modeled, most of it in {}: a "
                    "ranking of changes would not be reliable",
                    percent_text(result_.verdict.fraction),
                    trace_.definitions.regions[largest.region].name),
        "--force ranks them anyway; `sim replay` lists these calls with --part verdict")};
  }

  static Outcome outcome_of(const ReplayResult& result) {
    return {result.end_after, result.after.total()[Metric::blocked]};
  }

  bool is_worth(Ticks gain) const {
    return gain > 0 &&
           static_cast<double>(gain) >= args_.least * static_cast<double>(result_.now.end);
  }

  void propose() {
    const auto& found = result_.found;
    auto& all = result_.suggestions;
    if (static_cast<double>(found.empty_messages) >
        many_empty_messages * static_cast<double>(found.messages))
      all.push_back({.change = {.cuts = {{.message_bytes = 0}}},
                     .name = "cut empty messages",
                     .cuts = found.empty_messages,
                     .may_bring = found.empty_messages_time});
    for (const auto& region : found.regions)
      if (is_worth(region.excess))
        all.push_back(balancing(region));
      else
        ++result_.too_small;
    std::ranges::stable_sort(all, std::ranges::greater(), &Suggestion::may_bring);
    result_.not_simulated = all.size() - std::min(all.size(), args_.most);
    all.resize(all.size() - result_.not_simulated);
  }

  // If ranks have different numbers of instances, their sums are balanced.
  Suggestion balancing(const Imbalance& region) const {
    const auto& name = region.region;
    Balance balance{.region = name.starts_with('(') ? name : literal(name)};
    if (!region.is_regular) balance.mode = Balance::Mode::scaled;
    return {.change = {.balances = {balance}},
            .name = "balance " + name,
            .of = region,
            .may_bring = region.excess};
  }

  // The hypothesis of all steps so far and these suggestions.
  Hypothesis with(const std::vector<std::size_t>& more) const {
    Hypothesis all = result_.together;
    for (const auto i : more) all = joined(std::move(all), result_.suggestions[i].change);
    return all;
  }

  Ticks end_so_far() const {
    return result_.steps.empty() ? result_.now.end : result_.steps.back().outcome.end;
  }

  std::vector<std::size_t> not_taken() const {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < result_.suggestions.size(); ++i)
      if (std::ranges::none_of(result_.steps, [&](const SuggestedStep& step) {
            return std::ranges::count(step.suggestions, i) > 0;
          }))
        all.push_back(i);
    return all;
  }

  // Empty if the remaining suggestions gain too little, even together.
  std::optional<SuggestedStep> next_step() {
    const auto left = not_taken();
    std::optional<SuggestedStep> best;
    for (const auto i : left) {
      const Outcome outcome =
          result_.steps.empty() ? result_.suggestions[i].outcome : outcome_of(replayed(with({i})));
      if (is_worth(end_so_far() - outcome.end) && (!best || outcome.end < best->outcome.end))
        best = SuggestedStep{{i}, outcome};
    }
    return best || left.size() < 2 ? best : step_of_several(left);
  }

  // All of them, without those that contribute nothing.
  std::optional<SuggestedStep> step_of_several(std::vector<std::size_t> left) {
    Outcome outcome = outcome_of(replayed(with(left)));
    if (!is_worth(end_so_far() - outcome.end)) return std::nullopt;
    for (std::size_t i = left.size(); i-- > 0;) {
      auto fewer = left;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      const Outcome without = outcome_of(replayed(with(fewer)));
      if (is_worth(without.end - outcome.end)) continue;
      left = std::move(fewer);
      outcome = without;
    }
    return SuggestedStep{std::move(left), outcome};
  }

  const Trace& trace_;
  const SuggestArgs& args_;
  std::shared_ptr<const WaitRules> rules_;  // learned by the first replay
  Suggestions result_;
};

}  // namespace

TraceImbalances imbalances(const Trace& trace) {
  TraceImbalances result;
  Regions names(trace.definitions);
  std::vector<OfRegion> regions;
  const auto kinds = call_kinds(trace.definitions.regions);
  const ThreadWaits waits = find_thread_waits(trace, kinds);
  for (TraceRank rank = 0; rank < trace.definitions.locations(); ++rank)
    RankPass(trace, waits, names, regions, result).run(rank);
  for (std::uint32_t region = 0; region < regions.size(); ++region)
    if (!regions[region].rank_sums.empty() &&
        (region >= kinds.size() || !kinds[region].waits_for_threads())) {
      auto imbalance = imbalance_of(names.name(region), regions[region], trace.definitions);
      const bool has_region = region < trace.definitions.regions.size();
      if (has_region || imbalance.excess > 0) result.regions.push_back(std::move(imbalance));
    }
  std::ranges::stable_sort(result.regions, std::ranges::greater(), &Imbalance::excess);
  return result;
}

Result<Suggestions> suggest_changes(const Trace& trace, const SuggestArgs& args) {
  try {
    return Suggesting(trace, args).run();
  } catch (const Failed& failed) {
    return failed.errors;
  }
}

}  // namespace tutti::studies::replay
