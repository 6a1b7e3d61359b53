// SPDX-License-Identifier: BSD-3-Clause
#include "sim/tune/report/reports.hpp"

namespace tutti::reports {
namespace {

using studies::tuning::HintEffect;

struct HintTime {
  std::string hints;  // "before", "after"; "in the log"
  std::optional<Seconds> time_s;
  std::optional<double> factor;
  std::optional<double> error = {};
};

DocumentTable times_table(const HintReport& report) {
  std::vector<HintTime> times{{"before", report.before_s, 1.0, report.before_error},
                              {"after", report.after_s, report.factor(), report.after_error}};
  if (report.logged_s) times.push_back({"in the log", report.logged_s, std::nullopt});
  TableOf table(times, {.title = "Time with the hints before and after"});
  table.add("hints", {"Hints"}, &HintTime::hints);
  table.add("time_s", {"Time (ms)", Shown::ms}, &HintTime::time_s);
  table.add("factor", {"Times faster", Shown::decimals}, &HintTime::factor);
  if (report.before_error + report.after_error > 0)
    table.add("sampling_error", {"Sampling error (%)", Shown::percent, 1}, &HintTime::error);
  return table.take();
}

std::string effect_word(const HintEffect& effect) {
  if (effect.is_unknown()) return "unknown";
  if (effect.is_changed) return effect.matters ? "matters" : "small";
  if (!effect.applies) return "not used";
  return effect.is_sensitive ? "keep" : "none";
}

DocumentTable hint_effects_table(const HintReport& report) {
  TableOf table(
      report.effects,
      {.title = "Which hints matter",
       .notes = {
           "default: the hint is not set; If set back: change of the time if only this "
           "hint has its value before again",
           "matters: that is more than 1 %, or than the sampling errors of both times; small: less",
           "keep: not changed, other values take longer; none: no other value changes the time by "
           "more; not used: the other hints leave it without effect; unknown: simulations with its "
           "other values failed"}});
  table.add("hint", {"Hint"}, &HintEffect::name);
  table.add("before", {"Before"}, &HintEffect::before);
  table.add("after", {"After"}, &HintEffect::after);
  table.add("changed", &HintEffect::is_changed);
  table.add("set_back", {"If set back (%)", Shown::signed_percent}, &HintEffect::set_back);
  table.add("worst", &HintEffect::worst);
  table.add("limit", &HintEffect::limit);
  table.add("effect", {"Effect"}, effect_word);
  return table.take();
}

// A table of the report of `sim tune`.
DocumentTable take_table(const HintReport& report, std::string_view name) {
  TuneReport whole;
  static_cast<studies::tuning::TuneFindings&>(whole) = report;
  auto tables = tune_document(whole).tables;
  auto table = std::ranges::find(tables, name, &DocumentTable::name);
  table->only_on_request = true;
  return std::move(*table);
}

constexpr Part<HintReport> hint_parts[] = {
    {"times", times_table},
    {"hints", hint_effects_table},
    {"searches", [](auto& report) { return take_table(report, "searches"); }},
    {"values", [](auto& report) { return take_table(report, "values"); }},
    {"evaluations", [](auto& report) { return take_table(report, "evaluations"); }}};

}  // namespace

Document hint_document(const HintReport& report) {
  Document document{report, "sim.tune.hints/1"};
  document.about = {fmt::format("Hints: {}", report.job)};
  std::vector<std::string_view> methods;
  for (const auto& search : report.searches) methods.push_back(search.name());
  document.about.push_back(
      fmt::format("{} of {}, {} evaluated ({}) by {}", counted(report.space.count(), "combination"),
                  counted(report.space.dimensions(), "hint"), report.evaluated,
                  fmt::join(methods, ", "), counted(report.simulations, "simulation")));
  add_failures(report, document);
  for (const auto& remark : report.remarks) document.about.push_back(remark);
  for (const auto& line : report.advice) document.about.push_back(line);
  document.tables = tables_of(hint_parts, report);
  return document;
}

std::vector<std::string> hint_document_parts() { return names_of(hint_parts); }

}  // namespace tutti::reports
