// SPDX-License-Identifier: BSD-3-Clause
// The messages of one call, as the ideal engine delivers them, against the formula of the registry.
#pragma once

#include <doctest/doctest.h>

#include "algorithms/collective.hpp"
#include "sim/engines/ideal/ideal.hpp"
#include "sim/runtime/observer.hpp"
#include "tests/support/plain_algorithms.hpp"
#include "tests/support/test_machine.hpp"

namespace tutti::tests {

// Records sent and received messages.
class MessageLedger : public runtime::Observer {
 public:
  struct Side {
    std::int64_t messages = 0;
    std::int64_t bytes = 0;
    bool operator==(const Side&) const = default;
  };
  void on_send(const runtime::SentMessage& message) override { book(sent, message.data); }
  void on_receive(std::int64_t, runtime::RankId, runtime::Slice into) override {
    book(received, into);
  }

  Side sent;
  Side received;

 private:
  static void book(Side& side, const runtime::Slice& data) {
    ++side.messages;
    side.bytes += data.bytes;
  }
};

// All sent messages are received, and their number equals the formula.
inline void check_messages(const algorithms::Algorithm& algorithm, int procs,
                           const algorithms::CollectiveArgs& args) {
  static const auto machine = test_machine(4096);
  if (algorithm.runs != nullptr && !algorithm.runs({procs, args})) return;
  const auto placement = test_placement(procs);
  MessageLedger ledger;
  const auto outcome =
      engines::run_ideal({.machine = machine,
                          .placement = placement,
                          .program = [&](runtime::Rank& me) { return algorithm.program(me, args); },
                          .observers = {&ledger}});
  REQUIRE(outcome.problems.empty());
  const std::int64_t formula = algorithm.messages({procs, args});
  if (ledger.sent == ledger.received && ledger.sent.messages == formula) return;
  CAPTURE(algorithm.collective);
  CAPTURE(algorithm.name);
  CAPTURE(procs);
  CAPTURE(args.message_bytes);
  CAPTURE(args.segment_bytes);
  CAPTURE(args.element_bytes);
  CAPTURE(args.fanout);
  CAPTURE(args.max_requests);
  CAPTURE(args.commutative);
  CAPTURE(args.counts != nullptr);
  CHECK(ledger.sent.messages == ledger.received.messages);
  CHECK(ledger.sent.bytes == ledger.received.bytes);
  CHECK(ledger.sent.messages == formula);
}

}  // namespace tutti::tests
