// SPDX-License-Identifier: BSD-3-Clause
#include "sim/validate/improvement.hpp"

#include "algorithms/models/message_cost.hpp"
#include "sim/studies/field.hpp"
#include "sim/studies/papers/printed_tables.hpp"
#include "sim/validate/improvement_summary.hpp"

namespace tutti::studies {
namespace {

// Small enough that no tuned value is negative, large enough that rounding does not matter.
constexpr double small_improvement = 1e-6;

// The time that one message gains, equations 4.11 and 4.15.
Seconds gained_s(Affected affected, const MessageGain& gain, const ModelParameters& p) {
  using namespace algorithms::models;
  const Seconds untuned_s = is_hockney(affected) ? HockneyCost(p.hockney, 1).hop(gain.message_bytes)
                                                 : LogGPCost(p.loggp, 1).hop(gain.message_bytes);
  return gain.improvement * untuned_s;
}

double& parameter_of(Affected affected, ModelParameters& p) {
  switch (affected) {
    case Affected::l:
      return p.hockney.l_s;
    case Affected::b:
      return p.hockney.b_Bps;
    case Affected::o:
      return p.loggp.o_s;
    case Affected::G:
      break;
  }
  return p.loggp.G_s_per_B;
}

// The value by the formulas, which may be impossible.
double formula_value(Affected affected, const MessageGain& gain, const ModelParameters& p) {
  const double m = static_cast<double>(gain.message_bytes);
  const Seconds less_s = gained_s(affected, gain, p);
  switch (affected) {
    case Affected::l:
      return p.hockney.l_s - less_s;
    case Affected::b:
      return m / (m / p.hockney.b_Bps - less_s);
    case Affected::o:
      return p.loggp.o_s - less_s / 2;
    case Affected::G:
      break;
  }
  return p.loggp.G_s_per_B - less_s / (m - 1);
}

// Smallest message whose time depends on the parameter.
Bytes least_bytes(Affected affected) { return affected == Affected::b ? 1 : 2; }

}  // namespace

std::string_view name_of(Affected affected) {
  constexpr std::array<std::string_view, 4> names = {"hockney(l)", "hockney(b)", "loggp(o)",
                                                     "loggp(G)"};
  return names[static_cast<std::size_t>(affected)];
}

bool is_hockney(Affected affected) { return affected == Affected::l || affected == Affected::b; }

std::optional<double> improvement_of(Seconds untuned_s, Seconds tuned_s) {
  if (untuned_s <= 0) return std::nullopt;
  return (untuned_s - tuned_s) / untuned_s;
}

std::optional<double> tuned_value(Affected affected, const MessageGain& gain,
                                  const ModelParameters& untuned) {
  ModelParameters parameters = untuned;
  if (gain.improvement == 0) return parameter_of(affected, parameters);
  const bool is_per_byte = affected == Affected::b || affected == Affected::G;
  if (is_per_byte && gain.message_bytes < least_bytes(affected)) return std::nullopt;
  const double value = formula_value(affected, gain, untuned);
  const bool is_possible = affected == Affected::b ? value > 0 && value < 1e300 : value >= 0;
  return is_possible ? std::optional(value) : std::nullopt;
}

std::optional<ModelParameters> tuned_parameters(Affected affected, const MessageGain& gain,
                                                const ModelParameters& untuned) {
  const auto value = tuned_value(affected, gain, untuned);
  if (!value) return std::nullopt;
  ModelParameters tuned = untuned;
  parameter_of(affected, tuned) = *value;
  return tuned;
}

Seconds model_time(Affected affected, const algorithms::Algorithm& algorithm,
                   const algorithms::ModelArgs& args, const ModelParameters& parameters) {
  return is_hockney(affected) ? algorithms::models::hockney(algorithm, args, parameters.hockney)
                              : algorithms::models::loggp(algorithm, args, parameters.loggp);
}

std::optional<ModelGain> expected_gain(Affected affected, const algorithms::Algorithm& algorithm,
                                       const algorithms::ModelArgs& args, double improvement,
                                       const ModelParameters& untuned) {
  const auto tuned = tuned_parameters(
      affected, {.message_bytes = args.call.message_bytes, .improvement = improvement}, untuned);
  if (!tuned) return std::nullopt;
  return ModelGain{model_time(affected, algorithm, args, untuned),
                   model_time(affected, algorithm, args, *tuned)};
}

std::optional<double> gain_ratio(Affected affected, const algorithms::Algorithm& algorithm,
                                 const algorithms::ModelArgs& args,
                                 const ModelParameters& untuned) {
  const auto gain = expected_gain(affected, algorithm, args, small_improvement, untuned);
  if (!gain) return std::nullopt;
  const auto improvement = improvement_of(gain->untuned_s, gain->tuned_s);
  if (!improvement) return std::nullopt;
  return *improvement / small_improvement;
}

// Table 4.2 of the dissertation, compared with the ratios of the calls.

namespace {

struct Ratios {
  std::optional<double> least, greatest;
  std::optional<bool> as_table;  // the closed form agrees for all calls to which it applies

