// SPDX-License-Identifier: BSD-3-Clause
// The expected times of cFireworks' Table II on the simulated machines: measured, fitted and
// predicted as the paper does, by the form of cost that fits these machines best.
#include <fmt/format.h>

#include <algorithm>

#include "platforms/reader.hpp"
#include "sim/fireworks/surface.hpp"
#include "sim/studies/papers/printed_tables.hpp"
#include "sim/validate/cfireworks.hpp"
#include "sim/validate/rounding.hpp"

namespace tutti::studies::papers {
namespace {

using fireworks::CostModel;
using workloads::PostingOrder;

constexpr Bytes message_bytes = Bytes{4} << 20;

struct Measured {
  const char* column;
  const char* platform;
  PostingOrder order;
};
constexpr Measured measured[] = {{"tachyon1_intra_first", "tachyon1", PostingOrder::intra_first},
                                 {"tachyon1_inter_first", "tachyon1", PostingOrder::inter_first},
                                 {"tachyon2_intra_first", "tachyon2", PostingOrder::intra_first},
                                 {"tachyon2_inter_first", "tachyon2", PostingOrder::inter_first}};

Result<CostModel> measure(const Measured& wanted) {
  const auto machine = TUTTI_TRY(platforms::load_machine(wanted.platform));
  const auto pairs = fireworks::grid_values(7, 8);
  std::vector<fireworks::Sample> samples;
  for (const auto& asked : fireworks::surface_points({.message_bytes = {message_bytes},
                           .orders = {wanted.order},
                           .hot_spots = {1},
                           .intra_pairs = pairs,
                           .inter_pairs = pairs})) {
    const auto time_s = TUTTI_TRY(fireworks::time_of(asked, machine, engines::EngineKind::flow));
    samples.push_back({.load = fireworks::load_of(asked),
                       .time_s = time_s,
                       .both_ways = asked.exchanged == workloads::Exchanged::both});
  }
  return fireworks::fit_cost_model(samples);
}

}  // namespace

Result<CheckedValues> simulated_cfireworks_times(const Table& table) {
  CheckedValues values;
  for (const auto& each : measured) {
    const auto model = TUTTI_TRY(measure(each));
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
      Seconds longest_s = 0;
      for (const auto& load : cfireworks_loads(text_in(table, row, "node_set")).of_node)
        longest_s = std::max(longest_s, model.at(load, model.best));
      values.push_back({fmt::format("{}: {}, simulated", text_in(table, row, "test"), each.column),
                        text_in(table, row, each.column), as_printed(longest_s, "0.000000"),
                        Verdict::not_recomputable,
                        fmt::format("expected of the simulated machine by the form {}",
                                    fireworks::name_of(model.best))});
    }
  }
  return values;
}

}  // namespace tutti::studies::papers
