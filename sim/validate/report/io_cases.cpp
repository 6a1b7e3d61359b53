// SPDX-License-Identifier: BSD-3-Clause
#include "sim/studies/io_record.hpp"
#include "sim/studies/papers/printed_tables.hpp"
#include "sim/validate/report/reports.hpp"

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

// Bytes for readers; 14440000 B stays in bytes because the parsers of sizes do not accept "13.8
// MiB".
std::string bytes_range(Bytes from, Bytes to) {
  return from == to ? format_bytes(from)
                    : fmt::format("{}-{}", format_bytes(from), format_bytes(to));
}

// Number of pairs of one case and model that share an agreement and a cause.
struct CausedPairs {
  const TendencyCount& of;
  Agreement agreement;
  Cause cause;
  std::int64_t pairs;
};

// The points, their pairs, and the cause of each mismatch.
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
  DocumentTable pairs(bool mismatches, DocumentTable head) const;

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

  std::vector<std::string> case_notes() const;
  std::vector<CausedPairs> pairs_by_cause() const;
  std::vector<std::string> explanations() const;

  const IoCases& cases_;
  std::vector<std::string> models_;
  std::vector<TendencyPoint> points_;
  std::vector<ShuffleFacts> facts_;  // by point
  std::vector<TendencyPair> pairs_;
  std::vector<std::optional<Cause>> causes_;  // by pair; unset if model and simulation agree
  std::vector<TendencyCount> counts_;
};

const PrintedTendency* printed_of(const TendencyCount& count) {
  static const std::vector<PrintedTendency> all = studies::papers::printed_tendencies();
  for (const auto& each : all)
    if (each.number == static_cast<int>(count.varied) && each.model == count.model) return &each;
  return nullptr;
}

// ---- the tables ----

std::optional<std::string> sampled_note(const IoCases& cases) {
  const auto sampled = std::ranges::count_if(
      cases.records, [](const Row& record) { return text(record, "extrapolation") == "sampled"; });
  if (sampled == 0) return std::nullopt;
  return fmt::format(
      "{} of the {} points are too large to simulate in full; their times are estimated from a "
      "sample",
      sampled, cases.records.size());
}

// How the text output shows a column of a record.
std::optional<ShownAs> shown_of(std::string_view column) {
  static const std::map<std::string_view, ShownAs> shown{
      {"partitioning", {"Domains"}},
      {"decomposition", {"Data"}},
      {"procs", {"Procs"}},
      {"bytes_per_proc", {"Bytes/proc", Shown::bytes}},
      {"aggregators", {"Aggr."}},
      {"extrapolation", {"Extrapolation", Shown::plain, 1, 1}},
      {"time_s", {"Simulated (s)", Shown::significant}},
      {"model_loggp_s", {"Model (s)", Shown::significant}}};
  const auto found = shown.find(column);
  return found == shown.end() ? std::nullopt : std::optional(found->second);
}

DocumentTable Study::points() const {
  TableOf table(cases_.records, {.title = "Points", .group_by = "procs", .only_on_request = true});
  for (const auto& column : studies::columns_of<studies::IoRecord>())
    if (!column.is_cost())
      table.add(std::string(column.name), shown_of(column.name),
                [&](const Row& record) { return cell_in(record, column.name); });
  return table.take();
}

std::optional<double> rate_of(const TendencyCount& count) {
  return count.has_rate() ? std::optional(count.rate()) : std::nullopt;
}

Cell is_no_worse(const TendencyCount& count) {
  const auto* printed = printed_of(count);
  if (printed == nullptr || !count.has_rate()) return {};
  return count.rate() >= printed->rate();
}

std::vector<std::string> Study::case_notes() const {
  int rows = 0;
  int no_worse = 0;
  for (const auto& count : counts_) {
    const Cell better = is_no_worse(count);
    rows += better != Cell{};
    no_worse += better == Cell{true};
  }
  std::vector<std::string> notes{
      fmt::format("Match: simulated and modeled time both increase or both decrease. Excl.: "
                  "excluded because the simulation, the model or both {}. Paper: counts of Tables "
                  "5.3 to 5.5, measured on crill.",
                  cases_.least_change == 0
                      ? "do not change"
                      : fmt::format("change by less than {:.3g} %", cases_.least_change * 100)),
      rows == 0 ? "no two neighboring points change in both simulation and model"
                : fmt::format("in {} of {} rows the fraction of matches is at least the paper's",
                              no_worse, rows)};
  if (auto note = sampled_note(cases_)) notes.push_back(*std::move(note));
  return notes;
}

