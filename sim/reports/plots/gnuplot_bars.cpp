// SPDX-License-Identifier: BSD-3-Clause
// Bar charts, from 0. If the names of the groups do not fit side by side, numbers replace them, and
// the notes explain the numbers.

#include "sim/base/common.hpp"
#include "sim/reports/plots/canvas.hpp"

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

class BarsProgram {
 public:
  explicit BarsProgram(const BarsPicture& picture)
      : picture_(with_names_that_fit(picture, plot_width(picture))),
        box_{widest_px(picture.y.ticks) + 42, title_height_px, plot_width(picture), plot_height_px},
        canvas_(picture, box_.left, box_.left + box_.width + 24 + legend_width_px(picture),
                box_.top +
                    std::max(box_.height + below_bars_px, legend_height_px(picture.series.size())) +
                    notes_height_px(picture_) + 4) {}

  Drawing make() {
    program_ += common_settings() + "unset grid\n" +
                "set grid ytics lt 1 lc rgb '#dddddd' lw 0.6\nset style fill solid noborder\n";
    program_ += title_and_notes(picture_, canvas_) + canvas_.margins(box_);
    add_axes();
    add_legend();
    for (std::size_t group = 0; group < picture_.groups.size(); ++group) add_bars(group);
    program_ += "plot NaN\n";
    return drawing_of(std::move(program_), canvas_);
  }

 private:
  void add_axes() {
    std::vector<Tick> names;
    for (const auto& group : picture_.groups)
      names.push_back({static_cast<double>(names.size() + 1), group.name});
    program_ += fmt::format("set xrange [0.5:{}.5] noextend\nset yrange [0:{}] noextend\n",
                            picture_.groups.size(), picture_.y.high);
    program_ += fmt::format("set xtics scale 0 {}\nset ytics {}\n", tick_list(names, true),
                            tick_list(picture_.y.ticks, true));
    program_ += axis_words(canvas_, box_, below_bars_px - 16, picture_.x_label, picture_.y.label);
  }

  void add_legend() {
    auto legend = legend_of(picture_, box_.left + box_.width + 24, box_.top + 8);
    legend.sample_px = legend_bar_px;
    program_ += drawn(legend, picture_, canvas_, [&](double x, double y, std::size_t one) {
      return canvas_.line(x, y, x + 30, fmt::format("lc rgb '{}' lw 11", picture_.colour_of(one)));
    });
  }

  void add_bars(std::size_t group) {
    const double group_px = box_.width / static_cast<double>(picture_.groups.size());
    const double bar = bar_px / group_px;
    const auto bars = static_cast<double>(picture_.series.size());
    for (std::size_t one = 0; one < picture_.series.size(); ++one) {
      const auto& value = picture_.groups[group].values[one];
      if (!value) continue;
      const double left =
          static_cast<double>(group + 1) + bar * (static_cast<double>(one) - bars / 2);
      program_ += fmt::format(
          "set object rectangle from first {}, first 0 to first {}, first {} fc rgb '{}' fillstyle "
          "solid noborder"
          "\n",
          left + bar * 0.04, left + bar * 0.96, *value, picture_.colour_of(one));
    }
  }

  BarsPicture picture_;
  Box box_;
  Canvas canvas_;
  std::string program_;
};

}  // namespace

Drawing draw(const BarsPicture& picture) { return BarsProgram(picture).make(); }

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
  return light > 140 ? "black" : "white";
}

