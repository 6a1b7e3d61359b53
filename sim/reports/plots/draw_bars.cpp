// SPDX-License-Identifier: BSD-3-Clause
// Bar charts, from 0. If the names of the groups do not fit side by side, numbers replace them, and
// the notes explain the numbers.

#include "sim/base/common.hpp"
#include "sim/reports/plots/figure.hpp"

namespace tutti::reports {
namespace {

constexpr double bar_px = 30;
constexpr double group_gap_px = 34;
constexpr double plot_height_px = 320;
constexpr double below_bars_px = 58;  // labels of groups and of the axis
constexpr double between_names_px = 16;
constexpr double legend_bar_px = 42;  // sample, up to the name

double plot_width(const BarsPicture& picture) {
  const auto bars = static_cast<double>(picture.series.size());
  return std::max(420.0,
                  static_cast<double>(picture.groups.size()) * (bars * bar_px + group_gap_px));
}

// Breaks the text after commas.
std::vector<std::string> broken(const std::string& text, double width_px) {
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find(',', at), text.size() - 1) + 1;
    const auto part = text.substr(at, end - at);
    if (!lines.back().empty() && text_width_px(lines.back() + part) > width_px)
      lines.emplace_back("    ");
    lines.back() += part;
    at = end;
  }
  return lines;
}

// Replaces names that do not fit by numbers, and adds the names to the notes.
BarsPicture with_names_that_fit(BarsPicture picture, double width_px) {
  double widest = 0;
  for (const auto& group : picture.groups) widest = std::max(widest, text_width_px(group.name));
  const double room = width_px / static_cast<double>(picture.groups.size()) - between_names_px;
  if (widest <= room) return picture;
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < picture.groups.size(); ++i) {
    auto& name = picture.groups[i].name;
    const auto number = fmt::format("{} {}", picture.group_words, i + 1);
    for (auto& line : broken(number + ": " + name, width_px)) notes.push_back(std::move(line));
    name = number;
  }
  picture.notes.insert(picture.notes.begin(), notes.begin(), notes.end());
  return picture;
}

class BarsFigure {
 public:
  explicit BarsFigure(const BarsPicture& picture)
      : picture_(with_names_that_fit(picture, plot_width(picture))),
        box_{widest_px(picture.y.ticks) + 42, title_height_px, plot_width(picture), plot_height_px},
        figure_(picture_, box_.left, box_.left + box_.width + 24 + legend_width_px(picture),
                box_.top +
                    std::max(box_.height + below_bars_px, legend_height_px(picture.series.size())) +
                    notes_height_px(picture_) + 4) {}

  Drawing make() {
    figure_.x_axis(box_, names(), false);
    figure_.y_axis(box_, picture_.y);
    figure_.axis_words(box_, below_bars_px - 16, picture_.x_label, picture_.y.label);
    auto legend = figure_.legend_at(box_.left + box_.width + 24, box_.top + 8);
    legend.sample_px = legend_bar_px;
    figure_.draw_legend(legend, [&](double x, double y, std::size_t one) {
      figure_.rectangle({x, y - 6, 30, 12}, picture_.colour_of(one));
    });
    for (std::size_t group = 0; group < picture_.groups.size(); ++group) add_bars(group);
    return figure_.take();
  }

 private:
  Axis names() const {
    Axis axis{.label = {},
              .low = 0.5,
              .high = 0.5 + static_cast<double>(picture_.groups.size()),
              .ticks = {}};
    for (const auto& group : picture_.groups)
      axis.ticks.push_back({static_cast<double>(axis.ticks.size() + 1), group.name});
    return axis;
  }

  void add_bars(std::size_t group) {
    const double group_px = box_.width / static_cast<double>(picture_.groups.size());
    const auto bars = static_cast<double>(picture_.series.size());
    const double left =
        box_.left + group_px * (static_cast<double>(group) + 0.5) - bars * bar_px / 2;
    const double bottom = box_.top + box_.height;
    for (std::size_t one = 0; one < picture_.series.size(); ++one) {
      const auto& value = picture_.groups[group].values[one];
      if (!value) continue;
      const double top = position(picture_.y, *value, bottom, box_.top);
      figure_.rectangle(
          {left + bar_px * (static_cast<double>(one) + 0.04), top, bar_px * 0.92, bottom - top},
          picture_.colour_of(one),
          fmt::format("{}, {}: {:.4g}", picture_.groups[group].name, picture_.series[one], *value));
    }
  }

