// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/ping_pong.hpp"

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

namespace {

Task serve(Rank& me, RoundTrip measured) {
  const runtime::Slice data{.bytes = measured.message_bytes};
  for (int i = 0; i < measured.messages; ++i) co_await me.recv({.from = 0, .data = data});
  co_await me.send({.to = 0, .data = data});
}

Task ping(Rank& me, RoundTrip measured, Seconds& time_s) {
  const runtime::Slice data{.bytes = measured.message_bytes};
  for (int i = 0; i < measured.messages; ++i) {
    if (i > 0) me.sleep(measured.delay_s);
    co_await me.send({.to = 1, .data = data});
  }
  co_await me.recv({.from = 1, .data = data});
  time_s = me.now();
}

Task ask_and_receive_late(Rank& me, Bytes bytes, Seconds delay_s, Seconds& time_s) {
  co_await me.send({.to = 1, .data = {.bytes = bytes}});
  me.sleep(delay_s);
  const Seconds begin_s = me.now();
  co_await me.recv({.from = 1, .data = {.bytes = bytes}});
  time_s = me.now() - begin_s;
}

using runtime::Request;

constexpr Bytes reply_bytes = 4;  // as in osu_bw

Task ping_pong(Rank& me, PingPong measured, Seconds& time_s) {
  const runtime::Slice data{.bytes = measured.message_bytes};
  if (me.id() == 1) {
    co_await me.recv({.from = 0, .data = data});
    co_await me.send({.to = 0, .data = data});
    co_return;
  }
  co_await me.send({.to = 1, .data = data});
  co_await me.recv({.from = 1, .data = data});
  time_s = me.now() / 2;
}

Task bidirectional(Rank& me, PingPong measured, Seconds& time_s) {
  const runtime::Slice data{.bytes = measured.message_bytes};
  const runtime::RankId other = 1 - me.id();
  co_await me.sendrecv({.to = other, .send = data, .from = other, .recv = data});
  time_s = std::max(time_s, me.now());
}

Task stream(Rank& me, PingPong measured, Seconds& time_s) {
  const runtime::Slice data{.bytes = measured.message_bytes};
  const runtime::Slice reply{.bytes = reply_bytes};
  std::vector<Request> window;
  for (int i = 0; i < measured.window; ++i)
    window.push_back(me.id() == 0 ? me.isend({.to = 1, .data = data})
                                  : me.irecv({.from = 0, .data = data}));
  co_await me.wait_all(window);
  if (me.id() == 1) {
    co_await me.send({.to = 0, .data = reply});
    co_return;
  }
  co_await me.recv({.from = 1, .data = reply});
  time_s = me.now() / measured.window;
}

}  // namespace

std::optional<PingPongPattern> ping_pong_pattern(std::string_view name) {
  const auto found = std::ranges::find(ping_pong_patterns, name);
  if (found == ping_pong_patterns.end()) return std::nullopt;
  return static_cast<PingPongPattern>(found - ping_pong_patterns.begin());
}

std::string_view pattern_name(PingPongPattern pattern) {
  return ping_pong_patterns[static_cast<std::size_t>(pattern)];
}

Bytes bytes_moved(const PingPong& measured) {
  const bool both_ways = measured.pattern == PingPongPattern::bidirectional;
  return both_ways ? 2 * measured.message_bytes : measured.message_bytes;
}

int message_count(const PingPong& measured) {
  return measured.pattern == PingPongPattern::stream ? measured.window + 1 : 2;
}

runtime::Program ping_pong_program(const PingPong& measured, Seconds& time_s) {
  return [measured, &time_s](Rank& me) {
    switch (measured.pattern) {
      case PingPongPattern::ping_pong:
        return ping_pong(me, measured, time_s);
      case PingPongPattern::bidirectional:
        return bidirectional(me, measured, time_s);
      case PingPongPattern::stream:
        break;
    }
    return stream(me, measured, time_s);
  };
}

runtime::Program round_trip_program(const RoundTrip& measured, Seconds& time_s) {
  return [measured, &time_s](Rank& me) {
    return me.id() == 0 ? ping(me, measured, time_s) : serve(me, measured);
  };
}

runtime::Program late_receive_program(Bytes message_bytes, Seconds delay_s, Seconds& time_s) {
  return [=, &time_s](Rank& me) {
    return me.id() == 0 ? ask_and_receive_late(me, message_bytes, delay_s, time_s)
                        : serve(me, {.message_bytes = message_bytes});
  };
}

}  // namespace tutti::workloads
