// SPDX-License-Identifier: BSD-3-Clause
// Cells and sentences that the reports on two nodes have in common.
#pragma once

#include "sim/base/common.hpp"
#include "sim/reports/record_table.hpp"
#include "sim/reports/report.hpp"
#include "sim/studies/loggp_record.hpp"
#include "sim/studies/ping_pong_record.hpp"

namespace tutti::reports {

// Microseconds, "-" where there is none.
std::string us_text(const std::optional<Seconds>& time_s);

// "crill-0 -> crill-1, latency 800 ns, at most 1.942 GB/s".
struct RouteText {
  std::string from;
  std::string to;
  Seconds latency_s = 0;
  double bandwidth_Bps = 0;
};
std::string route_text(const RouteText& route);

// As `us_text` of a member.
template <class Record, class Time>
auto in_us(Time Record::*member) {
  return [member](const Record& record) { return us_text(record.*member); };
}

// "simulated in 0.01 s"; empty where costs are not told.
template <class Record>
void add_wall_note(const ReportHead& head, const std::vector<Record>& records, TextTable& table) {
  Seconds wall_s = 0;
  for (const Record& each : records) wall_s += each.wall_s.value_or(0);
  if (head.with_cost) table.notes.push_back("simulated in " + format_seconds(wall_s));
}

// What `sim run pingpong` hands to a person or a program.

struct PingPongReport : ReportHead {
  std::vector<studies::PingPongRecord> records;
};

// As `render` of the collectives' report. `osu` is what osu_latency, osu_bibw and osu_bw print.
std::string render_ping_pong(const PingPongReport& report, Format format,
                             std::optional<std::size_t> width = {});

// What `sim run loggp` hands to a person or a program.

struct LogGPReport : ReportHead {
  std::vector<studies::LogGPRecord> records;
  studies::LogGPMeasurement measured;
  double path_latency_s = 0;  // of the route
  double path_bandwidth_Bps = 0;
};

// As `render` of the collectives' report; there is no OSU format.
std::string render_loggp(const LogGPReport& report, Format format,
                         std::optional<std::size_t> width = {});

// The set by the name of `measured` for a platform file, and for a command line.
std::string loggp_props(const LogGPReport& report);
std::string loggp_set_options(const LogGPReport& report);

}  // namespace tutti::reports
