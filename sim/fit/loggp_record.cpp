// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/loggp_record.hpp"

#include "sim/jobs/measured.hpp"
#include "sim/jobs/point.hpp"

namespace tutti::studies {
namespace {

LogGPRecord record_of(const LogGPRow& row, const LogGPMeasurement& measured, const PairJob& job) {
  const MeasuredMessage& message = row.message;
  LogGPRecord record;
  record.workload = "loggp";
  record.from_node = measured.from;
  record.to_node = measured.to;
  record.path = path_name(job.nodes);
  record.message_bytes = message.bytes;
  record.engine = engines::engine_name(job.engine);
  record.rtt_s = message.round_trip_s;
  record.L_s = row.L_s;
  record.o_send_s = message.o_send_s;
  record.o_recv_s = message.o_recv_s;
  record.o_s = message.o_s();
  record.interval_s = message.interval_s;
  record.interval_of = interval_name(message.interval_of());
  record.g_s = row.g_s;
  record.G_s_per_B = row.G_s_per_B;
  record.protocol = protocol_name(message.protocol());
  return record;
}

Result<LogGPAnswer> answered(const LogGPPoint& point, const platforms::Machine& machine) {
  auto measured = TUTTI_TRY(measure_loggp(machine, point.job, point.sizes));
  LogGPAnswer answer{.measured = std::move(measured), .records = {}, .record = {}};
  for (const LogGPRow& row : answer.measured.rows)
    answer.records.push_back(record_of(row, answer.measured, point.job));
  return answer;
}

std::string gap_text(const std::vector<platforms::Piecewise::Section>& sections) {
  if (sections.size() == 1) return time_text(sections.front().a);
  std::vector<std::string> texts;
  for (const auto& each : sections)
    texts.push_back(fmt::format("{}:{}", each.above, time_text(each.a)));
  return fmt::format("{}", fmt::join(texts, ";"));
}

}  // namespace

Result<LogGPAnswer> run_loggp(const LogGPPoint& point, const platforms::Machine& machine) {
  auto answer = measured([&] { return answered(point, machine); }, 0);
  if (answer) {
    answer->records.front().wall_s = answer->record.wall_s;
    answer->records.front().peak_rss_bytes = answer->record.peak_rss_bytes;
  }
  return answer;
}

std::vector<ModelOption> model_options(const MeasuredSet& set, const std::string& name) {
  std::vector<ModelOption> options;
  const std::string prefix = "model/loggp/" + name;
  if (set.L_s && set.G_s_per_B)
    options = {{prefix + "/L", time_text(*set.L_s)},
               {prefix + "/o", time_text(set.o_s())},
               {prefix + "/g", gap_text(set.g)},
               {prefix + "/G", fmt::format("{:.7g}ns", *set.G_s_per_B * 1e9)},
               {"model/loggp", name}};
  if (set.l_s && set.b_Bps) {
    options.push_back({"model/hockney/latency", time_text(*set.l_s)});
    options.push_back({"model/hockney/bandwidth", fmt::format("{:.7g}MBps", *set.b_Bps / 1e6)});
  }
  return options;
}

}  // namespace tutti::studies
