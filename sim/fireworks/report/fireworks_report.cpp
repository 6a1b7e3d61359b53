// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/report/fireworks_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/base/counted.hpp"
#include "sim/base/optional_cell.hpp"

namespace tutti::reports {
namespace {

using studies::fireworks::CostModel;
using studies::fireworks::Form;
using studies::fireworks::form_names;
using studies::fireworks::load_of;
using studies::fireworks::Plane;
using workloads::Exchanged;
using workloads::Fireworks;

std::string order_of(const CostModel& model) {
  return std::string(workloads::posting_orders[static_cast<std::size_t>(model.order)]);
}

std::vector<Cell> model_cells(const CostModel& model) {
  return {order_of(model), std::int64_t{model.hot_spots}, model.message_bytes};
}

template <class Each>
void each_round(const FireworksReport& report, const Each& each) {
  for (const auto& model : report.costs.models)
    for (const auto& round : report.rounds)
      if (is_of(model, round.asked)) each(model, round);
}

DocumentTable points_table(const FireworksReport& report) {
  DocumentTable table{
      .name = "points",
      .title = "Each round of messages",
      .table = {{"order", "hot_spots", "message_bytes", "exchanged", "intra_pairs", "inter_pairs",
                 "intra_messages", "inter_messages", "time_s", "throughput_Bps", "linear_s",
                 "huber_s", "split_s", "bottleneck_s", "busiest_link", "busy_part"},
                {}},
      .shown = {{"exchanged", "Exchanged"},
                {"intra_pairs", "Intra"},
                {"inter_pairs", "Inter"},
                {"time_s", "Time ms", Shown::milliseconds},
                {"linear_s", "Linear", Shown::milliseconds},
                {"split_s", "Split", Shown::milliseconds},
                {"bottleneck_s", "Bottleneck", Shown::milliseconds},
                {"busiest_link", "Busiest link"}},
      .group_by = {},
      .notes = {},
      .only_on_request = true};
  each_round(report, [&](const CostModel& model, const MeasuredRound& round) {
    const auto load = load_of(round.asked);
    auto row = model_cells(model);
    const double messages = load.intra + load.inter();
    for (Cell cell : std::initializer_list<Cell>{
             std::string(
                 workloads::exchanged_names[static_cast<std::size_t>(round.asked.exchanged)]),
             std::int64_t{round.asked.intra_pairs}, std::int64_t{round.asked.inter_pairs},
             static_cast<std::int64_t>(load.intra), static_cast<std::int64_t>(load.inter()),
             round.time_s,
             messages * static_cast<double>(round.asked.message_bytes) / round.time_s})
      row.push_back(std::move(cell));
    for (std::size_t i = 0; i < form_names.size(); ++i) {
      const auto form = static_cast<Form>(i);
      row.push_back(model.has(form) ? Cell{model.at(load, form)} : Cell{});
    }
    row.emplace_back(round.busiest.name);
    row.emplace_back(round.busiest.busy_part);
    table.table.rows.push_back(std::move(row));
  });
  return table;
}

// Rows: partners on other nodes; columns: those inside.
DocumentTable surface_table(const FireworksReport& report) {
  std::set<int> intra, inter;
  std::map<std::tuple<const CostModel*, int, int>, Seconds> times;
  each_round(report, [&](const CostModel& model, const MeasuredRound& round) {
    if (round.asked.exchanged != Exchanged::both) return;
    intra.insert(round.asked.intra_pairs);
    inter.insert(round.asked.inter_pairs);
    times[{&model, round.asked.inter_pairs, round.asked.intra_pairs}] = round.time_s;
  });
  DocumentTable table{.name = "surface",
                      .title = "Time in ms by pairs with other nodes (rows) and inside (columns)",
                      .table = {{"model", "inter_pairs"}, {}},
                      .shown = {{"inter_pairs", ""}},
                      .group_by = "model",
                      .notes = {"a pair: the hot spot receives a message and sends one"}};
  int spare = 0;
  for (const int each : intra) {
    table.table.columns.push_back(fmt::format("intra_{}_s", each));
    table.shown.push_back(
        {table.table.columns.back(), fmt::format("{}", each), Shown::milliseconds, spare});
    spare = each >= 3 ? spare + 1 : 0;
  }
  for (const auto& model : report.costs.models)
    for (const int row_pairs : inter) {
      std::vector<Cell> row{model_title(model), std::int64_t{row_pairs}};
      for (const int each : intra) {
        const auto found = times.find({&model, row_pairs, each});
        row.push_back(found == times.end() ? Cell{} : Cell{found->second});
      }
      table.table.rows.push_back(std::move(row));
    }
  return table;
}

DocumentTable forms_table(const FireworksReport& report) {
  DocumentTable table{.name = "forms",
                      .title = "Which form of cost fits",
                      .table = {{"order", "hot_spots", "message_bytes", "model", "form", "best",
                                 "r2", "r2_all", "rms_s", "largest_residual_s"},
                                {}},
                      .shown = {{"form", "Form"},
                                {"r2", "R^2", Shown::fine},
                                {"r2_all", "R^2, also one way", Shown::fine},
                                {"rms_s", "RMS us", Shown::microseconds},
                                {"largest_residual_s", "Largest us", Shown::microseconds},
                                {"best", ""}},
                      .group_by = "model",
                      .notes = {}};
  for (const auto& model : report.costs.models) {
    const auto add = [&](std::string form, const char* best, std::vector<Cell> values) {
      auto row = model_cells(model);
      row.insert(row.end(), {model_title(model), std::move(form), std::string(best)});
      row.insert(row.end(), values.begin(), values.end());
      table.table.rows.push_back(std::move(row));
    };
    for (std::size_t i = 0; i < form_names.size(); ++i) {
      const auto form = static_cast<Form>(i);
      if (!model.has(form)) continue;
      const auto& quality = model.quality[i];
      add(std::string(form_names[i]), model.best == form ? "best" : "",
          {quality.r2, quality.r2_all, quality.rms_s, quality.largest_residual_s});
      if (form != Form::split) continue;
      const auto& split = *model.split;
      const auto* by = split.by == studies::fireworks::Split::By::intra ? "intra" : "inter";
      add(fmt::format("  up to {:g} {}", split.last_below, by), "", {split.r2_below, {}, {}, {}});
      add(fmt::format("  above {:g} {}", split.last_below, by), "", {split.r2_above, {}, {}, {}});
    }
  }
  table.notes = {
      "linear, split: the paper's, by least squares; huber: linear, by Huber's regression",
      "split: one plane on each side of a number of messages, found where the rest is least",
      "bottleneck: the greatest of what messages inside, in, out and both take alone"};
  return table;
}

// Of T = alpha ca + beta ce + gamma, also of what a bottleneck is the greatest of.
DocumentTable costs_table(const FireworksReport& report) {
  DocumentTable table{.name = "costs",
                      .title = "T = alpha ca + beta ce + gamma, in us of a message and a round",
                      .table = {{"order", "hot_spots", "message_bytes", "model", "form", "part",
                                 "alpha_s", "beta_s", "gamma_s"},
                                {}},
                      .shown = {{"form", "Form"},
                                {"part", "Of"},
                                {"alpha_s", "alpha us", Shown::microseconds},
                                {"beta_s", "beta us", Shown::microseconds},
                                {"gamma_s", "gamma us", Shown::microseconds}},
                      .group_by = "model",
                      .notes = {"ca: messages inside the node; ce: to and from other nodes"}};
  for (const auto& model : report.costs.models) {
    const auto add = [&](const char* form, std::string part, Cell alpha_s, Cell beta_s,
                         Cell gamma_s) {
      auto row = model_cells(model);
      row.insert(row.end(), {model_title(model), std::string(form), std::move(part),
                             std::move(alpha_s), std::move(beta_s), std::move(gamma_s)});
      table.table.rows.push_back(std::move(row));
    };
    const auto add_plane = [&](const char* form, std::string part, const Plane& plane) {
      add(form, std::move(part), plane.alpha_s, plane.beta_s, plane.gamma_s);
    };
    add_plane("linear", "all", model.linear);
    add_plane("huber", "all", model.huber);
    if (model.split) {
      const auto* by = model.split->by == studies::fireworks::Split::By::intra ? "ca" : "ce";
      add_plane("split", fmt::format("{} <= {:g}", by, model.split->last_below),
                model.split->below);
      add_plane("split", fmt::format("{} > {:g}", by, model.split->last_below), model.split->above);
    }
    const auto& [intra, in, out, inter] = model.bottleneck;
    add("bottleneck", "inside", intra.per_message_s, {}, intra.once_s);
    add("bottleneck", "in", {}, in.per_message_s, in.once_s);
    add("bottleneck", "out", {}, out.per_message_s, out.once_s);
    add("bottleneck", "in and out", {}, inter.per_message_s, inter.once_s);
  }
  return table;
}

// Which links are the busiest ones, of how many points, and how busy.
DocumentTable links_table(const FireworksReport& report) {
  DocumentTable table{.name = "links",
                      .title = "What saturates",
                      .table = {{"order", "hot_spots", "message_bytes", "model", "link", "points",
                                 "least_busy_part", "most_busy_part"},
                                {}},
                      .shown = {{"link", "Busiest link"},
                                {"points", "Points"},
                                {"least_busy_part", "Busy %, least", Shown::percent},
                                {"most_busy_part", "Most", Shown::percent}},
                      .group_by = "model",
                      .notes = {"busy: the time that its bytes need at its full bandwidth"}};
  struct Busy {
    std::int64_t points = 0;
    double least = 1;
    double most = 0;
  };
  for (const auto& model : report.costs.models) {
    std::map<std::string, Busy> links;
    for (const auto& round : report.rounds) {
      if (!is_of(model, round.asked) || round.busiest.name.empty()) continue;
      Busy& busy = links[round.busiest.name];
      ++busy.points;
      busy.least = std::min(busy.least, round.busiest.busy_part);
      busy.most = std::max(busy.most, round.busiest.busy_part);
    }
    for (const auto& [name, busy] : links) {
      auto row = model_cells(model);
      row.insert(row.end(), {model_title(model), name, busy.points, busy.least, busy.most});
      table.table.rows.push_back(std::move(row));
    }
  }
  return table;
}

// Of the machines that the paper measured.
DocumentTable paper_table(const FireworksReport& report) {
  DocumentTable table{
      .name = "paper",
      .title = "What the paper prints of this machine, and ours",
      .table = {{"order", "hot_spots", "message_bytes", "model", "item", "printed", "computed"},
                {}},
      .shown = {{"item", ""}, {"printed", "Paper"}, {"computed", "Here", Shown::significant}},
      .group_by = "model",
      .notes = {"the simulated node is a bottleneck: what goes in, out and inside does not wait "
                "for each other, so planes fit it less; no link was changed for that"}};
  for (std::size_t i = 0; i < report.printed.size(); ++i)
    for (const auto& each : report.printed[i]) {
      const auto& model = report.costs.models[i];
      auto row = model_cells(model);
      row.insert(row.end(),
                 {model_title(model), each.item, each.printed.empty() ? Cell{} : Cell{each.printed},
                  cell_of(each.ours)});
      table.table.rows.push_back(std::move(row));
    }
  table.only_on_request = table.table.rows.empty();
  if (table.only_on_request) table.notes.clear();
  return table;
}

}  // namespace

std::string model_title(const CostModel& model) {
  return fmt::format("{}, {}, {}", format_bytes(model.message_bytes), order_of(model),
                     counted(model.hot_spots, "hot spot"));
}

bool is_of(const CostModel& model, const Fireworks& asked) {
  return model.order == asked.order && model.hot_spots == asked.hot_spots &&
         model.message_bytes == asked.message_bytes;
}

Document fireworks_document(const FireworksReport& report) {
  Document document;
  static_cast<ReportHead&>(document) = report;
  document.schema = "sim.fireworks/1";
  document.about = {fmt::format("What messages cost a node of {}: {} rounds",
                                report.provenance.platform_name, report.rounds.size())};
  if (report.not_run > 0)
    document.about.push_back(fmt::format("Interrupted: {} rounds were not run", report.not_run));
  document.tables = {points_table(report), surface_table(report), forms_table(report),
                     costs_table(report),  links_table(report),   paper_table(report)};
  document.plots = {{{"x", "inter_messages"},
                     {"y", "time_s"},
                     {"series", "intra_messages"},
                     {"facet", "order,exchanged"},
                     {"title", "what messages cost a node"}}};
  return document;
}

std::vector<std::string> fireworks_document_parts() {
  return {"points", "surface", "forms", "costs", "links", "paper"};
}

}  // namespace tutti::reports
