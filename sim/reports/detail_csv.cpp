// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/detail_csv.hpp"

#include "platforms/job_links.hpp"
#include "sim/reports/formats.hpp"

namespace tutti::reports {
namespace {

// Columns that distinguish the points of a file.
constexpr std::string_view point_columns = "collective,alg_id,alg,procs,bytes,seg,fanout,root,";

std::string point_fields(const jobs::Record& point) {
  return fmt::format("{},{},{},{},{},{},{},{},", point.collective, point.algorithm_id,
                     point.algorithm, point.procs, point.message_bytes, point.segment_bytes,
                     point.fanout.value_or(0), point.root.value_or(0));
}

std::string head(std::string_view columns) { return fmt::format("{}{}\n", point_columns, columns); }

}  // namespace

std::string traffic_head() { return head("src,dst,msgs,sum_bytes"); }

std::string traffic_rows(const jobs::Answer& answer) {
  const std::string start = point_fields(answer.record);
  std::string rows;
  for (const auto& row : answer.traffic)
    rows +=
        start + fmt::format("{},{},{},{}\n", row.source, row.destination, row.messages, row.bytes);
  return rows;
}

std::string histogram_head() { return head("size_bytes,path,protocol,msgs,sum_bytes"); }

std::string histogram_rows(const jobs::Answer& answer) {
  const std::string start = point_fields(answer.record);
  std::string rows;
  for (const auto& row : answer.inside.histogram)
    rows += start + fmt::format("{},{},{},{},{}\n", row.size,
                                row.intra_node ? "inside_node" : "between_nodes",
                                protocol_name(row.protocol), row.messages, row.size * row.messages);
  return rows;
}

std::string links_head() {
  return head("link,bandwidth_Bps,link_bytes,utilization,busy_share,peak_flows");
}

std::string links_rows(const jobs::Answer& answer, const platforms::Machine& machine) {
  const platforms::Placement placement{.host_of = answer.host_of};
  const platforms::JobLinks links(machine, placement);
  const std::string start = point_fields(answer.record);
  const Seconds time_s = answer.record.time_s.value_or(0);
  struct Row {
    engines::LinkLoad load;
    double utilization;
  };
  std::vector<Row> rows;
  for (const auto& load : answer.inside.links) {
    rows.push_back({load, utilization(load, time_s)});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.utilization > b.utilization; });
  std::string text;
  for (const auto& row : rows)
    text += start + fmt::format("{},{},{},{},{},{}\n", csv_field(links.name(row.load.link)),
                                links.link(row.load.link).bandwidth_Bps, row.load.bytes,
                                row.utilization, row.load.busy_s / time_s, row.load.peak_flows);
  return text;
}

std::string links_omitted(const jobs::Answer& answer, const platforms::Machine& machine) {
  const platforms::Placement placement{.host_of = answer.host_of};
  const std::size_t links = platforms::JobLinks(machine, placement).count();
  const auto& point = answer.record;
  return fmt::format(
      "{} of {} links carried no traffic and are omitted ({} {}, {} bytes, {} procs)",
      links - answer.inside.links.size(), links, point.collective, point.algorithm,
      point.message_bytes, point.procs);
}

std::string ranks_table(const jobs::Answer& answer, const platforms::Machine& machine) {
  std::string text = "rank,node,begin_s,end_s\n";
  for (std::size_t rank = 0; rank < answer.host_of.size(); ++rank) {
    const std::string node = csv_field(machine.topology->host_name(answer.host_of[rank]));
    // All ranks enter the collective together.
    text += answer.end_s.empty() ? fmt::format("{},{},,\n", rank, node)
                                 : fmt::format("{},{},0,{}\n", rank, node, answer.end_s[rank]);
  }
  return text;
}

}  // namespace tutti::reports
