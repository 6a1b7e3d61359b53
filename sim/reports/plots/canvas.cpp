// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/plots/canvas.hpp"

#include "sim/reports/plots/grid.hpp"

namespace tutti::reports {
namespace {

constexpr double note_line_px = 17;

const char* terminal_name(Medium medium) {
  return medium == Medium::svg ? "svg" : medium == Medium::png ? "pngcairo" : "pdfcairo";
}

}  // namespace

double text_width_px(std::string_view text) {
  constexpr double character_px = 7.2;
  return character_px * static_cast<double>(count_characters(text));
}

double widest_px(const std::vector<Tick>& ticks) {
  double widest = 0;
  for (const Tick& tick : ticks) widest = std::max(widest, text_width_px(tick.label));
  return widest;
}

namespace {

constexpr double subtitle_line_px = 16;

// Approximate widths in the fonts of titles and subtitles.
double title_width_px(std::string_view text) { return 1.3 * text_width_px(text); }
double subtitle_width_px(std::string_view text) { return 0.9 * text_width_px(text); }

// Breaks the subtitle after commas.
std::vector<std::string> lines_of(const std::string& text, double width_px) {
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < text.size();) {
    const auto comma = text.find(", ", at);
    const auto end = comma == std::string::npos ? text.size() : comma + 2;
    const auto part = text.substr(at, end - at);
    if (!lines.back().empty() && subtitle_width_px(lines.back() + part) > width_px)
      lines.emplace_back();
    lines.back() += part;
    at = end;
  }
  return lines;
}

double width_of(const PictureHead& head, double width_px, double left) {
  constexpr double most_px = 600, margin_px = 14;
  double words_px =
      std::max(title_width_px(head.title), std::min(subtitle_width_px(head.subtitle), most_px));
  for (const auto& note : head.notes) words_px = std::max(words_px, subtitle_width_px(note));
  return std::max(width_px, left + words_px + margin_px);
}

}  // namespace

Canvas::Canvas(const PictureHead& head, double left, double width_px, double height_px)
    : left_px_(left),
      width_px_(width_of(head, width_px, left)),
      subtitle_(lines_of(head.subtitle, width_px_ - left)),
      shift_px_(subtitle_line_px * static_cast<double>(subtitle_.size() - 1)),
      height_px_(height_px + shift_px_) {}

std::string Canvas::at(double x, double y) const {
  return fmt::format("screen {:.5f}, screen {:.5f}", x / width_px_,
                     1 - (y + shift_px_) / height_px_);
}

std::string Canvas::margins(const Box& box) const {
  return fmt::format(
      "set lmargin at screen {:.5f}\nset rmargin at screen {:.5f}\n"
      "set tmargin at screen {:.5f}\nset bmargin at screen {:.5f}\n",
      box.left / width_px_, (box.left + box.width) / width_px_,
      1 - (box.top + shift_px_) / height_px_, 1 - (box.top + box.height + shift_px_) / height_px_);
}

std::string Canvas::text(double x, double y, std::string_view text, std::string_view style) const {
  return fmt::format("set label {} at {}{}{}\n", gnuplot_text(text), at(x, y),
                     style.empty() ? "" : " ", style);
}

std::string Canvas::line(double x, double y, double to_x, std::string_view style) const {
  return fmt::format("set arrow from {} to {} nohead {}\n", at(x, y), at(to_x, y), style);
}

std::string Canvas::rectangle(const Box& box, std::string_view style) const {
  return fmt::format("set object rectangle from {} to {} {}\n", at(box.left, box.top),
                     at(box.left + box.width, box.top + box.height), style);
}

double notes_height_px(const PictureHead& head) {
  return note_line_px * static_cast<double>(head.notes.size());
}

std::string title_and_notes(const PictureHead& head, const Canvas& canvas) {
  const double left = canvas.left_px();
  std::string program = canvas.text(left, 20 - canvas.shift_px(), head.title, "font ',15'");
  double line_y = 42 - canvas.shift_px();
  for (const auto& line : canvas.subtitle()) {
    program += canvas.text(left, line_y, line, small_grey);
    line_y += subtitle_line_px;
  }
  double y = canvas.height_px() - canvas.shift_px() - notes_height_px(head) + note_line_px / 4;
  for (const auto& note : head.notes) {
    program += canvas.text(left, y, note, "font ',10' textcolor rgb '#555555'");
    y += note_line_px;
  }
  return program;
}

