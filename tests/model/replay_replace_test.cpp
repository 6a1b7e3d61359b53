// SPDX-License-Identifier: BSD-3-Clause
// Replaced calls, against programs that make the other calls: to the tick with LogGP's parameters
// set to the programs' rule.
#include <doctest/doctest.h>

#include "sim/replay/replacement.hpp"
#include "tests/support/close_to.hpp"
#include "tests/support/replayed.hpp"
#include "tests/support/trace_builder.hpp"

using namespace tutti;
using namespace tutti::studies::replay;
using tests::close_to;
using tests::KeptTimes;
using tests::SyntheticTrace;
using tests::trace_of;
using tests::TraceBuilder;
using P = tests::SyntheticProgram;
using Shift = SyntheticTrace::Shift;
using By = Replace::By;

namespace {

SyntheticTrace shifting(Shift how, std::uint32_t ranks = 4) {
  return {.program = P::shift, .ranks = ranks, .iterations = 20, .shift = how, .noise_seed = 9};
}

// The model `recorded` must be close.
void check(Shift before, const Replace& replace, Shift after, std::uint32_t ranks = 4) {
  const auto original = trace_of(shifting(before, ranks));
  const auto replaced = replace_calls(original, {replace});
  KeptTimes kept(ranks);
  const auto exact = replay(replaced.trace, {.loggp = tests::rule_of_programs()}, &kept);
  const auto events = tests::events_of(shifting(after, ranks));
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    REQUIRE(kept.times[rank].size() == events[rank].size());
    for (std::size_t i = 0; i < events[rank].size(); ++i)
      REQUIRE(kept.times[rank][i] == events[rank][i].time - 1000);
  }
  CHECK(exact.notes.empty());
  const auto as_it_is = replay(original, {});
  const auto recorded =
      replay(replaced.trace, {.hypothesis = {.call_gap_s = 500e-9}, .costs = as_it_is.costs});
  CHECK(static_cast<double>(recorded.end_after) ==
        close_to(static_cast<double>(exact.end_after), 0.0005));
}

}  // namespace

TEST_CASE("replacing MPI_Sendrecv by two calls gives the program with two calls") {
  for (const std::uint32_t ranks : {2u, 4u, 16u}) {
    check(Shift::together, {.call = "MPI_Sendrecv", .by = By::send_then_recv}, Shift::send_recv,
          ranks);
    check(Shift::together, {.call = "MPI_Sendrecv", .by = By::recv_then_send}, Shift::recv_send,
          ranks);
  }
}

TEST_CASE("replacing blocking calls by nonblocking ones gives the program with those calls") {
  for (const std::uint32_t ranks : {2u, 4u, 16u}) {
    check(Shift::send_recv, {.call = "MPI_Recv", .by = By::nonblocking, .wait_after = "bar"},
          Shift::early, ranks);
    check(Shift::send_recv, {.call = "MPI_Send", .by = By::nonblocking, .wait_after = "b*r"},
          Shift::late, ranks);
  }
}

TEST_CASE("the times before a replacement are those of the trace") {
  const auto original = trace_of(shifting(Shift::send_recv));
  const auto as_it_is = replay(original, {});
  const auto replaced =
      replace_calls(original, {{.call = "MPI_Recv", .by = By::nonblocking, .wait_after = "bar"}});
  CHECK(replaced.notes == std::vector<std::string>{"60 calls of MPI_Recv replaced by MPI_Irecv"});
  auto result = replay(replaced.trace, {.costs = as_it_is.costs});
  REQUIRE_FALSE(take_before(result, as_it_is));
  CHECK(result.end_before == as_it_is.end_before);
  CHECK(result.before.total() == as_it_is.before.total());
  CHECK(result.violations.receives == 0);
  const auto waited = [](const MetricTable& table) {
    return table.total()[static_cast<std::size_t>(Metric::late_sender)];
  };
  CHECK(waited(result.before) > 0);
  CHECK(waited(result.after) == 0);  // bar is longer than any noise of foo
}

TEST_CASE("waits at the end of a region, and calls that cannot be replaced") {
  TraceBuilder builder(2);
  for (int rank = 0; rank < 2; ++rank) {
    const bool sends = rank == 0;
    builder.enter(rank, "main", 0);
    Ticks now = 0;
    for (const char* name : {"inside", "outside", "inside"}) {
      builder.enter(rank, name, now);
      if (sends)
        builder.send(rank, now + 10, now + 1'010, {.peer = 1});
      else
        builder.recv(rank, now + 10, now + 5'010, {.peer = 0});
      builder.leave(rank, name, now + 5'020);
      now += 5'020;
      if (now != 5'020) continue;
      builder.region(rank, "work", now, now + 100'000);
      now += 100'000;
    }
    builder.region(rank, "MPI_Finalize", 200'000, 200'010);
    builder.leave(rank, "main", 200'020);
  }
  auto trace = builder.trace();
  const auto replaced = replace_calls(
      trace, {{.call = "MPI_Recv", .by = By::nonblocking, .wait_after = "work", .within = "inside"},
              {.call = "MPI_Ssend", .by = By::nonblocking, .wait_after = "work"}});
  CHECK(replaced.notes ==
        std::vector<std::string>{"2 calls of MPI_Recv replaced by MPI_Irecv",
                                 "1 call of MPI_Wait at the end of the rank: no end of work before",
                                 "replace of MPI_Ssend matches nothing"});
}

TEST_CASE("waits at the rank's end are inside its last region") {
  const auto replaced =
      replace_calls(trace_of(shifting(Shift::send_recv, 2)),
                    {{.call = "MPI_Recv", .by = By::nonblocking, .wait_after = "nothing"}});
  CHECK(replaced.notes.back() ==
        "20 calls of MPI_Wait at the end of the rank: no end of nothing before");
  const auto result = replay(replaced.trace, {.loggp = tests::rule_of_programs()});
  std::vector<std::string> paths;
  for (PathId path = 1; path < result.paths.size(); ++path)
    paths.push_back(result.paths.name(path, replaced.trace.definitions.regions));
  CHECK(std::ranges::count(paths, "main/MPI_Wait") == 1);
  CHECK(std::ranges::count(paths, "MPI_Wait") == 0);
}

TEST_CASE("an exchange that receives first on both sides never ends") {
  TraceBuilder builder(2);
  for (int rank = 0; rank < 2; ++rank) {
    builder.enter(rank, "main", 0);
    const std::uint32_t other = rank == 0 ? 1 : 0;
    TraceBuilder::Event sent, got;
    sent.kind = TraceBuilder::EventKind::send;
    got.kind = TraceBuilder::EventKind::recv;
    sent.id = got.id = other;
    sent.comm = got.comm = 0;
    sent.bytes = got.bytes = 8;
    sent.time = 1'000;
    got.time = 5'000;
    builder.call(rank, "MPI_Sendrecv", 1'000, 5'000, {sent, got});
    builder.leave(rank, "main", 6'000);
  }
  const auto trace = builder.trace();
  const auto as_it_is = replay(trace, {});
  for (const By by : {By::recv_then_send, By::send_then_recv}) {
    const auto replaced = replace_calls(trace, {{.call = "MPI_Sendrecv", .by = by}});
    auto result = replay(replaced.trace, {.costs = as_it_is.costs});
    const auto error = take_before(result, as_it_is);
    CHECK(error.has_value() == (by == By::recv_then_send));
    if (error) CHECK(error->message.find("in vain") != std::string::npos);
  }
}
