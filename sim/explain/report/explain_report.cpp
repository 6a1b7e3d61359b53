// SPDX-License-Identifier: BSD-3-Clause
#include "sim/explain/report/reports.hpp"
#include "sim/reports/critical_path.hpp"

namespace tutti::reports {
namespace {

using studies::explain::Choice;

DocumentTable points_table(const ExplainReport& report) {
  const auto& record = [](const studies::explain::Comparison& comparison) -> const jobs::Record& {
    return comparison.from.answer.record;
  };
  TableOf table(report.points,
                {.title = fmt::format("Time of {} by the rules {} and {}, in us", report.collective,
                                      report.rules.from, report.rules.to)});
  table.add("procs", {"Procs"}, [&](auto& row) { return record(row).procs; });
  table.add("ppn", {"PPN"}, [&](auto& row) { return record(row).ppn; });
  table.add("root", [&](auto& row) { return record(row).root; });
  table.add("message_bytes", {"Size (B)"}, [&](auto& row) { return record(row).message_bytes; });
  table.add("from_s", {report.rules.from, Shown::us},
            [](auto& row) { return row.from.answer.record.time_s; });
  table.add("to_s", {report.rules.to, Shown::us},
            [](auto& row) { return row.to.answer.record.time_s; });
  table.add("ratio", {"Ratio", Shown::decimals}, [](auto& row) { return row.ratio(); });
  table.add("from_algorithm", {report.rules.from, Shown::below},
            [](auto& row) { return row.from.algorithm; });
  table.add("from_component", {"by", Shown::below}, [](auto& row) { return row.from.component; });
  table.add("from_why", {"since", Shown::below}, [](auto& row) { return row.from.why; });
  table.add("to_algorithm", {report.rules.to, Shown::below},
            [](auto& row) { return row.to.algorithm; });
  table.add("to_component", {"by", Shown::below}, [](auto& row) { return row.to.component; });
  table.add("to_why", {"since", Shown::below}, [](auto& row) { return row.to.why; });
  return table.take();
}

// Where the time of the rank that finishes last goes, by both rules.
struct PathRow {
  std::string point;
  std::string part;
  Seconds from_s = 0;
  Seconds to_s = 0;
};

std::vector<PathRow> path_rows(const ExplainReport& report) {
  std::vector<PathRow> rows;
  for (const studies::explain::Comparison& comparison : report.points) {
    const auto find_path = [&](const Choice& choice) {
      return shares_of(
          critical_path_of({choice.answer.inside, choice.answer.host_of}, *report.machine));
    };
    const PathShares from = find_path(comparison.from);
    const PathShares to = find_path(comparison.to);
    const auto& record = comparison.from.answer.record;
    const auto point =
        fmt::format("{} processes, {}", record.procs, format_bytes(record.message_bytes));
    const auto add = [&](std::string_view part, Seconds from_s, Seconds to_s) {
      if (from_s > 0 || to_s > 0) rows.push_back({point, std::string(part), from_s, to_s});
    };
    for (std::size_t i = 0; i < from.work.size(); ++i) add(work_words[i], from.work[i], to.work[i]);
    for (std::size_t i = 0; i < from.transit.size(); ++i)
      add(transit_words[i], from.transit[i], to.transit[i]);
  }
  return rows;
}

DocumentTable path_table(const ExplainReport& report) {
  TableOf table(path_rows(report), {.title = "Critical path, in us"});
  table.group("point", &PathRow::point);
  table.add("part", {"Part of the path"}, &PathRow::part);
  table.add("from_s", {report.rules.from, Shown::us}, &PathRow::from_s);
  table.add("to_s", {report.rules.to, Shown::us}, &PathRow::to_s);
  return table.take();
}

// What NCCL predicts for an algorithm with each protocol; unset: it does not consider the pair.
struct PredictionRow {
  std::string point;
  std::string_view algorithm;
  std::array<std::optional<Seconds>, algorithms::selection::nccl_protocol_count> times_s;
  std::string chosen;
  std::string why_not;
};

// Whether the algorithm has other protocols than Simple.
bool has_protocols(algorithms::selection::NcclAlgorithm algorithm) {
  using enum algorithms::selection::NcclAlgorithm;
  return algorithm == tree || algorithm == ring;
}

std::vector<PredictionRow> prediction_rows(const ExplainReport& report) {
  constexpr auto simple = algorithms::selection::NcclProtocol::simple;
  std::vector<PredictionRow> rows;
  for (const studies::explain::Comparison& comparison : report.points) {
    const Choice& choice = comparison.to.nccl ? comparison.to : comparison.from;
    if (!choice.nccl) continue;
    const auto& record = choice.answer.record;
    const auto point = fmt::format("{} GPUs, {}", record.procs, format_bytes(record.message_bytes));
    for (const auto& candidate : choice.nccl->candidates) {
      const auto name = nccl_name(candidate.algorithm);
      if (rows.empty() || rows.back().point != point || rows.back().algorithm != name)
        rows.push_back({point, name, {}, {}, {}});
      PredictionRow& row = rows.back();
      if (candidate.disabled.empty())
        row.times_s[static_cast<std::size_t>(candidate.protocol)] = candidate.time_s;
      else if (candidate.protocol == simple || has_protocols(candidate.algorithm))
        row.why_not = candidate.disabled;
      if (&candidate == &choice.nccl->choice())
        row.chosen = fmt::format("{}, {}", nccl_name(candidate.protocol),
                                 counted(choice.nccl->channels, "channel"));
    }
  }
  return rows;
}

DocumentTable predictions_table(const ExplainReport& report) {
  TableOf table(prediction_rows(report), {.title = "NCCL's predictions, in us"});
  table.group("point", &PredictionRow::point);
  table.add("algorithm", {"Algorithm"}, &PredictionRow::algorithm);
  table.add("ll_s", {"LL", Shown::us}, [](auto& row) { return row.times_s[0]; });
  table.add("ll128_s", {"LL128", Shown::us}, [](auto& row) { return row.times_s[1]; });
  table.add("simple_s", {"Simple", Shown::us}, [](auto& row) { return row.times_s[2]; });
  table.add("choice", {"Chosen"}, &PredictionRow::chosen);
  table.add("why", {"Why not"}, &PredictionRow::why_not);
  return table.take();
}

bool has_predictions(const ExplainReport& report) {
  return std::ranges::any_of(report.points,
                             [](const auto& point) { return point.from.nccl || point.to.nccl; });
}

constexpr Part<ExplainReport> explain_parts[] = {
    {"points", points_table},
    {"predictions", predictions_table, has_predictions},
    {"path", path_table, [](const ExplainReport& report) { return report.with_path; }}};

}  // namespace

Document explain_document(const ExplainReport& report) {
  Document document{report, "sim.explain/1"};
  document.about = {fmt::format("{} on {} by the decision rules of {} and {}", report.collective,
                                report.provenance.platform_name(), report.rules.from,
                                report.rules.to)};
  if (report.run.not_run > 0)
    document.about.push_back(
        fmt::format("Interrupted: {} simulations were not run", report.run.not_run));
  document.tables = tables_of(explain_parts, report);
  return document;
}

std::vector<std::string> explain_document_parts() { return names_of(explain_parts); }

}  // namespace tutti::reports
