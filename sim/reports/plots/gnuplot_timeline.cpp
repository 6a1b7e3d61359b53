// SPDX-License-Identifier: BSD-3-Clause
// Timelines of ranks: rows of bars, and arrows between them.

#include "sim/base/common.hpp"
#include "sim/reports/plots/canvas.hpp"

namespace tutti::reports {
namespace {

constexpr double plot_width_px = 960;
constexpr double row_gap_px = 10;
constexpr double bar_gap_px = 2;
constexpr double below_timeline_px = 52;  // tick labels and axis label
constexpr double swatch_px = 14;

// Bars are lower if there are many.
double bar_height(const TimelinePicture& picture) {
  const auto rows = static_cast<double>(picture.rows.size());
  return std::clamp(480 / std::max(1.0, rows) / 2 - row_gap_px / 2, 8.0, 20.0);
}

class TimelineProgram {
 public:
  explicit TimelineProgram(const TimelinePicture& picture)
      : picture_(picture),
        bar_px_(bar_height(picture)),
        row_px_(bars() * bar_px_ + (bars() - 1) * bar_gap_px + row_gap_px),
        names_px_(names_width()),
        legend_(legend_lines()),
        box_{names_px_, title_height_px + legend_px() + 6, plot_width_px,
             row_px_ * static_cast<double>(picture.rows.size())},
        canvas_(picture, 14, box_.left + box_.width + 24,
                box_.top + box_.height + below_timeline_px + notes_height_px(picture) + 4) {}

  Drawing make() {
    program_ = common_settings() + "unset grid\nset border 1 lw 0.8\nunset ytics\n";
    program_ += "set grid xtics lt 1 lc rgb '#dddddd' lw 0.6\nset style fill solid noborder\n";
    program_ += title_and_notes(picture_, canvas_) + canvas_.margins(box_);
    program_ += fmt::format("set xrange [{}:{}] noextend\nset yrange [{}:0] noextend\n",
                            picture_.x.low, picture_.x.high, box_.height);
    program_ += fmt::format("set xtics {}\n", tick_list(picture_.x.ticks, true));
    program_ +=
        canvas_.text(box_.left + box_.width / 2, box_.top + box_.height + below_timeline_px - 14,
                     picture_.x.label, "center");
    add_legend();
    add_names();
    add_arrows();
    add_bars();
    return drawing_of(std::move(program_), canvas_);
  }

 private:
  struct LegendPlace {
    double x = 0;
    int line = 0;
  };

  double bars() const {
    return picture_.rows.empty() ? 1 : static_cast<double>(picture_.rows.front().bars.size());
  }
  double top_of(std::size_t row, std::size_t bar) const {
    return static_cast<double>(row) * row_px_ + row_gap_px / 2 +
           static_cast<double>(bar) * (bar_px_ + bar_gap_px);
  }

  double row_names_width() const {
    double widest = 0;
    for (const auto& row : picture_.rows) widest = std::max(widest, text_width_px(row.name));
    return widest;
  }
  double names_width() const {
    double widest = 0;
    for (const auto& row : picture_.rows)
      for (const auto& bar : row.bars) widest = std::max(widest, text_width_px(bar.name));
    return 14 + row_names_width() + 12 + widest + (widest > 0 ? 8 : 0);
  }

  // The legend is above the bars, on as many lines as necessary.
  std::vector<LegendPlace> legend_lines() const {
    std::vector<LegendPlace> places;
    LegendPlace next{14, 0};
    for (const auto& name : picture_.series) {
      const double width = swatch_px + 8 + text_width_px(name) + 18;
      if (next.x > 14 && next.x + width > names_px_ + plot_width_px) next = {14, next.line + 1};
      places.push_back(next);
      next.x += width;
    }
    return places;
  }
  double legend_px() const {
    return legend_.empty() ? 0 : legend_line_px * (legend_.back().line + 1);
  }

  void add_legend() {
    for (std::size_t i = 0; i < legend_.size(); ++i) {
      const double y = title_height_px + legend_line_px * (legend_[i].line + 0.3);
      program_ += canvas_.line(legend_[i].x, y, legend_[i].x + swatch_px,
                               fmt::format("lc rgb '{}' lw 11", picture_.colours[i]));
      program_ += canvas_.text(legend_[i].x + swatch_px + 8, y, picture_.series[i]);
    }
  }

  void add_names() {
    for (std::size_t row = 0; row < picture_.rows.size(); ++row) {
      const auto& each = picture_.rows[row];
      const double middle = (top_of(row, 0) + top_of(row, each.bars.size() - 1) + bar_px_) / 2;
      program_ += canvas_.text(14, box_.top + middle, each.name);
      for (std::size_t bar = 0; bar < each.bars.size(); ++bar)
        if (!each.bars[bar].name.empty())
          program_ += canvas_.text(box_.left - 8, box_.top + top_of(row, bar) + bar_px_ / 2,
                                   each.bars[bar].name, "right font ',9' textcolor rgb '#555555'");
    }
  }

  // Each arrow connects the middles of two bars.
  void add_arrows() {
    for (const auto& arrow : picture_.arrows) {
      const double middle = bar_px_ / 2;
      program_ += fmt::format(
          "set arrow from first {}, first {} to first {}, first {} nohead front lw 0.7 "
          "lc rgb '#000000'\n",
          arrow.from, top_of(arrow.from_row, arrow.bar) + middle, arrow.to,
          top_of(arrow.to_row, arrow.bar) + middle);
    }
  }

  void add_bars() {
    std::string data;
    for (std::size_t row = 0; row < picture_.rows.size(); ++row)
      for (std::size_t bar = 0; bar < picture_.rows[row].bars.size(); ++bar)
        for (const auto& span : picture_.rows[row].bars[bar].spans) {
          const double top = top_of(row, bar);
          data += fmt::format("{} {} {} {} {} {} 0x{}\n", span.from, top, span.from, span.to, top,
                              top + bar_px_, picture_.colours[span.series].substr(1));
        }
    if (data.empty())
      program_ += "plot NaN\n";
    else
      program_ += "plot '-' using 1:2:3:4:5:6:7 with boxxyerror lc rgb variable\n" + data + "e\n";
  }

  const TimelinePicture& picture_;
  double bar_px_;
  double row_px_;
  double names_px_;
  std::vector<LegendPlace> legend_;
  Box box_;
  Canvas canvas_;
  std::string program_;
};

}  // namespace

Drawing draw(const TimelinePicture& picture) { return TimelineProgram(picture).make(); }

}  // namespace tutti::reports
