// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/quantile.hpp"
#include "sim/fireworks/node_sets.hpp"
#include "sim/fireworks/report/fireworks_report.help.hpp"
#include "sim/fireworks/report/reports.hpp"

namespace tutti::reports {
namespace {

using studies::fireworks::CostModel;
using studies::fireworks::Form;
using studies::fireworks::form_names;
using studies::fireworks::NodeLoad;
using studies::fireworks::Plane;
using studies::fireworks::requested_load;
using workloads::Exchanged;
using workloads::Fireworks;

std::string order_name(const CostModel& model) {
  return std::string(workloads::posting_orders[static_cast<std::size_t>(model.order)]);
}

// Adds the columns that identify the model of a row (its member `model`).
template <class Rows>
void add_model(TableOf<Rows>& table) {
  table.add("order", [](auto& row) { return order_name(row.model); });
  table.add("hot_spots", [](auto& row) { return row.model.hot_spots; });
  table.add("message_bytes", [](auto& row) { return row.model.message_bytes; });
}
template <class Rows>
void add_and_group_by_model(TableOf<Rows>& table) {
  add_model(table);
  table.group("model", [](auto& row) { return model_title(row.model); });
}

struct RoundOfModel {
  const CostModel& model;
  const studies::fireworks::MeasuredRound& round;

  NodeLoad load() const { return requested_load(round.requested); }
  double bytes_per_s() const {
    const double messages = load().intra + load().inter();
    return messages * static_cast<double>(round.requested.message_bytes) / round.time_s;
  }
  Cell expected(Form form) const { return model.has(form) ? Cell{model.at(load(), form)} : Cell{}; }
};

std::vector<RoundOfModel> rounds_by_model(const FireworksReport& report) {
  std::vector<RoundOfModel> rounds;
  for (const auto& model : report.costs.models)
    for (const auto& round : report.rounds)
      if (is_model_for(model, round.requested)) rounds.push_back({model, round});
  return rounds;
}

// The text table omits some forms.
std::optional<ShownAs> shown_form(Form form) {
  if (form == Form::linear) return ShownAs{"Linear", Shown::ms};
  if (form == Form::split) return ShownAs{"Split", Shown::ms};
  if (form == Form::bottleneck) return ShownAs{"Bottleneck", Shown::ms};
  return std::nullopt;
}

DocumentTable rounds_table(const FireworksReport& report) {
  TableOf table(rounds_by_model(report), {.title = "Rounds of messages", .only_on_request = true});
  add_model(table);
  table.add("exchanged", {"Exchanged"}, [](auto& row) {
    return workloads::exchanged_names[static_cast<std::size_t>(row.round.requested.exchanged)];
  });
  table.add("intra_pairs", {"Intra"}, [](auto& row) { return row.round.requested.intra_pairs; });
  table.add("inter_pairs", {"Inter"}, [](auto& row) { return row.round.requested.inter_pairs; });
  table.add("intra_messages",
            [](auto& row) { return static_cast<std::int64_t>(row.load().intra); });
  table.add("inter_messages",
            [](auto& row) { return static_cast<std::int64_t>(row.load().inter()); });
  table.add("time_s", {"Time (ms)", Shown::ms}, [](auto& row) { return row.round.time_s; });
  table.add("throughput_Bps", &RoundOfModel::bytes_per_s);
  for (std::size_t i = 0; i < form_names.size(); ++i) {
    const auto form = static_cast<Form>(i);
    table.add(fmt::format("{}_s", form_names[i]), shown_form(form),
              [=](auto& row) { return row.expected(form); });
  }
  table.add("busiest_link", {"Busiest link"}, [](auto& row) { return row.round.busiest.name; });
  table.add("busy_fraction", [](auto& row) { return row.round.busy_fraction(); });
  return table.take();
}

// Times of the rounds that exchange both ways, by model, inter pairs and intra pairs.
using SurfaceTimes = std::map<std::tuple<const CostModel*, int, int>, Seconds>;

struct SurfaceRow {
  const CostModel& model;
  int inter_pairs;

