// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/quantile.hpp"
#include "sim/fit/report/reports.hpp"
#include "sim/reports/plots/plot_choice.hpp"

namespace tutti::reports {
namespace {

using studies::FittedParameter;
using studies::PairQuantity;
using studies::ParameterStatus;

// In readable units: 1.57 us, 64 KiB, 22.5 GB/s.
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
  constexpr double digits = 1e15;  // a double has no more digits: larger values are rounding errors
  return condition < digits ? fmt::format("{:.3g}", condition) : "infinite";
}

std::string parameter_name(const FittedParameter& parameter) {
  if (parameter.above <= 0) return parameter.name;
  constexpr Bytes round = 1024;  // "above 33554431 B" is from 32 MiB on
  const bool begins_round = (parameter.above + 1) % round == 0;
  return fmt::format("{} {} {}", parameter.name, begins_round ? "from" : "above",
                     format_bytes(parameter.above + (begins_round ? 1 : 0)));
}

// A parameter in its machine-readable and its readable form.
struct ParameterRow {
  std::string path;
  FittedParameter of;
  Cell value;
  std::string name, shown_value;
};

ParameterRow parameter_row(const std::string& path, const FittedParameter& of) {
  return {path, of, cell_of(of.value), parameter_name(of), quantity_text(of.value, of.unit)};
}

// In the form of a platform file (mpi/rendezvous).
ParameterRow rendezvous_row(const std::string& path, const FittedRendezvous& fitted) {
  const std::string value = fitted.value == platforms::Rendezvous::get ? "get" : "put";
  const FittedParameter of{
      .name = "rendezvous", .unit = "", .status = fitted.status, .note = fitted.note};
  return {path, of, value, of.name, value};
}

std::vector<ParameterRow> parameter_rows(const FitReport& report) {
  std::vector<ParameterRow> rows;
  for (const auto& path : report.paths) {
    for (const auto& parameter : path.fit.parameters)
      rows.push_back(parameter_row(path.path, parameter));
    if (report.rendezvous && &path == &report.paths.front())
      rows.push_back(rendezvous_row(path.path, *report.rendezvous));
  }
  if (report.nic)
    for (const auto& parameter : report.nic->parameters)
      rows.push_back(parameter_row("nic", parameter));
  if (report.node)
    for (const auto& parameter : report.node->parameters)
      rows.push_back(parameter_row("intra", parameter));
  return rows;
}

DocumentTable parameters_table(const FitReport& report) {
  using Row = ParameterRow;
  TableOf table(parameter_rows(report),
                {.title = "Parameters of messages",
                 .notes = {"fitted: within 5 % with 95 % confidence; uncertain: less precisely; "
                           "prior: value of the hardware class, to which the data add little; "
                           "assumed: the data do not determine it"}});
  table.group("path", &Row::path);
  table.add("parameter", [](auto& row) { return row.of.name; });
  table.add("above_bytes",
            [](auto& row) { return row.of.above < 0 ? Cell{} : Cell{row.of.above}; });
  table.add("value", &Row::value);
  table.add("low", [](auto& row) { return row.of.low; });
  table.add("high", [](auto& row) { return row.of.high; });
  table.add("unit", [](auto& row) { return row.of.unit; });
  table.add("status", {.head = "Status", .place = 1},
            [](auto& row) { return studies::status_name(row.of.status); });
  table.add("note", {.head = "Note", .spare = 1, .place = 1},
            [](auto& row) { return row.of.note; });
  table.add("shown_name", {"Parameter"}, &Row::name);
  table.add("shown_value", {"Value"}, &Row::shown_value);
  table.add("shown_interval", {"95 % interval", Shown::plain, 2},
            [](auto& row) { return interval_text(row.of); });
  return table.take();
}

// Measured one-way times with the times that the fit predicts.
std::vector<CheckedTime> one_way_times(const FittedPath& path) {
  std::vector<CheckedTime> times = path.simulated;
  for (auto& time : times) {
    time.collective = path.path;
    time.algorithm = "pingpong";
  }
  if (times.empty())
    for (const auto& measurement : path.measurements)
      if (measurement.quantity == PairQuantity::one_way)
        times.push_back({path.path, "pingpong", 2, measurement.bytes, measurement.time_s,
                         path.fit.one_way_s(measurement.bytes)});
  if (path.path == "intra")
    for (auto& time : times) time.ppn = 2;
  return times;
}

std::vector<CheckedTime> all_times(const FitReport& report) {
  std::vector<CheckedTime> times;
  for (const auto& path : report.paths)
    for (auto& time : one_way_times(path)) times.push_back(std::move(time));
  times.insert(times.end(), report.streams.begin(), report.streams.end());
  times.insert(times.end(), report.collectives.begin(), report.collectives.end());
  return times;
}

DocumentTable fit_points_table(const FitReport& report) {
  TableOf table(all_times(report), {.title = "Measured and fitted times", .only_on_request = true});
  table.group("path", &CheckedTime::collective);
  table.add("algorithm", {"Algorithm", Shown::plain, 1}, &CheckedTime::algorithm);
  table.add("procs", {"Procs", Shown::plain, 1}, &CheckedTime::procs);
  table.add("ppn", &CheckedTime::ppn);
  table.add("message_bytes", {"Size", Shown::bytes}, &CheckedTime::message_bytes);
  table.add("measured_s", {"Measured (us)", Shown::us}, &CheckedTime::measured_s);
  table.add("fitted_s", {"Fitted (us)", Shown::us}, &CheckedTime::time_s);
  table.add("residual", {"Error (%)", Shown::signed_percent}, &CheckedTime::error);
  table.add("predicted_over_measured", [](auto& of) { return of.time_s / of.measured_s; });
  return table.take();
}

DocumentTable sharing_table(const FitReport& report) {
  TableOf table(
      report.sharing->two_way,
      {.title = "Both directions at once",
       .notes = {
           "ratio: time of a message to that in one direction with the same number of ranks"}});
  table.add("pattern", {"Pattern"}, [](auto& of) { return workloads::pattern_name(of.pattern); });
  table.add("ranks", {"Ranks"}, &studies::PatternRatio::ranks);
  table.add("ratio", {"Ratio", Shown::decimals}, &studies::PatternRatio::ratio);
  return table.take();
}

DocumentTable runs_table(const FitReport& report) {
  using Run = studies::MeasuredRun;
  TableOf table(
      report.runs.all,
      {.title = "Runs",
       .notes = {"latency, per byte: times of the run divided by those of the machine, as "
                 "far as its times determine them"}});
  table.add("run", {"Run", Shown::name}, &Run::name);
  table.add("nodes", {"Nodes"}, &Run::nodes);
  table.add("latency_factor", {"Latency", Shown::decimals},
            [](auto& run) { return std::exp(run.log_latency); });
  table.add("byte_factor", {"Per byte", Shown::decimals},
            [](auto& run) { return std::exp(run.log_byte); });
  return table.take();
}

std::string errors_text(const std::vector<double>& errors) {
  return "errors: median " + median_and_p90(errors);
}

std::string quality_text(const FittedPath& path) {
  const std::size_t sections = path.fit.sections.size();
  const std::string reported =
      fmt::format("{}: {}, {}", path.path, counted(path.fit.samples, "measurement"),
                  counted(sections, "section"));
  const auto errors = errors_of(one_way_times(path));
  const std::string condition = "condition number " + condition_text(path.fit.condition);
  if (errors.empty()) return reported + "; " + condition;
  return fmt::format("{}; {}; {}", reported, errors_text(errors), condition);
}

std::string quality_text(std::string_view what, const std::vector<CheckedTime>& times) {
  return fmt::format("{}: {}; {}", what, counted(times.size(), "time"),
                     errors_text(errors_of(times)));
}

void add_if_poor(std::string_view what, const std::vector<CheckedTime>& times,
                 std::vector<std::string>& poor) {
  constexpr double most_median = 0.15;
  constexpr double most_p90 = 0.6;
  const auto errors = errors_of(times);
  if (errors.empty() || (median_of(errors) <= most_median && quantile_of(errors, 0.9) <= most_p90))
    return;
  poor.push_back(fmt::format("poor fit to {}: {}", what, errors_text(errors)));
}

std::string validation_text(const studies::CrossValidation& validation) {
  std::vector<double> errors;
  for (const auto& time : validation.times)
    errors.push_back(std::abs(time.simulated_over_measured - 1));
  return fmt::format("cross-validated, {}: {}", omitted_text(validation), errors_text(errors));
}

std::string runs_text(const studies::RunSpread& spread) {
  const std::string runs = counted(spread.count, "run");
  if (!spread.latency) return runs + ": too few to estimate how far runs differ";
  return fmt::format(
      "{}: their latencies differ by a factor of {:.2f}, their times per byte by {:.2f} "
      "(standard deviations of the logarithm {:.2f} and {:.2f})",
      runs, std::exp(*spread.latency), std::exp(*spread.byte), *spread.latency, *spread.byte);
}

std::string law_text(const studies::TriedLaw& tried) {
  const std::string evidence =
      fmt::format("{} inside, {} outside, latencies {:.2f} times those of the others",
                  counted(tried.inside, "run"), tried.outside, std::exp(tried.log_difference));
  const std::string law = "a latency of " + studies::law_text(tried.law);
  if (tried.rejected.empty()) return fmt::format("{}: {}", law, evidence);
  return fmt::format("rejected: {}: {} ({})", law, tried.rejected, evidence);
}

PlotWords ratio_plot(const char* x, const char* series, const char* facet, const char* title) {
  return {{"x", x},           {"y", "predicted_over_measured"},
          {"series", series}, {"facet", facet},
          {"log", "xy"},      {"title", title}};
}

// By size, or by time if several runs measured the same call: a size would then have two values.
std::vector<PlotWords> plots_of(const FitReport& report, const Table& points) {
  if (report.collectives.empty())
    return {{{"x", "message_bytes"},
             {"y", "residual"},
             {"facet", "path"},
             {"log", "x"},
             {"title", "Residuals of the fit"}}};
  constexpr const char* by_size = "Predicted over measured time, by size";
  constexpr const char* by_time = "Predicted over measured time";
  return {first_drawable(
      points, {ratio_plot("message_bytes", "algorithm", "path", by_size),
               ratio_plot("message_bytes", "algorithm", "path,procs", by_size),
               ratio_plot("message_bytes", "algorithm,procs", "path", by_size),
               ratio_plot("message_bytes", "algorithm,procs,ppn", "path", by_size),
               ratio_plot("measured_s", "algorithm", "path", by_time),
               ratio_plot("measured_s", "algorithm", "path,procs", by_time),
               ratio_plot("measured_s", "algorithm,procs,ppn,message_bytes", "path", by_time)})};
}

constexpr Part<FitReport> fit_parts[] = {
    {"parameters", parameters_table},
    {.name = "points", .table = fit_points_table, .is_first = true},
    {"runs", runs_table, [](const FitReport& report) { return !report.runs.all.empty(); }},
    {"sharing", sharing_table, [](const FitReport& report) { return report.sharing.has_value(); }}};

}  // namespace

