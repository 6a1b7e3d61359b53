// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/report/io_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/base/units.hpp"
#include "sim/studies/io_record.hpp"
#include "sim/studies/papers/printed_tables.hpp"

namespace tutti::reports {
namespace {

using studies::Agreement;
using studies::Cause;
using studies::ShuffleFacts;
using studies::TendencyCase;
using studies::TendencyCount;
using studies::TendencyPair;
using studies::TendencyPoint;
using studies::papers::PrintedTendency;

const char* name_of(TendencyCase varied) {
  switch (varied) {
    case TendencyCase::data:
      return "data";
    case TendencyCase::aggregators:
      return "aggregators";
    case TendencyCase::procs:
      break;
  }
  return "processes";
}

std::string text(const Row& record, std::string_view column) {
  return to_text(cell_in(record, column));
}
std::int64_t integer(const Row& record, std::string_view column) {
  return static_cast<std::int64_t>(tutti::number_of(cell_in(record, column)).value_or(0));
}

// "144", or "144-225" where it varies.
std::string range(std::int64_t from, std::int64_t to) {
  return from == to ? fmt::format("{}", from) : fmt::format("{}-{}", from, to);
}

// Bytes as people know them: "13.8 MiB" is no size of the parsers, but 14440000 B is.
std::string bytes_range(Bytes from, Bytes to) {
  return from == to ? format_bytes(from)
                    : fmt::format("{}-{}", format_bytes(from), format_bytes(to));
}

// Points, pairs and what is known of each.
class Study {
 public:
  explicit Study(const IoCases& cases) : cases_(cases) {
    for (const Row& record : cases.records) add(record);
    pairs_ = studies::tendency_pairs(points_, cases.least_change);
    counts_ = studies::count_tendencies(points_, pairs_, models_);
    for (const auto& pair : pairs_) causes_.push_back(cause_of(pair));
  }

  const std::vector<TendencyCount>& counts() const { return counts_; }

  DocumentTable points() const;
  DocumentTable cases() const;
  DocumentTable causes() const;
  DocumentTable pairs(const std::string& name, const std::string& title, bool mismatches) const;

 private:
  void add(const Row& record) {
    const auto simulated = tutti::number_of(cell_in(record, "time_s"));
    const auto model = tutti::number_of(cell_in(record, "model_loggp_s"));
    if (!simulated || !model) return;
    points_.push_back({text(record, "partitioning") + ' ' + text(record, "decomposition"),
                       integer(record, "procs"), integer(record, "bytes_per_proc"),
                       integer(record, "aggregators"), *simulated, *model});
    facts_.push_back(studies::shuffle_facts(record, cases_.rates));
    if (std::ranges::find(models_, points_.back().model) == models_.end())
      models_.push_back(points_.back().model);
  }

  std::optional<Cause> cause_of(const TendencyPair& pair) const {
    if (pair.agreement == Agreement::match || pair.agreement == Agreement::no_change)
      return std::nullopt;
    return studies::cause_of(pair, facts_[pair.from], facts_[pair.to], cases_.least_change);
  }

  std::vector<Cell> pair_row(const TendencyPair& pair, std::optional<Cause> cause) const;
  std::vector<std::string> explanations() const;

