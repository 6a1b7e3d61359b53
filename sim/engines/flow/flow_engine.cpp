// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/flow_engine.hpp"

#include "sim/engines/flow/flows.hpp"

namespace tutti::engines {

using runtime::Event;
using runtime::ProtocolCore;
using runtime::RankId;
using runtime::Way;

namespace {

// Simulates one job. The core (sim/runtime/protocol_core.hpp) schedules events by `at` and starts
// flows by `flow`; `step` calls the core back at the times of the events and at the ends of flows,
// and resumes the programs of the ranks that the core has woken. A message flows over a channel
// (channels.hpp), whose ClassId is the handle of its Way.
class FlowEngine : public runtime::Transport {
 public:
  FlowEngine(const Job& job, const RankFolding* folding)
      : folding_(folding),
        core_(job.machine, job.placement, *this, folding == nullptr ? nullptr : &folding->classes),
        programs_(core_, job.program, folding == nullptr ? nullptr : &folding->classes),
        channels_(job, folding),
        flows_(channels_),
        window_s_(job.event_window_s),
        audit_(job.audit) {
    for (runtime::Observer* observer : job.observers) core_.add_observer(*observer);
    core_.local_work().set_noise(job.noise);
    core_.local_work().set_working_set(job.working_set);
    core_.limit_messages(job.most_messages);
  }

  Outcome run() {
    for (RankId rank = 0; rank < core_.size(); ++rank) programs_.start(rank);
    while (step()) {
    }
    programs_.rethrow_failure();
    Outcome outcome = collect(core_, programs_, events_);
    outcome.solves = channels_.shares().solves();
    if (const auto* paths = channels_.shares().paths(); paths != nullptr && paths->has_failed())
      outcome.problems.push_back(
          "mpi/routing=optimal: the rates of flows that saturate the network were not found (in "
          "20,000 steps, or for rounding errors): use mpi/routing=adaptive, or fewer processes");
    if (!audit_problem_.empty()) outcome.problems.push_back(audit_problem_);
    if (folding_ != nullptr) unfold(outcome);
    return outcome;
  }

  bool sends_in_events() const override { return true; }
  Seconds now() const override { return now_s_; }
  void at(Seconds date_s, Event event) override { queue_.push(std::max(date_s, now_s_), event); }
  Way find_way(RankId source, RankId destination, Bytes bytes) override {
    const ClassId channel = channels_.find(source, destination, bytes);
    return {channels_.path(channel), channel};
  }
  void prepare(MessageId message, const Way& way, double rate_limit_Bps) override {
    flows_.prepare(message, rate_limit_Bps < no_limit
                                ? channels_.find_limited(way.handle, rate_limit_Bps)
                                : way.handle);
  }
  void flow(MessageId message) override {
    flows_.start(message, core_.link_bytes(message), now_s_);
  }
  void wake(RankId rank) override { woken_.push_back(rank); }

 private:
  // Gives each rank the end of its representative.
  void unfold(Outcome& outcome) const {
    const std::vector<Seconds> ends_s = std::move(outcome.end_s);
    outcome.end_s.clear();
    for (const std::uint32_t number : folding_->classes.class_of)
      outcome.end_s.push_back(ends_s[number]);
    outcome.rank_classes = folding_->classes.size();
  }

  // Processes all events of one time, or of one window, then solves the rates. False if no event is
  // left.
  bool step() {
    if (queue_.empty() && flows_.active() == 0) return false;
    const Seconds next_s = std::min(queue_.next_key(), flows_.next_date_s());
    TUTTI_CHECK(next_s < no_limit, "every flow must end");
    const Seconds until_s = advance_to(next_s);
    do {
      process(until_s);
    } while (queue_.next_key() <= until_s);
    if (!flows_.is_solved()) solve();
    return true;
  }

  // Returns the end of the window that contains `next_s`. Times that differ only by rounding are
  // always in one window.
  Seconds advance_to(Seconds next_s) {
    Seconds until_s = 0;
    if (window_s_ > 0) {
      const double number = std::floor(next_s / window_s_);
      next_s = (number + 0.5) * window_s_;
      until_s = (number + 1) * window_s_;
    }
    now_s_ = std::max(now_s_, next_s);
    return std::max(until_s, now_s_ + 1e-15 * std::max(1.0, now_s_));
  }

  // Processes the events and the ends of flows until `until_s`, and resumes the ranks that they
  // wake.
  void process(Seconds until_s) {
    while (queue_.next_key() <= until_s) {
      ++events_;
      prefetch_events();
      core_.on_event(queue_.pop());
    }
    do {
      ended_.clear();
      flows_.take_ended(now_s_, until_s, batch, ended_);
      for (std::size_t i = 0; i < ended_.size(); ++i) {
        ++events_;
        if (i + far < ended_.size()) core_.prefetch_message_far(ended_[i + far]);
        if (i + near < ended_.size()) core_.prefetch_message_near(ended_[i + near]);
        core_.on_flow_done(ended_[i]);
      }
      resume_woken();
    } while (!ended_.empty());
  }

  void resume_woken() {
    // Ranks that continue may wake others.
    for (std::size_t i = 0; i < woken_.size(); ++i) {
      if (i + far < woken_.size()) core_.prefetch_rank_far(woken_[i + far]);
      if (i + near < woken_.size()) {
        core_.prefetch_rank_near(woken_[i + near]);
        programs_.prefetch(woken_[i + near]);
      }
      programs_.resume(woken_[i]);
    }
    woken_.clear();
  }

  // Flows that end at the same time are processed in batches, so that their records and those of
  // the ranks that continue stay in the cache.
  static constexpr std::size_t batch = 128;
  // Number of iterations by which memory is prefetched.
  static constexpr std::size_t far = 8;
  static constexpr std::size_t near = 4;

  void prefetch_events() const {
    const Event* event = queue_.peek(far);
    if (event == nullptr || event->kind != Event::Kind::start_flow) return;
    core_.prefetch_message_far(event->subject);
    flows_.prefetch(event->subject);
  }

  void solve() {
    flows_.solve(now_s_);
    if (audit_ != nullptr && audit_problem_.empty()) audit_problem_ = audit_(channels_.shares());
  }

  const RankFolding* folding_;
  ProtocolCore core_;
  runtime::RankPrograms programs_;
  Channels channels_;
  Flows flows_;
  runtime::RadixQueue<Event> queue_;
  std::vector<RankId> woken_;
  std::vector<MessageId> ended_;
  Seconds window_s_;
  Seconds now_s_ = 0;
  SharesAudit audit_;
  std::string audit_problem_;
  std::int64_t events_ = 0;
};

}  // namespace

Outcome run_flow(const Job& job) {
  if (const auto folding = fold_ranks(job); folding != nullptr)
    if (Outcome outcome = FlowEngine(job, folding.get()).run(); outcome.problems.empty())
      return outcome;
  return FlowEngine(job, nullptr).run();  // also to name the ranks of a problem
}

}  // namespace tutti::engines
