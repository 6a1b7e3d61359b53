// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/implementations/plan.hpp"

#include <algorithm>

namespace tutti::io_models {
namespace {

DomainRule rule_of(const PlanArgs& args) {
  if (args.implementation->domains != DomainRule::chosen) return args.implementation->domains;
  return args.partitioning == Partitioning::even ? DomainRule::even : DomainRule::round_robin;
}

FileDomains domains_of(Extent range, const PlanArgs& args) {
  switch (rule_of(args)) {
    case DomainRule::even_from_zero:
      return FileDomains::even_from_zero(range, args.aggregators);
    case DomainRule::round_robin:
      return FileDomains::round_robin(
          range, args.aggregators, args.stripe_bytes > 0 ? args.stripe_bytes : args.buffer_bytes);
    default:
      return FileDomains::even(range, args.aggregators, args.alignment);
  }
}

}  // namespace

Plan::Plan(const Access& access, const platforms::Placement& placement, const PlanArgs& args)
    : implementation_(args.implementation),
      deals_out_units_(rule_of(args) == DomainRule::round_robin),
      aggregators_(args.aggregator_ranks.empty() ? place_aggregators(args.implementation->placement,
                                                                     args.aggregators, placement)
                                                 : args.aggregator_ranks),
      redistribution_(access, domains_of(access.range(), args),
                      std::max<Bytes>(1, args.buffer_bytes / args.implementation->buffer_parts),
                      args.implementation->slices) {}

ShuffleJob Plan::job(const Schedule& schedule, const JobArgs& args) const {
  ShuffleJob job = make_job(schedule, aggregators_, args.writes);
  job.with_setup = args.with_setup && implementation_->has_setup;
  if (job.with_setup || implementation_->has_lists) job.requests = requests_of(redistribution_);
  return job;
}

}  // namespace tutti::io_models
