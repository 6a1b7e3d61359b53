// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/device_queues.hpp"

namespace tutti::studies::replay {
namespace {

// The launches of a process in the order of time, and those that have no operation yet.
class Launches {
 public:
  void add(TraceRank location, const std::vector<DeviceTrace::Span>& launches) {
    for (std::uint32_t i = 0; i < launches.size(); ++i)
      all_.push_back({launches[i].begin, {location, i}});
  }
  void sort() {
    std::ranges::stable_sort(all_, {}, &Launch::time);
    is_free_.assign(all_.size(), true);
  }
  std::size_t size() const { return all_.size(); }

  // Assigns a launch to an operation that begins at `begin`, on a stream that was busy until
  // `busy_until`: an idle stream begins right after the launch, a busy one continues with the
  // oldest launch after `last`, that of the operation before.
  std::optional<std::size_t> take(Ticks begin, Ticks busy_until, std::optional<std::size_t> last) {
    const std::size_t first = std::max(first_free_, last ? *last + 1 : 0);
    const auto after = std::ranges::upper_bound(all_, begin, {}, &Launch::time);
    std::size_t latest = static_cast<std::size_t>(after - all_.begin());
    while (latest > first && !is_free_[latest - 1]) --latest;
    if (latest <= first) return std::nullopt;
    std::size_t taken = latest - 1;
    if (all_[taken].time < busy_until) {
      taken = first;
      while (!is_free_[taken]) ++taken;
    }
    is_free_[taken] = false;
    while (first_free_ < is_free_.size() && !is_free_[first_free_]) ++first_free_;
    return taken;
  }
  DeviceEvent event(std::size_t launch) const { return all_[launch].event; }

 private:
  struct Launch {
    Ticks time;
    DeviceEvent event;
  };
  std::vector<Launch> all_;
  std::vector<bool> is_free_;
  std::size_t first_free_ = 0;
};

// The streams and threads of one process.
class OfProcess {
 public:
  OfProcess(const std::vector<DeviceTrace>& traces, std::vector<TraceRank> locations,
            DeviceQueues& result)
      : traces_(traces), locations_(std::move(locations)), result_(result) {}

  void run() {
    for (const TraceRank location : locations_) launches_.add(location, traces_[location].launches);
    launches_.sort();
    assign_launches();
    for (const TraceRank location : locations_) add_waits(location);
  }

 private:
  struct Operation {
    Ticks begin;
    DeviceEvent event;
  };

  void assign_launches() {
    std::vector<Operation> operations;
    for (const TraceRank location : locations_) {
      const auto& of = traces_[location].operations;
      result_.launches[location].resize(of.size());
      for (std::uint32_t i = 0; i < of.size(); ++i)
        operations.push_back({of[i].begin, {location, i}});
      if (!of.empty()) ++streams_;
    }
    std::ranges::stable_sort(operations, {}, &Operation::begin);
    const bool is_one_to_one = streams_ == 1 && operations.size() == launches_.size();
    std::unordered_map<TraceRank, std::size_t> last;  // by stream
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const auto [stream, number] = operations[i].event;
      auto& launch = result_.launches[stream][number];
      if (is_one_to_one) {
        launch = launches_.event(i);
        continue;
      }
      const auto before = last.find(stream);
      const Ticks busy_until = number == 0 ? INT64_MIN : traces_[stream].operations[number - 1].end;
      const auto taken =
          launches_.take(operations[i].begin, busy_until,
                         before == last.end() ? std::nullopt : std::optional(before->second));
      if (!taken) continue;
      last[stream] = *taken;
      launch = launches_.event(*taken);
    }
  }

  // The last operation of each stream that ended before the synchronization did. One of a stream
  // waits for the stream whose last operation ended last.
  void add_waits(TraceRank thread) {
    for (const auto& wait : traces_[thread].waits) {
      auto& awaited = result_.awaited[thread].emplace_back();
      Ticks latest = INT64_MIN;
      for (const TraceRank stream : locations_) {
        const auto& operations = traces_[stream].operations;
        const auto after =
            std::ranges::upper_bound(operations, wait.span.end, {}, &DeviceTrace::Span::end);
        if (after == operations.begin()) continue;
        const DeviceEvent last{stream, static_cast<std::uint32_t>(after - operations.begin() - 1)};
        const Ticks end = operations[last.number].end;
        if (!wait.is_of_stream) {
          awaited.push_back(last);
        } else if (end > latest) {
          awaited.assign(1, last);
        }
        latest = std::max(latest, end);
      }
      for (const DeviceEvent& operation : awaited)
        result_.is_awaited[operation.location][operation.number] = true;
    }
  }

  const std::vector<DeviceTrace>& traces_;
  std::vector<TraceRank> locations_;
  DeviceQueues& result_;
  Launches launches_;
  std::size_t streams_ = 0;
};

}  // namespace

DeviceQueues device_queues(const std::vector<DeviceTrace>& traces,
                           const std::vector<TraceRank>& rank_of) {
  DeviceQueues result;
  result.launches.resize(traces.size());
  result.awaited.resize(traces.size());
  for (const auto& trace : traces) result.is_awaited.emplace_back(trace.operations.size());
  std::map<TraceRank, std::vector<TraceRank>> processes;
  for (TraceRank i = 0; i < traces.size(); ++i) processes[rank_of[i]].push_back(i);
  for (auto& [rank, locations] : processes) OfProcess(traces, std::move(locations), result).run();
  return result;
}

}  // namespace tutti::studies::replay
