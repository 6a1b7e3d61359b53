// SPDX-License-Identifier: BSD-3-Clause
// Detailed tables in addition to a report: messages between pairs of ranks, times of ranks, load of
// links, and messages by size.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/jobs/run_point.hpp"
#include "sim/reports/report.hpp"

namespace tutti::reports {

// Messages between pairs of ranks: the header line, and the lines of one point, sorted by (source,
// destination).
std::string traffic_head();
std::string traffic_rows(const jobs::Answer& answer);

// Messages by size, path and protocol.
std::string histogram_head();
std::string histogram_rows(const jobs::Answer& answer);

// Load of links.
std::string links_head();
std::string links_rows(const jobs::Answer& answer, const platforms::Machine& machine);
// "92 of 96 links carried no traffic and are omitted (bcast chain, 65536 bytes, 8 procs)".
std::string links_omitted(const jobs::Answer& answer, const platforms::Machine& machine);

// Node and times of each rank. The times are empty if the engine is untimed.
std::string ranks_table(const jobs::Answer& answer, const platforms::Machine& machine);

}  // namespace tutti::reports
