// SPDX-License-Identifier: BSD-3-Clause
// Surfaces, each with a plane as a wire grid, seen from the corner where x and y are smallest. x
// grows to the right, y to the left, and both away from the reader.

#include "sim/base/common.hpp"
#include "sim/reports/page/report_page.hpp"
#include "sim/reports/plots/specification.hpp"

namespace tutti::reports {
namespace {

struct Corner {
  std::size_t x, y;
};

struct Point {
  double x, y, z;
};

Json line_between(const char* kind, const Point& from, const Point& to) {
  return {{"kind", kind}, {"x", from.x}, {"y", from.y}, {"z", from.z},
          {"x2", to.x},   {"y2", to.y},  {"z2", to.z}};
}

// Multiples of 1, 2 or 5 times a power of ten.
std::vector<double> round_numbers(double low, double high) {
  const double rough = (high - low) / 6;
  double step = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {2.0, 2.5, 2.0})
    if (step < rough) step *= factor;
  std::vector<double> numbers;
  for (double number = std::ceil(low / step) * step; number <= high; number += step)
    numbers.push_back(number);
  return numbers;
}

// The floor and the two walls behind it, with grid lines at the ticks, and the labels of the axes.
class SurfaceAxes {
 public:
  explicit SurfaceAxes(const SurfacePicture& picture)
      : x_(picture.x), y_(picture.y), z_(picture.z) {}

  void add_to(Specification& specification) {
    for (const Tick& tick : x_.ticks) {
      add_grid({tick.at, y_.low, z_.low}, {tick.at, y_.high, z_.low}, {tick.at, y_.high, z_.high});
      add_label({tick.at, y_.low, z_.low}, tick.label, {.right = 8, .down = 10});
    }
    for (const Tick& tick : y_.ticks) {
      add_grid({x_.low, tick.at, z_.low}, {x_.high, tick.at, z_.low}, {x_.high, tick.at, z_.high});
      add_label({x_.low, tick.at, z_.low}, tick.label, {.right = -8, .down = 10});
    }
    for (const double z : round_numbers(z_.low, z_.high)) {
      add_grid({x_.low, y_.high, z}, {x_.high, y_.high, z}, {x_.high, y_.low, z});
      add_label({x_.low, y_.high, z}, Json(), {.right = -6, .align = "right"});
    }
    const Point nearest{x_.low, y_.low, z_.low}, left{x_.low, y_.high, z_.low};
    lines_.push_back(line_between("axis", nearest, {x_.high, y_.low, z_.low}));
    lines_.push_back(line_between("axis", nearest, left));
    lines_.push_back(line_between("axis", left, {x_.low, y_.high, z_.high}));
    add_label({(x_.low + x_.high) / 2, y_.low, z_.low}, x_.label,
              {.right = 13, .down = 29, .angle = -24.2});
    add_label({x_.low, (y_.low + y_.high) / 2, z_.low}, y_.label,
              {.right = -15.5, .down = 28, .angle = 29.1});
    specification.set_data("axis_lines", std::move(lines_));
    specification.set_data("labels", std::move(labels_));
  }

 private:
  // Where a label is, in pixels from its point.
  struct Offset {
    double right = 0;
    double down = 0;
    double angle = 0;
    const char* align = "center";
  };

  void add_grid(const Point& from, const Point& corner, const Point& to) {
    lines_.push_back(line_between("grid", from, corner));
    lines_.push_back(line_between("grid", corner, to));
  }

  // A label without a text is the value of z.
  void add_label(const Point& at, Json text, const Offset& offset) {
    labels_.push_back({{"x", at.x},
                       {"y", at.y},
                       {"z", at.z},
                       {"text", std::move(text)},
                       {"move_right", offset.right},
                       {"move_down", offset.down},
                       {"angle", offset.angle},
                       {"align", offset.align}});
  }

  const Axis &x_, &y_, &z_;
  Json lines_ = Json::array(), labels_ = Json::array();
};

// The rows of a panel: the corners of the faces of the surface, and the lines of the plane.
class PanelRows {
 public:
  explicit PanelRows(const SurfacePanel& panel) : panel_(panel) {}

  Json take() {
    add_faces();
    for (std::size_t y = 0; y < panel_.ys.size(); ++y)
      for (std::size_t x = 1; x < panel_.xs.size(); ++x) add_wire({x - 1, y}, {x, y});
    for (std::size_t x = 0; x < panel_.xs.size(); ++x)
      for (std::size_t y = 1; y < panel_.ys.size(); ++y) add_wire({x, y - 1}, {x, y});
    return std::move(rows_);
  }

 private:
  // The farthest faces come first, so that nearer ones cover them.
  void add_faces() {
    for (std::size_t y = panel_.ys.size() - 1; y-- > 0;)
      for (std::size_t x = panel_.xs.size() - 1; x-- > 0;) {
        const Corner corners[] = {{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}};
        double sum = 0;
        bool is_whole = true;
        for (const Corner& at : corners) {
          is_whole = is_whole && panel_.z[at.y][at.x];
          sum += panel_.z[at.y][at.x].value_or(0);
        }
        if (!is_whole) continue;
        for (const Corner& at : corners)
          rows_.push_back({{"face", y * panel_.xs.size() + x},
                           {"x", panel_.xs[at.x]},
                           {"y", panel_.ys[at.y]},
                           {"z", *panel_.z[at.y][at.x]},
                           {"height", sum / 4}});
      }
  }

  // Adds a line of the plane in two parts if it meets the surface. A surface that grows with x and
  // y hides exactly the parts of the plane below it, seen from the corner where both are smallest.
  void add_wire(const Corner& from, const Corner& to) {
    const double first = height(from), last = height(to);
    const Point begin = plane_point(panel_.xs[from.x], panel_.ys[from.y]);
    const Point end = plane_point(panel_.xs[to.x], panel_.ys[to.y]);
    const auto kind = [](double height) { return height >= 0 ? "above" : "below"; };
    if (first * last >= 0) {
      rows_.push_back(line_between(kind(first + last), begin, end));
      return;
    }
    const double part = first / (first - last);
    const Point cut =
        plane_point(begin.x + part * (end.x - begin.x), begin.y + part * (end.y - begin.y));
    rows_.push_back(line_between(kind(first), begin, cut));
    rows_.push_back(line_between(kind(last), cut, end));
  }

  Point plane_point(double x, double y) const { return {x, y, panel_.plane_at(x, y)}; }

  // Height of the plane above the surface; 0 at a gap, where the plane is visible.
  double height(const Corner& at) const {
    const auto& z = panel_.z[at.y][at.x];
    return z ? panel_.plane_at(panel_.xs[at.x], panel_.ys[at.y]) - *z : 0;
  }

  const SurfacePanel& panel_;
  Json rows_ = Json::array();
};

}  // namespace

Drawing draw(const SurfacePicture& picture) {
  Specification specification(page_files::surface_form, picture);
  SurfaceAxes(picture).add_to(specification);
  Json panels = Json::array();
  for (const SurfacePanel& panel : picture.panels)
    panels.push_back({{"title", panel.title}, {"rows", PanelRows(panel).take()}});
  specification.set_data("panels", std::move(panels));
  specification.set_signal("x_domain", {picture.x.low, picture.x.high});
  specification.set_signal("y_domain", {picture.y.low, picture.y.high});
  specification.set_axis("z", picture.z);
  return specification.take();
}

}  // namespace tutti::reports
