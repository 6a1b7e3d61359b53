// SPDX-License-Identifier: BSD-3-Clause
#include "sim/replay/on_platform.hpp"

#include <climits>
#include <stdexcept>

#include "sim/replay/platform_collectives.hpp"
#include "sim/replay/receive_order.hpp"
#include "sim/replay/replay_core.hpp"
#include "sim/replay/replay_notes.hpp"
#include "sim/replay/request_table.hpp"

namespace tutti::studies::replay {
namespace {

using runtime::Rank;
using runtime::Request;
using runtime::Task;
using workloads::traces::Trace;

// Waiting time of each rank, and whether its last message waits for its receive.
class Waits : public runtime::TimestampObserver {
 public:
  explicit Waits(std::size_t ranks) : waited_s_(ranks), meets_(ranks) {}
  void on_completion(const runtime::Completion& completion) override {
    waited_s_[static_cast<std::size_t>(completion.rank)] += completion.end_s - completion.begin_s;
  }
  void on_work(runtime::RankId rank, runtime::Work kind, Seconds begin_s, Seconds end_s) override {
    if (kind == runtime::Work::hardware)
      waited_s_[static_cast<std::size_t>(rank)] += end_s - begin_s;
  }
  void on_sent(const runtime::TimedMessage& message) override {
    meets_[static_cast<std::size_t>(message.source)] =
        message.protocol == platforms::Protocol::rendezvous;
  }
  // Waiting time since the previous call of take().
  Seconds take(TraceRank rank) { return std::exchange(waited_s_[rank], 0); }
  bool last_meets(TraceRank rank) const { return meets_[rank]; }

 private:
  std::vector<Seconds> waited_s_;
  std::vector<bool> meets_;
};

// Maps communicator and tag to one number, by which the engines match messages.
class Tags {
 public:
  std::int32_t of(std::uint32_t comm, std::uint32_t tag) {
    const std::uint64_t pair = std::uint64_t{comm} << 32 | tag;
    const auto next = static_cast<std::int32_t>(tags_.size());
    if (next > most)
      throw std::runtime_error("the trace has more than a million different message tags");
    return tags_.try_emplace(pair, next).first->second;
  }

 private:
  static constexpr std::int32_t most = 1 << 20;  // larger tags are those of collectives
  std::unordered_map<std::uint64_t, std::int32_t> tags_;
};

bool is_at_end(EventKind kind) {
  return kind == EventKind::recv || kind == EventKind::irecv || kind == EventKind::isend_complete ||
         Call::ends_collective(kind);
}

class PlatformReplay {
 public:
  PlatformReplay(const Trace& trace, const ReplayArgs& args, const PlatformModel& model,
                 ReplaySink* sink)
      : trace_(trace),
        model_(model),
        core_(trace, args, sink, {}),
        sizes_(trace, core_.scan().has_collectives, !model.selection.as_smpi.contains("alltoallv")),
        collectives_(trace.definitions, model.selection),
        waits_(trace.definitions.ranks.size()) {
    for (TraceRank rank = 0; rank < core_.ranks(); ++rank)
      ranks_.push_back(std::make_unique<OfRank>(trace, core_.rank(rank)));
  }

  Result<ReplayResult> run() {
    const engines::Job job{.machine = model_.machine,
                           .placement = model_.placement,
                           .program = [this](Rank& me) { return program(me); },
                           .observers = {&waits_},
                           .contention = model_.contention};
    try {
      const auto outcome = engines::run(model_.engine, job);
      if (auto error = deadlock()) return *std::move(error);
      if (!outcome.problems.empty())
        return make_error(ErrorKind::run, "",
                          "the replay does not terminate: " + outcome.problems.front());
    } catch (const DoesNotRun& error) {
      return usage_error("--selection", error.what(), "see `sim list algorithms`");
    } catch (const std::runtime_error& error) {  // also thrown by readers of event files
      return make_error(ErrorKind::run, "", error.what());
    }
    add_notes();
    return core_.finish();
  }

 private:
  struct OfRank {
    OfRank(const Trace& trace, RankState& rank) : state(rank), ahead(trace, rank.rank) {}
    RankState& state;
    ReceivesAhead ahead;
    RequestTable<Request> requests;
    std::vector<Request> waited_for;     // by the current call
    std::vector<Request> until_the_end;  // not waited for by any call
    Ticks simulated = 0;                 // its simulated clock
  };

  double ticks_per_s() const { return trace_.definitions.ticks_per_s; }

