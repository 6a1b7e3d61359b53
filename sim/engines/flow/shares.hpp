// SPDX-License-Identifier: BSD-3-Clause
// The rates of a job's flows: FairShares, or PathShares if the routing may divide flows. Both
// number the classes of flows by ClassId and the links by LinkId; rates are in B/s and those of one
// flow.
#pragma once

#include "sim/base/common.hpp"
#include "sim/engines/flow/fair_shares.hpp"
#include "sim/engines/flow/path_shares.hpp"

namespace tutti::engines {

class Shares {
 public:
  Shares(std::size_t links, BundleRules rules, bool dense) : fair_(links, rules, dense) {}
  // Uses PathShares from now on; call it before the first class is added.
  void divide(std::size_t links, bool is_optimal) {
    paths_ = std::make_unique<PathShares>(links, is_optimal);
  }
  PathShares* paths() { return paths_.get(); }
  const PathShares* paths() const { return paths_.get(); }
  FairShares& fair() { return fair_; }
  const FairShares& fair() const { return fair_; }

  void set_capacity(LinkId link, double capacity_Bps) {
    return paths_ ? paths_->set_capacity(link, capacity_Bps)
                  : fair_.set_capacity(link, capacity_Bps);
  }
  // Prefetches data for set_flows() and rate().
  void prefetch(ClassId id) const {
    if (!paths_) fair_.prefetch(id);
  }
  void remove(ClassId id) { return paths_ ? paths_->remove(id) : fair_.remove(id); }
  void set_flows(ClassId id, std::uint32_t flows) {
    return paths_ ? paths_->set_flows(id, flows) : fair_.set_flows(id, flows);
  }
  std::uint32_t flows(ClassId id) const { return paths_ ? paths_->flows(id) : fair_.flows(id); }
  bool is_solved() const { return paths_ ? paths_->is_solved() : fair_.is_solved(); }
  FairShares::Changes solve() {
    if (!paths_) return fair_.solve();
    return {.left = {}, .dissolved = {}, .classes = paths_->solve(), .bundles = {}};
  }
  double rate(ClassId id) const { return paths_ ? paths_->rate(id) : fair_.rate(id); }
  FlowBundleId bundle(ClassId id) const { return paths_ ? FairShares::none : fair_.bundle(id); }
  double level(FlowBundleId id) const { return fair_.level(id); }
  std::uint32_t class_count() const { return paths_ ? paths_->class_count() : fair_.class_count(); }
  std::int64_t solves() const { return paths_ ? paths_->solves() : fair_.solves(); }

 private:
  FairShares fair_;
  std::unique_ptr<PathShares> paths_;
};

}  // namespace tutti::engines