  Cell at(const SurfaceTimes& times, int intra_pairs) const {
    const auto time = times.find({&model, inter_pairs, intra_pairs});
    return time == times.end() ? Cell{} : Cell{time->second};
  }
};

// Rows: partners on other nodes; columns: partners inside the node.
DocumentTable surface_table(const FireworksReport& report) {
  std::set<int> intra, inter;
  SurfaceTimes times;
  for (const auto& [model, round] : rounds_by_model(report)) {
    if (round.requested.exchanged != Exchanged::both) continue;
    intra.insert(round.requested.intra_pairs);
    inter.insert(round.requested.inter_pairs);
    times[{&model, round.requested.inter_pairs, round.requested.intra_pairs}] = round.time_s;
  }
  std::vector<SurfaceRow> rows;
  for (const auto& model : report.costs.models)
    for (const int pairs : inter) rows.push_back({model, pairs});
  TableOf table(rows, {.title = "Time in ms by pairs with other nodes (rows) and inside (columns)",
                       .notes = {"per pair the hot spot receives one message and sends one",
                                 std::string(texts::fireworks_report["surface"])}});
  table.group("model", [](auto& row) { return model_title(row.model); });
  table.add("inter_pairs", {""}, &SurfaceRow::inter_pairs);
  int spare = 0;
  for (const int pairs : intra) {
    table.add(fmt::format("intra_{}_s", pairs), {fmt::format("{}", pairs), Shown::ms, spare},
              [&](auto& row) { return row.at(times, pairs); });
    spare = pairs >= 3 ? spare + 1 : 0;
  }
  return table.take();
}

// How well a form fits; the two sides of the split have only R^2.
struct FormRow {
  const CostModel& model;
  std::string form;
  std::string best;
  double r2;
  std::optional<studies::fireworks::Quality> of_all = {};
};

std::vector<FormRow> form_rows(const FireworksReport& report) {
  std::vector<FormRow> rows;
  for (const auto& model : report.costs.models)
    for (std::size_t i = 0; i < form_names.size(); ++i) {
      const auto form = static_cast<Form>(i);
      if (!model.has(form)) continue;
      const auto& quality = model.quality[i];
      rows.push_back({model, std::string(form_names[i]), model.best == form ? "best" : "",
                      quality.r2, quality});
      if (form != Form::split) continue;
      const auto& split = *model.split;
      const auto* by = split.by == studies::fireworks::Split::By::intra ? "intra" : "inter";
      rows.push_back(
          {model, fmt::format("  up to {:g} {}", split.last_below, by), "", split.r2_below});
      rows.push_back(
          {model, fmt::format("  above {:g} {}", split.last_below, by), "", split.r2_above});
    }
  return rows;
}

DocumentTable forms_table(const FireworksReport& report) {
  const auto rows = form_rows(report);
  DocumentTable head{
      .title = "Fit of the forms of the cost model",
      .notes = {
          "linear, split: the paper's, by least squares; huber: linear, by Huber regression",
          "split: one plane on each side of the number of messages with the smallest residual",
          "bottleneck: the maximum of the times of messages inside, in, out, and in + out",
          "links: proportional to the time that the busiest link needs for its bytes"}};
  const bool is_poor = std::ranges::any_of(rows, [](const FormRow& row) {
    return row.r2 < 0 || (row.of_all && row.of_all->r2_all < 0);
  });
  if (is_poor)
    head.notes.push_back(
        "R^2 below 0: the form predicts worse than the mean of the times; do not use it");
  TableOf table(rows, std::move(head));
  const auto of_all = [](double studies::fireworks::Quality::*number) {
    return [=](auto& row) { return row.of_all ? Cell{*row.of_all.*number} : Cell{}; };
  };
  using Quality = studies::fireworks::Quality;
  add_and_group_by_model(table);
  table.add("form", {"Form"}, &FormRow::form);
  table.add("best", {.head = "", .place = 1}, &FormRow::best);
  table.add("r2", {"R^2", Shown::fine}, &FormRow::r2);
  table.add("r2_all", {"R^2 incl. one-way", Shown::fine}, of_all(&Quality::r2_all));
  table.add("rms_s", {"RMS (us)", Shown::us}, of_all(&Quality::rms_s));
  table.add("largest_residual_s", {"Max (us)", Shown::us}, of_all(&Quality::largest_residual_s));
  return table.take();
}

// Coefficients of a plane. A line of the bottleneck has either alpha or beta.
struct CostRow {
  const CostModel& model;
  const char* form;
  std::string part;
  std::optional<Seconds> alpha_s, beta_s, gamma_s;
};

void add_costs(const CostModel& model, std::vector<CostRow>& rows) {
  const auto add_plane = [&](const char* form, std::string part, const Plane& plane) {
    rows.push_back({model, form, std::move(part), plane.alpha_s, plane.beta_s, plane.gamma_s});
  };
  add_plane("linear", "all", model.linear);
  add_plane("huber", "all", model.huber);
  if (model.split) {
    const auto* by = model.split->by == studies::fireworks::Split::By::intra ? "ca" : "ce";
    add_plane("split", fmt::format("{} <= {:g}", by, model.split->last_below), model.split->below);
    add_plane("split", fmt::format("{} > {:g}", by, model.split->last_below), model.split->above);
  }
  const auto& [intra, in, out, inter] = model.bottleneck;
  rows.push_back({model, "bottleneck", "inside", intra.per_message_s, {}, intra.once_s});
  rows.push_back({model, "bottleneck", "in", {}, in.per_message_s, in.once_s});
  rows.push_back({model, "bottleneck", "out", {}, out.per_message_s, out.once_s});
  rows.push_back({model, "bottleneck", "in and out", {}, inter.per_message_s, inter.once_s});
}

// Coefficients of T = alpha ca + beta ce + gamma, and of the lines of the bottleneck.
DocumentTable costs_table(const FireworksReport& report) {
  std::vector<CostRow> rows;
  for (const auto& model : report.costs.models) add_costs(model, rows);
  TableOf table(rows, {.title = "T = alpha ca + beta ce + gamma, in us per message and per round",
                       .notes = {"ca: messages inside the node; ce: to and from other nodes"}});
  add_and_group_by_model(table);
  table.add("form", {"Form"}, &CostRow::form);
  table.add("part", {"Part"}, &CostRow::part);
  table.add("alpha_s", {"alpha (us)", Shown::us}, &CostRow::alpha_s);
  table.add("beta_s", {"beta (us)", Shown::us}, &CostRow::beta_s);
  table.add("gamma_s", {"gamma (us)", Shown::us}, &CostRow::gamma_s);
  return table.take();
}

// How the best form orders random node sets.
DocumentTable trial_table(const FireworksReport& report) {
  std::vector<CostModel> tried;
  for (const auto& model : report.costs.models)
    if (model.trial) tried.push_back(model);
  DocumentTable head{.title = "Random node sets that the best form orders as the simulation does",
                     .only_on_request = tried.empty()};
  if (!tried.empty())
    head.notes = {std::string(texts::fireworks_report["trial"]),
                  "ratio: expected / simulated time, 5th and 95th percentile"};
  TableOf table(tried, std::move(head));
  table.add("order", [](auto& model) { return order_name(model); });
  table.add("hot_spots", [](auto& model) { return model.hot_spots; });
  table.add("message_bytes", [](auto& model) { return model.message_bytes; });
  table.group("model", [](auto& model) { return model_title(model); });
  table.add("form", {"Form"}, [](auto& model) { return std::string(form_name(model.best)); });
  table.add("pairs", {"Pairs"}, [](auto& model) { return model.trial->pairs; });
  table.add("correct_fraction", {"Correct (%)", Shown::percent}, [](auto& model) {
    return model.trial->pairs > 0 ? Cell{model.trial->correct_fraction()} : Cell{};
  });
  table.add("low_ratio", {"Ratio, 5 %", Shown::fine},
            [](auto& model) { return model.trial->low_ratio; });
  table.add("high_ratio", {"95 %", Shown::fine},
            [](auto& model) { return model.trial->high_ratio; });
  return table.take();
}

struct LinkRow {
  const CostModel& model;
  std::string link;
  std::int64_t points = 0;  // at which it is the busiest link
  double least = 1;         // fraction of the time that it is busy
  double most = 0;
};

std::vector<LinkRow> busiest_links(const FireworksReport& report) {
  std::vector<LinkRow> rows;
  for (const auto& model : report.costs.models) {
    std::map<std::string, LinkRow> links;
    for (const auto& round : report.rounds) {
      const std::string& name = round.busiest.name;
      if (!is_model_for(model, round.requested) || name.empty()) continue;
      LinkRow& row = links.try_emplace(name, LinkRow{model, name}).first->second;
      ++row.points;
      row.least = std::min(row.least, round.busy_fraction());
      row.most = std::max(row.most, round.busy_fraction());
    }
    for (auto& [name, row] : links) rows.push_back(row);
  }
  return rows;
}

// The busiest links: at how many points, and how busy they are.
DocumentTable links_table(const FireworksReport& report) {
  TableOf table(busiest_links(report),
                {.title = "Links that saturate",
                 .notes = {"busy: time that the link's bytes need at its full bandwidth"}});
  add_and_group_by_model(table);
  table.add("link", {"Busiest link"}, &LinkRow::link);
  table.add("points", {"Points"}, &LinkRow::points);
  table.add("least_busy_fraction", {"Busy, min (%)", Shown::percent}, &LinkRow::least);
  table.add("most_busy_fraction", {"Max (%)", Shown::percent}, &LinkRow::most);
  return table.take();
}

struct PrintedRow {
  const CostModel& model;
  const studies::fireworks::PrintedCost& cost;
};

// The table has rows only for machines that the paper measured.
DocumentTable paper_table(const FireworksReport& report) {
  std::vector<PrintedRow> rows;
  for (std::size_t i = 0; i < report.printed.size(); ++i)
    for (const auto& cost : report.printed[i]) rows.push_back({report.costs.models[i], cost});
  DocumentTable head{.title = "The paper's values for this machine, and the simulated ones",
                     .only_on_request = rows.empty()};
  if (!rows.empty()) head.notes = {std::string(texts::fireworks_report["paper"])};
  TableOf table(rows, std::move(head));
  add_and_group_by_model(table);
  table.add("item", {""}, [](auto& row) { return row.cost.item; });
  table.add("printed", {"Paper"}, [](auto& row) { return text_cell(row.cost.printed); });
  table.add("computed", {"Simulated", Shown::significant}, [](auto& row) { return row.cost.ours; });
  return table.take();
}

constexpr Part<FireworksReport> fireworks_parts[] = {
    {"points", rounds_table}, {"surface", surface_table}, {"forms", forms_table},
    {"trial", trial_table},   {"costs", costs_table},     {"links", links_table},
    {"paper", paper_table}};

using studies::fireworks::Ordering;
using studies::fireworks::PredictedTime;

DocumentTable node_sets_table(const FireworksCheckReport& report) {
  using Set = studies::fireworks::CheckedNodeSet;
  TableOf table(report.sets, {.title = "Node sets", .only_on_request = true});
  table.group("nodes", [](auto& set) { return set.procs_of_node.size(); });
  table.add("node_set", {"Node set"}, [](auto& set) { return node_set_text(set.procs_of_node); });
  for (std::size_t i = 0; i < form_names.size(); ++i)
    table.add(fmt::format("{}_s", form_names[i]), {std::string(form_names[i]), Shown::ms},
              [i](auto& set) { return set.expected_s[i]; });
  table.add("time_s", {"Simulated", Shown::ms}, &Set::simulated_s);
  return table.take();
}

// Times of all sets, or of those with the given number of nodes; empty if the form has no times.
std::vector<PredictedTime> set_times(const FireworksCheckReport& report, std::size_t form,
                                     std::optional<std::int64_t> nodes) {
  std::vector<PredictedTime> times;
  for (const auto& set : report.sets) {
    const auto of_set = static_cast<std::int64_t>(set.procs_of_node.size());
    if (set.expected_s[form] && nodes.value_or(of_set) == of_set)
      times.push_back({of_set, *set.expected_s[form], set.simulated_s});
  }
  return times;
}

double median_ratio(const std::vector<PredictedTime>& times) {
  std::vector<double> ratios;
  for (const auto& time : times) ratios.push_back(time.predicted_s / time.simulated_s);
  return median_of(ratios);
}

// Result of one form for all node sets, or for those with the same number of nodes.
struct OrderedSets {
  std::string_view form;
  Cell nodes;
  std::vector<PredictedTime> times;
  Ordering ordering;

