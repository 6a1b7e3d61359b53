// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/device_launches.hpp"

namespace tutti::studies::replay {
namespace {

using Work = DeviceName::Work;

struct Operation {
  Ticks begin;
  Ticks free_since;  // end of the operation before it on the stream
  DeviceEvent event;
};

// Operations and launches of the same kind of work, both in the order of time.
class Matching {
 public:
  Matching(std::vector<Operation> operations, std::vector<std::uint32_t> launches,
           LaunchedOperations& result)
      : operations_(std::move(operations)), launches_(std::move(launches)), result_(result) {}

  void run(bool has_kernels) {
    trim();
    if (operations_.empty() || operations_.size() != launches_.size()) return guess();
    Ticks latency = INT64_MAX;
    for (std::size_t i = 0; i < launches_.size(); ++i)
      latency = std::min(latency, operations_[i].begin - time(i));
    if (has_kernels) result_.latency = latency;
    by_latency(latency);
  }

 private:
  Ticks time(std::size_t launch) const { return result_.launches[launches_[launch]].time; }
  DeviceLaunch& of(const Operation& operation) {
    return result_.streams[operation.event.location][operation.event.number];
  }

  // Operations at the begin of a trace may have been launched before it, and operations after its
  // end are not in it.
  void trim() {
    std::size_t before = 0;
    if (operations_.size() > launches_.size())
      while (before < operations_.size() &&
             (launches_.empty() || operations_[before].begin < time(0)))
        ++before;
    operations_.erase(operations_.begin(),
                      operations_.begin() + static_cast<std::ptrdiff_t>(before));
    while (launches_.size() > operations_.size() &&
           (operations_.empty() || time(launches_.size() - 1) > operations_.back().begin))
      launches_.pop_back();
  }

  void assign(const Operation& operation, std::size_t launch, bool is_certain) {
    DeviceLaunch& found = of(operation);
    found.likely = launches_[launch];
    if (is_certain) found.earliest = found.latest = found.likely;
    result_.launches[found.likely].operation = operation.event;
  }

  // From the last launch to the first one: the operation is the last one of some stream that has no
  // launch yet.
  void by_latency(Ticks latency) {
    std::map<TraceRank, std::vector<std::size_t>> streams;  // operations without a launch
    for (std::size_t i = 0; i < operations_.size(); ++i)
      streams[operations_[i].event.location].push_back(i);
    const Ticks tolerance = std::max<Ticks>(latency, 0) / 2;
    std::vector<bool> is_certain(launches_.size());
    for (std::size_t launch = launches_.size(); launch-- > 0;) {
      std::vector<std::size_t>*prompt = nullptr, *last = nullptr;
      std::size_t candidates = 0, prompts = 0;
      for (auto& [stream, left] : streams) {
        if (left.empty()) continue;
        const auto& [begin, free_since, event] = operations_[left.back()];
        const Ticks since = begin - time(launch);
        ++candidates;
        if (last == nullptr || begin > operations_[last->back()].begin) last = &left;
        if (since < latency || since > latency + tolerance || free_since > time(launch)) continue;
        ++prompts;
        if (prompt == nullptr || begin < operations_[prompt->back()].begin) prompt = &left;
      }
      auto& taken = prompt != nullptr ? *prompt : *last;
      is_certain[launch] = candidates == 1 || prompts == 1;
      assign(operations_[taken.back()], launch, is_certain[launch]);
      taken.pop_back();
    }
    bound(latency, is_certain);
  }

  // The launches that an operation may have, if its own is not certain.
  void bound(Ticks latency, const std::vector<bool>& is_certain) {
    std::vector<std::uint32_t> uncertain;
    for (std::size_t i = 0; i < launches_.size(); ++i)
      if (!is_certain[i]) uncertain.push_back(launches_[i]);
    std::map<TraceRank, std::uint32_t> after;  // the earliest launch of the stream's next operation
    for (const Operation& operation : operations_) {
      DeviceLaunch& found = of(operation);
      auto& earliest = after[operation.event.location];
      if (!found.is_certain()) {
        const auto from = std::ranges::lower_bound(uncertain, earliest);
        const auto to = std::ranges::upper_bound(
            uncertain, operation.begin - latency, {},
            [&](std::uint32_t launch) { return result_.launches[launch].time; });
        found.earliest = from == uncertain.end() ? found.likely : std::min(*from, found.likely);
        found.latest =
            to == uncertain.begin() ? found.likely : std::max(*std::prev(to), found.likely);
      }
      earliest = found.earliest + 1;
    }
  }

  // The numbers differ: an operation gets the launch before it that is free, but no certain one.
  void guess() {
    std::size_t next = 0;
    for (const Operation& operation : operations_) {
      std::size_t latest = next;
      while (latest < launches_.size() && time(latest) <= operation.begin) ++latest;
      if (latest == next) continue;
      const bool is_on_time = next + 1 == latest || operations_.size() >= launches_.size();
      next = is_on_time ? next : latest - 1;
      assign(operation, next++, false);
    }
  }

  std::vector<Operation> operations_;
  std::vector<std::uint32_t> launches_;
  LaunchedOperations& result_;
};

}  // namespace

LaunchedOperations find_launches(const std::vector<DeviceTrace>& traces,
                                 const std::vector<TraceRank>& streams,
                                 const std::vector<TraceRank>& threads,
                                 const std::vector<DeviceName>& names) {
  LaunchedOperations result;
  std::array<std::vector<Operation>, 3> operations;
  for (const TraceRank stream : streams) {
    const auto& of = traces[stream].operations;
    result.streams[stream].resize(of.size());
    for (std::uint32_t i = 0; i < of.size(); ++i)
      operations[static_cast<std::size_t>(names[of[i].region].operation)].push_back(
          {of[i].begin, i == 0 ? INT64_MIN : of[i - 1].end, {stream, i}});
  }
  std::vector<std::pair<LaunchedOperations::Launch, Work>> all;
  std::array<std::size_t, 3> counts{};
  for (const TraceRank thread : threads) {
    const auto& of = traces[thread].calls;
    for (std::uint32_t i = 0; i < of.size(); ++i) {
      const Work work = names[of[i].region].call;
      if (work == Work::other) continue;
      ++counts[static_cast<std::size_t>(work)];
      all.push_back({{of[i].begin, {thread, i}, {workloads::traces::none, 0}}, work});
    }
  }
  std::ranges::stable_sort(all, {}, [](const auto& launch) { return launch.first.time; });
  std::array<std::vector<std::uint32_t>, 3> launches;
  for (const auto& [launch, work] : all) {
    // The trace may lack the operations of copies.
    if (operations[static_cast<std::size_t>(work)].empty()) continue;
    launches[static_cast<std::size_t>(work)].push_back(
        static_cast<std::uint32_t>(result.launches.size()));
    result.launches.push_back(launch);
  }
  for (const Work work : {Work::copy, Work::fill, Work::kernel}) {
    auto& of = operations[static_cast<std::size_t>(work)];
    auto& kernels = operations[static_cast<std::size_t>(Work::kernel)];
    // A kernel may be called like a copy.
    if (work != Work::kernel && counts[static_cast<std::size_t>(work)] == 0)
      kernels.insert(kernels.end(), std::make_move_iterator(of.begin()),
                     std::make_move_iterator(of.end()));
    if (work != Work::kernel && counts[static_cast<std::size_t>(work)] == 0) of.clear();
    std::ranges::stable_sort(of, {}, &Operation::begin);
    Matching(of, launches[static_cast<std::size_t>(work)], result).run(work == Work::kernel);
  }
  return result;
}

}  // namespace tutti::studies::replay
