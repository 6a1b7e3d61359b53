// SPDX-License-Identifier: BSD-3-Clause
// The resolved definitions of an OTF2 archive: which locations are MPI ranks, which regions have
// the same name, which ranks are in which communicator.
#pragma once

#include <otf2/otf2.h>

#include "sim/base/common.hpp"
#include "workloads/traces/event.hpp"
#include "workloads/traces/otf2_archive.hpp"
#include "workloads/traces/trace.hpp"

namespace tutti::workloads::traces {

// Maps identifiers of an archive to indices. Score-P counts from 0, EZTrace from 2^30 * rank.
class IdTable {
 public:
  void set(std::uint32_t id, std::uint32_t index) {
    if (id >= most_dense) {
      sparse_[id] = index;
      return;
    }
    if (id >= dense_.size()) dense_.resize(id + std::size_t{1}, none);
    dense_[id] = index;
  }
  // Returns `none` if the identifier is unknown.
  std::uint32_t find(std::uint32_t id) const {
    if (id < dense_.size()) return dense_[id];
    if (id < most_dense) return none;
    const auto found = sparse_.find(id);
    return found == sparse_.end() ? none : found->second;
  }

 private:
  static constexpr std::uint32_t most_dense = 1 << 20;
  std::vector<std::uint32_t> dense_;
  std::unordered_map<std::uint32_t, std::uint32_t> sparse_;
};

// The ranks of a communicator, in the numbering of events.
struct Otf2Peers {
  std::vector<TraceRank> members;  // empty: only the caller
  // The remote group of an inter-communicator. For ranks in `remote`, peers are `members`.
  std::vector<TraceRank> remote;
};

// A location of metrics, and the rank whose process it belongs to.
struct Otf2OtherLocation {
  OTF2_LocationRef location = 0;
  TraceRank rank = 0;
};

struct Otf2Definitions {
  TraceDefinitions trace;
  // The locations by TraceRank: ranks, other threads, streams.
  std::vector<OTF2_LocationRef> locations;
  std::vector<std::uint64_t> reported_events;  // may be wrong
  std::vector<bool> is_defined;                // whether the location is
  std::vector<Otf2OtherLocation> others;
  std::vector<Otf2Peers> peers;  // in the order of trace.communicators
  Notes notes;

  std::vector<OTF2_LocationRef> all_locations() const;  // all defined ones, ranks first

  // The index of a region or communicator of the archive, or of the region of a calling context. If
  // it is undefined, these functions add it with a name and a note; such a communicator is assumed
  // to contain all ranks.
  std::uint32_t region(OTF2_RegionRef id);
  std::uint32_t communicator(OTF2_CommRef id);
  std::uint32_t region_of_context(OTF2_CallingContextRef id);

  // The trace rank of rank `peer` of the communicator, seen from `rank`; `none` if it does not
  // exist.
  TraceRank peer(std::uint32_t communicator, std::uint32_t peer, TraceRank rank) const;

  IdTable regions;
  IdTable contexts;  // regions that calling contexts are in
  IdTable communicators;
  IdTable windows;  // communicators that represent windows
  IdTable groups;
};

Result<Otf2Definitions> read_otf2_definitions(Otf2Archive& archive);

}  // namespace tutti::workloads::traces
