// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/simgrid/simgrid_engine.hpp"

#include <malloc.h>
#include <signal.h>

#include <simgrid/kernel/Timer.hpp>
#include <simgrid/s4u.hpp>

#include "sim/base/common.hpp"
#include "sim/engines/simgrid/simgrid_platform.hpp"
#include "sim/runtime/radix_queue.hpp"
#include "sim/runtime/rank_programs.hpp"

namespace tutti::engines {

namespace sg4 = simgrid::s4u;
using runtime::Event;
using runtime::MessageId;
using runtime::ProtocolCore;
using runtime::RankId;

namespace {

// Must be called before the first actor is created. Then fresh memory is not cleared, so that only
// the touched pages of an actor's stack use memory (10.5 KiB per actor for any stack size).
void keep_stacks_lean() { mallopt(M_TOP_PAD, 0); }

// The options select zero raw latency, fair sharing and no cross traffic; a precision at which
// events are not merged; and stacks without guard pages, which need two memory mappings each.
sg4::Engine& make_engine() {
#ifdef __SANITIZE_ADDRESS__
  const char* contexts = "--cfg=contexts/factory:thread";  // AddressSanitizer needs threads
#else
  const char* contexts = "--cfg=contexts/factory:raw";
#endif
  static std::array<const char*, 13> arguments{"sim",
                                               contexts,
                                               "--cfg=network/model:CM02",
                                               "--cfg=network/crosstraffic:0",
                                               "--cfg=network/TCP-gamma:1e30",
                                               "--cfg=network/weight-S:0",
                                               "--cfg=network/optim:Lazy",
                                               "--cfg=surf/precision:1e-15",
                                               "--cfg=contexts/guard-size:0",
                                               "--cfg=contexts/stack-size:64",
                                               "--log=root.thres:critical",
                                               "--log=no_loc",
                                               nullptr};
  int count = arguments.size() - 1;
  struct sigaction on_interrupt {};
  sigaction(SIGINT, nullptr, &on_interrupt);
  auto* engine = new sg4::Engine(&count, const_cast<char**>(arguments.data()));
  sigaction(SIGINT, &on_interrupt, nullptr);  // SimGrid's handler would react to an ignored signal
  return *engine;
}

class SimgridEngine : public runtime::Transport {
 public:
  explicit SimgridEngine(const Job& job)
      : links_(job.machine, job.placement),
        engine_(make_engine()),
        platform_(job.machine, job.placement),
        core_(job.machine, job.placement, *this),
        programs_(core_, job.program),
        ranks_(job.placement.host_of.size()),
        runnable_(core_.size()) {
    core_.local_work().set_noise(job.noise);
    core_.local_work().set_working_set(job.working_set);
  }

  ProtocolCore& core() { return core_; }

  Outcome run() {
    std::vector<bool> has_receiver(platform_.host_count());
    for (RankId rank = 0; rank < core_.size(); ++rank) {
      ranks_[rank].awake = sg4::Semaphore::create(0);
      const auto host = core_.host(rank);
      const sg4::ActorPtr actor =
          sg4::Actor::create("rank", platform_.host(host), [this, rank] { live(rank); });
      if (has_receiver[host]) continue;
      has_receiver[host] = ranks_[rank].receives_for_host = true;
      platform_.mailbox(host)->set_receiver(actor);
    }
    engine_.run();
    programs_.rethrow_failure();
    return collect(core_, programs_, events_);
  }

  Seconds now() const override { return sg4::Engine::get_clock(); }

  void at(Seconds date_s, Event event) override {
    queue_.push(std::max(date_s, now()), event);
    arm_timer();
  }

  runtime::Way find_way(RankId source, RankId destination, Bytes) override {
    return {.path = links_.path(source, destination, route_)};
  }

  // The source host of a flow is that of the actor that creates the put, so it is created here.
  void prepare(MessageId message, const runtime::Way&, double rate_limit_Bps) override {
    if (message >= flows_.size()) flows_.resize(message + 1);
    ++ranks_[core_.message(message).source].outgoing;
    Flow& flow = flows_[message];
    sg4::Mailbox* mailbox = platform_.mailbox(core_.host(core_.message(message).destination));
    // The payload is the message's number, which the copy callback below receives as `data`.
    flow.put = mailbox->put_init(reinterpret_cast<void*>(std::uintptr_t{message} + 1),
                                 static_cast<std::uint64_t>(core_.carried_bytes(message)));
    if (std::isfinite(rate_limit_Bps))  // of links; SimGrid's is that of data
      flow.put->set_rate(rate_limit_Bps * core_.costs().efficiency(core_.message(message)));
    flow.get = mailbox->get_init();
    flow.get->set_dst_data(&sink_, sizeof(sink_));
    flow.get->set_copy_data_callback(flow_ended);
    current_ = this;
  }

  // Starts put and get back to back, so that they match each other in the shared mailbox.
  void flow(MessageId message) override {
    Flow& flow = flows_[message];
    ++active_flows_;
    ++ranks_[core_.message(message).source].unreaped;
    const runtime::MessageRecord& sent = core_.message(message);
    platform_.route_next_flow(sent.source, sent.destination, sent.bytes,
                              core_.costs().efficiency(sent));
    flow.put->start();
    flow.get->start();
  }

