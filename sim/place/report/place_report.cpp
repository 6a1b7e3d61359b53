// SPDX-License-Identifier: BSD-3-Clause
#include "sim/place/report/reports.hpp"

namespace tutti::reports {
namespace {

using jobs::Record;
using studies::place::Placed;

// Time saved, in percent of the time with the default mapping.
double percent_saved(double ratio) { return 100 * (1 - ratio); }

// A call under a placement.
struct CallRow {
  const Placed* placed;
  const Record* call;
  const Record* usual;  // null: it failed
  std::string name;     // "allreduce 1 MiB"

  std::optional<Seconds> usual_s() const { return usual ? usual->time_s : std::nullopt; }
  std::optional<double> gain() const {
    if (!call->time_s || usual_s().value_or(0) == 0) return std::nullopt;
    return percent_saved(*call->time_s / *usual->time_s);
  }
};

DocumentTable placements_table(const PlaceReport& report) {
  TableOf table(report.all, {.title = fmt::format("Placements, fastest first; gain over {}, mean "
                                                  "over the calls",
                                                  report.usual)});
  const bool is_ranked = !report.usual_calls.empty();
  table.add("rank", shown_if(is_ranked, {"Rank"}),
            [=](auto& placed) { return is_ranked ? cell_of(placed.rank) : Cell{}; });
  table.add("map", {"Placement"}, &Placed::name);
  table.add("nodes", {"Nodes"}, [](auto& placed) { return placed.placement.nodes; });
  table.add("ppn", {"PPN"}, [](auto& placed) { return placed.placement.ppn; });
  table.add("gain_percent", {"Gain (%)", Shown::decimals}, [=](auto& placed) {
    return is_ranked ? cell_of(percent_saved(placed.ratio)) : Cell{};
  });
  return table.take();
}

std::vector<CallRow> call_rows(const PlaceReport& report) {
  std::vector<CallRow> rows;
  const std::size_t calls = report.all.empty() ? 0 : report.all.front().calls.size();
  for (std::size_t i = 0; i < calls; ++i)
    for (const Placed& placed : report.all) {
      const Record& call = placed.calls[i];
      rows.push_back({&placed, &call, report.usual_calls.empty() ? nullptr : &report.usual_calls[i],
                      fmt::format("{} {}", call.collective, format_bytes(call.message_bytes))});
    }
  return rows;
}

DocumentTable calls_table(const PlaceReport& report) {
  TableOf table(call_rows(report), {.title = "Times of the calls, in us"});
  table.group("call", &CallRow::name);
  table.add("map", {"Placement"}, [](auto& row) { return row.placed->name; });
  table.add("collective", [](auto& row) { return row.call->collective; });
  table.add("message_bytes", [](auto& row) { return row.call->message_bytes; });
  table.add("root", [](auto& row) { return row.call->root; });
  table.add("time_s", {"Max (us)", Shown::us}, [](auto& row) { return row.call->time_s; });
  table.add("usual_s", &CallRow::usual_s);
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
  if (!report.omitted.empty())
    document.about.push_back(fmt::format("Not compared, as simulations failed or did not run: {}",
                                         fmt::join(report.omitted, ", ")));
  if (report.usual_calls.empty())
    document.about.push_back(
        fmt::format("The placements are not ranked without times of {}", report.usual));
  else if (const auto ties = std::ranges::count(report.all, 1, &Placed::rank); ties > 1)
    document.about.push_back(fmt::format("{} placements are equally fast (rank 1)", ties));
  document.tables = tables_of(place_parts, report);
  return document;
}

std::vector<std::string> place_document_parts() { return names_of(place_parts); }

}  // namespace tutti::reports
