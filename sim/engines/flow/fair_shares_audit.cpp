// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/flow/fair_shares_audit.hpp"

namespace tutti::engines {
namespace {

struct AuditedClass {
  ClassId id = 0;
  double flows = 0;
  double limit = no_limit;
  std::vector<std::size_t> links;  // in AuditedNetwork::links
  double claimed = 0;
  double rate = 0;
  bool fixed = false;
};

struct AuditedLink {
  double capacity = 0;
  double taken = 0;  // capacity used by classes with a rate
  double open = 0;   // number of flows without a rate

  double level() const { return open > 0 ? std::max(0.0, capacity - taken) / open : no_limit; }
};

struct AuditedNetwork {
  std::vector<AuditedClass> classes;
  std::vector<AuditedLink> links;
};

AuditedNetwork copy_network(const FairShares& shares) {
  AuditedNetwork network;
  std::unordered_map<LinkId, std::size_t> number_of;
  shares.visit_classes([&](ClassId id, std::uint32_t flows, double limit,
                           const std::vector<LinkId>& links, double rate) {
    AuditedClass& copy = network.classes.emplace_back();
    copy.id = id;
    copy.flows = flows;
    copy.limit = limit;
    copy.claimed = rate;
    for (const LinkId link : links) {
      const auto [number, is_new] = number_of.try_emplace(link, network.links.size());
      if (is_new) network.links.push_back({.capacity = shares.capacity(link)});
      network.links[number->second].open += flows;
      copy.links.push_back(number->second);
    }
  });
  return network;
}

// The rate at which one of its links, or its limit, stops the class.
double ceiling(const AuditedClass& audited, const std::vector<AuditedLink>& links) {
  double least = audited.limit;
  for (const std::size_t link : audited.links) least = std::min(least, links[link].level());
  return least;
}

void fix(AuditedClass& stopped, double level, std::vector<AuditedLink>& links) {
  stopped.fixed = true;
  stopped.rate = level;
  for (const std::size_t link : stopped.links) {
    links[link].taken += stopped.flows * level;
    links[link].open -= stopped.flows;
  }
}

// Progressive filling by its definition: repeatedly, all open classes rise to the lowest ceiling,
// and those that it stops keep this rate.
void fill(AuditedNetwork& network) {
  std::vector<AuditedClass*> stopped;
  for (std::size_t left = network.classes.size(); left > 0; left -= stopped.size()) {
    double level = no_limit;
    for (const AuditedClass& audited : network.classes)
      if (!audited.fixed) level = std::min(level, ceiling(audited, network.links));
    stopped.clear();
    for (AuditedClass& audited : network.classes)
      if (!audited.fixed && ceiling(audited, network.links) <= level * (1 + 1e-13))
        stopped.push_back(&audited);
    for (AuditedClass* audited : stopped) fix(*audited, level, network.links);
  }
}

}  // namespace

std::string audit(const FairShares& shares, double tolerance) {
  AuditedNetwork network = copy_network(shares);
  fill(network);
  for (const AuditedClass& audited : network.classes)
    if (std::abs(audited.claimed - audited.rate) > tolerance * audited.rate)
      return fmt::format("class {} of {} flows has rate {}, but the fair rate is {}", audited.id,
                         audited.flows, audited.claimed, audited.rate);
  return "";
}

}  // namespace tutti::engines
