// SPDX-License-Identifier: BSD-3-Clause
// From what is accessed and how to the redistribution and what the ranks run with.
#pragma once

#include "io_models/implementations/implementation.hpp"
#include "io_models/partitioning.hpp"
#include "io_models/shuffle.hpp"
#include "sim/base/common.hpp"
#include "sim/runtime/rank.hpp"

namespace tutti::io_models {

// What ranks tell each other before the data move, and how a read goes through its cycles.

// Open MPI's components: the smallest offset and the largest end (two allreduces), how much each
// aggregator gets (one of A sums), how many pieces each rank has (an allgather), and every rank's
// list of pieces of each aggregator's domain, to all ranks (A allgathervs of 16 B a piece: it grows
// as pieces x P x A). Each goes through the decision rules.
runtime::Task agree_on_views(runtime::Rank& me, const ShuffleJob& job);

// ROMIO: every rank's first and last offset (two allgathers), how many pieces go to whom (an
// alltoall), the number of cycles (an allreduce).
runtime::Task agree_on_ranges(runtime::Rank& me, const ShuffleJob& job);
// ROMIO, in each cycle: how much comes from whom (an alltoall of 4 B).
runtime::Task exchange_sizes(runtime::Rank& me, const ShuffleJob& job);

// ROMIO: each rank sends the aggregators that have something of it two messages, the offsets and
// the lengths of its pieces.
struct ListEntries {
  Bytes offset_bytes = 8;
  Bytes length_bytes = 8;
};
runtime::Task send_lists(runtime::Rank& me, const ShuffleJob& job, ListEntries entries);

// A read of Open MPI's components and of the dissertation's model: in each cycle the aggregators
// read, then send in the order of the ranks. A rank without data in a cycle goes on to its next.
runtime::Task read_by_cycles(runtime::Rank& me, const ShuffleJob& job);

struct PlanArgs {
  const Implementation* implementation = &generic;
  Partitioning partitioning = Partitioning::even;  // where the implementation lets choose
  int aggregators = 1;
  std::vector<RankId> aggregator_ranks = {};  // empty: the implementation's placement
  Bytes buffer_bytes = Bytes{32} << 20;
  Bytes stripe_bytes = 0;  // unit of static domains
  Bytes alignment = 0;     // of even domains; 0: none
};

// What a plan would look at piece by piece, where that is too much: units of static domains, cycles
// with data of a file with holes. An error names the option that would help.
std::optional<Error> check_plan(const Access& access, const PlanArgs& args, bool with_setup);

class Plan {
 public:
  // `access` outlives it. Static domains of generic: units of the collective buffer where
  // stripe_bytes is 0 (section 5.1.3: each buffer's worth goes to the next aggregator); else, and
  // in dynamic_gen2, of stripe_bytes.
  Plan(const Access& access, const platforms::Placement& placement, const PlanArgs& args);

  const Redistribution& redistribution() const { return redistribution_; }
  const std::vector<RankId>& aggregators() const { return aggregators_; }
  // Static domains.
  bool deals_out_units() const { return deals_out_units_; }

  struct JobArgs {
    bool writes = true;
    bool with_setup = false;
  };
  // `schedule` outlives it.
  ShuffleJob job(const Schedule& schedule, const JobArgs& args) const;

 private:
  const Implementation* implementation_;
  bool deals_out_units_;
  std::vector<RankId> aggregators_;
  Redistribution redistribution_;
};

// What traffic lists show: the messages of the shuffle and of ROMIO's lists, not those of the
// collectives inside, which have tags of their own.
inline bool is_user_tag(std::int32_t tag) { return tag >= 0 && tag < 1 << 20; }

}  // namespace tutti::io_models
