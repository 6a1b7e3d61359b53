// SPDX-License-Identifier: BSD-3-Clause
// Reference implementation of one rank's matching by linear search; ProtocolCore's results are
// compared with it.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/runtime/transport.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::tests {

class PlainMatching {
 public:
  struct Receive {
    std::uint32_t request;
    runtime::RankId from;  // or any_source
    std::int32_t tag;
    bool accepts(runtime::RankId source, std::int32_t its_tag) const {
      return (from == runtime::any_source || from == source) && tag == its_tag;
    }
  };
  struct Sent {
    runtime::MessageId id;
    runtime::RankId source;
    std::int32_t tag;
    Seconds known_s;  // infinity: an eager message in flight
  };
  using Pair = std::pair<std::uint32_t, runtime::MessageId>;

  void post(const Receive& receive) {
    posted_.push_back(receive);
    if (!any_source_pending()) match_all();
  }
  void offer(const Sent& message) {
    unexpected_.push_back(message);
    if (!any_source_pending()) match_all();
  }
  void arrive(runtime::MessageId id, Seconds now_s) {
    for (Sent& each : unexpected_)
      if (each.id == id) each.known_s = now_s;
  }

  void look(Seconds now_s) {
    if (!any_source_pending()) return;
    while (any_source_pending()) {
      const auto first = first_arrival(now_s);
      if (!first) return;
      pair(std::find_if(posted_.begin(), posted_.end(),
                        [&](const Receive& receive) {
                          return receive.accepts(first->first, first->second);
                        }),
           first->first, first->second);
    }
    match_all();
  }

  bool any_source_pending() const {
    return std::any_of(posted_.begin(), posted_.end(),
                       [](const Receive& receive) { return receive.from == runtime::any_source; });
  }
  std::size_t posted() const { return posted_.size(); }
  std::size_t unexpected() const { return unexpected_.size(); }
  const std::vector<Pair>& pairs() const { return pairs_; }

 private:
  using Key = std::pair<runtime::RankId, std::int32_t>;

  // Named receives, in the order of their posts, match the oldest message of their key.
  void match_all() {
    for (std::size_t i = 0; i < posted_.size();)
      if (!pair(posted_.begin() + static_cast<std::ptrdiff_t>(i), posted_[i].from, posted_[i].tag))
        ++i;
  }

  std::optional<Key> first_arrival(Seconds now_s) const {
    std::vector<Sent> wanted;
    for (const Sent& message : unexpected_)
      if (message.known_s <= now_s &&
          std::any_of(posted_.begin(), posted_.end(), [&](const Receive& receive) {
            return receive.accepts(message.source, message.tag);
          }))
        wanted.push_back(message);
    Seconds first_s = std::numeric_limits<double>::infinity();
    for (const Sent& each : wanted) first_s = std::min(first_s, each.known_s);
    std::optional<Key> least;
    for (const Sent& each : wanted)
      if (const Key key{each.source, each.tag};
          each.known_s <= runtime::after_ties(first_s) && (!least || key < *least))
        least = key;
    return least;
  }

  bool pair(std::vector<Receive>::iterator receive, runtime::RankId source, std::int32_t tag) {
    const auto message =
        std::find_if(unexpected_.begin(), unexpected_.end(),
                     [&](const Sent& each) { return each.source == source && each.tag == tag; });
    if (message == unexpected_.end()) return false;
    pairs_.emplace_back(receive->request, message->id);
    posted_.erase(receive);
    unexpected_.erase(message);
    return true;
  }

  std::vector<Receive> posted_;
  std::vector<Sent> unexpected_;
  std::vector<Pair> pairs_;
};

}  // namespace tutti::tests
