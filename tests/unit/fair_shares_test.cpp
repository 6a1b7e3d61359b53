// SPDX-License-Identifier: BSD-3-Clause
// Fair shares in isolation: classes arrive, change and leave at random, and every solve is audited.
// Three classes already form a bundle.
#include "sim/engines/flow/fair_shares.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <map>

#include "tests/support/close_to.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/share_audit.hpp"

using namespace tutti;
using engines::ClassId;
using engines::FairShares;
using engines::FlowBundleId;
using engines::LinkId;
using tests::Draw;
using tests::exactly;

namespace {

using Routes = std::function<std::vector<LinkId>(Draw&)>;

// Routes over this number of links; capacities are 100 unless `capacity` gives others.
struct Network {
  const char* name;
  std::uint32_t links;
  Routes route;
  std::map<LinkId, double> capacity = {};
};

std::vector<Network> networks() {
  const auto upto = [](Draw& draw, std::uint32_t count) {
    return static_cast<LinkId>(draw.below(count));
  };
  return {
      {"one receiver", 41,
       [=](Draw& draw) {
         return std::vector{1 + upto(draw, 40), LinkId{0}};
       }},
      {"two receivers, whose senders have little to spare",
       14,
       [=](Draw& draw) {
         return std::vector{2 + upto(draw, 12), upto(draw, 2)};
       },
       {{2, 20}, {3, 10}, {4, 30}}},
      {"many to many", 12,
       [=](Draw& draw) {
         return std::vector{upto(draw, 6), 6 + upto(draw, 6)};
       }},
      {"a link for both ways, few to all", 24,
       [=](Draw& draw) {
         const LinkId from = 8 * upto(draw, 3);
         const LinkId to = upto(draw, 24);
         return to == from ? std::vector{from} : std::vector{from, to};
       }},
      // Some of the classes bypass link 1, which is before link 0.
      {"a receiver behind a link as wide as its own", 32,
       [=](Draw& draw) {
         const LinkId sender = 2 + upto(draw, 30);
         return sender < 5 ? std::vector{sender, LinkId{0}}
                           : std::vector{sender, LinkId{1}, LinkId{0}};
       }},
      // Some classes cross only link 1.
      {"a receiver behind a link that has other users",
       32,
       [=](Draw& draw) {
         const LinkId sender = 2 + upto(draw, 30);
         return sender < 5 ? std::vector{sender, LinkId{1}}
                           : std::vector{sender, LinkId{1}, LinkId{0}};
       },
       {{1, 110}}},
      {"a receiver behind a link that is a little narrower",
       32,
       [=](Draw& draw) {
         const LinkId sender = 2 + upto(draw, 30);
         return sender < 5 ? std::vector{sender, LinkId{0}}
                           : std::vector{sender, LinkId{1}, LinkId{0}};
       },
       {{1, 90}}},
      {"a backbone",
       41,
       [=](Draw& draw) {
         return std::vector{1 + upto(draw, 20), LinkId{0}, 21 + upto(draw, 20)};
       },
       {{0, 150}}},
      {"receivers under two inner links", 30,
       [=](Draw& draw) {
         const LinkId receiver = upto(draw, 8);
         return std::vector{10 + upto(draw, 20), 8 + receiver % 2, receiver};
       }},
      {"links that come twice", 22,
       [=](Draw& draw) {
         const LinkId sender = 2 + upto(draw, 20);
         return std::vector{sender, LinkId{1}, LinkId{0}, upto(draw, 2), sender};
       }},
      // Bundles of several links, some of which are full only at times.
      {"senders whose messages meet on inner links",
       30,
       [=](Draw& draw) {
         return std::vector{upto(draw, 2), 2 + upto(draw, 3), 5 + upto(draw, 25)};
       },
       {{2, 70}, {3, 60}, {4, 50}}},
      {"a tree with full links on two levels",
       40,
       [=](Draw& draw) {
         const LinkId receiver = upto(draw, 32);
         return std::vector{LinkId{0}, 1 + receiver % 2, 3 + receiver % 4, 7 + receiver};
       },
       {{0, 300}, {1, 160}, {2, 180}, {3, 70}, {4, 90}}},
  };
}

// The rates that a caller of `solve` knows from the reported changes.
class Reported {
 public:
  void hear(const FairShares& shares, const FairShares::Changes& changes) {
    for (const auto& [id, bundle] : changes.left)
      if (bundle_of_[id] == bundle) bundle_of_[id] = FairShares::none;
    for (const FlowBundleId id : changes.dissolved) level_of_.erase(id);
    for (const ClassId id : changes.classes) {
      bundle_of_[id] = shares.bundle(id);
      rate_of_[id] = shares.rate(id);
    }
    for (const FlowBundleId id : changes.bundles) level_of_[id] = shares.level(id);
  }
  double rate(ClassId id) {
    return bundle_of_[id] == FairShares::none ? rate_of_[id] : level_of_[bundle_of_[id]];
  }
  void forget(ClassId id) { bundle_of_[id] = FairShares::none; }

