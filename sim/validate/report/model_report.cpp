// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/report/model_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/counted.hpp"
#include "sim/base/quote.hpp"
#include "sim/validate/model_summary.hpp"

namespace tutti::reports {
namespace {

using studies::CheckedCall;

std::string reference_text(const ModelReport& report) {
  if (!report.options.with_contention)
    return "errors are (formula - simulated) / simulated, without contention but at the cards";
  return "errors are (formula - simulated) / simulated, with contention";
}

DocumentTable errors_table(const std::vector<CheckedCall>& calls, const ModelReport& report) {
  DocumentTable table{.name = "errors",
                      .title = "How far the formulas are off",
                      .table = studies::model_errors(calls),
                      .shown = {{"algorithm", "Algorithm"},
                                {"model", "Model"},
                                {"median_error", "Median %", Shown::percent},
                                {"p90_error", "90 %", Shown::percent, 1},
                                {"worst_error", "Worst %", Shown::signed_percent, 2},
                                {"worst_simulated_over_model", "Sim/model", Shown::decimals},
                                {"worst_at", "At"}},
                      .group_by = "collective"};
  table.notes = {
      "Median, 90 %: of the errors without their signs; Worst: with its sign; "
      "Sim/model, At: there"};
  if (report.options.parts) {
    table.shown.push_back({"mostly", "Mostly"});
    table.notes.emplace_back(
        "Mostly: what makes the greatest part of the errors, switched off in turn: links behind "
        "the cards are shared, cards of nodes are shared, messages inside nodes go another way, "
        "the "
        "protocol (eager limit, handshake, copies), what else the formula leaves out, its "
        "parameters in place of the protocol's; "
        "--part errors --format csv has the shares");
  }
  return table;
}

DocumentTable ranking_table(const std::vector<CheckedCall>& calls) {
  return {.name = "ranking",
          .title = "Whether they rank the algorithms",
          .table = studies::model_ranking(calls),
          .shown = {{"collective", "Collective"},
                    {"model", "Model"},
                    {"settings", "Settings", Shown::plain, 1},
                    {"pairs", "Pairs", Shown::plain, 2},
                    {"right_part", "Right %", Shown::percent},
                    {"median_regret", "Regret %", Shown::percent},
                    {"worst_regret", "Worst %", Shown::percent},
                    {"worst_at", "At"},
                    {"worst_choice", "Its choice"}},
          .group_by = {},
          .notes = {"Right: pairs of algorithms, of those that differ by more than 1 %, that the "
                    "model orders as the simulation does; Regret: how much longer its choice takes "
                    "than the best one, median and worst over processes and sizes"}};
}

DocumentTable choices_table(const std::vector<CheckedCall>& calls) {
  return {.name = "choices",
          .title = "The best algorithm and the models' choice, of each setting",
          .table = studies::model_choices(calls),
          .shown = {{"procs", "Procs"},
                    {"ppn", "PPN", Shown::plain, 1},
                    {"message_bytes", "Size", Shown::bytes},
                    {"model", "Model"},
                    {"best", "Best"},
                    {"best_time_s", "us", Shown::microseconds, 1},
                    {"choice", "Its choice"},
                    {"regret", "Regret %", Shown::percent}},
          .group_by = "collective",
          .notes = {},
          .only_on_request = true};
}

DocumentTable points_table(const std::vector<CheckedCall>& calls) {
  return {.name = "points",
          .title = "Each call",
          .table = studies::model_points(calls),
          .shown = {{"algorithm", "Algorithm"},
                    {"procs", "Procs"},
                    {"ppn", "PPN", Shown::plain, 1},
                    {"message_bytes", "Size", Shown::bytes},
                    {"model", "Model"},
                    {"model_s", "Model us", Shown::microseconds},
                    {"contention_free_s", "Free us", Shown::microseconds},
                    {"time_s", "Simulated", Shown::microseconds},
                    {"relative_error", "Error %", Shown::signed_percent}},
          .group_by = "collective",
          .notes = {"Free: without contention but at the network cards"},
          .only_on_request = true};
}

// A picture of each collective, and in it a panel of each model and number of processes.
std::vector<PlotWords> plots_of(const std::vector<CheckedCall>& calls) {
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
                     {"title", "simulated over model"}});
  }
  return plots;
}

}  // namespace

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

Document model_document(const ModelReport& report) {
  const auto& calls = report.calls;
  Document document;
  static_cast<ReportHead&>(document) = report;
  document.schema = "sim.validate.models/1";
  document.about = {fmt::format("Formulas beside simulations on {}: {}, engine flow",
                                report.provenance.platform_name, counted(calls.size(), "call")),
                    reference_text(report), parameters_text(report.parameters)};
  if (report.not_run > 0)
    document.failed.push_back(
        fmt::format("INCOMPLETE: {} calls were not run, the check was stopped", report.not_run));
  document.tables = {points_table(calls), errors_table(calls, report), ranking_table(calls),
                     choices_table(calls)};
  document.plots = plots_of(calls);
  return document;
}

std::vector<std::string> model_document_parts() {
  return {"errors", "ranking", "choices", "points"};
}

}  // namespace tutti::reports
