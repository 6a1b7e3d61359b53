// SPDX-License-Identifier: BSD-3-Clause
// The shuffle of two-phase I/O: in which cycle which rank sends how many bytes to which aggregator
// (in a read: gets from). Knows no time and no program; cycles are made on demand.
#pragma once

#include "io_models/access.hpp"
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

// Of which bytes a cycle takes its share. The same where every byte of the file belongs to one
// rank.
enum class Slices : std::uint8_t {
  of_domain,    // of what the aggregator owns, holes included
  of_requests,  // the same, from the first byte that any rank accesses to the last one (ROMIO)
  of_data  // of the data in it: holes do not count, bytes of several ranks count for each of them
};

class Redistribution {
 public:
  // `access` outlives it. A cycle of an aggregator takes `cycle_bytes`. With Slices::of_data and
  // accesses with holes or overlaps all pieces are listed: see pieces_listed().
  Redistribution(const Access& access, FileDomains domains, Bytes cycle_bytes, Slices slices);

  const Access& access() const { return access_; }
  int procs() const { return access_.procs(); }
  int aggregators() const { return domains_.aggregators(); }
  // In which the file is dealt out: of static domains.
  Bytes unit() const { return domains_.unit_bytes(); }
  // Over all aggregators the most.
  std::int64_t cycles() const { return cycles_; }
  std::int64_t cycles_of(int aggregator) const;
  // No cycle is without data for all aggregators.
  bool all_have_data() const { return access_.is_dense() || !listed_.empty(); }
  // The aggregator's first cycle from `cycle` on in which it gets data; cycles_of(): none.
  std::int64_t next_with_data(int aggregator, std::int64_t cycle) const;

  // Appends the messages of an aggregator's cycle, by rank.
  void transfers(int aggregator, std::int64_t cycle, std::vector<Transfer>& out) const;
  // Appends what the aggregator writes or reads in a cycle: the parts of the file with data.
  void file_extents(int aggregator, std::int64_t cycle, std::vector<Extent>& out) const;
  // The same with the holes between: what read-modify-write covers. Slices of_domain, of_requests.
  void covered(int aggregator, std::int64_t cycle, std::vector<Extent>& out) const;
  // Appends the pieces of a message, in the order of the file.
  void pieces(const Transfer& transfer, std::int64_t cycle, std::vector<Extent>& out) const;

  // Over all cycles, by rank: how many pieces each rank has in the aggregator's domain.
  std::vector<Leg> requests_to(int aggregator) const;

 private:
  // A piece of a rank, or a part of one, in an aggregator's data.
  struct Listed {
    Extent extent;
    RankId rank = 0;
    Bytes below = 0;  // of the aggregator's data, those before
  };
  void list_pieces();
  void trim_to_requests();
  void slice(int aggregator, std::int64_t cycle, std::vector<Extent>& out) const;
  Extent coordinates(int aggregator, std::int64_t cycle) const;
  template <class Visit>
  void visit_listed(int aggregator, std::int64_t cycle, Visit visit) const;

  const Access& access_;
  FileDomains domains_;
  Bytes cycle_bytes_ = 1;
  std::int64_t cycles_ = 0;
  // Slices::of_requests: what the requests span, in the aggregators' own coordinates.
  std::vector<Extent> requested_;
  std::vector<std::vector<Listed>> listed_;  // by aggregator; empty: closed form
};

}  // namespace tutti::io_models
