// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace tutti::engines {

namespace {

struct Audited {
  ClassId id;
  double flows;
  double limit;
  std::vector<LinkId> links;
  double claimed;
  double rate = 0;
  bool fixed = false;
};

struct Room {
  double capacity;
  double taken = 0;  // by classes with a rate
  double open = 0;   // flows without one

  double level() const { return open > 0 ? std::max(0.0, capacity - taken) / open : no_limit; }
};

using Rooms = std::map<LinkId, Room>;

void recount(const std::vector<Audited>& classes, Rooms& rooms) {
  for (auto& [link, room] : rooms) room.taken = room.open = 0;
  for (const Audited& each : classes)
    for (const LinkId link : each.links)
      (each.fixed ? rooms.at(link).taken : rooms.at(link).open) +=
          each.fixed ? each.flows * each.rate : each.flows;
}

// What stops the class first: one of its links, or its limit.
double ceiling(const Audited& each, const Rooms& rooms) {
  double least = each.limit;
  for (const LinkId link : each.links) least = std::min(least, rooms.at(link).level());
  return least;
}

// Progressive filling by its definition: all rise to the least ceiling, and those that it holds
// stay there, again and again.
void fill_all(std::vector<Audited>& classes, Rooms& rooms) {
  for (std::size_t left = classes.size(); left > 0;) {
    recount(classes, rooms);
    double level = no_limit;
    for (const Audited& each : classes)
      if (!each.fixed) level = std::min(level, ceiling(each, rooms));
    for (Audited& each : classes) {
      if (each.fixed || ceiling(each, rooms) > level * (1 + 1e-13)) continue;
      each.fixed = true;
      each.rate = level;
      --left;
    }
  }
}

}  // namespace

std::string audit(const FairShares& shares, double tolerance) {
  std::vector<Audited> classes;
  Rooms rooms;
  shares.visit_classes([&](ClassId id, std::uint32_t flows, double limit,
                           const std::vector<LinkId>& links, double rate) {
    classes.push_back({id, static_cast<double>(flows), limit, links, rate});
    for (const LinkId link : links) rooms.try_emplace(link, Room{shares.capacity(link)});
  });
  fill_all(classes, rooms);
  for (const Audited& each : classes)
    if (std::abs(each.claimed - each.rate) > tolerance * each.rate)
      return fmt::format("class {} of {} flows has rate {}, and {} would be fair", each.id,
                         each.flows, each.claimed, each.rate);
  return "";
}

}  // namespace tutti::engines
