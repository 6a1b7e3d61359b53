// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/traffic_counter.hpp"

namespace tutti::engines {

void TrafficCounter::on_send(const runtime::SentMessage& message) {
  const auto source = static_cast<std::uint32_t>(message.source);
  const auto destination = static_cast<std::uint32_t>(message.destination);
  Count& count = counts_[std::uint64_t{source} << 32 | destination];
  ++count.messages;
  count.bytes += message.data.bytes;
}

std::vector<TrafficRow> TrafficCounter::rows() const {
  std::vector<TrafficRow> rows;
  rows.reserve(counts_.size());
  for (const auto& [pair, count] : counts_)
    rows.push_back({static_cast<runtime::RankId>(pair >> 32),
                    static_cast<runtime::RankId>(pair & UINT32_MAX), count.messages, count.bytes});
  std::sort(rows.begin(), rows.end(), [](const TrafficRow& a, const TrafficRow& b) {
    return std::pair(a.source, a.destination) < std::pair(b.source, b.destination);
  });
  return rows;
}

}  // namespace tutti::engines
