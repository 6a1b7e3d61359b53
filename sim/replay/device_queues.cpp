// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/device_queues.hpp"

#include "sim/replay/device_collectives.hpp"
#include "sim/replay/device_launches.hpp"

namespace tutti::studies::replay {
namespace {

using workloads::traces::none;
using workloads::traces::RegionRole;
using workloads::traces::TraceDefinitions;

// The streams and threads of one process.
class OfProcess {
 public:
  OfProcess(const std::vector<DeviceTrace>& traces, const TraceDefinitions& definitions,
            const std::vector<DeviceName>& names, const std::vector<TraceRank>& locations,
            DeviceQueues& result)
      : traces_(traces), definitions_(definitions), names_(names), result_(result) {
    for (const TraceRank location : locations) {
      if (!definitions.is_stream(location))
        threads_.push_back(location);
      else if (!traces[location].operations.empty())
        streams_.push_back(location);
    }
  }

  void run() {
    launched_ = find_launches(traces_, streams_, threads_, names_);
    for (const auto& launch : launched_.launches)
      if (launch.operation.location != none)
        operations_[launch.call.location][launch.call.number] = launch.operation;
    for (const auto& [thread, calls] : operations_) {
      result_.launched[thread].resize(traces_[thread].calls.size());
      for (const auto& [number, event] : calls)
        result_.launched[thread][number] = operation(event).end - operation(event).begin;
    }
    for (const TraceRank stream : streams_) add_launches(stream);
    for (const TraceRank thread : threads_) add_orders(thread);
    if (streams_.size() > 1)
      for (const TraceRank stream : streams_) add_unordered(stream);
    for (const TraceRank thread : threads_) add_waits(thread);
  }

 private:
  using Span = DeviceTrace::Span;
  using Work = DeviceName::Work;

  const Span& call(TraceRank thread, std::uint32_t number) const {
    return traces_[thread].calls[number];
  }
  const Span& operation(const DeviceEvent& event) const {
    return traces_[event.location].operations[event.number];
  }
  RegionRole role(const Span& call) const { return definitions_.regions[call.region].role; }
  // The operation that the call launches; null if there is none, or if it is unknown.
  const DeviceEvent* launched_by(TraceRank thread, std::uint32_t number) const {
    const auto of = operations_.find(thread);
    if (of == operations_.end()) return nullptr;
    const auto found = of->second.find(number);
    return found == of->second.end() ? nullptr : &found->second;
  }

  void add(TraceRank location, std::uint32_t number, const DeviceEvent& event, std::uint8_t in) {
    result_.causes[location].push_back({number, event, in});
    if (definitions_.is_stream(event.location))
      result_.is_awaited[event.location][event.number] = true;
  }

  // ---- what operations wait for ----

  void add_launches(TraceRank stream) {
    const auto& all = launched_.launches;
    const auto& found = launched_.streams[stream];
    for (std::uint32_t i = 0; i < found.size(); ++i) {
      const DeviceLaunch& launch = found[i];
      if (launch.is_certain()) {
        add(stream, i, all[launch.likely].call, DeviceCause::everywhere);
        continue;
      }
      if (launch.earliest == DeviceLaunch::none) {
        // Operations at the begin of a trace were launched before it.
        if (launch.likely == DeviceLaunch::none && !all.empty() &&
            operation({stream, i}).begin < all.front().time)
          continue;
        result_.has_unknown[stream][i] = true;
        ++result_.doubts.launches;
        if (launch.likely != DeviceLaunch::none)
          add(stream, i, all[launch.likely].call, DeviceCause::bit(Unmodeled::recorded));
        continue;
      }
      ++result_.doubts.launches;
      add(stream, i, all[launch.likely].call, DeviceCause::bit(Unmodeled::recorded));
      add(stream, i, all[launch.earliest].call, DeviceCause::bit(Unmodeled::shortest));
      add(stream, i, all[launch.latest].call, DeviceCause::bit(Unmodeled::longest));
    }
  }

  // How much later an operation begins than its launch and its stream explain.
  Ticks lateness(const DeviceEvent& event) const {
    const Ticks begin = operation(event).begin;
    Ticks expected = INT64_MIN;
    if (event.number > 0) expected = operation({event.location, event.number - 1}).end;
    const auto launch = launched_.streams.at(event.location)[event.number].likely;
    if (launch != DeviceLaunch::none)
      expected =
          std::max(expected, launched_.launches[launch].time + std::max<Ticks>(0, latency()));
    return expected == INT64_MIN ? 0 : begin - expected;
  }
  Ticks latency() const { return launched_.latency; }

