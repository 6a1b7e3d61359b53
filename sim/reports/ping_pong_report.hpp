// SPDX-License-Identifier: BSD-3-Clause
// What `sim run pingpong` hands to a person or a program.
#pragma once

#include "sim/reports/report.hpp"
#include "sim/studies/ping_pong_record.hpp"

namespace tutti::reports {

struct PingPongReport : ReportHead {
  std::vector<studies::PingPongRecord> records;
};

// As `render` of the collectives' report. `osu` is what osu_latency, osu_bibw and osu_bw print.
std::string render_ping_pong(const PingPongReport& report, Format format,
                             std::optional<std::size_t> width = {});

}  // namespace tutti::reports
