// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/cycle_choice.hpp"

namespace tutti::io_models {
namespace {

// Appends the cycles with data of one aggregator; adjacent cycles form one part.
void append(const Redistribution& redistribution, int aggregator, std::vector<Extent>& parts) {
  const std::int64_t cycles = redistribution.cycles_of(aggregator);
  const std::size_t own = parts.size();
  for (std::int64_t cycle = redistribution.next_with_data(aggregator, 0); cycle < cycles;
       cycle = redistribution.next_with_data(aggregator, cycle + 1)) {
    if (parts.size() > own && parts.back().end == cycle)
      ++parts.back().end;
    else
      parts.push_back({cycle, cycle + 1});
  }
}

// The first cycle of a run differs from later ones. In a steady run, the third and later cycles are
// equal; the last two differences verify this.
constexpr std::int64_t simulated_of_run = 5;

// Messages and accesses of a cycle, over all aggregators.
struct Pattern {
  std::vector<Transfer> messages;
  std::vector<Extent> accesses;  // starts relative to the storage period
  bool operator==(const Pattern&) const = default;
};
Pattern pattern_of(const Redistribution& redistribution, std::int64_t cycle, Bytes period) {
  Pattern pattern;
  for (int i = 0; i < redistribution.aggregators(); ++i) {
    redistribution.transfers(i, cycle, pattern.messages);
    if (period == 0) continue;
    const std::size_t first = pattern.accesses.size();
    redistribution.file_extents(i, cycle, pattern.accesses);
    for (std::size_t at = first; at < pattern.accesses.size(); ++at) {
      Extent& access = pattern.accesses[at];
      access = {access.begin % period, access.begin % period + access.bytes()};
    }
  }
  return pattern;
}

// Whether messages leave before their cycle. An aggregator that reads for its group waits for its
// largest message, and the members for each of theirs: empty messages do not run ahead of it.
bool runs_ahead(const Redistribution& redistribution, const Pattern& pattern, Bytes most_bytes) {
  const auto is_small = [&](Bytes bytes) { return bytes <= most_bytes; };
  if (redistribution.groups() == nullptr)
    return std::ranges::any_of(pattern.messages, is_small, &Transfer::bytes);
  std::map<std::int32_t, Bytes> largest;  // by aggregator
  for (const Transfer& transfer : pattern.messages)
    largest[transfer.aggregator] = std::max(largest[transfer.aggregator], transfer.bytes);
  return std::ranges::any_of(largest, is_small, [](const auto& entry) { return entry.second; });
}

std::int64_t simulated_in(const CycleChoice& choice) {
  std::int64_t simulated = 0;
  for (const CycleRun& run : choice.runs) simulated += run.simulated;
  return simulated;
}

// Simulating a quarter of the work is worthwhile even if a full simulation must follow.
bool is_worth_it(const CycleChoice& choice, std::int64_t cycles) {
  return simulated_in(choice) * 4 <= cycles * 3;
}

// Maximum number of messages of a cycle that are counted, those of the first aggregators: more are
// too many for a sample, and an estimate suffices.
constexpr std::int64_t most_counted = CycleLimits{}.most_messages;

std::int64_t estimated_messages(const Redistribution& redistribution, const CyclesWithData& some) {
  std::int64_t most = 0;
  for (const std::int64_t place : std::set<std::int64_t>{0, some.count() / 2})
    if (place < some.count())
      most = std::max(most, messages_of_cycle(redistribution, some.at(place)));
  return most > 0 && some.count() > INT64_MAX / most ? INT64_MAX : most * some.count();
}

CycleChoice all_of(const Redistribution& redistribution,
                   std::shared_ptr<const CyclesWithData> some) {
  return {CycleMethod::all, {{0, some->count(), some->count()}}, redistribution.cycles(), some};
}

// Half of a window is needed to recover from the jump over omitted cycles.
constexpr std::int64_t good_window_cycles = 5;
constexpr std::int64_t least_window_cycles = 2;
constexpr std::int64_t least_windows = 3;
constexpr std::int64_t most_windows = 6;

struct Windows {
  std::int64_t count = least_windows;
  std::int64_t cycles = least_window_cycles;  // per window
};

// Windows for the intended number of messages of a sample, but at least three windows.
Windows affordable_windows(std::int64_t messages_of_one, const CycleLimits& limits) {
  const std::int64_t cycles = std::min(limits.most_sampled, limits.most_messages) / messages_of_one;
  if (cycles >= least_windows * good_window_cycles) {
    const auto count = std::min(cycles / good_window_cycles, most_windows);
    return {count, cycles / count};
  }
  for (std::int64_t window_cycles = good_window_cycles; window_cycles > least_window_cycles;
       --window_cycles)
    if (window_cycles * least_windows * messages_of_one <= limits.most_messages)
      return {least_windows, window_cycles};
  return {};
}

// The first window begins with the job and the last one ends with it. Each of the others lies in
// its part of the interval in between, at a position that changes from part to part: equidistant
// windows might all hit the same phase of a periodic file.
std::int64_t begin_of_window(const Windows& windows, std::int64_t window, std::int64_t cycles) {
  constexpr double golden = 0.6180339887498949;
  if (window == 0) return 0;
  if (window == windows.count - 1) return cycles - windows.cycles;
  const std::int64_t between = cycles - 2 * windows.cycles;
  const std::int64_t parts = windows.count - 2;
  const std::int64_t begin = windows.cycles + between * (window - 1) / parts;
  const std::int64_t end = windows.cycles + between * window / parts - windows.cycles;
  const double place = std::fmod(0.5 + static_cast<double>(window) * golden, 1.0);
  return begin + static_cast<std::int64_t>(place * static_cast<double>(end - begin));
}

// Assigns the cycles between two windows half to each.
void share_out(std::vector<CycleRun>& runs, std::int64_t cycles) {
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::int64_t own_end = runs[i].first + runs[i].simulated;
    const std::int64_t end =
        i + 1 < runs.size() ? own_end + (runs[i + 1].first - own_end) / 2 : cycles;
    runs[i].count = end - begin;
    begin = end;
  }
}

}  // namespace