  // Whether the operation waited for the other one: only that explains when it begins.
  bool has_waited(const DeviceEvent& event, const DeviceEvent& other) const {
    const Ticks since = operation(event).begin - operation(other).end;
    const Ticks late = lateness(event);
    return since >= 0 && since <= 2 * std::max<Ticks>(1, latency()) && late > 2 * since;
  }

  // The operation that a call orders, and the one that it waits for.
  using Pair = std::pair<DeviceEvent, DeviceEvent>;
  // What a record of an event may refer to: the last operation of each stream, latest launch
  // first.
  using Recorded = std::vector<DeviceEvent>;
  // Calls that order streams, without launches between them, and the records before them.
  struct Orders {
    std::uint32_t end = 0;  // the call after them
    std::uint32_t count = 0;
    std::vector<Recorded> recorded = {};     // since the orders before, latest first
    std::vector<Recorded> earlier = {};      // before those, latest first
    std::vector<DeviceEvent> launched = {};  // the next operation of each stream
    std::vector<Pair> found = {};            // what orders have done so far
    bool is_adjacent = false;                // each record follows a launch
  };

  void add_orders(TraceRank thread) {
    const auto& calls = traces_[thread].calls;
    Recorded last;
    Orders orders{.is_adjacent = true};
    bool follows_launch = false;
    for (std::uint32_t i = 0; i < calls.size(); ++i) {
      const auto* launch = launched_by(thread, i);
      if (launch != nullptr) {
        std::erase_if(last, [&](const DeviceEvent& of) { return of.location == launch->location; });
        last.insert(last.begin(), *launch);
      }
      if (role(calls[i]) == RegionRole::device_record) {
        orders.is_adjacent = orders.is_adjacent && follows_launch;
        orders.recorded.insert(orders.recorded.begin(), last);
        if (orders.recorded.size() > most_records) orders.recorded.pop_back();
      }
      follows_launch = launch != nullptr;
      if (role(calls[i]) != RegionRole::device_order) continue;
      ++orders.count;
      if (i + 1 < calls.size() && role(calls[i + 1]) == RegionRole::device_order) continue;
      orders.end = i + 1;
      find_launched(thread, orders);
      order(orders);
      orders.recorded.insert(orders.recorded.end(), orders.earlier.begin(), orders.earlier.end());
      if (orders.recorded.size() > most_records) orders.recorded.resize(most_records);
      orders = {.earlier = std::move(orders.recorded),
                .found = std::move(orders.found),
                .is_adjacent = true};
    }
  }

  void find_launched(TraceRank thread, Orders& orders) const {
    std::size_t launches = 0;
    for (std::uint32_t i = orders.end;
         i < traces_[thread].calls.size() && launches < 4 * streams_.size(); ++i) {
      const auto* launch = launched_by(thread, i);
      if (launch == nullptr) continue;
      ++launches;
      if (std::ranges::find(orders.launched, launch->location, &DeviceEvent::location) ==
          orders.launched.end())
        orders.launched.push_back(*launch);
    }
  }

  void order(Orders& orders) {
    if (orders.launched.empty()) return;
    std::vector<Recorded> records = orders.recorded;
    if (records.empty() && !orders.earlier.empty()) records.push_back(orders.earlier.front());
    for (std::uint32_t n = 0; n < orders.count; ++n) {
      const auto pair = most_likely(orders, records, n);
      const bool is_certain =
          pair && (has_waited(pair->first, pair->second) ||
                   (streams_.size() == 2 && orders.is_adjacent && !orders.recorded.empty() &&
                    pair->first == orders.launched.front() &&
                    pair->second == orders.recorded.front().front()));
      if (pair) {
        add(pair->first.location, pair->first.number, pair->second,
            is_certain ? DeviceCause::everywhere : DeviceCause::likely);
        orders.found.push_back(*pair);
        if (orders.found.size() > most_records) orders.found.erase(orders.found.begin());
      }
      if (is_certain) continue;
      ++result_.doubts.orders;
      add_possible(orders, orders.recorded);
      add_possible(orders, orders.earlier);
      if (pair) continue;
      for (const DeviceEvent& launched : orders.launched)
        result_.has_unknown[launched.location][launched.number] = true;
    }
  }

  void add_possible(const Orders& orders, const std::vector<Recorded>& records) {
    for (const Recorded& record : records)
      for (const DeviceEvent& of : record)
        for (const DeviceEvent& launched : orders.launched)
          if (may_wait(launched, of))
            add(launched.location, launched.number, of, DeviceCause::possible);
  }

  bool may_wait(const DeviceEvent& launched, const DeviceEvent& recorded) const {
    return launched.location != recorded.location &&
           operation(recorded).end <= operation(launched).begin;
  }

