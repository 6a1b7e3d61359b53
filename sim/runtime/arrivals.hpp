// SPDX-License-Identifier: BSD-3-Clause
// The arrival times of a rank's unexpected messages, in order; for ranks with receives from any
// source and too many messages for a linear search.
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
  // A message and its past or future time of arrival.
  struct Arrival {
    Seconds time_s = 0;
    MatchKey key;
    MessageId message = 0;
    auto operator<=>(const Arrival&) const = default;
  };
  // Whether a posted receive has exactly this key.
  using IsPosted = std::function<bool(MatchKey)>;

  explicit Arrivals(IsPosted is_posted) : is_posted_(std::move(is_posted)) {}

  void add(const Arrival& arrival, Seconds now_s);
  void remove(const Arrival& arrival);
  // Notes that a receive has been posted, from any source with this tag or with the key of a
  // message.
  void want_tag(std::int32_t tag) { wanted_tags_.insert(tag); }
  void want(const Arrival& arrival) { named_.insert(arrival); }

  // The earliest arrival; `never` if there is none.
  Seconds earliest_with(std::int32_t tag) const;
  Seconds earliest_after(Seconds now_s);

  // The key of the first arrival until `now_s` for which a receive is posted; of simultaneous ones
  // the smallest key.
  std::optional<MatchKey> first(Seconds now_s);

 private:
  using Ordered = std::set<Arrival>;
  Seconds earliest_wanted();

  IsPosted is_posted_;
  std::map<std::int32_t, Ordered> by_tag_;
  Ordered coming_;  // messages that had not arrived when they were added
  // Messages for which a receive may be posted; outdated entries are removed when they are found.
  std::set<std::int32_t> wanted_tags_;  // from any source
  Ordered named_;
};

}  // namespace tutti::runtime
