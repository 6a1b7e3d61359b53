// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/plots/picture.hpp"

#include "sim/reports/tables/columns.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

const Cell* constant(const Grid& grid, std::string_view name) {
  for (const auto& [column, value] : grid.constants)
    if (column == name) return &value;
  return nullptr;
}

std::string text_of(const Grid& grid, std::string_view name) {
  const Cell* value = constant(grid, name);
  return value == nullptr ? "" : value_text(name, *value);
}

// "bcast on crill", as far as all points agree.
std::string title_of(const Grid& grid) {
  std::string what = text_of(grid, "collective");
  if (what.empty() && !text_of(grid, "operation").empty())
    what = "collective " + text_of(grid, "operation");
  if (what.empty()) what = text_of(grid, "workload");
  const std::string where = text_of(grid, "platform");
  if (what.empty() || where.empty()) return what + where;
  return what + " on " + where;
}

// The other constants that a reader needs to do it again; defaults are left out.
std::string subtitle_of(const Grid& grid) {
  constexpr std::array reported = {
      "algorithm",     "implementation", "decomposition", "procs",        "nodes", "ppn",
      "message_bytes", "bytes_per_proc", "aggregators",   "buffer_bytes", "skew",  "noise"};
  std::string text;
  const auto add = [&](std::string_view column, const Cell& value) {
    text += (text.empty() ? "" : ", ") + label_of(column, value);
  };
  for (const char* column : reported)
    if (const Cell* value = constant(grid, column)) add(column, *value);
  for (const auto& [column, value] : grid.constants)
    if (column.find('/') != std::string::npos) add(column, value);
  return text;
}

}  // namespace

PictureHead picture_head(const Grid& grid, const std::string& name) {
  PictureHead head;
  const std::string what = title_of(grid);
  head.title = picture_text(name.empty() ? what : what.empty() ? name : name + ": " + what);
  head.subtitle = picture_text(subtitle_of(grid));
  for (std::size_t one = 0; one < grid.series.size(); ++one)
    head.series.push_back(picture_text(grid.series_name(one)));
  for (const auto& column : grid.series_columns)
    head.series_title += (head.series_title.empty() ? "" : ", ") + words_of(column);
  head.series_title = picture_text(head.series_title);
  if (grid.failed > 0) head.notes.push_back(counted(grid.failed, "point") + " failed");
  if (grid.without_value > 0)
    head.notes.push_back(counted(grid.without_value, "point") + " without a value left out");
  return head;
}

namespace {

constexpr double spans_powers = 30;
constexpr std::size_t labels_of_a_wide_axis = 8;
constexpr std::size_t labels_of_a_narrow_axis = 5;

struct Span {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  bool is_positive() const { return low > 0; }
  bool is_wide() const { return is_positive() && high / low > spans_powers; }
  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

// 1, 4, 16: each the same multiple of the one before.
bool are_powers(const std::vector<double>& sorted) {
  if (sorted.size() < 3 || sorted.front() <= 0) return false;
  const double ratio = sorted[1] / sorted[0];
  for (std::size_t i = 2; i < sorted.size(); ++i)
    if (std::fabs(sorted[i] / sorted[i - 1] - ratio) > 1e-6 * ratio) return false;
  return true;
}

// Some room above and below the points; linear axes of what cannot be negative begin at 0.
Axis y_axis(const Grid& grid, const std::string& words, const Span& span, bool log) {
  const Quantity quantity = grid.is_relative ? Quantity::number : quantity_of(grid.y);
  if (log) {
    const double room = std::max(1.12, std::pow(span.high / span.low, 0.04));
    return value_axis(quantity, words, true, span.low / room, span.high * room);
  }
  const double low = std::min(0.0, span.low);
  const double size = std::fabs(low);  // of values that are all below 0
  const double high = span.high - low > 1e-9 * size ? span.high : low + std::max(1.0, size / 2);
  return value_axis(quantity, words, false, low - (low < 0 ? 0.04 * (high - low) : 0),
                    high + 0.06 * (high - low));
}

// The axis' ends leave room for the outer points.
void widen(Axis& axis) {
  if (axis.log) {
    const double room = axis.high > axis.low ? std::pow(axis.high / axis.low, 0.03) : 2;
    axis.low /= room;
    axis.high *= room;
  } else {
    const double room =
        axis.high > axis.low ? 0.03 * (axis.high - axis.low) : std::max(1.0, axis.high / 2);
    axis.low -= room;
    axis.high += room;
  }
}

std::string y_words(const Grid& grid) {
  const std::string words = words_of(grid.y);
  if (!grid.is_relative) return words;
  return grid.reference == "best" ? fmt::format("{0} / best {0}", words)
                                  : fmt::format("{0} / {0} of {1}", words, grid.reference);
}

Error too_many(const std::string& what, std::size_t count, std::size_t most,
               const std::vector<std::string>& columns) {
  std::string names;
  for (const auto& column : columns) names += (names.empty() ? "" : ", ") + column;
  return usage_error(
      "",
      fmt::format("{} {} (by {}) are too many for a picture: at most {}", count, what, names, most),
      "take fewer of their values into the result, or --x of another column");
}

class LinesMaker {
 public:
  LinesMaker(const Grid& grid, const std::string& name) : grid_(grid) {
    static_cast<PictureHead&>(picture_) = picture_head(grid, name);
    picture_.joined = std::all_of(grid.xs.begin(), grid.xs.end(),
                                  [&](const Cell& x) { return number_of(grid.x, x).has_value(); });
  }