  BarsPicture picture_;
  Box box_;
  Figure figure_;
};

}  // namespace

Drawing draw(const BarsPicture& picture) { return BarsFigure(picture).make(); }

// Map of winners: a cell has the color of the best series, and shows the ratio of the second best.

namespace {

struct Cells {
  double width = 0;
  double height = 0;
  bool has_text = false;
};

// The largest cells that fit on a page.
Cells cells_of(const WinnerPicture& picture) {
  const auto columns = static_cast<double>(picture.columns.size());
  const auto rows = static_cast<double>(picture.rows.size());
  Cells cells{std::clamp(900 / columns, 9.0, 64.0), std::clamp(520 / rows, 8.0, 34.0)};
  cells.has_text = cells.width >= 30 && cells.height >= 15;
  return cells;
}

double widest_px(const std::vector<std::string>& texts) {
  double widest = 0;
  for (const auto& text : texts) widest = std::max(widest, text_width_px(text));
  return widest;
}

// Black or white, whichever is easier to read on the color.
const char* text_colour(std::string_view colour) {
  const auto part = [&](std::size_t at) {
    return std::stoi(std::string(colour.substr(at, 2)), nullptr, 16);
  };
  const double light = 0.299 * part(1) + 0.587 * part(3) + 0.114 * part(5);
  return light > 140 ? "#000000" : "#ffffff";
}

std::string ratio_text(const WinnerCell& cell) {
  if (!cell.second_ratio) return cell.complete ? "" : "*";
  const double ratio = *cell.second_ratio;
  if (cell.is_tie()) return cell.complete ? "=" : "=*";
  return fmt::format("{:.{}f}{}", ratio,
                     ratio < 9.995   ? 2
                     : ratio < 99.95 ? 1
                                     : 0,
                     cell.complete ? "" : "*");
}

// Series that are the best somewhere. The legend omits the others.
std::vector<std::size_t> winners_of(const WinnerPicture& picture) {
  std::set<std::size_t> winners;
  for (const auto& row : picture.cells)
    for (const auto& cell : row)
      if (cell.best && !cell.is_tie()) winners.insert(*cell.best);
  return {winners.begin(), winners.end()};
}

bool has_ties(const WinnerPicture& picture) {
  for (const auto& row : picture.cells)
    if (std::ranges::any_of(row, &WinnerCell::is_tie)) return true;
  return false;
}

class WinnerFigure {
 public:
  explicit WinnerFigure(const WinnerPicture& picture)
      : picture_(picture),
        cells_(cells_of(picture)),
        winners_(winners_of(picture)),
        has_ties_(has_ties(picture)),
        left_(widest_px(picture.rows) + 46),
        turned_(widest_px(picture.columns) > cells_.width - 4),
        box_{left_, title_height_px, cells_.width * static_cast<double>(picture.columns.size()),
             cells_.height * static_cast<double>(picture.rows.size())},
        bottom_(46 + (turned_ ? 0.55 * widest_px(picture.columns) : 10)),
        figure_(
            picture, left_, box_.left + box_.width + 24 + std::max(190.0, legend_width_px(picture)),
            box_.top + std::max(box_.height + bottom_, legend_height_px(winners_.size() + 1) + 24) +
                notes_height_px(picture) + 8) {}

  Drawing make() {
    add_names();
    for (std::size_t row = 0; row < picture_.rows.size(); ++row)
      for (std::size_t column = 0; column < picture_.columns.size(); ++column)
        add_cell(row, column);
    add_legend();
    return figure_.take();
  }

 private:
  static std::size_t step_of(double smallest_px, double cell_px) {
    return static_cast<std::size_t>(std::max(1.0, std::ceil(smallest_px / cell_px)));
  }

  // The first row is at the bottom.
  Box cell_box(std::size_t row, std::size_t column) const {
    return {box_.left + static_cast<double>(column) * cells_.width,
            box_.top + static_cast<double>(picture_.rows.size() - 1 - row) * cells_.height,
            cells_.width, cells_.height};
  }

