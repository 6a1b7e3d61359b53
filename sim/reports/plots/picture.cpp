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

// "bcast on crill"; parts in which points differ are omitted.
std::string title_of(const Grid& grid) {
  std::string what = text_of(grid, "collective");
  if (what.empty() && !text_of(grid, "operation").empty())
    what = "collective " + text_of(grid, "operation");
  if (what.empty()) what = text_of(grid, "workload");
  const std::string where = text_of(grid, "platform");
  if (what.empty() || where.empty()) return what + where;
  return what + " on " + where;
}

// The other constants that a reader needs to reproduce the results; defaults are omitted.
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

constexpr double spans_powers = 30;

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

// True for a geometric sequence, such as 1, 4, 16.
bool are_powers(const std::vector<double>& sorted) {
  if (sorted.size() < 3 || sorted.front() <= 0) return false;
  const double ratio = sorted[1] / sorted[0];
  for (std::size_t i = 2; i < sorted.size(); ++i)
    if (std::fabs(sorted[i] / sorted[i - 1] - ratio) > 1e-6 * ratio) return false;
  return true;
}

bool is_ratio(const Grid& grid) {
  return grid.is_relative || grid.y.ends_with("_over_measured") ||
         grid.y.ends_with("_over_model") || grid.y.ends_with("_ratio") ||
         grid.y == "relative_latency";
}

// Fractions span at least 1 % on each side of 0 that has values.
Span with_least_range(Span span) {
  constexpr double least = 0.01;
  if (span.low < 0) span.low = std::min(span.low, -least);
  span.high = std::max(span.high, least);
  return span;
}

// Leaves room above and below the points. Linear axes of values >= 0 begin at 0; log scales of
// ratios include 1.
Axis y_axis(const Grid& grid, const std::string& words, Span span, bool log) {
  if (log && is_ratio(grid)) {
    const double low = std::min(1.0, span.low), high = std::max(1.0, span.high);
    const double room = std::max(1.03, std::pow(high / low, 0.06));
    return ratio_axis(words, low / room, high * room);
  }
  const Quantity quantity = grid.is_relative ? Quantity::number : quantity_of(grid.y);
  if (log) {
    const double room = std::max(1.12, std::pow(span.high / span.low, 0.04));
    return value_axis(quantity, words, true, span.low / room, span.high * room);
  }
  if (quantity == Quantity::fraction) span = with_least_range(span);
  const double low = std::min(0.0, span.low);
  const double size = std::fabs(low);  // of values that are all below 0
  const double high = span.high - low > 1e-9 * size ? span.high : low + std::max(1.0, size / 2);
  Axis axis = value_axis(quantity, words, false, low - (low < 0 ? 0.04 * (high - low) : 0),
                         high + 0.06 * (high - low));
  axis.is_ratio = is_ratio(grid);
  return axis;
}

// Leaves room for the outer points at both ends of the axis.
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
  const std::string words = grid.marks.empty() ? words_of(grid.y) : "time";
  if (!grid.is_relative) return words;
  return grid.reference == "best" ? fmt::format("{0} / best {0}", words)
                                  : fmt::format("{0} / {0} of {1}", words, grid.reference);
}

Error too_many(const std::string& what, std::size_t count, std::size_t most,
               const std::vector<std::string>& columns) {
  std::string names;
  for (const auto& column : columns) names += (names.empty() ? "" : ", ") + column;
  return usage_error(
      "", fmt::format("{} {} (by {}) do not fit in a plot: at most {}", count, what, names, most),
      "select fewer of their values, for example with --where, or another column for --x");
}

