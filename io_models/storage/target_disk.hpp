// SPDX-License-Identifier: BSD-3-Clause
// How long a request occupies a target, with the write-back buffers in front of its disk: the
// server's cache and a burst buffer.
#pragma once

#include <deque>

#include "io_models/storage/storage_spec.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::io_models {

// A first-in, first-out buffer. It accepts one write at a time, once all of it fits.
class WriteBuffer {
 public:
  // `Bps`: unset: data enter in no time.
  WriteBuffer(Bytes capacity, std::optional<double> Bps) : capacity_(capacity), Bps_(Bps) {}

  bool fits(Bytes bytes) const { return bytes <= capacity_; }
  // Returns when a write that arrives at `ready_s` is in the buffer; `before_s` is time spent
  // before its bytes enter. The write must fit.
  Seconds enter(Seconds ready_s, Bytes bytes, Seconds before_s);
  // The write that entered last frees its space at `left_s`; writes leave in order.
  void leave(Bytes bytes, Seconds left_s);

 private:
  struct Held {
    Bytes bytes = 0;
    Seconds left_s = 0;
  };
  Bytes capacity_;
  std::optional<double> Bps_;
  Seconds busy_until_s_ = 0;
  Bytes held_bytes_ = 0;
  std::deque<Held> held_;
};

// The disk of a target and its buffers. Requests must be in order of time, and the next one must
// not begin before the previous one is complete for its client.
class TargetDisk {
 public:
  explicit TargetDisk(const StorageSpec& spec);

  // The time from `now_s` until a write is acknowledged: when it is in the first buffer that is
  // large enough, otherwise on the disk. `locks_s` is the time to revoke locks, which comes first.
  Seconds write(Seconds now_s, Bytes bytes, Seconds locks_s);
  // The time from `now_s` until the data are read. The disk first finishes all earlier writes.
  Seconds read(Seconds now_s, runtime::RankId client, Bytes offset, Bytes bytes);

 private:
  // The read-ahead of a client that reads sequentially.
  struct Window {
    Bytes next = -1;  // where it would continue
    Bytes end = 0;    // of the data that are read ahead
  };
  bool is_read_ahead(runtime::RankId client, Bytes offset, Bytes bytes);

  double write_Bps_;
  double read_Bps_;
  Seconds request_s_;
  Bytes read_ahead_bytes_;
  std::vector<WriteBuffer> buffers_;  // from the network to the disk
  Seconds disk_free_s_ = 0;
  std::unordered_map<runtime::RankId, Window> windows_;
};

}  // namespace tutti::io_models