  void add_names() {
    constexpr double line_px = 15;
    const double below = box_.top + box_.height + (turned_ ? 9 : 12);
    for (std::size_t i = 0; i < picture_.columns.size(); i += step_of(line_px, cells_.width))
      figure_.text(cell_box(0, i).left + cells_.width / 2, below, picture_.columns[i],
                   {.align = turned_ ? "right" : "center", .angle = turned_ ? -40.0 : 0.0});
    for (std::size_t i = 0; i < picture_.rows.size(); i += step_of(line_px, cells_.height))
      figure_.text(box_.left - 8, cell_box(i, 0).top + cells_.height / 2, picture_.rows[i],
                   {.align = "right"});
    figure_.axis_words(box_, bottom_ - 12, picture_.x_label, picture_.y_label);
  }

  void add_cell(std::size_t row, std::size_t column) {
    const WinnerCell& cell = picture_.cells[row][column];
    if (!cell.best) return;
    const Box box = cell_box(row, column);
    const auto where = fmt::format("{}, {}: ", picture_.columns[column], picture_.rows[row]);
    if (cell.is_tie())
      figure_.rectangle(inside(box), neutral_colour.light, where + "tie");
    else
      fill(inside(box), *cell.best, where + picture_.series[*cell.best]);
    const std::string text = ratio_text(cell);
    if (!cells_.has_text || text.empty()) return;
    const Box middle{box.left + box.width / 2, box.top + box.height / 2, 0, 0};
    const std::size_t round = cell.is_tie() ? 0 : picture_.look(*cell.best).round;
    if (round > 1) {  // numbers are hard to read on hatching
      const double width = text_width_px(text);
      figure_.path(fmt::format("M{:.2f},{:.2f}h{:.2f}v14h{:.2f}Z", middle.left - width / 2,
                               middle.top - 7, width, -width),
                   {.colour = paint::paper}, paint::paper);
    }
    figure_.text(middle.left, middle.top, text,
                 {.size = cells_.width < 40 ? 8.0 : 10.0,
                  .align = "center",
                  .colour = cell.is_tie() || round > 1 ? paint::ink
                            : round == 1               ? std::string_view("#000000")
                                         : text_colour(picture_.colour_of(*cell.best))});
  }

  // Leaves a gap between cells.
  static Box inside(const Box& box) {
    return {box.left + 0.5, box.top + 0.5, box.width - 1, box.height - 1};
  }

  // Fills a box with the color of a series: solid; lighter if an earlier series has the same color;
  // hatched if several do.
  void fill(const Box& box, std::size_t series, const std::string& tip = "") {
    const std::size_t round = picture_.look(series).round;
    const auto colour = picture_.colour_of(series);
    if (round < 2) {
      figure_.rectangle(box, round == 0 ? std::string(colour) : lighter(colour), tip);
      return;
    }
    figure_.rectangle(box, paint::paper, tip);
    const bool falls = round % 2 == 1;
    constexpr double gap = 6;
    std::string lines;
    for (double from = gap / 2 - box.height; from < box.width; from += gap) {
      const double first = std::max(0.0, from), last = std::min(box.width, from + box.height);
      const double low = first - from, high = last - from;
      lines += fmt::format("M{:.2f},{:.2f}L{:.2f},{:.2f}", box.left + first,
                           box.top + (falls ? low : box.height - low), box.left + last,
                           box.top + (falls ? high : box.height - high));
    }
    figure_.path(lines, {.colour = colour, .width = 1.5});
  }

  void add_legend() {
    const Figure::Legend legend{.x = box_.left + box_.width + 24,
                                .y = box_.top + 8,
                                .title = "best " + picture_.series_title,
                                .series = winners_,
                                .sample_px = legend_bar_px};
    figure_.draw_legend(legend, [&](double x, double y, std::size_t one) {
      fill({x, y - 7, 30, 14}, one);
    });
    double below = legend.y + legend_line_px * static_cast<double>(winners_.size());
    if (has_ties_) {
      below += legend_line_px;
      figure_.rectangle({legend.x, below - 7, 30, 14}, neutral_colour.light);
      figure_.text(legend.x + legend.sample_px, below, "tie");
    }
    if (!cells_.has_text) return;
    figure_.text(legend.x, below + 30, "number: second best / best",
                 {.size = 10, .colour = paint::faint});
  }

  const WinnerPicture& picture_;
  Cells cells_;
  std::vector<std::size_t> winners_;
  bool has_ties_;
  double left_;
  bool turned_;
  Box box_;
  double bottom_;
  Figure figure_;
};

}  // namespace

Drawing draw(const WinnerPicture& picture) { return WinnerFigure(picture).make(); }

}  // namespace tutti::reports