DocumentTable Study::cases() const {
  using Count = TendencyCount;
  TableOf table(counts_, {.title = "Pairs of points in which the model follows the simulation",
                          .notes = case_notes()});
  const auto printed = [](auto value) {
    return [=](const Count& count) {
      const auto* of = printed_of(count);
      return of == nullptr ? Cell{} : cell_from(*of, value);
    };
  };
  table.add("case", [](auto& count) { return static_cast<int>(count.varied); });
  table.group("varies", {"Varies"}, [](auto& count) { return name_of(count.varied); });
  table.add("model", {"Model"}, &Count::model);
  table.add("match", {"Match"}, &Count::match);
  table.add("mismatch", {"Differ"}, &Count::mismatch);
  table.add("rate", {"Rate (%)", Shown::percent}, rate_of);
  table.add("paper_match", {"Paper"}, printed(&PrintedTendency::match));
  table.add("paper_mismatch", {"Differ"}, printed(&PrintedTendency::mismatch));
  table.add("paper_rate", {"Rate (%)", Shown::percent}, printed(&PrintedTendency::rate));
  table.add("no_worse", is_no_worse);
  table.add("apart", {"Excl."}, &Count::apart);
  table.add("only_model", &Count::only_model);
  table.add("only_simulated", &Count::only_simulated);
  table.add("no_change", &Count::no_change);
  return table.take();
}

std::vector<std::string> Study::explanations() const {
  std::vector<std::string> lines;
  for (const Cause cause : studies::all_causes)
    if (std::ranges::find(causes_, std::optional(cause)) != causes_.end())
      lines.push_back(fmt::format("{}: {}", studies::name_of(cause), studies::explain(cause)));
  return lines;
}

std::vector<CausedPairs> Study::pairs_by_cause() const {
  std::vector<CausedPairs> all;
  for (const auto& count : counts_)
    for (const auto agreement :
         {Agreement::mismatch, Agreement::only_model, Agreement::only_simulated})
      for (const Cause cause : studies::all_causes) {
        std::int64_t pairs = 0;
        for (std::size_t i = 0; i < pairs_.size(); ++i)
          pairs += pairs_[i].varied == count.varied &&
                   points_[pairs_[i].from].model == count.model &&
                   pairs_[i].agreement == agreement && causes_[i] == cause;
        if (pairs > 0) all.push_back({count, agreement, cause, pairs});
      }
  return all;
}

DocumentTable Study::causes() const {
  TableOf table(pairs_by_cause(), {.title = "Causes of the other pairs", .notes = explanations()});
  table.group("varies", {"Varies"}, [](auto& each) { return name_of(each.of.varied); });
  table.add("model", {"Model"}, [](auto& each) { return each.of.model; });
  table.add("agreement", {"What changes"}, [](auto& each) { return name_of(each.agreement); });
  table.add("cause", {"Cause"}, [](auto& each) { return name_of(each.cause); });
  table.add("pairs", {"Pairs"}, &CausedPairs::pairs);
  return table.take();
}

// A pair of points with the facts about both and the cause of their mismatch.
struct KnownPair {
  const TendencyPair& of;
  const TendencyPoint &from, &to;
  const ShuffleFacts &facts_from, &facts_to;
  std::optional<Cause> cause;

  Cell cause_name() const { return cause ? cell_of(name_of(*cause)) : Cell{}; }
};

// Adds the facts about one of the two points; `end` is the prefix of the column names.
void add_facts(TableOf<std::vector<KnownPair>&>& table, const std::string& end,
               const ShuffleFacts& (*facts)(const KnownPair&)) {
  const auto add = [&](const char* name, auto value) {
    table.add(end + '_' + name, [=](auto& pair) { return cell_from(facts(pair), value); });
  };
  add("limit", [](auto& of) { return text_of(of.bottleneck); });
  add("limit_busy", [](auto& of) { return of.bottleneck.busy; });
  add("own_fraction", &ShuffleFacts::own_fraction);
  add("leaving_fraction", &ShuffleFacts::leaving_fraction);
  add("sending_nodes", &ShuffleFacts::sending_nodes);
  add("receiving_nodes", &ShuffleFacts::receiving_nodes);
  add("charged_send", &ShuffleFacts::charged_send);
  add("charged_recv", &ShuffleFacts::charged_recv);
}

DocumentTable Study::pairs(bool mismatches, DocumentTable head) const {
  std::vector<KnownPair> rows;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const auto& pair = pairs_[i];
    const bool is_mismatch = pair.agreement == Agreement::mismatch;
    if (pair.agreement == Agreement::match || is_mismatch != mismatches) continue;
    rows.push_back({pair, points_[pair.from], points_[pair.to], facts_[pair.from], facts_[pair.to],
                    causes_[i]});
  }
  TableOf table(rows, std::move(head));
  table.group("varies", {"Varies"}, [](auto& pair) { return name_of(pair.of.varied); });
  table.add("model", {"Model"}, [](auto& pair) { return pair.from.model; });
  table.add("agreement", [](auto& pair) { return name_of(pair.of.agreement); });
  table.add("procs", {"Procs"}, [](auto& pair) { return range(pair.from.procs, pair.to.procs); });
  table.add("bytes_per_proc", {"Bytes/proc"}, [](auto& pair) {
    return bytes_range(pair.from.bytes_per_proc, pair.to.bytes_per_proc);
  });
  table.add("aggregators", {"Aggr."},
            [](auto& pair) { return range(pair.from.aggregators, pair.to.aggregators); });
  table.add("simulated_change", {"Sim. (%)", Shown::signed_percent},
            [](auto& pair) { return pair.of.simulated_change; });
  table.add("model_change", {"Model (%)", Shown::signed_percent},
            [](auto& pair) { return pair.of.model_change; });
  table.add("cause", {"Cause"}, &KnownPair::cause_name);
  add_facts(
      table, "from", [](const KnownPair& pair) -> const auto& { return pair.facts_from; });
  add_facts(
      table, "to", [](const KnownPair& pair) -> const auto& { return pair.facts_to; });
  return table.take();
}

