// SPDX-License-Identifier: BSD-3-Clause
// The storage of one run of a job: what its clients and servers
// share. Servers are ranks of the job, after those that compute, on hosts of
// their own (platforms/servers.hpp):
//
//   Storage storage(spec, procs);
//   const auto machine = platforms::with_servers(bare, storage.servers());
//   const auto placement = platforms::with_server_ranks(ranks, machine, spec.targets);
//   program: if (storage.is_server(me.id())) co_await storage_server(me, storage); else ...
//
// A client's request is a message of the job; what it asks for stands here, under the message's
// number.
#pragma once

#include "io_models/access.hpp"
#include "io_models/storage/storage_spec.hpp"
#include "platforms/servers.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/rank.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::io_models {

// Where the bytes of a striped file lie. A target has its stripes one after the other, in the order
// of the file: its object.

// A contiguous part of one target's object.
struct TargetPiece {
  int target = 0;
  Bytes offset = 0;  // in the object
  Bytes bytes = 0;
  bool operator==(const TargetPiece&) const = default;
};

// What one call asks of the targets: what is contiguous on a target is one piece, as a client of
// Lustre sends it. In the order in which the file reaches the pieces; extents should ascend, empty
// ones have none. Takes steps per extent and target, not per stripe.
std::vector<TargetPiece> cut_into_pieces(const StorageSpec& spec, std::span<const Extent> extents);

// The lock units of a piece, as numbers that count those of its target without gaps.
struct LockUnits {
  std::int64_t first = 0;
  std::int64_t last = 0;
};
LockUnits lock_units(const StorageSpec& spec, const TargetPiece& piece);

// Which client holds the locks of a target's units: ranges of units, so that a file of any size
// takes no more room than its clients' parts are many.
class LockTable {
 public:
  // Gives the units to `holder`. How many locks that others hold were called back for it: ranges of
  // units next to each other that one client held.
  int take(runtime::RankId holder, LockUnits units);

  std::size_t ranges() const { return ranges_.size(); }

 private:
  struct Range {
    std::int64_t last = 0;
    runtime::RankId holder = 0;
  };
  using Ranges = std::map<std::int64_t, Range>;  // by first unit; they do not overlap

  void join(Ranges::iterator range);

  Ranges ranges_;
};

// What a target has done.
struct TargetUse {
  std::int64_t writes = 0;  // requests
  std::int64_t reads = 0;
  Bytes written = 0;
  Bytes read = 0;
  std::int64_t locks_called_back = 0;
  Seconds busy_s = 0;
};

struct StorageRequest {
  enum class Kind : std::uint8_t { write, read, stop } kind = Kind::stop;
  runtime::RankId client = 0;
  std::int32_t reply_tag = 0;
  TargetPiece piece;
};

class Storage {
 public:
  // Tags of its messages are far below those of MPI programs.
  static constexpr std::int32_t request_tag = -(1 << 30);
  static constexpr std::int32_t close_tag = request_tag + 1;
  static constexpr std::int32_t first_reply_tag = request_tag + 2;
  // Where data lie in the ranks' symbolic memory: apart from all other buffers.
  static constexpr std::int32_t buffer = 1 << 20;

  // The server of target i is rank `first_server` + i. A Storage serves one run.
  Storage(const StorageSpec& spec, runtime::RankId first_server);

  const StorageSpec& spec() const { return spec_; }
  bool exists() const { return spec_.exists(); }
  // For platforms::with_servers; not where no storage exists.
  platforms::ServersSpec servers() const;
  runtime::RankId server_of(int target) const { return first_server_ + target; }
  bool is_server(runtime::RankId rank) const {
    return rank >= first_server_ && rank < first_server_ + spec_.targets;
  }
  // By target.
  std::span<const TargetUse> use() const { return use_; }

  // --- for clients ---
  // A tag that no other reply to this client has, until 2^28 requests later.
  std::int32_t new_reply_tag(runtime::RankId client);
  // Right after the message was sent.
  void announce(std::int64_t message, const StorageRequest& request);

  // --- for servers ---
  // What a message asks for; once.
  StorageRequest take(std::int64_t message);
  // Counts a request and tells for how long it keeps the target busy.
  Seconds serve(const StorageRequest& request);

 private:
  StorageSpec spec_;
  runtime::RankId first_server_;
  std::unordered_map<runtime::RankId, std::int32_t> replies_;  // so far, by client
  std::unordered_map<std::int64_t, StorageRequest> under_way_;
  std::vector<TargetUse> use_;
  std::vector<LockTable> locks_;  // by target; empty where locks cost nothing
};

// What a rank program does with a file on the storage. A rank of the whole job calls it, not one of
// a nested group: servers are no members of groups. Where there is no storage (--storage none) all
// of it is done at once.

// Asks for all of the extents at once, one request per piece that is contiguous on a target. The
// write or read is done when all the requests returned are: wait for them, also together with
// others. Extents ascend.
std::vector<runtime::Request> start_write(runtime::Rank& me, Storage& storage,
                                          std::span<const Extent> extents);
std::vector<runtime::Request> start_read(runtime::Rank& me, Storage& storage,
                                         std::span<const Extent> extents);

// The same, and waits. The extents must live until then.
runtime::Task write_extents(runtime::Rank& me, Storage& storage, std::span<const Extent> extents);
runtime::Task read_extents(runtime::Rank& me, Storage& storage, std::span<const Extent> extents);

// Ends the servers. Each of the clients calls it once, after its last request; `member` is the
// caller's number among them.
runtime::Task close_storage(runtime::Rank& me, Storage& storage, runtime::Group clients,
                            runtime::RankId member);

// What a storage server runs.

// Serves its target until the clients have closed the storage. It takes in up to `threads` requests
// at once, the data of a write included, which cross the network meanwhile; its disk does them one
// by one in the order in which they have arrived. A write is acknowledged, a read's data are sent,
// when the disk is done; the next request does not wait for the reply.
runtime::Task storage_server(runtime::Rank& me, Storage& storage);

}  // namespace tutti::io_models
