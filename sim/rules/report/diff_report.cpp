// SPDX-License-Identifier: BSD-3-Clause
#include "sim/rules/report/reports.hpp"

namespace tutti::reports {
namespace {

using studies::rules::Tally;
using ChosenBy = studies::explain::Choice studies::explain::Comparison::*;

const jobs::Record& record_by(const studies::explain::Comparison& cell, ChosenBy side) {
  return (cell.*side).answer.record;
}

// "chain, segments of 8 KiB, fan-out 4".
std::string choice_words(const studies::explain::Comparison& cell, ChosenBy side) {
  const auto& choice = cell.*side;
  const auto fanout = record_by(cell, side).fanout;
  return fanout ? fmt::format("{}, fan-out {}", choice.algorithm, *fanout) : choice.algorithm;
}

DocumentTable cells_table(const RulesDiffReport& report) {
  TableOf table(
      report.cells,
      {.title = "Cells that differ, by the ratio of the times B/A; times in us", .most_shown = 20});
  const auto& record = [](const studies::explain::Comparison& cell) -> const jobs::Record& {
    return record_by(cell, &studies::explain::Comparison::from);
  };
  table.add("collective", {"Collective"}, [&](auto& cell) { return record(cell).collective; });
  table.add("procs", {"Procs"}, [&](auto& cell) { return record(cell).procs; });
  table.add("ppn", {"PPN"}, [&](auto& cell) { return record(cell).ppn; });
  table.add("root", [&](auto& cell) { return record(cell).root; });
  table.add("message_bytes", {"Size (B)"}, [&](auto& cell) { return record(cell).message_bytes; });
  table.add("from_s", {"A", Shown::us}, [&](auto& cell) { return record(cell).time_s; });
  table.add("to_s", {"B", Shown::us},
            [](auto& cell) { return record_by(cell, &studies::explain::Comparison::to).time_s; });
  table.add("ratio", {"B/A", Shown::decimals}, [](auto& cell) { return cell.ratio(); });
  constexpr std::pair<const char*, ChosenBy> sides[] = {
      {"from", &studies::explain::Comparison::from}, {"to", &studies::explain::Comparison::to}};
  for (const auto& [name, side] : sides) {
    const auto add = [&](const char* column, const auto& get) {
      table.add(fmt::format("{}_{}", name, column), get);
    };
    add("algorithm", [side = side](auto& cell) { return record_by(cell, side).algorithm; });
    add("segment_bytes", [side = side](auto& cell) { return record_by(cell, side).segment_bytes; });
    add("fanout", [side = side](auto& cell) { return record_by(cell, side).fanout; });
    add("component", [side = side](auto& cell) { return (cell.*side).component; });
  }
  // Texts with commas come last.
  for (const auto& [name, side] : sides) {
    table.add(fmt::format("{}_runs_as", name),
              [side = side](auto& cell) { return record_by(cell, side).runs_as; });
    table.add(fmt::format("{}_why", name), [side = side](auto& cell) { return (cell.*side).why; });
  }
  table.add("change", {"", Shown::below}, [](auto& cell) {
    return fmt::format("A: {}; B: {}", choice_words(cell, &studies::explain::Comparison::from),
                       choice_words(cell, &studies::explain::Comparison::to));
  });
  return table.take();
}

DocumentTable tallies_table(const RulesDiffReport& report) {
  TableOf table(report.collectives,
                {.title = "Ratio of the times B/A in the cells that differ (geometric mean)",
                 .notes = {fmt::format("Faster and slower: by more than {:.0f} %",
                                       100 * studies::rules::same_time)}});
  table.add("collective", {"Collective"}, &Tally::collective);
  table.add("cells", {"Cells"}, &Tally::cells);
  table.add("differing", {"Differ"}, &Tally::differing);
  table.add("faster", {"B faster"}, &Tally::faster);
  table.add("slower", {"B slower"}, &Tally::slower);
  table.add("mean_ratio", {"Mean", Shown::decimals}, &Tally::mean_ratio);
  table.add("best_ratio", {"Best", Shown::decimals}, &Tally::best_ratio);
  table.add("worst_ratio", {"Worst", Shown::decimals}, &Tally::worst_ratio);
  return table.take();
}

constexpr Part<RulesDiffReport> diff_tables[] = {{"cells", cells_table},
                                                 {"summary", tallies_table}};

}  // namespace

std::vector<std::string> rules_diff_parts() { return names_of(diff_tables); }

Document rules_diff_document(const RulesDiffReport& report) {
  Document document{report, "sim.rules.diff/1"};
  const Tally& all = report.collectives.back();
  document.about = {fmt::format("Rules on {}: A is {}, B is {}", report.provenance.platform_name(),
                                report.a, report.b),
                    fmt::format("{} compared, {} differ: {} faster with B, {} slower",
                                counted(all.cells, "cell"), all.differing, all.faster, all.slower)};
  if (report.run.not_run > 0)
    document.about.push_back(
        fmt::format("Interrupted: {} simulations were not run", report.run.not_run));
  document.tables = tables_of(diff_tables, report);
  return document;
}

}  // namespace tutti::reports