std::vector<std::string> sharing_sentences(const studies::Sharing& sharing) {
  return {fmt::format("NICs: both directions at once take {:.2f} times as long as one: {} duplex{}",
                      sharing.two_way_factor, sharing.half_duplex ? "half" : "full",
                      sharing.clear ? "" : ", the nearer of the two; neither fits well"),
          sharing.limited
              ? fmt::format("all pairs together: limited to {:.4g} GB/s", sharing.most_Bps / 1e9)
              : fmt::format("all pairs together: no limit up to {:.4g} GB/s, with {} ranks",
                            sharing.most_Bps / 1e9, sharing.most_ranks)};
}

std::vector<std::string> poor_fits(const FitReport& report) {
  std::vector<std::string> poor;
  for (const auto& path : report.paths)
    add_if_poor(fmt::format("messages ({})", path.path), one_way_times(path), poor);
  add_if_poor("streams", report.streams, poor);
  add_if_poor("collectives", report.collectives, poor);
  return poor;
}

std::vector<std::string> fit_warnings(const FittedPath& path) {
  constexpr double much = 1e5;  // half of a double's digits are lost in the squares
  std::vector<std::string> open, uncertain, prior, warnings;
  for (const auto& parameter : path.fit.parameters) {
    if (parameter.status == ParameterStatus::prior) prior.push_back(parameter_name(parameter));
    if (parameter.status == ParameterStatus::uncertain)
      uncertain.push_back(parameter_name(parameter) +
                          (parameter.name == "eager_limit" && !parameter.note.empty()
                               ? fmt::format(" ({})", parameter.note)
                               : ""));
    if (parameter.status == ParameterStatus::assumed ||
        parameter.status == ParameterStatus::not_determined)
      open.push_back(parameter.name);
  }
  if (!open.empty())
    warnings.push_back(
        fmt::format("{}: the data do not determine {}", path.path, fmt::join(open, ", ")));
  if (!prior.empty())
    warnings.push_back(fmt::format("{}: the data add little to the priors of {}", path.path,
                                   fmt::join(prior, ", ")));
  if (!uncertain.empty())
    warnings.push_back(
        fmt::format("{}: known only roughly: {}", path.path, fmt::join(uncertain, ", ")));
  if (path.fit.condition > much)
    warnings.push_back(
        fmt::format("{}: the data hardly separate the parameters: condition number {}", path.path,
                    condition_text(path.fit.condition)));
  return warnings;
}

Document fit_document(const FitReport& report) {
  Document document{report, "sim.fit.platform/1"};
  auto& about = document.about;
  about = {fmt::format("Fit of {} to {}", report.name, fmt::join(report.files, ", "))};
  for (const auto& path : report.paths) about.push_back(quality_text(path));
  for (const auto& [what, times] : {std::pair("streams, simulated", &report.streams),
                                    std::pair("collectives", &report.collectives)})
    if (!times->empty()) about.push_back(quality_text(what, *times));
  for (const auto& validation : report.validations) about.push_back(validation_text(validation));
  if (report.runs.count > 0) about.push_back(runs_text(report.runs));
  if (report.runs.law) about.push_back(law_text(*report.runs.law));
  if (report.sharing)
    for (auto& sentence : sharing_sentences(*report.sharing)) about.push_back(std::move(sentence));
  document.tables = tables_of(fit_parts, report);
  const Table& points = document.tables.front().table;
  document.plots = with_fit_plot(points, "Measured and fitted times", plots_of(report, points));
  return document;
}

std::vector<std::string> fit_document_parts() { return names_of(fit_parts); }

}  // namespace tutti::reports
