// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/report/io_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tutti::reports {
namespace {

using io_models::ComparedValue;
using Values = std::vector<ComparedValue>;

DocumentTable values_table(const Values& values) {
  DocumentTable made{.name = "values",
                     .title = "Each value",
                     .table = {{"partitioning", "decomposition", "procs", "parameter", "model",
                                "printed", "equal"},
                               {}},
                     .only_on_request = true};
  for (const auto& value : values)
    made.table.rows.push_back({std::string(name_of(value.column.partitioning)),
                               std::string(name_of(value.column.layout)),
                               std::int64_t{value.column.procs}, std::string(value.name),
                               value.model, value.printed, value.equal});
  return made;
}

// A row for each column of the printed table.
DocumentTable parameters_table(const Values& values) {
  DocumentTable made{.name = "parameters",
                     .title = "Tutti's value, and the printed one right of it",
                     .table = {{"model", "procs"}, {}},
                     .shown = {{"model", "Model"}, {"procs", "Procs"}},
                     .group_by = "model"};
  for (const auto& value : values) {
    const auto& of = value.column;
    const std::string name(value.name);
    auto& columns = made.table.columns;
    if (std::ranges::find(columns, name) == columns.end()) {
      columns.insert(columns.end(), {name, name + "_printed"});
      const bool is_size = name == "m_s_MB";
      made.shown.push_back({name, is_size ? "m_s (MB)" : name, Shown::significant});
      made.shown.push_back({name + "_printed", "5.1"});
    }
    if (&value == values.data() || value.name == values.front().name)
      made.table.rows.push_back({fmt::format("{} {}", name_of(of.partitioning), name_of(of.layout)),
                                 std::int64_t{of.procs}});
    made.table.rows.back().insert(made.table.rows.back().end(), {value.model, value.printed});
  }
  const auto equal = std::ranges::count_if(values, &ComparedValue::equal);
  made.notes = {fmt::format("{} of {} equal", equal, values.size())};
  return made;
}

}  // namespace

std::vector<std::string> io_parameter_parts() { return {"values", "parameters"}; }

Document io_parameter_document(const Values& values) {
  Document document;
  document.schema = "sim.validate.io/2";
  document.about = {
      "The analytic model of collective I/O beside Table 5.1 of the dissertation",
      "1024 MB a process, 64 aggregators, collective buffers of 32 MB",
      "m_s is printed cut after two digits. Two formulas beside the table are misprinted, it "
      "follows: n_as of even 2d is ceil(P_a/P_x), printed as ceil(P_x/P_a); n_as of static 1d is "
      "ceil(d_p/b_c), printed as d_p/P_a"};
  document.tables = {values_table(values), parameters_table(values)};
  return document;
}

}  // namespace tutti::reports
