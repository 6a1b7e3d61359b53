// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/trace_scan.hpp"

#include "sim/replay/collectives_ahead.hpp"
#include "sim/replay/event_reader.hpp"
#include "sim/replay/latest_time.hpp"

namespace tutti::studies::replay {
namespace {

using workloads::traces::Trace;

// Scans one rank.
class RankScan {
 public:
  // `device`: null if the trace has no streams. `calls`: the number of calls by region, of those
  // that all ranks call.
  RankScan(const Trace& trace, const Hypothesis& hypothesis, const PartsOfRegions& parts,
           TraceRank rank, TraceScan& result, DeviceTrace* device,
           std::vector<std::uint32_t>& calls, CallsOfAll& of_files)
      : trace_(trace),
        hypothesis_(hypothesis),
        parts_(parts),
        rank_(rank),
        result_(result),
        device_(device),
        calls_(calls),
        of_files_(of_files),
        frames_(parts),
        rule_(trace.definitions, hypothesis),
        collectives_(trace, rank),
        kinds_(result.kinds),
        waits_(result.thread_waits, rank) {}

  void run() {
    visit_events(trace_, rank_, [&](const Event& event) {
      const bool is_call = event.kind == EventKind::enter &&
                           replay::is_call(kinds_[event.id], trace_.definitions, rank_, event.id);
      if (is_call && kinds_[event.id].polls() && !std::exchange(has_loops_, true))
        result_.ranks[rank_].loops = polling_loops(trace_, rank_, kinds_, parts_);
      if (!has_time_) begin_outside();
      if (const auto end = waits_.end_before(position_)) time_ = std::max(time_, *end);
      take_piece(event.time, is_call ? event.id : workloads::traces::none);
      take(event);
      ++position_;
      while (loop_ < loops().size() && loops()[loop_].last < position_) ++loop_;
    });
    while (!frames_.empty()) {
      count_open();
      leave_frame();
    }
    if (has_time_) count_open();
    end_outside();
    result_.locks.end_rank();
    result_.incomplete_receives += order_.under_way();
    order_.finish();
    place();
  }

 private:
  void take(const Event& event) {
    switch (event.kind) {
      case EventKind::enter:
        return enter(event.id);
      case EventKind::leave:
        return leave();
      case EventKind::send:
      case EventKind::isend:
        return send(event);
      case EventKind::irecv_request:
      case EventKind::request_cancelled:
        order_.take(rank_, event);
        return place();
      case EventKind::irecv:
      case EventKind::recv:
        order_.take(rank_, event, mark(event));
        return place();
      case EventKind::collective_end:
      case EventKind::collective_request:
      case EventKind::icollective_end:
        return collective(event);
      case EventKind::lock_request:
        return result_.locks.request(rank_, LockKey::of(event), event.tag != 0);
      case EventKind::lock_release:
        released_.push_back(LockKey::of(event));
        return;
      default:
        return;
    }
  }

  bool is_cut() const { return cut_depth_ > 0; }

  // Whether the event comes after the first event of a loop that waits, at the latest as its last.
  const std::vector<PollingLoop>& loops() const { return result_.ranks[rank_].loops; }
  bool is_in_loop() const { return loop_ < loops().size() && loops()[loop_].first < position_; }
  bool ends_loop() const { return is_in_loop() && loops()[loop_].last == position_; }

  // The same instances as in the replay: Frames::begin_outside.
  void begin_outside() { begin_instances(frames_.begin_outside()); }
  void end_outside() { end_instances(frames_.top()); }

  void begin_instances(Frame& frame) {
    if (frame.parts == 0) return;
    const Parts changes = frame.parts & (parts_.scales() | parts_.balances());
    each_part(changes, [&](std::size_t part) { ++result_.matched[part]; });
    each_balance(frame, [&](std::vector<Ticks>& instances) {
      frame.instance = instances.size();
      instances.push_back(0);
    });
  }
  void end_instances(const Frame& frame) {
    if (frame.parts == 0) return;
    each_balance(
        frame, [&](std::vector<Ticks>& instances) { instances[frame.instance] = frame.recorded; });
  }

