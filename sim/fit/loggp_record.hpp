// SPDX-License-Identifier: BSD-3-Clause
// A measurement of LogGP parameters as a table with a row for each size.
#pragma once

#include "sim/base/common.hpp"
#include "sim/fit/loggp_measurement.hpp"
#include "sim/jobs/field.hpp"

namespace tutti::studies {

struct LogGPRecord {
  std::string workload;  // "loggp"
  std::string from_node;
  std::string to_node;
  std::string path;  // "inter", "intra"
  Bytes message_bytes = 0;
  std::string engine;
  Seconds rtt_s = 0;
  std::optional<Seconds> L_s;
  Seconds o_send_s = 0;
  Seconds o_recv_s = 0;
  Seconds o_s = 0;  // mean of both
  Seconds interval_s = 0;
  std::string interval_of;
  std::optional<Seconds> g_s;
  std::optional<double> G_s_per_B;
  std::string protocol;           // inferred from the times
  std::optional<Seconds> wall_s;  // of the whole measurement, in its first row
  std::optional<Bytes> peak_rss_bytes;
};

}  // namespace tutti::studies

template <>
inline constexpr auto tutti::jobs::fields_of<tutti::studies::LogGPRecord> = [] {
  using tutti::studies::LogGPRecord;
  using enum FieldKind;
  using enum Known;
  return std::to_array<FieldOf<LogGPRecord>>({
      {"workload", &LogGPRecord::workload, parameter, "`loggp`."},
      {"from_node", &LogGPRecord::from_node, parameter, "The first of the two nodes."},
      {"to_node", &LogGPRecord::to_node, parameter, "The second of the two nodes."},
      {"path", &LogGPRecord::path, parameter,
       "Whether the messages are sent between nodes (`inter`) or inside one (`intra`)."},
      {"message_bytes", &LogGPRecord::message_bytes, parameter, "Message size."},
      {"engine", &LogGPRecord::engine, chosen, "`flow` or `simgrid`."},
      {"rtt_s", &LogGPRecord::rtt_s, result, "The round trip, PRTT(1,0,s)."},
      {"L_s", &LogGPRecord::L_s, result, "The latency L; empty if it is not determined."},
      {"o_send_s", &LogGPRecord::o_send_s, result, "Overhead of the sender."},
      {"o_recv_s", &LogGPRecord::o_recv_s, result, "Overhead of the receiver."},
      {"o_s", &LogGPRecord::o_s, result, "Mean of both overheads."},
      {"interval_s", &LogGPRecord::interval_s, result,
       "The interval between consecutive messages."},
      {"interval_of", &LogGPRecord::interval_of, result,
       "What limits this interval: `o_send`, `o_recv` or `network`."},
      {"g_s", &LogGPRecord::g_s, result, "The gap per message; empty if overheads hide it."},
      {"G_s_per_B", &LogGPRecord::G_s_per_B, result, "The gap per byte, from the preceding size."},
      {"protocol", &LogGPRecord::protocol, result, "The protocol, inferred from the times."},
      {"wall_s", &LogGPRecord::wall_s, cost,
       "Wall-clock time of the whole measurement, in its first row."},
      {"peak_rss_bytes", &LogGPRecord::peak_rss_bytes, cost,
       "Peak memory of the whole measurement, in its first row."},
  });
}();

namespace tutti::studies {

struct LogGPPoint {
  PairJob job;
  std::vector<Bytes> sizes;
};

struct LogGPAnswer {
  LogGPMeasurement measured;
  std::vector<LogGPRecord> records;
  LogGPRecord record;  // contains only the cost
};
Result<LogGPAnswer> run_loggp(const LogGPPoint& point, const platforms::Machine& machine);

// The set as platform keys: model/loggp/SET/L ..., model/loggp (which selects it for the formulas)
// and Hockney's pair. A set with undetermined parameters is omitted.
struct ModelOption {
  std::string key;
  std::string value;
};
std::vector<ModelOption> model_options(const MeasuredSet& set, const std::string& name);

}  // namespace tutti::studies
