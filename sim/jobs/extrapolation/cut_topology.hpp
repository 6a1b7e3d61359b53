// SPDX-License-Identifier: BSD-3-Clause
// A topology in which the messages between some nodes take a separate link, so that they do not
// delay others.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/jobs.hpp"

namespace tutti::jobs::extrapolation {

using HostPairs = std::set<std::pair<platforms::HostId, platforms::HostId>>;

// Returns the same topology with one more link, which is the route of these pairs.
std::shared_ptr<const platforms::Topology> cut(std::shared_ptr<const platforms::Topology> whole,
                                               HostPairs pairs);

}  // namespace tutti::jobs::extrapolation
