// SPDX-License-Identifier: BSD-3-Clause
// Tables of candidates that Open MPI's rules file cannot select, compared with those that it can.
#include "sim/select/candidates.hpp"
#include "sim/select/report/reports.hpp"
#include "workloads/hierarchical_spec.hpp"

namespace tutti::reports {
namespace {

using namespace studies::select;

// The part of "hierarchical:inter=ring,intra=chain,group=node" that a parameter has: "ring" for
// "inter=".
std::string parameter_value(const std::string& algorithm, std::string_view parameter) {
  const auto at = algorithm.find(parameter);
  if (at == std::string::npos) return {};
  const auto from = at + parameter.size();
  return algorithm.substr(from, algorithm.find(',', from) - from);
}

// A cell's best algorithm of a kind, and the best of the others.
struct Contest {
  const TimeTable& of;
  const TimedCell& cell;
  std::size_t other, own;

  const std::string& algorithm() const { return of.candidates[own].algorithm; }
  std::string other_label() const { return label(of.candidates[other]); }
  Seconds other_s() const { return *cell.times_s[other]; }
  Seconds own_s() const { return *cell.times_s[own]; }
  Cell gain() const { return own_s() > 0 ? Cell(other_s() / own_s() - 1) : Cell(); }
};

bool has_levels(const Candidate& candidate) {
  return workloads::is_hierarchical(candidate.algorithm);
}

std::vector<Contest> contests(const RulesReport& report, bool (*is_own)(const Candidate&)) {
  std::vector<Contest> contests;
  for (const auto& selected : report.collectives)
    for (const auto& cell : selected.table.cells) {
      const auto best = [&](bool of_own) {
        return find_best(selected.table, cell, [&](auto& candidate) {
          return candidate.competes && is_own(candidate) == of_own;
        });
      };
      const auto other = best(false), own = best(true);
      if (other && own) contests.push_back({selected.table, cell, *other, *own});
    }
  return contests;
}

TableOf<std::vector<Contest>> contest_table(const RulesReport& report,
                                            bool (*is_own)(const Candidate&),
                                            const DocumentTable& head) {
  TableOf<std::vector<Contest>> table(contests(report, is_own), head);
  table.group("collective", [](auto& row) { return row.of.collective; });
  table.add("nodes", {"Nodes"}, [](auto& row) { return row.cell.nodes; });
  table.add("procs", [](auto& row) { return row.cell.procs; });
  table.add("message_bytes", {"Size", Shown::bytes},
            [](auto& row) { return row.cell.message_bytes; });
  return table;
}

}  // namespace

DocumentTable hierarchical_table(const RulesReport& report) {
  auto table = contest_table(
      report, has_levels,
      {.title = "Best hierarchical algorithm compared with the best flat one",
       .notes = {"Hierarchical algorithms are not segmented. Open MPI's dynamic rules cannot "
                 "select them: only the C++ function and the tables contain them"}});
  table.add("flat", {"Best flat"}, &Contest::other_label);
  table.add("flat_time_s", {"Flat (us)", Shown::us, 1}, &Contest::other_s);
  table.add("hierarchical", &Contest::algorithm);
  table.add("inter", {"Between nodes"},
            [](auto& row) { return parameter_value(row.algorithm(), "inter="); });
  table.add("intra", {"Inside"},
            [](auto& row) { return parameter_value(row.algorithm(), "intra="); });
  table.add("hierarchical_time_s", {"Hier. (us)", Shown::us, 2}, &Contest::own_s);
  table.add("gain", {"Gain (%)", Shown::signed_percent}, &Contest::gain);
  return table.take();
}

DocumentTable schedules_table(const RulesReport& report) {
  auto table = contest_table(
      report, is_schedule,
      {.title = "Best schedule compared with the best algorithm",
       .notes = {
           "Open MPI's dynamic rules cannot select schedules: only the tables contain them"}});
  table.add("algorithm", {"Algorithm"}, &Contest::other_label);
  table.add("algorithm_time_s", {"Algorithm (us)", Shown::us}, &Contest::other_s);
  table.add("schedule", {"Schedule"}, &Contest::algorithm);
  table.add("schedule_time_s", {"Schedule (us)", Shown::us}, &Contest::own_s);
  table.add("gain", {"Gain (%)", Shown::signed_percent}, &Contest::gain);
  return table.take();
}

}  // namespace tutti::reports
