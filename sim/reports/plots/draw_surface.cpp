// SPDX-License-Identifier: BSD-3-Clause
// Surfaces, each with a plane as a wire grid, seen from the corner where x and y are smallest.

#include "sim/base/common.hpp"
#include "sim/reports/plots/figure.hpp"

namespace tutti::reports {
namespace {

constexpr double legend_gap = 24;

PanelGrid surface_grid(const SurfacePicture& picture) {
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

// Projects points of the cube of the axes onto a box of the figure. x grows to the right, y to the
// left, and both away from the reader.
class Projection {
 public:
  Projection(const SurfacePicture& picture, const Box& box)
      : picture_(picture),
        middle_x_(box.left + 0.53 * box.width),
        middle_y_(box.top + 0.71 * box.height),
        size_(std::min(box.width / 1.75, box.height / 1.45)) {}

  struct Place {
    double x, y;
  };
  Place operator()(double x, double y, double z) const {
    const double across = position(picture_.x, x, -0.5, 0.5);
    const double along = position(picture_.y, y, -0.5, 0.5);
    const double right = across * std::cos(turn) - along * std::sin(turn);
    const double away = across * std::sin(turn) + along * std::cos(turn);
    const double up = position(picture_.z, z, 0, 0.72);
    return {middle_x_ + size_ * right, middle_y_ - size_ * (0.5 * away + 0.866 * up)};
  }

 private:
  static constexpr double turn = 42 * std::numbers::pi / 180;
  const SurfacePicture& picture_;
  double middle_x_, middle_y_, size_;
};

// The color of a height as a part of the z axis: from light to dark blue.
std::string height_colour(double part) {
  using Parts = std::array<int, 3>;
  constexpr Parts low{0xea, 0xf4, 0xfa}, middle{0x7f, 0xb8, 0xd8}, high{0x00, 0x72, 0xb2};
  const Parts& from = part < 0.5 ? low : middle;
  const Parts& to = part < 0.5 ? middle : high;
  const double rest = 2 * std::clamp(part, 0.0, 1.0) - (part < 0.5 ? 0 : 1);
  std::string colour = "#";
  for (std::size_t i = 0; i < from.size(); ++i)
    colour += fmt::format("{:02x}", std::lround(from[i] + rest * (to[i] - from[i])));
  return colour;
}

class SurfaceFigure {
 public:
  explicit SurfaceFigure(const SurfacePicture& picture)
      : picture_(picture),
        grid_(surface_grid(picture)),
        figure_(picture, grid_.left + 8, grid_.right() + legend_gap + legend_width_px(picture),
                grid_.bottom() + notes_height_px(picture) + 12) {}

  Drawing make() {
    add_legend();
    for (std::size_t i = 0; i < picture_.panels.size(); ++i) add_panel(i);
    return figure_.take();
  }

 private:
  struct Corner {
    std::size_t x, y;
  };
  struct Point {
    double x, y;
  };

  void add_legend() {
    const double x = grid_.right() + legend_gap;
    const double y = grid_.top + 24;
    figure_.rectangle({x, y - 6, 34, 12}, "#7fb8d8");
    figure_.text(x + legend_sample_px, y, picture_.series[0]);
    figure_.line(x, y + legend_line_px, x + 34, y + legend_line_px,
                 {.colour = plane_colour, .width = 1.8});
    figure_.text(x + legend_sample_px, y + legend_line_px, picture_.series[1]);
  }

  void add_panel(std::size_t i) {
    const Box box = grid_.box(i);
    figure_.text(box.left + box.width / 2, box.top + 4, picture_.panels[i].title,
                 {.size = 11, .align = "center"});
    const Projection project(picture_, box);
    add_axes(project);
    const auto [left, top] = project(picture_.x.low, picture_.y.high, picture_.z.high);
    figure_.text(left - 30, top - 18, picture_.z.label, {.size = 11});
    add_wires(picture_.panels[i], project, false);
    add_surface(picture_.panels[i], project);
    add_wires(picture_.panels[i], project, true);
  }

  void add_segment(const Projection::Place& from, const Projection::Place& to,
                   const LineStyle& style) {
    figure_.path(fmt::format("M{:.2f},{:.2f}L{:.2f},{:.2f}", from.x, from.y, to.x, to.y), style);
  }

  // The floor and the two walls behind it, with grid lines at the marks of the axes.
  void add_axes(const Projection& project) {
    const Axis &x = picture_.x, &y = picture_.y, &z = picture_.z;
    const LineStyle grid{.colour = paint::line, .width = 0.6}, edge{.width = 0.8};
    for (const Tick& tick : x.ticks) {
      add_segment(project(tick.at, y.low, z.low), project(tick.at, y.high, z.low), grid);
      add_segment(project(tick.at, y.high, z.low), project(tick.at, y.high, z.high), grid);
      const auto at = project(tick.at, y.low, z.low);
      figure_.text(at.x + 8, at.y + 10, tick.label, {.align = "center"});
    }
    for (const Tick& tick : y.ticks) {
      add_segment(project(x.low, tick.at, z.low), project(x.high, tick.at, z.low), grid);
      add_segment(project(x.high, tick.at, z.low), project(x.high, tick.at, z.high), grid);
      const auto at = project(x.low, tick.at, z.low);
      figure_.text(at.x - 8, at.y + 10, tick.label, {.align = "center"});
    }
    for (const Tick& tick : z.ticks) {
      add_segment(project(x.low, y.high, tick.at), project(x.high, y.high, tick.at), grid);
      add_segment(project(x.high, y.high, tick.at), project(x.high, y.low, tick.at), grid);
      const auto at = project(x.low, y.high, tick.at);
      figure_.text(at.x - 6, at.y, tick.label, {.align = "right"});
    }
    add_segment(project(x.low, y.low, z.low), project(x.high, y.low, z.low), edge);
    add_segment(project(x.low, y.low, z.low), project(x.low, y.high, z.low), edge);
    add_segment(project(x.low, y.high, z.low), project(x.low, y.high, z.high), edge);
    add_axis_label(x.label, project(x.low, y.low, z.low), project(x.high, y.low, z.low));
    add_axis_label(y.label, project(x.low, y.high, z.low), project(x.low, y.low, z.low));
  }

  // Writes the label along the axis, below its marks.
  void add_axis_label(const std::string& label, const Projection::Place& from,
                      const Projection::Place& to) {
    const double angle = std::atan2(to.y - from.y, to.x - from.x);
    constexpr double below_px = 32;
    figure_.text((from.x + to.x) / 2 - below_px * std::sin(angle),
                 (from.y + to.y) / 2 + below_px * std::cos(angle), label,
                 {.size = 11, .align = "center", .angle = angle * 180 / std::numbers::pi});
  }

  // The farthest parts come first, so that nearer ones cover them.
  void add_surface(const SurfacePanel& panel, const Projection& project) {
    for (std::size_t y = panel.ys.size() - 1; y-- > 0;)
      for (std::size_t x = panel.xs.size() - 1; x-- > 0;) {
        double sum = 0;
        std::string path;
        bool is_whole = true;
        for (const Corner& at : {Corner{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}}) {
          const auto& height = panel.z[at.y][at.x];
          is_whole = is_whole && height;
          if (!height) continue;
          sum += *height;
          const auto place = project(panel.xs[at.x], panel.ys[at.y], *height);
          path += fmt::format("{}{:.2f},{:.2f}", path.empty() ? "M" : "L", place.x, place.y);
        }
        if (is_whole)
          figure_.path(path + "Z", {.colour = "#3d6e8a", .width = 0.5},
                       height_colour(position(picture_.z, sum / 4, 0, 1)), 0.9);
      }
  }

  // Adds the grid lines of the plane above or below the surface, cut where they meet it. A surface
  // that grows with x and y hides exactly the parts of the plane below it, seen from the corner
  // where both are smallest.
  void add_wires(const SurfacePanel& panel, const Projection& project, bool above) {
    const LineStyle style{.colour = plane_colour, .width = above ? 1.6 : 1};
    const auto add = [&](const Corner& from, const Corner& to) {
      const double first = height(panel, from), last = height(panel, to);
      Point begin = point(panel, from), end = point(panel, to);
      if (first * last >= 0) {
        if ((first + last >= 0) != above) return;
      } else {
        const double part = first / (first - last);
        const Point cut{begin.x + part * (end.x - begin.x), begin.y + part * (end.y - begin.y)};
        ((first > 0) == above ? end : begin) = cut;
      }
      add_segment(project(begin.x, begin.y, panel.plane_at(begin.x, begin.y)),
                  project(end.x, end.y, panel.plane_at(end.x, end.y)), style);
    };
    for (std::size_t y = 0; y < panel.ys.size(); ++y)
      for (std::size_t x = 1; x < panel.xs.size(); ++x) add({x - 1, y}, {x, y});
    for (std::size_t x = 0; x < panel.xs.size(); ++x)
      for (std::size_t y = 1; y < panel.ys.size(); ++y) add({x, y - 1}, {x, y});
  }

  static Point point(const SurfacePanel& panel, const Corner& at) {
    return {panel.xs[at.x], panel.ys[at.y]};
  }
  // Height of the plane above the surface; 0 at a gap, where the plane is visible.
  static double height(const SurfacePanel& panel, const Corner& at) {
    const auto [x, y] = point(panel, at);
    const auto& z = panel.z[at.y][at.x];
    return z ? panel.plane_at(x, y) - *z : 0;
  }

  static constexpr std::string_view plane_colour = palette[1].light;

  const SurfacePicture& picture_;
  PanelGrid grid_;
  Figure figure_;
};

}  // namespace

Drawing draw(const SurfacePicture& picture) { return SurfaceFigure(picture).make(); }

}  // namespace tutti::reports
