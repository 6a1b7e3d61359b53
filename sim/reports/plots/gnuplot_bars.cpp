// SPDX-License-Identifier: BSD-3-Clause
// Groups of bars from 0. Names of groups that have no room side by side are numbers, told below.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/reports/plots/canvas.hpp"
#include "sim/reports/plots/colours.hpp"

namespace tutti::reports {
namespace {

constexpr double bar_px = 30;
constexpr double group_gap_px = 34;
constexpr double plot_height_px = 320;
constexpr double below_bars_px = 58;  // labels of groups, words of the axis
constexpr double between_names_px = 16;

double plot_width(const BarsPicture& picture) {
  const auto bars = static_cast<double>(picture.series.size());
  return std::max(420.0,
                  static_cast<double>(picture.groups.size()) * (bars * bar_px + group_gap_px));
}

// Breaks behind commas.
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

// Numbers in place of names without room; these are notes then.
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
        box_{left_of(picture), title_height_px, plot_width(picture), plot_height_px},
        canvas_(box_.left + box_.width + 24 + legend_width_px(picture),
                box_.top +
                    std::max(box_.height + below_bars_px, legend_height_px(picture.series.size())) +
                    notes_height_px(picture_) + 4) {}

  Drawing make() {
    program_ += common_settings() + "unset grid\n" +
                "set grid ytics lt 1 lc rgb '#dddddd' lw 0.6\nset style fill solid noborder\n";
    program_ += title_and_notes(picture_, canvas_, box_.left) + canvas_.margins(box_);
    add_axes();
    add_legend();
    for (std::size_t group = 0; group < picture_.groups.size(); ++group) add_bars(group);
    program_ += "plot NaN\n";
    return {std::move(program_), static_cast<int>(std::ceil(canvas_.width_px())),
            static_cast<int>(std::ceil(canvas_.height_px()))};
  }

 private:
  static double left_of(const BarsPicture& picture) {
    double widest = 0;
    for (const auto& tick : picture.y.ticks) widest = std::max(widest, text_width_px(tick.label));
    return widest + 42;
  }

  void add_axes() {
    std::vector<Tick> names;
    for (const auto& group : picture_.groups)
      names.push_back({static_cast<double>(names.size() + 1), group.name});
    program_ += fmt::format("set xrange [0.5:{}.5] noextend\nset yrange [0:{}] noextend\n",
                            picture_.groups.size(), picture_.y.high);
    program_ += fmt::format("set xtics scale 0 {}\nset ytics {}\n", tick_list(names, true),
                            tick_list(picture_.y.ticks, true));
    program_ +=
        canvas_.text(box_.left + box_.width / 2, box_.top + box_.height + below_bars_px - 16,
                     picture_.x_label, "center");
    program_ +=
        canvas_.text(14, box_.top + box_.height / 2, picture_.y.label, "center rotate by 90");
  }

  void add_legend() {
    if (picture_.series.size() < 2) return;
    const double x = box_.left + box_.width + 24;
    double y = box_.top + 8;
    program_ += canvas_.text(x, y, picture_.series_title, "font ',11' textcolor rgb '#555555'");
    for (std::size_t one = 0; one < picture_.series.size(); ++one) {
      y += 21;
      program_ += canvas_.line(x, y, x + 30, fmt::format("lc rgb '{}' lw 11", colour_of(one)));
      program_ += canvas_.text(x + 42, y, picture_.series[one]);
    }
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
          "set object rectangle from first {}, first 0 to first {}, first {} "
          "fc rgb '{}' fillstyle solid noborder\n",
          left + bar * 0.04, left + bar * 0.96, *value, colour_of(one));
    }
  }

  BarsPicture picture_;
  Box box_;
  Canvas canvas_;
  std::string program_;
};

}  // namespace

Drawing draw(const BarsPicture& picture) { return BarsProgram(picture).make(); }

}  // namespace tutti::reports
