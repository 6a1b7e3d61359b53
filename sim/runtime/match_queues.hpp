// SPDX-License-Identifier: BSD-3-Clause
// The queues of unmatched messages and receives. The two queues of a rank are usually short, and
// are then lists of 8 bytes. After a search over more than `longest_walk` records, a queue uses a
// hash table by key until it is empty. The result of a search is the same. A Record has `next`,
// key() and order(), which increases with each appended record.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/keyed_queue.hpp"
#include "sim/runtime/pool.hpp"

namespace tutti::runtime {

// A short queue stores its ends. In a long one `head` is no_record, and `tail` is its index among
// the long queues.
struct MatchQueue {
  std::uint32_t head = no_record;
  std::uint32_t tail = no_record;
  bool empty() const { return tail == no_record; }
  bool is_long() const { return head == no_record && tail != no_record; }
};

template <class Record>
class MatchQueues {
 public:
  static constexpr int longest_walk = 24;

  explicit MatchQueues(Pool<Record>& pool) : pool_(pool) {}

  void append(MatchQueue& queue, std::uint32_t index) {
    if (queue.is_long()) return long_[queue.tail]->append(index);
    pool_[index].next = no_record;
    (queue.empty() ? queue.head : pool_[queue.tail].next) = index;
    queue.tail = index;
  }

  // The oldest record with one of the keys (they may be equal); no_record if there is none.
  std::uint32_t find(MatchQueue& queue, MatchKey key, MatchKey other) {
    const Place place = walk(queue, key, other);
    return queue.is_long() ? oldest(*long_[queue.tail], key, other) : place.at;
  }
  std::uint32_t find(MatchQueue& queue, MatchKey key) { return find(queue, key, key); }

  std::uint32_t take(MatchQueue& queue, MatchKey key, MatchKey other) {
    const Place place = walk(queue, key, other);
    if (queue.is_long()) return take_long(queue, key, other);
    if (place.at == no_record) return no_record;
    const std::uint32_t after = pool_[place.at].next;
    (place.before == no_record ? queue.head : pool_[place.before].next) = after;
    if (queue.tail == place.at) queue.tail = place.before;
    return place.at;
  }
  std::uint32_t take(MatchQueue& queue, MatchKey key) { return take(queue, key, key); }

  // Visits the records: in a short queue starting with the oldest, in a long one in no particular
  // order of keys.
  template <class Visit>
  void for_each(const MatchQueue& queue, Visit visit) const {
    if (queue.is_long()) return long_[queue.tail]->for_each(visit);
    for (std::uint32_t at = queue.head; at != no_record; at = pool_[at].next) visit(at);
  }
  // Visits the records with the key, starting with the oldest.
  template <class Visit>
  void for_each_of(const MatchQueue& queue, MatchKey key, Visit visit) const {
    if (queue.is_long()) return long_[queue.tail]->for_each_of(key, visit);
    for_each(queue, [&](std::uint32_t at) {
      if (pool_[at].key() == key) visit(at);
    });
  }

  // The records from the oldest to the youngest.
  std::vector<std::uint32_t> in_order(const MatchQueue& queue) const {
    std::vector<std::uint32_t> all;
    for_each(queue, [&](std::uint32_t at) { all.push_back(at); });
    if (queue.is_long())
      std::sort(all.begin(), all.end(), [&](std::uint32_t a, std::uint32_t b) {
        return pool_[a].order() < pool_[b].order();
      });
    return all;
  }

  // Returns whether the queue has more than `longest_walk` records, and makes it long in that case.
  bool has_many(MatchQueue& queue) {
    int seen = 0;
    for (std::uint32_t at = queue.head; at != no_record; at = pool_[at].next)
      if (++seen > longest_walk) {
        make_long(queue);
        break;
      }
    return queue.is_long();
  }

  // Number of records of a long queue.
  std::size_t size(const MatchQueue& queue) const { return long_[queue.tail]->size(); }

 private:
  struct Place {
    std::uint32_t before = no_record;
    std::uint32_t at = no_record;
  };

  // Searches a short queue. After `longest_walk` records it makes the queue long instead, and the
  // result is invalid.
  Place walk(MatchQueue& queue, MatchKey key, MatchKey other) {
    Place place{.at = queue.head};
    for (int seen = 0; place.at != no_record; ++seen) {
      if (seen == longest_walk) {
        make_long(queue);
        break;
      }
      const Record& record = pool_[place.at];
      if (record.key() == key || record.key() == other) break;
      place = {.before = place.at, .at = record.next};
    }
    return place;
  }

  void make_long(MatchQueue& queue) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(long_.size()));
      long_.emplace_back();
    }
    const std::uint32_t number = free_.back();
    free_.pop_back();
    long_[number] = std::make_unique<KeyedQueue<Record>>(pool_);
    for (std::uint32_t at = queue.head; at != no_record;) {
      const std::uint32_t after = pool_[at].next;
      long_[number]->append(at);
      at = after;
    }
    queue = {.head = no_record, .tail = number};
  }

  std::uint32_t oldest(const KeyedQueue<Record>& queue, MatchKey key, MatchKey other) const {
    const std::uint32_t first = queue.oldest(key);
    if (key == other) return first;
    const std::uint32_t second = queue.oldest(other);
    if (first == no_record || second == no_record) return std::min(first, second);
    return pool_[first].order() < pool_[second].order() ? first : second;
  }

  std::uint32_t take_long(MatchQueue& queue, MatchKey key, MatchKey other) {
    KeyedQueue<Record>& keyed = *long_[queue.tail];
    const std::uint32_t first = oldest(keyed, key, other);
    if (first == no_record) return no_record;
    TUTTI_CHECK(keyed.take_oldest(pool_[first].key()) == first,
                "the oldest record is the first of its ring");
    if (keyed.empty()) {
      long_[queue.tail].reset();
      free_.push_back(queue.tail);
      queue = {};
    }
    return first;
  }

  Pool<Record>& pool_;
  std::vector<std::unique_ptr<KeyedQueue<Record>>> long_;
  std::vector<std::uint32_t> free_;  // unused indices of long_
};

}  // namespace tutti::runtime