// Solid; lighter if an earlier series has the same color; hatched if several do.
std::string fill_of(const PictureHead& head, std::size_t series) {
  const std::size_t round = head.look(series).round;
  const auto colour = head.colour_of(series);
  return fmt::format("fc rgb '{}' fillstyle {} border lc rgb 'white'",
                     round == 1 ? lighter(colour) : std::string(colour),
                     round < 2 ? std::string("solid") : fmt::format("pattern {}", 2 + round));
}
std::string tie_fill() {
  return fmt::format("fc rgb '{}' fillstyle solid border lc rgb 'white'", neutral_colour.light);
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

class WinnerProgram {
 public:
  explicit WinnerProgram(const WinnerPicture& picture)
      : picture_(picture),
        cells_(cells_of(picture)),
        winners_(winners_of(picture)),
        has_ties_(has_ties(picture)),
        left_(widest_px(picture.rows) + 46),
        turned_(widest_px(picture.columns) > cells_.width - 4),
        box_{left_, title_height_px, cells_.width * static_cast<double>(picture.columns.size()),
             cells_.height * static_cast<double>(picture.rows.size())},
        bottom_(46 + (turned_ ? 0.55 * widest_px(picture.columns) : 10)),
        canvas_(
            picture, left_, box_.left + box_.width + 24 + std::max(190.0, legend_width_px(picture)),
            box_.top + std::max(box_.height + bottom_, legend_height_px(winners_.size() + 1) + 24) +
                notes_height_px(picture) + 8) {}

  Drawing make() {
    program_ += common_settings() + "unset grid\nset border 0\n";
    program_ += title_and_notes(picture_, canvas_) + canvas_.margins(box_);
    add_axes();
    add_cells();
    add_legend();
    program_ += "plot NaN\n";
    return drawing_of(std::move(program_), canvas_);
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
    program_ += axis_words(canvas_, box_, bottom_ - 12, picture_.x_label, picture_.y_label);
  }

  void add_cells() {
    for (std::size_t row = 0; row < picture_.rows.size(); ++row)
      for (std::size_t column = 0; column < picture_.columns.size(); ++column)
        add_cell(picture_.cells[row][column], column + 1, row + 1);
  }

  void add_cell(const WinnerCell& cell, std::size_t x, std::size_t y) {
    if (!cell.best) return;
    add_rectangle(x, y, 1, 1, cell.is_tie() ? tie_fill() : fill_of(picture_, *cell.best));
    const std::string text = ratio_text(cell);
    if (!cells_.has_text || text.empty()) return;
    const bool is_hatched = !cell.is_tie() && picture_.look(*cell.best).round > 1;
    if (is_hatched)  // numbers are hard to read on hatching
      add_rectangle(x, y, text_width_px(text) / cells_.width, 14 / cells_.height,
                    "fc rgb 'white' fillstyle solid noborder");
    program_ += fmt::format(
        "set label {} at first {}, first {} center front font ',{}' textcolor rgb '{}'\n",
        gnuplot_text(text), x, y, cells_.width < 40 ? 8 : 10,
        cell.is_tie() || picture_.look(*cell.best).round > 0
            ? "black"
            : text_colour(picture_.colour_of(*cell.best)));
  }

  void add_rectangle(std::size_t x, std::size_t y, double width, double height,
                     std::string_view style) {
    program_ += fmt::format(
        "set object rectangle center first {}, first {} size first {:.4g}, first {:.4g} {}\n", x, y,
        width, height, style);
  }

  void add_legend() {
    const Legend legend{.x = box_.left + box_.width + 24,
                        .y = box_.top + 8,
                        .sample_px = legend_bar_px,
                        .title = "best " + picture_.series_title,
                        .series = winners_};
    program_ += drawn(legend, picture_, canvas_, [&](double x, double y, std::size_t one) {
      return canvas_.rectangle({x, y - 7, 30, 14}, fill_of(picture_, one));
    });
    double below = legend.y + legend_line_px * static_cast<double>(winners_.size());
    if (has_ties_) {
      below += legend_line_px;
      program_ += canvas_.rectangle({legend.x, below - 7, 30, 14}, tie_fill()) +
                  canvas_.text(legend.x + legend.sample_px, below, "tie");
    }
    if (!cells_.has_text) return;
    below += 30;
    program_ += canvas_.text(legend.x, below, "number: second best / best",
                             "font ',10' textcolor rgb '#555555'");
  }

  const WinnerPicture& picture_;
  Cells cells_;
  std::vector<std::size_t> winners_;
  bool has_ties_;
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
