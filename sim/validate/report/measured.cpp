// SPDX-License-Identifier: BSD-3-Clause
#include "sim/fit/accuracy.hpp"
#include "sim/reports/plots/plot_choice.hpp"
#include "sim/validate/error_cause.hpp"
#include "sim/validate/report/measured.help.hpp"
#include "sim/validate/report/reports.hpp"

namespace tutti::reports {
namespace {

using studies::Score;
using studies::ScoredTime;

constexpr std::string_view all_collectives = "all";

// A prediction method that is scored.
struct PredictionMethod {
  const char* name;
  std::optional<Seconds> (*prediction)(const ScoredTime& time);
};
constexpr PredictionMethod methods[] = {
    {"simulation",
     [](const ScoredTime& time) -> std::optional<Seconds> { return time.predicted.simulated_s; }},
    {"each rank alone", [](const ScoredTime& time) { return time.predicted.alone_s; }},
    {"NICs only", [](const ScoredTime& time) { return time.predicted.uncontended_s; }},
    {"LogGP", [](const ScoredTime& time) { return time.predicted.loggp_s; }},
    {"Hockney", [](const ScoredTime& time) { return time.predicted.hockney_s; }},
    {"LogGP, fitted", [](const ScoredTime& time) { return time.predicted.loggp_fitted_s; }},
    {"Hockney, fitted", [](const ScoredTime& time) { return time.predicted.hockney_fitted_s; }},
};

std::map<std::string, std::vector<ScoredTime>> by_collective(const std::vector<ScoredTime>& times) {
  std::map<std::string, std::vector<ScoredTime>> collectives;
  for (const auto& time : times) collectives[time.measured.collective].push_back(time);
  return collectives;
}

// The score of a collective or of a method.
struct NamedScore {
  std::string name;
  Score score;

