// SPDX-License-Identifier: BSD-3-Clause
// The lists of the flows that cross a link.
#include "sim/engines/flow/member_lists.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

using tutti::engines::MemberLists;

namespace {

// Many lists and a plain reference; members know their positions.
class Checked {
 public:
  void add(std::size_t list, MemberLists::Member member) {
    places_[list][member] = lists_.add(ids_[list], member);
    plain_[list].insert(plain_[list].begin(), member);
  }
  void remove(std::size_t list, MemberLists::Member member) {
    auto& places = places_[list];
    lists_.remove(ids_[list], places[member], [&](auto other, auto from, auto to) {
      CHECK(places[other] == from);
      places[other] = to;
    });
    places.erase(member);
    std::erase(plain_[list], member);
  }
  void check(std::size_t list) const {
    std::vector<MemberLists::Member> seen;
    lists_.visit(ids_[list], [&](auto member) { seen.push_back(member); });
    CHECK(seen == plain_[list]);
    if (!seen.empty()) CHECK(lists_.newest(ids_[list]) == seen.front());
  }
  const std::vector<MemberLists::Member>& members(std::size_t list) const { return plain_[list]; }

 private:
  MemberLists lists_;
  std::array<MemberLists::List, 5> ids_{};
  std::array<std::map<MemberLists::Member, MemberLists::Place>, 5> places_;
  std::array<std::vector<MemberLists::Member>, 5> plain_;
};

}  // namespace

TEST_CASE("members are visited from the newest to the oldest, whichever leave") {
  Checked lists;
  std::mt19937 draw(7);
  for (MemberLists::Member member = 0; member < 4000; ++member) {
    const std::size_t list = draw() % 5;
    lists.add(list, member);
    // Grows for a while, then shrinks.
    for (unsigned left = draw() % 3 * (member < 2000 ? 0 : 1) + draw() % 2; left > 0; --left) {
      const std::size_t other = draw() % 5;
      const auto& members = lists.members(other);
      if (!members.empty()) lists.remove(other, members[draw() % members.size()]);
      lists.check(other);
    }
    lists.check(list);
  }
}