  void enter(std::uint32_t region) {
    if (frames_.empty() && !is_in_loop()) {
      end_outside();
      operation_begin_ = time_;
    }
    Frame& frame = frames_.enter(region, root_path);
    const Parts changes = frame.parts & (parts_.scales() | parts_.balances());
    frame.is_wait = kinds_[region].waits_for_threads();
    const bool is_inside = mpi_depth_ > 0;
    if (is_inside || frame.is_wait || is_call(kinds_[region], trace_.definitions, rank_, region)) {
      // Tasks that run in barriers are computation.
      if ((is_inside || !frame.is_wait) && ++mpi_depth_ == 1) begin_call(region);
      if (changes != 0) each_part(changes, [&](std::size_t part) { ++result_.of_mpi[part]; });
      frame.parts &= ~changes;
    } else {
      begin_instances(frame);
    }
    if (is_cut()) {
      ++cut_depth_;
    } else if (const Parts cuts = frame.parts & parts_.cuts(); cuts != 0) {
      cut_depth_ = 1;
      each_part(cuts, [&](std::size_t part) { ++result_.matched[part]; });
    }
  }

  void begin_call(std::uint32_t region) {
    call_begin_ = time_;
    if (!is_in_loop()) loop_begin_ = time_;
    calls_[region] += kinds_[region].is_of_all;
  }

  // The operations of a stream are its outermost regions.
  void add_to_device(std::uint32_t region) {
    if (trace_.definitions.is_stream(rank_)) {
      if (frames_.empty()) device_->operations.push_back({operation_begin_, time_, region});
    } else if (mpi_depth_ == 0 && kinds_[region].concerns_devices()) {
      if (!is_in_loop())
        device_->calls.push_back({call_begin_, time_, region});
      else if (ends_loop() && loops()[loop_].ends == PollingLoop::Ends::operation)
        device_->calls.push_back({loop_begin_ - loops()[loop_].divided, time_, region, true});
    }
  }

  void leave() {
    if (frames_.empty()) return;
    const std::uint32_t region = frames_.top().region;
    end_instances(frames_.top());
    leave_frame();
    if (is_cut()) --cut_depth_;
    if (mpi_depth_ > 0 && --mpi_depth_ == 0) {
      after_call_ = region;
      if (kinds_[region].is_of_file && rank_ < trace_.definitions.ranks.size())
        of_files_.add(region, rank_, call_begin_, time_);
    }
    if (device_ != nullptr) add_to_device(region);
    if (mpi_depth_ == 0 && !released_.empty())
      for (const LockKey& lock : std::exchange(released_, {})) result_.locks.release(lock, time_);
    if (frames_.empty() && (!is_in_loop() || ends_loop())) begin_outside();
  }

  void leave_frame() {
    result_.inner_called |= frames_.top().parts & frames_.top().seen;
    frames_.leave();
  }

  template <class Visit>
  void each_balance(const Frame& frame, const Visit& visit) {
    each_part(frame.parts & parts_.balances(), [&](std::size_t part) {
      visit(result_.instances[part - hypothesis_.scales.size()][rank_]);
    });
  }

  void count_open() {
    each_part(frames_.top().parts & parts_.balances(), [&](std::size_t part) {
      ++result_.open_instances[part - hypothesis_.scales.size()][rank_];
    });
  }

