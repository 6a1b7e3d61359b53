// SPDX-License-Identifier: BSD-3-Clause
// Communication patterns for comparing engines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/runtime/rank.hpp"
#include "tests/support/draw.hpp"

namespace tutti::tests {

struct PatternArgs {
  Bytes bytes = 1000;
  double skew_s = 0;  // ranks start within this time
  std::uint64_t seed = 1;
};

inline void start_late(runtime::Rank& me, const PatternArgs& args) {
  Draw draw(args.seed + 77 * static_cast<std::uint64_t>(me.id()));
  me.compute(args.skew_s * static_cast<double>(draw.below(1000)) / 1000);
}

inline runtime::Task recursive_doubling(runtime::Rank& me, PatternArgs args) {
  start_late(me, args);
  Bytes bytes = args.bytes;
  for (int mask = 1; mask < me.size(); mask *= 2, bytes *= 2) {
    const int partner = me.id() ^ mask;
    if (partner < me.size())
      co_await me.sendrecv(
          {.to = partner, .send = {.bytes = bytes}, .from = partner, .recv = {.bytes = bytes}});
  }
}

inline runtime::Task ring(runtime::Rank& me, PatternArgs args) {
  start_late(me, args);
  const int left = (me.id() + me.size() - 1) % me.size();
  const int right = (me.id() + 1) % me.size();
  for (int step = 0; step < std::min(me.size() - 1, 20); ++step)
    co_await me.sendrecv(
        {.to = right, .send = {.bytes = args.bytes}, .from = left, .recv = {.bytes = args.bytes}});
}

inline runtime::Task pairwise(runtime::Rank& me, PatternArgs args) {
  start_late(me, args);
  const int steps = std::min(me.size() - 1, 24);
  for (int step = 1; step <= steps; ++step)
    co_await me.sendrecv({.to = (me.id() + step) % me.size(),
                          .send = {.bytes = args.bytes},
                          .from = (me.id() + me.size() - step) % me.size(),
                          .recv = {.bytes = args.bytes}});
}

// Every rank sends messages of many sizes to several others at once.
inline runtime::Task random_at_once(runtime::Rank& me, PatternArgs args) {
  start_late(me, args);
  Draw draw(args.seed);
  std::vector<runtime::Request> requests;
  for (int i = 0; i < 4 * me.size(); ++i) {
    const auto from = static_cast<int>(draw.below(static_cast<std::uint64_t>(me.size())));
    const auto to = static_cast<int>(draw.below(static_cast<std::uint64_t>(me.size())));
    const auto bytes =
        static_cast<Bytes>(draw.below(static_cast<std::uint64_t>(2 * args.bytes + 1)));
    if (to == me.id())
      requests.push_back(me.irecv({.from = from, .tag = i, .data = {.bytes = bytes}}));
    if (from == me.id())
      requests.push_back(me.isend({.to = to, .tag = i, .data = {.bytes = bytes}}));
  }
  co_await me.wait_all(requests);
}

// The same messages in the order of their dependences, with work between them.
inline runtime::Task random_chains(runtime::Rank& me, PatternArgs args) {
  start_late(me, args);
  Draw draw(args.seed);
  for (int i = 0; i < 4 * me.size(); ++i) {
    const auto from = static_cast<int>(draw.below(static_cast<std::uint64_t>(me.size())));
    const auto to = static_cast<int>(draw.below(static_cast<std::uint64_t>(me.size())));
    const auto bytes =
        static_cast<Bytes>(draw.below(static_cast<std::uint64_t>(2 * args.bytes + 1)));
    const double work_s = 1e-9 * static_cast<double>(draw.below(3000));
    if (from == to) continue;
    if (from == me.id()) co_await me.send({.to = to, .data = {.bytes = bytes}});
    if (to == me.id()) co_await me.recv({.from = from, .data = {.bytes = bytes}});
    if (from == me.id() || to == me.id()) me.compute(work_s);
  }
}

// Workers send requests to a master, which replies in the order of arrival.
inline runtime::Task master(runtime::Rank& me, PatternArgs args) {
  start_late(me, args);
  const int questions = 3;
  if (me.id() == 0) {
    for (int i = 0; i < questions * (me.size() - 1); ++i)
      co_await me.recv({.from = runtime::any_source, .data = {.bytes = args.bytes}});
    co_return;
  }
  for (int i = 0; i < questions; ++i) {
    me.compute(1e-7 * (me.id() % 7));
    co_await me.send({.to = 0, .data = {.bytes = args.bytes}});
  }
}

// Receives whichever of two neighbours' messages arrives first.
inline runtime::Task first_of_two(runtime::Rank& me, PatternArgs args) {
  start_late(me, args);
  const int left = (me.id() + me.size() - 1) % me.size();
  const int right = (me.id() + 1) % me.size();
  for (int round = 0; round < 4; ++round) {
    std::vector<runtime::Request> requests{
        me.irecv({.from = left, .tag = round, .data = {.bytes = args.bytes}}),
        me.irecv({.from = right, .tag = round, .data = {.bytes = args.bytes}}),
        me.isend({.to = right, .tag = round, .data = {.bytes = args.bytes}}),
        me.isend({.to = left, .tag = round, .data = {.bytes = args.bytes}})};
    while (!requests.empty()) {
      const std::size_t first = co_await me.wait_any(requests);
      requests.erase(requests.begin() + static_cast<std::ptrdiff_t>(first));
      me.compute(2e-7);
    }
  }
}

struct Pattern {
  std::string name;
  runtime::Task (*program)(runtime::Rank& me, PatternArgs args);
};
inline const std::vector<Pattern> patterns{{"recursive doubling", recursive_doubling},
                                           {"ring", ring},
                                           {"pairwise", pairwise},
                                           {"random, all at once", random_at_once},
                                           {"random chains", random_chains},
                                           {"master", master},
                                           {"first of two", first_of_two}};

}  // namespace tutti::tests