  Task program(Rank& me) {
    OfRank& mine = *ranks_[static_cast<TraceRank>(me.id())];
    RankState& state = mine.state;
    while (true) {
      const auto reached = core_.advance(state, INT_MAX);
      if (reached == ReplayCore::Reached::end) break;
      if (reached != ReplayCore::Reached::call) {
        core_.pass_meeting(state);
        continue;
      }
      pass_until(me, mine, state.call.after.front());
      mine.waited_for.clear();
      begin_call(me, mine);
      const Call& call = state.call;
      for (std::size_t i = 1; i < call.events.size(); ++i)
        if (Call::ends_collective(call.events[i].kind) && !call.cut[i])
          co_await run_collective(me, mine, call.events[i]);
      if (!mine.waited_for.empty()) co_await me.wait_all(mine.waited_for);
      leave(me, mine);
    }
    pass_until(me, mine, state.last.after);
    mine.requests.each(
        [&](std::uint64_t, Request request) { mine.until_the_end.push_back(request); });
    co_await me.wait_all(mine.until_the_end);
  }

  void pass_until(Rank& me, OfRank& mine, Ticks time) const {
    if (time > mine.simulated)
      me.compute(static_cast<double>(time - mine.simulated) / ticks_per_s());
    mine.simulated = std::max(mine.simulated, time);
  }

  // ---- calls ----

  // Posts the receives, then the sends, as MPI_Sendrecv does, and collects what to wait for.
  void begin_call(Rank& me, OfRank& mine) {
    const Call& call = mine.state.call;
    if (!call.kinds.has_any(message_kinds)) {  // of windows, only collectives are simulated
      if (!call.cut.front()) pass_as_recorded(me, mine);
      return;
    }
    for (std::size_t i = 1; i < call.events.size(); ++i)
      if (!call.cut[i]) post(me, mine, call.events[i]);
    for (std::size_t i = 1; i < call.events.size(); ++i) {
      if (call.cut[i])
        forget_unless_received(mine, i);
      else
        send_or_complete(me, mine, i);
    }
  }

  void pass_as_recorded(Rank& me, OfRank& mine) const {
    const Call& call = mine.state.call;
    pass_until(me, mine, call.after.front() + call.leave_before() - call.enter_before());
  }

  // Events that receive messages are counted when the call is left.
  void forget_unless_received(OfRank& mine, std::size_t index) {
    const EventKind kind = mine.state.call.events[index].kind;
    if (kind != EventKind::recv && kind != EventKind::irecv) core_.forget(mine.state, index);
    if (kind == EventKind::irecv_request) mine.ahead.next();
  }

  void post(Rank& me, OfRank& mine, const Event& event) {
    RankState& state = mine.state;
    if (event.kind == EventKind::irecv_request) {
      MessageReplay::post(state, event.request);
      const auto receive = mine.ahead.next();
      if (receive && core_.messages().channel(receive->key).is_sent(receive->number))
        keep(mine, event.request, me.irecv(receive_of(receive->key)));
    }
    const bool is_orphan =
        event.kind == EventKind::irecv && !state.messages.posted.contains(event.request);
    if (event.kind != EventKind::recv && !is_orphan) return;
    const MessageKey key = key_of(state.rank, event);
    const Channel& channel = core_.messages().channel(key);
    if (channel.is_sent(core_.messages().next_number(state, channel)))
      mine.waited_for.push_back(me.irecv(receive_of(key)));
  }

  void send_or_complete(Rank& me, OfRank& mine, std::size_t index) {
    const Event& event = mine.state.call.events[index];
    if (event.kind == EventKind::send || event.kind == EventKind::isend) send(me, mine, index);
    if (event.kind == EventKind::request_cancelled)
      MessageReplay::cancel(mine.state, event.request);
    if (event.kind != EventKind::irecv && event.kind != EventKind::isend_complete) return;
    const Request* request = mine.requests.find(event.request);
    if (request == nullptr) return;
    mine.waited_for.push_back(*request);
    mine.requests.erase(event.request);
  }

  void send(Rank& me, OfRank& mine, std::size_t index) {
    RankState& state = mine.state;
    const Event& event = state.call.events[index];
    const Channel& channel = core_.messages().channel(key_of(state.rank, event));
    bool meets = false;
    if (channel.is_received(channel.sent())) {
      const SendMode mode = core_.scan().kinds[state.call.events.front().id].send;
      const Request request = start(me, event, mode);
      meets = waits_.last_meets(state.rank);
      if (mode == SendMode::buffered)
        mine.until_the_end.push_back(request);
      else if (event.kind == EventKind::send)
        mine.waited_for.push_back(request);
      else
        keep(mine, event.request, request);
    }
    core_.messages().send(state, index,
                          {.sent = state.call.after.front(), .leave = meets ? INT64_MAX : now(me)});
  }

  Request start(Rank& me, const Event& event, SendMode mode) {
    const runtime::SendArgs args{.to = static_cast<runtime::RankId>(event.id),
                                 .tag = tags_.of(event.comm, event.tag),
                                 .data = {.bytes = static_cast<Bytes>(event.bytes)}};
    if (mode == SendMode::synchronous) return me.issend(args);
    return event.kind == EventKind::send ? me.begin_send(args) : me.isend(args);
  }