CyclesWithData::CyclesWithData(const Redistribution& redistribution) {
  if (redistribution.all_have_data()) {
    add(0, redistribution.cycles());
    return;
  }
  std::vector<Extent> parts;
  for (int i = 0; i < redistribution.aggregators(); ++i) append(redistribution, i, parts);
  std::ranges::sort(parts, {}, &Extent::begin);
  for (const Extent& extent : parts) add(extent.begin, extent.end);
}

void CyclesWithData::add(std::int64_t first, std::int64_t end) {
  if (!stretches_.empty() && first <= stretches_.back().end) {
    Stretch& last = stretches_.back();
    count_ += std::max<std::int64_t>(0, end - last.end);
    last.end = std::max(last.end, end);
  } else if (first < end) {
    stretches_.push_back({first, end, count_});
    count_ += end - first;
  }
}

std::int64_t CyclesWithData::at(std::int64_t place) const {
  const auto after = std::ranges::upper_bound(stretches_, place, {}, &Stretch::place);
  return (after - 1)->first + place - (after - 1)->place;
}

std::vector<std::int64_t> CycleChoice::cycles() const {
  std::vector<std::int64_t> cycles;
  for (const CycleRun& run : runs)
    for (std::int64_t i = 0; i < run.simulated; ++i)
      cycles.push_back(with_data ? with_data->at(run.first + i) : run.first + i);
  return cycles;
}

std::int64_t CycleChoice::simulated_cycles() const {
  const std::int64_t simulated = simulated_in(*this);
  if (method == CycleMethod::sampled || !with_data) return simulated;
  return simulated + all_cycles - with_data->count();
}

std::int64_t messages_of_cycle(const Redistribution& redistribution, std::int64_t cycle) {
  std::vector<Transfer> found;
  std::int64_t messages = 0;
  const std::int64_t aggregators = redistribution.aggregators();
  for (int i = 0; i < aggregators; ++i) {
    found.clear();
    redistribution.transfers(i, cycle, found);
    messages += static_cast<std::int64_t>(found.size());
    if (messages > most_counted) return messages * aggregators / (i + 1);
  }
  return messages;
}

