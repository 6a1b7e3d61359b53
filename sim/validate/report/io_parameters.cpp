// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/report/io_parameters.help.hpp"
#include "sim/validate/report/reports.hpp"

namespace tutti::reports {
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
  const auto starts = [&](const ComparedValue& value) { return value.name == values.front().name; };
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
      std::string(texts::io_parameters["io"])};
  document.tables = tables_of(io_parts, values);
  return document;
}

}  // namespace tutti::reports