  // The time since the last event belongs to the region on top.
  void take_piece(Ticks time, std::uint32_t call) {
    const std::uint32_t after_call = std::exchange(after_call_, workloads::traces::none);
    const Ticks measured = has_time_ ? time - time_ : 0;
    const Ticks piece = rule_.compensated(measured);
    if (is_in_loop()) {
      time_ = time;
      return;
    }
    if (has_time_ && mpi_depth_ == 0 && !frames_.top().is_wait) {
      result_.perturbation.taken += measured - piece;
      ++result_.perturbation.pieces;
      result_.perturbation.short_pieces += measured < rule_.perturbation;
    }
    time_ = time;
    has_time_ = true;
    if (parts_.has_pairs() && after_call != workloads::traces::none &&
        call != workloads::traces::none) {
      Frame between = frames_.between(after_call, call);
      if (between.parts != 0) {
        begin_instances(between);
        between.recorded = piece >= rule_.latency ? piece : 0;
        return end_instances(between);
      }
    }
    if (frames_.top().parts != 0 && piece >= rule_.latency) frames_.top().recorded += piece;
  }

  // 1 if the message is cut.
  std::uint64_t mark(const Event& event) {
    bool cuts = is_cut();
    each_part(parts_.message_cuts() & frames_.around(), [&](std::size_t part) {
      if (!hypothesis_.cut(part).cuts_message(event.bytes, event.tag)) return;
      ++result_.matched[part];
      cuts = true;
    });
    return cuts ? 1 : 0;
  }

  void send(const Event& event) {
    const MessageKey key = key_of(rank_, event);
    const std::uint64_t number = count_of(key).sent++;
    if (mark(event) != 0) result_.cut_messages.insert({key, number});
  }

  void place() {
    order_.each_placed([&](const ReceiveOrder::Placed& placed) {
      ++count_of(placed.key).received;
      if (placed.note != 0) result_.cut_messages.insert({placed.key, placed.number});
      if (placed.number != placed.completed_number)
        result_.ranks[rank_].reordered[placed.completion] = placed.number;
    });
  }

  MessageCount& count_of(const MessageKey& key) {
    return recent_.of(key, [&]() -> MessageCount& { return result_.messages[key]; });
  }

  // Both ends of a nonblocking collective decide whether it is cut.
  void collective(const Event& event) {
    result_.has_collectives = true;
    result_.has_nonblocking |= event.kind != EventKind::collective_end;
    const auto mine = collectives_.take(event);
    if (!mine || !is_cut()) return;
    const bool alone = trace_.definitions.communicators[mine->comm].members.empty();
    result_.cut_collectives.insert(
        {mine->comm, alone ? rank_ : workloads::traces::none, mine->number});
  }

