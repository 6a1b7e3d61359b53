// SPDX-License-Identifier: BSD-3-Clause
#include "workloads/round_trip.hpp"

namespace tutti::workloads {
namespace {

using runtime::Rank;
using runtime::Task;

Task serve(Rank& me, RoundTrip measured) {
  const runtime::Slice data{.bytes = measured.message_bytes};
  for (int i = 0; i < measured.messages; ++i) co_await me.recv({.from = 0, .data = data});
  co_await me.send({.to = 0, .data = data});
}

Task ask(Rank& me, RoundTrip measured, Seconds& time_s) {
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

}  // namespace

runtime::Program round_trip_program(const RoundTrip& measured, Seconds& time_s) {
  return [measured, &time_s](Rank& me) {
    return me.id() == 0 ? ask(me, measured, time_s) : serve(me, measured);
  };
}

runtime::Program late_receive_program(Bytes message_bytes, Seconds delay_s, Seconds& time_s) {
  return [=, &time_s](Rank& me) {
    return me.id() == 0 ? ask_and_receive_late(me, message_bytes, delay_s, time_s)
                        : serve(me, {.message_bytes = message_bytes});
  };
}

}  // namespace tutti::workloads
