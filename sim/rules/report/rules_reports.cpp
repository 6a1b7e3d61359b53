// SPDX-License-Identifier: BSD-3-Clause
#include "algorithms/selection/dynamic_rules.hpp"
#include "algorithms/selection/write_rules.hpp"
#include "sim/rules/report/reports.hpp"

namespace tutti::reports {
namespace {

using algorithms::rules_files::CollectiveRules;
using algorithms::rules_files::Finding;
using FileFormat = algorithms::rules_files::Format;
using algorithms::rules_files::Library;
using algorithms::rules_files::Omission;
using FileProcs = algorithms::rules_files::ProcsRules;
using algorithms::rules_files::Range;
using algorithms::rules_files::RulesFile;
using algorithms::rules_files::Severity;
using algorithms::rules_files::SizeRule;

// A rule with what it is part of, and what it does.
struct RuleLine {
  std::string collective;
  const FileProcs* procs;
  const SizeRule* rule;
  std::string algorithm;
  std::int64_t fanout = 0;
  std::int64_t segment_bytes = 0;
  std::optional<std::int64_t> max_requests = {};
};

bool is_of_tuned(FileFormat format) {
  return format == FileFormat::ompi_classic || format == FileFormat::ompi_classic_2 ||
         format == FileFormat::ompi_json;
}

// The effect of the rule is the same as in `sim run`.
RuleLine make_line(const RulesFile& file, const std::string& collective, const FileProcs& procs,
                   const SizeRule& rule) {
  RuleLine line{collective, &procs, &rule, rule.algorithm};
  if (!is_of_tuned(file.format)) return line;
  const auto effect = algorithms::selection::effect_of(collective, rule, file.library);
  if (!effect || effect->algorithm == nullptr) {
    line.algorithm = effect ? fmt::format("invalid: {}", rule.id) : "library's own";
    return line;
  }
  line.algorithm = effect->algorithm->name;
  line.fanout = effect->fanout;
  line.segment_bytes = effect->segment_bytes;
  if (rule.max_requests) line.max_requests = effect->max_requests;
  return line;
}

std::vector<RuleLine> make_lines(const RulesFile& file) {
  std::vector<RuleLine> lines;
  for (const CollectiveRules& collective : file.collectives)
    for (const FileProcs& procs : collective.procs)
      for (const SizeRule& rule : procs.rules)
        lines.push_back(make_line(file, collective.collective, procs, rule));
  return lines;
}

std::string procs_words(const Range& range) {
  if (range.min <= 1 && range.is_unlimited()) return "all";
  return algorithms::rules_files::range_text(range,
                                             [](std::int64_t n) { return fmt::format("{}", n); });
}
std::string bytes_words(const Range& range) {
  return algorithms::rules_files::range_text(range, format_bytes);
}

std::optional<std::int64_t> upper(const Range& range) {
  return range.is_unlimited() ? std::nullopt : std::optional(range.max);
}

DocumentTable findings_table(const LintReport& report) {
  std::vector<std::string> notes;
  if (const auto omitted = report.rules.omitted_findings; omitted > 0)
    notes.push_back(counted(omitted, "further finding") + " not shown: fix these first");
  TableOf table(report.rules.findings, {.title = "Findings", .notes = std::move(notes)});
  table.add("line", {"Line"}, &Finding::line);
  table.add("column", {"Column"}, [](const Finding& finding) {
    return finding.column == 0 ? std::optional<int>() : std::optional(finding.column);
  });
  table.add("severity", {"Severity"},
            [](const Finding& finding) { return std::string(severity_name(finding.severity)); });
  table.add("message", {"Problem", Shown::below}, &Finding::message);
  table.add("fix", {"Fix", Shown::below}, &Finding::fix);
  return table.take();
}

DocumentTable rules_table(const LintReport& report) {
  const auto lines = make_lines(report.rules);
  const bool is_han = report.rules.format == FileFormat::han;
  TableOf table(lines, {.title = is_han ? "Components that the file selects"
                                        : "Algorithms that the file selects"});
  table.add("collective", {.head = "Collective", .once = true}, &RuleLine::collective);
  const bool has_scopes =
      std::ranges::any_of(lines, [](const RuleLine& line) { return !line.procs->scope.empty(); });
  table.add("scope",
            shown_if(has_scopes,
                     {.head = is_han ? "Level" : "Only for", .how = Shown::name, .once = true}),
            [](const RuleLine& line) { return line.procs->scope; });
  table.add("min_procs", [](const RuleLine& line) { return line.procs->procs.min; });
  table.add("max_procs", [](const RuleLine& line) { return upper(line.procs->procs); });
  table.add("procs", {.head = is_han ? "Elements" : "Processes", .once = true},
            [](const RuleLine& line) { return procs_words(line.procs->procs); });
  table.add("min_bytes", [](const RuleLine& line) { return line.rule->bytes.min; });
  table.add("max_bytes", [](const RuleLine& line) { return upper(line.rule->bytes); });
  table.add("bytes", {"Bytes"}, [](const RuleLine& line) { return bytes_words(line.rule->bytes); });
  table.add("algorithm", {is_han ? "Component" : "Algorithm"}, &RuleLine::algorithm);
  table.add("algorithm_id", [](const RuleLine& line) { return line.rule->id; });
  const auto is_set = [&](auto value) {
    return std::ranges::any_of(lines, [&](const RuleLine& line) { return line.*value != 0; });
  };
  const bool is_limited = std::ranges::any_of(
      lines, [](const RuleLine& line) { return line.max_requests.value_or(0) != 0; });
  table.add("fanout", shown_if(is_set(&RuleLine::fanout), {.head = "Fan-out", .spare = 3}),
            &RuleLine::fanout);
  table.add("segment_bytes",
            shown_if(is_set(&RuleLine::segment_bytes), {.head = "Segment", .spare = 2}),
            &RuleLine::segment_bytes);
  table.add("max_requests", shown_if(is_limited, {.head = "Requests", .spare = 4}),
            &RuleLine::max_requests);
  table.add("line", {.head = "Line", .spare = 1},
            [](const RuleLine& line) { return line.rule->line; });
  return table.take();
}

// The meaning of the message sizes of the rules.
DocumentTable sizes_table(const LintReport& report) {
  std::vector<std::string> names;
  for (const CollectiveRules& rules : report.rules.collectives)
    if (algorithms::find_collective(rules.collective) != nullptr) names.push_back(rules.collective);
  TableOf table(std::move(names), {.title = "The size of a message by which the rules select"});
  table.add("collective", {"Collective"}, [](const std::string& name) { return name; });
  table.add("bytes_mean", {"Size"}, [](const std::string& name) {
    return std::string(algorithms::selection::rules_file_bytes_mean(name));
  });
  return table.take();
}

bool has_rules(const LintReport& report) { return !report.rules.collectives.empty(); }

constexpr Part<LintReport> lint_tables[] = {
    {"findings", findings_table,
     [](const LintReport& report) { return !report.rules.findings.empty(); }},
    {"rules", rules_table, has_rules},
    {"sizes", sizes_table, [](const LintReport& report) {
       return has_rules(report) && is_of_tuned(report.rules.format);
     }}};

std::string verdict(const RulesFile& file) {
  if (file.findings.empty()) return "No findings";
  std::map<Severity, std::size_t> counts;
  for (const Finding& finding : file.findings) ++counts[finding.severity];
  std::vector<std::string> words;
  for (const auto& [severity, count] : counts)
    words.push_back(counted(count, severity_name(severity)));
  std::string text = fmt::format("{}", fmt::join(words, ", "));
  if (file.discarded() != nullptr)
    text += file.format == FileFormat::mpich_json ? "; MPICH aborts at once"
                                                  : "; the library ignores the whole file";
  return text;
}

DocumentTable omissions_table(const ConversionReport& report) {
  TableOf table(report.conversion.omissions,
                {.title = fmt::format("Not expressed in {}", format_facts(report.to).name)});
  table.add("collective", {.head = "Collective", .once = true}, &Omission::collective);
  table.add("min_procs", [](const Omission& omission) { return omission.procs.min; });
  table.add("max_procs", [](const Omission& omission) { return upper(omission.procs); });
  table.add("procs", {"Processes"},
            [](const Omission& omission) { return procs_words(omission.procs); });
  table.add("min_bytes", [](const Omission& omission) { return omission.bytes.min; });
  table.add("max_bytes", [](const Omission& omission) { return upper(omission.bytes); });
  table.add("bytes", {"Bytes"},
            [](const Omission& omission) { return bytes_words(omission.bytes); });
  table.add("omitted", {"Omitted", Shown::name}, &Omission::what);
  table.add("line", {.head = "Line", .spare = 1}, &Omission::line);
  table.add("reason", {"Reason", Shown::below}, &Omission::why);
  return table.take();
}

constexpr Part<ConversionReport> conversion_tables[] = {
    {"omissions", omissions_table,
     [](const ConversionReport& report) { return !report.conversion.omissions.empty(); }}};

}  // namespace

std::vector<std::string> lint_parts() { return names_of(lint_tables); }

Document lint_document(const LintReport& report) {
  Document document{report, "sim.rules.lint/1"};
  const auto& facts = format_facts(report.rules.format);
  const bool is_one = report.rules.format == FileFormat::mpich_json ||  // a tree
                      report.rules.format == FileFormat::nccl;          // a table
  document.about = {fmt::format("{}: {}, as {} reads {}", report.file, facts.title,
                                library_title(report.rules.library), is_one ? "it" : "them"),
                    verdict(report.rules)};
  if (!report.rules.device_variable.empty())
    document.about.push_back(
        fmt::format("The tree is that of a device: use it by {}", report.rules.device_variable));
  if (is_of_tuned(report.rules.format) && report.rules.library >= Library::ompi_50)
    document.about.push_back(
        algorithms::selection::han_goes_first_in(library_title(report.rules.library)));
  document.tables = tables_of(lint_tables, report);
  return document;
}

Document conversion_document(const ConversionReport& report) {
  Document document{report, "sim.rules.convert/1"};
  const auto& to = format_facts(report.to);
  document.about = {
      fmt::format("{}: {} as {}", report.file, format_facts(report.from).title, to.name),
      fmt::format("{} written, {} omitted", counted(report.conversion.rules, "rule"),
                  report.conversion.omissions.size()),
      fmt::format("Use: {}", to.use)};
  if (!report.han_file.empty())
    document.about.back() =
        fmt::format("Use: the parameters in the head of this file and of {}", report.han_file);
  if (report.to == FileFormat::han && report.from != FileFormat::han)
    document.about.emplace_back(
        "The file leaves to coll/tuned what the rules decide: use it together with them");
  document.tables = tables_of(conversion_tables, report);
  return document;
}

// What differs between two sets of rules.

namespace {

using studies::rules::Tally;
using ChosenBy = studies::explain::Choice studies::explain::Comparison::*;

const jobs::Record& record_by(const studies::explain::Comparison& cell, ChosenBy side) {
  return (cell.*side).answer.record;
}

// "chain, segments of 8 KiB, fan-out 4".
std::string choice_words(const studies::explain::Comparison& cell, ChosenBy side) {
  const auto& choice = cell.*side;
  const auto fanout = record_by(cell, side).fanout;
  return fanout ? fmt::format("{}, fan-out {}", choice.algorithm, *fanout) : choice.algorithm;
}

DocumentTable cells_table(const RulesDiffReport& report) {
  TableOf table(
      report.cells,
      {.title = "Cells that differ, by the ratio of the times B/A; times in us", .most_shown = 20});
  const auto& record = [](const studies::explain::Comparison& cell) -> const jobs::Record& {
    return record_by(cell, &studies::explain::Comparison::from);
  };
  table.add("collective", {"Collective"}, [&](auto& cell) { return record(cell).collective; });
  table.add("procs", {"Procs"}, [&](auto& cell) { return record(cell).procs; });
  table.add("ppn", {"PPN"}, [&](auto& cell) { return record(cell).ppn; });
  table.add("root", [&](auto& cell) { return record(cell).root; });
  table.add("message_bytes", {"Size (B)"}, [&](auto& cell) { return record(cell).message_bytes; });
  table.add("from_s", {"A", Shown::us}, [&](auto& cell) { return record(cell).time_s; });
  table.add("to_s", {"B", Shown::us},
            [](auto& cell) { return record_by(cell, &studies::explain::Comparison::to).time_s; });
  table.add("ratio", {"B/A", Shown::decimals}, [](auto& cell) { return cell.ratio(); });
  constexpr std::pair<const char*, ChosenBy> sides[] = {
      {"from", &studies::explain::Comparison::from}, {"to", &studies::explain::Comparison::to}};
  for (const auto& [name, side] : sides) {
    const auto add = [&](const char* column, const auto& get) {
      table.add(fmt::format("{}_{}", name, column), get);
    };
    add("algorithm", [side = side](auto& cell) { return record_by(cell, side).algorithm; });
    add("segment_bytes", [side = side](auto& cell) { return record_by(cell, side).segment_bytes; });
    add("fanout", [side = side](auto& cell) { return record_by(cell, side).fanout; });
    add("component", [side = side](auto& cell) { return (cell.*side).component; });
  }
  // Texts with commas come last.
  for (const auto& [name, side] : sides) {
    table.add(fmt::format("{}_runs_as", name),
              [side = side](auto& cell) { return record_by(cell, side).runs_as; });
    table.add(fmt::format("{}_why", name), [side = side](auto& cell) { return (cell.*side).why; });
  }
  table.add("change", {"", Shown::below}, [](auto& cell) {
    return fmt::format("A: {}; B: {}", choice_words(cell, &studies::explain::Comparison::from),
                       choice_words(cell, &studies::explain::Comparison::to));
  });
  return table.take();
}

DocumentTable tallies_table(const RulesDiffReport& report) {
  TableOf table(report.collectives,
                {.title = "Ratio of the times B/A in the cells that differ (geometric mean)",
                 .notes = {fmt::format("Faster and slower: by more than {:.0f} %",
                                       100 * studies::rules::same_time)}});
  table.add("collective", {"Collective"}, &Tally::collective);
  table.add("cells", {"Cells"}, &Tally::cells);
  table.add("differing", {"Differ"}, &Tally::differing);
  table.add("faster", {"B faster"}, &Tally::faster);
  table.add("slower", {"B slower"}, &Tally::slower);
  table.add("mean_ratio", {"Mean", Shown::decimals}, &Tally::mean_ratio);
  table.add("best_ratio", {"Best", Shown::decimals}, &Tally::best_ratio);
  table.add("worst_ratio", {"Worst", Shown::decimals}, &Tally::worst_ratio);
  return table.take();
}

constexpr Part<RulesDiffReport> diff_tables[] = {{"cells", cells_table},
                                                 {"summary", tallies_table}};

}  // namespace

std::vector<std::string> rules_diff_parts() { return names_of(diff_tables); }

Document rules_diff_document(const RulesDiffReport& report) {
  Document document{report, "sim.rules.diff/1"};
  const Tally& all = report.collectives.back();
  document.about = {fmt::format("Rules on {}: A is {}, B is {}", report.provenance.platform_name(),
                                report.a, report.b),
                    fmt::format("{} compared, {} differ: {} faster with B, {} slower",
                                counted(all.cells, "cell"), all.differing, all.faster, all.slower)};
  if (report.run.not_run > 0)
    document.about.push_back(
        fmt::format("Interrupted: {} simulations were not run", report.run.not_run));
  document.tables = tables_of(diff_tables, report);
  return document;
}

}  // namespace tutti::reports