  const Trace& trace_;
  const Hypothesis& hypothesis_;
  const PartsOfRegions& parts_;
  TraceRank rank_;
  TraceScan& result_;
  DeviceTrace* device_;
  std::vector<std::uint32_t>& calls_;
  CallsOfAll& of_files_;
  Ticks call_begin_ = 0, loop_begin_ = 0, operation_begin_ = 0;
  Frames frames_;
  PieceRule rule_;
  Ticks time_ = 0;
  bool has_time_ = false;
  std::size_t cut_depth_ = 0;
  std::size_t mpi_depth_ = 0;  // depth inside an MPI call
  std::uint32_t after_call_ = workloads::traces::none;
  ReceiveOrder order_;
  RecentEntries<MessageCount> recent_;  // of result_.messages
  CollectiveCount collectives_;
  std::vector<LockKey> released_;       // by the current call
  const std::vector<CallKind>& kinds_;  // by region
  std::uint64_t position_ = 0;          // of the event
  std::size_t loop_ = 0;                // the first one that does not end before it
  bool has_loops_ = false;              // they are known
  ThreadWaitCursor waits_;
};

// Finds the posts of cut receives. A post has no source, but the cut must be known there.
void find_cut_posts(const Trace& trace, TraceRank rank, TraceScan& result) {
  ReceiveOrder order;
  const auto place = [&] {
    order.each_placed([&](const ReceiveOrder::Placed& placed) {
      if (result.cut_messages.contains({placed.key, placed.number}))
        result.ranks[rank].cut_posts.insert(placed.post);
    });
  };
  visit_events(trace, rank, [&](const Event& event) {
    order.take(rank, event);
    place();
  });
  order.finish();
  place();
}

Ticks mean_of(const std::vector<Ticks>& values) {
  const auto sum = std::accumulate(values.begin(), values.end(), __int128{0});
  const auto count = static_cast<__int128>(values.size());
  return static_cast<Ticks>((2 * sum + count) / (2 * count));
}

// Instances, by rank that has at least one.
using Instances = std::vector<std::vector<Ticks>>;

// `first`: the number of each rank's first instance.
void to_instance_means(Instances& instances, const std::vector<std::size_t>& first) {
  std::size_t begin = SIZE_MAX, end = 0;
  for (std::size_t rank = 0; rank < instances.size(); ++rank) {
    if (instances[rank].empty()) continue;
    begin = std::min(begin, first[rank]);
    end = std::max(end, first[rank] + instances[rank].size());
  }
  for (std::size_t i = begin; i < end; ++i) {
    std::vector<Ticks*> nth;
    std::vector<Ticks> values;
    for (std::size_t rank = 0; rank < instances.size(); ++rank)
      if (i >= first[rank] && i - first[rank] < instances[rank].size()) {
        nth.push_back(&instances[rank][i - first[rank]]);
        values.push_back(*nth.back());
      }
    if (nth.empty()) continue;
    const Ticks mean = mean_of(values);
    for (Ticks* instance : nth) *instance = mean;
  }
}

void to_own_mean(Instances& instances) {
  for (auto& rank : instances)
    if (!rank.empty()) rank.assign(rank.size(), mean_of(rank));
}

void to_mean(Instances& instances) {
  std::vector<Ticks> all;
  for (const auto& rank : instances) all.insert(all.end(), rank.begin(), rank.end());
  if (all.empty()) return;
  const Ticks mean = mean_of(all);
  for (auto& rank : instances) rank.assign(rank.size(), mean);
}

void to_equal_sums(Instances& instances) {
  double sum = 0, ranks = 0;
  for (const auto& rank : instances) {
    sum += std::accumulate(rank.begin(), rank.end(), 0.0);
    ranks += rank.empty() ? 0 : 1;
  }
  for (auto& rank : instances) {
    const double own = std::accumulate(rank.begin(), rank.end(), 0.0);
    if (own == 0) continue;
    for (auto& ticks : rank) ticks = std::llround(static_cast<double>(ticks) * (sum / ranks) / own);
  }
}

void note_shape(const Instances& instances, const std::string& region,
                std::vector<std::string>& notes) {
  std::size_t least = SIZE_MAX, most = 0, without = 0;
  for (const auto& rank : instances) {
    least = std::min(least, rank.size());
    most = std::max(most, rank.size());
    without += rank.empty();
  }
  if (most == least) return;
  notes.push_back(
      fmt::format("balance of {}: ranks have {} to {} instances{}; an instance is balanced "
                  "among the ranks that have it",
                  printable(region), least, most,
                  without > 0 ? ", " + counted(without, "rank") + " none" : ""));
}

}  // namespace

void CallsOfAll::add(std::uint32_t region, TraceRank rank, Ticks enter, Ticks leave) {
  OfRegion& of = regions_[region];
  of.calls.resize(ranks_);
  const std::size_t number = of.calls[rank]++;
  if (number >= of.instances.size()) of.instances.resize(number + 1);
  Instance& instance = of.instances[number];
  instance.last_enter = std::max(instance.last_enter, enter);
  instance.first_leave = std::min(instance.first_leave, leave);
  ++instance.ranks;
}

bool CallsOfAll::synchronize(std::uint32_t region) const {
  const auto& instances = regions_[region].instances;
  return !instances.empty() && std::ranges::all_of(instances, [&](const Instance& instance) {
    return instance.ranks == ranks_ && instance.last_enter <= instance.first_leave;
  });
}

PieceRule::PieceRule(const workloads::traces::TraceDefinitions& definitions,
                     const Hypothesis& hypothesis)
    : latency(nearest_ticks(hypothesis.call_latency_s * definitions.ticks_per_s)),
      perturbation(nearest_ticks(hypothesis.perturbation_s * definitions.ticks_per_s)) {}

namespace {

// An instance that the begin of a window cuts is the same as the last one before it.
std::vector<std::vector<std::size_t>> first_instances(const Trace& trace,
                                                      const Hypothesis& hypothesis) {
  const auto ranks = trace.definitions.locations();
  std::vector<std::vector<std::size_t>> first(hypothesis.balances.size(),
                                              std::vector<std::size_t>(ranks));
  if (!trace.before || first.empty()) return first;
  const TraceScan before = scan(*trace.before, hypothesis);
  for (std::size_t balance = 0; balance < first.size(); ++balance)
    for (TraceRank rank = 0; rank < ranks; ++rank)
      first[balance][rank] =
          before.instances[balance][rank].size() - before.open_instances[balance][rank];
  return first;
}

}  // namespace

TraceScan scan(const Trace& trace, const Hypothesis& hypothesis) {
  const PartsOfRegions parts(hypothesis, trace.definitions.regions);
  const auto ranks = trace.definitions.locations();
  TraceScan result;
  result.kinds = call_kinds(trace.definitions.regions);
  result.ranks.resize(ranks);
  result.instances.assign(hypothesis.balances.size(), std::vector<std::vector<Ticks>>(ranks));
  result.open_instances.assign(hypothesis.balances.size(), std::vector<std::size_t>(ranks));
  result.first_instances = first_instances(trace, hypothesis);
  result.matched.resize(hypothesis.parts());
  result.of_mpi.resize(result.matched.size());
  for (const CallKind& kind : result.kinds) result.is_of_all.push_back(kind.is_of_all);
  result.thread_waits = find_thread_waits(trace, result.kinds);
  bool has_streams = false;
  for (TraceRank location = 0; location < ranks; ++location)
    has_streams |= trace.definitions.is_stream(location);
  std::vector<DeviceTrace> devices(has_streams ? ranks : 0);
  CallsOfAll of_files(result.kinds.size(), trace.definitions.ranks.size());
  for (TraceRank rank = 0; rank < ranks; ++rank) {
    std::vector<std::uint32_t> calls(result.kinds.size());
    RankScan(trace, hypothesis, parts, rank, result, has_streams ? &devices[rank] : nullptr, calls,
             of_files)
        .run();
    if (rank >= trace.definitions.ranks.size()) continue;
    for (std::size_t region = 0; region < calls.size(); ++region)
      if (calls[region] != 1) result.is_of_all[region] = false;
  }
  for (std::uint32_t region = 0; region < result.kinds.size(); ++region)
    if (result.kinds[region].is_of_file) result.is_of_all[region] = of_files.synchronize(region);
  result.locks.finish();
  if (has_streams) result.devices = device_queues(devices, trace.definitions);
  if (!result.cut_messages.empty())
    for (TraceRank rank = 0; rank < ranks; ++rank) find_cut_posts(trace, rank, result);
  return result;
}

BalanceTargets balance_targets(const TraceScan& scan, const Hypothesis& hypothesis) {
  BalanceTargets result{scan.instances, {}};
  for (std::size_t i = 0; i < hypothesis.balances.size(); ++i) {
    auto& instances = result.targets[i];
    note_shape(instances, hypothesis.balances[i].region, result.notes);
    switch (hypothesis.balances[i].mode) {
      case Balance::Mode::global_instance:
        to_instance_means(instances, scan.first_instances[i]);
        break;
      case Balance::Mode::process_local:
        to_own_mean(instances);
        break;
      case Balance::Mode::global:
        to_mean(instances);
        break;
      case Balance::Mode::scaled:
        to_equal_sums(instances);
        break;
    }
  }
  return result;
}

}  // namespace tutti::studies::replay
