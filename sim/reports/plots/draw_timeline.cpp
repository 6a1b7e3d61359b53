// SPDX-License-Identifier: BSD-3-Clause
// Timelines of ranks: rows of bars, and arrows between them.

#include "sim/base/common.hpp"
#include "sim/reports/plots/figure.hpp"

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

class TimelineFigure {
 public:
  explicit TimelineFigure(const TimelinePicture& picture)
      : picture_(picture),
        bar_px_(bar_height(picture)),
        row_px_(bars() * bar_px_ + (bars() - 1) * bar_gap_px + row_gap_px),
        names_px_(names_width()),
        legend_(legend_lines()),
        box_{names_px_, title_height_px + legend_px() + 6, plot_width_px,
             row_px_ * static_cast<double>(picture.rows.size())},
        figure_(picture, 14, box_.left + box_.width + 24,
                box_.top + box_.height + below_timeline_px + notes_height_px(picture) + 4) {}

  Drawing make() {
    figure_.x_axis(box_, picture_.x, true);
    figure_.text(box_.left + box_.width / 2, box_.top + box_.height + below_timeline_px - 14,
                 picture_.x.label, centered);
    add_legend();
    add_names();
    add_arrows();
    add_bars();
    return figure_.take();
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
      figure_.rectangle({legend_[i].x, y - 6, swatch_px, 12}, picture_.colours[i]);
      figure_.text(legend_[i].x + swatch_px + 8, y, picture_.series[i]);
    }
  }

  void add_names() {
    for (std::size_t row = 0; row < picture_.rows.size(); ++row) {
      const auto& [name, bars] = picture_.rows[row];
      const double middle = (top_of(row, 0) + top_of(row, bars.size() - 1) + bar_px_) / 2;
      figure_.text(14, box_.top + middle, name);
      for (std::size_t bar = 0; bar < bars.size(); ++bar)
        figure_.text(box_.left - 8, box_.top + top_of(row, bar) + bar_px_ / 2, bars[bar].name,
                     {.size = 9, .align = "right", .colour = paint::faint});
    }
  }

  double x_of(double time) const {
    return position(picture_.x, time, box_.left, box_.left + box_.width);
  }

  // Each arrow connects the middles of two bars.
  void add_arrows() {
    const double middle = box_.top + bar_px_ / 2;
    for (const auto& arrow : picture_.arrows)
      figure_.path(fmt::format("M{:.2f},{:.2f}L{:.2f},{:.2f}", x_of(arrow.from),
                               middle + top_of(arrow.from_row, arrow.bar), x_of(arrow.to),
                               middle + top_of(arrow.to_row, arrow.bar)),
                   {.width = 0.7});
  }

  void add_bars() {
    for (std::size_t row = 0; row < picture_.rows.size(); ++row)
      for (std::size_t bar = 0; bar < picture_.rows[row].bars.size(); ++bar)
        for (const auto& span : picture_.rows[row].bars[bar].spans) {
          const double from = std::max(x_of(span.from), box_.left);
          const double to = std::min(x_of(span.to), box_.left + box_.width);
          if (to > from)
            figure_.rectangle({from, box_.top + top_of(row, bar), to - from, bar_px_},
                              picture_.colours[span.series]);
        }
  }

  const TimelinePicture& picture_;
  double bar_px_;
  double row_px_;
  double names_px_;
  std::vector<LegendPlace> legend_;
  Box box_;
  Figure figure_;
};

}  // namespace

Drawing draw(const TimelinePicture& picture) { return TimelineFigure(picture).make(); }

}  // namespace tutti::reports
