// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/paper.hpp"

#include <muParser.h>
#include <toml++/toml.h>

#include "sim/studies/papers/printed_tables.hpp"
#include "sim/studies/papers/printed_texts.hpp"
#include "sim/validate/checks.hpp"

namespace tutti::studies::papers {

int decimals_of(std::string_view printed) {
  const auto exponent = printed.find_first_of("eE");
  const std::string_view digits = printed.substr(0, exponent);
  const auto point = digits.find('.');
  int decimals = point == digits.npos ? 0 : static_cast<int>(digits.size() - point) - 1;
  if (exponent != printed.npos)
    decimals -= static_cast<int>(parse_number(printed.substr(exponent + 1)).value());
  return decimals;
}

double half_digit(std::string_view printed) { return 0.5 * std::pow(10.0, -decimals_of(printed)); }

bool rounds_to(double value, std::string_view printed) {
  constexpr double slack = 1 + 1e-9;  // for rounding of binary fractions
  const auto number = parse_number(printed);
  TUTTI_CHECK(number, "not a number: " + std::string(printed));
  return std::abs(value - *number) <= half_digit(printed) * slack;
}

std::string as_printed(double value, std::string_view printed) {
  if (printed.find_first_of("eE") != printed.npos) {
    const std::string_view digits = printed.substr(0, printed.find_first_of("eE"));
    return fmt::format("{:.{}e}", value, decimals_of(digits));
  }
  return fmt::format("{:.{}f}", value, decimals_of(printed));
}

namespace {

double ceiling(double value) { return std::ceil(value); }
double flooring(double value) { return std::floor(value); }

}  // namespace

struct Formula::OptionValues {
  mu::Parser parser;
  Variables values;
};

Formula::Formula(const std::string& text, const Variables& variables)
    : parsed_(std::make_unique<OptionValues>()) {
  auto& [parser, values] = *parsed_;
  values = variables;
  parser.ClearConst();  // only the given variables are defined
  parser.DefineFun("ceil", ceiling);
  parser.DefineFun("floor", flooring);
  for (auto& [name, value] : values) parser.DefineVar(name, &value);
  parser.SetExpr(text);
  try {
    parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    TUTTI_CHECK(false, text + ": " + error.GetMsg());
  }
}

Formula::Formula(Formula&&) noexcept = default;
Formula::~Formula() = default;

double Formula::operator()(const Variables& variables) const {
  auto& [parser, values] = *parsed_;
  for (auto& [name, value] : values) {
    const auto given = variables.find(name);
    TUTTI_CHECK(given != variables.end(), "no value for " + name);
    value = given->second;
  }
  return parser.Eval();
}

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::equal:
      return "equal";
    case Verdict::recounted:
      return "recounted";
    case Verdict::erratum:
      return "erratum";
    case Verdict::differs:
      return "differs";
    case Verdict::not_recomputable:
      break;
  }
  return "not recomputable";
}

const std::vector<Paper>& all_papers() {
  static const std::vector<Paper> all{
      {"000",
       "jha",
       "S. Jha, Performance Tuning and Modeling of Communication in Parallel Applications "
       "(dissertation, University of Houston, 2017)",
       {{"3.1", "ranges of tuned parameters", check_jha_tuned_parameters},
        {"3.2", "gains of tuned alltoall", check_jha_alltoall_gains},
        {"4.1", "costs of collectives", check_jha_costs},
        {"4.2", "improvements of collectives", check_jha_improvements},
        {"4.3", "parameters of crill", check_jha_parameters},
        {"4.4", "impact of the eager limit", check_jha_eager_limits},
        {"5.1", "parameters of the shuffle", check_jha_shuffle},
        {"5.2", "LogGP of three networks", check_jha_shuffle_parameters},
        {"5.3-5.5", "trends of the shuffle", check_jha_tendencies}}},
      {"001",
       "pgmpitunelib",
       "S. Hunold, A. Carpen-Amarie, Autotuning MPI Collectives using Performance Guidelines "
       "(2018)",
       {{"1", "memory of mock-ups", check_pgmpi_memory},
        {"2", "machines", check_pgmpi_machines},
        {"listing 1", "tuning profile", check_pgmpi_profile}}},
      {"002",
       "nuriyev",
       "E. Nuriyev, A. Lastovetsky, A New Model-Based Approach to Performance Comparison of MPI "
       "Collective Algorithms (2020)",
       {{"1", "gamma(P)", check_nuriyev_gamma},
        {"2", "alpha and beta", check_nuriyev_alpha},
        {"3", "selected broadcasts", check_nuriyev_selection},
        {"5.1", "machines (section 5.1)", check_nuriyev_machines}}},
      {"003",
       "cfireworks",
       "K. Cha, cFireworks: a Tool for Measuring the Communication Costs in Collective I/O",
       {{"I", "machines", check_cfireworks_machines},
        {"II", "exchanges and Figure 5", check_cfireworks_times}}},
      {"004",
       "silas",
       "M.-A. Hermanns, Trace-based performance simulation of large-scale applications (thesis, "
       "Juel-4297, 2009)",
       {{"5.2", "LB-COLL (Figure 5.2)", check_silas_collective, "5.2"},
        {"5.4", "LB-P2P (Figure 5.4)", check_silas_point_to_point, "5.4"},
        {"5.5", "SWEEP3D (Figure 5.5)", check_silas_sweep3d, "5.5"},
        {"5.6-5.8", "XNS (Figures 5.6 to 5.8)", check_silas_xns, "5.6-5.8"},
        {"text", "statements and typos", check_silas_text}}}};
  return all;
}

const Paper* find_paper(std::string_view word) {
  for (const auto& paper : all_papers())
    if (paper.number == word || paper.name == word) return &paper;
  return nullptr;
}

namespace {

Cell cell_of(const toml::node& node) {
  if (const auto integer = node.value_exact<std::int64_t>()) return *integer;
  if (const auto number = node.value_exact<double>()) return *number;
  if (const auto text = node.value_exact<std::string>()) return *text;
  TUTTI_CHECK(node.is_array(), "unexpected type of a value in a printed table");
  std::string joined;
  for (const auto& each : *node.as_array())
    joined += (joined.empty() ? "" : " + ") + each.value_exact<std::string>().value_or("?");
  return joined;
}

void add_row(const toml::table& from, Table& table) {
  auto& row = table.rows.emplace_back(table.columns.size());
  for (const auto& [key, value] : from) {
    const std::string column(key.str());
    const auto found = std::ranges::find(table.columns, column);
    const auto at = static_cast<std::size_t>(found - table.columns.begin());
    if (found == table.columns.end()) {
      table.columns.push_back(column);
      row.emplace_back();
    }
    row[at] = cell_of(value);
  }
}

}  // namespace

Table printed_toml(std::string_view name, std::string_view key) {
  const toml::table root = toml::parse(printed_text(name));
  const auto* rows = root[key].as_array();
  TUTTI_CHECK(rows != nullptr, "no rows in " + std::string(name));
  Table table;
  for (const auto& row : *rows) add_row(*row.as_table(), table);
  for (auto& row : table.rows) row.resize(table.columns.size());
  return table;
}

}  // namespace tutti::studies::papers
