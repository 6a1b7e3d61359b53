// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <tuple>

#include "sim/reports/formats.hpp"
#include "workloads/collective_call.hpp"

namespace tutti::reports {
namespace {

using studies::Record;

// All but the size and what the rules chose: one OSU table each.
auto series_of(const Record& record) {
  const bool automatic = workloads::is_automatic(record.requested_algorithm);
  return std::tuple(record.requested_algorithm, record.procs, record.ppn, record.root,
                    automatic ? 0 : record.fanout.value_or(0),
                    automatic ? 0 : record.segment_bytes);
}

std::string head_of(const Record& record) {
  const auto [algorithm, procs, ppn, root, fanout, segment] = series_of(record);
  std::string head =
      fmt::format("# {}, {}, {}{}, algorithm {}", mpi_name(record.collective), processes(procs),
                  per_node(record), root ? fmt::format(", root {}", *root) : "", algorithm);
  if (segment > 0) head += fmt::format(", segment {}", format_bytes(segment));
  if (fanout > 0) head += fmt::format(", fan-out {}", fanout);
  return head + '\n';
}

}  // namespace

// Columns as wide as those of the OSU benchmarks (10 and 18 characters).
std::string render_osu(const Report& report) {
  std::string text = comments(report);
  const Record* before = nullptr;
  for (const auto& record : report.records) {
    if (before == nullptr || series_of(*before) != series_of(record)) {
      text += head_of(record);
      text += fmt::format("{:<10}{:>18}\n", "# Size", "Avg Latency(us)");
    }
    TUTTI_CHECK(record.time_mean_s, "OSU's format needs times");
    text += fmt::format("{:<10}{:>18.2f}\n", record.message_bytes, *record.time_mean_s * 1e6);
    before = &record;
  }
  return text;
}

}  // namespace tutti::reports
