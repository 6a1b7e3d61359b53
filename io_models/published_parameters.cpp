// SPDX-License-Identifier: BSD-3-Clause
#include "io_models/published_parameters.hpp"

#include <cmath>

namespace tutti::io_models {
namespace {

using enum Partitioning;
using enum Layout;

// The table says MB; which one does not matter, as long as it is the same everywhere.
constexpr Bytes MB = 1 << 20;

constexpr PublishedParameters table[] = {
    // n_as, n_s, n_ar, n_r, m_s
    {even, one_d, 144, 1, 32, 1, 72, 3200},     {even, one_d, 225, 1, 32, 1, 113, 3200},
    {even, one_d, 576, 1, 32, 1, 288, 3200},    {even, two_d, 144, 6, 64, 12, 72, 266},
    {even, two_d, 225, 5, 96, 15, 113, 213},    {even, two_d, 576, 3, 256, 24, 288, 133},
    {static_, one_d, 144, 32, 1, 1, 72, 3200},  {static_, one_d, 225, 32, 1, 1, 113, 3200},
    {static_, one_d, 576, 32, 1, 1, 288, 3200}, {static_, two_d, 144, 64, 6, 12, 72, 266},
    {static_, two_d, 225, 64, 8, 15, 113, 213}, {static_, two_d, 576, 64, 12, 24, 288, 133},
};

}  // namespace

std::span<const PublishedParameters> table_5_1() { return table; }

ShuffleModelArgs args_of(const PublishedParameters& published) {
  const int side = static_cast<int>(std::lround(std::sqrt(published.procs)));
  constexpr Bytes block_side = 32 * 1024;  // squared: 1024 MB
  return {.partitioning = published.partitioning,
          .layout = published.layout,
          .procs = published.procs,
          .grid_rows = side,
          .grid_columns = side,
          .rows = block_side,
          .row_bytes = block_side,
          .aggregators = 64,
          .buffer_bytes = 32 * MB};
}

std::vector<ComparedValue> compare_with_model(std::span<const PublishedParameters> columns) {
  std::vector<ComparedValue> values;
  for (const auto& column : columns) {
    const auto model = parameters_of(args_of(column)).value();
    const auto add = [&](std::string_view name, std::int64_t ours, int printed) {
      values.push_back(
          {column, name, static_cast<double>(ours), static_cast<double>(printed), ours == printed});
    };
    add("n_as", model.n_as, column.n_as);
    add("n_s", model.n_s, column.n_s);
    add("n_ar", model.n_ar, column.n_ar);
    add("n_r", model.n_r, column.n_r);
    const double m_s_MB = model.m_s / MB;
    values.push_back({column, "m_s_MB", m_s_MB, column.m_s_percent_of_MB / 100.0,
                      std::floor(m_s_MB * 100) == column.m_s_percent_of_MB});
  }
  return values;
}

}  // namespace tutti::io_models
