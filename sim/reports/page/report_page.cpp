// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/page/report_page.hpp"

#include <initializer_list>

#include "sim/reports/page/page_data.hpp"
#include "sim/reports/plots/drawing.hpp"
#include "sim/reports/svg.hpp"
#include "sim/reports/tables/columns.hpp"
#include "sim/reports/wrap.hpp"

namespace tutti::reports {
namespace {

struct Filling {
  std::string_view mark;
  std::string text;
};

// Replaces each "{{mark}}" of the form. Inserted texts are not searched for marks.
std::string filled(std::string_view form, std::initializer_list<Filling> fillings) {
  std::string page;
  for (std::size_t at; (at = form.find("{{")) != std::string_view::npos;) {
    const auto end = form.find("}}", at);
    const auto mark = form.substr(at + 2, end - at - 2);
    page += form.substr(0, at);
    for (const auto& filling : fillings)
      if (filling.mark == mark) page += filling.text;
    form.remove_prefix(end + 2);
  }
  page += form;
  return page;
}

// ASCII text without '<', so that it cannot end the surrounding script element.
std::string script_text(const Json& data) {
  const std::string json = data.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string text;
  text.reserve(json.size());
  for (const char c : json)
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

std::string page_title(const ResultFile& file) {
  if (!file.study.empty()) return clean_text(file.study);
  if (!file.about.empty()) return clean_text(file.about.front());
  return clean_text(std::filesystem::path(file.path).filename().string());
}

std::optional<Error> add_plot(const ResultFile& file, const PlotSpec& spec, Json& data) {
  const auto request = TUTTI_TRY(request_in(file.table, spec));
  const auto grid = grid_of(file, request);
  if (!grid) return grid.error();
  if (spec.winner) {
    const auto winner = winner_picture(*grid, spec.title);
    if (!winner) return winner.error();
    data["winners"].push_back(Json::parse(draw(*winner).specification));
    return std::nullopt;
  }
  const auto lines = lines_picture(*grid, spec.title, spec.log);
  if (!lines) return lines.error();
  data["lines"].push_back(Json::parse(draw(*lines).specification));
  return std::nullopt;
}

// Adds a map of winners and lines of all columns that vary, in at most `most_panels` panels. The
// map is omitted without a message if it cannot be drawn, for example with a single series.
std::optional<Error> add_usual_plots(const ResultFile& file, Json& data) {
  const auto grid = grid_of(file, {});
  if (!grid) return grid.error();
  if (const auto winner = winner_picture(*grid, ""))
    data["winners"].push_back(Json::parse(draw(*winner).specification));
  const Grid shown = with_fewer_facets(*grid, most_panels);
  auto lines = lines_picture(shown, "", std::nullopt);
  if (!lines) return lines.error();
  if (shown.facets.size() < grid->facets.size())
    lines->notes.push_back(
        fmt::format("{} of {} panels", shown.facets.size(), grid->facets.size()));
  data["lines"].push_back(Json::parse(draw(*lines).specification));
  return std::nullopt;
}

// Adds the plots that the report specifies, or the reasons why they cannot be drawn.
void add_specs(const ResultFile& file, Json& data) {
  std::string omitted;
  for (const PlotWords& words : file.plots) {
    const auto spec = plot_spec(words);
    const auto error = spec ? add_plot(file, *spec, data) : spec.error();
    if (error) omitted += (omitted.empty() ? "Plots omitted: " : "; ") + clean_text(error->message);
  }
  if (!omitted.empty()) data["no_plots"] = omitted;
}

// Sentences about the best series. Empty for a report with further tables, whose own sentences are
// the answer.
Json answers_json(const ResultFile& file) {
  Json all = Json::array();
  if (!file.tables.empty()) return all;
  if (const auto grid = grid_of(file, {}))
    for (const auto& sentence : answers(*grid)) all.push_back(sentence);
  return all;
}

std::string summary_of(const ResultFile& file, const Json& data) {
  const std::size_t failed = data["failed"].size();
  return fmt::format("{}{}{}", counted(data["points"]["rows"].size(), "point"),
                     failed > 0 ? fmt::format(", {} failed", failed) : "",
                     file.path.empty() ? "" : ", from " + clean_text(file.path));
}

// Uses micro signs in all texts.
void use_micro_sign(Json& json) {
  if (json.is_structured())
    for (auto& member : json) use_micro_sign(member);
  if (json.is_string()) json = with_micro_signs(json.get<std::string>());
}

Result<Json> part_of(const ReportPart& part) {
  const ResultFile& file = part.file;
  Json data = {{"title", page_title(file)},     {"about", Json::array()},
               {"answers", answers_json(file)}, {"tables", tables_json(file)},
               {"points", points_json(file)},   {"failed", failed_json(file)},
               {"cost", cost_json(file)},       {"constants", constants_json(file)},
               {"provenance", file.provenance}, {"studies", studies_json(file)},
               {"winners", Json::array()},      {"lines", Json::array()},
               {"timelines", Json::array()}};
  for (const auto& timeline : part.timelines) data["timelines"].push_back(timeline_json(timeline));
  for (std::size_t i = 1; i < file.about.size(); ++i)
    data["about"].push_back(clean_text(file.about[i]));
  data["summary"] = summary_of(file, data);
  for (const PlotSpec& spec : part.plots)
    if (auto error = add_plot(file, spec, data)) return *std::move(error);
  if (!part.plots.empty()) return data;
  if (!file.plots.empty()) {
    add_specs(file, data);
  } else if (file.tables.empty() && find_column(file.table, "time_s")) {
    if (const auto error = add_usual_plots(file, data))
      data["no_plots"] = "No plot: " + clean_text(error->message);
  }
  return data;
}

std::string page_title(const Json& parts) {
  const auto first = parts[0]["title"].get<std::string>();
  return parts.size() == 1 ? first : fmt::format("{}, and {} more", first, parts.size() - 1);
}

}  // namespace

Result<std::string> report_page(const std::vector<ReportPart>& parts) {
  Json all = Json::array();
  for (const ReportPart& part : parts) {
    all.push_back(TUTTI_TRY(part_of(part)));
    for (const char* member :
         {"about", "answers", "cost", "tables", "winners", "lines", "timelines"})
      use_micro_sign(all.back()[member]);
  }
  using namespace page_files;
  std::string script;
  for (const auto file : {basics_js, plots_js, timeline_js, table_js, tree_js, facts_js, parts_js})
    script += file;
  return filled(page_html, {{"title", html_escaped(page_title(all))},
                            {"style", std::string(page_css)},
                            {"licence", html_escaped(vega_licence)},
                            {"library", std::string(vega_js)},
                            {"data", script_text({{"parts", std::move(all)}})},
                            {"script", script}});
}

// The page shows the data of the JSON report. The first table of the file is the points, which come
// last on the page, so move the table that text reports print only on request to the front.
Result<std::string> document_page(Document document, std::vector<TimelinePicture> timelines) {
  std::erase_if(document.tables, [](const DocumentTable& table) {
    return table.only_on_request && table.table.rows.empty();
  });
  std::ranges::stable_partition(document.tables, &DocumentTable::only_on_request);
  auto file = TUTTI_TRY(read_result_text(render_document(document, Format::json), ""));
  return report_page({{.file = std::move(file), .timelines = std::move(timelines)}});
}

}  // namespace tutti::reports
