// SPDX-License-Identifier: BSD-3-Clause
// Builds the Vega specification of a picture: title, legend, notes, and marks at positions in
// pixels from the upper left corner.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/base/common.hpp"
#include "sim/reports/plots/drawing.hpp"

namespace tutti::reports {

using Json = nlohmann::ordered_json;

struct Box {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
};

// Approximate width of a text in the default font.
double text_width_px(std::string_view text);
// Approximate width of the widest label.
double widest_px(const std::vector<Tick>& ticks);

// Colors that depend on the background. Other colors are "#rrggbb".
namespace paint {
inline constexpr std::string_view ink = "ink";      // texts and axes
inline constexpr std::string_view faint = "faint";  // notes and levels
inline constexpr std::string_view line = "line";    // grids
inline constexpr std::string_view paper = "paper";  // the background
}  // namespace paint

struct TextStyle {
  double size = 12;
  std::string_view align = "left";
  std::string_view colour = paint::ink;
  double angle = 0;
  bool baseline_at_top = false;  // else the middle
};
inline constexpr TextStyle small_text{.size = 11, .colour = paint::faint};
inline constexpr TextStyle centered{.align = "center"};

struct LineStyle {
  std::string_view colour = paint::ink;
  double width = 1;
  std::size_t dash = 0;  // index of the dashes: solid, dashed, dotted
};

// Title and subtitle are above the plots, notes below.
inline constexpr double title_height_px = 64;
inline constexpr double legend_line_px = 21;
inline constexpr double legend_sample_px = 46;

inline constexpr std::string_view figure_font = "Helvetica, Arial, DejaVu Sans, sans-serif";
inline constexpr std::size_t dash_count = 3;

// Heights and widths that the parts of a figure take.
double notes_height_px(const PictureHead& head);
double legend_width_px(const PictureHead& head);
double legend_height_px(std::size_t series);

// Positions are relative to a subtitle of one line: further lines shift all but the title and the
// subtitle down. Marks added later cover earlier ones; groups are above all other marks.
class Figure {
 public:
  // At least as wide as the title and, up to a limit, the subtitle, which both begin at `left`.
  Figure(const PictureHead& head, double left, double width_px, double height_px);

  void text(double x, double y, std::string_view text, const TextStyle& style = {});
  void line(double x, double y, double to_x, double to_y, const LineStyle& style = {});
  // `tip` is shown under the mouse.
  void rectangle(const Box& box, std::string_view colour, std::string_view tip = "");
  // Draws an SVG path whose coordinates are those of the figure.
  void path(const std::string& path, const LineStyle& stroke, std::string_view fill = "",
            double opacity = 1);
  // The point of a series; hollow if `is_hollow`.
  void symbol(double x, double y, std::size_t mark, std::string_view colour,
              bool is_hollow = false);

  // Draws marks, grid lines and labels of a horizontal axis below the box, or of a vertical axis on
  // its left. `angle` turns the labels of a horizontal axis.
  void x_axis(const Box& box, const Axis& axis, bool has_grid, double angle = 0);
  void y_axis(const Box& box, const Axis& axis);
  // Writes the labels of both axes, centered below the plots and to their left.
  void axis_words(const Box& plots, double below_px, const std::string& x_label,
                  const std::string& y_label);

  struct Legend {
    double x = 0;
    double y = 0;  // of the title
    std::string title = {};
    std::vector<std::size_t> series = {};
    double sample_px = legend_sample_px;
  };
  // A legend of all series, or an empty one if there is only one.
  Legend legend_at(double x, double y) const;
  // Draws the title and the names. `sample(x, y, series)` draws a sample on the left of a name.
  template <class Sample>
  void draw_legend(const Legend& legend, const Sample& sample) {
    if (legend.series.empty()) return;
    text(legend.x, legend.y, legend.title, small_text);
    double y = legend.y;
    for (const std::size_t one : legend.series) {
      y += legend_line_px;
      sample(legend.x, y, one);
      text(legend.x + legend.sample_px, y, head_.series[one]);
      texts_.back()["series"] = one;
    }
  }

  // Adds a signal, a scale or a group of marks. The position of a group is shifted, too.
  void add_signal(std::string name, Json value);
  void add_scale(Json scale) { scales_.push_back(std::move(scale)); }
  void add_group(const Box& box, Json group);
  // An encoding of this color.
  static Json paint_of(std::string_view colour);
  // An encoding of the color in a field of the data.
  static Json paint_in(std::string_view field);
  // Registers a color that data contain.
  void use(std::string_view colour) { colours_.emplace(colour); }

  Drawing take();

 private:
  // Adds the title, the subtitle and the notes.
  void add_head();
  // Adds the scales of colors, dashes and marks.
  void add_paints();
  Drawing make_drawing(Json data, Json marks);
  Box shifted(const Box& box) const;

  const PictureHead& head_;
  double left_px_;
  double width_px_;
  std::vector<std::string> subtitle_;  // lines
  double shift_px_;
  double height_px_;
  Json texts_ = Json::array(), lines_ = Json::array(), rectangles_ = Json::array(),
       paths_ = Json::array(), symbols_ = Json::array();
  Json signals_ = Json::array(), scales_ = Json::array(), groups_ = Json::array();
  std::set<std::string, std::less<>> colours_;
};

// A value that a Vega expression computes.
inline Json figure_signal(std::string_view expression) { return {{"signal", expression}}; }

// The position of a value on an axis that begins and ends at these pixels.
double position(const Axis& axis, double value, double from_px, double to_px);

// Explains a kind of mark in the legend, below the names of the series.
struct LegendKey {
  enum class Kind : unsigned char { line, mark, hollow } kind;
  std::string words;
};
std::vector<LegendKey> keys_of(const LinesPicture& picture);

// Panels of equal size below the title, row by row.
struct PanelGrid {
  std::size_t panels = 1;
  std::size_t columns = 1;
  double left = 0;
  double top = 0;
  double width = 0;  // of a panel
  double height = 0;
  double gap = 0;  // between columns
  double row_gap = 0;
  double right_heading_px = 0;  // for the headings of rows

  std::size_t rows() const { return (panels + columns - 1) / columns; }
  Box box(std::size_t i) const {
    return {left + static_cast<double>(i % columns) * (width + gap),
            top + static_cast<double>(i / columns) * (height + row_gap), width, height};
  }
  bool is_left(std::size_t i) const { return i % columns == 0; }
  // True if there is no panel below.
  bool is_last(std::size_t i) const { return i + columns >= panels; }
  double right() const { return left + static_cast<double>(columns) * (width + gap) - gap; }
  double legend_left() const { return right() + right_heading_px + 24; }
  double bottom() const { return top + static_cast<double>(rows()) * (height + row_gap) - row_gap; }
  Box all() const { return {left, top, right() - left, bottom() - top}; }
};

// A figure with a legend to the right of the panels, and `below_px` below them.
inline Figure figure_around(const PanelGrid& grid, const PictureHead& head, double below_px,
                            double keys_width_px = 0, double keys_height_px = 0) {
  const double legend_px = std::max(legend_width_px(head), keys_width_px);
  const double legend_bottom = grid.top + legend_height_px(head.series.size()) + keys_height_px;
  return {head, grid.left, grid.legend_left() + legend_px,
          std::max(grid.bottom() + below_px, legend_bottom) + notes_height_px(head) + 4};
}

}  // namespace tutti::reports
