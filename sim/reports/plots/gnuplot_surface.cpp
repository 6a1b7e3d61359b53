// SPDX-License-Identifier: BSD-3-Clause
// Surfaces, each with a plane as a wire grid, seen from the corner where x and y are smallest.

#include "sim/base/common.hpp"
#include "sim/reports/plots/canvas.hpp"

namespace tutti::reports {
namespace {

constexpr double legend_gap = 24;

PanelGrid grid_of(const SurfacePicture& picture) {
  const std::size_t panels = picture.panels.size();
  return {.panels = panels,
          .columns = panels == 1 ? 1U : 2U,
          .left = 16,
          .top = title_height_px,
          .width = panels == 1 ? 640.0 : 460.0,
          .height = panels == 1 ? 470.0 : 360.0,
          .gap = 44,
          .row_gap = 16};
}

// The grid lines of the plane, cut where they meet the surface. A surface that grows with x and y
// hides exactly the parts of the plane below it, seen from the corner where both are smallest.
class Wires {
 public:
  explicit Wires(const SurfacePanel& panel) : panel_(panel) {
    for (std::size_t y = 0; y < panel.ys.size(); ++y)
      for (std::size_t x = 1; x < panel.xs.size(); ++x) add({x - 1, y}, {x, y});
    for (std::size_t x = 0; x < panel.xs.size(); ++x)
      for (std::size_t y = 1; y < panel.ys.size(); ++y) add({x, y - 1}, {x, y});
  }

  const std::string& below() const { return below_; }
  const std::string& above() const { return above_; }

 private:
  struct Corner {
    std::size_t x, y;
  };
  struct Place {
    double x, y;
  };

  Place place(const Corner& at) const { return {panel_.xs[at.x], panel_.ys[at.y]}; }
  // Height of the plane above the surface; 0 at a gap, where the plane is visible.
  double height(const Corner& at) const {
    const auto [x, y] = place(at);
    const auto& z = panel_.z[at.y][at.x];
    return z ? panel_.plane_at(x, y) - *z : 0;
  }

  void add(const Corner& from, const Corner& to) {
    const double first = height(from), last = height(to);
    if (first * last >= 0) return add(place(from), place(to), first + last >= 0);
    const double part = first / (first - last);
    const auto [x, y] = place(from);
    const Place cut{x + part * (place(to).x - x), y + part * (place(to).y - y)};
    add(place(from), cut, first > 0);
    add(cut, place(to), last > 0);
  }

  void add(const Place& from, const Place& to, bool is_above) {
    std::string& lines = is_above ? above_ : below_;
    for (const auto& [x, y] : {from, to})
      lines += fmt::format("{} {} {}\n", x, y, panel_.plane_at(x, y));
    lines += "\n\n";
  }

  const SurfacePanel& panel_;
  std::string below_;
  std::string above_;
};

class SurfaceProgram {
 public:
  explicit SurfaceProgram(const SurfacePicture& picture)
      : picture_(picture),
        grid_(grid_of(picture)),
        canvas_(picture, grid_.left + 8, grid_.right() + legend_gap + legend_width_px(picture),
                grid_.bottom() + notes_height_px(picture) + 12) {}

  Drawing make() {
    for (std::size_t i = 0; i < picture_.panels.size(); ++i) add_data(i);
    program_ += common_settings() + title_and_notes(picture_, canvas_);
    add_legend();
    add_words();
    add_axes();
    return drawing_of(program_, canvas_, picture_.panels.size(),
                      [&](std::size_t i) { return panel(i); });
  }

 private:
  void add_block(const char* name, std::size_t i, const std::string& lines) {
    program_ += fmt::format("${}_{} << EOD\n{}EOD\n", name, i + 1, lines.empty() ? "\n" : lines);
  }

