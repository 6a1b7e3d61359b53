// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/loggp_record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "sim/studies/measured.hpp"

namespace tutti::studies {
namespace {

using Column = ColumnOf<LogGPRecord>;

template <auto member>
Cell get(const LogGPRecord& record) {
  return get_member<LogGPRecord, member>(record);
}

constexpr std::array table = {
    Column{"workload", get<&LogGPRecord::workload>},
    Column{"from_node", get<&LogGPRecord::from_node>},
    Column{"to_node", get<&LogGPRecord::to_node>},
    Column{"path", get<&LogGPRecord::path>},
    Column{"message_bytes", get<&LogGPRecord::message_bytes>},
    Column{"engine", get<&LogGPRecord::engine>},
    Column{"rtt_s", get<&LogGPRecord::rtt_s>},
    Column{"L_s", get<&LogGPRecord::L_s>},
    Column{"o_send_s", get<&LogGPRecord::o_send_s>},
    Column{"o_recv_s", get<&LogGPRecord::o_recv_s>},
    Column{"o_s", get<&LogGPRecord::o_s>},
    Column{"interval_s", get<&LogGPRecord::interval_s>},
    Column{"interval_of", get<&LogGPRecord::interval_of>},
    Column{"g_s", get<&LogGPRecord::g_s>},
    Column{"G_s_per_B", get<&LogGPRecord::G_s_per_B>},
    Column{"protocol", get<&LogGPRecord::protocol>},
    Column{"wall_s", get<&LogGPRecord::wall_s>, true},
    Column{"peak_rss_bytes", get<&LogGPRecord::peak_rss_bytes>, true},
};

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
  auto measured = measure_loggp(machine, point.job, point.sizes);
  if (!measured) return measured.errors();
  LogGPAnswer answer{.measured = *std::move(measured), .records = {}, .record = {}};
  for (const LogGPRow& row : answer.measured.rows)
    answer.records.push_back(record_of(row, answer.measured, point.job));
  return answer;
}

std::string time_text(Seconds time_s) { return fmt::format("{:.7g}us", time_s * 1e6); }

std::string gap_text(const std::vector<platforms::Piecewise::Section>& sections) {
  if (sections.size() == 1) return time_text(sections.front().a);
  std::vector<std::string> texts;
  for (const auto& each : sections)
    texts.push_back(fmt::format("{}:{}", each.above, time_text(each.a)));
  return fmt::format("{}", fmt::join(texts, ";"));
}

}  // namespace

std::span<const ColumnOf<LogGPRecord>> loggp_columns() { return table; }

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