DocumentTable mismatches_table(const Study& study) {
  return study.pairs(true, {.title = "Pairs in which one increases and the other decreases"});
}
DocumentTable apart_table(const Study& study) {
  return study.pairs(
      false, {.title = "Pairs in which only one changes, or neither", .only_on_request = true});
}

constexpr Part<Study> io_case_tables[] = {
    {"points", [](const Study& study) { return study.points(); }},
    {"cases", [](const Study& study) { return study.cases(); }},
    {"causes", [](const Study& study) { return study.causes(); }},
    {"mismatches", mismatches_table},
    {"apart", apart_table}};

}  // namespace

std::vector<std::string> io_case_parts() { return names_of(io_case_tables); }

Document io_case_document(const IoCases& cases) {
  Document document;
  document.schema = "sim.validate.io-cases/1";
  document.about = {"Trends of collective I/O: the model compared with the simulation"};
  document.tables = tables_of(io_case_tables, Study(cases));
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
    lines.push_back(fmt::format("{}, {}: {:.1f} % match, {:.1f} % required", name_of(count.varied),
                                count.model, 100 * count.rate(), 100 * wanted));
  }
  return lines;
}

namespace {

using io_models::ComparedValue;
using Values = std::vector<ComparedValue>;

DocumentTable io_values_table(const Values& values) {
  TableOf table(values, {.title = "Each value", .only_on_request = true});
  table.add("partitioning", [](auto& value) { return name_of(value.column.partitioning); });
  table.add("decomposition", [](auto& value) { return name_of(value.column.layout); });
  table.add("procs", [](auto& value) { return value.column.procs; });
  table.add("parameter", &ComparedValue::name);
  table.add("model", &ComparedValue::model);
  table.add("printed", &ComparedValue::printed);
  table.add("equal", &ComparedValue::equal);
  return table.take();
}

// Groups the values by column of the printed table; each column starts with the same parameter.
std::vector<std::span<const ComparedValue>> by_column(const Values& values) {
  std::vector<std::span<const ComparedValue>> columns;
  const auto starts = [&](const ComparedValue& each) { return each.name == values.front().name; };
  for (auto at = values.begin(); at != values.end();) {
    const auto end = std::find_if(at + 1, values.end(), starts);
    columns.emplace_back(at, end);
    at = end;
  }
  return columns;
}

// A row for each column of the printed table.
DocumentTable io_parameters_table(const Values& values) {
  const auto equal = std::ranges::count_if(values, &ComparedValue::equal);
  const auto columns = by_column(values);
  TableOf table(columns, {.title = "Computed values, each followed by the printed one",
                          .notes = {fmt::format("{} of {} equal", equal, values.size())}});
  table.group("model", {"Model"}, [](auto& row) {
    const auto& of = row.front().column;
    return fmt::format("{} {}", name_of(of.partitioning), name_of(of.layout));
  });
  table.add("procs", {"Procs"}, [](auto& row) { return row.front().column.procs; });
  for (std::size_t i = 0; !columns.empty() && i < columns.front().size(); ++i) {
    const std::string name(values[i].name);
    table.add(name, {name == "m_s_MB" ? "m_s (MB)" : name, Shown::significant},
              [i](auto& row) { return row[i].model; });
    table.add(name + "_printed", {"5.1"}, [i](auto& row) { return row[i].printed; });
  }
  return table.take();
}

constexpr Part<Values> io_parts[] = {{"values", io_values_table},
                                     {"parameters", io_parameters_table}};

}  // namespace

std::vector<std::string> io_parameter_parts() { return names_of(io_parts); }

Document io_parameter_document(const Values& values) {
  Document document;
  document.schema = "sim.validate.io/2";
  document.about = {
      "The analytic model of collective I/O, compared with Table 5.1 of Jha's dissertation",
      "1024 MB per process, 64 aggregators, collective buffers of 32 MB",
      "m_s is truncated to two decimals in print. The values imply errata in two formulas: n_as of "
      "even 2d is ceil(P_a/P_x), printed as ceil(P_x/P_a); n_as of static 1d is ceil(d_p/b_c), "
      "printed as d_p/P_a"};
  document.tables = tables_of(io_parts, values);
  return document;
}

}  // namespace tutti::reports