  const IoCases& cases_;
  std::vector<std::string> models_;
  std::vector<TendencyPoint> points_;
  std::vector<ShuffleFacts> facts_;  // by point
  std::vector<TendencyPair> pairs_;
  std::vector<std::optional<Cause>> causes_;  // by pair; of those of which one changes otherwise
  std::vector<TendencyCount> counts_;
};

const PrintedTendency* printed_of(const TendencyCount& count) {
  static const std::vector<PrintedTendency> all = studies::papers::printed_tendencies();
  for (const auto& each : all)
    if (each.number == static_cast<int>(count.varied) && each.model == count.model) return &each;
  return nullptr;
}

// ---- the tables ----

DocumentTable Study::points() const {
  DocumentTable made{.name = "points",
                     .title = "The points",
                     .table = {},
                     .shown = {{"partitioning", "Domains"},
                               {"decomposition", "Data"},
                               {"procs", "Procs"},
                               {"bytes_per_proc", "Bytes/proc", Shown::bytes},
                               {"aggregators", "Aggr."},
                               {"time_s", "Simulated (s)", Shown::significant},
                               {"model_loggp_s", "Model (s)", Shown::significant},
                               {"extrapolation", "Cycles left out", Shown::plain, 1}},
                     .group_by = "procs",
                     .notes = {},
                     .only_on_request = true};
  for (const auto& column : studies::io_columns())
    if (!column.is_cost) made.table.columns.emplace_back(column.name);
  for (const Row& record : cases_.records) {
    auto& row = made.table.rows.emplace_back();
    for (const auto& column : made.table.columns) row.push_back(cell_in(record, column));
  }
  return made;
}

Cell optional_cell(std::optional<double> value) { return value ? Cell{*value} : Cell{}; }

DocumentTable Study::cases() const {
  DocumentTable made{
      .name = "cases",
      .title = "Does the model move as the simulation does, from one point to the next?",
      .table = {{"case", "varies", "model", "match", "mismatch", "rate", "paper_match",
                 "paper_mismatch", "paper_rate", "no_worse", "apart", "only_model",
                 "only_simulated", "no_change"},
                {}},
      .shown = {{"varies", "Varies"},
                {"model", "Model"},
                {"match", "Match"},
                {"mismatch", "Not"},
                {"rate", "%", Shown::percent},
                {"paper_match", "Paper: match"},
                {"paper_mismatch", "Not"},
                {"paper_rate", "%", Shown::percent},
                {"apart", "Apart"}},
      .group_by = "varies",
      .notes = {fmt::format("Match: both grow, or both shrink. Apart: the simulation, the model "
                            "or both {}. Paper: Tables 5.3 to 5.5, measured on crill.",
                            cases_.least_change == 0 ? "do not change"
                                                     : fmt::format("change by less than {:.3g} %",
                                                                   cases_.least_change * 100))}};
  int rows = 0;
  int no_worse = 0;
  for (const auto& count : counts_) {
    const auto* printed = printed_of(count);
    const auto rate = count.has_rate() ? std::optional(count.rate()) : std::nullopt;
    auto& row = made.table.rows.emplace_back(
        std::vector<Cell>{std::int64_t{static_cast<int>(count.varied)}, name_of(count.varied),
                          count.model, count.match, count.mismatch, optional_cell(rate)});
    if (printed != nullptr)
      row.insert(row.end(), {printed->match, printed->mismatch, printed->rate(),
                             rate ? Cell{*rate >= printed->rate()} : Cell{}});
    else
      row.resize(row.size() + 4);
    row.insert(row.end(), {count.apart(), count.only_model, count.only_simulated, count.no_change});
    if (!rate || printed == nullptr) continue;
    ++rows;
    no_worse += *rate >= printed->rate();
  }
  made.notes.push_back(
      rows == 0 ? "no two of the points are neighbours in which both change"
                : fmt::format("{} of {} rows match as often as in the paper, or more often",
                              no_worse, rows));
  return made;
}

std::vector<std::string> Study::explanations() const {
  std::vector<std::string> lines;
  for (const Cause cause : studies::all_causes)
    if (std::ranges::find(causes_, std::optional(cause)) != causes_.end())
      lines.push_back(fmt::format("{}: {}", studies::name_of(cause), studies::explain(cause)));
  return lines;
}

DocumentTable Study::causes() const {
  DocumentTable made{.name = "causes",
                     .title = "Why the others move otherwise",
                     .table = {{"varies", "model", "agreement", "cause", "pairs"}, {}},
                     .shown = {{"varies", "Varies"},
                               {"model", "Model"},
                               {"agreement", "What changes"},
                               {"cause", "Cause"},
                               {"pairs", "Pairs"}},
                     .group_by = "varies",
                     .notes = explanations()};
  for (const auto& count : counts_)
    for (const auto agreement :
         {Agreement::mismatch, Agreement::only_model, Agreement::only_simulated})
      for (const Cause cause : studies::all_causes) {
        std::int64_t pairs = 0;
        for (std::size_t i = 0; i < pairs_.size(); ++i)
          pairs += pairs_[i].varied == count.varied &&
                   points_[pairs_[i].from].model == count.model &&
                   pairs_[i].agreement == agreement && causes_[i] == cause;
        if (pairs > 0)
          made.table.rows.push_back({name_of(count.varied), count.model,
                                     studies::name_of(agreement), studies::name_of(cause), pairs});
      }
  return made;
}

std::vector<Cell> Study::pair_row(const TendencyPair& pair, std::optional<Cause> cause) const {
  const TendencyPoint& from = points_[pair.from];
  const TendencyPoint& to = points_[pair.to];
  std::vector<Cell> row{name_of(pair.varied),
                        from.model,
                        studies::name_of(pair.agreement),
                        range(from.procs, to.procs),
                        bytes_range(from.bytes_per_proc, to.bytes_per_proc),
                        range(from.aggregators, to.aggregators),
                        pair.simulated_change,
                        pair.model_change,
                        cause ? Cell{studies::name_of(*cause)} : Cell{}};
  for (const auto* facts : {&facts_[pair.from], &facts_[pair.to]})
    row.insert(row.end(), {text_of(facts->bottleneck), facts->bottleneck.busy, facts->own_part,
                           facts->leaving_part, facts->sending_nodes, facts->receiving_nodes,
                           facts->charged_send, facts->charged_recv});
  return row;
}

DocumentTable Study::pairs(const std::string& name, const std::string& title,
                           bool mismatches) const {
  DocumentTable made{.name = name,
                     .title = title,
                     .table = {{"varies", "model", "agreement", "procs", "bytes_per_proc",
                                "aggregators", "simulated_change", "model_change", "cause"},
                               {}},
                     .shown = {{"varies", "Varies"},
                               {"model", "Model"},
                               {"procs", "Procs"},
                               {"bytes_per_proc", "Bytes/proc"},
                               {"aggregators", "Aggr."},
                               {"simulated_change", "Sim. %", Shown::signed_percent},
                               {"model_change", "Model %", Shown::signed_percent},
                               {"cause", "Cause"}},
                     .group_by = "varies",
                     .notes = {},
                     .only_on_request = !mismatches};
  for (const char* end : {"from", "to"})
    for (const char* column : {"limit", "limit_busy", "own_part", "leaving_part", "sending_nodes",
                               "receiving_nodes", "charged_send", "charged_recv"})
      made.table.columns.push_back(fmt::format("{}_{}", end, column));
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const Agreement agreement = pairs_[i].agreement;
    if (agreement == Agreement::match || (agreement == Agreement::mismatch) != mismatches) continue;
    made.table.rows.push_back(pair_row(pairs_[i], causes_[i]));
  }
  return made;
}

std::optional<std::string> sampled_note(const IoCases& cases) {
  const auto sampled = std::ranges::count_if(
      cases.records, [](const Row& record) { return text(record, "extrapolation") == "sampled"; });
  if (sampled == 0) return std::nullopt;
  return fmt::format("{} of the {} points are too large to simulate in full: sampled, approximate",
                     sampled, cases.records.size());
}

}  // namespace

