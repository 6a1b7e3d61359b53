// SPDX-License-Identifier: BSD-3-Clause
// Plans a job: from the access and its options to the redistribution and the job of the ranks.
#pragma once

#include "io_models/implementations/implementation.hpp"
#include "io_models/partitioning.hpp"
#include "io_models/shuffle.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::io_models {

// Exchanges of the ranks before the data move, and the cycles of a read.

// Open MPI's components: the smallest offset and the largest end (two allreduces), the bytes per
// aggregator (an allreduce of A sums), the number of pieces of each rank (an allgather), and, for
// each aggregator, the lists of pieces in its domain (A allgathervs with 16 B per piece: the volume
// grows as pieces x P x A). Each collective uses the decision rules.
runtime::Task agree_on_views(runtime::Rank& me, const ShuffleJob& job);

// ROMIO: the first and last offset of every rank (two allgathers), the number of pieces for each
// destination (an alltoall), and the number of cycles (an allreduce).
runtime::Task agree_on_ranges(runtime::Rank& me, const ShuffleJob& job);
// ROMIO, in each cycle: the bytes from each source (an alltoall of 4 B).
runtime::Task exchange_sizes(runtime::Rank& me, const ShuffleJob& job);

// ROMIO: each rank sends the offsets and the lengths of its pieces, in two messages, to each
// aggregator with some of them.
struct ListEntries {
  Bytes offset_bytes = 8;
  Bytes length_bytes = 8;  // 0: one message, whose entries contain both
};
runtime::Task send_lists(runtime::Rank& me, const ShuffleJob& job, ListEntries entries);

// A read of the dissertation's model: in each cycle, the aggregators read and then send in rank
// order. A rank without data in a cycle continues with its next one.
runtime::Task read_by_cycles(runtime::Rank& me, const ShuffleJob& job);

// A read of Open MPI's vulcan and dynamic_gen2 (OMPIO's base read_all). The ranks of a group and
// their aggregator gather and broadcast three lists: the bytes of each rank (8 B), its number of
// pieces (4 B), and the pieces (16 B each). In each cycle, the aggregator reads, sends a message to
// every rank of the group, and waits for all of them.
runtime::Task read_by_groups(runtime::Rank& me, const ShuffleJob& job);

struct PlanArgs {
  const Implementation* implementation = &generic;
  Partitioning partitioning = Partitioning::even;  // if the implementation lets the user choose
  int aggregators = 1;
  std::vector<RankId> aggregator_ranks = {};  // empty: the implementation's placement
  Bytes buffer_bytes = Bytes{32} << 20;
  Bytes stripe_bytes = 0;  // unit of static domains
  Bytes alignment = 0;     // of even domains; 0: none
  bool reads = false;      // a read, which some implementations perform by groups

  bool by_groups() const { return reads && implementation->reads_by_groups; }
};

// Rejects plans that would visit too many items one by one: units of static domains, or cycles with
// data of a file with holes. The error names the option to change.
std::optional<Error> check_plan(const Access& access, const PlanArgs& args, bool with_setup);

// Whether the plan stores all pieces of the access.
bool lists_pieces(const Access& access, const PlanArgs& args);

class Plan {
 public:
  // `access` must outlive the object. The unit of static domains is stripe_bytes. In generic,
  // stripe_bytes 0 means the collective buffer size (section 5.1.3: each buffer's worth goes to the
  // next aggregator).
  Plan(const Access& access, const platforms::Placement& placement, const PlanArgs& args);

  const Redistribution& redistribution() const { return redistribution_; }
  const std::vector<RankId>& aggregators() const { return aggregators_; }
  // Whether domains are static.
  bool deals_out_units() const { return deals_out_units_; }

  struct JobArgs {
    bool writes = true;
    bool with_setup = false;
  };
  // `schedule` must outlive the job.
  ShuffleJob job(const Schedule& schedule, const JobArgs& args) const;

 private:
  const Implementation* implementation_;
  bool deals_out_units_;
  Bytes buffer_bytes_;
  std::vector<RankId> aggregators_;
  Redistribution redistribution_;
};

// Messages that traffic lists include: those of the shuffle and of ROMIO's lists, but not those of
// the internal collectives, which use separate tags.
inline bool is_user_tag(std::int32_t tag) { return tag >= 0 && tag < 1 << 20; }

}  // namespace tutti::io_models