// Reports which algorithms ran as another one, and for which x: "Hollow marks: ring, rabenseifner
// ran as basic_linear (16 B to 1 KiB)".
std::vector<std::string> fallback_notes(const Grid& grid) {
  std::map<std::pair<std::size_t, std::string>, std::set<std::size_t>> xs_of;
  for (const auto& [index, ran] : grid.ran_as)
    if (ran.fell_back)
      xs_of[{index / grid.xs.size() % grid.series.size(), ran.name}].insert(index % grid.xs.size());
  std::map<std::string, std::string> series_of;  // by the algorithm that ran, and the range of x
  for (const auto& [pair, xs] : xs_of) {
    const auto first = value_text(grid.x, grid.xs[*xs.begin()]);
    const auto last = value_text(grid.x, grid.xs[*xs.rbegin()]);
    auto& names = series_of[fmt::format("ran as {} ({}{})", pair.second, first,
                                        xs.size() == 1 ? "" : " to " + last)];
    names += (names.empty() ? "" : ", ") + grid.series_name(pair.first);
  }
  constexpr std::size_t most_notes = 4;
  std::vector<std::string> notes;
  for (const auto& [what, names] : series_of) {
    if (notes.size() == most_notes) {
      notes.push_back(fmt::format("and {} more", series_of.size() - most_notes));
      break;
    }
    notes.push_back(fmt::format("Hollow marks: {} {}", names, what));
  }
  return notes;
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
    for (const Cell& cell : grid_.xs)
      if (const auto number = number_of(grid_.x, cell); number && *number > 0) {
        x.add(*number);
        numbers.push_back(*number);
      }
    const bool log_x = log ? log->x : picture_.joined && (x.is_wide() || are_powers(numbers));
    if (auto error = check_log(log_x && !(x.low > 0 && picture_.joined), "--log", grid_.x))
      return *std::move(error);
    const Span y = span_of_values(log_x);
    const bool log_y = log ? log->y : is_ratio(grid_) && y.is_positive() ? true : y.is_wide();
    if (auto error = check_log(log_y && !y.is_positive(), "--log", grid_.y))
      return *std::move(error);
    add_axes(log_x, log_y, y);
    if (is_ratio(grid_)) picture_.levels = {{1, false}};
    picture_.has_marks = !grid_.marks.empty();
    picture_.mark_words = grid_.mark_words;
    picture_.line_words = grid_.line_words;
    layout_ = facet_grid(grid_);
    add_panels();
    add_notes();
    picture_.legend = by_last_value(picture_.panels);
    return std::move(picture_);
  }

 private:
  // Range of the points that the x axis can show.
  Span span_of_values(bool log_x) const {
    Span span;
    for (std::size_t i = 0; i < grid_.values.size(); ++i) {
      const Cell& x = grid_.xs[i % grid_.xs.size()];
      if (!grid_.values[i] || (log_x && *number_of(grid_.x, x) <= 0)) continue;
      span.add(*grid_.values[i]);
      if (!grid_.marks.empty())
        for (const double mark : grid_.marks[i]) span.add(mark);
    }
    return span;
  }

  std::optional<Error> check_sizes() const {
    if (grid_.facets.size() > most_panels && !facet_grid(grid_))
      return too_many("panels", grid_.facets.size(), most_panels, grid_.facet_columns);
    if (grid_.series.size() > most_series)
      return too_many("series", grid_.series.size(), most_series, grid_.series_columns);
    return std::nullopt;
  }

  static std::optional<Error> check_log(bool wrong, const char* option, const std::string& column) {
    if (!wrong) return std::nullopt;
    return usage_error(
        option,
        fmt::format("a log scale requires positive numbers in column {}", in_quotes(column)),
        "use --log none, or exclude the other values by --where");
  }

  void add_axes(bool log_x, bool log_y, const Span& y) {
    picture_.x =
        picture_.joined ? point_axis(grid_.x, grid_.xs, log_x) : category_axis(grid_.x, grid_.xs);
    if (picture_.joined) widen(picture_.x);
    picture_.y = y_axis(grid_, y_words(grid_), y, log_y);
    for (Axis* axis : {&picture_.x, &picture_.y}) {
      axis->label = picture_text(axis->label);
      for (Tick& tick : axis->ticks) tick.label = picture_text(tick.label);
    }
  }

  void add_panels() {
    std::vector<std::optional<std::size_t>> facets;
    for (std::size_t facet = 0; facet < grid_.facets.size(); ++facet) facets.emplace_back(facet);
    if (layout_) {
      picture_.rows = layout_->row_names;
      picture_.columns = layout_->column_names;
      facets = layout_->facets;
    }
    for (const auto& facet : facets) {
      Panel& panel = picture_.panels.emplace_back();
      if (!layout_) panel.title = picture_text(grid_.facet_name(*facet));
      for (std::size_t series = 0; series < grid_.series.size(); ++series)
        add_curve(panel, facet, series);
    }
  }

  void add_notes() {
    if (beyond_ > 0)
      picture_.notes.push_back(fmt::format("{} with {} omitted (log scale); --log none shows {}",
                                           counted(beyond_, "point"), picture_text(words_beyond()),
                                           beyond_ == 1 ? "it" : "them"));
    for (auto& note : fallback_notes(grid_)) picture_.notes.push_back(picture_text(note));
  }

  // "no segmentation", or "message size of 0 or less".
  std::string words_beyond() const {
    const auto name = label_of(grid_.x, grid_.xs.front());
    const bool has_name = grid_.x == "segment_bytes" && number_of(grid_.x, grid_.xs.front()) == 0;
    return has_name ? name : words_of(grid_.x) + " of 0 or less";
  }

  // True if the panel has a point at this x, even if it failed. A panel without a facet consists of
  // gaps.
  bool has_points(std::optional<std::size_t> facet, std::size_t at) const {
    if (!facet || grid_.gaps.contains({*facet, at})) return true;
    for (std::size_t series = 0; series < grid_.series.size(); ++series) {
      const std::size_t index = grid_.index(*facet, series, at);
      if (grid_.values[index] || (!grid_.marks.empty() && !grid_.marks[index].empty())) return true;
    }
    return false;
  }

  // Curves have gaps only at values of x that another curve of the panel has.
  void add_curve(Panel& panel, std::optional<std::size_t> facet, std::size_t series) {
    auto& curve = panel.curves.emplace_back();
    for (std::size_t at = 0; at < grid_.xs.size(); ++at) {
      if (!has_points(facet, at)) continue;
      PicturePoint point = facet ? point_at(grid_.index(*facet, series, at), at) : PicturePoint{};
      point.x = picture_.joined ? *number_of(grid_.x, grid_.xs[at]) : static_cast<double>(at + 1);
      if (!picture_.x.log || point.x > 0)
        curve.push_back(std::move(point));
      else if (point.y)
        ++beyond_;
    }
  }

  PicturePoint point_at(std::size_t index, std::size_t x) const {
    PicturePoint point{.y = grid_.values[index]};
    if (point.y)
      point.tip = picture_text(fmt::format(
          "{} ({})",
          grid_.is_relative ? fmt::format("{:.4g}x", *point.y) : value_text(grid_.y, *point.y),
          value_text(grid_.x, grid_.xs[x])));
    const RanAs* ran = grid_.ran(index);
    point.ran_as_another = ran != nullptr && ran->fell_back;
    if (!grid_.marks.empty()) point.marked = grid_.marks[index];
    return point;
  }

  const Grid& grid_;
  LinesPicture picture_;
  std::optional<FacetGrid> layout_;
  std::size_t beyond_ = 0;  // points that a log scale of x cannot show
};

}  // namespace

