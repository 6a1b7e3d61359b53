// SPDX-License-Identifier: BSD-3-Clause
// The storage specification of --storage.
#pragma once

#include "sim/base/common.hpp"

namespace tutti::io_models {

// Targets (disks), over which the file is striped, behind the links of servers.
struct StorageSpec {
  int targets = 0;       // 0: no storage, file accesses take no time
  int servers = 0;       // divides targets; target t is on server t mod servers; 0: targets
  int stripe_count = 0;  // targets of the file, from target 0 on; 0: all
  // Several files, each in a part of this size: file f begins at offset f x file_bytes, which must
  // be a multiple of a stripe on each of its targets. Its first target follows the last one of file
  // f - 1, with one more step after each round of all targets, as Lustre allocates them. 0: one
  // file. Not part of the text.
  Bytes file_bytes = 0;
  double write_Bps = 0;        // of a target
  double read_Bps = 0;         //
  Bytes stripe_bytes = 0;      // byte x of the file is on target floor(x / stripe) mod stripe_count
  Seconds request_s = 0;       // time of a request on its target in addition to its bytes
  Bytes lock_bytes = 0;        // lock unit; divides the stripe or is a multiple of it
  Seconds lock_penalty_s = 0;  // time to revoke a lock of another client; 0: no locks
  int threads = 0;             // requests that a server accepts at once
  // Buffers for writes; 0: none. An unset rate: data enter in no time.
  Bytes cache_bytes = 0;                 // of a server, shared equally by its targets
  std::optional<double> cache_Bps = {};  // of a target
  Bytes burst_bytes = 0;                 // of a target, between the cache and the disk
  std::optional<double> burst_Bps = {};
  Bytes read_ahead_bytes = 0;  // of a client that reads sequentially on a target; 0: none
  Seconds metadata_s = 0;      // of an open on the metadata server; 0: there is none
  // A server's link, per direction; unset values are those of the machine's nodes.
  std::optional<double> network_Bps = {};
  std::optional<Seconds> network_latency_s = {};

  bool exists() const { return targets > 0; }
  int server_count() const { return servers > 0 ? servers : targets; }
  bool has_metadata() const { return metadata_s > 0; }
  // Ranks of a job: the targets of all files, then the metadata server.
  int ranks() const { return used_targets() + (has_metadata() ? 1 : 0); }
  // Whether the time of a request depends on earlier requests that are complete, apart from locks.
  bool has_memory() const { return cache_bytes > 0 || burst_bytes > 0 || read_ahead_bytes > 0; }
  Bytes target_cache_bytes() const { return cache_bytes / (targets / server_count()); }
  int file_targets() const { return stripe_count > 0 ? stripe_count : targets; }
  int used_targets() const { return file_bytes > 0 ? targets : file_targets(); }
};

inline constexpr int most_targets = 4096;

// Parses "none", "targets=16,bandwidth=500MBps" with optional further keys, or a name of the
// catalog (storage_catalog.hpp), optionally followed by keys that replace its values. Errors name
// --storage.
Result<StorageSpec> parse_storage(std::string_view text);
// The inverse of parse_storage; keys with default values are omitted.
std::string format_storage(const StorageSpec& spec);

// A key, for help texts. README.md of io_models describes the keys in full.
struct StorageKey {
  std::string_view name;
  std::string_view unit;  // "number", "rate", "time", "size"
  std::string_view meaning;
  std::string_view otherwise;  // the default
};
std::vector<StorageKey> storage_keys();

}  // namespace tutti::io_models
