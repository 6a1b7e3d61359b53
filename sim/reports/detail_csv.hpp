// SPDX-License-Identifier: BSD-3-Clause
// The long tables beside a report: who sends what to whom, when each rank is done, what each link
// carries, which messages there are.
#pragma once

#include "platforms/machine.hpp"
#include "sim/base/common.hpp"
#include "sim/reports/report.hpp"
#include "sim/studies/run_point.hpp"

namespace tutti::reports {

// The header line.
std::string traffic_head();
// The lines of one point, by (source, destination).
std::string traffic_rows(const studies::Answer& answer);

// The same of messages by size, path and protocol.
std::string histogram_head();
std::string histogram_rows(const studies::Answer& answer);

// The same of links.
std::string links_head();
std::string links_rows(const studies::Answer& answer, const platforms::Machine& machine);
// "92 of 96 links carried nothing and are left out (bcast chain, 65536 bytes, 8 processes)".
std::string links_omitted(const studies::Answer& answer, const platforms::Machine& machine);

// One line a rank. Under an untimed engine the times are empty.
std::string ranks_table(const studies::Answer& answer, const platforms::Machine& machine);

}  // namespace tutti::reports