  // The pair of the n-th call: where the times show it, otherwise by the order of the calls.
  std::optional<Pair> most_likely(const Orders& orders, const std::vector<Recorded>& records,
                                  std::uint32_t n) const {
    const auto is_new = [&](const Pair& pair) {
      return std::ranges::find(orders.found, pair) == orders.found.end();
    };
    const auto pair_if = [&](const auto& may) -> std::optional<Pair> {
      for (std::size_t i = 0; i < records.size(); ++i)
        for (const DeviceEvent& launched : orders.launched)
          for (const DeviceEvent& of : records[(n + i) % records.size()])
            if (may_wait(launched, of) && may(launched, of) && is_new({launched, of}))
              return Pair(launched, of);
      return std::nullopt;
    };
    const auto shown =
        pair_if([&](const auto& launched, const auto& of) { return has_waited(launched, of); });
    return shown ? shown : pair_if([](const auto&, const auto&) { return true; });
  }

  // Operations that wait for another stream without a call that orders them, as those of the
  // default stream do.
  void add_unordered(TraceRank stream) {
    std::set<std::uint32_t> ordered;
    for (const DeviceCause& cause : result_.causes[stream])
      if (definitions_.is_stream(cause.event.location)) ordered.insert(cause.of);
    for (std::uint32_t i = 0; i < traces_[stream].operations.size(); ++i) {
      if (ordered.contains(i)) continue;
      const DeviceEvent event{stream, i};
      for (const TraceRank other : streams_) {
        const auto last = last_before(other, operation(event).begin);
        if (other == stream || !last || !has_waited(event, *last)) continue;
        add(stream, i, *last, DeviceCause::likely);
        ++result_.doubts.orders;
      }
    }
  }

  // ---- what the host waits for ----

  // The last operation of a stream that ended before the call did.
  std::optional<DeviceEvent> last_before(TraceRank stream, Ticks end) const {
    const auto& operations = traces_[stream].operations;
    const auto after = std::ranges::upper_bound(operations, end, {}, &Span::end);
    if (after == operations.begin()) return std::nullopt;
    return DeviceEvent{stream, static_cast<std::uint32_t>(after - operations.begin() - 1)};
  }

  // INT64_MIN if it is unknown.
  Ticks launch_time(const DeviceEvent& event) const {
    const std::uint32_t launch = launched_.streams.at(event.location)[event.number].likely;
    return launch == DeviceLaunch::none ? INT64_MIN : launched_.launches[launch].time;
  }

  // Whether an operation that was launched before the call was still running at its end, so that
  // the call did not wait for the stream.
  bool runs_longer(TraceRank stream, const Span& call) const {
    const auto& operations = traces_[stream].operations;
    const auto next = std::ranges::upper_bound(operations, call.end, {}, &Span::end);
    if (next == operations.end()) return false;
    const DeviceLaunch& launch =
        launched_.streams.at(stream)[static_cast<std::size_t>(next - operations.begin())];
    return launch.is_certain() ? launched_.launches[launch.likely].time < call.begin
                               : next->begin < call.begin;
  }

  // Whether each launch of a kernel ends after it, as debuggers and profilers may require.
  bool do_launches_block(TraceRank thread) const {
    const auto& calls = traces_[thread].calls;
    bool has_launches = false;
    for (std::uint32_t i = 0; i < calls.size(); ++i) {
      const auto* own = launched_by(thread, i);
      if (own == nullptr || names_[calls[i].region].call != Work::kernel) continue;
      if (operation(*own).end > calls[i].end) return false;
      has_launches = true;
    }
    return has_launches;
  }

  // A target region waits for its kernel, and an asynchronous copy of pageable memory for itself;
  // a launch may just last longer than a short operation.
  void wait_for_own(TraceRank thread, std::uint32_t number, const DeviceEvent& own, bool blocks) {
    const DeviceName& name = names_[call(thread, number).region];
    if (name.is_target || blocks) return add(thread, number, own, DeviceCause::everywhere);
    if (name.call != Work::copy) return;
    add(thread, number, own, DeviceCause::likely);
    ++result_.doubts.waits;
  }

  void add_waits(TraceRank thread) {
    const bool blocks = do_launches_block(thread);
    std::set<std::uint32_t> polled;  // regions
    for (const Span& call : traces_[thread].calls)
      if (call.is_loop) polled.insert(call.region);
    Awaited awaited;
    for (std::uint32_t i = 0; i < traces_[thread].calls.size(); ++i) {
      const Span& call = traces_[thread].calls[i];
      const RegionRole role = this->role(call);
      const DeviceEvent* own = launched_by(thread, i);
      if (role == RegionRole::launch && own != nullptr && operation(*own).end <= call.end)
        wait_for_own(thread, i, *own, blocks);
      if (role != RegionRole::device_wait && role != RegionRole::device_query) continue;
      const auto candidates = candidates_of(call, awaited);
      if (!candidates.empty())
        add_wait(thread, i, candidates, polled.contains(call.region), awaited);
      else if (role == RegionRole::device_wait && awaited.latest)
        add(thread, i, *awaited.latest, DeviceCause::everywhere);
    }
  }

