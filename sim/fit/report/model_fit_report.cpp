// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/report/reports.hpp"
#include "sim/reports/plots/plot_choice.hpp"

namespace tutti::reports {
namespace {

using studies::AlgorithmModel;
using studies::ModelFile;
using studies::ProcsModel;
using studies::SizeClass;

std::string model_name(const AlgorithmModel& model) {
  return model.fanout ? fmt::format("{} {}", model.algorithm, *model.fanout) : model.algorithm;
}

std::string sizes_text(const SizeClass& sizes) {
  return sizes.up_to_bytes ? fmt::format("to {}", format_bytes(*sizes.up_to_bytes)) : "above";
}

struct ModelRow {
  const AlgorithmModel& model;
  const ProcsModel& fit;
  const SizeClass& sizes;

  const char* calls() const { return fit.range.unsegmented ? "one piece" : "segments"; }
};

std::vector<ModelRow> model_rows(const ModelFile& file) {
  std::vector<ModelRow> rows;
  for (const auto& model : file.models)
    for (const auto& fit : model.of_procs)
      for (const auto& sizes : fit.classes) rows.push_back({model, fit, sizes});
  return rows;
}

using ModelColumns = TableOf<std::vector<ModelRow>>;

void add_call_columns(ModelColumns& table) {
  table.group("collective", [](auto& row) { return row.model.collective; });
  table.add("algorithm", [](auto& row) { return row.model.algorithm; });
  table.add("fanout", [](auto& row) { return row.model.fanout; });
  table.add("model", {.head = "Algorithm", .place = -1, .once = true},
            [](auto& row) { return model_name(row.model); });
  table.add("procs", {.head = "Procs", .place = -1, .once = true},
            [](auto& row) { return row.fit.procs; });
  table.add("calls", {.head = "Calls", .spare = 1, .place = -1, .once = true}, &ModelRow::calls);
  table.add("sizes", {.head = "Sizes", .place = -1},
            [](auto& row) { return row.fit.classes.size() > 1 ? sizes_text(row.sizes) : "all"; });
  table.add("up_to_bytes", [](auto& row) { return row.sizes.up_to_bytes; });
  table.add("least_bytes", [](auto& row) { return row.sizes.least_bytes; });
  table.add("most_bytes", [](auto& row) { return row.sizes.most_bytes; });
}

void add_cost_columns(ModelColumns& table) {
  table.add("alpha_s", {"alpha (us)", Shown::us}, [](auto& row) { return row.sizes.alpha_s; });
  table.add("alpha_half_width_s", [](auto& row) { return row.sizes.alpha_half_width_s; });
  table.add("beta_s_per_B", {"beta (ns/B)", Shown::ns_per_B, 0, 1},
            [](auto& row) { return row.sizes.beta_s_per_B; });
  table.add("beta_half_width_s_per_B", [](auto& row) { return row.sizes.beta_half_width_s_per_B; });
  table.add("determined", [](auto& row) { return row.sizes.is_determined; });
  table.add("lambda_s", {"lambda (us)", Shown::us, 3, 2},
            [](auto& row) { return row.sizes.lambda_s; });
  table.add("mu_s_per_B", {"mu (ns/B)", Shown::ns_per_B, 3, 3},
            [](auto& row) { return row.sizes.mu_s_per_B; });
  table.add("gather_alpha_s", [](auto& row) { return row.fit.gather_alpha_s; });
  table.add("gather_beta_s_per_B", [](auto& row) { return row.fit.gather_beta_s_per_B; });
}

void add_range_columns(ModelColumns& table) {
  table.add("least_message_bytes", [](auto& row) { return row.fit.range.least_message_bytes; });
  table.add("most_message_bytes", [](auto& row) { return row.fit.range.most_message_bytes; });
  table.add("unsegmented", [](auto& row) { return row.fit.range.unsegmented; });
  table.add("least_segment_bytes", [](auto& row) { return row.fit.range.least_segment_bytes; });
  table.add("most_segment_bytes", [](auto& row) { return row.fit.range.most_segment_bytes; });
}

void add_quality_columns(ModelColumns& table) {
  table.add("condition", {"Condition", Shown::significant, 1, 4},
            [](auto& row) { return row.fit.condition; });
  table.add("samples", [](auto& row) { return row.fit.samples; });
  table.add("median_error", {"Median (%)", Shown::percent, 0, 4},
            [](auto& row) { return row.fit.median_error; });
  table.add("largest_error", {"Worst (%)", Shown::percent, 2, 4},
            [](auto& row) { return row.fit.largest_error; });
}

DocumentTable model_parameters_table(const ModelFitReport& report) {
  ModelColumns table(
      model_rows(report.file),
      {.title = "Cost of a message by algorithm: alpha + beta bytes",
       .notes = {
           "Sizes: of messages (segments if calls are segmented), one line for each class; lambda "
           "and mu: additional cost of each message that others wait for (negative where gamma "
           "overestimates it); Median, Worst: errors of the model in the experiments"}});
  add_call_columns(table);
  add_cost_columns(table);
  add_range_columns(table);
  add_quality_columns(table);
  return table.take();
}

struct MeasuredGamma {
  std::int64_t procs;
  double gamma;
  double straight_line;
};

std::vector<MeasuredGamma> measured_gammas(const ModelFile& file) {
  std::vector<MeasuredGamma> rows;
  std::int64_t procs = 2;
  for (const double gamma : file.gamma.measured()) {
    const auto x = static_cast<double>(procs);
    rows.push_back({procs++, gamma, file.gamma.intercept() + file.gamma.slope() * x});
  }
  return rows;
}

DocumentTable gamma_table(const ModelFitReport& report) {
  const ModelFile& file = report.file;
  TableOf table(measured_gammas(file),
                {.title = fmt::format(
                     "gamma(P): time of the linear broadcast of {} to P - 1 nodes, in messages",
                     format_bytes(file.gamma_segment_bytes)),
                 .notes = {fmt::format(
                     "Line: {:.4g} + {:.4g} P, at most {:.2g} % off; used for larger P",
                     file.gamma.intercept(), file.gamma.slope(), report.gamma_residual * 100)}});
  table.add("procs", {"P"}, &MeasuredGamma::procs);
  table.add("gamma", {"gamma", Shown::significant}, &MeasuredGamma::gamma);
  table.add("straight_line", {"Line", Shown::significant}, &MeasuredGamma::straight_line);
  return table.take();
}

DocumentTable experiments_table(const ModelFitReport& report) {
  using Call = FittedCall;
  TableOf table(report.calls, {.title = "All experiments", .only_on_request = true});
  table.group("collective", &Call::collective);
  table.add("algorithm", {"Algorithm"}, &Call::algorithm);
  table.add("procs", {"Procs"}, &Call::procs);
  table.add("message_bytes", {"Size", Shown::bytes}, &Call::message_bytes);
  table.add("segment_bytes", {"Segment", Shown::bytes}, &Call::segment_bytes);
  table.add("time_s", {"Observed (us)", Shown::us}, [](auto& of) { return of.observed.mean_s; });
  table.add("repetitions", [](auto& of) { return of.observed.repetitions; });
  table.add("half_width", [](auto& of) { return of.observed.half_width; });
  table.add("predicted_s", {"Model (us)", Shown::us}, &Call::predicted_s);
  table.add("relative_error", {"Error (%)", Shown::signed_percent},
            [](auto& of) { return of.predicted_s / of.observed.mean_s - 1; });
  return table.take();
}

constexpr Part<ModelFitReport> model_fit_parts[] = {
    {"parameters", model_parameters_table},
    {"gamma", gamma_table},
    {.name = "points", .table = experiments_table, .is_first = true}};

}  // namespace

std::vector<std::string> model_fit_warnings(const ModelFile& file) {
  constexpr double far_off = 0.2;
  std::vector<std::string> open, off;
  for (const auto& model : file.models) {
    double worst = 0;
    for (const auto& fit : model.of_procs) {
      worst = std::max(worst, fit.median_error);
      for (const auto& sizes : fit.classes)
        if (!sizes.is_determined && (open.empty() || open.back() != model_name(model)))
          open.push_back(model_name(model));
    }
    if (worst > far_off)
      off.push_back(fmt::format("{} ({:.0f} %)", model_name(model), worst * 100));
  }
  std::vector<std::string> warnings;
  if (!open.empty())
    warnings.push_back(
        fmt::format("the experiments do not determine alpha and beta individually, only their sum "
                    "near the sampled sizes: {}; vary --segment-size and --message-size",
                    fmt::join(open, ", ")));
  if (!off.empty())
    warnings.push_back(fmt::format("median errors above 20 %: {}", fmt::join(off, ", ")));
  return warnings;
}

namespace {

// A panel for each value of what the series share.
std::string error_facets(const ModelFile& file) {
  const bool has_several = std::ranges::any_of(file.models, [&](const AlgorithmModel& model) {
    return model.collective != file.models.front().collective;
  });
  return fmt::format("{}segment_bytes{}", has_several ? "collective," : "",
                     file.procs().size() > 1 ? ",procs" : "");
}

}  // namespace

Document model_fit_document(const ModelFitReport& report) {
  const ModelFile& file = report.file;
  Document document{report, "sim.fit.models/1"};
  document.about = {
      fmt::format("Models of {} on {}, {} processes", counted(file.models.size(), "algorithm"),
                  report.provenance.platform_name(), fmt::join(file.procs(), ", ")),
      fmt::format(
          "{} experiments ({}), terms {}; fitted to {}", report.calls.size(),
          file.experiment == "gather" ? "each followed by a linear gather" : "each call alone",
          file.terms,
          file.source == "simulated" ? "simulated times, engine flow"
                                     : "measured times of " + file.source)};
  add_not_run(document, report.not_run, "experiments", "fit");
  document.tables = tables_of(model_fit_parts, report);
  document.plots = with_fit_plot(document.tables.front().table, "Observed times and the models",
                                 {{{"x", "message_bytes"},
                                   {"y", "relative_error"},
                                   {"series", "algorithm"},
                                   {"facet", error_facets(file)},
                                   {"log", "x"},
                                   {"title", "Errors of the models"}}});
  return document;
}

std::vector<std::string> model_fit_document_parts() { return names_of(model_fit_parts); }

}  // namespace tutti::reports
