// SPDX-License-Identifier: BSD-3-Clause
// When the messages arrive that wait for a rank's receives, in order: for ranks with receives from
// any source and more messages than one wants to look through.
#pragma once

#include <compare>

#include "sim/base/common.hpp"
#include "sim/runtime/keyed_queue.hpp"
#include "sim/runtime/transport.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::runtime {

inline constexpr Seconds never = std::numeric_limits<double>::infinity();

class Arrivals {
 public:
  // A message, and when it has arrived or will.
  struct Arrival {
    Seconds time_s = 0;
    MatchKey key;
    MessageId message = 0;
    auto operator<=>(const Arrival&) const = default;
  };
  // Whether a posted receive has just this key.
  using IsPosted = std::function<bool(MatchKey)>;

  explicit Arrivals(IsPosted is_posted) : is_posted_(std::move(is_posted)) {}

  void add(const Arrival& arrival, Seconds now_s);
  void remove(const Arrival& arrival);
  // A receive from any source, or one that names the message's source, has been posted.
  void want_tag(std::int32_t tag) { wanted_tags_.insert(tag); }
  void want(const Arrival& arrival) { named_.insert(arrival); }

  // `never` if there is none.
  Seconds earliest_with(std::int32_t tag) const;
  Seconds earliest_after(Seconds now_s);

  // Of those until `now_s` for which a receive is posted the first; of several at one time the
  // least key.
  std::optional<MatchKey> first(Seconds now_s);

 private:
  using Ordered = std::set<Arrival>;
  Seconds earliest_wanted();

  IsPosted is_posted_;
  std::map<std::int32_t, Ordered> by_tag_;
  Ordered coming_;  // those that had not arrived when they were added, and perhaps have since
  // Those that a receive may be posted for; what does not hold any more goes when it is seen.
  std::set<std::int32_t> wanted_tags_;  // from any source
  Ordered named_;
};

}  // namespace tutti::runtime
