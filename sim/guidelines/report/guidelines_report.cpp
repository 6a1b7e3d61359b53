// SPDX-License-Identifier: BSD-3-Clause
#include "sim/guidelines/measured.hpp"
#include "sim/guidelines/report/guidelines_report.help.hpp"
#include "sim/guidelines/report/reports.hpp"
#include "sim/reports/formats.hpp"

namespace tutti::reports {
namespace {

using algorithms::guidelines::Mockup;
using studies::guidelines::Comparison;
using studies::guidelines::Setting;
using studies::guidelines::Side;
using studies::guidelines::SizePair;
using Comparisons = std::vector<Comparison>;

// The algorithm of the default; empty for measured times, which do not contain it.
std::string default_name(const Setting& setting) {
  const auto* algorithm = setting.sides.front().point.call.algorithm;
  return algorithm == nullptr ? "" : std::string(algorithm->name);
}
// The algorithms inside a mock-up; for a measured one its name.
std::string inner_algorithms(const Comparison& of) {
  const auto& call = of.side->point.call;
  return call.algorithm == nullptr ? std::string(of.side->mockup->algorithm.name)
                                   : workloads::runs_as(call, of.setting->procs);
}

// Number of repetitions in a run.
std::int64_t repetition_count(const Side& side) { return std::ssize(side.latencies_s.front()); }

// The input of all tables.
struct Checked {
  const GuidelinesReport& report;
  Comparisons all = studies::guidelines::comparisons(report.settings, report.thresholds);
};

DocumentTable points_table(const Checked& checked) {
  TableOf table(checked.all, {.title = "Each collective compared with each of its mock-ups",
                              .notes = {std::string(texts::guidelines_report["points"])},
                              .only_on_request = true});
  table.group("collective", [](auto& of) { return of.setting->collective; });
  table.add("guideline", {"GL"}, [](auto& of) { return of.side->mockup->guideline; });
  table.add("mockup", [](auto& of) { return of.side->mockup->algorithm.name; });
  table.add("procs", {"Procs", Shown::plain, 2}, [](auto& of) { return of.setting->procs; });
  table.add("message_bytes", {"Size", Shown::bytes},
            [](auto& of) { return of.setting->message_bytes; });
  table.add("default_algorithm", {"Default"}, [](auto& of) { return default_name(*of.setting); });
  table.add("default_time_s", {"Default (us)", Shown::us}, &Comparison::default_s);
  table.add("default_repetitions",
            [](auto& of) { return repetition_count(of.setting->sides.front()); });
  table.add("runs_as", {"Mock-up"}, inner_algorithms);
  table.add("time_s", {"Mock-up (us)", Shown::us}, &Comparison::mockup_s);
  table.add("repetitions", {"Rep."}, [](auto& of) { return repetition_count(*of.side); });
  table.add("relative_latency", {"Relative", Shown::decimals}, &Comparison::relative);
  table.add("relative_latency_min", &Comparison::relative_min);
  table.add("relative_latency_max", &Comparison::relative_max);
  table.add("p", &Comparison::p);
  table.add("violated", &Comparison::violated);
  table.add("replaceable", &Comparison::replaceable);
  table.add("extra_message_bytes", [](auto& of) { return of.extra.message_bytes; });
  table.add("extra_int_bytes", [](auto& of) { return of.extra.int_bytes; });
  return table.take();
}

struct GuidelineSummary {
  const Mockup* mockup = nullptr;
  std::int64_t sizes = 0;
  std::int64_t violated = 0;
  std::int64_t replaceable = 0;
  const Comparison* worst = nullptr;  // with the lowest relative latency of the mock-up
};

std::vector<GuidelineSummary> summaries(const Comparisons& all) {
  std::vector<GuidelineSummary> summaries;
  for (const auto& comparison : all) {
    const Mockup* mockup = comparison.side->mockup;
    auto summary = std::ranges::find(summaries, mockup, &GuidelineSummary::mockup);
    if (summary == summaries.end()) summary = summaries.insert(summary, {.mockup = mockup});
    ++summary->sizes;
    summary->violated += comparison.violated;
    summary->replaceable += comparison.replaceable;
    if (summary->worst == nullptr || comparison.relative < summary->worst->relative)
      summary->worst = &comparison;
  }
  std::ranges::sort(summaries, {}, [](const GuidelineSummary& summary) {
    return std::ranges::find(algorithms::guidelines::all_mockups(), summary.mockup);
  });
  return summaries;
}

DocumentTable summary_table(const Checked& checked) {
  TableOf table(summaries(checked.all),
                {.title = "Violations by guideline",
                 .notes = {std::string(texts::guidelines_report["guidelines"])}});
  table.add("collective", [](auto& of) { return of.mockup->algorithm.collective; });
  table.add("guideline", {"GL"}, [](auto& of) { return of.mockup->guideline; });
  table.add("mockup", {"Mock-up"}, [](auto& of) { return of.mockup->algorithm.name; });
  table.add("sizes", {"N"}, &GuidelineSummary::sizes);
  table.add("violated", {"Viol."}, &GuidelineSummary::violated);
  table.add("replaceable", {"Repl."}, &GuidelineSummary::replaceable);
  table.add("least_relative_latency", {"Best", Shown::decimals},
            [](auto& of) { return of.worst->relative; });
  table.add("at_procs", [](auto& of) { return of.worst->setting->procs; });
  table.add("at_message_bytes", {"At", Shown::bytes},
            [](auto& of) { return of.worst->setting->message_bytes; });
  return table.take();
}

// "0.85", with the stars of the rank-sum test.
std::string relative_text(const Comparison& of) {
  std::string text = fmt::format("{:.2f}", of.relative);
  if (of.p && of.relative < 1) text += studies::guidelines::significance_stars(*of.p);
  return text;
}

// Appends a value unless it is already there.
template <class Value>
void add_once(std::vector<Value>& values, const Value& value) {
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

std::vector<const Mockup*> mockups_in(const std::string& collective, const Comparisons& all) {
  std::vector<const Mockup*> mockups;
  for (const auto& comparison : all)
    if (comparison.setting->collective == collective) add_once(mockups, comparison.side->mockup);
  return mockups;
}

// A setting, and the comparisons with its mock-ups.
struct Compared {
  const Setting* setting;
  std::vector<const Comparison*> sides;

  Cell relative_to(const Mockup* mockup) const {
    for (const Comparison* comparison : sides)
      if (comparison->side->mockup == mockup) return relative_text(*comparison);
    return {};
  }
  // The guideline of the fastest mock-up that is worth replacing the collective, if any.
  Cell replace_by() const {
    const Comparison* best = nullptr;
    for (const Comparison* comparison : sides)
      if (comparison->replaceable && (best == nullptr || comparison->relative < best->relative))
        best = comparison;
    return best == nullptr ? Cell() : cell_of(best->side->mockup->guideline);
  }
};

std::vector<Compared> compared_settings(const std::string& collective, const Comparisons& all) {
  std::map<const Setting*, std::vector<const Comparison*>> of_setting;
  for (const auto& comparison : all)
    if (comparison.setting->collective == collective)
      of_setting[comparison.setting].push_back(&comparison);
  std::vector<Compared> settings;
  for (auto& [setting, sides] : of_setting) settings.push_back({setting, std::move(sides)});
  return settings;
}

// One row per size, one column per mock-up, as in Figure 4 of the PGMPITuneLib paper.
DocumentTable relative_table(const std::string& collective, const Comparisons& all) {
  const auto mockups = mockups_in(collective, all);
  std::vector<std::string> legend;
  for (const Mockup* mockup : mockups)
    legend.push_back(fmt::format("{}: {}", mockup->guideline, mockup->algorithm.name));
  TableOf table(compared_settings(collective, all),
                {.name = collective,
                 .title = fmt::format("{}: relative latency of its mock-ups (default = 1)",
                                      mpi_name(collective)),
                 .notes = {fmt::format("{}", fmt::join(legend, "; "))}});
  const auto procs = [](auto& row) { return row.setting->procs; };
  const auto is_other = [&](auto& other) { return other.setting->procs != all[0].setting->procs; };
  if (std::ranges::any_of(all, is_other))
    table.group("procs", procs);
  else
    table.add("procs", procs);
  table.add("message_bytes", {"Size", Shown::bytes},
            [](auto& row) { return row.setting->message_bytes; });
  table.add("default_algorithm", {"Default", Shown::plain, 1},
            [](auto& row) { return default_name(*row.setting); });
  table.add("default_time_s", {"Time (us)", Shown::us},
            [](auto& row) { return row.sides.front()->default_s; });
  for (const Mockup* mockup : mockups)
    table.add(std::string(mockup->guideline), {std::string(mockup->guideline)},
              [&](auto& row) { return row.relative_to(mockup); });
  table.add("replace_by", {"Replace by"}, &Compared::replace_by);
  auto relative = table.take();
  relative.only_on_request = relative.table.rows.empty();
  return relative;
}

DocumentTable pairs_table(const std::vector<SizePair>& pairs, const std::string& title,
                          const std::string& note) {
  std::vector<SizePair> violated;
  std::ranges::copy_if(pairs, std::back_inserter(violated), &SizePair::violated);
  TableOf table(violated, {.title = title,
                           .notes = {fmt::format("{} of {} pairs of sizes violate this; {}",
                                                 violated.size(), pairs.size(), note)}});
  table.add("collective", {"Collective"}, [](auto& pair) { return pair.large->collective; });
  table.add("procs", {"Procs"}, [](auto& pair) { return pair.large->procs; });
  table.add("message_bytes", {"Size", Shown::bytes},
            [](auto& pair) { return pair.large->message_bytes; });
  table.add("other_bytes", {"Other", Shown::bytes, 0, 2},
            [](auto& pair) { return pair.small->message_bytes; });
  table.add("parts", {.head = "Parts", .place = 1}, &SizePair::parts);
  table.add("time_s", {"Time (us)", Shown::us}, &SizePair::large_s);
  table.add("other_time_s", {"Other (us)", Shown::us, 0, 2}, &SizePair::small_s);
  table.add("relative_latency", [](auto& pair) { return pair.small_s / pair.large_s; });
  table.add("violated", &SizePair::violated);
  return table.take();
}

DocumentTable monotony_table(const Checked& checked) {
  return pairs_table(
      studies::guidelines::monotony(checked.report.settings, checked.report.thresholds),
      "Monotonicity: a larger message must not be faster", "Other: the next smaller message");
}

DocumentTable split_table(const Checked& checked) {
  return pairs_table(
      studies::guidelines::split_robustness(checked.report.settings, checked.report.thresholds),
      "Split-robustness: a message must not be slower than its parts",
      "Other: size of a part, and the time of all parts");
}

// The tables of the collectives are between these two groups.
constexpr Part<Checked> comparison_parts[] = {{"points", points_table},
                                              {"guidelines", summary_table}};
constexpr Part<Checked> pair_parts[] = {{"monotony", monotony_table}, {"split", split_table}};

// Includes collectives without any simulated call.
std::vector<std::string> collectives_in(const std::vector<Setting>& settings) {
  std::vector<std::string> names;
  for (const auto& setting : settings) add_once(names, setting.collective);
  return names;
}

// "5 to 31 calls".
std::string calls_in(const std::vector<Setting>& settings) {
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = 0;
  for (const auto& setting : settings)
    for (const auto& side : setting.sides) {
      if (side.latencies_s.empty()) continue;
      least = std::min(least, repetition_count(side));
      most = std::max(most, repetition_count(side));
    }
  return least >= most ? counted(most, "call") : fmt::format("{} to {} calls", least, most);
}

void add_measuring(const GuidelinesReport& report, std::vector<std::string>& lines) {
  const auto& measuring = report.measuring;
  if (report.noise.empty()) {
    lines.emplace_back("each call is simulated once: without noise, repetitions would be equal");
    return;
  }
  const bool is_window = measuring.sync == studies::guidelines::Measuring::Sync::window;
  lines.push_back(fmt::format(
      "medians of {} with noise {}, {} each; {}{}", counted(measuring.runs, "run"), report.noise,
      calls_in(report.settings),
      is_window ? "all ranks begin a call together" : "a dissemination barrier before each call",
      measuring.runs == 1 ? "" : "; stars: p < 0.05, 0.01, 0.001 in the rank-sum test"));
  if (measuring.repetitions) return;
  lines.push_back(
      fmt::format("NREP: a run takes as long as calls of 1 B need to settle at a relative standard "
                  "error of {:.4g} %, but has at least {} calls",
                  measuring.nrep.rse * 100, measuring.nrep.least));
  const auto restless = std::ranges::count_if(
      report.settlings, [](const auto& settling) { return !settling.second.settled; });
  if (restless > 0)
    lines.push_back(fmt::format("{} of {} did not settle in {} calls (--nrep-max)", restless,
                                report.settlings.size(), measuring.nrep.most));
}

std::string violation_text(const GuidelinesReport& report) {
  const double above = report.thresholds.violated;
  return fmt::format("violated: the mock-up is faster{}; replaceable: by at least {:.4g} %",
                     above > 0 ? fmt::format(" by more than {:.4g} %", above * 100) : "",
                     report.thresholds.replaceable * 100);
}

// "3 of 12 comparisons violate a guideline, in 2 the collective is worth replacing".
std::string result_words(const Comparisons& all) {
  const auto violated = std::ranges::count_if(all, &Comparison::violated);
  const auto replaceable = std::ranges::count_if(all, &Comparison::replaceable);
  const std::string compared = counted(all.size(), "comparison");
  std::string words = fmt::format("{} of {} {} a guideline", violated, compared,
                                  violated == 1 ? "violates" : "violate");
  if (violated == 0)
    words = all.size() == 1 ? "the comparison violates no guideline"
                            : fmt::format("none of {} violates a guideline", compared);
  if (replaceable > 0)
    words += fmt::format(", in {} the collective is worth replacing", replaceable);
  return words;
}

// Describes the measured times and the test.
std::vector<std::string> about_measured(const GuidelinesReport& report, const Comparisons& all) {
  std::vector<std::string> lines{
      "Performance guidelines in measured times: " + result_words(all),
      fmt::format("measured times from {}; {}", fmt::join(report.measured, ", "),
                  violation_text(report)),
      fmt::format("one-sided Wilcoxon rank-sum test, p < {:.4g}: on the medians of the runs if "
                  "each side has at least {}, else on all repetitions",
                  report.thresholds.p, studies::guidelines::least_runs)};
  if (!report.omitted.empty())
    lines.push_back(fmt::format("{} omitted, the first: {}",
                                counted(std::ssize(report.omitted), "setting"),
                                report.omitted.front()));
  return lines;
}

std::vector<std::string> about(const GuidelinesReport& report, const Comparisons& all) {
  if (!report.measured.empty()) return about_measured(report, all);
  std::vector<std::string> lines{
      fmt::format("Performance guidelines on {}: {}", report.provenance.platform_name(),
                  result_words(all)),
      fmt::format("algorithm selection {}; elements of {} B; {}", report.selection,
                  report.element_bytes, violation_text(report))};
  add_measuring(report, lines);
  return lines;
}

using studies::guidelines::Measuring;

std::string test_name(const Setting& setting, const Side& side) {
  return side.mockup == nullptr ? mpi_name(setting.collective)
                                : std::string(side.mockup->algorithm.name);
}

// The synchronization in ReproMPI's terms. It has no term for perfect clocks: "simulated".
std::string synchronisation(const GuidelinesReport& report) {
  const bool is_window = report.measuring.sync == Measuring::Sync::window;
  return fmt::format("#@clocktype={}\n#@clock=simulated\n#@sync={}\n#@runtime_type={}\n",
                     is_window ? "global" : "local", is_window ? "window" : "BBarrier",
                     "local_max");
}

std::string header(const GuidelinesReport& report) {
  std::vector<std::string> tests;
  std::vector<int> procs;
  for (const auto& setting : report.settings)
    for (const auto& side : setting.sides) {
      if (side.latencies_s.empty()) continue;
      add_once(tests, test_name(setting, side));
      add_once(procs, setting.procs);
    }
  std::string text =
      fmt::format("#Command-line arguments: {}\n#MPI calls:\n", provenance_lines(report)[1]);
  for (const auto& test : tests) text += fmt::format("#\t{}\n", test);
  for (const auto& line : provenance_lines(report)) text += fmt::format("# {}\n", line);
  text += fmt::format(
      "#@operation=MPI_BOR\n#@datatype={0}\n#@datatype_extent_bytes={1}\n"
      "#@datatype_size_bytes={1}\n#@root_proc=0\n#@reproMPIcommitSHA1=unknown\n",
      report.element_bytes == 1 ? "MPI_CHAR" : "unknown", report.element_bytes);
  text += fmt::format("#@nprocs={}\n", fmt::join(procs, ","));
  text += synchronisation(report);
  // nrep is 0 if it differs by call.
  text += fmt::format("#@nrep={}\n#@nmpiruns={}\n", report.measuring.repetitions.value_or(0),
                      report.measuring.runs);
  return text + fmt::format("#@noise={}\n", report.noise.empty() ? "none" : report.noise);
}

std::string repro_lines(const Setting& setting, const Side& side, Bytes element_bytes) {
  std::string text;
  const std::string test = test_name(setting, side);
  for (std::size_t run = 0; run < side.latencies_s.size(); ++run)
    for (std::size_t i = 0; i < side.latencies_s[run].size(); ++i)
      text += fmt::format("{:>50} {:>10} {:>12} {:>14.10f} {:>6} {:>7}\n", test, i,
                          setting.message_bytes / element_bytes, side.latencies_s[run][i], run,
                          setting.procs);
  return text;
}

}  // namespace

std::vector<std::string> skipped_in(const std::vector<Setting>& settings) {
  std::vector<std::string> lines;
  std::set<std::string> reported;
  for (const auto& setting : settings)
    for (const auto& side : setting.sides) {
      if (side.skipped.empty()) continue;
      const std::string name(side.mockup == nullptr ? "default" : side.mockup->algorithm.name);
      if (reported.insert(setting.collective + name).second)
        lines.push_back(fmt::format("{} {} is skipped from {} on: {}", setting.collective, name,
                                    format_bytes(setting.message_bytes), side.skipped));
    }
  return lines;
}

Document guidelines_document(const GuidelinesReport& report) {
  const Checked checked{report};
  Document document{report, "sim.guidelines.check/2", about(report, checked.all)};
  for (auto& line : skipped_in(report.settings)) document.about.push_back(std::move(line));
  add_not_run(document, report.not_run, "calls", "check");
  document.tables = tables_of(comparison_parts, checked);
  for (const auto& collective : collectives_in(report.settings)) {
    document.tables.push_back(relative_table(collective, checked.all));
    if (document.tables.back().only_on_request) continue;
    document.plots.push_back({{"x", "message_bytes"},
                              {"y", "relative_latency"},
                              {"series", "mockup"},
                              {"facet", "procs"},
                              {"log", "xy"},
                              {"only", "collective=" + collective},
                              {"title", "Latency of mock-ups relative to the default"}});
  }
  for (auto& table : tables_of(pair_parts, checked)) document.tables.push_back(std::move(table));
  return document;
}

std::vector<std::string> guidelines_document_parts() {
  auto names = names_of(comparison_parts);
  for (auto& name : names_of(pair_parts)) names.push_back(std::move(name));
  for (const auto* mockup : algorithms::guidelines::all_mockups())
    add_once(names, std::string(mockup->algorithm.collective));
  return names;
}

std::string guidelines_repro(const GuidelinesReport& report) {
  std::string text = header(report);
  text += fmt::format("{:>50} {:>10} {:>12} {:>14} {:>6} {:>7}\n", "test", "nrep", "count",
                      "runtime_sec", "mpirun", "nprocs");
  for (const auto& setting : report.settings)
    for (const auto& side : setting.sides) text += repro_lines(setting, side, report.element_bytes);
  if (report.not_run > 0)
    text += fmt::format("# INCOMPLETE: {} calls were not run\n", report.not_run);
  return text;
}

}  // namespace tutti::reports