  void add_data(std::size_t i) {
    const SurfacePanel& panel = picture_.panels[i];
    std::string lines;
    for (std::size_t y = 0; y < panel.ys.size(); ++y) {
      for (std::size_t x = 0; x < panel.xs.size(); ++x)
        lines += fmt::format("{} {} {}\n", panel.xs[x], panel.ys[y],
                             panel.z[y][x] ? fmt::format("{}", *panel.z[y][x]) : "NaN");
      lines += '\n';
    }
    add_block("surface", i, lines);
    const Wires wires(panel);
    add_block("below", i, wires.below());
    add_block("above", i, wires.above());
  }

  void add_legend() {
    const double x = grid_.right() + legend_gap;
    const double y = grid_.top + 24;
    program_ += canvas_.line(x, y, x + 34, "lc rgb '#7fb8d8' lw 11");
    program_ += canvas_.text(x + 46, y, picture_.series[0]);
    program_ +=
        canvas_.line(x, y + 21, x + 34, fmt::format("lc rgb '{}' lw 1.8", palette[plane].light));
    program_ += canvas_.text(x + 46, y + 21, picture_.series[1]);
  }

  // A title above each surface, and the label of its z axis.
  void add_words() {
    for (std::size_t i = 0; i < picture_.panels.size(); ++i) {
      const Box box = grid_.box(i);
      program_ += canvas_.text(box.left + box.width / 2, box.top + 4, picture_.panels[i].title,
                               "center font ',11'");
      program_ +=
          canvas_.text(box.left + 8, box.top + 0.12 * box.height, picture_.z.label, "font ',11'");
    }
  }

  // `offset` keeps the labels of the axes apart where the axes meet.
  static std::string axis(char name, const Axis& axis, const char* offset) {
    return fmt::format("set {0}range [{1}:{2}] noextend\nset {0}tics {3} offset {4}\n", name,
                       axis.low, axis.high, tick_list(axis.ticks, true), offset);
  }

  void add_axes() {
    program_ += axis('x', picture_.x, "0,-0.3") + axis('y', picture_.y, "0.6,-0.6") +
                axis('z', picture_.z, "0,0.15");
    program_ += fmt::format("set cbrange [{}:{}]\n", picture_.z.low, picture_.z.high);
    program_ +=
        fmt::format("set xlabel {} rotate parallel font ',11'\n", gnuplot_text(picture_.x.label));
    program_ +=
        fmt::format("set ylabel {} rotate parallel font ',11'\n", gnuplot_text(picture_.y.label));
    program_ += fmt::format(
        "set border 31 lw 0.8\nset grid xtics ytics ztics lt 1 lc rgb '#dddddd' lw 0.6\n"
        "set xyplane at {}\nset view 60,318,1.08,1.2\nunset colorbox\n"
        "set palette defined (0 '#eaf4fa', 0.5 '#7fb8d8', 1 '#0072b2')\n"
        "set pm3d border lc rgb '#3d6e8a' lw 0.5\n",
        picture_.z.low);
  }

  // Fits the rotated cube into a part of the page; margins would apply only to its front.
  std::string place(const Box& box) const {
    return fmt::format("set origin {:.5f},{:.5f}\nset size {:.5f},{:.5f}\n",
                       box.left / canvas_.width_px(),
                       1 - (box.top + box.height) / canvas_.height_px(),
                       box.width / canvas_.width_px(), box.height / canvas_.height_px());
  }

  std::string panel(std::size_t i) const {
    return place(grid_.box(i)) +
           fmt::format(
               "splot $below_{0} with lines lc rgb '{1}' lw 1, \\\n"
               "  $surface_{0} with pm3d fillstyle transparent solid 0.88, \\\n"
               "  $above_{0} with lines lc rgb '{1}' lw 1.6\n",
               i + 1, palette[plane].light);
  }

  static constexpr std::size_t plane = 1;  // index of the series, for its color

  const SurfacePicture& picture_;
  PanelGrid grid_;
  Canvas canvas_;
  std::string program_;
};

}  // namespace

Drawing draw(const SurfacePicture& picture) { return SurfaceProgram(picture).make(); }

}  // namespace tutti::reports
