// SPDX-License-Identifier: BSD-3-Clause
#include "sim/base/quantile.hpp"
#include "sim/fit/report/reports.hpp"
#include "sim/reports/plots/plot_choice.hpp"

namespace tutti::reports {
namespace {

using studies::FittedParameter;
using studies::StorageMeasurement;

std::string storage_value_text(const std::optional<double>& value, const std::string& unit) {
  if (!value) return "-";
  return unit == "s" ? format_seconds(*value) : format_rate(*value);
}

std::string storage_bounds_text(const FittedParameter& of) {
  if (!of.low && !of.high) return "-";
  if (!of.high) return storage_value_text(of.low, of.unit) + " or more";
  if (!of.low) return storage_value_text(of.high, of.unit) + " or less";
  return fmt::format("{} to {}", storage_value_text(of.low, of.unit),
                     storage_value_text(of.high, of.unit));
}

DocumentTable storage_parameters_table(const StorageFitReport& report) {
  TableOf table(report.parameters,
                {.title = "Parameters of the storage",
                 .notes = {"fitted: within 5 % with 95 % confidence; uncertain: less precisely; "
                           "not determined: the range that the measurements leave open"}});
  table.add("parameter", {"Parameter"}, &FittedParameter::name);
  table.add("value", &FittedParameter::value);
  table.add("low", &FittedParameter::low);
  table.add("high", &FittedParameter::high);
  table.add("unit", &FittedParameter::unit);
  table.add("shown_value", {"Value"},
            [](auto& of) { return storage_value_text(of.value, of.unit); });
  table.add("shown_interval", {"95 % interval"}, storage_bounds_text);
  table.add("status", {"Status"}, [](auto& of) { return studies::status_name(of.status); });
  table.add("note", {"", Shown::below}, &FittedParameter::note);
  return table.take();
}

// A measurement and its prediction.
struct StorageRow {
  const StorageMeasurement& measured;
  double predicted_Bps;

  double error() const { return predicted_Bps / measured.Bps - 1; }
  const char* operation() const { return measured.writes ? "write" : "read"; }
};

std::vector<StorageRow> storage_rows(const StorageFitReport& report) {
  std::vector<StorageRow> rows;
  for (std::size_t i = 0; i < report.measured.size(); ++i)
    rows.push_back({report.measured[i], report.predicted_Bps[i]});
  return rows;
}

DocumentTable storage_points_table(const StorageFitReport& report) {
  TableOf table(storage_rows(report),
                {.title = "Measured and predicted bandwidths", .only_on_request = true});
  table.add("operation", {"Operation"}, &StorageRow::operation);
  table.add("procs", {"Procs"}, [](auto& of) { return of.measured.procs; });
  table.add("ppn", [](auto& of) { return of.measured.ppn; });
  table.add("transfer_bytes", {"Transfer", Shown::bytes},
            [](auto& of) { return of.measured.transfer_bytes; });
  table.add("targets", {"Targets"}, [](auto& of) { return of.measured.targets; });
  table.add("local", [](auto& of) { return of.measured.is_local; });
  table.add("measured_Bps", {"Measured", Shown::rate}, [](auto& of) { return of.measured.Bps; });
  table.add("predicted_Bps", {"Predicted", Shown::rate}, &StorageRow::predicted_Bps);
  table.add("relative_error", {"Error (%)", Shown::signed_percent}, &StorageRow::error);
  table.add("file", [](auto& of) { return of.measured.file; });
  table.add("line", [](auto& of) { return of.measured.line; });
  return table.take();
}

// The measurements of an operation.
struct StorageErrors {
  std::vector<StorageRow> rows;

  const StorageRow& worst() const {
    return *std::ranges::max_element(rows, {}, [](auto& row) { return std::abs(row.error()); });
  }
  double quantile(double fraction) const {
    std::vector<double> errors;
    for (const auto& row : rows) errors.push_back(std::abs(row.error()));
    return quantile_of(std::move(errors), fraction);
  }
};

DocumentTable storage_errors_table(const StorageFitReport& report) {
  std::map<std::string, StorageErrors> operations;
  for (const auto& row : storage_rows(report)) operations[row.operation()].rows.push_back(row);
  TableOf table(operations, {.title = "Errors of the predicted bandwidths",
                             .notes = {"--part points lists all measurements"}});
  table.add("operation", {"Operation"}, [](auto& of) { return of.first; });
  table.add("measurements", {"Measurements"}, [](auto& of) { return of.second.rows.size(); });
  table.add("median_error", {"Median (%)", Shown::percent},
            [](auto& of) { return of.second.quantile(0.5); });
  table.add("p90_error", {"90th pct. (%)", Shown::percent},
            [](auto& of) { return of.second.quantile(0.9); });
  table.add("worst_error", {"Worst (%)", Shown::signed_percent},
            [](auto& of) { return of.second.worst().error(); });
  table.add("worst_line", {"In line"}, [](auto& of) { return of.second.worst().measured.line; });
  table.add("worst_file", [](auto& of) { return of.second.worst().measured.file; });
  return table.take();
}

DocumentTable storage_spec_table(const StorageFitReport& report) {
  TableOf table(std::vector{io_models::format_storage(report.storage)},
                {.title = "Specification", .only_on_request = true});
  table.add("storage", {"Storage"}, [](auto& of) { return of; });
  return table.take();
}

constexpr Part<StorageFitReport> storage_fit_parts[] = {
    {"parameters", storage_parameters_table},
    {"errors", storage_errors_table},
    {"storage", storage_spec_table},
    {.name = "points", .table = storage_points_table, .is_first = true}};

}  // namespace

Document storage_fit_document(const StorageFitReport& report) {
  std::vector<double> errors;
  for (const auto& row : storage_rows(report)) errors.push_back(std::abs(row.error()));
  Document document{report, "sim.fit.storage/1"};
  document.about = {fmt::format("Storage fitted to {} of {} in {}",
                                counted(report.measured.size(), "measurement"),
                                counted(report.jobs, "job"), fmt::join(report.files, ", ")),
                    fmt::format("errors: median {}, worst {:.1f} %", median_and_p90(errors),
                                100 * std::ranges::max(errors)),
                    "--storage " + io_models::format_storage(report.storage)};
  document.tables = tables_of(storage_fit_parts, report);
  document.plots = with_fit_plot(document.tables.front().table, "Measured and predicted bandwidths",
                                 {{{"x", "transfer_bytes"},
                                   {"y", "relative_error"},
                                   {"series", "procs"},
                                   {"facet", "operation"},
                                   {"log", "x"},
                                   {"title", "Errors of the predicted bandwidths"}}});
  return document;
}

std::vector<std::string> storage_fit_document_parts() { return names_of(storage_fit_parts); }

}  // namespace tutti::reports
