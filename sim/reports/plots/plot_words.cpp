// SPDX-License-Identifier: BSD-3-Clause
#include "sim/reports/plots/plot_words.hpp"

#include "sim/base/text_file.hpp"
#include "sim/reports/tables/columns.hpp"

namespace tutti::reports {
namespace {

using Names = std::vector<std::string>;

Names list_of(const std::string& text) {
  Names items;
  for (const auto part : split(text, ','))
    if (const auto item = trim(part); !item.empty()) items.emplace_back(item);
  return items;
}

std::optional<Error> check_choice(const std::string& name, const std::string& word,
                                  const Names& choices) {
  if (std::find(choices.begin(), choices.end(), word) != choices.end()) return std::nullopt;
  return usage_error(
      "--" + name, fmt::format("unknown {} {}", name, in_quotes(word)),
      did_you_mean(word, choices, fmt::format("expected one of: {}", fmt::join(choices, ", "))));
}

std::optional<Error> take(const std::string& name, const std::string& word, PlotSpec& spec) {
  if (name == "x") spec.request.x = word;
  if (name == "y") spec.request.y = word;
  if (name == "series") spec.request.series = list_of(word);
  if (name == "facet") spec.request.facet = list_of(word);
  if (name == "facet_rows") spec.request.facet_rows = list_of(word);
  if (name == "relative") spec.request.relative = word;
  if (name == "title") spec.title = word;
  if (name == "only")
    for (const auto& condition : list_of(word))
      spec.request.only.emplace_back(
          condition.substr(0, condition.find('=')),
          condition.substr(std::min(condition.size(), condition.find('=') + 1)));
  if (name == "kind") {
    if (auto error = check_choice(name, word, {"lines", "winner", "fit"})) return error;
    spec.winner = word == "winner";
    spec.is_fit = word == "fit";
  }
  if (name == "log") {
    if (auto error = check_choice(name, word, {"x", "y", "xy", "none"})) return error;
    spec.log = LogAxes{word.find('x') != std::string::npos, word.find('y') != std::string::npos};
  }
  return std::nullopt;
}

}  // namespace

Result<PlotSpec> plot_spec(const PlotWords& words) {
  const Names names{"x",        "y",   "series", "facet", "facet_rows",
                    "relative", "log", "kind",   "title", "only"};
  PlotSpec spec;
  for (const auto& [name, word] : words) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      return usage_error("", fmt::format("unknown plot option {}", in_quotes(name)),
                         did_you_mean(name, names));
    if (auto error = take(name, word, spec)) return *std::move(error);
  }
  if (spec.winner && (spec.log || spec.request.relative))
    return usage_error(spec.log ? "--log" : "--relative", "does not apply to --kind winner",
                       "omit it, or use --kind lines");
  if (spec.is_fit && spec.request.relative)
    return usage_error("--relative", "does not apply to --kind fit",
                       "omit it, or use --kind lines");
  return spec;
}

Result<PlotRequest> request_in(const Table& table, const PlotSpec& spec) {
  if (!spec.is_fit) return spec.request;
  using Pair = std::pair<const char*, const char*>;  // measured, fitted
  constexpr auto pairs = std::to_array<Pair>({{"measured_s", "fitted_s"},
                                              {"measured_s", "predicted_s"},
                                              {"measured_s", "time_s"},
                                              {"time_s", "predicted_s"}});
  for (const auto& [measured, fitted] : pairs) {
    if (!find_column(table, measured) || !find_column(table, fitted)) continue;
    PlotRequest request = spec.request;
    request.marks = measured;
    request.y = fitted;
    return request;
  }
  return usage_error("--kind", "fit requires columns of measured and fitted times",
                     "--kind fit draws reports of `sim fit` and `sim validate measured`, for "
                     "example of `sim fit platform ... --report fit.json`");
}

}  // namespace tutti::reports
