// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/plots/specification.hpp"

#include "sim/reports/formats.hpp"
#include "sim/reports/page/report_page.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

constexpr std::size_t most_subtitle_characters = 110;

std::string compact_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string_view quantity_name(const Axis& axis) {
  if (axis.is_ratio) return "ratio";
  constexpr std::array<std::string_view, 5> names = {"number", "bytes", "seconds", "rate",
                                                     "fraction"};
  return names[static_cast<std::size_t>(axis.quantity)];
}

}  // namespace

std::string picture_time(double time_s) { return picture_text(format_seconds(time_s)); }

std::vector<std::string> broken_at_commas(const std::string& text, std::size_t most) {
  std::vector<std::string> lines(1);
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find_first_not_of(", ", std::min(text.find(',', at), text.size()));
    const auto part = text.substr(at, end - at);
    if (!lines.back().empty() && lines.back().size() + part.size() > most) lines.emplace_back();
    lines.back() += part;
    at = std::min(end, text.size());
  }
  return lines;
}

Specification::Specification(std::string_view form, const PictureHead& head)
    : specification_(Json::parse(page_files::figure_form)) {
  const Json kind = Json::parse(form);
  for (const auto& [name, value] : kind.items()) {
    Json& member = specification_[name];
    if (member.is_null()) member = Json::array();
    if (value.is_array())
      member.insert(member.end(), value.begin(), value.end());
    else
      member = value;
  }
  specification_["title"]["text"] = head.title;
  specification_["title"]["subtitle"] = broken_at_commas(head.subtitle, most_subtitle_characters);
  set_signal("names", head.series);
  set_signal("series_title", head.series_title);
  set_signal("notes", head.notes);
  Json light = Json::array(), dark = Json::array(), marks = Json::array(), rounds = Json::array();
  for (std::size_t series = 0; series < head.series.size(); ++series) {
    const SeriesLook look = head.look(series);
    light.push_back(palette[look.colour].light);
    dark.push_back(palette[look.colour].dark);
    marks.push_back(look.mark);
    rounds.push_back(look.round);
  }
  set_signal("colours", {{"light", std::move(light)}, {"dark", std::move(dark)}});
  set_signal("marks", std::move(marks));
  set_signal("rounds", std::move(rounds));
}

Json& Specification::member(std::string_view list, std::string_view name) {
  Json& members = specification_.at(std::string(list));
  const auto member = std::ranges::find_if(
      members, [&](const Json& candidate) { return candidate.at("name") == name; });
  TUTTI_CHECK(member != members.end(), "a form has the signals, data and scales that are set");
  return *member;
}

void Specification::set_signal(std::string_view name, Json value) {
  member("signals", name)["value"] = std::move(value);
}

void Specification::set_data(std::string_view name, Json rows) {
  member("data", name)["values"] = std::move(rows);
}

void Specification::set_axis(const std::string& name, const Axis& axis) {
  set_signal(name + "_title", axis.label);
  set_signal(name + "_quantity", quantity_name(axis));
  set_signal(name + "_log", axis.log);
  set_signal(name + "_domain", {axis.low, axis.high});
  if (axis.log) member("scales", name).update({{"type", "log"}, {"base", axis.is_binary ? 2 : 10}});
  if (axis.ticks.empty()) return;
  Json values = Json::array(), labels = Json::array();
  for (const Tick& tick : axis.ticks) {
    values.push_back(tick.at);
    labels.push_back(tick.label);
  }
  set_signal(name + "_values", std::move(values));
  set_signal(name + "_labels", std::move(labels));
}

void Specification::set_colours(const std::vector<std::string>& colours) {
  set_signal("colours", {{"light", colours}, {"dark", colours}});
}

void Specification::set_legend(std::string_view name, Json values) {
  Json& legends = specification_["legends"];
  for (std::size_t i = 0; values.empty() && i < legends.size(); ++i)
    if (legends[i].at("stroke") == name) legends.erase(i--);
  set_signal(name, std::move(values));
}

Drawing Specification::take() const { return {compact_text(specification_)}; }

std::string specification_file(const Drawing& drawing, const std::vector<std::string>& provenance) {
  Json specification = Json::parse(drawing.specification);
  specification["usermeta"] = {{"provenance", provenance}};
  return compact_text(specification) + '\n';
}

std::string svg_program(const Drawing& drawing) {
  return fmt::format(
      "{}\nvega.estimateTextWidths();\nnew vega.View(vega.parse({}), {{renderer: 'none'}}).toSVG()"
      ".then((svg) => process.stdout.write(svg));\n",
      page_files::vega_js, drawing.specification);
}

}  // namespace tutti::reports
