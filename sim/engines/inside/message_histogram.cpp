// SPDX-License-Identifier: BSD-3-Clause
#include "sim/engines/inside/message_histogram.hpp"

namespace tutti::engines {

void MessageHistogram::on_send(const runtime::SentMessage& message) {
  ++counts_[{message.data.bytes, message.intra_node, message.protocol}];
}

std::vector<HistogramRow> MessageHistogram::rows() const {
  std::vector<HistogramRow> rows;
  for (const auto& [key, messages] : counts_)
    rows.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), messages});
  return rows;
}

}  // namespace tutti::engines
