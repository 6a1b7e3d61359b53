// SPDX-License-Identifier: BSD-3-Clause
// How reports name and measure what is seen inside a run.
#pragma once

#include "platforms/message_protocol.hpp"
#include "sim/base/common.hpp"
#include "sim/engines/inside/critical_path.hpp"

namespace tutti::reports {

// By Work and Transit: for people, in a word or two, and as a key that lacks its unit.
extern const std::array<std::string_view, runtime::work_kinds> work_words;
extern const std::array<std::string_view, runtime::work_kinds> work_names;
extern const std::array<std::string_view, runtime::work_kinds> work_keys;
extern const std::array<std::string_view, engines::transit_parts> transit_words;
extern const std::array<std::string_view, engines::transit_parts> transit_keys;

// The part of what a link could have carried in that time. Above 1 only where every flow may use
// its whole bandwidth (a fat pipe).
double utilisation(Bytes bytes, double bandwidth_Bps, Seconds time_s);

}  // namespace tutti::reports
