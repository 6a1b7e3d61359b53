// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/report/model_report.help.hpp"
#include "sim/validate/report/reports.hpp"

namespace tutti::reports {
namespace {

using studies::CheckedCall;

std::string reference_text(const ModelReport& report) {
  if (!report.options.with_contention)
    return "errors are (formula - simulated) / simulated, with contention at the NICs only";
  return "errors are (formula - simulated) / simulated, with contention";
}

std::vector<std::string> error_notes(bool with_parts) {
  std::vector<std::string> notes{std::string(texts::model_report["errors"])};
  if (with_parts) notes.emplace_back(std::string(texts::model_report["mostly"]));
  return notes;
}

DocumentTable errors_table(const ModelReport& report) {
  using Errors = studies::ModelErrors;
  const bool with_parts = report.options.parts;
  TableOf table(studies::model_errors(report.calls),
                {.title = "Errors of the formulas", .notes = error_notes(with_parts)});
  table.group("collective", [](auto& row) { return row.first.call->collective; });
  table.add("algorithm", {"Algorithm"}, [](auto& row) { return row.first.call->algorithm; });
  table.add("model", {"Model"}, [](auto& row) { return row.first.formula->model; });
  table.add("calls", &Errors::calls);
  table.add("median_error", {"Median (%)", Shown::percent}, &Errors::median);
  table.add("p90_error", {"90th (%)", Shown::percent, 1}, &Errors::p90);
  table.add("worst_error", {"Worst (%)", Shown::signed_percent, 2}, &Errors::worst);
  table.add("worst_simulated_over_model", {"Sim/model", Shown::decimals}, &Errors::worst_ratio);
  table.add("worst_at", {"At"}, &Errors::worst_at);
  table.add("median_simulated_over_model", &Errors::median_ratio);
  for (std::size_t i = 0; i < studies::error_parts.size(); ++i)
    table.add(fmt::format("{}_share", studies::error_parts[i].name),
              [i](auto& row) { return row.shares[i]; });
  table.add("mostly", shown_if(with_parts, {"Mostly"}), &Errors::mostly);
  return table.take();
}

DocumentTable model_ranking_table(const ModelReport& report) {
  using Ranking = studies::ModelRanking;
  TableOf table(studies::model_rankings(report.calls),
                {.title = "Ranking of the algorithms by the formulas",
                 .notes = {std::string(texts::model_report["ranking"])}});
  table.group("collective", [](auto& row) { return row.worst.choice->collective; });
  table.add("model", {"Model"}, [](auto& row) { return row.worst.formula->model; });
  table.add("settings", {"Settings", Shown::plain, 1}, &Ranking::settings);
  table.add("pairs", {"Pairs", Shown::plain, 2}, &Ranking::pairs);
  table.add("pairs_right", &Ranking::right);
  table.add("correct_fraction", {"Correct (%)", Shown::percent}, &Ranking::correct_fraction);
  table.add("choice_is_best", &Ranking::best);
  table.add("median_regret", {"Regret (%)", Shown::percent}, &Ranking::median_regret);
  table.add("p90_regret", &Ranking::p90_regret);
  table.add("worst_regret", {"Worst (%)", Shown::percent},
            [](auto& row) { return row.worst.regret(); });
  table.add("worst_at", {"At"}, &Ranking::worst_at);
  table.add("worst_choice", {"Its choice"}, [](auto& row) { return row.worst.choice->algorithm; });
  table.add("worst_best", [](auto& row) { return row.worst.best->algorithm; });
  return table.take();
}

DocumentTable model_choices_table(const ModelReport& report) {
  using Setting = studies::ModelSetting;
  TableOf table(
      studies::model_settings(report.calls),
      {.title = "Best algorithm and the models' choice in each setting", .only_on_request = true});
  table.group("collective", [](auto& row) { return row.best->collective; });
  table.add("procs", {"Procs"}, [](auto& row) { return row.best->procs; });
  table.add("ppn", {"PPN", Shown::plain, 1}, [](auto& row) { return row.best->ppn; });
  table.add("message_bytes", {"Size", Shown::bytes},
            [](auto& row) { return row.best->message_bytes; });
  table.add("model", {"Model"}, [](auto& row) { return row.formula->model; });
  table.add("best", {"Best"}, [](auto& row) { return row.best->algorithm; });
  table.add("best_time_s", {"Best (us)", Shown::us, 1},
            [](auto& row) { return row.best->simulated_s(); });
  table.add("choice", {"Its choice"}, [](auto& row) { return row.choice->algorithm; });
  table.add("choice_time_s", [](auto& row) { return row.choice->simulated_s(); });
  table.add("regret", {"Regret (%)", Shown::percent}, &Setting::regret);
  return table.take();
}

DocumentTable model_points_table(const ModelReport& report) {
  using Entry = studies::ModelEntry;
  TableOf table(studies::model_entries(report.calls),
                {.title = "Each call",
                 .notes = {"Free: without contention except at the NICs"},
                 .only_on_request = true});
  table.group("collective", [](auto& row) { return row.call->collective; });
  table.add("algorithm", {"Algorithm"}, [](auto& row) { return row.call->algorithm; });
  table.add("procs", {"Procs"}, [](auto& row) { return row.call->procs; });
  table.add("nodes", [](auto& row) { return row.call->nodes; });
  table.add("ppn", {"PPN", Shown::plain, 1}, [](auto& row) { return row.call->ppn; });
  table.add("map", [](auto& row) { return row.call->map; });
  table.add("message_bytes", {"Size", Shown::bytes},
            [](auto& row) { return row.call->message_bytes; });
  table.add("model", {"Model"}, [](auto& row) { return row.formula->model; });
  table.add("model_set", [](auto& row) { return row.formula->set; });
  table.add("time_s", {"Simulated (us)", Shown::us, 0, 2},
            [](auto& row) { return row.call->times.time_s; });
  table.add("contention_free_s", {"Free (us)", Shown::us, 0, 1},
            [](auto& row) { return row.call->times.contention_free_s; });
  table.add("own_nics_s", [](auto& row) { return row.call->times.private_s; });
  table.add("one_rank_nodes_s", [](auto& row) { return row.call->times.one_rank_nodes_s; });
  table.add("all_eager_s", [](auto& row) { return row.call->times.eager_s; });
  table.add("model_s", {"Model (us)", Shown::us}, [](auto& row) { return row.formula->time_s(); });
  table.add("simulated_over_model", &Entry::simulated_over_model);
  table.add("relative_error", {"Error (%)", Shown::signed_percent, 0, 3},
            [](auto& row) { return row.error.error; });
  table.add("contention_free_error", [](auto& row) { return row.error.contention_free_error; });
  for (const auto& part : studies::error_parts)
    table.add(fmt::format("{}_fraction", part.name),
              [&](auto& row) { return row.error.*part.member; });
  return table.take();
}

constexpr Part<ModelReport> model_parts[] = {
    {"errors", errors_table},
    {"ranking", model_ranking_table},
    {"choices", model_choices_table},
    {.name = "points", .table = model_points_table, .is_first = true}};

// A figure for each collective, with a panel for each model and number of processes.
std::vector<PlotWords> collective_plots(const std::vector<CheckedCall>& calls) {
  std::vector<PlotWords> plots;
  std::vector<std::string> collectives;
  for (const auto& call : calls) {
    if (std::ranges::find(collectives, call.collective) != collectives.end()) continue;
    collectives.push_back(call.collective);
    plots.push_back({{"x", "message_bytes"},
                     {"y", "simulated_over_model"},
                     {"series", "algorithm"},
                     {"facet", studies::ppn_varies(calls) ? "model,procs,ppn" : "model,procs"},
                     {"log", "xy"},
                     {"only", "collective=" + call.collective},
                     {"title", "Simulated over model"}});
  }
  return plots;
}

// "Hockney (crill:hockney): l 1.60 us, ...; LogGP ...".
std::string parameters_text(const studies::ModelParameters& parameters) {
  const auto& [hockney, loggp] = parameters;
  constexpr Bytes small = 1, large = 1 << 20;
  const std::string gap = loggp.g_s(small) == loggp.g_s(large)
                              ? format_seconds(loggp.g_s(small))
                              : fmt::format("{} to {}", format_seconds(loggp.g_s(small)),
                                            format_seconds(loggp.g_s(large)));
  return fmt::format(
      "Hockney ({}): l {}, b {:.4g} MB/s; LogGP ({}): L {}, o {}, g {}, G {:.4g} ns/B", hockney.set,
      format_seconds(hockney.l_s), hockney.b_Bps / 1e6, loggp.set, format_seconds(loggp.L_s),
      format_seconds(loggp.o_s), gap, loggp.G_s_per_B * 1e9);
}

}  // namespace

Document model_document(const ModelReport& report) {
  const auto& calls = report.calls;
  Document document{report, "sim.validate.models/1"};
  document.about = {fmt::format("Formulas compared with simulations on {}: {}, engine flow",
                                report.provenance.platform_name(), counted(calls.size(), "call")),
                    reference_text(report), parameters_text(report.parameters)};
  add_not_run(document, report.run.not_run, "calls", "check");
  document.tables = tables_of(model_parts, report);
  document.plots = collective_plots(calls);
  return document;
}

std::vector<std::string> model_document_parts() { return names_of(model_parts); }

}  // namespace tutti::reports