std::vector<std::string> io_case_parts() {
  return {"points", "cases", "causes", "mismatches", "apart"};
}

Document io_case_document(const IoCases& cases) {
  const Study study(cases);
  Document document;
  document.schema = "sim.validate.io-cases/1";
  document.about = {"Tendencies of collective I/O: the model beside the simulation"};
  document.tables = {
      study.points(), study.cases(), study.causes(),
      study.pairs("mismatches", "One grows where the other shrinks", true),
      study.pairs("apart", "One changes where the other does not, or neither does", false)};
  if (const auto note = sampled_note(cases)) document.tables[1].notes.push_back(*note);
  document.plots = {{{"x", "aggregators"},
                     {"y", "time_s"},
                     {"series", "partitioning,decomposition,bytes_per_proc"},
                     {"facet", "procs"}}};
  return document;
}

std::vector<std::string> low_rates(const IoCases& cases, std::optional<double> least_rate) {
  std::vector<std::string> lines;
  const Study study(cases);
  for (const auto& count : study.counts()) {
    const auto* printed = printed_of(count);
    if (!count.has_rate() || (!least_rate && printed == nullptr)) continue;
    const double wanted = least_rate ? *least_rate : printed->rate();
    if (count.rate() >= wanted) continue;
    lines.push_back(fmt::format("{}, {}: {:.1f} % match, {:.1f} % are wanted",
                                name_of(count.varied), count.model, 100 * count.rate(),
                                100 * wanted));
  }
  return lines;
}

}  // namespace tutti::reports