  void wake(RankId rank) override {
    ++runnable_;
    ranks_[rank].woken = true;
    ranks_[rank].awake->release();
  }

 private:
  struct Flow {
    sg4::CommPtr put;
    sg4::CommPtr get;
  };
  struct RankState {
    sg4::SemaphorePtr awake;
    std::vector<Flow> ended;     // flows sent by this rank, to be reaped by its actor
    std::uint32_t outgoing = 0;  // sent messages whose flow has not ended
    std::uint32_t unreaped = 0;  // flows in SimGrid's list of the actor's activities
    bool woken = false;          // by the core: the program continues
    bool receives_for_host = false;
    bool draining = false;  // the program has ended, but not its flows
    bool hoards = false;    // see reap
  };
  static constexpr std::size_t reap_batch = 32;
  static constexpr std::uint32_t hoard_limit = 256;

  // The main function of an actor. It must not end before its flows, which would be canceled, and
  // the receiver of a mailbox must not end before any flow to it.
  void live(RankId rank) {
    RankState& state = ranks_[rank];
    programs_.start(rank);
    --runnable_;
    while (!programs_.finished(rank)) {
      stop_if_idle();
      sleep(state);
      if (stopped_) return;
      if (!std::exchange(state.woken, false)) continue;
      programs_.resume(rank);
      --runnable_;
    }
    state.draining = true;
    stop_if_idle();
    while (!stopped_ && (state.outgoing > 0 || state.receives_for_host)) sleep(state);
  }

  static void sleep(RankState& state) {
    state.awake->acquire();
    reap(state);
  }

  // Removes ended puts from the actor's list of activities, which requires a wait that scans the
  // list. If the scans for a rank with many flows in flight would cost more than the memory, the
  // puts stay in the list until the actor ends.
  static void reap(RankState& state) {
    state.hoards = state.hoards || state.unreaped > hoard_limit;
    if (!state.hoards) {
      for (const Flow& flow : state.ended) sg4::Comm::wait_any({flow.put});
      state.unreaped -= state.ended.size();
    }
    state.ended.clear();
  }

  // Runs in maestro exactly at the end of a flow; no actor waits for it.
  static void flow_ended(simgrid::kernel::activity::CommImpl*, void* data, std::size_t) {
    current_->end_flow(static_cast<MessageId>(reinterpret_cast<std::uintptr_t>(data) - 1));
  }

  void end_flow(MessageId message) {
    const RankId source = core_.message(message).source;
    RankState& sender = ranks_[source];
    sender.ended.push_back(std::move(flows_[message]));
    --active_flows_;
    ++events_;
    --sender.outgoing;
    if (sender.ended.size() == reap_batch || (sender.outgoing == 0 && sender.draining))
      sender.awake->release();
    core_.on_flow_done(message);
    stop_if_idle();
  }

  // Arms one kernel timer for the head of the event queue, because SimGrid's timers are expensive.
  void arm_timer() {
    if (queue_.empty() || (timer_ != nullptr && queue_.next_key() >= timer_->get_date())) return;
    if (timer_ != nullptr) timer_->remove();
    timer_ = simgrid::kernel::timer::Timer::set(queue_.next_key(), [this] { fire(); });
  }

  void fire() {
    timer_ = nullptr;  // SimGrid deletes it
    while (!queue_.empty() && queue_.next_key() <= now()) {
      ++events_;
      core_.on_event(queue_.pop());
    }
    arm_timer();
    stop_if_idle();
  }

  // Ends all actors if no event can follow: the job has ended, or its ranks are deadlocked.
  void stop_if_idle() {
    if (stopped_ || runnable_ > 0 || active_flows_ > 0 || !queue_.empty()) return;
    stopped_ = true;
    for (RankState& rank : ranks_) rank.awake->release();
  }

  static inline SimgridEngine* current_ = nullptr;  // for the plain-function callback

  platforms::JobLinks links_;
  sg4::Engine& engine_;
  SimgridPlatform platform_;
  ProtocolCore core_;
  runtime::RankPrograms programs_;
  runtime::RadixQueue<Event> queue_;
  simgrid::kernel::timer::Timer* timer_ = nullptr;  // for the head of `queue_`
  std::vector<Flow> flows_;                         // by MessageId
  std::vector<RankState> ranks_;
  RankId runnable_;  // number of ranks that are woken or not started yet
  std::int64_t active_flows_ = 0;
  std::int64_t events_ = 0;
  bool stopped_ = false;
  std::vector<platforms::LinkId> route_;  // scratch memory of find_way()
  void* sink_ = nullptr;                  // destination of received pointers
};

}  // namespace

Outcome run_in_simgrid(const Job& job) {
  static bool used = false;
  TUTTI_CHECK(!std::exchange(used, true), "SimGrid's engine can be used only once per process");
  keep_stacks_lean();
  // Never destroyed, because no order of destruction is safe for SimGrid's objects.
  auto& engine = *new SimgridEngine(job);
  for (runtime::Observer* observer : job.observers) engine.core().add_observer(*observer);
  return engine.run();
}

}  // namespace tutti::engines
