// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/ideal/ideal.hpp"

#include <deque>

#include "sim/runtime/rank_programs.hpp"

namespace tutti::engines {

using runtime::Event;
using runtime::MessageId;
using runtime::ProtocolCore;
using runtime::RankId;

namespace {

// All events happen at time 0, in the order in which they were scheduled.
class IdealEngine : public runtime::Transport {
 public:
  explicit IdealEngine(const Job& job)
      : core_(job.machine, job.placement, *this, nullptr, runtime::Timing::none),
        programs_(core_, job.program) {}

  ProtocolCore& core() { return core_; }

  Outcome run() {
    for (RankId rank = 0; rank < core_.size(); ++rank) {
      programs_.start(rank);
      process_steps();
    }
    programs_.rethrow_failure();
    return collect(core_, programs_, events_);
  }

  Seconds now() const override { return 0; }
  void at(Seconds, Event event) override { steps_.push_back({Step::Kind::event, event, 0}); }
  // Without time, only whether the message leaves the node matters.
  runtime::Way find_way(RankId source, RankId destination, Bytes) override {
    return {.path = {.intra_node = core_.host(source) == core_.host(destination)}};
  }
  void prepare(MessageId, const runtime::Way&, double) override {}
  void flow(MessageId message) override { steps_.push_back({Step::Kind::flow_done, {}, message}); }
  void wake(RankId rank) override {
    steps_.push_back({Step::Kind::wake, {}, static_cast<std::uint32_t>(rank)});
  }

 private:
  struct Step {
    enum class Kind { event, flow_done, wake } kind;
    Event event;
    std::uint32_t subject;
  };

  void process_steps() {
    for (; !steps_.empty(); ++events_) {
      const Step step = steps_.front();
      steps_.pop_front();
      switch (step.kind) {
        case Step::Kind::event:
          core_.on_event(step.event);
          break;
        case Step::Kind::flow_done:
          core_.on_flow_done(step.subject);
          break;
        case Step::Kind::wake:
          programs_.resume(static_cast<RankId>(step.subject));
          break;
      }
    }
  }

  ProtocolCore core_;
  runtime::RankPrograms programs_;
  std::deque<Step> steps_;
  std::int64_t events_ = 0;
};

}  // namespace

Outcome run_ideal(const Job& job, const DataCheck& check) {
  IdealEngine engine(job);
  SymbolicMemory memory(check.most_work);
  for (runtime::Observer* observer : job.observers) engine.core().add_observer(*observer);
  const bool checks_data = !check.initial.empty() || !check.expected.empty();
  if (checks_data) engine.core().add_observer(memory);
  for (const Filled& buffer : check.initial) memory.fill(buffer);

  Outcome outcome = engine.run();
  outcome.end_s.clear();
  for (const std::string& problem : memory.problems()) outcome.problems.push_back(problem);
  outcome.data_verified = checks_data && !memory.gave_up();
  if (!outcome.data_verified) return outcome;
  for (const Filled& buffer : check.expected)
    if (std::string wrong = memory.compare(buffer, check.order); !wrong.empty())
      outcome.problems.push_back(std::move(wrong));
  return outcome;
}

}  // namespace tutti::engines
