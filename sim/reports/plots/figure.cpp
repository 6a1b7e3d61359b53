// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/plots/figure.hpp"

#include "sim/reports/page/report_page.hpp"
#include "sim/reports/plots/grid.hpp"

namespace tutti::reports {
namespace {

constexpr double note_line_px = 17;

// Circle, square, triangle, diamond, inverted triangle, pentagon.
constexpr std::array<std::string_view, mark_count> mark_shapes = {
    "circle",  "square",        "triangle-up",
    "diamond", "triangle-down", "M0,-1.1L1.05,-0.34L0.65,0.89L-0.65,0.89L-1.05,-0.34Z"};
const Json dash_patterns = {Json::array({1, 0}), Json::array({8, 4}), Json::array({2, 3})};

// Named colors, and those of the palette, on a light and on a dark background.
constexpr std::pair<std::string_view, Colour> named_paints[] = {
    {paint::ink, {"#1b1e22", "#e6e8eb"}},
    {paint::faint, {"#555555", "#a6adb5"}},
    {paint::line, {"#dddddd", "#33383e"}},
    {paint::paper, {"#ffffff", "#16181b"}},
    {neutral_colour.light, neutral_colour}};

Colour both_colours(std::string_view colour) {
  for (const auto& [name, both] : named_paints)
    if (name == colour) return both;
  const auto known = std::ranges::find(palette, colour, &Colour::light);
  return known == palette.end() ? Colour{colour, colour} : *known;
}

Json field(std::string_view name) { return {{"field", name}}; }

// A mark for each row of the data.
Json mark_of_data(std::string_view type, std::string_view data, Json encoding) {
  return {
      {"type", type}, {"from", {{"data", data}}}, {"encode", {{"update", std::move(encoding)}}}};
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

Figure::Figure(const PictureHead& head, double left, double width_px, double height_px)
    : head_(head),
      left_px_(left),
      width_px_(width_of(head, width_px, left)),
      subtitle_(lines_of(head.subtitle, width_px_ - left)),
      shift_px_(subtitle_line_px * static_cast<double>(subtitle_.size() - 1)),
      height_px_(height_px + shift_px_) {}

Box Figure::shifted(const Box& box) const {
  return {box.left, box.top + shift_px_, box.width, box.height};
}

Json Figure::paint_of(std::string_view colour) { return {{"scale", "paint"}, {"value", colour}}; }
Json Figure::paint_in(std::string_view name) { return {{"scale", "paint"}, {"field", name}}; }

void Figure::text(double x, double y, std::string_view text, const TextStyle& style) {
  if (text.empty()) return;
  use(style.colour);
  texts_.push_back({{"x", x},
                    {"y", y + shift_px_},
                    {"text", text},
                    {"size", style.size},
                    {"align", style.align},
                    {"angle", style.angle},
                    {"baseline", style.baseline_at_top ? "top" : "middle"},
                    {"paint", style.colour}});
}

void Figure::line(double x, double y, double to_x, double to_y, const LineStyle& style) {
  use(style.colour);
  lines_.push_back({{"x", x},
                    {"y", y + shift_px_},
                    {"x2", to_x},
                    {"y2", to_y + shift_px_},
                    {"width", style.width},
                    {"dash", style.dash},
                    {"paint", style.colour}});
}

void Figure::rectangle(const Box& box, std::string_view colour, std::string_view tip) {
  use(colour);
  const Box at = shifted(box);
  rectangles_.push_back({{"x", at.left},
                         {"y", at.top},
                         {"width", at.width},
                         {"height", at.height},
                         {"paint", colour}});
  if (!tip.empty()) rectangles_.back()["tip"] = tip;
}

void Figure::path(const std::string& path, const LineStyle& stroke, std::string_view fill,
                  double opacity) {
  use(stroke.colour);
  use(fill);
  paths_.push_back({{"path", path},
                    {"y", shift_px_},
                    {"paint", stroke.colour},
                    {"width", stroke.width},
                    {"fill", fill},
                    {"opacity", opacity}});
}

void Figure::symbol(double x, double y, std::size_t mark, std::string_view colour, bool is_hollow) {
  use(colour);
  symbols_.push_back({{"x", x},
                      {"y", y + shift_px_},
                      {"mark", mark},
                      {"paint", colour},
                      {"fill", is_hollow ? paint::paper : colour}});
}

void Figure::x_axis(const Box& box, const Axis& axis, bool has_grid, double angle) {
  const double bottom = box.top + box.height;
  line(box.left, bottom, box.left + box.width, bottom, {.width = 0.8});
  for (const Tick& tick : axis.ticks) {
    const double x = position(axis, tick.at, box.left, box.left + box.width);
    if (has_grid) line(x, box.top, x, bottom, {.colour = paint::line, .width = 0.6});
    if (has_grid) line(x, bottom, x, bottom + 5, {.width = 0.8});
    text(x, bottom + (angle == 0 ? 14 : 9), tick.label,
         {.align = angle == 0 ? "center" : "right", .angle = angle});
  }
}

void Figure::y_axis(const Box& box, const Axis& axis) {
  line(box.left, box.top, box.left, box.top + box.height, {.width = 0.8});
  for (const Tick& tick : axis.ticks) {
    const double y = position(axis, tick.at, box.top + box.height, box.top);
    line(box.left, y, box.left + box.width, y, {.colour = paint::line, .width = 0.6});
    line(box.left - 5, y, box.left, y, {.width = 0.8});
    text(box.left - 8, y, tick.label, {.align = "right"});
  }
}

void Figure::axis_words(const Box& plots, double below_px, const std::string& x_label,
                        const std::string& y_label) {
  text(plots.left + plots.width / 2, plots.top + plots.height + below_px, x_label, centered);
  text(14, plots.top + plots.height / 2, y_label, {.align = "center", .angle = -90});
}

double notes_height_px(const PictureHead& head) {
  return note_line_px * static_cast<double>(head.notes.size());
}

double legend_width_px(const PictureHead& head) {
  double widest = text_width_px(head.series_title) - legend_sample_px;
  for (const auto& name : head.series) widest = std::max(widest, text_width_px(name));
  return head.series.size() < 2 ? 0 : legend_sample_px + widest + 14;
}

double legend_height_px(std::size_t series) {
  return legend_line_px * static_cast<double>(series + 1);
}

Figure::Legend Figure::legend_at(double x, double y) const {
  Legend legend{.x = x, .y = y, .title = head_.series_title};
  if (head_.series.size() > 1)
    for (std::size_t one = 0; one < head_.series.size(); ++one) legend.series.push_back(one);
  return legend;
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

double position(const Axis& axis, double value, double from_px, double to_px) {
  const double part = axis.log ? std::log(value / axis.low) / std::log(axis.high / axis.low)
                               : (value - axis.low) / (axis.high - axis.low);
  return from_px + part * (to_px - from_px);
}

void Figure::add_signal(std::string name, Json value) {
  signals_.push_back({{"name", std::move(name)}, {"value", std::move(value)}});
}

void Figure::add_group(const Box& box, Json group) {
  const Box at = shifted(box);
  group["type"] = "group";
  group["encode"] = {{"update",
                      {{"x", {{"value", at.left}}},
                       {"y", {{"value", at.top}}},
                       {"width", {{"value", at.width}}},
                       {"height", {{"value", at.height}}}}}};
  groups_.push_back(std::move(group));
}

void Figure::add_head() {
  text(left_px_, 20 - shift_px_, head_.title, {.size = 15});
  double line_y = 42 - shift_px_;
  for (const auto& part : subtitle_) {
    text(left_px_, line_y, part, small_text);
    line_y += subtitle_line_px;
  }
  double y = height_px_ - shift_px_ - notes_height_px(head_) + note_line_px / 4;
  for (const auto& note : head_.notes) {
    text(left_px_, y, note, {.size = 10, .colour = paint::faint});
    y += note_line_px;
  }
}

void Figure::add_paints() {
  Json light = Json::array(), dark = Json::array(), names = Json::array();
  for (const auto& name : colours_) {
    names.push_back(name);
    light.push_back(name.empty() ? "transparent" : both_colours(name).light);
    dark.push_back(name.empty() ? "transparent" : both_colours(name).dark);
  }
  add_signal("dark", false);
  add_signal("light_paints", std::move(light));
  add_signal("dark_paints", std::move(dark));
  add_signal("hidden", Json::array());  // series that the reader has hidden
  add_scale({{"name", "paint"},
             {"type", "ordinal"},
             {"domain", std::move(names)},
             {"range", {{"signal", "dark ? dark_paints : light_paints"}}}});
  add_scale(
      {{"name", "dash"}, {"type", "ordinal"}, {"domain", {0, 1, 2}}, {"range", dash_patterns}});
  add_scale({{"name", "mark"},
             {"type", "ordinal"},
             {"domain", {0, 1, 2, 3, 4, 5}},
             {"range", mark_shapes}});
}

Drawing Figure::take() {
  add_head();
  add_paints();
  const Json place = {{"x", field("x")}, {"y", field("y")}};
  const auto with = [&](Json encoding) {
    encoding.update(place);
    return encoding;
  };
  Json data = Json::array(), marks = Json::array();
  const auto add = [&](const char* name, Json& rows, const char* type, Json encoding) {
    if (rows.empty()) return;
    data.push_back({{"name", name}, {"values", std::move(rows)}});
    marks.push_back(mark_of_data(type, name, std::move(encoding)));
  };
  add("lines", lines_, "rule",
      with({{"x2", field("x2")},
            {"y2", field("y2")},
            {"stroke", paint_in("paint")},
            {"strokeWidth", field("width")},
            {"strokeDash", {{"scale", "dash"}, {"field", "dash"}}}}));
  add("rectangles", rectangles_, "rect",
      with({{"width", field("width")},
            {"height", field("height")},
            {"fill", paint_in("paint")},
            {"tooltip", field("tip")}}));
  add("paths", paths_, "path",
      {{"y", field("y")},
       {"path", field("path")},
       {"stroke", paint_in("paint")},
       {"strokeWidth", field("width")},
       {"strokeJoin", {{"value", "round"}}},
       {"opacity", field("opacity")},
       {"fill", paint_in("fill")}});
  add("symbols", symbols_, "symbol",
      with({{"shape", {{"scale", "mark"}, {"field", "mark"}}},
            {"size", {{"value", 56}}},
            {"fill", paint_in("fill")},
            {"stroke", paint_in("paint")}}));
  for (auto& group : groups_) marks.push_back(std::move(group));
  add("texts", texts_, "text",
      with({{"text", field("text")},
            {"fontSize", field("size")},
            {"align", field("align")},
            {"angle", field("angle")},
            {"baseline", field("baseline")},
            {"fill", paint_in("paint")},
            {"limit", {{"value", 0}}},
            {"cursor", figure_signal("isValid(datum.series) ? 'pointer' : null")},
            {"opacity", figure_signal("indexof(hidden, datum.series) < 0 ? 1 : 0.4")}}));
  return make_drawing(std::move(data), std::move(marks));
}

Drawing Figure::make_drawing(Json data, Json marks) {
  const Json specification = {{"$schema", "https://vega.github.io/schema/vega/v5.json"},
                              {"description", head_.title},
                              {"width", std::ceil(width_px_)},
                              {"height", std::ceil(height_px_)},
                              {"padding", 0},
                              {"autosize", "none"},
                              {"background", {{"signal", "dark ? '#16181b' : '#ffffff'"}}},
                              {"config", {{"text", {{"font", figure_font}}}}},
                              {"signals", std::move(signals_)},
                              {"data", std::move(data)},
                              {"scales", std::move(scales_)},
                              {"marks", std::move(marks)}};
  return {specification.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

std::string specification_file(const Drawing& drawing, const std::vector<std::string>& provenance) {
  Json specification = Json::parse(drawing.specification);
  specification["usermeta"] = {{"provenance", provenance}};
  return specification.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string svg_program(const Drawing& drawing) {
  return fmt::format(
      "{}\nnew vega.View(vega.parse({}), {{renderer: 'none'}}).toSVG()"
      ".then((svg) => process.stdout.write(svg));\n",
      page_files::vega_js, drawing.specification);
}

}  // namespace tutti::reports
