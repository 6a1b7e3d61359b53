// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace tutti::engines {

namespace {

struct Audited {
  ClassId id = 0;
  double flows = 0;
  double limit = no_limit;
  std::vector<std::size_t> rooms;  // its links
  double claimed = 0;
  double rate = 0;
  bool fixed = false;
};

// A link.
struct Room {
  double capacity = 0;
  double taken = 0;  // by classes with a rate
  double open = 0;   // flows without one

  double level() const { return open > 0 ? std::max(0.0, capacity - taken) / open : no_limit; }
};

struct Network {
  std::vector<Audited> classes;
  std::vector<Room> rooms;
};

Network network_of(const FairShares& shares) {
  Network network;
  std::unordered_map<LinkId, std::size_t> room_of;
  shares.visit_classes([&](ClassId id, std::uint32_t flows, double limit,
                           const std::vector<LinkId>& links, double rate) {
    Audited& each = network.classes.emplace_back();
    each.id = id;
    each.flows = flows;
    each.limit = limit;
    each.claimed = rate;
    for (const LinkId link : links) {
      const auto [at, is_new] = room_of.try_emplace(link, network.rooms.size());
      if (is_new) network.rooms.push_back({.capacity = shares.capacity(link)});
      network.rooms[at->second].open += flows;
      each.rooms.push_back(at->second);
    }
  });
  return network;
}

// What stops the class first: one of its links, or its limit.
double ceiling(const Audited& each, const std::vector<Room>& rooms) {
  double least = each.limit;
  for (const std::size_t room : each.rooms) least = std::min(least, rooms[room].level());
  return least;
}

void fix(Audited& held, double level, std::vector<Room>& rooms) {
  held.fixed = true;
  held.rate = level;
  for (const std::size_t room : held.rooms) {
    rooms[room].taken += held.flows * level;
    rooms[room].open -= held.flows;
  }
}

// Progressive filling by its definition: all rise to the least ceiling, and those that it holds
// stay there, again and again.
void fill(Network& network) {
  std::vector<Audited*> held;
  for (std::size_t left = network.classes.size(); left > 0; left -= held.size()) {
    double level = no_limit;
    for (const Audited& each : network.classes)
      if (!each.fixed) level = std::min(level, ceiling(each, network.rooms));
    held.clear();
    for (Audited& each : network.classes)
      if (!each.fixed && ceiling(each, network.rooms) <= level * (1 + 1e-13)) held.push_back(&each);
    for (Audited* each : held) fix(*each, level, network.rooms);
  }
}

}  // namespace

std::string audit(const FairShares& shares, double tolerance) {
  Network network = network_of(shares);
  fill(network);
  for (const Audited& each : network.classes)
    if (std::abs(each.claimed - each.rate) > tolerance * each.rate)
      return fmt::format("class {} of {} flows has rate {}, and {} would be fair", each.id,
                         each.flows, each.claimed, each.rate);
  return "";
}

}  // namespace tutti::engines