double legend_width_px(const PictureHead& head) {
  double widest = text_width_px(head.series_title) - legend_sample_px;
  for (const auto& name : head.series) widest = std::max(widest, text_width_px(name));
  return head.series.size() < 2 ? 0 : legend_sample_px + widest + 14;
}

double legend_height_px(std::size_t series) {
  return legend_line_px * static_cast<double>(series + 1);
}

Legend legend_of(const PictureHead& head, double x, double y) {
  Legend legend{
      .x = x, .y = y, .sample_px = legend_sample_px, .title = head.series_title, .series = {}};
  if (head.series.size() > 1)
    for (std::size_t one = 0; one < head.series.size(); ++one) legend.series.push_back(one);
  return legend;
}

int filled_mark(const SeriesLook& look) {
  constexpr std::array<int, mark_count> points = {7, 5, 9, 13, 11, 15};
  return points[look.mark % mark_count];
}
int hollow_mark(const SeriesLook& look) { return filled_mark(look) - 1; }

std::string panel_title(const std::string& title) {
  return fmt::format("set title {} font ',11' offset 0,-0.5\n", gnuplot_text(title));
}

std::vector<LegendKey> keys_of(const LinesPicture& picture) {
  using Kind = LegendKey::Kind;
  if (picture.has_marks)
    return {{Kind::mark, picture.mark_words}, {Kind::line, picture.line_words}};
  for (const Panel& panel : picture.panels)
    for (const auto& curve : panel.curves)
      for (const PicturePoint& point : curve)
        if (point.y && point.ran_as_another) return {{Kind::hollow, "ran as another algorithm"}};
  return {};
}

std::string axis_words(const Canvas& canvas, const Box& plots, double below_px,
                       const std::string& x_label, const std::string& y_label) {
  return canvas.text(plots.left + plots.width / 2, plots.top + plots.height + below_px, x_label,
                     "center") +
         canvas.text(14, plots.top + plots.height / 2, y_label, "center rotate by 90");
}

std::string axis_range(char name, const Axis& axis) {
  return fmt::format("{}set {}range [{}:{}] noextend\n",
                     axis.log ? fmt::format("set logscale {} 10\n", name) : "", name, axis.low,
                     axis.high);
}

std::string tick_list(const std::vector<Tick>& ticks, bool with_labels) {
  std::string list;
  for (const Tick& tick : ticks)
    list += fmt::format("{}{} {}{}", list.empty() ? "" : ", ",
                        gnuplot_text(with_labels ? tick.label : ""), tick.at,
                        tick.label.empty() ? " 1" : "");
  return '(' + list + ')';
}

std::string common_settings() {
  return "set encoding utf8\n"
         "unset key\n"
         "set tics nomirror out scale 0.7\n"
         "set border 3 lw 0.8\n"
         "set grid xtics ytics lt 1 lc rgb '#dddddd' lw 0.6\n";
}

Drawing drawing_of(std::string program, const Canvas& canvas) {
  return {std::move(program), static_cast<int>(std::ceil(canvas.width_px())),
          static_cast<int>(std::ceil(canvas.height_px()))};
}

namespace {

// Within double quotes, gnuplot evaluates `, \\ and ".
std::string gnuplot_octal(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text)
    quoted += std::string_view("`\\\"").find(c) == std::string_view::npos
                  ? std::string(1, c)
                  : fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  return quoted + '"';
}

}  // namespace

std::string gnuplot_text(std::string_view text) {
  // gnuplot 5.4 misreads two single quotes in a row, even if each is doubled.
  if (text.find("''") != text.npos) return gnuplot_octal(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + '\'';
}

std::string gnuplot_program(const Drawing& drawing, Medium medium, const std::string& output) {
  const int width = drawing.width_px;
  const int height = drawing.height_px;
  constexpr int sharp = 2;  // a PNG has twice as many pixels in each direction
  std::string options =
      medium == Medium::svg ? fmt::format("size {},{} dynamic font 'Helvetica,12'", width, height)
      : medium == Medium::png
          ? fmt::format("size {},{} fontscale {} linewidth {} pointscale {} font 'DejaVu Sans,12'",
                        sharp * width, sharp * height, 0.75 * sharp, sharp, sharp)
          : fmt::format("size {:.3f}in,{:.3f}in fontscale 0.75 font 'DejaVu Sans,12'", width / 96.0,
                        height / 96.0);
  std::string program = fmt::format("set terminal {} noenhanced {} background rgb 'white'\n",
                                    terminal_name(medium), options);
  if (!output.empty()) program += fmt::format("set output {}\n", gnuplot_text(output));
  return program + drawing.program;
}

}  // namespace tutti::reports
