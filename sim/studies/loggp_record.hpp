// SPDX-License-Identifier: BSD-3-Clause
// A measurement of LogGP parameters as a table, a row for each size.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/studies/column.hpp"
#include "sim/studies/loggp_measurement.hpp"

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
  std::string protocol;           // as the times tell
  std::optional<Seconds> wall_s;  // of the whole measurement, in its first row
  std::optional<Bytes> peak_rss_bytes;
};

std::span<const ColumnOf<LogGPRecord>> loggp_columns();

struct LogGPPoint {
  PairJob job;
  std::vector<Bytes> sizes;
};

struct LogGPAnswer {
  LogGPMeasurement measured;
  std::vector<LogGPRecord> records;
  LogGPRecord record;  // what it cost
};
Result<LogGPAnswer> run_loggp(const LogGPPoint& point, const platforms::Machine& machine);

// The set as options of a platform: model/loggp/SET/L ..., model/loggp (which takes it for the
// formulas) and Hockney's pair. What is not determined is left out, a set with it.
struct ModelOption {
  std::string key;
  std::string value;
};
std::vector<ModelOption> model_options(const MeasuredSet& set, const std::string& name);

}  // namespace tutti::studies
