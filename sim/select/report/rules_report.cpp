// SPDX-License-Identifier: BSD-3-Clause
#include <ranges>

#include "algorithms/collective.hpp"
#include "sim/select/candidates.hpp"
#include "sim/select/report/reports.hpp"

namespace tutti::reports {

std::string library_title(const std::string& library) {
  return "Open MPI " + library.substr(library.find('-') + 1);
}

namespace {

using namespace studies::select;

// A rule is wrong where another algorithm is faster by more.
constexpr double noticed_loss = 0.01;

// Time of a cell with one candidate.
struct CandidateTime {
  const SelectedCollective& of;
  const TimedCell& cell;
  std::size_t number;  // of the candidate
  Bytes element_bytes;
  Seconds time_s;

  const Candidate& candidate() const { return of.table.candidates[number]; }
  Cell loss() const {
    const Rivals rivals = of.rules.front().spec.rivals;
    const auto best = find_best(of.table, cell, rivals);
    if (!best || (candidate().competes && !is_rival(candidate(), rivals))) return {};
    return relative_loss(time_s, *cell.times_s[*best]);
  }
  bool is_chosen() const {
    const auto chosen = of.rules_for(cell).choice_in(cell);
    return chosen ? *chosen == number : !candidate().competes;
  }
};

void add_times(const SelectedCollective& of, const TimedCell& cell,
               std::vector<CandidateTime>& times) {
  const auto& sizes = of.table.element_bytes;
  const std::size_t own = of.table.candidates.size() - 1;
  for (std::size_t i = 0; i < own; ++i)
    if (cell.times_s[i]) times.push_back({of, cell, i, sizes.front(), *cell.times_s[i]});
  for (std::size_t i = 0; i < cell.own_s.size(); ++i)
    if (cell.own_s[i]) times.push_back({of, cell, own, sizes[i], *cell.own_s[i]});
}

DocumentTable times_table(const RulesReport& report) {
  std::vector<CandidateTime> times;
  for (const auto& selected : report.collectives)
    for (const auto& cell : selected.table.cells) add_times(selected, cell, times);
  TableOf table(times, {.title = "All times", .only_on_request = true});
  table.add("collective", [](auto& row) { return row.of.table.collective; });
  table.add("algorithm", [](auto& row) { return row.candidate().algorithm; });
  table.add("algorithm_id", [](auto& row) { return positive_cell(row.candidate().id); });
  table.add("segment_bytes", [](auto& row) { return row.candidate().segment_bytes; });
  table.add("fanout", [](auto& row) { return positive_cell(row.candidate().fanout); });
  table.add("max_requests", [](auto& row) { return positive_cell(row.candidate().max_requests); });
  table.add("procs", [](auto& row) { return row.cell.procs; });
  table.add("nodes", [](auto& row) { return row.cell.nodes; });
  table.add("ppn", [](auto& row) { return row.cell.ppn; });
  table.add("map", [](auto& row) { return row.cell.map; });
  table.add("message_bytes", [](auto& row) { return row.cell.message_bytes; });
  table.add("element_bytes", &CandidateTime::element_bytes);
  table.add("time_s", &CandidateTime::time_s);
  table.add("loss", &CandidateTime::loss);
  table.add("chosen", &CandidateTime::is_chosen);
  return table.take();
}

// The first size of the table that the rule applies to; nothing if it applies to none.
std::optional<Bytes> first_size(const TimeTable& table, const SelectedRules& selected, int procs,
                                const Rule& rule) {
  const auto timed = std::ranges::find_if(table.cells, [&](const TimedCell& cell) {
    return cell.procs >= procs && selected.spec.placement.holds(cell);
  });
  if (timed == table.cells.end()) return std::nullopt;
  for (const auto& cell : table.cells)
    if (cell.procs == timed->procs && selected.spec.placement.holds(cell) &&
        selected.spec.seen(cell.procs, cell.message_bytes) >= rule.from_bytes)
      return cell.message_bytes;
  return std::nullopt;
}

// Rules of one collective for one reader.
struct ReaderRules {
  const TimeTable& table;
  const SelectedRules& of;
};

std::vector<ReaderRules> rules_by_reader(const RulesReport& report) {
  std::vector<ReaderRules> all;
  for (const auto& collective : report.collectives)
    for (const auto& selected : collective.rules) all.push_back({collective.table, selected});
  return all;
}

// Text tables show the reader of the rules, and the placements that it distinguishes, only if there
// are several.
bool differs(const RulesReport& report,
             const std::function<std::string(const SelectedRules&)>& of) {
  if (report.collectives.empty()) return false;
  const auto& rules = report.collectives.front().rules;
  return std::ranges::any_of(
      rules, [&](const auto& selected) { return of(selected) != of(rules.front()); });
}

std::optional<ShownAs> shown_reader(const RulesReport& report) {
  return shown_if(differs(report, &SelectedRules::reader), {"For"});
}

std::string placement_name(const SelectedRules& rules) { return rules.spec.placement.name; }

std::optional<ShownAs> shown_placement(const RulesReport& report) {
  return shown_if(differs(report, placement_name), {"Ranks"});
}

struct OneRule : ReaderRules {
  int from_procs;
  Rule rule;

