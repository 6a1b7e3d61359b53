// SPDX-License-Identifier: BSD-3-Clause
// The choices of SMPI where neither a platform file nor an option decides: the message parameters,
// and the algorithms of collectives.
#pragma once

#include "algorithms/selection/selection.hpp"
#include "platforms/machine.hpp"
#include "platforms/reader.hpp"
#include "sim/base/common.hpp"
#include "sim/options/shared_options.hpp"

namespace tutti::studies::replay {

// The value of --selection for SMPI's choice: of the platform's keys
// smpi/coll-selector and smpi/COLLECTIVE, otherwise of its default selector.
inline constexpr std::string_view smpi_selection = "smpi";

// Whether the platform is one of SMPI: its file has no message parameters of Tutti (mpi/...).
bool is_smpi_platform(const platforms::Machine& machine);
using MachineLoader = std::function<Result<std::shared_ptr<const platforms::Machine>>(
    const options::MachineRequest& request)>;
// The platform, which was requested so, as SMPI simulates it: message parameters that the file and
// --set lack are SMPI's defaults; and unless network/crosstraffic is off, each flow also uses 5 %
// of its rate on the links of the way back, which is modeled where both ways between consecutive
// hosts have the same links. Replaces the warnings.
Result<std::shared_ptr<const platforms::Machine>> as_in_smpi(
    std::shared_ptr<const platforms::Machine> machine, options::MachineRequest request,
    const std::vector<platforms::HostId>& hosts, const MachineLoader& load,
    std::vector<std::string>& warnings);

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
