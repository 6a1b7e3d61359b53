// SPDX-License-Identifier: BSD-3-Clause
#include "sim/place/report/reports.hpp"

namespace tutti::reports {
namespace {

using studies::Record;
using studies::place::Placed;

// Time saved, in percent of the time with the default mapping.
double gain_of(double ratio) { return 100 * (1 - ratio); }

// A call under a placement.
struct CallRow {
  const Placed* placed;
  const Record* call;
  const Record* usual;
  std::string name;  // "allreduce 1 MiB"

  std::optional<double> gain() const {
    if (!call->time_s || !usual->time_s || *usual->time_s == 0) return std::nullopt;
    return gain_of(*call->time_s / *usual->time_s);
  }
};

DocumentTable placements_table(const PlaceReport& report) {
  TableOf table(report.all, {.title = fmt::format("Placements, fastest first; gain over {}, mean "
                                                  "over the calls",
                                                  report.usual)});
  table.add("map", {"Placement"}, &Placed::name);
  table.add("nodes", {"Nodes"}, [](auto& each) { return each.placement.nodes; });
  table.add("ppn", {"PPN"}, [](auto& each) { return each.placement.ppn; });
  table.add("gain_percent", {"Gain (%)", Shown::decimals},
            [](auto& each) { return gain_of(each.ratio); });
  return table.take();
}

std::vector<CallRow> rows_of(const PlaceReport& report) {
  std::vector<CallRow> rows;
  for (std::size_t i = 0; i < report.usual_calls.size(); ++i)
    for (const Placed& each : report.all) {
      const Record& call = each.calls[i];
      rows.push_back({&each, &call, &report.usual_calls[i],
                      fmt::format("{} {}", call.collective, format_bytes(call.message_bytes))});
    }
  return rows;
}

DocumentTable calls_table(const PlaceReport& report) {
  TableOf table(rows_of(report), {.title = "Times of the calls, in us"});
  table.group("call", &CallRow::name);
  table.add("map", {"Placement"}, [](auto& row) { return row.placed->name; });
  table.add("collective", [](auto& row) { return row.call->collective; });
  table.add("message_bytes", [](auto& row) { return row.call->message_bytes; });
  table.add("root", [](auto& row) { return row.call->root; });
  table.add("time_s", {"Max (us)", Shown::us}, [](auto& row) { return row.call->time_s; });
  table.add("usual_s", [](auto& row) { return row.usual->time_s; });
  table.add("gain_percent", {"Gain (%)", Shown::decimals}, [](auto& row) { return row.gain(); });
  table.add("algorithm", {"Algorithm"}, [](auto& row) { return row.call->algorithm; });
  return table.take();
}

constexpr Part<PlaceReport> place_parts[] = {{"placements", placements_table},
                                             {"calls", calls_table}};

}  // namespace

Document place_document(const PlaceReport& report) {
  Document document{report, "sim.place/1"};
  const int procs =
      report.all.empty() ? 0 : static_cast<int>(report.all.front().placement.host_of.size());
  document.about = {
      fmt::format("Placement of {} on {} for {}", counted(procs, "process"),
                  report.provenance.platform_name(), fmt::join(report.collectives, ", ")),
      fmt::format("{} simulated; {} of the search", counted(report.simulated, "placement"),
                  counted(report.rounds, "round"))};
  if (report.run.not_run > 0)
    document.about.push_back(
        fmt::format("Interrupted: {} simulations were not run", report.run.not_run));
  document.tables = tables_of(place_parts, report);
  return document;
}

std::vector<std::string> place_document_parts() { return names_of(place_parts); }

}  // namespace tutti::reports
