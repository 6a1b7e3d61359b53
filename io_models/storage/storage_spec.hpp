// SPDX-License-Identifier: BSD-3-Clause
// Storage behind the network as the command line gives it: --storage.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::io_models {

// Servers with a disk (target) each, over which a file is striped.
struct StorageSpec {
  int targets = 0;             // 0: none, reads and writes of the file take no time
  double write_Bps = 0;        // of a target
  double read_Bps = 0;         //
  Bytes stripe_bytes = 0;      // byte x of the file lies on target floor(x / stripe) mod targets
  Seconds request_s = 0;       // cost of every request on the target, beside its bytes
  Bytes lock_bytes = 0;        // of the file; divides the stripe, or is a multiple of it
  Seconds lock_penalty_s = 0;  // to call a lock back that another client holds; 0: no locks
  int threads = 0;             // requests that a server takes in at once
  // Of a server's cable, each way; unset: as those of the machine's nodes.
  std::optional<double> network_Bps = {};
  std::optional<Seconds> network_latency_s = {};

  bool exists() const { return targets > 0; }
};

inline constexpr int most_targets = 4096;

// "none", or "targets=16,bandwidth=500MBps" with any of the further keys. Errors name --storage.
Result<StorageSpec> parse_storage(std::string_view text);
// What parse_storage reads as the same again; keys at their defaults are left out.
std::string format_storage(const StorageSpec& spec);

}  // namespace tutti::io_models