  void add(double ratio) {
    least = std::min(ratio, least.value_or(ratio));
    greatest = std::max(ratio, greatest.value_or(ratio));
  }
};

Ratios ratios_of(const TableRatio& row, const std::vector<ImprovedCall>& calls,
                 const MessageTuning& tuning) {
  Ratios found;
  for (const auto& call : calls) {
    if (call.algorithm->collective != row.collective || call.algorithm->name != row.algorithm)
      continue;
    const auto ratio = gain_ratio(row.affected, *call.algorithm, call.args, tuning.parameters);
    if (!ratio) continue;
    found.add(*ratio);
    if (!row.holds_for(call.args.procs)) continue;
    const double closed =
        row.ratio(call.args.procs, call.args.call.message_bytes, tuning.parameters);
    found.as_table = found.as_table.value_or(true) && std::abs(closed - *ratio) < 1e-6 * *ratio;
  }
  return found;
}

}  // namespace

std::vector<SeenSign> improvement_signs(const MessageTuning& tuning,
                                        const std::vector<ImprovedCall>& calls) {
  std::vector<SeenSign> signs;
  for (const auto& row : table_4_2())
    if (const Ratios ratios = ratios_of(row, calls, tuning); ratios.least)
      signs.push_back({&row, *ratios.least, *ratios.greatest, ratios.as_table});
  return signs;
}

namespace {

using papers::text_in;

papers::Variables variables(int procs, Bytes message_bytes, const ModelParameters& p) {
  return {{"P", static_cast<double>(procs)},
          {"m", static_cast<double>(message_bytes)},
          {"l", p.hockney.l_s},
          {"b", p.hockney.b_Bps},
          {"L", p.loggp.L_s},
          {"o", p.loggp.o_s},
          {"g", p.loggp.g_s(message_bytes)},
          {"G", p.loggp.G_s_per_B}};
}

Affected affected_in(const std::string& letter) {
  for (const Affected affected : all_affected)
    if (name_of(affected).ends_with("(" + letter + ")")) return affected;
  TUTTI_CHECK(false, "no parameter " + letter);
  return Affected::l;
}

std::string note_on_sign(const TableRatio& row) {
  if (row.printed_sign == row.true_sign || row.true_sign == "<>") return {};
  return row.printed_sign.empty() ? "blank in print (any sign)" : "the printed sign is wrong";
}

TableRatio row_of(const Table& table, std::size_t number) {
  const auto text = [&](const char* column) { return text_in(table, number, column); };
  const std::string formula = text("right").empty() ? text("ratio") : text("right");
  TableRatio row{.collective = text("collective"),
                 // Open MPI's chain has several chains; the printed algorithm is its pipeline.
                 .algorithm = text("algorithm") == "chain" ? "pipeline" : text("algorithm"),
                 .printed_as = text("algorithm"),
                 .affected = affected_in(text("affected")),
                 .printed_sign = text("sign"),
                 .true_sign = text("true_sign"),
                 .note = {},
                 .formula = std::make_shared<const papers::Formula>(formula, variables(1, 1, {}))};
  row.note = note_on_sign(row);
  if (const std::string note = text("note"); !note.empty())
    row.note += (row.note.empty() ? "" : "; ") + note;
  return row;
}

std::vector<TableRatio> all_rows() {
  const Table table = papers::printed_toml("jha_table4_2", "rows");
  std::vector<TableRatio> rows;
  for (std::size_t number = 0; number < table.rows.size(); ++number)
    rows.push_back(row_of(table, number));
  return rows;
}

}  // namespace

double TableRatio::ratio(int procs, Bytes message_bytes, const ModelParameters& parameters) const {
  return (*formula)(variables(procs, message_bytes, parameters));
}

bool TableRatio::holds_for(int procs) const {
  if (algorithm == "recursive_doubling") return std::has_single_bit(unsigned(procs));
  return algorithm != "neighbor" || procs % 2 == 0;
}

const std::vector<TableRatio>& table_4_2() {
  static const std::vector<TableRatio> rows = all_rows();
  return rows;
}

const TableRatio* table_4_2_row(std::string_view collective, std::string_view algorithm,
                                Affected affected) {
  for (const auto& row : table_4_2())
    if (row.collective == collective && row.algorithm == algorithm && row.affected == affected)
      return &row;
  return nullptr;
}

}  // namespace tutti::studies