  const Candidate* choice() const {
    return rule.choice ? &table.candidates[*rule.choice] : nullptr;
  }
};

DocumentTable rules_table(const RulesReport& report) {
  std::vector<OneRule> rules;
  for (const auto& reader : rules_by_reader(report))
    for (const auto& of_procs : reader.of.rules)
      for (const Rule& rule : of_procs.rules) rules.push_back({reader, of_procs.from_procs, rule});
  TableOf table(rules,
                {.title = "The rules",
                 .notes = {"A rule applies up to the next size and the next number of processes"}});
  table.add("reader", shown_reader(report), [](auto& row) { return row.of.reader; });
  table.add("placement", shown_placement(report), [](auto& row) { return placement_name(row.of); });
  table.group("collective", [](auto& row) { return row.table.collective; });
  table.add("from_procs", {"Procs from"}, &OneRule::from_procs);
  table.add("from_bytes", {"Size as read", Shown::plain, 2, 1},
            [](auto& row) { return row.rule.from_bytes; });
  table.add("message_bytes", {"Size from", Shown::bytes},
            [](auto& row) { return first_size(row.table, row.of, row.from_procs, row.rule); });
  table.add("choice", {.head = "Choice", .place = 2}, [](auto& row) {
    return row.choice() != nullptr ? label(*row.choice()) : "Open MPI's own";
  });
  table.add("algorithm_id", [](auto& row) {
    return row.choice() != nullptr ? positive_cell(row.choice()->id) : Cell();
  });
  return table.take();
}

struct RuleLosses : ReaderRules {
  Losses all = measure_losses(table, of.rules, of.spec);
  Losses own = measure_own_losses(table, of.spec);
};

DocumentTable rules_summary_table(const RulesReport& report) {
  std::vector<RuleLosses> rows;
  for (const auto& reader : rules_by_reader(report)) rows.push_back({reader});
  TableOf table(
      rows, {.title = "Loss of the rules compared with the best, in percent, where times are known",
             .notes = {fmt::format(
                 "Own: loss of {}'s own choice in the same cells, over all sizes of elements; Over "
                 "own: how much slower than this a rule is at most",
                 library_title(report.library()))}});
  const bool is_wide = shown_placement(report).has_value();
  table.add("reader", shown_reader(report), [](auto& row) { return row.of.reader; });
  table.add("placement", shown_placement(report), [](auto& row) { return placement_name(row.of); });
  table.add("collective", {.head = "Collective", .place = -1},
            [](auto& row) { return row.table.collective; });
  table.add("cells", {"Cells"}, [](auto& row) { return row.all.cells; });
  table.add("rules", {"Rules"}, [](auto& row) { return rule_count(row.of.rules); });
  table.add("max_loss", {is_wide ? "Max" : "Max loss", Shown::percent},
            [](auto& row) { return row.all.max; });
  table.add("mean_loss", {is_wide ? "Mean" : "Mean loss", Shown::percent},
            [](auto& row) { return row.all.mean; });
  table.add("cells_above", [](auto& row) { return row.all.above; });
  table.add("max_above_own", {"Over own", Shown::percent, 3},
            [](auto& row) { return row.all.above_own; });
  table.add("own_max_loss", {"Own max", Shown::percent, 2}, [](auto& row) { return row.own.max; });
  table.add("own_mean_loss", {"Own mean", Shown::percent, 1},
            [](auto& row) { return row.own.mean; });
  table.add("worst_procs", [](auto& row) {
    return row.all.worst != nullptr ? cell_of(row.all.worst->procs) : Cell();
  });
  table.add("worst_message_bytes", [](auto& row) {
    return row.all.worst != nullptr ? cell_of(row.all.worst->message_bytes) : Cell();
  });
  return table.take();
}

struct BetweenRound : BetweenSizes {
  std::string collective;
  std::size_t round;
};

DocumentTable between_table(const RulesReport& report) {
  std::vector<BetweenRound> rounds;
  for (const auto& selected : report.collectives)
    for (std::size_t i = 0; i < selected.between.size(); ++i)
      rounds.push_back({selected.between[i], selected.table.collective, i + 1});
  TableOf table(
      rounds, {.title = "Between the sizes: the rules at sizes that they were not made from",
               .notes = {"Geometric means of neighboring sizes, from round 2 on only next to those "
                         "that were above the bound; the final rules include all of them"}});
  table.add("collective", {"Collective"}, &BetweenRound::collective);
  table.add("round", {"Round"}, &BetweenRound::round);
  table.add("cells", {"Cells"}, &BetweenRound::cells);
  table.add("above", {"Above bound"}, &BetweenRound::above);
  table.add("max_loss", {"Max (%)", Shown::percent}, &BetweenRound::max_loss);
  return table.take();
}

bool is_refined(const RulesReport& report) {
  return std::ranges::any_of(report.collectives,
                             [](auto& selected) { return !selected.between.empty(); });
}

// The choice of one rule on all placements of a call.
struct OverPlacements {
  const TimeTable& table;
  const SelectedRules& rules;
  std::vector<const TimedCell*> cells;

