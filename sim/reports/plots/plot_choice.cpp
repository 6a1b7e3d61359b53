// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/plots/plot_choice.hpp"

#include "sim/base/text_file.hpp"

namespace tutti::reports {
namespace {

// Wider grids of panels are hard to read.
constexpr std::size_t most_columns = 6;

std::optional<LinesPicture> picture_of(const ResultFile& file, const PlotWords& words) {
  const auto spec = plot_spec(words);
  if (!spec) return std::nullopt;
  const auto request = request_in(file.table, *spec);
  if (!request) return std::nullopt;
  const auto grid = grid_of(file, *request);
  if (!grid) return std::nullopt;
  auto picture = lines_picture(*grid, spec->title, spec->log);
  return picture ? std::optional(*std::move(picture)) : std::nullopt;
}

bool is_drawable(const ResultFile& file, const PlotWords& words) {
  return picture_of(file, words).has_value();
}

bool fits(const ResultFile& file, const PlotWords& words) {
  const auto picture = picture_of(file, words);
  return picture && picture->columns.size() <= most_columns;
}

std::string word_in(const PlotWords& words, std::string_view name) {
  const auto entry = std::ranges::find(words, name, &PlotWords::value_type::first);
  return entry == words.end() ? std::string() : entry->second;
}

void set_word(PlotWords& words, const std::string& name, const std::string& word) {
  std::erase_if(words, [&](const auto& entry) { return entry.first == name; });
  if (!word.empty()) words.emplace_back(name, word);
}

// The words that plots to be merged have in common: all but those that select rows.
PlotWords without_selection(PlotWords words) {
  set_word(words, "only", "");
  set_word(words, "title", "");
  return words;
}

// The columns that select the rows of a plot become facets.
PlotWords merged(const PlotWords& first, bool is_title_common) {
  PlotWords words = first;
  std::string facet = word_in(first, "facet");
  const std::string only = word_in(first, "only");
  for (const auto part : split(only, ','))
    facet += (facet.empty() ? "" : ",") + std::string(part.substr(0, part.find('=')));
  set_word(words, "only", "");
  set_word(words, "facet", facet);
  if (!is_title_common) set_word(words, "title", "");
  return words;
}

// "collective = 'bcast' and procs = 32" of "collective=bcast,procs=32", without what `drawn` has.
std::string condition_of(const std::string& only, const std::string& drawn) {
  const auto same = split(drawn, ',');
  std::string condition;
  for (const auto part : split(only, ',')) {
    if (std::ranges::find(same, part) != same.end()) continue;
    const auto name = part.substr(0, part.find('=')), value = part.substr(name.size() + 1);
    const bool is_number = value.find_first_not_of("0123456789.") == std::string_view::npos;
    condition += fmt::format(fmt::runtime(is_number ? "{}{} = {}" : "{}{} = '{}'"),
                             condition.empty() ? "" : " and ", name, value);
  }
  return condition;
}

// The options that select a plot, for example --where "collective = 'bcast'".
std::string selection_of(const PlotWords& words, const PlotWords& drawn) {
  const auto only = word_in(words, "only");
  if (without_selection(words) == without_selection(drawn) && !only.empty())
    return fmt::format("--where \"{}\"", condition_of(only, word_in(drawn, "only")));
  std::string options;
  for (const auto& [name, word] : words) {
    if (name == "title" || name == "only" || word == word_in(drawn, name)) continue;
    options += fmt::format("{}--{} {}", options.empty() ? "" : " ", name, word);
  }
  return fmt::format("{} ({})", options, word_in(words, "title"));
}

}  // namespace

PlotWords first_drawable(const Table& points, const std::vector<PlotWords>& plots) {
  ResultFile file;
  file.table = points;
  for (const auto& words : plots)
    if (is_drawable(file, words)) return words;
  return plots.front();
}

std::vector<PlotWords> with_fit_plot(const Table& points, const char* title,
                                     std::vector<PlotWords> plots) {
  ResultFile file;
  file.table = points;
  PlotWords words{{"kind", "fit"}, {"title", title}};
  if (is_drawable(file, words)) plots.insert(plots.begin(), std::move(words));
  return plots;
}

PlotChoice choose_plot(const ResultFile& file) {
  std::vector<PlotWords> drawable;
  for (const auto& words : file.plots)
    if (is_drawable(file, words)) drawable.push_back(words);
  if (drawable.empty()) return {file.plots.front(), {}};
  PlotChoice choice{drawable.front(), {}};
  const auto common = without_selection(choice.words);
  const auto is_alike = [&](const PlotWords& words) { return without_selection(words) == common; };
  const bool is_title_common = std::ranges::all_of(drawable, [&](const PlotWords& words) {
    return !is_alike(words) || word_in(words, "title") == word_in(choice.words, "title");
  });
  const auto whole = merged(choice.words, is_title_common);
  if (std::ranges::count_if(drawable, is_alike) > 1 && fits(file, whole)) {
    std::erase_if(drawable, is_alike);
    choice.words = whole;
  } else {
    drawable.erase(drawable.begin());
  }
  for (const auto& words : drawable) choice.others.push_back(selection_of(words, choice.words));
  return choice;
}

std::string title_of_fit(const ResultFile& file) {
  for (const auto& words : file.plots)
    if (word_in(words, "kind") == "fit") return word_in(words, "title");
  return {};
}

}  // namespace tutti::reports
