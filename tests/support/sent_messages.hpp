// SPDX-License-Identifier: BSD-3-Clause
// A program that sends a list of messages at once.
#pragma once

#include <vector>

#include "sim/runtime/rank.hpp"

namespace tutti::tests {

struct Sent {
  int from = 0;
  int to = 0;
  Bytes bytes = 0;
};

// Each rank ends when its own messages are complete.
inline runtime::Program all_at_once(std::vector<Sent> messages) {
  return [messages](runtime::Rank& me) -> runtime::Task {
    std::vector<runtime::Request> requests;
    for (const Sent& each : messages) {
      if (each.to == me.id())
        requests.push_back(me.irecv({.from = each.from, .data = {.bytes = each.bytes}}));
      if (each.from == me.id())
        requests.push_back(me.isend({.to = each.to, .data = {.bytes = each.bytes}}));
    }
    co_await me.wait_all(requests);
  };
}

}  // namespace tutti::tests