  const TimedCell& first() const { return *cells.front(); }
  double loss_in(const TimedCell& cell) const {
    return measure_losses({table.collective, table.candidates, {cell}}, rules.rules, rules.spec)
        .max;
  }
  std::optional<std::size_t> best_in(const TimedCell& cell) const {
    return find_best(table, cell, rules.spec.rivals);
  }
  double wrong() const {
    const auto count = std::ranges::count_if(
        cells, [&](const auto* cell) { return loss_in(*cell) > noticed_loss; });
    return static_cast<double>(count) / static_cast<double>(cells.size());
  }
  const TimedCell& worst() const {
    return **std::ranges::max_element(cells, {}, [&](auto* cell) { return loss_in(*cell); });
  }
  double mean_loss() const {
    double sum = 0;
    for (const auto* cell : cells) sum += loss_in(*cell);
    return sum / static_cast<double>(cells.size());
  }
  std::string choice() const {
    const auto chosen = rules.choice_in(first());
    return chosen ? label(table.candidates[*chosen]) : "Open MPI's own";
  }
  // Where another algorithm is faster.
  Cell best_elsewhere() const {
    const auto best = best_in(worst());
    if (!best || loss_in(worst()) <= noticed_loss) return {};
    return label(table.candidates[*best]);
  }
};

std::vector<OverPlacements> over_placements(const RulesReport& report) {
  std::vector<OverPlacements> all;
  for (const auto& reader : rules_by_reader(report)) {
    std::map<std::pair<int, Bytes>, std::vector<const TimedCell*>> calls;
    for (const auto& cell : reader.table.cells)
      if (reader.of.spec.placement.holds(cell))
        calls[{cell.procs, cell.message_bytes}].push_back(&cell);
    for (auto& [call, cells] : calls)
      if (cells.size() > 1) all.push_back({reader.table, reader.of, std::move(cells)});
  }
  return all;
}

DocumentTable placements_table(const RulesReport& report) {
  TableOf table(
      over_placements(report),
      {.title = "Each call over its placements: how often its rule is wrong",
       .notes = {fmt::format("Wrong: placements on which another algorithm is faster by more than "
                             "{:.0f} %; Instead: the best one on the worst placement",
                             noticed_loss * 100)}});
  table.add("reader", shown_reader(report), [](auto& row) { return row.rules.reader; });
  table.add("placement", shown_placement(report),
            [](auto& row) { return placement_name(row.rules); });
  table.group("collective", [](auto& row) { return row.table.collective; });
  table.add("procs", {"Procs"}, [](auto& row) { return row.first().procs; });
  table.add("message_bytes", {"Size", Shown::bytes},
            [](auto& row) { return row.first().message_bytes; });
  table.add("placements", {"Places"}, [](auto& row) { return row.cells.size(); });
  table.add("choice", {.head = "Choice"}, &OverPlacements::choice);
  table.add("wrong_fraction", {"Wrong (%)", Shown::percent}, &OverPlacements::wrong);
  table.add("mean_loss", {"Mean loss", Shown::percent}, &OverPlacements::mean_loss);
  table.add("max_loss", {"Max loss", Shown::percent},
            [](auto& row) { return row.loss_in(row.worst()); });
  table.add("best_elsewhere", {.head = "Instead"}, &OverPlacements::best_elsewhere);
  table.add("worst_map", [](auto& row) { return row.worst().map; });
  return table.take();
}

bool has_placements(const RulesReport& report) { return !over_placements(report).empty(); }

constexpr Part<RulesReport> rules_parts[] = {
    {"times", times_table},
    {"rules", rules_table},
    {"summary", rules_summary_table},
    {"placements", placements_table, has_placements},
    {"between", between_table, is_refined},
    {"hierarchical", hierarchical_table,
     [](auto& report) { return report.study.candidates.hierarchical; }},
    {"schedules", schedules_table,
     [](auto& report) { return !report.study.candidates.schedules.empty(); }}};

// The least time of each algorithm over its segments and fan-outs.
std::map<std::string, Seconds> least_by_name(const TimeTable& table, const TimedCell& cell) {
  std::map<std::string, Seconds> least_s;
  for (std::size_t i = 0; i < cell.times_s.size(); ++i) {
    const auto& candidate = table.candidates[i];
    if (!candidate.competes || !cell.times_s[i]) continue;
    const std::string name = candidate.algorithm.substr(0, candidate.algorithm.find(':'));
    const auto [at, is_new] = least_s.try_emplace(name, *cell.times_s[i]);
    if (!is_new) at->second = std::min(at->second, *cell.times_s[i]);
  }
  return least_s;
}

}  // namespace

Table winner_table(const TimeTable& table) {
  Table winners{{"collective", "algorithm", "procs", "message_bytes", "time_s"}, {}};
  std::map<std::tuple<int, Bytes, std::string>, Seconds> slowest_s;
  for (const auto& cell : table.cells)
    for (const auto& [name, time_s] : least_by_name(table, cell)) {
      const auto [at, is_new] =
          slowest_s.try_emplace({cell.procs, cell.message_bytes, name}, time_s);
      if (!is_new) at->second = std::max(at->second, time_s);
    }
  for (const auto& [at, time_s] : slowest_s)
    winners.rows.push_back({table.collective, std::get<2>(at), std::int64_t{std::get<0>(at)},
                            std::get<1>(at), time_s});
  return winners;
}

std::string bound_text(const RulesReport& report) {
  double most = 0;
  for (const auto& collective : report.collectives)
    for (const auto& selected : collective.rules)
      most = std::max(most, measure_losses(collective.table, selected.rules, selected.spec).max);
  const double bound = report.study.most_loss * 100;
  if (most <= report.study.most_loss) return fmt::format("lose at most {:.4g} %", bound);
  return fmt::format(
      "lose at most {:.4g} % compared with the best single rule, and up to {:.3g} % compared with "
      "the best of a call",
      bound, most * 100);
}

std::vector<std::string> scope_lines(const RulesReport& report) {
  const auto& axes = report.study.axes;
  std::vector<std::string> placements;
  for (const auto& placement : axes.placements) placements.push_back(placement_label(placement));
  if (!axes.allocations.empty())
    placements.push_back(
        axes.allocations.size() <= axes.most_allocations
            ? fmt::format("on {} of {}", counted(axes.allocations.size(), "allocation"),
                          report.allocations)
            : fmt::format("on at most {} of {} allocations of {}", axes.most_allocations,
                          axes.allocations.size(), report.allocations));
  const auto& sizes = axes.message_bytes;
  const std::string count_all = placements.size() < 2 ? ""
                                : report.study.objective == Objective::mean
                                    ? " (their mean)"
                                    : " (the worst of them)";
  return {fmt::format("Made for {} processes and those between, messages of {} to {} with elements "
                      "of {} B, ranks placed: {}{}",
                      fmt::join(axes.procs, ", "), format_bytes(sizes.front()),
                      format_bytes(sizes.back()), fmt::join(axes.element_bytes, ", "),
                      fmt::join(placements, "; "), count_all),
          fmt::format("No algorithm falls back to another one for these elements. Where {}, a rule "
                      "is at most {:.4g} % slower than {}'s own choice{}, which applies to all "
                      "other numbers of processes",
                      report.models.empty() ? "simulated" : "predicted",
                      report.study.most_loss * 100, library_title(report.library()),
                      report.models.empty() ? "" : " (as far as the file has a model of it)"),
          "Not covered: larger messages (they use the rule of the largest), other placements and "
          "machines, "
          "operations that do not commute"};
}

Document rules_document(const RulesReport& report) {
  Document document{report, "sim.select.rules/1"};
  document.about = {
      fmt::format("Rules for collectives on {}: the fewest that {} where {}",
                  report.provenance.platform_name(), bound_text(report),
                  report.models.empty() ? "simulated, engine flow" : "predicted"),
  };
  for (auto& line : scope_lines(report)) document.about.push_back(std::move(line));
  if (!report.models.empty())
    document.about.push_back(fmt::format(
        "APPROXIMATE: the times below are predictions of {}, not simulations", report.models));
  document.about.insert(document.about.end(), report.trial.begin(), report.trial.end());
  std::int64_t omitted = 0;
  for (const auto& selected : report.collectives) omitted += selected.omitted;
  if (omitted > 0)
    document.about.push_back(
        fmt::format("{} calls of more than {} million messages each are skipped: they take "
                    "minutes, and no rule chooses them",
                    omitted, most_messages / 1'000'000));
  if (report.unplaceable > 0)
    document.about.push_back(
        fmt::format("Skipped, too large for the machine or the allocations: {} of processes and "
                    "placement",
                    counted(report.unplaceable, "combination")));
  add_not_run(document, report.run.not_run, "cells", "command");
  document.tables = tables_of(rules_parts, report);
  return document;
}

std::vector<std::string> rules_document_parts() { return names_of(rules_parts); }

}  // namespace tutti::reports
