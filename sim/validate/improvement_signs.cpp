// SPDX-License-Identifier: BSD-3-Clause
// Table 4.2 of the dissertation beside the calls' own ratios.
#include <algorithm>
#include <cmath>

#include "sim/studies/field.hpp"
#include "sim/validate/improvement_summary.hpp"

namespace tutti::studies {
namespace {

struct Ratios {
  std::optional<double> least, greatest;
  std::optional<bool> as_table;  // the closed form gives the same wherever it is meant to hold

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

}  // namespace tutti::studies
