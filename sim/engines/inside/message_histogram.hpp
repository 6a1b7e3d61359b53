// SPDX-License-Identifier: BSD-3-Clause
// Messages by size, path and protocol: what a program really sends.
#pragma once

#include "sim/base/common.hpp"
#include "sim/runtime/observer.hpp"

namespace tutti::engines {

struct HistogramRow {
  Bytes size = 0;  // of each message
  bool intra_node = false;
  platforms::Protocol protocol = platforms::Protocol::eager;
  std::int64_t messages = 0;
};

class MessageHistogram : public runtime::Observer {
 public:
  void on_send(const runtime::SentMessage& message) override;
  std::vector<HistogramRow> rows() const;  // by size; between nodes first; by protocol

 private:
  using Key = std::tuple<Bytes, bool, platforms::Protocol>;
  std::map<Key, std::int64_t> counts_;
};

}  // namespace tutti::engines
