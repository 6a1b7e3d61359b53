// SPDX-License-Identifier: BSD-3-Clause
// What SMPI decides where neither a platform file nor an option does: the message parameters, and
// the algorithms of collectives.
#pragma once

#include "algorithms/selection/selection.hpp"
#include "platforms/machine.hpp"
#include "platforms/reader.hpp"
#include "sim/base/common.hpp"

namespace tutti::studies::replay {

// The value of --selection for SMPI's choice: of the platform's keys
// smpi/coll-selector and smpi/COLLECTIVE, otherwise of its default selector.
inline constexpr std::string_view smpi_selection = "smpi";

// Whether the platform is one of SMPI: its file has no message parameters of Tutti (mpi/...).
bool is_smpi_platform(const platforms::Machine& machine);
// Whether the file or --set has one of SMPI's message parameters, so that the others are SMPI's
// defaults; otherwise `smpi_override` makes them so.
bool has_smpi_parameters(const platforms::Machine& machine);
platforms::Override smpi_override();

// SimGrid's cross traffic: unless network/crosstraffic is off, each flow also uses 5 % of its rate
// on the links of the way back.
bool has_cross_traffic(const platforms::Machine& machine);
// What the way back is between consecutive hosts that differ.
enum class WayBack {
  same_links,   // each flow gets 1/1.05 of the bandwidth (with_cross_traffic)
  other_links,  // of some routes, where cross traffic is not modeled
  none          // all hosts are the same
};
WayBack way_back(const platforms::Machine& machine, const std::vector<platforms::HostId>& hosts);
platforms::Machine with_cross_traffic(const platforms::Machine& machine);
// For machines whose links have it already.
platforms::Override no_cross_traffic();

// The algorithms of a replay's collectives.
struct ReplaySelection {
  std::string text;
  std::shared_ptr<const algorithms::selection::Selection> rules;
  std::set<std::string, std::less<>> as_smpi = {};  // collectives of smpi_collectives.hpp
  std::vector<std::string> warnings = {};
};

// `text`: as for parse_selection, or a list that begins with "smpi" instead of "auto".
Result<ReplaySelection> parse_replay_selection(const std::string& text,
                                               const platforms::Machine& machine);

}  // namespace tutti::studies::replay
