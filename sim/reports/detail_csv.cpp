// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/detail_csv.hpp"

#include <fmt/format.h>

#include "sim/reports/csv.hpp"
#include "sim/reports/formats.hpp"

namespace tutti::reports {

std::string traffic_head(const Report& report) {
  return comments(report) +
         "collective,alg_id,alg,procs,bytes,seg,fanout,root,src,dst,msgs,sum_bytes\n";
}

std::string traffic_rows(const studies::Answer& answer) {
  const auto& point = answer.record;
  const std::string start =
      fmt::format("{},{},{},{},{},{},{},{},", point.collective, point.algorithm_id, point.algorithm,
                  point.procs, point.message_bytes, point.segment_bytes, point.fanout, point.root);
  std::string rows;
  for (const auto& row : answer.traffic)
    rows +=
        start + fmt::format("{},{},{},{}\n", row.source, row.destination, row.messages, row.bytes);
  return rows;
}

std::string ranks_table(const Report& report, const studies::Answer& answer,
                        const platforms::Machine& machine) {
  std::string text = comments(report) + "rank,node,begin_s,end_s\n";
  for (std::size_t rank = 0; rank < answer.host_of.size(); ++rank) {
    const std::string node = csv_field(machine.topology->host_name(answer.host_of[rank]));
    // All ranks enter the collective together.
    text += answer.end_s.empty() ? fmt::format("{},{},,\n", rank, node)
                                 : fmt::format("{},{},0,{}\n", rank, node, answer.end_s[rank]);
  }
  return text;
}

}  // namespace tutti::reports
