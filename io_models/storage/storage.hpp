// SPDX-License-Identifier: BSD-3-Clause
// The storage of one run of a job, shared by its clients and servers. Each target of the file is a
// rank of the job, after the compute ranks, on the host of its server (platforms/servers.hpp):
//
//   Storage storage(spec, procs);
//   const auto machine = platforms::with_servers(bare, storage.servers());
//   const auto placement = platforms::with_server_ranks(ranks, machine, storage.rank_servers());
//   program: if (storage.is_server(me.id())) co_await storage_server(me, storage); else ...
//
// A client's request is a message of the job; its contents are stored here under the number of the
// message.
#pragma once

#include "io_models/access.hpp"
#include "io_models/storage/storage_spec.hpp"
#include "io_models/storage/target_disk.hpp"
#include "platforms/servers.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/rank.hpp"
#include "sim/runtime/types.hpp"

namespace tutti::io_models {

// The layout of a striped file. The stripes of a target, in file order, form its object.

// A contiguous part of the object of one target.
struct TargetPiece {
  int target = 0;
  Bytes offset = 0;  // in the object
  Bytes bytes = 0;
  bool operator==(const TargetPiece&) const = default;
};

// Divides the extents of one call into pieces that are contiguous on a target, as a Lustre client
// does. Pieces are in the order of their first byte in the file. Extents should ascend; empty ones
// have no pieces. Takes time per extent and target, not per stripe.
std::vector<TargetPiece> cut_into_pieces(const StorageSpec& spec, std::span<const Extent> extents);

// The lock units of a piece, numbered per target without gaps.
struct LockUnits {
  std::int64_t first = 0;
  std::int64_t last = 0;
};
LockUnits lock_units(const StorageSpec& spec, const TargetPiece& piece);

// The owners of the locks of a target, as ranges of units: memory grows with the number of ranges,
// not with the size of the file.
class LockTable {
 public:
  // Assigns the units to `holder`. Returns the number of revoked locks: ranges of adjacent units
  // that another client owned.
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

// Statistics of a target.
struct TargetUse {
  std::int64_t writes = 0;  // requests
  std::int64_t reads = 0;
  Bytes written = 0;
  Bytes read = 0;
  std::int64_t locks_called_back = 0;
  Seconds busy_s = 0;
};

struct StorageRequest {
  enum class Kind : std::uint8_t { write, read, open, stop } kind = Kind::stop;
  runtime::RankId client = 0;
  std::int32_t reply_tag = 0;
  TargetPiece piece;  // an open only has the target
};

class Storage {
 public:
  // Tags far below those of MPI programs.
  static constexpr std::int32_t request_tag = -(1 << 30);
  static constexpr std::int32_t close_tag = request_tag + 1;
  static constexpr std::int32_t first_reply_tag = request_tag + 2;
  // Buffer of the data in the ranks' symbolic memory, separate from all other buffers.
  static constexpr std::int32_t buffer = 1 << 20;

  // Target i of the file is rank `first_server` + i. A Storage serves one run.
  Storage(const StorageSpec& spec, runtime::RankId first_server);

  const StorageSpec& spec() const { return spec_; }
  bool exists() const { return spec_.exists(); }
  // Argument of platforms::with_servers; must not be called without storage.
  platforms::ServersSpec servers() const;
  // The number of the server of each rank after the compute ranks.
  std::vector<platforms::HostId> rank_servers() const;
  runtime::RankId server_of(int target) const { return first_server_ + target; }
  bool is_server(runtime::RankId rank) const {
    return rank >= first_server_ && rank < first_server_ + spec_.ranks();
  }
  std::int64_t opens() const { return opens_; }
  // The statistics of each target.
  std::span<const TargetUse> use() const { return use_; }

  // --- for clients ---

  // A reply tag that is unique for this client until 2^28 requests later.
  std::int32_t new_reply_tag(runtime::RankId client);
  // Must be called right after the message is sent.
  void announce(std::int64_t message, const StorageRequest& request);

  // --- for servers ---

  // Removes and returns the request of a message.
  StorageRequest take(std::int64_t message);
  // Counts a request that is accepted at `now_s` and returns the time until its reply.
  Seconds serve(const StorageRequest& request, Seconds now_s);

 private:
  StorageSpec spec_;
  runtime::RankId first_server_;
  std::unordered_map<runtime::RankId, std::int32_t> replies_;  // number so far, by client
  std::unordered_map<std::int64_t, StorageRequest> under_way_;
  std::int64_t opens_ = 0;
  std::vector<TargetUse> use_;
  std::vector<TargetDisk> disks_;  // by target
  std::vector<LockTable> locks_;   // by target; empty if locks cost nothing
};

// File operations of a rank program. They must be called by ranks of the whole job, not of a nested
// group, because servers are not members of groups. Without storage (--storage none), they complete
// at once.

// Issues all extents at once, with one request per piece that is contiguous on a target. The write
// or read is complete when all returned requests are; they can be waited for together with others.
// Extents must ascend.
std::vector<runtime::Request> start_access(runtime::Rank& me, Storage& storage,
                                           std::span<const Extent> extents, bool writes);
// Starts an access and waits for its completion. The extents must live until then.
runtime::Task access_extents(runtime::Rank& me, Storage& storage, std::span<const Extent> extents,
                             bool writes);

// Opens or creates the file, which is a request to the metadata server; without one, it takes no
// time.
runtime::Task open_file(runtime::Rank& me, Storage& storage);

// Stops the servers. Each client must call it once, after its last request; `member` is the
// caller's number among the clients.
runtime::Task close_storage(runtime::Rank& me, Storage& storage, runtime::Group clients,
                            runtime::RankId member);

// The program of a storage server.

// Serves its target until the clients have closed the storage. It accepts up to `threads` requests
// at once, including the data of writes, which cross the network concurrently. It serves them one
// by one in order of arrival (target_disk.hpp). Then a write is acknowledged or the data of a read
// are sent; the next request does not wait for the reply. The metadata server does the same with
// opens.
runtime::Task storage_server(runtime::Rank& me, Storage& storage);

}  // namespace tutti::io_models
