// SPDX-License-Identifier: BSD-3-Clause
// A bundle of flow classes (fair_shares.hpp has the glossary). Classes that cross the same
// saturated links, and whose other links have spare capacity, get the same rate. When thousands of
// flows share a NIC, each start and end changes all of these rates; a bundle has one rate for all.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/flow/member_lists.hpp"

namespace tutti::engines {

using FlowBundleId = std::uint32_t;

// The conditions under which classes form a bundle.
struct BundleRules {
  std::uint32_t least = 64;  // minimum number of classes with one link as bottleneck
  // Maximum number of opportunities that are skipped after bundles that were soon dissolved.
  std::uint32_t most_wait = 64;
};

struct FlowBundle {
  std::vector<platforms::LinkId> links;  // in order; one that members cross twice occurs twice
  std::uint32_t variable = 0;            // the class that represents all members on these links
  double level = 0;                      // the rate of every flow of the bundle, in B/s
  double ceiling = 0;          // rate that members reserve per flow on their other links, in B/s
  double capacity = 0;         // minimum of `links`, which limits the sum over all members, in B/s
  MemberLists::List list = 0;  // its members
  std::uint32_t members = 0;
  std::uint32_t served = 0;  // number of solves that it has saved
  std::int64_t renewed = 0;  // the last solve that renewed the reservations for a member
  bool in_use = false;
  bool touched = false;   // its variable has been filled since its level was settled
  bool reported = false;  // it is in the changed bundles of this solve
};

}  // namespace tutti::engines