  Cell if_predicted(double error) const { return score.rows > 0 ? Cell{error} : Cell{}; }
  Cell correct_fraction() const { return ratio_cell(score.right_pairs, score.pairs); }
  Cell best_fraction() const { return ratio_cell(score.best_found, score.settings); }
  Cell covered_fraction() const {
    return ratio_cell(static_cast<std::int64_t>(score.covered),
                      static_cast<std::int64_t>(score.intervals));
  }
  Cell if_chose(double regret) const { return score.settings > 0 ? Cell{regret} : Cell{}; }
};

DocumentTable scores_table(const std::vector<NamedScore>& scores, const char* name,
                           const char* head, DocumentTable about) {
  TableOf table(scores, std::move(about));
  table.add(name, {head}, &NamedScore::name);
  table.add("rows", {"Rows"}, [](auto& of) { return of.score.rows; });
  table.add("median_error", {"Median (%)", Shown::percent},
            [](auto& of) { return of.if_predicted(of.score.median_error); });
  table.add("p90_error", {"90th (%)", Shown::percent},
            [](auto& of) { return of.if_predicted(of.score.p90_error); });
  table.add("pairs", {"Pairs", Shown::plain, 1}, [](auto& of) { return of.score.pairs; });
  table.add("correct_fraction", {"Correct (%)", Shown::percent}, &NamedScore::correct_fraction);
  table.add("settings", [](auto& of) { return of.score.settings; });
  table.add("best_fraction", {"Best (%)", Shown::percent, 2}, &NamedScore::best_fraction);
  table.add("mean_regret", {"Regret (%)", Shown::percent},
            [](auto& of) { return of.if_chose(of.score.mean_regret); });
  table.add("largest_regret", {"Max (%)", Shown::percent, 1},
            [](auto& of) { return of.if_chose(of.score.largest_regret); });
  table.add("covered_fraction", {"9 of 10 (%)", Shown::percent}, &NamedScore::covered_fraction);
  return table.take();
}

// The data of all tables.
struct Scored {
  const MeasuredReport& report;
  const std::vector<ScoredTime>& times = report.times;
  studies::FoundSimilar similar = studies::find_similar(report.times, report.others);
};

DocumentTable collectives_table(const Scored& scored) {
  std::vector<NamedScore> scores;
  for (const auto& [name, of] : by_collective(scored.times))
    scores.push_back({name, studies::compute_score(of)});
  if (scores.size() > 1)
    scores.push_back({std::string(all_collectives), studies::compute_score(scored.times)});
  return scores_table(
      scores, "collective", "Collective",
      {.title = "Accuracy of the simulation", .notes = {std::string(texts::measured["scores"])}});
}

std::vector<ScoredTime> without(const std::vector<ScoredTime>& times,
                                const std::vector<bool>& rows) {
  std::vector<ScoredTime> others;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (!rows[i]) others.push_back(times[i]);
  return others;
}

// The parameters of the fitted formulas.
std::string fitted_text(const std::optional<studies::ModelParameters>& fitted) {
  if (!fitted) return "";
  const auto& [hockney, loggp] = *fitted;
  return fmt::format(
      "Fitted to these times, on whose errors they are scored: LogGP with L {}, o {}, g {}, 1/G "
      "{}; Hockney with l {}, b {}",
      format_seconds(loggp.L_s), format_seconds(loggp.o_s), format_seconds(loggp.g_s(1)),
      format_rate(1 / loggp.G_s_per_B), format_seconds(hockney.l_s), format_rate(hockney.b_Bps));
}

// Compares the choices of the library and of the simulation in the same calls.
std::string default_text(const std::vector<ScoredTime>& times, const Score& library) {
  if (library.settings == 0) return "";
  return fmt::format(
      "library's choice: what the MPI library chooses by itself, in the {} in which that was "
      "measured; the regret of the simulation in these is {:.1f} %",
      counted(library.settings, "call"), 100 * studies::compute_score(times).mean_regret);
}

DocumentTable methods_table(const Scored& scored) {
  const auto& similar = scored.similar;
  std::vector<NamedScore> scores;
  for (const auto& method : methods)
    scores.push_back({method.name, studies::compute_score(scored.times, method.prediction)});
  const auto rest = without(scored.times, similar.rows);
  if (!similar.all.empty() && !rest.empty())
    scores.push_back({"without similar", studies::compute_score(rest)});
  const auto with_default = studies::with_default(scored.times, scored.report.others);
  const Score library = studies::score_defaults(with_default);
  if (library.settings > 0) scores.push_back({"library's choice", library});
  auto table = scores_table(scores, "method", "Method",
                            {.title = "Compared with other predictions",
                             .notes = {std::string(texts::measured["methods"])}});
  for (auto& note : {fitted_text(scored.report.fitted), default_text(with_default, library)})
    if (!note.empty()) table.notes.push_back(note);
  return table;
}

DocumentTable similar_table(const Scored& scored) {
  using Similar = studies::SimilarTimes;
  TableOf table(scored.similar.all, {.title = "Measured times that match another algorithm",
                                     .notes = {std::string(texts::measured["similar"])},
                                     .only_on_request = scored.similar.all.empty()});
  table.add("collective", {"Collective"}, [](auto& row) { return row.first.collective; });
  table.add("measured_as", {"Algorithm", Shown::name},
            [](auto& row) { return row.first.measured_as; });
  table.add("other", {"Similar to", Shown::name}, &Similar::other);
  table.add("procs", {"Procs"}, [](auto& row) { return row.first.procs; });
  table.add("ppn", [](auto& row) { return row.first.ppn; });
  table.add("run", [](auto& row) { return row.first.run; });
  table.add("sizes", {"Sizes"}, &Similar::sizes);
  table.add("smallest_bytes", {"From", Shown::bytes},
            [](auto& row) { return row.first.message_bytes; });
  table.add("largest_bytes", {"To", Shown::bytes}, &Similar::largest);
  table.add("predicted_over_measured", {"x", Shown::decimals}, &Similar::simulated_over_measured);
  return table.take();
}

double simulated_over_measured(const ScoredTime& time) {
  return time.predicted.simulated_s / time.measured.time_s;
}

// A time with the cause of its error.
struct ExplainedTime : ScoredTime {
  std::string cause;
};

// `Time` is ScoredTime or ExplainedTime.
template <class Time>
DocumentTable scored_times_table(const std::vector<Time>& times, DocumentTable head) {
  TableOf table(times, std::move(head));
  table.add("collective", {"Collective"}, [](auto& of) { return of.measured.collective; });
  table.add("algorithm", [](auto& of) { return of.measured.algorithm; });
  table.add("measured_as", {"Algorithm", Shown::name},
            [](auto& of) { return of.measured.measured_as; });
  table.add("procs", {"Procs"}, [](auto& of) { return of.measured.procs; });
  table.add("ppn", {"PPN", Shown::plain, 1}, [](auto& of) { return of.measured.ppn; });
  table.add("message_bytes", {"Size", Shown::bytes},
            [](auto& of) { return of.measured.message_bytes; });
  table.add("measured_s", {"Measured (us)", Shown::us},
            [](auto& of) { return of.measured.time_s; });
  table.add("time_s", {"Simulated (us)", Shown::us},
            [](auto& of) { return of.predicted.simulated_s; });
  table.add("relative_error", {"Error (%)", Shown::signed_percent}, &ScoredTime::error);
  if constexpr (std::is_same_v<Time, ExplainedTime>)
    table.add("cause", {"Cause"}, &ExplainedTime::cause);
  table.add("predicted_over_measured", simulated_over_measured);
  table.add("alone_s", [](auto& of) { return of.predicted.alone_s; });
  table.add("uncontended_s", [](auto& of) { return of.predicted.uncontended_s; });
  table.add("loggp_s", [](auto& of) { return of.predicted.loggp_s; });
  table.add("hockney_s", [](auto& of) { return of.predicted.hockney_s; });
  table.add("loggp_fitted_s", [](auto& of) { return of.predicted.loggp_fitted_s; });
  table.add("hockney_fitted_s", [](auto& of) { return of.predicted.hockney_fitted_s; });
  table.add("benchmark", [](auto& of) {
    return of.measured.harness != nullptr ? cell_of(of.measured.harness->name) : Cell{};
  });
  table.add("run", [](auto& of) { return of.measured.run; });
  return table.take();
}

DocumentTable measured_points_table(const Scored& scored) {
  return scored_times_table(scored.times,
                            {.title = "Measured and predicted times", .only_on_request = true});
}

DocumentTable largest_errors_table(const Scored& scored) {
  constexpr std::size_t shown = 10;
  const auto& times = scored.times;
  std::vector<std::size_t> worst(times.size());
  std::iota(worst.begin(), worst.end(), 0);
  std::ranges::stable_sort(worst, std::ranges::greater{},
                           [&](std::size_t i) { return std::abs(times[i].error()); });
  worst.resize(std::min(shown, worst.size()));
  std::vector<ExplainedTime> explained;
  for (const std::size_t i : worst)
    explained.push_back({times[i], studies::error_cause(times, scored.similar, i)});
  return scored_times_table(
      explained, {.title = "Largest errors", .notes = {std::string(texts::measured["worst"])}});
}

DocumentTable accuracy_table(const Scored& scored) {
  using Parameter = studies::AccuracyParameter;
  std::vector<studies::ComparedTime> compared;
  for (const auto& time : scored.times)
    compared.push_back(studies::compared_time(time.measured, simulated_over_measured(time)));
  TableOf table(studies::accuracy_parameters({compared}),
                {.title = "Accuracy keys for the platform file, used by --confidence",
                 .notes = {std::string(texts::measured["accuracy"])},
                 .only_on_request = true});
  table.add("key", {"Key"}, &Parameter::key);
  table.add("value", {"Value", Shown::name}, &Parameter::value);
  table.add("rows", {"Rows"}, &Parameter::rows);
  return table.take();
}

constexpr Part<Scored> measured_parts[] = {
    {"scores", collectives_table},
    {"methods", methods_table},
    {"similar", similar_table},
    {"worst", largest_errors_table},
    {"accuracy", accuracy_table},
    {.name = "points", .table = measured_points_table, .is_first = true}};

// Times of two calls may be equal to the printed digit; these calls need curves of their own.
PlotWords times_plot(const char* series, const char* facet) {
  return {{"x", "measured_s"}, {"y", "predicted_over_measured"},
          {"series", series},  {"facet", facet},
          {"log", "xy"},       {"title", "Predicted over measured time"}};
}

}  // namespace

Document measured_document(const MeasuredReport& report) {
  const Score score = studies::compute_score(report.times);
  Document document{report, "sim.validate.measured/1"};
  document.about = {
      fmt::format(
          "Simulated times of {} against {}: median error {:.1f} %, 90th percentile {:.1f} %",
          report.provenance.platform_name(), counted(report.times.size(), "measured time"),
          100 * score.median_error, 100 * score.p90_error),
      report.benchmark.empty() ? "each row is simulated as a bare call; --benchmark simulates the "
                                 "measurement by a benchmark"
                               : fmt::format("simulated as measured by {}", report.benchmark)};
  document.tables = tables_of(measured_parts, Scored{report});
  const Table& points = document.tables.front().table;
  document.plots = with_fit_plot(
      points, "Measured and simulated times",
      {first_drawable(
          points,
          {times_plot("algorithm", "collective"), times_plot("measured_as", "collective"),
           times_plot("algorithm", "collective,procs"), times_plot("algorithm,procs", "collective"),
           times_plot("algorithm", "collective,message_bytes"),
           times_plot("algorithm", "collective,procs,ppn,message_bytes")})});
  return document;
}

std::vector<std::string> measured_document_parts() { return names_of(measured_parts); }

}  // namespace tutti::reports
