// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/plots/ticks.hpp"

namespace tutti::reports {
namespace {

struct Unit {
  double factor;
  const char* name;
};
constexpr std::array time_units = {Unit{1e-9, "ns"}, Unit{1e-6, "µs"}, Unit{1e-3, "ms"},
                                   Unit{1, "s"}};
constexpr std::array byte_units = {Unit{1, "B"},        Unit{0x1p10, "KiB"}, Unit{0x1p20, "MiB"},
                                   Unit{0x1p30, "GiB"}, Unit{0x1p40, "TiB"}, Unit{0x1p50, "PiB"}};
constexpr std::array rate_units = {Unit{1, "B/s"}, Unit{1e3, "kB/s"}, Unit{1e6, "MB/s"},
                                   Unit{1e9, "GB/s"}, Unit{1e12, "TB/s"}};

// The largest unit not above the value.
template <class Units>
Unit unit_for(const Units& units, double value) {
  Unit unit = units.front();
  for (const Unit& each : units)
    if (value >= each.factor * (1 - 1e-9)) unit = each;
  return unit;
}

Unit unit_of(Quantity quantity, double value) {
  if (quantity == Quantity::seconds) return unit_for(time_units, value);
  if (quantity == Quantity::bytes) return unit_for(byte_units, value);
  if (quantity == Quantity::rate) return unit_for(rate_units, value);
  if (quantity == Quantity::fraction) return {0.01, "%"};
  return {1, ""};
}

// `step`: distance to the next mark, whose text must differ; 0: none.
std::string plain(double number, double step = 0) {
  if (number == 0) return "0";
  const double size = std::fabs(number);
  const int digits =
      step > 0 ? std::clamp(static_cast<int>(std::ceil(std::log10(size / step))) + 1, 4, 17) : 4;
  if (size >= 1e6 || size < 1e-3 || digits > 12) return fmt::format("{:.{}g}", number, digits);
  return fmt::format("{}", std::round(number * 1e6) / 1e6);
}

std::string with_unit(Quantity quantity, double value) {
  const Unit unit = unit_of(quantity, value);
  const auto number = plain(value / unit.factor);
  return *unit.name == '\0' ? number : fmt::format("{} {}", number, unit.name);
}

std::string labelled(const std::string& words, const char* unit) {
  return *unit == '\0' ? words : fmt::format("{} ({})", words, unit);
}

constexpr std::size_t usual_room = 9;

// Powers of two, at most `room` of them.
std::vector<double> binary_marks(double low, double high, std::size_t room = usual_room) {
  const int first = static_cast<int>(std::ceil(std::log2(low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log2(high) + 1e-9));
  const int most = static_cast<int>(room);
  const int step = std::max(1, (last - first + most) / most);
  std::vector<double> marks;
  for (int power = static_cast<int>(std::ceil(double(first) / step)) * step; power <= last;
       power += step)
    marks.push_back(std::exp2(power));
  return marks;
}

// Powers of ten; also 2 and 5 times these if there are few.
std::vector<double> decimal_marks(double low, double high, std::size_t room = usual_room) {
  const double decades = std::log10(high) - std::log10(low);
  const auto most = static_cast<double>(room);
  const bool few = high / low < 150 && 3 * decades <= most;
  const int step = std::max(1, static_cast<int>(std::ceil(decades / most - 1e-9)));
  const int last = static_cast<int>(std::ceil(std::log10(high)));
  std::vector<double> marks;
  for (int power = static_cast<int>(std::floor(std::log10(low))); power <= last; power += step)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double mark = digit * std::pow(10, power);
      if ((digit == 1 || few) && mark >= low * (1 - 1e-9) && mark <= high * (1 + 1e-9))
        marks.push_back(mark);
    }
  return marks;
}

// About six steps, each 1, 2 or 5 times a power of ten.
std::vector<double> linear_marks(double low, double high) {
  const double rough = (high - low) / 6;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = power;
  for (const double factor : {2.0, 5.0, 10.0})
    if (step < rough) step = factor * power;
  std::vector<double> marks;
  const double slack = step * 1e-6;
  const double first = std::ceil((low - slack) / step);
  constexpr int most = 12;
  for (int i = 0; i < most; ++i) {
    const double mark = (first + i) * step;
    // A step may be smaller than the resolution of numbers of this size.
    if (mark > high + slack || (i > 0 && mark <= marks.back())) break;
    marks.push_back(mark);
  }
  return marks;
}

// Powers of two; finer marks if these are fewer than three.
std::vector<double> ratio_marks(double low, double high) {
  const auto powers = binary_marks(low, high);
  if (powers.size() > 2) return powers;
  std::vector<double> marks;
  for (const double mark :
       {0.25, 0.33, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.35, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0})
    if (mark >= low && mark <= high) marks.push_back(mark);
  return marks.size() > 1 ? marks : linear_marks(low, high);
}

double place_on(const Axis& axis, double value) {
  const auto scaled = [&](double each) { return axis.log ? std::log(each) : each; };
  const double length = scaled(axis.high) - scaled(axis.low);
  return length > 0 ? (scaled(value) - scaled(axis.low)) / length : 0.5;
}

// Clears labels that would overlap the previous one.
void thin(Axis& axis, std::size_t room) {
  const double gap = 1.0 / static_cast<double>(std::max<std::size_t>(1, room));
  double last = -2 * gap;
  for (Tick& tick : axis.ticks) {
    const double place = place_on(axis, tick.at);
    if (place - last < gap * (1 - 1e-9))
      tick.label.clear();
    else
      last = place;
  }
}

// Distances between adjacent marks, as fractions of the axis.
struct Distances {
  double least = 1;
  double most = 0;
};
Distances distances_of(const Axis& axis) {
  Distances distances;
  for (std::size_t i = 1; i < axis.ticks.size(); ++i) {
    const double distance = place_on(axis, axis.ticks[i].at) - place_on(axis, axis.ticks[i - 1].at);
    distances = {std::min(distances.least, distance), std::max(distances.most, distance)};
  }
  return distances;
}

// Keeps every n-th label; prefers an n for which the last mark has a label.
void thin_evenly(Axis& axis, std::size_t room) {
  const std::size_t steps = axis.ticks.size() - 1;
  const std::size_t least = std::max<std::size_t>(1, (steps + room - 1) / room);
  std::size_t every = least;
  for (std::size_t each = least; 2 * each <= 3 * least; ++each)
    if (steps % each == 0) {
      every = each;
      break;
    }
  for (std::size_t i = 0; i <= steps; ++i)
    if (i % every != 0) axis.ticks[i].label.clear();
}

bool are_powers_of_two(const std::vector<Tick>& ticks) {
  return std::ranges::all_of(ticks, [](const Tick& tick) {
    return tick.at > 0 && std::exp2(std::round(std::log2(tick.at))) == tick.at;
  });
}

// Round numbers in the range of the points; empty if there is only one.
std::vector<Tick> round_marks(Quantity quantity, const Axis& points, std::size_t room) {
  const bool binary = quantity == Quantity::bytes || are_powers_of_two(points.ticks);
  const auto marks = binary ? binary_marks(points.low, points.high, room)
                            : decimal_marks(points.low, points.high, room);
  std::vector<Tick> ticks;
  if (marks.size() > 1)
    for (const double mark : marks) ticks.push_back({mark, with_unit(quantity, mark)});
  return ticks;
}

// "1/8x", "0.5x", "2x".
std::string ratio_text(double ratio) {
  constexpr double least_decimal = 0.2;
  return ratio >= least_decimal ? plain(ratio) + "x" : fmt::format("1/{}x", plain(1 / ratio));
}

}  // namespace

Axis value_axis(Quantity quantity, const std::string& words, bool log, double low, double high) {
  Axis axis{
      .label = words, .log = log, .quantity = quantity, .low = low, .high = high, .ticks = {}};
  if (log) {
    const auto marks =
        quantity == Quantity::bytes ? binary_marks(low, high) : decimal_marks(low, high);
    for (const double mark : marks.size() > 1 ? marks : linear_marks(low, high))
      axis.ticks.push_back({mark, with_unit(quantity, mark)});
    return axis;
  }
  const Unit unit = unit_of(quantity, std::max(std::fabs(low), std::fabs(high)));
  axis.label = labelled(words, unit.name);
  const auto marks = linear_marks(low / unit.factor, high / unit.factor);
  const double step = marks.size() > 1 ? marks[1] - marks[0] : 0;
  for (const double mark : marks) axis.ticks.push_back({mark * unit.factor, plain(mark, step)});
  return axis;
}

Axis ratio_axis(const std::string& words, double low, double high) {
  Axis axis{.label = words, .log = true, .is_ratio = true, .low = low, .high = high, .ticks = {}};
  for (const double mark : ratio_marks(low, high)) axis.ticks.push_back({mark, ratio_text(mark)});
  return axis;
}

Axis point_axis(const std::string& column, const std::vector<Cell>& xs, bool log,
                std::size_t room) {
  constexpr std::size_t most_marks = 33;
  const Quantity quantity = quantity_of(column);
  Axis axis{.label = words_of(column),
            .log = log,
            .quantity = quantity,
            .low = 0,
            .high = 0,
            .ticks = {}};
  for (const Cell& x : xs) {
    const double value = *number_of(column, x);
    if (log && value <= 0) continue;
    axis.ticks.push_back({value, quantity == Quantity::seconds ? with_unit(quantity, value)
                                                               : value_text(column, x)});
  }
  axis.low = axis.ticks.front().at;
  axis.high = axis.ticks.back().at;
  const auto [least, most] = distances_of(axis);
  const bool all_fit = least * static_cast<double>(room) >= 1 - 1e-9;
  const bool are_even = most - least < 1e-6 && axis.ticks.size() <= most_marks;
  axis.marks_at_points = all_fit || are_even;
  if (are_even) thin_evenly(axis, room);
  if (axis.marks_at_points) return axis;
  if (!log) return value_axis(quantity, axis.label, false, axis.low, axis.high);
  if (auto marks = round_marks(quantity, axis, room); !marks.empty()) axis.ticks = marks;
  thin(axis, room);
  return axis;
}

Axis category_axis(const std::string& column, const std::vector<Cell>& xs) {
  Axis axis{.label = words_of(column),
            .is_category = true,
            .low = 0.5,
            .high = static_cast<double>(xs.size()) + 0.5,
            .ticks = {}};
  for (std::size_t i = 0; i < xs.size(); ++i)
    axis.ticks.push_back({static_cast<double>(i + 1), value_text(column, xs[i])});
  return axis;
}

}  // namespace tutti::reports
