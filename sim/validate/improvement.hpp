// SPDX-License-Identifier: BSD-3-Clause
// What a gain of a single message makes of a collective (dissertation, chapter 4). i is the
// improvement of a message of m bytes: (t_untuned - t_tuned) / t_untuned, equation 4.1. It is
// taken to come from one parameter alone: l or b of Hockney's model, o or G of LogGP.
#pragma once

#include "algorithms/collective.hpp"
#include "sim/base/common.hpp"
#include "sim/studies/model_parameters.hpp"
#include "sim/validate/paper.hpp"

namespace tutti::studies {

// The parameter that the gain came from.
enum class Affected : unsigned char { l, b, o, G };
inline constexpr std::array all_affected = {Affected::l, Affected::b, Affected::o, Affected::G};

// As the legends of Figures 4.1 to 4.12: "hockney(l)", "hockney(b)", "loggp(o)", "loggp(G)".
std::string_view name_of(Affected affected);
bool is_hockney(Affected affected);

// Below 0 where the change made it worse. 1 and more cannot be.
struct MessageGain {
  Bytes message_bytes = 0;
  double improvement = 0;
};

// (untuned - tuned) / untuned, equation 4.1; nothing of a time of 0.
std::optional<double> improvement_of(Seconds untuned_s, Seconds tuned_s);

// l* (equation 4.13), b* (4.14), o* (4.18), G* (4.17), by t_tuned = (1 - i) t_untuned: equation
// 4.10 is printed with the factor on the other side. Nothing where the parameter cannot have made
// that gain: it would be below 0 (b*: infinite), or the message is too short to feel it.
std::optional<double> tuned_value(Affected affected, const MessageGain& gain,
                                  const ModelParameters& untuned);

// All parameters, with the tuned one in its place; nothing as above.
std::optional<ModelParameters> tuned_parameters(Affected affected, const MessageGain& gain,
                                                const ModelParameters& untuned);

// What a call takes in the model that `affected` belongs to.
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

// The collective's improvement over the message's, for very small ones: what Table 4.2 gives in
// closed form. `args` has the message.
std::optional<double> gain_ratio(Affected affected, const algorithms::Algorithm& algorithm,
                                 const algorithms::ModelArgs& args, const ModelParameters& untuned);

// Table 4.2 of the dissertation: the improvement of a collective over that of a message, in closed
// form, with its misprints set right; and the signs, as printed and as they are.

struct TableRatio {
  std::string collective;
  std::string algorithm;   // Open MPI's name
  std::string printed_as;  // "chain"
  Affected affected = Affected::l;
  std::string printed_sign;  // "=", "<"; empty: blank, which means: any
  std::string true_sign;     // "=", "<", ">"; "<>": it depends
  std::string note;          // what is wrong in print, or what it depends on
  std::shared_ptr<const papers::Formula> formula;

  // The table knows one g: that of the message.
  double ratio(int procs, Bytes message_bytes, const ModelParameters& parameters) const;
  // Recursive doubling is counted on a power of two, neighbour exchange on an even number.
  bool holds_for(int procs) const;
};

// All 36, in the order of the table.
const std::vector<TableRatio>& table_4_2();
// Null: the table does not have the algorithm.
const TableRatio* table_4_2_row(std::string_view collective, std::string_view algorithm,
                                Affected affected);

}  // namespace tutti::studies
