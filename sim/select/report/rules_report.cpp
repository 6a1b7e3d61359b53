// SPDX-License-Identifier: BSD-3-Clause
#include "sim/select/report/rules_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/select/candidates.hpp"
#include "workloads/hierarchical_spec.hpp"

namespace tutti::reports {
namespace {

using namespace studies::select;

std::int64_t number(std::size_t value) { return static_cast<std::int64_t>(value); }

Cell if_positive(std::int64_t value) { return value > 0 ? Cell(value) : Cell(); }

void add_row(Table& table, const SelectedCollective& selected, const TimedCell& cell,
             std::size_t candidate, Bytes element_bytes, Seconds time_s) {
  const auto& of = selected.table;
  const auto& reader = selected.rules.front();
  const auto best = best_of(of, cell, reader.wish.rivals);
  const auto chosen =
      choice_of(reader.rules, cell.procs, reader.wish.seen(cell.procs, cell.message_bytes));
  const auto& each = of.candidates[candidate];
  const Cell loss = best && (is_rival(each, reader.wish.rivals) || !each.competes)
                        ? Cell(loss_of(time_s, *cell.times_s[*best]))
                        : Cell();
  table.rows.push_back({of.collective, each.algorithm, if_positive(each.id), each.segment_bytes,
                        if_positive(each.fanout), if_positive(each.max_requests),
                        std::int64_t{cell.procs}, std::int64_t{cell.nodes}, std::int64_t{cell.ppn},
                        cell.map, cell.message_bytes, element_bytes, time_s, loss,
                        chosen ? *chosen == candidate : !each.competes});
}

void add_rows(Table& table, const SelectedCollective& selected, const TimedCell& cell) {
  const auto& sizes = selected.table.element_bytes;
  const std::size_t own = selected.table.candidates.size() - 1;
  for (std::size_t i = 0; i < own; ++i)
    if (cell.times_s[i]) add_row(table, selected, cell, i, sizes.front(), *cell.times_s[i]);
  for (std::size_t i = 0; i < cell.own_s.size(); ++i)
    if (cell.own_s[i]) add_row(table, selected, cell, own, sizes[i], *cell.own_s[i]);
}

Table times(const std::vector<SelectedCollective>& collectives) {
  Table table{{"collective", "algorithm", "algorithm_id", "segment_bytes", "fanout", "max_requests",
               "procs", "nodes", "ppn", "map", "message_bytes", "element_bytes", "time_s", "loss",
               "chosen"},
              {}};
  for (const auto& each : collectives)
    for (const auto& cell : each.table.cells) add_rows(table, each, cell);
  return table;
}

// The first size of the table that the rule is for; nothing where it is for none.
std::optional<Bytes> first_size(const TimeTable& table, const SelectedRules& selected, int procs,
                                const Rule& rule) {
  const auto timed =
      std::ranges::find_if(table.cells, [&](const TimedCell& cell) { return cell.procs >= procs; });
  if (timed == table.cells.end()) return std::nullopt;
  for (const auto& cell : table.cells)
    if (cell.procs == timed->procs &&
        selected.wish.seen(cell.procs, cell.message_bytes) >= rule.from_bytes)
      return cell.message_bytes;
  return std::nullopt;
}

void add_rules(Table& table, const TimeTable& of, const SelectedRules& selected) {
  for (const auto& of_procs : selected.rules)
    for (const Rule& rule : of_procs.rules) {
      const auto first = first_size(of, selected, of_procs.from_procs, rule);
      const auto choice = rule.choice ? label_of(of.candidates[*rule.choice]) : "Open MPI's own";
      table.rows.push_back({selected.reader, of.collective, std::int64_t{of_procs.from_procs},
                            rule.from_bytes, first ? Cell(*first) : Cell(), choice,
                            rule.choice ? if_positive(of.candidates[*rule.choice].id) : Cell()});
    }
}

// More than one.
bool has_readers(const std::vector<SelectedCollective>& collectives) {
  return !collectives.empty() && collectives.front().rules.size() > 1;
}

DocumentTable rules_table(const std::vector<SelectedCollective>& collectives) {
  Table table{{"reader", "collective", "from_procs", "from_bytes", "message_bytes", "choice",
               "algorithm_id"},
              {}};
  for (const auto& each : collectives)
    for (const auto& selected : each.rules) add_rules(table, each.table, selected);
  DocumentTable shown{
      .name = "rules",
      .title = "The rules",
      .table = std::move(table),
      .shown = {{"from_procs", "Procs from"},
                {"message_bytes", "Size from", Shown::bytes},
                {"from_bytes", "As its reader counts", Shown::plain, 2},
                {"choice", "Choice"}},
      .group_by = "collective",
      .notes = {"A rule holds up to the next size, and the next number of processes"}};
  if (has_readers(collectives)) shown.shown.insert(shown.shown.begin(), {"reader", "For"});
  return shown;
}

void add_summary(Table& table, const SelectedCollective& each, const SelectedRules& selected) {
  const auto& of = each.table;
  const auto losses = losses_of(of, selected.rules, selected.wish);
  const auto own = own_losses_of(of, selected.wish);
  const auto* worst = losses.worst;
  table.rows.push_back({selected.reader, of.collective, number(losses.cells),
                        number(rule_count(selected.rules)), losses.max, losses.mean,
                        number(losses.above), losses.above_own, own.max, own.mean,
                        worst != nullptr ? Cell(std::int64_t{worst->procs}) : Cell(),
                        worst != nullptr ? Cell(worst->message_bytes) : Cell()});
}

DocumentTable summary_table(const std::vector<SelectedCollective>& collectives) {
  Table table{
      {"reader", "collective", "cells", "rules", "max_loss", "mean_loss", "cells_above",
       "max_above_own", "own_max_loss", "own_mean_loss", "worst_procs", "worst_message_bytes"},
      {}};
  for (const auto& each : collectives)
    for (const auto& selected : each.rules) add_summary(table, each, selected);
  DocumentTable shown{
      .name = "summary",
      .title = "What following the rules loses against the best, where times are known",
      .table = std::move(table),
      .shown = {{"collective", "Collective"},
                {"cells", "Cells"},
                {"rules", "Rules"},
                {"max_loss", "Max %", Shown::percent},
                {"mean_loss", "Mean %", Shown::percent},
                {"max_above_own", "Over own %", Shown::percent, 3},
                {"own_max_loss", "Own max %", Shown::percent, 2},
                {"own_mean_loss", "Own mean %", Shown::percent, 1}},
      .group_by = {},
      .notes = {"Own: what Open MPI 4.1's fixed rules lose there, over all sizes of elements; over "
                "own: how much slower than they a rule is at most"}};
  if (has_readers(collectives)) shown.shown.insert(shown.shown.begin() + 1, {"reader", "For"});
  return shown;
}

DocumentTable between_table(const std::vector<SelectedCollective>& collectives) {
  Table table{{"collective", "round", "cells", "above", "max_loss"}, {}};
  for (const auto& each : collectives)
    for (std::size_t i = 0; i < each.between.size(); ++i) {
      const auto& round = each.between[i];
      table.rows.push_back({each.table.collective, number(i + 1), number(round.cells),
                            number(round.above), round.max_loss});
    }
  return {
      .name = "between",
      .title = "Between the sizes: how the rules did at sizes that they did not know",
      .table = std::move(table),
      .shown = {{"collective", "Collective"},
                {"round", "Round"},
                {"cells", "Cells"},
                {"above", "Above bound"},
                {"max_loss", "Max %", Shown::percent}},
      .group_by = {},
      .notes = {"Geometric means of neighbouring sizes, from round 2 on next to those that were "
                "above the bound; the rules were made again with all of them"}};
}

// The best of some candidates.
template <class Test>
std::optional<std::size_t> best_if(const TimeTable& table, const TimedCell& cell,
                                   const Test& test) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < cell.times_s.size(); ++i)
    if (cell.times_s[i] && table.candidates[i].competes && test(table.candidates[i]) &&
        (!best || *cell.times_s[i] < *cell.times_s[*best]))
      best = i;
  return best;
}

