// SPDX-License-Identifier: BSD-3-Clause
// Lists of the members that cross a link, for many links. Each list is contiguous, so that a solve
// reads it without following pointers. A removed member leaves a gap; gaps are closed when they
// exceed half of the list. A first member needs no memory.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::engines {

class MemberLists {
 public:
  using Member = std::uint32_t;
  // 0: empty; with the bit `single`: its only member; else the index of its head.
  using List = std::uint32_t;
  using Place = std::uint32_t;  // position in a list
  static constexpr Member nobody = UINT32_MAX;

  // `member` is below 2^31.
  Place add(List& list, Member member) {
    if (list == 0) {
      list = single | member;
      return 0;
    }
    if (is_single(list)) {
      const Member first = list & ~single;
      list = new_list();
      append(heads_[list], first);
    }
    return append(heads_[list], member);
  }

  // Calls `moved(member, from, to)` for members whose position changes.
  template <class Moved>
  void remove(List& list, Place place, Moved moved) {
    if (is_single(list)) {
      list = 0;
      return;
    }
    Head& head = heads_[list];
    Member* const members = members_.data() + head.first;
    members[place] = nobody;
    ++head.gaps;
    while (head.used > 0 && members[head.used - 1] == nobody) {
      --head.used;
      --head.gaps;
    }
    if (2 * head.gaps > head.used) close_gaps(head, moved);
  }

  // The newest member of a non-empty list.
  Member newest(List list) const {
    if (is_single(list)) return list & ~single;
    const Head& head = heads_[list];
    return members_[head.first + head.used - 1];
  }

  // Visits the members from the newest to the oldest. Lists must not change meanwhile.
  template <class Visit>
  void visit(List list, Visit visit) const {
    if (is_single(list)) return visit(list & ~single);
    const Head& head = heads_[list];
    const Member* const members = members_.data() + head.first;
    for (Place i = head.used; i-- > 0;)
      if (members[i] != nobody) visit(members[i]);
  }

 private:
  struct Head {
    std::uint32_t first = 0;  // index of its first member in members_
    std::uint32_t used = 0;   // number of members, including gaps
    std::uint32_t gaps = 0;
    std::uint32_t capacity = 0;  // capacity, a power of two
  };

  static constexpr List single = List{1} << 31;
  static bool is_single(List list) { return (list & single) != 0; }

  Place append(Head& head, Member member) {
    if (head.used == head.capacity) grow(head);
    members_[head.first + head.used] = member;
    return head.used++;
  }

  List new_list() {
    heads_.emplace_back();
    return static_cast<List>(heads_.size() - 1);
  }

  void grow(Head& head) {
    const std::uint32_t capacity = std::max(1u, 2 * head.capacity);
    const std::uint32_t first = take(capacity);
    std::copy_n(members_.data() + head.first, head.used, members_.data() + first);
    if (head.capacity > 0) free_[std::countr_zero(head.capacity)].push_back(head.first);
    head.first = first;
    head.capacity = capacity;
  }

  std::uint32_t take(std::uint32_t capacity) {
    auto& free = free_[std::countr_zero(capacity)];
    if (free.empty()) {
      members_.resize(members_.size() + capacity);
      return static_cast<std::uint32_t>(members_.size() - capacity);
    }
    const std::uint32_t first = free.back();
    free.pop_back();
    return first;
  }

  template <class Moved>
  void close_gaps(Head& head, Moved moved) {
    Member* const members = members_.data() + head.first;
    Place to = 0;
    for (Place from = 0; from < head.used; ++from) {
      if (members[from] == nobody) continue;
      if (from != to) moved(members[from], from, to);
      members[to++] = members[from];
    }
    head.used = to;
    head.gaps = 0;
  }

  std::vector<Head> heads_ = std::vector<Head>(1);  // by List; the first represents empty lists
  std::vector<Member> members_;
  std::array<std::vector<std::uint32_t>, 32> free_;  // unused pieces, by exponent of their capacity
};

}  // namespace tutti::engines