  // What a thread has certainly waited for.
  struct Awaited {
    std::map<TraceRank, std::uint32_t> last;  // operation, by stream
    std::optional<DeviceEvent> latest = {};
  };

  // The last operations of the streams that the call may have waited for, the latest end first.
  std::vector<DeviceEvent> candidates_of(const Span& call, const Awaited& awaited) const {
    std::vector<DeviceEvent> candidates;
    for (const TraceRank stream : streams_) {
      const auto last = last_before(stream, call.end);
      const auto before = awaited.last.find(stream);
      if (!last || (before != awaited.last.end() && before->second >= last->number)) continue;
      // A loop waits for something that was launched before it.
      if (call.is_loop && launch_time(*last) > call.begin) continue;
      if (names_[call.region].scope == DeviceName::Scope::event || !runs_longer(stream, call))
        candidates.push_back(*last);
    }
    std::ranges::stable_sort(candidates, std::greater{},
                             [&](const DeviceEvent& event) { return operation(event).end; });
    return candidates;
  }

  // `is_polled`: there are loops of such calls.
  void add_wait(TraceRank thread, std::uint32_t number, const std::vector<DeviceEvent>& candidates,
                bool is_polled, Awaited& awaited) {
    const Span& call = this->call(thread, number);
    const auto wait = [&](const DeviceEvent& event, std::uint8_t in) {
      add(thread, number, event, in);
      if (in != DeviceCause::everywhere) return;
      awaited.last[event.location] = event.number;
      awaited.latest = event;
    };
    const DeviceEvent& latest = candidates.front();
    const bool is_query = role(call) == RegionRole::device_query;
    const bool has_ended_in_it = operation(latest).end > call.begin;
    if (names_[call.region].scope == DeviceName::Scope::device) {
      // A copy waits for its own stream, and for others unless they are independent of the default
      // one.
      const bool copies = names_[call.region].call != Work::other && candidates.size() > 1;
      const DeviceEvent* own = launched_by(thread, number);
      const DeviceEvent& first = own != nullptr ? *own : latest;
      for (const DeviceEvent& event : candidates)
        wait(event, !copies || event == first ? DeviceCause::everywhere : DeviceCause::likely);
      result_.doubts.waits += copies;
    } else if (has_ended_in_it ? !is_query || call.is_loop : !is_query && candidates.size() == 1) {
      wait(latest, DeviceCause::everywhere);
    } else {
      // A query may be a loop that ends at once.
      ++result_.doubts.waits;
      const bool is_likely = !is_query || (is_polled && !call.is_loop);
      wait(latest, is_likely ? DeviceCause::likely : DeviceCause::possible);
      for (std::size_t n = 1; n < candidates.size(); ++n)
        wait(candidates[n], DeviceCause::possible);
    }
  }

  static constexpr std::size_t most_records = 8;  // that a call may refer to
  const std::vector<DeviceTrace>& traces_;
  const TraceDefinitions& definitions_;
  const std::vector<DeviceName>& names_;
  DeviceQueues& result_;
  std::vector<TraceRank> streams_, threads_;
  LaunchedOperations launched_;
  // By thread and call: what it launches.
  std::unordered_map<TraceRank, std::unordered_map<std::uint32_t, DeviceEvent>> operations_;
};

}  // namespace

DeviceQueues device_queues(const std::vector<DeviceTrace>& traces,
                           const TraceDefinitions& definitions) {
  DeviceQueues result;
  result.causes.resize(traces.size());
  result.members.resize(traces.size());
  result.launched.resize(traces.size());
  for (const auto& trace : traces) {
    result.is_awaited.emplace_back(trace.operations.size());
    result.has_unknown.emplace_back(trace.operations.size());
  }
  const auto names = device_names(definitions.regions);
  std::map<TraceRank, std::vector<TraceRank>> processes;
  for (TraceRank i = 0; i < traces.size(); ++i) processes[definitions.rank_of(i)].push_back(i);
  for (const auto& [rank, locations] : processes)
    OfProcess(traces, definitions, names, locations, result).run();
  find_device_collectives(traces, names, result);
  for (auto& causes : result.causes) std::ranges::stable_sort(causes, {}, &DeviceCause::of);
  return result;
}

}  // namespace tutti::studies::replay
