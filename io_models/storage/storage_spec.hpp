// SPDX-License-Identifier: BSD-3-Clause
// The storage specification of --storage.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::io_models {

// Servers with one disk (target) each, over which the file is striped.
struct StorageSpec {
  int targets = 0;             // 0: no storage, file accesses take no time
  double write_Bps = 0;        // of a target
  double read_Bps = 0;         //
  Bytes stripe_bytes = 0;      // byte x of the file lies on target floor(x / stripe) mod targets
  Seconds request_s = 0;       // time of a request on its target in addition to its bytes
  Bytes lock_bytes = 0;        // lock unit; divides the stripe or is a multiple of it
  Seconds lock_penalty_s = 0;  // time to revoke a lock of another client; 0: no locks
  int threads = 0;             // requests that a server accepts at once
  // Of a server's link, per direction; unset: as for the machine's nodes.
  std::optional<double> network_Bps = {};
  std::optional<Seconds> network_latency_s = {};

  bool exists() const { return targets > 0; }
};

inline constexpr int most_targets = 4096;

// Parses "none", or "targets=16,bandwidth=500MBps" with optional further keys. Errors name
// --storage.
Result<StorageSpec> parse_storage(std::string_view text);
// The inverse of parse_storage; keys with default values are omitted.
std::string format_storage(const StorageSpec& spec);

}  // namespace tutti::io_models