 private:
  std::map<ClassId, FlowBundleId> bundle_of_;
  std::map<ClassId, double> rate_of_;
  std::map<FlowBundleId, double> level_of_;
};

class Random {
 public:
  Random(const Network& network, std::uint64_t seed)
      : network_(network), draw_(seed), shares_(network.links, {.least = 3, .most_wait = 0}) {
    for (LinkId id = 0; id < network.links; ++id) {
      const auto found = network.capacity.find(id);
      shares_.set_capacity(id, found == network.capacity.end() ? 100 : found->second);
    }
  }

  // Runs this number of solves, with a growing and shrinking number of classes in turn. Returns the
  // number of solves with a bundle.
  int run(int solves) {
    int bundled = 0;
    for (int i = 0; i < solves; ++i) {
      const std::uint64_t arriving = i / 40 % 2 == 0 ? 8 : 2;
      const std::uint64_t changes = draw_.below(8) == 0 ? 12 : 1;
      for (std::uint64_t n = 0; n < changes; ++n) change(draw_.below(10) < arriving);
      if (shares_.is_solved()) continue;
      reported_.hear(shares_, shares_.solve());
      bundled += shares_.bundle_count() > 0 ? 1 : 0;
      check();
    }
    return bundled;
  }

 private:
  void change(bool arrives) {
    if (arrives && draw_.below(5) > 0) {
      const double limit = draw_.below(4) == 0 ? 1.0 + static_cast<double>(draw_.below(40))
                                               : std::numeric_limits<double>::infinity();
      classes_.push_back(shares_.add(network_.route(draw_), limit));
      shares_.set_flows(classes_.back(), 1 + static_cast<std::uint32_t>(draw_.below(2)));
      return;
    }
    if (classes_.empty()) return;
    const std::size_t at = draw_.below(classes_.size());
    const ClassId id = classes_[at];
    if (arrives) return shares_.set_flows(id, shares_.flows(id) + 1);
    shares_.set_flows(id, shares_.flows(id) > 0 ? shares_.flows(id) - 1 : 1);
    if (shares_.flows(id) > 0 || draw_.below(3) == 0) return;
    reported_.forget(id);
    shares_.remove(id);
    classes_[at] = classes_.back();
    classes_.pop_back();
  }

  void check() {
    REQUIRE(audit(shares_) == "");
    for (const ClassId id : classes_)
      if (shares_.flows(id) > 0) REQUIRE(reported_.rate(id) == exactly(shares_.rate(id)));
  }

  const Network& network_;
  Draw draw_;
  FairShares shares_;
  Reported reported_;
  std::vector<ClassId> classes_;
};

}  // namespace

TEST_CASE("every solve is fair and reports its changes, for any arrivals and departures") {
  for (const Network& network : networks()) {
    CAPTURE(std::string(network.name));
    int bundled = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      CAPTURE(seed);
      bundled += Random(network, seed).run(400);
    }
    CHECK(bundled > 20);
  }
}

TEST_CASE("the capacity of a link is looked up once, when a flow first uses it") {
  FairShares shares(4);
  std::vector<LinkId> asked;
  shares.find_capacities([&](LinkId link) {
    asked.push_back(link);
    return 10.0 * link;
  });
  shares.set_capacity(1, 5);
  const ClassId first = shares.add(std::array<LinkId, 2>{1, 2}, engines::no_limit);
  CHECK(asked.empty());
  shares.set_flows(first, 1);
  shares.solve();
  CHECK(shares.rate(first) == exactly(5));
  const ClassId second = shares.add(std::array<LinkId, 2>{2, 3}, engines::no_limit);
  shares.set_flows(second, 1);
  shares.solve();
  CHECK(shares.rate(second) == exactly(15));
  CHECK(asked == std::vector<LinkId>{2, 3});
  CHECK(audit(shares) == "");
}

// The first of many groups of classes affects a settled class. Then the other groups are filled
// together.
TEST_CASE("a solve looks at the links of each changed class once") {
  constexpr LinkId links = 100;
  FairShares shares(links);
  for (LinkId id = 0; id < links; ++id) shares.set_capacity(id, 10);
  shares.set_capacity(1, 8);
  const auto start = [&](const std::vector<LinkId>& route) {
    const ClassId id = shares.add(route, engines::no_limit);
    shares.set_flows(id, 1);
    return id;
  };
  const ClassId settled = start({0, 1});
  shares.solve();
  CHECK(shares.rate(settled) == exactly(8));
  start({0});
  for (LinkId id = 2; id < links; ++id)
    for (int i = 0; i < 2; ++i) start({id});
  const std::int64_t before = shares.looks();
  shares.solve();
  CHECK(shares.looks() - before == 1 + 2 * (links - 2));
  CHECK(shares.rate(settled) == exactly(5));
  CHECK(audit(shares) == "");
}

