// SPDX-License-Identifier: BSD-3-Clause
// A map: a coloured cell for each best series, how far the second is behind written in it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/reports/plots/canvas.hpp"
#include "sim/reports/plots/colours.hpp"

namespace tutti::reports {
namespace {

struct Cells {
  double width = 0;
  double height = 0;
  bool has_text = false;
};

// As large as a page has room for.
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

// Black or white, whichever is easier to read on the colour.
const char* text_colour(std::string_view colour) {
  const auto part = [&](std::size_t at) {
    return std::stoi(std::string(colour.substr(at, 2)), nullptr, 16);
  };
  const double light = 0.299 * part(1) + 0.587 * part(3) + 0.114 * part(5);
  return light > 140 ? "black" : "white";
}

// Solid, or hatched where the colour was used before.
std::string fill_of(std::size_t series) {
  return fmt::format("fc rgb '{}' fillstyle {} border lc rgb 'white'", colour_of(series),
                     round_of(series) == 0 ? std::string("solid")
                                           : fmt::format("pattern {}", 3 + round_of(series)));
}

std::string ratio_text(const WinnerCell& cell) {
  if (!cell.second_ratio) return cell.complete ? "" : "*";
  const double ratio = *cell.second_ratio;
  if (ratio == 1) return cell.complete ? "=" : "=*";
  return fmt::format("{:.{}f}{}", ratio,
                     ratio < 9.995   ? 2
                     : ratio < 99.95 ? 1
                                     : 0,
                     cell.complete ? "" : "*");
}

// Who wins somewhere: the others need no place in the legend.
std::vector<std::size_t> winners_of(const WinnerPicture& picture) {
  std::set<std::size_t> winners;
  for (const auto& row : picture.cells)
    for (const auto& cell : row)
      if (cell.best) winners.insert(*cell.best);
  return {winners.begin(), winners.end()};
}

class WinnerProgram {
 public:
  explicit WinnerProgram(const WinnerPicture& picture)
      : picture_(picture),
        cells_(cells_of(picture)),
        winners_(winners_of(picture)),
        left_(widest_px(picture.rows) + 46),
        turned_(widest_px(picture.columns) > cells_.width - 4),
        box_{left_, title_height_px, cells_.width * static_cast<double>(picture.columns.size()),
             cells_.height * static_cast<double>(picture.rows.size())},
        bottom_(46 + (turned_ ? 0.55 * widest_px(picture.columns) : 10)),
        canvas_(box_.left + box_.width + 24 + std::max(190.0, legend_width_px(picture)),
                box_.top + std::max(box_.height + bottom_, legend_height_px(winners_.size()) + 24) +
                    notes_height_px(picture) + 8) {}

  Drawing make() {
    program_ += common_settings() + "unset grid\nset border 0\n";
    program_ += title_and_notes(picture_, canvas_, left_) + canvas_.margins(box_);
    add_axes();
    add_cells();
    add_legend();
    program_ += "plot NaN\n";
    return {std::move(program_), static_cast<int>(std::ceil(canvas_.width_px())),
            static_cast<int>(std::ceil(canvas_.height_px()))};
  }

 private:
  static std::vector<Tick> ticks_of(const std::vector<std::string>& names, double smallest_px,
                                    double step_px) {
    const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil(smallest_px / step_px)));
    std::vector<Tick> ticks;
    for (std::size_t i = 0; i < names.size(); i += every)
      ticks.push_back({static_cast<double>(i + 1), names[i]});
    return ticks;
  }

  void add_axes() {
    constexpr double line_px = 15;
    program_ += fmt::format("set xrange [0.5:{}.5] noextend\nset yrange [0.5:{}.5] noextend\n",
                            picture_.columns.size(), picture_.rows.size());
    program_ += fmt::format("set xtics scale 0 {} {}\nset ytics scale 0 {}\n",
                            turned_ ? "rotate by 40 right" : "",
                            tick_list(ticks_of(picture_.columns, line_px, cells_.width), true),
                            tick_list(ticks_of(picture_.rows, line_px, cells_.height), true));
    program_ += canvas_.text(box_.left + box_.width / 2, box_.top + box_.height + bottom_ - 12,
                             picture_.x_label, "center");
    program_ +=
        canvas_.text(14, box_.top + box_.height / 2, picture_.y_label, "center rotate by 90");
  }

  void add_cells() {
    for (std::size_t row = 0; row < picture_.rows.size(); ++row)
      for (std::size_t column = 0; column < picture_.columns.size(); ++column)
        add_cell(picture_.cells[row][column], column + 1, row + 1);
  }

  void add_cell(const WinnerCell& cell, std::size_t x, std::size_t y) {
    if (!cell.best) return;
    add_rectangle(x, y, 1, 1, fill_of(*cell.best));
    const std::string text = ratio_text(cell);
    if (!cells_.has_text || text.empty()) return;
    const bool is_hatched = round_of(*cell.best) > 0;
    if (is_hatched)  // a number is hard to read on lines
      add_rectangle(x, y, text_width_px(text) / cells_.width, 14 / cells_.height,
                    "fc rgb 'white' fillstyle solid noborder");
    program_ += fmt::format(
        "set label {} at first {}, first {} center front font ',{}' textcolor rgb '{}'\n",
        gnuplot_text(text), x, y, cells_.width < 40 ? 8 : 10,
        is_hatched ? "black" : text_colour(colour_of(*cell.best)));
  }

  void add_rectangle(std::size_t x, std::size_t y, double width, double height,
                     std::string_view style) {
    program_ += fmt::format(
        "set object rectangle center first {}, first {} size first {:.4g}, first {:.4g} {}\n", x, y,
        width, height, style);
  }

  void add_legend() {
    const double x = box_.left + box_.width + 24;
    double y = box_.top + 8;
    program_ +=
        canvas_.text(x, y, "best " + picture_.series_title, "font ',11' textcolor rgb '#555555'");
    for (const std::size_t one : winners_) {
      y += legend_line_px;
      program_ += canvas_.rectangle({x, y - 7, 30, 14}, fill_of(one));
      program_ += canvas_.text(x + 42, y, picture_.series[one]);
    }
    if (!cells_.has_text) return;
    program_ +=
        canvas_.text(x, y + 30, "number: second best / best", "font ',10' textcolor rgb '#555555'");
  }

  const WinnerPicture& picture_;
  Cells cells_;
  std::vector<std::size_t> winners_;
  double left_;
  bool turned_;
  Box box_;
  double bottom_;
  Canvas canvas_;
  std::string program_;
};

}  // namespace

Drawing draw(const WinnerPicture& picture) { return WinnerProgram(picture).make(); }

}  // namespace tutti::reports
