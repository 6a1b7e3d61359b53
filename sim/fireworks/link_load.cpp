// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/link_load.hpp"

#include <unordered_map>

namespace tutti::studies::fireworks {
namespace {

using platforms::JobLinks;
using platforms::LinkId;

// The shared links of all messages, one message after the other.
class CrossedLinks {
 public:
  explicit CrossedLinks(const JobLinks& links) : links_(links) {}

  void add(const RankMessage& message) {
    if (links_.is_divided(message.from, message.to, message.bytes))
      add_divided(message);
    else
      add_whole(message);
    ends_.push_back(crossed_.size());
  }

  BusyLinks busy() const {
    BusyLinks busy;
    std::size_t first = 0;
    for (const std::size_t end : ends_) {
      Seconds& longest_s = busy.of_message.emplace_back(0);
      for (; first < end; ++first) {
        const Seconds time_s = busy_s_.at(crossed_[first]);
        longest_s = std::max(longest_s, time_s);
        if (time_s <= busy.busiest_s) continue;
        busy.busiest_s = time_s;
        busy.busiest = crossed_[first];
      }
    }
    return busy;
  }

 private:
  void add_link(LinkId id, double bytes) {
    const auto link = links_.link(id);
    if (link.sharing != platforms::LinkSharing::shared) return;
    busy_s_[id] += bytes / link.bandwidth_Bps;
    crossed_.push_back(id);
  }

  void add_whole(const RankMessage& message) {
    links_.route(message.from, message.to, route_);
    for (const LinkId id : route_) add_link(id, static_cast<double>(message.bytes));
  }

  void add_divided(const RankMessage& message) {
    links_.paths(message.from, message.to, message.bytes, paths_);
    const std::size_t used = paths_.is_even ? paths_.size() : paths_.preferred;
    const double part = static_cast<double>(message.bytes) / static_cast<double>(used);
    for (std::size_t i = 0; i < used; ++i)
      for (const LinkId id : paths_.path(i)) add_link(id, part);
  }

  const JobLinks& links_;
  std::vector<LinkId> crossed_;
  std::vector<std::size_t> ends_;  // of each message, in `crossed_`
  std::unordered_map<LinkId, Seconds> busy_s_;
  std::vector<LinkId> route_;  // reusable buffers
  platforms::MessagePaths paths_;
};

}  // namespace

BusyLinks busy_links(const JobLinks& links, const std::vector<RankMessage>& messages) {
  CrossedLinks crossed(links);
  for (const auto& message : messages) crossed.add(message);
  return crossed.busy();
}

}  // namespace tutti::studies::fireworks
