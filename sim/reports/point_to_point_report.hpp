// SPDX-License-Identifier: BSD-3-Clause
// Reports of `sim run pingpong` and `sim run loggp`.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/loggp_record.hpp"
#include "sim/jobs/ping_pong_record.hpp"
#include "sim/reports/record_table.hpp"
#include "sim/reports/report.hpp"

namespace tutti::reports {

// The time in microseconds; "-" if unset.
std::string us_text(const std::optional<Seconds>& time_s);

// "crill-0 -> crill-1, latency 800 ns, at most 1.942 GB/s".
struct RouteText {
  std::string from;
  std::string to;
  Seconds latency_s = 0;
  double bandwidth_Bps = 0;
};
std::string route_text(const RouteText& route);

// A function that returns `us_text` of a member of a record.
template <class Record, class Time>
auto in_us(Time Record::*member) {
  return [member](const Record& record) { return us_text(record.*member); };
}

// Adds the note "simulated in 0.01 s", unless the head omits costs.
template <class Record>
void add_wall_note(const ReportHead& head, const std::vector<Record>& records, TextTable& table) {
  Seconds wall_s = 0;
  for (const Record& record : records) wall_s += record.wall_s.value_or(0);
  if (head.with_cost) table.notes.push_back("simulated in " + format_seconds(wall_s));
}

struct PingPongReport : ReportHead {
  std::vector<jobs::PingPongRecord> records;
};

// Like `render` for reports of collectives. Format `osu` is the output of osu_latency, osu_bibw or
// osu_bw.
std::string render_ping_pong(const PingPongReport& report, Format format,
                             std::optional<std::size_t> width = {});

struct LogGPReport : ReportHead {
  std::vector<studies::LogGPRecord> records;
  studies::LogGPMeasurement measured;
  double path_latency_s = 0;  // of the route
  double path_bandwidth_Bps = 0;
};

// Like `render` for reports of collectives, but without an OSU format.
std::string render_loggp(const LogGPReport& report, Format format,
                         std::optional<std::size_t> width = {});

// The parameter set, named "measured", as properties of a platform file or as options of a command.
std::string loggp_props(const LogGPReport& report);
std::string loggp_set_options(const LogGPReport& report);

}  // namespace tutti::reports