// "hierarchical:inter=ring,intra=chain,group=node": of "inter=" "ring".
std::string part_of(const std::string& algorithm, std::string_view parameter) {
  const auto at = algorithm.find(parameter);
  if (at == std::string::npos) return {};
  const auto from = at + parameter.size();
  return algorithm.substr(from, algorithm.find(',', from) - from);
}

DocumentTable hierarchical_table(const std::vector<SelectedCollective>& collectives) {
  Table table{{"collective", "nodes", "procs", "message_bytes", "flat", "flat_time_s",
               "hierarchical", "inter", "intra", "hierarchical_time_s", "gain"},
              {}};
  const auto has_levels = [](const Candidate& each) {
    return workloads::is_hierarchical(each.algorithm);
  };
  for (const auto& each : collectives)
    for (const auto& cell : each.table.cells) {
      const auto& of = each.table;
      const auto flat = best_if(of, cell, [&](const Candidate& one) { return !has_levels(one); });
      const auto split = best_if(of, cell, has_levels);
      if (!flat || !split) continue;
      const Seconds flat_s = *cell.times_s[*flat], split_s = *cell.times_s[*split];
      table.rows.push_back({of.collective, std::int64_t{cell.nodes}, std::int64_t{cell.procs},
                            cell.message_bytes, label_of(of.candidates[*flat]), flat_s,
                            of.candidates[*split].algorithm,
                            part_of(of.candidates[*split].algorithm, "inter="),
                            part_of(of.candidates[*split].algorithm, "intra="), split_s,
                            split_s > 0 ? Cell(flat_s / split_s - 1) : Cell()});
    }
  return {.name = "hierarchical",
          .title = "A level between the nodes and one inside them, beside the best flat algorithm",
          .table = std::move(table),
          .shown = {{"nodes", "Nodes"},
                    {"message_bytes", "Size", Shown::bytes},
                    {"flat", "Best flat"},
                    {"flat_time_s", "us", Shown::microseconds, 1},
                    {"inter", "Best among nodes"},
                    {"intra", "and inside"},
                    {"hierarchical_time_s", "us", Shown::microseconds, 2},
                    {"gain", "Gain %", Shown::signed_percent}},
          .group_by = "collective",
          .notes = {"Splits are not segmented. Open MPI's dynamic rules cannot ask for them: the "
                    "function and the tables alone have them"}};
}

