// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/shared_messages.hpp"

#include <algorithm>

#include "sim/base/check.hpp"

namespace tutti::workloads {
namespace {

using runtime::Rank;
using runtime::Task;

Task one_way(Rank& me, Bytes bytes, Seconds& time_s) {
  const int half = me.size() / 2;
  if (me.id() < half)
    co_await me.send({.to = me.id() + half, .data = {.bytes = bytes}});
  else
    co_await me.recv({.from = me.id() - half, .data = {.bytes = bytes}});
  time_s = std::max(time_s, me.now());
}

Task exchange(Rank& me, runtime::RankId to, runtime::RankId from, Bytes bytes, Seconds& time_s) {
  co_await me.sendrecv(
      {.to = to, .send = {.bytes = bytes}, .from = from, .recv = {.bytes = bytes}});
  time_s = std::max(time_s, me.now());
}

}  // namespace

std::optional<SharedPattern> shared_pattern(std::string_view name) {
  const auto found = std::ranges::find(shared_patterns, name);
  if (found == shared_patterns.end()) return std::nullopt;
  return static_cast<SharedPattern>(found - shared_patterns.begin());
}

std::string_view pattern_name(SharedPattern pattern) {
  return shared_patterns[static_cast<std::size_t>(pattern)];
}

runtime::Program shared_messages_program(SharedPattern pattern, Bytes bytes, Seconds& time_s) {
  TUTTI_CHECK(pattern != SharedPattern::alltoall, "a collective");
  return [=, &time_s](Rank& me) {
    const int size = me.size(), half = size / 2;
    if (pattern == SharedPattern::send) return one_way(me, bytes, time_s);
    if (pattern == SharedPattern::sendrecv_diff)
      return exchange(me, (me.id() + 1) % size, (me.id() + size - 1) % size, bytes, time_s);
    const int partner = (me.id() + half) % size;
    return exchange(me, partner, partner, bytes, time_s);
  };
}

}  // namespace tutti::workloads