std::int64_t estimated_messages(const Redistribution& redistribution) {
  return estimated_messages(redistribution, CyclesWithData(redistribution));
}

CycleChoice all_cycles(const Redistribution& redistribution) {
  const std::int64_t cycles = redistribution.cycles();
  return {CycleMethod::all, {{0, cycles, cycles}}, cycles};
}

CycleChoice all_with_data(const Redistribution& redistribution) {
  return all_of(redistribution, std::make_shared<const CyclesWithData>(redistribution));
}

CycleChoice repeated_cycles(const Redistribution& redistribution, const CycleLimits& limits) {
  const auto some = std::make_shared<const CyclesWithData>(redistribution);
  if (limits.empty_ones_count && some->count() < redistribution.cycles())
    return all_cycles(redistribution);
  CycleChoice choice{CycleMethod::repeated, {}, redistribution.cycles(), some};
  if (some->count() <= simulated_of_run ||
      estimated_messages(redistribution, *some) > limits.most_compared)
    return all_of(redistribution, some);
  Pattern previous;
  std::int64_t compared = 0;
  bool looked = false;
  for (std::int64_t place = 0; place < some->count(); ++place) {
    Pattern pattern = pattern_of(redistribution, some->at(place), limits.storage_period);
    if (choice.runs.empty() || pattern != previous) choice.runs.push_back({place, 0, 0});
    CycleRun& run = choice.runs.back();
    const bool is_simulated = run.count < simulated_of_run ||
                              runs_ahead(redistribution, pattern, limits.runs_ahead_bytes);
    run.simulated += is_simulated ? 1 : 0;
    ++run.count;
    compared += static_cast<std::int64_t>(pattern.messages.size());
    if (compared > limits.first_compared && !std::exchange(looked, true) &&
        !is_worth_it(choice, place + 1))
      return all_of(redistribution, some);
    previous = std::move(pattern);
  }
  return is_worth_it(choice, some->count()) ? choice : all_of(redistribution, some);
}

CycleChoice sampled_cycles(const Redistribution& redistribution, const CycleLimits& limits) {
  const auto some = std::make_shared<const CyclesWithData>(redistribution);
  const std::int64_t cycles = some->count();
  const std::int64_t in_one = std::max<std::int64_t>(
      1, estimated_messages(redistribution, *some) / std::max<std::int64_t>(1, cycles));
  const bool all_count = limits.empty_ones_count && cycles < redistribution.cycles();
  if (limits.most_messages / in_one >= (all_count ? redistribution.cycles() : cycles))
    return all_count ? all_cycles(redistribution) : all_of(redistribution, some);
  CycleChoice choice{CycleMethod::sampled, {}, redistribution.cycles(), some};
  if (all_count || limits.most_messages / in_one < 2) return choice;
  const Windows windows = affordable_windows(in_one, limits);
  if (windows.count * windows.cycles >= cycles) return all_of(redistribution, some);
  for (std::int64_t i = 0; i < windows.count; ++i) {
    choice.runs.push_back({begin_of_window(windows, i, cycles), 0, windows.cycles});
    const auto pattern = pattern_of(redistribution, some->at(choice.runs.back().first), 0);
    if (runs_ahead(redistribution, pattern, limits.runs_ahead_bytes))
      return {CycleMethod::sampled, {}, redistribution.cycles(), some};
  }
  share_out(choice.runs, cycles);
  return choice;
}

CycleChoice chosen_calls(std::int64_t count, std::int64_t messages, const CycleLimits& limits) {
  const CycleChoice all{CycleMethod::all, {{0, count, count}}, count};
  const std::int64_t of_one = std::max<std::int64_t>(1, messages);
  if (count <= limits.most_messages / of_one) return all;
  CycleChoice choice{CycleMethod::sampled, {}, count};
  if (limits.most_messages / of_one < least_windows * least_window_cycles) return choice;
  const Windows windows = affordable_windows(of_one, limits);
  if (windows.count * windows.cycles >= count) return all;
  for (std::int64_t i = 0; i < windows.count; ++i)
    choice.runs.push_back({begin_of_window(windows, i, count), 0, windows.cycles});
  share_out(choice.runs, count);
  return choice;
}

}  // namespace tutti::io_models