  double median() const { return median_ratio(times); }
  Cell correct_fraction() const {
    return ordering.pairs > 0 ? Cell{ordering.correct_fraction()} : Cell{};
  }
};

std::vector<OrderedSets> ordered_sets(const FireworksCheckReport& report) {
  std::set<std::int64_t> nodes;
  for (const auto& set : report.sets) nodes.insert(std::ssize(set.procs_of_node));
  std::vector<OrderedSets> all;
  for (std::size_t form = 0; form < form_names.size(); ++form) {
    const auto add = [&](Cell label, std::optional<std::int64_t> of) {
      const auto times = set_times(report, form, of);
      if (times.empty()) return;
      const auto ordering = studies::fireworks::count_ordered_pairs(times, report.clearly);
      all.push_back({form_names[form], std::move(label), times, ordering});
    };
    for (const auto count : nodes) add(count, count);
    add(std::string("all"), std::nullopt);
  }
  return all;
}

DocumentTable ordering_table(const FireworksCheckReport& report) {
  using Sets = OrderedSets;
  TableOf table(
      ordered_sets(report),
      {.title = "Pairs of node sets that are ordered as in the simulation",
       .notes = {fmt::format("pairs with the same number of nodes whose expected times differ by "
                             "more than {:g} %; the ratio is the median",
                             100 * report.clearly)}});
  table.group("form", &Sets::form);
  table.add("nodes", {"Nodes"}, &Sets::nodes);
  table.add("sets", {"Sets"}, [](auto& sets) { return sets.times.size(); });
  table.add("pairs", {"Pairs"}, [](auto& sets) { return sets.ordering.pairs; });
  table.add("correct_fraction", {"Correct (%)", Shown::percent}, &Sets::correct_fraction);
  table.add("median_expected_ratio", {"Expected / simulated", Shown::fine}, &Sets::median);
  return table.take();
}

constexpr Part<FireworksCheckReport> fireworks_check_parts[] = {{"points", node_sets_table},
                                                                {"ordering", ordering_table}};

std::string chosen_text(const FireworksCheckReport& report) {
  if (!report.chosen) return "No node set was simulated";
  const auto& [form, trial] = *report.chosen;
  const auto name = studies::fireworks::form_name(form);
  std::string text = report.is_requested
                         ? fmt::format("Expected times: form {} only", name)
                         : fmt::format("The form that orders the node sets best is {}", name);
  if (trial.pairs > 0)
    text += fmt::format(": {:.1f} % of {} pairs of sets not used to choose it",
                        100 * trial.correct_fraction(), trial.pairs);
  text += fmt::format("; expected / simulated {:.2f} to {:.2f} (5th to 95th percentile)",
                      trial.low_ratio, trial.high_ratio);
  if (!report.is_requested && name != report.form_of_costs)
    text += fmt::format(
        "; `sim fireworks predict` uses {}, the best of the cost file: select "
        "this one with --form {}",
        report.form_of_costs, name);
  return text;
}

}  // namespace

std::string model_title(const CostModel& model) {
  return fmt::format("{}, {}, {}", format_bytes(model.message_bytes), order_name(model),
                     counted(model.hot_spots, "hot spot"));
}

bool is_model_for(const CostModel& model, const Fireworks& requested) {
  return model.order == requested.order && model.hot_spots == requested.hot_spots &&
         model.message_bytes == requested.message_bytes;
}

Document fireworks_document(const FireworksReport& report) {
  Document document{report, "sim.fireworks/1"};
  document.about = {fmt::format("Communication cost of a node of {}: {} rounds",
                                report.provenance.platform_name(), report.rounds.size())};
  if (report.run.not_run > 0)
    document.about.push_back(
        fmt::format("Interrupted: {} rounds were not run", report.run.not_run));
  document.tables = tables_of(fireworks_parts, report);
  document.plots = {{{"x", "inter_messages"},
                     {"y", "time_s"},
                     {"series", "intra_messages"},
                     {"facet", "order,exchanged"},
                     {"title", "Communication cost of a node"}}};
  return document;
}

std::vector<std::string> fireworks_document_parts() { return names_of(fireworks_parts); }

Document fireworks_check_document(const FireworksCheckReport& report) {
  Document document{report, "sim.fireworks.check/1"};
  document.about = {fmt::format("Expected and simulated exchanges of {} random node sets on {}",
                                report.sets.size(), report.provenance.platform_name()),
                    chosen_text(report)};
  if (report.run.not_run > 0)
    document.about.push_back(
        fmt::format("Interrupted: {} node sets were not run", report.run.not_run));
  document.tables = tables_of(fireworks_check_parts, report);
  return document;
}

std::vector<std::string> fireworks_check_document_parts() {
  return names_of(fireworks_check_parts);
}

}  // namespace tutti::reports
