// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/report/model_fit_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/base/counted.hpp"
#include "sim/base/optional_cell.hpp"

namespace tutti::reports {
namespace {

using studies::AlgorithmModel;
using studies::ModelFile;
using studies::ProcsModel;
using studies::SizeClass;

std::string model_name(const AlgorithmModel& model) {
  return model.fanout ? fmt::format("{} {}", model.algorithm, *model.fanout) : model.algorithm;
}

std::string sizes_text(const SizeClass& each) {
  return each.up_to_bytes ? fmt::format("to {}", format_bytes(*each.up_to_bytes)) : "above";
}

std::vector<Cell> parameters_row(const AlgorithmModel& model, const ProcsModel& fit,
                                 const SizeClass& each) {
  const bool is_first = &each == &fit.classes.front();
  const auto& range = fit.range;
  return {model.collective,
          model.algorithm,
          model.fanout ? Cell{std::int64_t{*model.fanout}} : Cell{},
          std::int64_t{fit.procs},
          each.up_to_bytes ? Cell{*each.up_to_bytes} : Cell{},
          each.least_bytes,
          each.most_bytes,
          each.alpha_s,
          each.alpha_half_width_s,
          each.beta_s_per_B,
          each.beta_half_width_s_per_B,
          each.is_determined,
          each.lambda_s,
          each.mu_s_per_B,
          cell_of(fit.gather_alpha_s),
          cell_of(fit.gather_beta_s_per_B),
          range.least_message_bytes,
          range.most_message_bytes,
          range.unsegmented,
          range.least_segment_bytes,
          range.most_segment_bytes,
          fit.condition,
          fit.samples,
          fit.median_error,
          fit.largest_error,
          is_first && &fit == &model.of_procs.front() ? model_name(model) : "",
          is_first ? Cell{std::int64_t{fit.procs}} : Cell{},
          !is_first           ? ""
          : range.unsegmented ? "one piece"
                              : "segments",
          fit.classes.size() > 1 ? sizes_text(each) : "all",
          fmt::format("{:.4g}", each.beta_s_per_B * 1e9),
          fmt::format("{:.4g}", each.mu_s_per_B * 1e9)};
}

DocumentTable parameters_table(const ModelFile& file) {
  DocumentTable table{
      .name = "parameters",
      .title = "What a message of each algorithm costs: alpha + beta bytes",
      .table = {{"collective",
                 "algorithm",
                 "fanout",
                 "procs",
                 "up_to_bytes",
                 "least_bytes",
                 "most_bytes",
                 "alpha_s",
                 "alpha_half_width_s",
                 "beta_s_per_B",
                 "beta_half_width_s_per_B",
                 "determined",
                 "lambda_s",
                 "mu_s_per_B",
                 "gather_alpha_s",
                 "gather_beta_s_per_B",
                 "least_message_bytes",
                 "most_message_bytes",
                 "unsegmented",
                 "least_segment_bytes",
                 "most_segment_bytes",
                 "condition",
                 "samples",
                 "median_error",
                 "largest_error",
                 "shown_name",
                 "shown_procs",
                 "shown_calls",
                 "shown_sizes",
                 "shown_beta",
                 "shown_mu"},
                {}},
      .shown = {{"shown_name", "Algorithm"},
                {"shown_procs", "Procs"},
                {"shown_calls", "Calls", Shown::plain, 1},
                {"shown_sizes", "Sizes"},
                {"alpha_s", "alpha us", Shown::microseconds},
                {"shown_beta", "beta ns/B"},
                {"lambda_s", "lambda us", Shown::microseconds, 3},
                {"shown_mu", "mu ns/B", Shown::plain, 3},
                {"condition", "Condition", Shown::significant, 1},
                {"median_error", "Median %", Shown::percent},
                {"largest_error", "Worst %", Shown::percent, 2}},
      .group_by = "collective",
      .notes = {"Sizes: of messages (segments, where there are any), a line for each class; lambda "
                "and mu: of each message that others wait for, beyond alpha and beta (below 0 "
                "where gamma charges it too much); Median, "
                "Worst: errors "
                "of the model in the experiments"}};
  for (const auto& model : file.models)
    for (const auto& fit : model.of_procs)
      for (const auto& each : fit.classes)
        table.table.rows.push_back(parameters_row(model, fit, each));
  return table;
}

DocumentTable gamma_table(const ModelFile& file, double residual) {
  DocumentTable table{
      .name = "gamma",
      .title = fmt::format("gamma(P): the linear broadcast of {} to P - 1 nodes, in messages",
                           format_bytes(file.gamma_segment_bytes)),
      .table = {{"procs", "gamma", "straight_line"}, {}},
      .shown = {{"procs", "P"},
                {"gamma", "gamma", Shown::significant},
                {"straight_line", "Line", Shown::significant}},
      .group_by = {},
      .notes = {
          fmt::format("Line: {:.4g} + {:.4g} P, off by {:.2g} % at most; it holds for larger P",
                      file.gamma.intercept(), file.gamma.slope(), residual * 100)}};
  std::int64_t procs = 2;
  for (const double gamma : file.gamma.measured()) {
    table.table.rows.push_back(
        {procs, gamma, file.gamma.intercept() + file.gamma.slope() * static_cast<double>(procs)});
    ++procs;
  }
  return table;
}

DocumentTable points_table(const std::vector<FittedCall>& calls) {
  DocumentTable table{
      .name = "points",
      .title = "Each experiment",
      .table = {{"collective", "algorithm", "procs", "message_bytes", "segment_bytes", "time_s",
                 "repetitions", "half_width", "predicted_s", "relative_error"},
                {}},
      .shown = {{"algorithm", "Algorithm"},
                {"procs", "Procs"},
                {"message_bytes", "Size", Shown::bytes},
                {"segment_bytes", "Segment", Shown::bytes},
                {"time_s", "Observed us", Shown::microseconds},
                {"predicted_s", "Model us", Shown::microseconds},
                {"relative_error", "Error %", Shown::signed_percent}},
      .group_by = "collective",
      .notes = {},
      .only_on_request = true};
  for (const auto& each : calls)
    table.table.rows.push_back({each.collective, each.algorithm, each.procs, each.message_bytes,
                                each.segment_bytes, each.observed.mean_s, each.observed.repetitions,
                                each.observed.half_width, each.predicted_s,
                                each.predicted_s / each.observed.mean_s - 1});
  return table;
}

}  // namespace

std::vector<std::string> model_fit_warnings(const ModelFile& file) {
  constexpr double far_off = 0.2;
  std::vector<std::string> open, off;
  for (const auto& model : file.models) {
    double worst = 0;
    for (const auto& fit : model.of_procs) {
      worst = std::max(worst, fit.median_error);
      for (const auto& each : fit.classes)
        if (!each.is_determined && (open.empty() || open.back() != model_name(model)))
          open.push_back(model_name(model));
    }
    if (worst > far_off)
      off.push_back(fmt::format("{} ({:.0f} %)", model_name(model), worst * 100));
  }
  std::vector<std::string> warnings;
  if (!open.empty())
    warnings.push_back(
        fmt::format("alpha and beta are not determined by themselves, only their sum near the "
                    "sampled sizes: {}; vary --segment-size and --message-size",
                    fmt::join(open, ", ")));
  if (!off.empty())
    warnings.push_back(fmt::format("median errors above 20 %: {}", fmt::join(off, ", ")));
  return warnings;
}

Document model_fit_document(const ModelFitReport& report) {
  const ModelFile& file = report.file;
  Document document;
  static_cast<ReportHead&>(document) = report;
  document.schema = "sim.fit.models/1";
  document.about = {
      fmt::format("Models of {} on {}, {} processes", counted(file.models.size(), "algorithm"),
                  report.provenance.platform_name, fmt::join(file.procs(), ", ")),
      fmt::format(
          "{} experiments ({}), terms {}; fitted to {}", report.calls.size(),
          file.experiment == "gather" ? "each with a linear gather behind" : "each call alone",
          file.terms,
          file.source == "simulated" ? "simulated times, engine flow"
                                     : "measured times of " + file.source)};
  if (report.not_run > 0)
    document.failed.push_back(fmt::format(
        "INCOMPLETE: {} experiments were not run, the fit was stopped", report.not_run));
  document.tables = {points_table(report.calls), parameters_table(file),
                     gamma_table(file, report.gamma_residual)};
  document.plots = {{{"x", "message_bytes"},
                     {"y", "relative_error"},
                     {"series", "algorithm"},
                     {"facet", "collective,segment_bytes"},
                     {"log", "x"},
                     {"title", "errors of the models"}}};
  return document;
}

std::vector<std::string> model_fit_document_parts() { return {"parameters", "gamma", "points"}; }

}  // namespace tutti::reports
