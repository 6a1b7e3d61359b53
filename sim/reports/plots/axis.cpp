// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/plots/axis.hpp"

namespace tutti::reports {
namespace {

bool are_powers_of_two(const std::vector<Tick>& ticks) {
  return std::ranges::all_of(ticks, [](const Tick& tick) {
    return tick.at > 0 && std::exp2(std::round(std::log2(tick.at))) == tick.at;
  });
}

// True if adjacent ticks have equal distances on the axis.
bool are_evenly_spaced(const Axis& axis) {
  const auto position = [&](const Tick& tick) { return axis.log ? std::log(tick.at) : tick.at; };
  const double length = position(axis.ticks.back()) - position(axis.ticks.front());
  const auto steps = static_cast<double>(axis.ticks.size() - 1);
  for (std::size_t i = 1; i < axis.ticks.size(); ++i) {
    const double step = position(axis.ticks[i]) - position(axis.ticks[i - 1]);
    if (std::fabs(step - length / steps) > 1e-6 * length) return false;
  }
  return true;
}

}  // namespace

Axis value_axis(Quantity quantity, const std::string& label, bool log, double low, double high) {
  return {.label = label,
          .quantity = quantity,
          .log = log,
          .is_binary = quantity == Quantity::bytes,
          .low = low,
          .high = high};
}

Axis ratio_axis(const std::string& label, double low, double high) {
  return {
      .label = label, .is_ratio = true, .log = true, .is_binary = true, .low = low, .high = high};
}

Axis point_axis(const std::string& column, const std::vector<Cell>& xs, bool log) {
  constexpr std::size_t most_even_ticks = 33, most_uneven_ticks = 8;
  Axis axis = value_axis(quantity_of(column), words_of(column), log, 0, 0);
  for (const Cell& x : xs)
    if (const double value = *number_of(column, x); !log || value > 0)
      axis.ticks.push_back({value, value_text(column, x)});
  axis.low = axis.ticks.front().at;
  axis.high = axis.ticks.back().at;
  axis.is_binary = axis.is_binary || are_powers_of_two(axis.ticks);
  const bool has_few = axis.ticks.size() <= most_uneven_ticks;
  if (!has_few && (axis.ticks.size() > most_even_ticks || !are_evenly_spaced(axis)))
    axis.ticks.clear();
  return axis;
}

Axis category_axis(const std::string& column, const std::vector<Cell>& xs) {
  Axis axis{.label = words_of(column), .low = 0.5, .high = static_cast<double>(xs.size()) + 0.5};
  for (std::size_t i = 0; i < xs.size(); ++i)
    axis.ticks.push_back({static_cast<double>(i + 1), value_text(column, xs[i])});
  return axis;
}

}  // namespace tutti::reports
