// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fireworks/printed_costs.hpp"

#include "sim/studies/papers/printed_tables.hpp"

namespace tutti::studies::fireworks {
namespace {

constexpr int messages_of_pair = 2;

// The row of such a machine and message size.
std::optional<std::size_t> row_of(const Table& table, std::string_view platform, Bytes bytes) {
  for (std::size_t row = 0; row < table.rows.size(); ++row)
    if (papers::text_in(table, row, "platform") == platform &&
        papers::number_in(table, row, "message_bytes") == static_cast<double>(bytes))
      return row;
  return std::nullopt;
}

std::optional<double> r2_from_two_pairs(const std::vector<Sample>& samples) {
  std::vector<Sample> saturated;
  for (const auto& sample : samples)
    if (sample.load.intra >= 2 * messages_of_pair) saturated.push_back(sample);
  return r2_of_plane(saturated);
}

std::optional<double> pairs_of_split(const CostModel& model) {
  if (!model.split || model.split->by != Split::By::intra) return std::nullopt;
  return model.split->last_below / messages_of_pair;
}

}  // namespace

std::vector<PrintedCost> beside_printed_costs(std::string_view platform, const CostModel& model,
                                              const std::vector<Sample>& samples) {
  const Table table = papers::printed_toml("cfireworks_table1", "cost");
  const auto row = row_of(table, platform, model.message_bytes);
  if (!row || model.hot_spots != 1) return {};
  const auto printed = [&](const char* column) { return papers::text_in(table, *row, column); };
  const std::string of_order = model.order == workloads::PostingOrder::inter_first
                                   ? printed("r2_plane_inter_first")
                                   : std::string();
  return {{"R^2 of one plane", of_order.empty() ? printed("r2_plane") : of_order,
           model.quality[static_cast<std::size_t>(Form::linear)].r2},
          {"R^2 of one plane, from 2 pairs inside on", printed("r2_pairs_from_2"),
           r2_from_two_pairs(samples)},
          {"pairs inside up to which it is not saturated", printed("saturated_pairs"),
           pairs_of_split(model)}};
}

}  // namespace tutti::studies::fireworks
