// SPDX-License-Identifier: BSD-3-Clause
// From what is accessed and how to the redistribution and what the ranks run with.
#pragma once

#include <optional>

#include "io_models/implementations/implementation.hpp"
#include "io_models/partitioning.hpp"

namespace tutti::io_models {

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
