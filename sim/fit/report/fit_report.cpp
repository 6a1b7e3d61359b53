// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/report/fit_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sim/base/counted.hpp"
#include "sim/base/optional_cell.hpp"
#include "sim/base/quantile.hpp"
#include "sim/reports/plots/drawable.hpp"

namespace tutti::reports {
namespace {

using studies::FittedParameter;
using studies::PairQuantity;
using studies::ParameterStatus;

// For people: 1.57 us, 64 KiB, 22.5 GB/s.
std::string quantity_text(const std::optional<double>& value, const std::string& unit) {
  if (!value) return "";
  if (unit == "s") return format_seconds(*value);
  if (unit == "B") return format_bytes(static_cast<Bytes>(*value));
  return fmt::format("{:.4g} GB/s", *value / 1e9);
}

std::string interval_text(const FittedParameter& parameter) {
  if (!parameter.low && !parameter.high) return "";
  if (!parameter.high) return quantity_text(parameter.low, parameter.unit) + " or more";
  if (!parameter.low) return quantity_text(parameter.high, parameter.unit) + " or less";
  return fmt::format("{} to {}", quantity_text(parameter.low, parameter.unit),
                     quantity_text(parameter.high, parameter.unit));
}

std::string condition_text(double condition) {
  constexpr double digits = 1e15;  // of a double: beyond that it is that of rounding
  return condition < digits ? fmt::format("{:.3g}", condition) : "infinite";
}

std::string parameter_name(const FittedParameter& parameter) {
  if (parameter.above <= 0) return parameter.name;
  constexpr Bytes round = 1024;  // "above 33554431 B" is from 32 MiB on
  const bool begins_round = (parameter.above + 1) % round == 0;
  return fmt::format("{} {} {}", parameter.name, begins_round ? "from" : "above",
                     format_bytes(parameter.above + (begins_round ? 1 : 0)));
}

// As a platform file has it (mpi/rendezvous).
std::vector<Cell> rendezvous_cells(const std::string& path, const FittedRendezvous& fitted) {
  const std::string value = fitted.value == platforms::Rendezvous::get ? "get" : "put";
  return {path,        "rendezvous", {},    value,
          {},          {},           "",    std::string(status_name(fitted.status)),
          fitted.note, "rendezvous", value, ""};
}

DocumentTable parameters_table(const FitReport& report) {
  DocumentTable table{.name = "parameters",
                      .title = "Parameters of messages",
                      .table = {{"path", "parameter", "above_bytes", "value", "low", "high", "unit",
                                 "status", "note", "shown_name", "shown_value", "shown_interval"},
                                {}},
                      .shown = {{"shown_name", "Parameter"},
                                {"shown_value", "Value"},
                                {"shown_interval", "95 %", Shown::plain, 2},
                                {"status", "Status"},
                                {"note", "Note", Shown::plain, 1}},
                      .group_by = "path",
                      .notes = {"fitted: within 5 % with 95 % confidence; uncertain: less surely; "
                                "prior: what the hardware's class says, the data add little; "
                                "assumed: the data do not determine it"}};
  for (const auto& path : report.paths) {
    for (const auto& each : path.fit.parameters)
      table.table.rows.push_back({path.path, each.name, each.above < 0 ? Cell{} : Cell{each.above},
                                  cell_of(each.value), cell_of(each.low), cell_of(each.high),
                                  each.unit, std::string(studies::status_name(each.status)),
                                  each.note, parameter_name(each),
                                  quantity_text(each.value, each.unit), interval_text(each)});
    if (report.rendezvous && &path == &report.paths.front())
      table.table.rows.push_back(rendezvous_cells(path.path, *report.rendezvous));
  }
  return table;
}

// One-way times next to what the fit makes of them.
std::vector<CheckedTime> one_way_times(const FittedPath& path) {
  std::vector<CheckedTime> times = path.simulated;
  for (auto& each : times) {
    each.collective = path.path;
    each.algorithm = "pingpong";
  }
  if (!times.empty()) return times;
  for (const auto& each : path.measurements)
    if (each.quantity == PairQuantity::one_way)
      times.push_back(
          {path.path, "pingpong", 2, each.bytes, each.time_s, path.fit.one_way_s(each.bytes)});
  return times;
}

DocumentTable points_table(const FitReport& report) {
  DocumentTable table{.name = "points",
                      .title = "Each measurement beside the fit",
                      .table = {{"path", "algorithm", "procs", "ppn", "message_bytes", "measured_s",
                                 "fitted_s", "residual", "predicted_over_measured"},
                                {}},
                      .shown = {{"algorithm", "Algorithm", Shown::plain, 1},
                                {"procs", "Procs", Shown::plain, 1},
                                {"message_bytes", "Size", Shown::bytes},
                                {"measured_s", "Measured us", Shown::microseconds},
                                {"fitted_s", "Fitted us", Shown::microseconds},
                                {"residual", "Error %", Shown::signed_percent}},
                      .group_by = "path",
                      .notes = {},
                      .only_on_request = true};
  const auto add = [&](const CheckedTime& each) {
    table.table.rows.push_back({each.collective, each.algorithm, each.procs, each.ppn,
                                each.message_bytes, each.measured_s, each.time_s, each.error(),
                                each.time_s / each.measured_s});
  };
  for (const auto& path : report.paths)
    for (const auto& each : one_way_times(path)) add(each);
  for (const auto& each : report.streams) add(each);
  for (const auto& each : report.collectives) add(each);
  return table;
}

DocumentTable sharing_table(const studies::Sharing& sharing) {
  DocumentTable table{.name = "sharing",
                      .title = "Two ways at once",
                      .table = {{"pattern", "ranks", "ratio"}, {}},
                      .shown = {{"pattern", "Pattern"},
                                {"ranks", "Ranks"},
                                {"ratio", "Of one way", Shown::decimals}},
                      .group_by = {},
                      .notes = {"time of a message over that of one way, of as many ranks"}};
  for (const auto& each : sharing.two_way)
    table.table.rows.push_back(
        {std::string(workloads::pattern_name(each.pattern)), each.ranks, each.ratio});
  return table;
}

std::string errors_text(const std::vector<double>& errors) {
  return fmt::format("errors: median {:.1f} %, 90 % {:.1f} %", 100 * median_of(errors),
                     100 * quantile_of(errors, 0.9));
}

std::string quality_text(const FittedPath& path) {
  const std::size_t sections = path.fit.sections.size();
  const std::string told =
      fmt::format("{}: {}, {}", path.path, counted(path.fit.samples, "measurement"),
                  counted(sections, "section"));
  std::vector<double> errors;
  for (const auto& each : one_way_times(path)) errors.push_back(std::abs(each.error()));
  const std::string condition = "condition " + condition_text(path.fit.condition);
  if (errors.empty()) return told + "; " + condition;
  return fmt::format("{}; {}; {}", told, errors_text(errors), condition);
}

std::string quality_text(std::string_view what, const std::vector<CheckedTime>& times) {
  std::vector<double> errors;
  for (const auto& each : times) errors.push_back(std::abs(each.error()));
  return fmt::format("{}: {}; {}", what, counted(times.size(), "time"), errors_text(errors));
}

std::string validation_text(const studies::CrossValidation& validation) {
  std::vector<double> errors;
  for (const auto& each : validation.times)
    errors.push_back(std::abs(each.simulated_over_measured - 1));
  return fmt::format(
      "cross-validated, {}: {}",
      validation.by_collective
          ? "each collective predicted by a fit without it"
          : fmt::format("each {}th row predicted by a fit without them", validation.folds),
      errors_text(errors));
}

PlotWords ratio_plot(const char* x, const char* series, const char* facet, const char* title) {
  return {{"x", x},           {"y", "predicted_over_measured"},
          {"series", series}, {"facet", facet},
          {"log", "xy"},      {"title", title}};
}

// By size; where several runs measured one call, which would have two values there, by time.
std::vector<PlotWords> plots_of(const FitReport& report, const Table& points) {
  if (report.collectives.empty())
    return {{{"x", "message_bytes"},
             {"y", "residual"},
             {"facet", "path"},
             {"log", "x"},
             {"title", "residuals of the fit"}}};
  constexpr const char* by_size = "predicted over measured time, by size";
  constexpr const char* by_time = "predicted over measured time";
  return {first_drawable(
      points, {ratio_plot("message_bytes", "algorithm", "path", by_size),
               ratio_plot("message_bytes", "algorithm", "path,procs", by_size),
               ratio_plot("message_bytes", "algorithm,procs", "path", by_size),
               ratio_plot("message_bytes", "algorithm,procs,ppn", "path", by_size),
               ratio_plot("measured_s", "algorithm", "path", by_time),
               ratio_plot("measured_s", "algorithm", "path,procs", by_time),
               ratio_plot("measured_s", "algorithm,procs,ppn,message_bytes", "path", by_time)})};
}

}  // namespace

std::vector<std::string> sharing_sentences(const studies::Sharing& sharing) {
  return {fmt::format("cards: two ways at once take {:.2f} times as long as one way: {} duplex{}",
                      sharing.two_way_factor, sharing.half_duplex ? "half" : "full",
                      sharing.clear ? "" : ", which is nearer; neither fits well"),
          sharing.limited
              ? fmt::format("all pairs together: {:.4g} GB/s at most, which is a limit",
                            sharing.most_Bps / 1e9)
              : fmt::format("all pairs together: no limit seen up to {:.4g} GB/s, of {} ranks",
                            sharing.most_Bps / 1e9, sharing.most_ranks)};
}

std::vector<std::string> fit_warnings(const FittedPath& path) {
  constexpr double much = 1e5;  // half of a double's digits are lost in the squares
  std::vector<std::string> open, uncertain, prior, warnings;
  for (const auto& each : path.fit.parameters) {
    if (each.status == ParameterStatus::prior) prior.push_back(parameter_name(each));
    if (each.status == ParameterStatus::uncertain)
      uncertain.push_back(parameter_name(each) + (each.name == "eager_limit" && !each.note.empty()
                                                      ? fmt::format(" ({})", each.note)
                                                      : ""));
    if (each.status == ParameterStatus::assumed || each.status == ParameterStatus::not_determined)
      open.push_back(each.name);
  }
  if (!open.empty())
    warnings.push_back(
        fmt::format("{}: the data do not determine {}", path.path, fmt::join(open, ", ")));
  if (!prior.empty())
    warnings.push_back(fmt::format("{}: the data add little to the priors of {}", path.path,
                                   fmt::join(prior, ", ")));
  if (!uncertain.empty())
    warnings.push_back(
        fmt::format("{}: only roughly known: {}", path.path, fmt::join(uncertain, ", ")));
  if (path.fit.condition > much)
    warnings.push_back(fmt::format("{}: parameters can hardly be told apart: condition number {}",
                                   path.path, condition_text(path.fit.condition)));
  return warnings;
}

Document fit_document(const FitReport& report) {
  Document document;
  static_cast<ReportHead&>(document) = report;
  document.schema = "sim.fit.platform/1";
  document.about = {fmt::format("Fit of {} to {}", report.name, fmt::join(report.files, ", "))};
  for (const auto& path : report.paths) document.about.push_back(quality_text(path));
  for (const auto& [what, times] : {std::pair("streams, simulated", &report.streams),
                                    std::pair("collectives", &report.collectives)})
    if (!times->empty()) document.about.push_back(quality_text(what, *times));
  if (report.validation) document.about.push_back(validation_text(*report.validation));
  document.tables = {points_table(report), parameters_table(report)};
  if (report.sharing) {
    for (auto& sentence : sharing_sentences(*report.sharing))
      document.about.push_back(std::move(sentence));
    document.tables.push_back(sharing_table(*report.sharing));
  }
  document.plots = plots_of(report, document.tables.front().table);
  return document;
}

std::vector<std::string> fit_document_parts() { return {"parameters", "points", "sharing"}; }

}  // namespace tutti::reports
