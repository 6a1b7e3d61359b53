// SPDX-License-Identifier: BSD-3-Clause
// PGMPITuneLib paper: Table 1 and the profile of listing 1. Also compares the machine parameters
// that all papers print with the catalog.

#include "platforms/reader.hpp"
#include "sim/base/common.hpp"
#include "sim/studies/papers/printed_tables.hpp"
#include "sim/studies/papers/printed_texts.hpp"
#include "sim/studies/profiles.hpp"
#include "sim/validate/checks.hpp"
#include "sim/validate/paper.hpp"

namespace tutti::studies::papers {

// Printed parameters of machines, compared with the catalog: Tables 4.3 and 5.2 of S. Jha's
// dissertation, and the numbers of nodes and cores in all papers.

namespace {

constexpr double us = 1e-6;
constexpr double MB = 1e6;

// In the unit of the table; unset if the catalog does not have the parameter.
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

// The bandwidth that G means per byte, to show that the printed unit is wrong.
std::string evidence_of_G(double us_per_byte) {
  return fmt::format("per byte it means {:.1f} MB/s, {:.3g} Gbit/s; per message it is negligible",
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
  const std::string erratum = text_in(table, row, "erratum");
  if (!found || !rounds_to(*found, printed)) {
    value.verdict = Verdict::differs;
  } else if (!erratum.empty()) {
    value.verdict = Verdict::erratum;
    value.why = erratum;
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
    values.push_back(TUTTI_TRY(check_parameter(table, row)));
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
    add_count(name + ": cores per node", text_in(table, row, "cores_per_node"), cores, values);
    add_count(name + ": cores", text_in(table, row, "cores"), nodes * cores, values);
  }
  return values;
}

Result<CheckedValues> check_pgmpi_machines() { return check_machines("pgmpitunelib", "2"); }
Result<CheckedValues> check_nuriyev_machines() { return check_machines("nuriyev", "5.1"); }
Result<CheckedValues> check_cfireworks_machines() { return check_machines("cfireworks", "I"); }

namespace {

constexpr double int_bytes = 4;    // I
constexpr std::int64_t chunk = 4;  // C, as in the library

// Largest number of elements of any process if n elements are distributed round-robin in chunks; an
// incomplete chunk goes to the next process.
std::int64_t dealt(std::int64_t n, std::int64_t p) {
  const std::int64_t chunks = n / chunk;
  const std::int64_t each = chunks / p * chunk;
  return each + (chunks % p > 0 ? chunk : n % chunk);
}

// The variables of both formulas for n elements and p processes.
Variables job(std::int64_t n, std::int64_t p, std::int64_t vectors) {
  const std::int64_t block = (n + p - 1) / p;
  return {{"n", static_cast<double>(n)},
          {"p", static_cast<double>(p)},
          {"I", int_bytes},
          {"C", static_cast<double>(chunk)},
          {"c", static_cast<double>(block * p - n)},
          {"block", static_cast<double>(block)},
          {"dealt", static_cast<double>(dealt(n, p))},
          {"vectors", static_cast<double>(vectors * p) * int_bytes}};
}

struct Beside {
  int jobs = 0;
  int equal = 0;
  int enough = 0;  // the printed value is at least the needed one
};

Beside beside(const std::string& printed, const std::string& needs, std::int64_t vectors) {
  const Formula as_printed(printed, job(1, 1, vectors));
  const Formula needed(needs, job(1, 1, vectors));
  Beside found;
  for (const std::int64_t p : {2, 3, 16, 100, 1024})
    for (const std::int64_t n : {1, 7, 64, 1000, 100'000}) {
      const Variables values = job(n, p, vectors);
      ++found.jobs;
      found.equal += as_printed(values) == needed(values);
      found.enough += as_printed(values) >= needed(values);
    }
  return found;
}

CheckedValue check_memory(const std::string& item, const std::string& printed,
                          const std::string& needs, std::int64_t vectors) {
  const Beside found = beside(printed, needs, vectors);
  CheckedValue value{item, printed, needs, Verdict::equal, fmt::format("for {} jobs", found.jobs)};
  if (found.equal == found.jobs) return value;
  value.verdict = found.enough == found.jobs ? Verdict::equal : Verdict::differs;
  value.why = fmt::format("an upper bound: {} of {} jobs need all of it", found.equal, found.jobs);
  if (value.verdict == Verdict::differs) value.why.clear();
  return value;
}

CheckedValue check_name(const Table& names, std::size_t row, const Table& guidelines) {
  const std::string id = text_in(names, row, "id");
  std::string of_table;
  for (std::size_t i = 0; i < guidelines.rows.size(); ++i)
    if (text_in(guidelines, i, "id") == id) of_table = text_in(guidelines, i, "mockup");
  return {fmt::format("{}: name in appendix A", id), text_in(names, row, "printed"), of_table,
          of_table == text_in(names, row, "right") ? Verdict::erratum : Verdict::differs,
          "Table 1 lists the v variant, the only one that allows blocks of different sizes"};
}

// Adds the largest number of processes whose count vectors fit into the buffer.
void check_limit(const Table& limits, std::size_t row, CheckedValues& values) {
  const double bytes = number_in(limits, row, "bytes");
  for (const int vectors : {2, 1})
    values.push_back({fmt::format("{}: maximum number of processes with {}",
                                  text_in(limits, row, "item"), counted(vectors, "count vector")),
                      "", fmt::format("{:.0f}", std::floor(bytes / int_bytes / vectors)),
                      Verdict::equal,
                      "not printed; with more processes the default algorithm runs"});
}

// ---- listing 1 ----

CheckedValue rule(const std::string& item, const std::string& printed, bool holds,
                  const std::string& computed) {
  return {item, printed, computed, holds ? Verdict::equal : Verdict::differs};
}

}  // namespace

Result<CheckedValues> check_pgmpi_memory() {
  const Table guidelines = printed_toml("pgmpi_guidelines", "guideline");
  CheckedValues values;
  for (std::size_t row = 0; row < guidelines.rows.size(); ++row) {
    const std::string vectors = text_in(guidelines, row, "vectors");
    values.push_back(check_memory(
        fmt::format("{}: {} by {}", text_in(guidelines, row, "id"),
                    text_in(guidelines, row, "collective"), text_in(guidelines, row, "mockup")),
        text_in(guidelines, row, "extra"), text_in(guidelines, row, "needs"),
        vectors.empty() ? 0 : parse_integer(vectors).value()));
  }
  const Table collectives = printed_toml("pgmpi_guidelines", "collective");
  for (std::size_t row = 0; row < collectives.rows.size(); ++row)
    values.push_back(check_memory(
        text_in(collectives, row, "name"), text_in(collectives, row, "memory"),
        text_in(collectives, row, "sends") + "+" + text_in(collectives, row, "receives"), 0));
  const Table names = printed_toml("pgmpi_guidelines", "appendix");
  for (std::size_t row = 0; row < names.rows.size(); ++row)
    values.push_back(check_name(names, row, guidelines));
  const Table limits = printed_toml("pgmpi_guidelines", "limit");
  for (std::size_t row = 0; row < limits.rows.size(); ++row) check_limit(limits, row, values);
  return values;
}

// Reading the profile already checks its numbers of entries, that ranges begin before they end, and
// that they name mock-ups.
Result<CheckedValues> check_pgmpi_profile() {
  const auto read =
      TUTTI_TRY(guidelines::read_profile(printed_text("pgmpitunelib_listing1"), "listing 1"));
  const auto& profile = read;
  const auto& ranges = profile.ranges;
  const bool ascend = std::ranges::adjacent_find(ranges, [](const auto& a, const auto& b) {
                        return b.begin_bytes <= a.end_bytes;
                      }) == ranges.end();
  const auto all = fmt::format("{}", ranges.size());
  const auto mockups = fmt::format("{}", profile.mockups.size());
  CheckedValues values{rule("ranges", all, true, all), rule("mock-ups", mockups, true, mockups),
                       rule("ranges that begin at or below their end", all, true, all),
                       rule("ranges that name a mock-up", all, true, all),
                       rule("ranges ascend without overlap", "yes", ascend, ascend ? "yes" : "no")};
  // scatter_as_scatterv needs two count vectors, in the buffer of listing 2.
  const Table limits = printed_toml("pgmpi_guidelines", "limit");
  const auto most = number_in(limits, 0, "bytes") / int_bytes / 2;
  values.push_back(rule("processes whose count vectors fit", fmt::format("{}", profile.procs),
                        static_cast<double>(profile.procs) <= most,
                        fmt::format("up to {:.0f}", most)));
  return values;
}

}  // namespace tutti::studies::papers