namespace {

// Classes of one flow, each change solved and audited at once.
class Stepwise {
 public:
  explicit Stepwise(const std::vector<double>& capacities)
      : shares_(capacities.size(), {.least = 3, .most_wait = 0}) {
    for (LinkId id = 0; id < capacities.size(); ++id) shares_.set_capacity(id, capacities[id]);
  }
  ClassId add(const std::vector<LinkId>& links, double limit = engines::no_limit) {
    const ClassId id = shares_.add(links, limit);
    set_flows(id, 1);
    return id;
  }
  void end(ClassId id) { set_flows(id, 0); }
  std::uint32_t bundles() const { return shares_.bundle_count(); }
  double rate(ClassId id) const { return shares_.rate(id); }

 private:
  void set_flows(ClassId id, std::uint32_t flows) {
    shares_.set_flows(id, flows);
    shares_.solve();
    REQUIRE(audit(shares_) == "");
  }
  FairShares shares_;
};

}  // namespace

TEST_CASE("a bundle detects a new user of a link") {
  enum : LinkId { a, m };
  Stepwise net({10, 12});
  std::vector<ClassId> others;
  for (int i = 0; i < 9; ++i) others.push_back(net.add({a}));
  net.add({m, a});
  const ClassId user = net.add({m}, 5);
  net.add({m, a});
  const ClassId last = net.add({m, a});
  CHECK(net.bundles() == 1);
  CHECK(net.rate(user) == exactly(5));
  CHECK(net.rate(last) == exactly(10.0 / 12));
  for (const ClassId each : others) net.end(each);
  CHECK(net.rate(user) == exactly(3));
  CHECK(net.rate(last) == exactly(3));
}

TEST_CASE("a bundle is not affected by a dissolved one") {
  enum : LinkId { a, b, m };
  Stepwise net({10, 10, 15});
  std::vector<ClassId> others;
  for (int i = 0; i < 4; ++i) others.push_back(net.add({m, a}));
  CHECK(net.bundles() == 1);
  for (std::size_t i = 0; i < 3; ++i) net.end(others[i]);
  CHECK(net.bundles() == 0);
  for (int i = 0; i < 9; ++i) others.push_back(net.add({b}));
  net.add({m, b});
  const ClassId last = net.add({m, b});
  CHECK(net.bundles() == 1);
  CHECK(net.rate(others[3]) == exactly(10));
  for (std::size_t i = 4; i < 13; ++i) net.end(others[i]);
  CHECK(net.rate(others[3]) == exactly(5));
  CHECK(net.rate(last) == exactly(5));
}

TEST_CASE("a bundle is divided when some of its members meet on another full link") {
  enum : LinkId { a, m };
  Stepwise net({10, 6});
  std::vector<ClassId> direct, over_m;
  for (int i = 0; i < 9; ++i) direct.push_back(net.add({a}));
  for (int i = 0; i < 6; ++i) over_m.push_back(net.add({m, a}));
  CHECK(net.bundles() == 1);
  CHECK(net.rate(over_m[0]) == exactly(10.0 / 15));
  for (std::size_t i = 0; i < 6; ++i) net.end(direct[i]);
  CHECK(net.bundles() == 2);
  CHECK(net.rate(over_m[0]) == exactly(1));
  CHECK(net.rate(direct[8]) == exactly(4.0 / 3));
  for (int i = 0; i < 6; ++i) net.add({a});
  CHECK(net.bundles() == 2);
  CHECK(net.rate(over_m[0]) == exactly(10.0 / 15));
}

TEST_CASE("a bundle whose variable is touched before its last members end is retired") {
  enum : LinkId { a };
  FairShares shares(1, {.least = 3, .most_wait = 0});
  shares.set_capacity(a, 10);
  const auto add = [&](double limit) {
    const ClassId id = shares.add(std::array<LinkId, 1>{a}, limit);
    shares.set_flows(id, 1);
    shares.solve();
    return id;
  };
  const ClassId limited = add(0.5);
  std::vector<ClassId> members;
  for (int i = 0; i < 9; ++i) members.push_back(add(engines::no_limit));
  REQUIRE(shares.bundle_count() == 1);
  shares.set_flows(members[0], 0);
  shares.remove(members[0]);
  for (std::size_t i = 1; i < 9; ++i) shares.set_flows(members[i], 0);
  shares.solve();
  CHECK(audit(shares) == "");
  CHECK(shares.bundle_count() == 0);
  CHECK(shares.rate(limited) == exactly(0.5));
  CHECK(shares.rate(add(engines::no_limit)) == exactly(9.5));
}

TEST_CASE("a member of a bundle whose limit is reached gets a rate of its own") {
  enum : LinkId { a };
  Stepwise net({10});
  std::vector<ClassId> others;
  const ClassId slow = net.add({a}, 2);
  for (int i = 0; i < 9; ++i) others.push_back(net.add({a}));
  CHECK(net.bundles() == 1);
  CHECK(net.rate(slow) == exactly(1));
  for (std::size_t i = 0; i < 6; ++i) net.end(others[i]);
  CHECK(net.bundles() == 1);
  CHECK(net.rate(slow) == exactly(2));
  CHECK(net.rate(others[8]) == exactly(8.0 / 3));
}