SeriesLook PictureHead::look(std::size_t series_at) const {
  if (series_at < looks.size()) return looks[series_at];
  return {series_at % palette.size(), series_at % mark_count, series_at / palette.size()};
}

PictureHead picture_head(const Grid& grid, const std::string& name) {
  PictureHead head;
  const std::string what = title_of(grid);
  head.title = picture_text(name.empty() ? what : what.empty() ? name : name + ": " + what);
  if (head.title.empty())
    head.title =
        picture_text(capitalized(fmt::format("{} by {}", words_of(grid.y), words_of(grid.x))));
  head.subtitle = picture_text(subtitle_of(grid));
  std::vector<std::string> algorithms;
  for (std::size_t series = 0; series < grid.series.size(); ++series) {
    head.series.push_back(picture_text(grid.series_value(series)));
    algorithms.push_back(grid.algorithm_of(series));
  }
  head.looks = looks_of(algorithms);
  for (const auto& column : grid.series_columns)
    head.series_title += (head.series_title.empty() ? "" : ", ") + words_of(column);
  head.series_title = picture_text(head.series_title);
  if (grid.failed > 0) head.notes.push_back(counted(grid.failed, "point") + " failed");
  if (grid.without_value > 0)
    head.notes.push_back(counted(grid.without_value, "point") + " without a value omitted");
  return head;
}

std::vector<std::size_t> by_last_value(const std::vector<Panel>& panels) {
  struct Last {
    double x = -std::numeric_limits<double>::infinity();
    double y = -1;
  };
  std::vector<Last> last(panels.front().curves.size());
  std::vector<bool> has_points(last.size());
  for (const Panel& panel : panels)
    for (std::size_t series = 0; series < last.size(); ++series)
      for (const PicturePoint& point : panel.curves[series]) {
        has_points[series] = has_points[series] || point.y || !point.marked.empty();
        if (point.y && point.x >= last[series].x) last[series] = {point.x, *point.y};
      }
  std::vector<std::size_t> order(last.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](std::size_t series) { return !has_points[series]; });
  std::ranges::stable_sort(order, std::greater(),
                           [&](std::size_t series) { return last[series].y; });
  return order;
}

Result<LinesPicture> lines_picture(const Grid& grid, const std::string& name,
                                   std::optional<LogAxes> log) {
  return LinesMaker(grid, name).make(log);
}

}  // namespace tutti::reports