  runtime::RecvArgs receive_of(const MessageKey& key) {
    return {.from = static_cast<runtime::RankId>(key.from),
            .tag = tags_.of(key.comm, key.tag),
            .data = {.bytes = largest_message}};
  }

  // Keeps a request whose number is reused before it completes.
  static void keep(OfRank& mine, std::uint64_t number, Request request) {
    if (const Request* before = mine.requests.find(number)) mine.until_the_end.push_back(*before);
    mine.requests[number] = request;
  }

  Task run_collective(Rank& me, OfRank& mine, const Event& event) {
    RankState& state = mine.state;
    const auto [number, instance, member] = core_.collectives().enter(state, event);
    const bool has_others = trace_.definitions.communicators[event.comm].members.size() > 1;
    const auto size = has_others ? sizes_.of(number) : CollectiveSizes::Size{};
    if (has_others && size.is_whole)
      co_await collectives_.run(me, event, {member, instance.root, size});
    else
      pass_as_recorded(me, mine);
    if (const auto cause = instance.latest_cause(member)) state.call.depends_on(*cause);
    if (event.kind == EventKind::collective_end) CollectiveReplay::count(state, event);
  }

  Ticks now(const Rank& me) const { return std::llround(me.now() * ticks_per_s()); }

  void leave(Rank& me, OfRank& mine) {
    Call& call = mine.state.call;
    const Ticks end = std::max(call.after.front(), now(me));
    mine.simulated = end;
    for (std::size_t i = 1; i < call.events.size(); ++i)
      call.after[i] = is_at_end(call.events[i].kind) ? end : call.after[i - 1];
    call.after.back() = end;
    core_.gather(mine.state);
    for (const auto& cause : call.received) call.depends_on(cause.sent);
    call.latest_arrival =
        call.after.front() + std::llround(waits_.take(mine.state.rank) * ticks_per_s());
    core_.leave_call(mine.state);
  }

  // ---- errors and notes ----

  std::optional<Error> deadlock() {
    constexpr std::size_t most_reported = 4;
    std::vector<std::string> stuck;
    std::size_t count = 0;
    for (TraceRank rank = 0; rank < core_.ranks(); ++rank)
      if (core_.rank(rank).call.is_open && ++count <= most_reported)
        stuck.push_back(
            waits_for_ever(core_.rank(rank).call, rank, trace_.definitions, core_.result().paths));
    if (count == 0) return std::nullopt;
    if (count > most_reported) stuck.push_back(fmt::format("and {} more", count - most_reported));
    const bool has_sends = std::ranges::any_of(
        stuck, [](const std::string& wait) { return wait.find(" to receive ") != wait.npos; });
    return make_error(ErrorKind::run, "", fmt::format("deadlock: {}", fmt::join(stuck, "; ")),
                      has_sends ? "sends above the eager limit wait for their receives: change it "
                                  "with `--set mpi/eager_limit=SIZE`"
                                : "");
  }

  void add_notes() {
    auto& notes = core_.result().notes;
    if (const auto others = trace_.definitions.others.size(); others > 0)
      notes.push_back(
          fmt::format("the platform model replays only the first thread of each rank: "
                      "{} {} omitted, and calls that wait for them keep their recorded "
                      "times",
                      counted(others, "other location"), others == 1 ? "is" : "are"));
    if (const auto incomplete = sizes_.incomplete(); !incomplete.empty())
      notes.push_back(
          fmt::format("collectives that not all members call keep their recorded times: {}",
                      fmt::join(incomplete, ", ")));
    if (trace_.has_times && model_.placement.ppn > model_.machine.cores_per_host)
      notes.push_back(
          fmt::format("{} ranks share the {} cores of a node: computation times are not changed",
                      model_.placement.ppn, model_.machine.cores_per_host));
    if (const auto count = collectives_.without_hardware(); count > 0)
      notes.push_back(
          fmt::format("network hardware supports only collectives of all ranks: {} of fewer ranks "
                      "use the other algorithms",
                      counted(count, "communicator")));
  }

  // Upper limit of the size of a message.
  static constexpr Bytes largest_message = Bytes{1} << 61;

  const Trace& trace_;
  const PlatformModel& model_;
  ReplayCore core_;
  CollectiveSizes sizes_;
  PlatformCollectives collectives_;
  Waits waits_;
  Tags tags_;
  std::vector<std::unique_ptr<OfRank>> ranks_;
};

}  // namespace

Result<ReplayResult> replay_on_platform(const Trace& trace, const ReplayArgs& args,
                                        const PlatformModel& model, ReplaySink* sink) {
  return PlatformReplay(trace, args, model, sink).run();
}

}  // namespace tutti::studies::replay