  Result<LinesPicture> make(std::optional<LogAxes> log) {
    if (auto error = check_sizes()) return *std::move(error);
    Span x;
    std::vector<double> numbers;
    for (const Cell& each : grid_.xs)
      if (const auto number = number_of(grid_.x, each); number && *number > 0) {
        x.add(*number);
        numbers.push_back(*number);
      }
    const bool log_x = log ? log->x : picture_.joined && (x.is_wide() || are_powers(numbers));
    if (auto error = check_log(log_x && !(x.low > 0 && picture_.joined), "--log", grid_.x))
      return *std::move(error);
    const Span y = span_of_values(log_x);
    const bool log_y = log ? log->y : y.is_wide();
    if (auto error = check_log(log_y && !y.is_positive(), "--log", grid_.y))
      return *std::move(error);
    add_axes(log_x, log_y, y);
    add_panels();
    picture_.legend = by_last_value(picture_.panels);
    return std::move(picture_);
  }

 private:
  // Of the points that the axis of x can show.
  Span span_of_values(bool log_x) const {
    Span span;
    for (std::size_t i = 0; i < grid_.values.size(); ++i) {
      const Cell& x = grid_.xs[i % grid_.xs.size()];
      if (grid_.values[i] && (!log_x || *number_of(grid_.x, x) > 0)) span.add(*grid_.values[i]);
    }
    return span;
  }

  std::optional<Error> check_sizes() const {
    if (grid_.facets.size() > most_panels)
      return too_many("panels", grid_.facets.size(), most_panels, grid_.facet_columns);
    if (grid_.series.size() > most_series)
      return too_many("series", grid_.series.size(), most_series, grid_.series_columns);
    return std::nullopt;
  }

  static std::optional<Error> check_log(bool wrong, const char* option, const std::string& column) {
    if (!wrong) return std::nullopt;
    return usage_error(option, fmt::format("the values of {} are not all numbers above 0", column));
  }

  void add_axes(bool log_x, bool log_y, const Span& y) {
    const bool wide = grid_.facets.size() == 1;
    picture_.x = picture_.joined
                     ? point_axis(grid_.x, grid_.xs, log_x,
                                  wide ? labels_of_a_wide_axis : labels_of_a_narrow_axis)
                     : category_axis(grid_.x, grid_.xs);
    if (picture_.joined) widen(picture_.x);
    picture_.y = y_axis(grid_, y_words(grid_), y, log_y);
    for (Axis* axis : {&picture_.x, &picture_.y}) {
      axis->label = picture_text(axis->label);
      for (Tick& tick : axis->ticks) tick.label = picture_text(tick.label);
    }
  }

  void add_panels() {
    std::size_t beyond = 0;
    for (std::size_t facet = 0; facet < grid_.facets.size(); ++facet) {
      Panel& panel = picture_.panels.emplace_back();
      panel.title = picture_text(grid_.facet_name(facet));
      for (std::size_t one = 0; one < grid_.series.size(); ++one)
        beyond += add_curve(panel, facet, one);
    }
    if (beyond > 0)
      picture_.notes.push_back(
          fmt::format("{} at {} of 0 or less {} no place on an axis of powers: --log none shows {}",
                      counted(beyond, "point"), picture_text(words_of(grid_.x)),
                      beyond == 1 ? "has" : "have", beyond == 1 ? "it" : "them"));
  }

