// SPDX-License-Identifier: BSD-3-Clause
// The effect of an improvement of single messages on a collective (Jha's dissertation, chapter 4).
// The improvement of a message of m bytes is i = (t_untuned - t_tuned) / t_untuned, equation 4.1.
// It is assumed to come from one parameter only: l or b of Hockney's model, o or G of LogGP.
#pragma once

#include "algorithms/collective.hpp"
#include "sim/base/common.hpp"
#include "sim/studies/model_parameters.hpp"
#include "sim/validate/paper.hpp"

namespace tutti::studies {

// The parameter that causes the gain.
enum class Affected : unsigned char { l, b, o, G };
inline constexpr std::array all_affected = {Affected::l, Affected::b, Affected::o, Affected::G};

// As the legends of Figures 4.1 to 4.12: "hockney(l)", "hockney(b)", "loggp(o)", "loggp(G)".
std::string_view name_of(Affected affected);
bool is_hockney(Affected affected);

// The improvement is below 1, and negative if the change makes the message slower.
struct MessageGain {
  Bytes message_bytes = 0;
  double improvement = 0;
};

// (untuned - tuned) / untuned, equation 4.1; unset if the untuned time is 0.
std::optional<double> improvement_of(Seconds untuned_s, Seconds tuned_s);

// The tuned value l* (equation 4.13), b* (4.14), o* (4.18) or G* (4.17), with t_tuned = (1 - i)
// t_untuned (equation 4.10 is printed with the factor on the other side). Unset if the parameter
// cannot cause this gain, because it would be negative (b*: infinite) or because the message is too
// short to depend on it.
std::optional<double> tuned_value(Affected affected, const MessageGain& gain,
                                  const ModelParameters& untuned);

// All parameters, with the tuned value of one of them; unset as in tuned_value.
std::optional<ModelParameters> tuned_parameters(Affected affected, const MessageGain& gain,
                                                const ModelParameters& untuned);

// The time of a call, in seconds, by the model that `affected` belongs to.
Seconds model_time(Affected affected, const algorithms::Algorithm& algorithm,
                   const algorithms::ModelArgs& args, const ModelParameters& parameters);

// Times of a call before and after, by the formula of its algorithm.
struct ModelGain {
  Seconds untuned_s = 0;
  Seconds tuned_s = 0;
};
std::optional<ModelGain> expected_gain(Affected affected, const algorithms::Algorithm& algorithm,
                                       const algorithms::ModelArgs& args, double improvement,
                                       const ModelParameters& untuned);

// The collective's improvement divided by the message's, for very small improvements, which
// Table 4.2 gives in closed form. `args` contains the message size.
std::optional<double> gain_ratio(Affected affected, const algorithms::Algorithm& algorithm,
                                 const algorithms::ModelArgs& args, const ModelParameters& untuned);

// Table 4.2 of the dissertation: the improvement of a collective divided by that of a message, in
// closed form with errata corrected, and the printed and true signs.

struct TableRatio {
  std::string collective;
  std::string algorithm;   // Open MPI's name
  std::string printed_as;  // "chain"
  Affected affected = Affected::l;
  std::string printed_sign;  // "=", "<"; empty: blank, which means any
  std::string true_sign;     // "=", "<", ">"; "<>": depends on the parameters
  std::string note;          // the erratum, or what the sign depends on
  std::shared_ptr<const papers::Formula> formula;

  // The table has a single g, that of the message.
  double ratio(int procs, Bytes message_bytes, const ModelParameters& parameters) const;
  // The formulas assume a power of two for recursive doubling, an even number for neighbor
  // exchange.
  bool holds_for(int procs) const;
};

// All 36 rows, in the order of the table.
const std::vector<TableRatio>& table_4_2();
// Null if the table does not contain the algorithm.
const TableRatio* table_4_2_row(std::string_view collective, std::string_view algorithm,
                                Affected affected);

}  // namespace tutti::studies
