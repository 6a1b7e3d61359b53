// SPDX-License-Identifier: BSD-3-Clause
// Counts messages and bytes for each pair of ranks that communicates.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/observer.hpp"

namespace tutti::engines {

// Messages from one rank to another.
struct TrafficRow {
  runtime::RankId source = 0;
  runtime::RankId destination = 0;
  std::int64_t messages = 0;
  std::int64_t bytes = 0;
};

class TrafficCounter : public runtime::Observer {
 public:
  void on_send(const runtime::SentMessage& message) override;
  std::vector<TrafficRow> rows() const;  // by (source, destination)

 private:
  struct Count {
    std::int64_t messages = 0;
    std::int64_t bytes = 0;
  };
  std::unordered_map<std::uint64_t, Count> counts_;
};

}  // namespace tutti::engines