  // How many points the axis cannot show.
  std::size_t add_curve(Panel& panel, std::size_t facet, std::size_t one) {
    std::size_t beyond = 0;
    auto& curve = panel.curves.emplace_back();
    for (std::size_t at = 0; at < grid_.xs.size(); ++at) {
      const auto& y = grid_.at(facet, one, at);
      const double x =
          picture_.joined ? *number_of(grid_.x, grid_.xs[at]) : static_cast<double>(at + 1);
      if (!picture_.x.log || x > 0)
        curve.push_back({x, y});
      else if (y)
        ++beyond;
    }
    return beyond;
  }

  const Grid& grid_;
  LinesPicture picture_;
};

}  // namespace

std::vector<std::size_t> by_last_value(const std::vector<Panel>& panels) {
  std::vector<double> last(panels.front().curves.size(), -1);
  for (std::size_t one = 0; one < last.size(); ++one)
    for (std::size_t at = 0; at < panels.front().curves[one].size(); ++at)
      for (const Panel& panel : panels)
        if (const auto& y = panel.curves[one][at].y) last[one] = *y;
  std::vector<std::size_t> order(last.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return last[a] > last[b]; });
  return order;
}

Result<LinesPicture> lines_picture(const Grid& grid, const std::string& name,
                                   std::optional<LogAxes> log) {
  return LinesMaker(grid, name).make(log);
}

namespace {

WinnerCell cell_at(const Grid& grid, std::size_t facet, std::size_t x) {
  WinnerCell cell;
  std::optional<double> least;
  std::optional<double> second;
  for (std::size_t one = 0; one < grid.series.size(); ++one) {
    const auto& value = grid.at(facet, one, x);
    cell.complete = cell.complete && value.has_value();
    if (!value) continue;
    if (!least || *value < *least) {
      second = least;
      least = value;
      cell.best = one;
    } else if (!second || *value < *second) {
      second = value;
    }
  }
  if (second && *least > 0) cell.second_ratio = *second / *least;
  return cell;
}

template <class Test>
bool any_cell(const WinnerPicture& picture, const Test& test) {
  for (const auto& row : picture.cells)
    for (const auto& cell : row)
      if (cell.best && test(cell)) return true;
  return false;
}

std::optional<Error> check_sizes(const Grid& grid) {
  const auto fail = [](std::size_t count, const char* what, std::size_t most) {
    return usage_error("",
                       fmt::format("{} {} are too many for a map: at most {}", count, what, most),
                       "take fewer of their values into the result");
  };
  if (grid.series.size() < 2)
    return usage_error("--kind", "a map of winners needs two series at least",
                       "--series names the column whose values compete");
  if (grid.series.size() > most_series) return fail(grid.series.size(), "series", most_series);
  if (grid.xs.size() > most_winner_cells) return fail(grid.xs.size(), "columns", most_winner_cells);
  if (grid.facets.size() > most_winner_cells)
    return fail(grid.facets.size(), "rows", most_winner_cells);
  return std::nullopt;
}

}  // namespace

Result<WinnerPicture> winner_picture(const Grid& grid, const std::string& name) {
  if (auto error = check_sizes(grid)) return *std::move(error);
  WinnerPicture picture;
  static_cast<PictureHead&>(picture) = picture_head(grid, name);
  picture.x_label = picture_text(words_of(grid.x));
  for (const auto& column : grid.facet_columns)
    picture.y_label += (picture.y_label.empty() ? "" : ", ") + picture_text(words_of(column));
  for (const Cell& x : grid.xs) picture.columns.push_back(picture_text(value_text(grid.x, x)));
  const bool one_column = grid.facet_columns.size() == 1;
  for (std::size_t facet = 0; facet < grid.facets.size(); ++facet) {
    picture.rows.push_back(
        picture_text(one_column ? value_text(grid.facet_columns[0], grid.facets[facet][0])
                                : grid.facet_name(facet)));
    auto& row = picture.cells.emplace_back();
    for (std::size_t x = 0; x < grid.xs.size(); ++x) row.push_back(cell_at(grid, facet, x));
  }
  if (any_cell(picture, [](const WinnerCell& cell) { return !cell.complete; }))
    picture.notes.emplace_back("* some series have no point here");
  if (any_cell(picture, [](const WinnerCell& cell) { return cell.second_ratio == 1.0; }))
    picture.notes.emplace_back("= the second is as good; the first in the legend has the colour");
  return picture;
}

}  // namespace tutti::reports
