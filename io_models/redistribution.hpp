// SPDX-License-Identifier: BSD-3-Clause
// The shuffle of two-phase I/O: how many bytes each rank sends to each aggregator in each cycle (in
// a read: receives). Independent of time and of the rank programs; cycles are computed on demand.
#pragma once

#include "io_models/access.hpp"
#include "io_models/aggregators.hpp"
#include "io_models/file_domains.hpp"
#include "io_models/legs.hpp"
#include "sim/base/common.hpp"

namespace tutti::io_models {

// One message of a cycle.
struct Transfer {
  RankId rank = 0;
  std::int32_t aggregator = 0;  // its number, not its rank
  Bytes bytes = 0;
  bool operator==(const Transfer&) const = default;
};

// Which bytes count in the division into cycles. All are equal if every byte belongs to exactly one
// rank.
enum class Slices : std::uint8_t {
  of_domain,    // bytes that the aggregator owns, including holes
  of_requests,  // the same, from the first to the last byte that any rank accesses (ROMIO)
  of_data,      // data only: holes do not count, bytes of several ranks count once per rank
  of_units      // units of round-robin domains, one per cycle; the first one may be cut
};

class Redistribution {
 public:
  // `access` must outlive the object. A cycle of an aggregator has `cycle_bytes`. With
  // Slices::of_data, all pieces of an access with holes or overlaps are stored.
  Redistribution(const Access& access, FileDomains domains, Bytes cycle_bytes, Slices slices);
  // A read by groups: aggregator i reads the data of the ranks of group i, whose pieces, in the
  // order of their offsets, are divided into cycles (bytes of several ranks count once per rank).
  // Every rank of the group gets a message in each cycle, an empty one if it has no data in it.
  // Pieces are stored if they overlap.
  Redistribution(const Access& access, RankGroups groups, Bytes cycle_bytes);

  const Access& access() const { return access_; }
  int procs() const { return access_.procs(); }
  int aggregators() const { return domains_.aggregators(); }
  // The groups of a read by groups; null if the aggregators own parts of the file.
  const RankGroups* groups() const { return groups_ ? &*groups_ : nullptr; }
  // Unit size of static domains.
  Bytes unit() const { return domains_.unit_bytes(); }
  // Maximum number of cycles over all aggregators.
  std::int64_t cycles() const { return cycles_; }
  std::int64_t cycles_of(int aggregator) const;
  // Whether some aggregator has data in every cycle.
  bool all_have_data() const { return is_dense_ || !listed_.empty() || groups_; }
  // The aggregator's first cycle at or after `cycle` with data; cycles_of() if there is none.
  std::int64_t next_with_data(int aggregator, std::int64_t cycle) const;

  // Appends the messages of a cycle of an aggregator, by rank.
  void transfers(int aggregator, std::int64_t cycle, std::vector<Transfer>& out) const;
  // Appends the file extents that the aggregator writes or reads in a cycle, without holes.
  void file_extents(int aggregator, std::int64_t cycle, std::vector<Extent>& out) const;
  // Appends these extents and the holes in between, for read-modify-write. Only for
  // Slices::of_domain and of_requests.
  void covered(int aggregator, std::int64_t cycle, std::vector<Extent>& out) const;
  // Appends the pieces of a message, in file order.
  void pieces(const Transfer& transfer, std::int64_t cycle, std::vector<Extent>& out) const;

  // Number of pieces of each rank in the aggregator's domain, over all cycles.
  std::vector<Leg> requests_to(int aggregator) const;

 private:
  // A piece of a rank, or a part of it, in an aggregator's domain.
  struct Listed {
    Extent extent;
    RankId rank = 0;
    Bytes below = 0;  // bytes of the aggregator's data before it
  };
  void list_pieces();
  void list_pieces_of_groups();
  void sort_listed(int aggregator);
  void trim_to_requests();
  // Reads by groups: bytes of the group's ranks before an offset, the smallest offset with at least
  // `bytes` of them before it, and the part of the file that has the data of a cycle.
  Bytes group_bytes_below(int group, Bytes offset) const;
  Bytes group_offset(int group, Bytes bytes) const;
  Extent group_part(int group, std::int64_t cycle) const;
  void group_transfers(int group, std::int64_t cycle, std::vector<Transfer>& out) const;
  Bytes cut(int aggregator) const { return cut_.empty() ? 0 : cut_[aggregator]; }
  Extent coordinates(int aggregator, std::int64_t cycle) const;
  template <class Visit>
  void visit_listed(int aggregator, std::int64_t cycle, Visit visit) const;

  const Access& access_;
  FileDomains domains_;
  std::optional<RankGroups> groups_;
  std::vector<Bytes> group_bytes_;  // by group
  Bytes cycle_bytes_ = 1;
  bool is_dense_ = true;  // the access, and its range is that of the domains
  std::int64_t cycles_ = 0;
  // Slices::of_requests: the span of the requests, in the aggregators' own coordinates.
  std::vector<Extent> requested_;
  std::vector<Bytes> cut_;  // Slices::of_units: what the range cuts off the first unit; else empty
  std::vector<std::vector<Listed>> listed_;  // by aggregator; empty if computed in closed form
};

// The messages of the simulated cycles.
class Schedule {
 public:
  // `cycles` are the simulated cycles in ascending order, which become the steps. `redistribution`
  // must outlive the object.
  Schedule(const Redistribution& redistribution, std::vector<std::int64_t> cycles);

  int steps() const { return static_cast<int>(cycles_.size()); }
  std::int64_t cycle(int step) const { return cycles_[step]; }
  const Legs& messages() const { return messages_; }
  const Redistribution& redistribution() const { return *redistribution_; }

 private:
  const Redistribution* redistribution_;
  std::vector<std::int64_t> cycles_;
  Legs messages_;
};

}  // namespace tutti::io_models