// Each algorithm by its best segments and fan-out.
std::map<std::string, Seconds> least_by_name(const TimeTable& table, const TimedCell& cell) {
  std::map<std::string, Seconds> least_s;
  for (std::size_t i = 0; i < cell.times_s.size(); ++i) {
    const auto& each = table.candidates[i];
    if (!each.competes || !cell.times_s[i]) continue;
    const std::string name = each.algorithm.substr(0, each.algorithm.find(':'));
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

std::string bound_of(const RulesReport& report) {
  double most = 0;
  for (const auto& each : report.collectives)
    for (const auto& selected : each.rules)
      most = std::max(most, losses_of(each.table, selected.rules, selected.wish).max);
  const double bound = report.most_loss * 100;
  if (most <= report.most_loss) return fmt::format("lose at most {:.4g} %", bound);
  return fmt::format(
      "lose at most {:.4g} % against what one rule can do, and up to {:.3g} % "
      "against the best of a call",
      bound, most * 100);
}

std::vector<std::string> scope_of(const RulesReport& report) {
  const auto& axes = report.axes;
  std::vector<std::string> placements;
  for (const auto& each : axes.placements) placements.push_back(label_of(each));
  const auto& sizes = axes.message_bytes;
  const std::string count_all = placements.size() < 2                 ? ""
                                : report.objective == Objective::mean ? " (their mean)"
                                                                      : " (the worst of them)";
  return {
      fmt::format("Made for {} processes and those between, messages of {} to {} with elements "
                  "of {} B, ranks placed: {}{}",
                  fmt::join(axes.procs, ", "), format_bytes(sizes.front()),
                  format_bytes(sizes.back()), fmt::join(axes.element_bytes, ", "),
                  fmt::join(placements, "; "), count_all),
      fmt::format("No algorithm falls back to another one for these elements. Where {}, a rule "
                  "is at most {:.4g} % slower than Open MPI 4.1's own choice{}, which holds for "
                  "all other numbers of processes",
                  report.models.empty() ? "simulated" : "predicted", report.most_loss * 100,
                  report.models.empty() ? "" : " (as far as the file has a model of it)"),
      "Not known: larger messages (sent as the largest), other placements and machines, "
      "operations that do not commute"};
}

Document rules_document(const RulesReport& report) {
  Document document;
  static_cast<ReportHead&>(document) = report;
  document.schema = "sim.select.rules/1";
  document.about = {
      fmt::format("Rules for collectives on {}: the fewest that {} where {}",
                  report.provenance.platform_name, bound_of(report),
                  report.models.empty() ? "simulated, engine flow" : "predicted"),
  };
  for (auto& line : scope_of(report)) document.about.push_back(std::move(line));
  if (!report.models.empty())
    document.about.push_back(fmt::format(
        "APPROXIMATE: the times below are predictions of {}, not simulations", report.models));
  document.about.insert(document.about.end(), report.trial.begin(), report.trial.end());
  std::int64_t left_out = 0;
  for (const auto& each : report.collectives) left_out += each.left_out;
  if (left_out > 0)
    document.about.push_back(fmt::format(
        "{} calls of more than {} million messages each are left out: they take minutes, "
        "and no rule chooses them",
        left_out, most_messages / 1'000'000));
  if (report.not_run > 0)
    document.failed.push_back(
        fmt::format("INCOMPLETE: {} cells were not run, the command was stopped", report.not_run));
  DocumentTable points{.name = "times",
                       .title = "All times",
                       .table = times(report.collectives),
                       .only_on_request = true};
  document.tables = {std::move(points), rules_table(report.collectives),
                     summary_table(report.collectives)};
  const auto is_refined = [](const auto& each) { return !each.between.empty(); };
  if (std::ranges::any_of(report.collectives, is_refined))
    document.tables.push_back(between_table(report.collectives));
  if (report.hierarchical) document.tables.push_back(hierarchical_table(report.collectives));
  return document;
}

std::vector<std::string> rules_document_parts() {
  return {"times", "rules", "summary", "between", "hierarchical"};
}

}  // namespace tutti::reports
