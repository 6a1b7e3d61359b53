// SPDX-License-Identifier: BSD-3-Clause
// Printed parameters of machines beside the catalog: Tables 4.3 and 5.2 of S. Jha's dissertation,
// and what all papers tell of nodes and cores.
#include <fmt/format.h>

#include <cmath>

#include "platforms/reader.hpp"
#include "sim/base/units.hpp"
#include "sim/studies/papers/printed_tables.hpp"
#include "sim/validate/checks.hpp"
#include "sim/validate/rounding.hpp"

namespace tutti::studies::papers {
namespace {

constexpr double us = 1e-6;
constexpr double MB = 1e6;

// In the unit of the table; nothing where the catalog has none.
std::optional<double> in_catalog(const platforms::Machine& machine, const std::string& set,
                                 const std::string& name, Bytes bytes) {
  if (set == "hockney") return name == "l" ? machine.hockney.l_s / us : machine.hockney.b_Bps / MB;
  const auto found = machine.loggp_sets.find(set);
  if (found == machine.loggp_sets.end()) return std::nullopt;
  const auto& loggp = found->second;
  if (name == "L") return loggp.L_s / us;
  if (name == "o") return loggp.o_s / us;
  if (name == "g") return loggp.g_s(bytes) / us;
  return loggp.G_s_per_B / us;
}

// What G would mean if the printed unit held.
std::string evidence_of_G(double us_per_byte) {
  return fmt::format("per byte it is {:.1f} MB/s, {:.3g} Gbit/s; per message no time at all",
                     1 / us_per_byte, 8e-3 / us_per_byte);
}

Result<CheckedValue> check_parameter(const Table& table, std::size_t row) {
  const std::string platform = text_in(table, row, "platform");
  const auto machine = TUTTI_TRY(platforms::load_machine(platform));
  const std::string name = text_in(table, row, "name");
  const std::string printed = text_in(table, row, "printed");
  const std::string unit = text_in(table, row, "unit");
  const std::string bytes = text_in(table, row, "bytes");
  const auto found = in_catalog(machine, text_in(table, row, "set"), name,
                                bytes.empty() ? 128 * 1024 : parse_bytes(bytes).value());
  CheckedValue value{fmt::format("{} of {}{}", name, platform,
                                 bytes.empty() ? "" : fmt::format(", {} bytes", bytes)),
                     fmt::format("{} {}", printed, unit),
                     found ? fmt::format("{} {}", as_printed(*found, printed), unit) : "",
                     Verdict::equal, text_in(table, row, "note")};
  const std::string misprint = text_in(table, row, "misprint");
  if (!found || !rounds_to(*found, printed)) {
    value.verdict = Verdict::differs;
  } else if (!misprint.empty()) {
    value.verdict = Verdict::misprint;
    value.why = misprint;
    if (name == "G") {
      value.computed += "/byte";
      value.why += "; " + evidence_of_G(*found);
    }
  }
  return value;
}

Result<CheckedValues> check_parameters(const std::string& table_id) {
  const Table table = printed_toml("jha_tables4_3_and_5_2", "parameter");
  CheckedValues values;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (text_in(table, row, "table") != table_id) continue;
    const auto value = TUTTI_TRY(check_parameter(table, row));
    values.push_back(value);
  }
  return values;
}

void add_count(const std::string& item, const std::string& printed, std::int64_t found,
               CheckedValues& values) {
  if (printed.empty()) return;
  const std::string computed = fmt::format("{}", found);
  values.push_back(
      {item, printed, computed, printed == computed ? Verdict::equal : Verdict::differs});
}

}  // namespace

Result<CheckedValues> check_jha_parameters() { return check_parameters("4.3"); }
Result<CheckedValues> check_jha_shuffle_parameters() { return check_parameters("5.2"); }

Result<CheckedValues> check_machines(std::string_view paper, std::string_view table_id) {
  const Table table = printed_toml("machines", "machine");
  CheckedValues values;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    if (text_in(table, row, "paper") != paper || text_in(table, row, "table") != table_id) continue;
    const std::string name = text_in(table, row, "platform");
    const auto machine = TUTTI_TRY(platforms::load_machine(name));
    const std::int64_t nodes = machine.host_count();
    const std::int64_t cores = machine.cores_per_host;
    add_count(name + ": nodes", text_in(table, row, "nodes"), nodes, values);
    add_count(name + ": cores of a node", text_in(table, row, "cores_per_node"), cores, values);
    add_count(name + ": cores", text_in(table, row, "cores"), nodes * cores, values);
  }
  return values;
}

Result<CheckedValues> check_pgmpi_machines() { return check_machines("001", "2"); }
Result<CheckedValues> check_nuriyev_machines() { return check_machines("002", "5.1"); }
Result<CheckedValues> check_cfireworks_machines() { return check_machines("003", "I"); }

}  // namespace tutti::studies::papers
