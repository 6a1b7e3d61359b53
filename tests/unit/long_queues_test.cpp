// SPDX-License-Identifier: BSD-3-Clause
// ProtocolCore finds the same pairs of receives and messages for any queue length: random posts and
// sends, compared with a linear search.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>

#include "sim/runtime/protocol_core.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/plain_matching.hpp"
#include "tests/support/test_machine.hpp"

using namespace tutti;
using namespace tutti::runtime;
using tests::Draw;
using tests::PlainMatching;

namespace {

constexpr Seconds never = std::numeric_limits<double>::infinity();
constexpr Seconds step_s = 1e-6;
constexpr RankId receiver = 0;

struct Job {
  int sources = 1;
  int tags = 1;
  int any_source_percent = 0;
  int most_in_a_row = 1;  // posts or sends
};

// Latencies and flows take a random number of steps, and up to a tie window more.
class HandTransport : public Transport {
 public:
  explicit HandTransport(Draw& draw) : draw_(draw) {}
  Seconds now() const override { return now_s_; }
  void at(Seconds date_s, Event event) override {
    events_.emplace(std::max(date_s, now_s_), event);
  }
  Way find_way(RankId, RankId, Bytes) override { return {.path = {.latency_s = drawn_s()}}; }
  void prepare(MessageId, const Way&, double) override {}
  void flow(MessageId message) override { flows_.emplace(now_s_ + drawn_s(), message); }
  void wake(RankId) override {}

  Seconds next_date_s() const {
    return std::min(events_.empty() ? never : events_.begin()->first,
                    flows_.empty() ? never : flows_.begin()->first);
  }
  void go_to(Seconds date_s) { now_s_ = date_s; }
  // Performs one event.
  void step(ProtocolCore& core) {
    if (!flows_.empty() && flows_.begin()->first <= now_s_)
      return core.on_flow_done(flows_.extract(flows_.begin()).mapped());
    core.on_event(events_.extract(events_.begin()).mapped());
  }

 private:
  Seconds drawn_s() { return draw_.between(0, 20) * step_s + draw_.pick({0.0, 0.0, 1e-13, 3e-13}); }
  Draw& draw_;
  Seconds now_s_ = 0;
  std::multimap<Seconds, Event> events_;
  std::multimap<Seconds, MessageId> flows_;
};

// Latencies in a row would add up to more than a tie window.
platforms::Machine fifo_machine(int nodes) {
  auto machine = tests::test_machine(nodes);
  machine.inter.nic_order = machine.intra.nic_order = platforms::NicOrder::fifo;
  return machine;
}

class Comparison : public TimestampObserver {
 public:
  Comparison(const Job& job, std::uint64_t seed)
      : job_(job),
        draw_(seed),
        machine_(fifo_machine(job.sources + 1)),
        placement_(tests::test_placement(job.sources + 1)),
        transport_(draw_),
        core_(machine_, placement_, transport_) {
    core_.add_observer(*this);
  }

  void run() {
    for (int phase = 0; phase < 60; ++phase) {
      const bool is_post = draw_.chance(50);
      for (auto left = draw_.between(1, job_.most_in_a_row); left > 0; --left) {
        is_post ? post() : send();
        if (draw_.chance(20)) go_on_until(transport_.now() + draw_.between(1, 3) * step_s);
      }
    }
    go_on_until(never);
    CHECK(pairs_ == plain_.pairs());
    CHECK(static_cast<std::size_t>(posts_) == plain_.posted() + pairs_.size());
  }
  std::size_t most_posted() const { return most_posted_; }
  std::size_t most_unexpected() const { return most_unexpected_; }

  void on_match(const Match& match) override { pairs_.emplace_back(match.request, match.message); }
  void on_sent(const TimedMessage& message) override {
    const bool is_eager = message.protocol == platforms::Protocol::eager;
    sent_ = {message.id, message.source, message.tag,
             is_eager ? never : message.sent_s + message.latency_s};
  }
  void on_flow_end(MessageId message, Seconds date_s) override {
    plain_.arrive(message, date_s);
    looks_.insert(after_ties(date_s));
  }

 private:
  std::int32_t drawn_tag() { return static_cast<std::int32_t>(draw_.below(job_.tags)); }
  RankId drawn_source() { return static_cast<RankId>(1 + draw_.below(job_.sources)); }

  void post() {
    const bool is_any = draw_.chance(job_.any_source_percent);
    const RankId from = is_any ? any_source : drawn_source();
    const std::int32_t tag = drawn_tag();
    const Request request = core_.irecv(receiver, from, tag, {.bytes = 5000});
    plain_.post({request.index, from, tag});
    looks_.insert(after_ties(transport_.now()));
    ++posts_;
    most_posted_ = std::max(most_posted_, plain_.posted());
  }

  void send() {
    const RankId source = drawn_source();
    core_.local_work().sleep(source, std::max(0.0, transport_.now() - core_.clock(source)));
    const Slice data{.bytes = draw_.pick<Bytes>({0, 500, 2000})};
    const auto kind = draw_.pick({SendKind::blocking, SendKind::synchronous});
    core_.isend(source, receiver, drawn_tag(), data, kind);
    plain_.offer(sent_);
    if (sent_.known_s < never) looks_.insert(after_ties(std::max(sent_.known_s, transport_.now())));
    most_unexpected_ = std::max(most_unexpected_, plain_.unexpected());
  }

  void go_on_until(Seconds until_s) {
    for (;;) {
      const Seconds look_s = looks_.empty() ? never : *looks_.begin();
      const Seconds next_s = std::min(look_s, transport_.next_date_s());
      if (next_s == never || next_s > until_s) break;
      transport_.go_to(next_s);
      if (look_s == next_s) {
        looks_.erase(looks_.begin());
        plain_.look(next_s);
      } else {
        transport_.step(core_);
      }
    }
    if (until_s < never) transport_.go_to(until_s);
  }

  Job job_;
  Draw draw_;
  platforms::Machine machine_;
  platforms::Placement placement_;
  HandTransport transport_;
  ProtocolCore core_;
  PlainMatching plain_;
  PlainMatching::Sent sent_{};
  std::set<Seconds> looks_;
  std::vector<PlainMatching::Pair> pairs_;
  int posts_ = 0;
  std::size_t most_posted_ = 0;
  std::size_t most_unexpected_ = 0;
};

constexpr auto walk = static_cast<std::size_t>(MatchQueues<int>::longest_walk);

}  // namespace

TEST_CASE("long and short queues give the same pairs as a linear search") {
  std::size_t short_jobs = 0;
  std::size_t long_posted = 0;
  std::size_t long_unexpected = 0;
  std::uint64_t seed = 0;
  for (const int sources : {1, 4, 40})
    for (const int tags : {1, 3, 50})
      for (const int any_source_percent : {0, 2, 30, 100})
        for (const int most_in_a_row : {2, 12, 60})
          for (int again = 0; again < 3; ++again) {
            CAPTURE(fmt::format("{} sources, {} tags, {} % from any source, {} in a row, seed {}",
                                sources, tags, any_source_percent, most_in_a_row, ++seed));
            Comparison comparison({sources, tags, any_source_percent, most_in_a_row}, seed);
            comparison.run();
            long_posted += comparison.most_posted() > 2 * walk;
            long_unexpected += comparison.most_unexpected() > 2 * walk;
            short_jobs += comparison.most_posted() < walk && comparison.most_unexpected() < walk;
          }
  CHECK(short_jobs > 10);
  CHECK(long_posted > 100);
  CHECK(long_unexpected > 100);
}
